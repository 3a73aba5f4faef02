// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/context.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/json/linewriter.h"
#include "core/loop/budget.h"

namespace emend::core {

namespace {

constexpr std::size_t latestMessages = 4;                // high priority, design section 4
constexpr std::size_t shortHead = 1200, shortTail = 400; // characters kept of a long tool output

// Runs of blanks become one, blank lines go; text inside a line keeps its words.
std::string compressSpace(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    bool blank = false, line = false;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            line = true;
        } else if (c == ' ' || c == '\t') {
            blank = true;
        } else {
            if (line && !out.empty())
                out += '\n';
            else if (blank)
                out += ' ';
            line = blank = false;
            out += c;
        }
    }
    return out;
}

std::string shortenBody(std::string_view body)
{
    const std::size_t length = countCodePoints(body);
    if (length <= shortHead + shortTail + 80)
        return {};
    std::string out(prefixCodePoints(body, shortHead));
    out += "\n[… shortened: " + std::to_string(length) + " characters in full, " +
           std::to_string(length - shortHead - shortTail) + " left out here …]\n";
    out += suffixCodePoints(body, shortTail);
    return out;
}

std::string idList(const std::vector<int> &ids)
{
    std::string out = "[";
    for (const int id : ids)
        out += (out.size() > 1 ? "," : "") + std::to_string(id);
    return out + "]";
}

} // namespace

struct Context::Plan {
    std::vector<Form> forms; // one a history entry
    std::vector<char> gone;
    std::int64_t tokens = 0;
    std::vector<int> compressed, shortened, dropped; // steps
};

Context::Entry Context::makeEntry(Kind kind, Role role, std::string text)
{
    Entry entry{};
    entry.kind = kind;
    entry.role = role;
    entry.forms[Full].tokens = estimateTokens(text);
    entry.forms[Full].text = std::move(text);
    return entry;
}

Context::Context(ContextLimits limits)
    : m_limits(limits)
    , m_system(makeEntry(Kind::System, Role::System, {}))
    , m_request(makeEntry(Kind::Request, Role::User, {}))
    , m_instruction(makeEntry(Kind::Instruction, Role::User, {}))
    , m_correction(makeEntry(Kind::Correction, Role::User, {}))
    , m_turn(makeEntry(Kind::Turn, Role::User, {}))
    , m_summary(makeEntry(Kind::Summary, Role::User, {}))
{}

void Context::setSystem(std::string text)
{
    m_system = makeEntry(Kind::System, Role::System, std::move(text));
}

void Context::setRequest(std::string text)
{
    m_request = makeEntry(Kind::Request, Role::User, std::move(text));
}

void Context::setInstruction(std::string text)
{
    if (text != m_instruction.forms[Full].text)
        m_instruction = makeEntry(Kind::Instruction, Role::User, std::move(text));
}

void Context::addDecision(int step, std::string text)
{
    m_history.push_back(makeEntry(Kind::Decision, Role::Assistant, std::move(text)));
    m_history.back().step = step;
}

void Context::addObservation(int step, std::string open, std::string body, std::string close)
{
    Entry entry = makeEntry(Kind::Observation, Role::User, open + body + close);
    entry.headSize = open.size();
    entry.tailSize = close.size();
    entry.step = step;
    m_history.push_back(std::move(entry));
}

void Context::setCorrection(std::string text)
{
    m_correction = makeEntry(Kind::Correction, Role::User, std::move(text));
}

void Context::clearCorrection()
{
    m_correction = makeEntry(Kind::Correction, Role::User, {});
}

void Context::setTurn(std::string text)
{
    if (text != m_turn.forms[Full].text)
        m_turn = makeEntry(Kind::Turn, Role::User, std::move(text));
}

// Takes entry `i` into the plan in this form, if it has it and is shorter for it.
void Context::setForm(Plan &plan, std::size_t i, Entry &entry, Form form)
{
    plan.tokens += entry.forms[form].tokens - entry.forms[plan.forms[i]].tokens;
    plan.forms[i] = form;
    (form == Compressed ? plan.compressed : plan.shortened).push_back(entry.step);
}

void Context::compress(Plan &plan)
{
    for (std::size_t i = 0; i + latestMessages < m_history.size(); ++i) {
        Entry &entry = m_history[i];
        Text &form = entry.forms[Compressed];
        if (form.text.empty()) {
            form.text = compressSpace(entry.forms[Full].text);
            form.tokens = estimateTokens(form.text);
        }
        if (form.tokens < entry.tokens())
            setForm(plan, i, entry, Compressed);
    }
}

void Context::shorten(Plan &plan)
{
    for (std::size_t i = 0; i < m_history.size(); ++i) {
        Entry &entry = m_history[i];
        if (entry.kind != Kind::Observation)
            continue;
        Text &form = entry.forms[Shortened];
        if (form.text.empty()) {
            const std::string_view full = entry.forms[Full].text;
            const std::size_t bodySize = full.size() - entry.headSize - entry.tailSize;
            const std::string body = shortenBody(full.substr(entry.headSize, bodySize));
            if (body.empty())
                continue;
            form.text = std::string(full.substr(0, entry.headSize)) + body +
                        std::string(full.substr(full.size() - entry.tailSize));
            form.tokens = estimateTokens(form.text);
        }
        if (form.tokens < entry.forms[plan.forms[i]].tokens)
            setForm(plan, i, entry, Shortened);
    }
}

// A decision and its observation go together: half of a pair would mislead.
void Context::drop(Plan &plan)
{
    const std::int64_t target = m_limits.usable() * m_limits.dropPercent / 100;
    std::string summary;
    for (std::size_t i = 0; i < m_history.size() && plan.tokens > target;) {
        do {
            const Entry &entry = m_history[i];
            plan.gone[i] = 1;
            plan.tokens -= entry.forms[plan.forms[i]].tokens;
            if (entry.kind == Kind::Observation) {
                const std::string_view full = entry.forms[Full].text;
                plan.dropped.push_back(entry.step);
                summary += std::string(full.substr(0, entry.headSize)) + "…" +
                           std::string(full.substr(full.size() - entry.tailSize)) + "\n";
            }
            ++i;
        } while (i < m_history.size() && m_history[i].kind == Kind::Observation);
    }
    if (plan.dropped.empty())
        return;
    summary = "Earlier steps, left out for space:\n" + std::string(prefixCodePoints(summary, 2000));
    if (summary != m_summary.forms[Full].text)
        m_summary = makeEntry(Kind::Summary, Role::User, std::move(summary));
    plan.tokens += m_summary.tokens();
}

void Context::emit(Request &request, Entry &entry, Form form)
{
    Text &sent = entry.forms[form];
    if (sent.text.empty())
        return;
    std::string &out = request.messagesJson;
    if (out.size() > 1)
        out += ',';
    if (sent.number == 0) {
        sent.number = ++m_numbers;
        LineWriter line;
        line.number("id", sent.number).text("role", roleName(entry.role)).text("text", sent.text);
        out += '{' + line.members() + '}';
    } else {
        out += std::to_string(sent.number);
    }
    request.messages.push_back({entry.role, sent.text});
}

Context::Request Context::assemble()
{
    Plan plan;
    plan.forms.assign(m_history.size(), Full);
    plan.gone.assign(m_history.size(), 0);
    plan.tokens = m_system.tokens() + m_request.tokens() + m_instruction.tokens() +
                  m_correction.tokens() + m_turn.tokens();
    for (const Entry &entry : m_history)
        plan.tokens += entry.tokens();
    const std::int64_t before = plan.tokens;
    const auto over = [&](int percent) { return plan.tokens * 100 >= m_limits.usable() * percent; };
    if (over(m_limits.compressPercent))
        compress(plan);
    if (over(m_limits.shortenPercent))
        shorten(plan);
    if (over(m_limits.dropPercent))
        drop(plan);

    Request request;
    request.messagesJson = "[";
    emit(request, m_system, Full);
    emit(request, m_request, Full);
    if (!plan.dropped.empty())
        emit(request, m_summary, Full);
    for (std::size_t i = 0; i < m_history.size(); ++i)
        if (!plan.gone[i])
            emit(request, m_history[i], plan.forms[i]);
    emit(request, m_instruction, Full);
    emit(request, m_correction, Full);
    emit(request, m_turn, Full);
    request.messagesJson += ']';
    request.tokens = plan.tokens;
    request.fits = plan.tokens <= m_limits.usable();
    LineWriter usage;
    usage.number("tokens", plan.tokens).number("limit", m_limits.usable());
    usage.number("percent", before * 100 / m_limits.usable());
    usage.raw("compressed", idList(plan.compressed)).raw("shortened", idList(plan.shortened));
    usage.raw("dropped", idList(plan.dropped));
    request.usageJson = '{' + usage.members() + '}';
    return request;
}

} // namespace emend::core
