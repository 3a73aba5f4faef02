// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/context.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/json/linewriter.h"
#include "core/loop/budget.h"

namespace emend::core {

namespace {

constexpr std::size_t latestMessages = 4;  // high priority, design section 4
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
    std::vector<char> reduced; // one a history entry
    std::vector<char> gone;
    std::int64_t tokens = 0;
    std::vector<int> compressed, shortened, dropped; // steps
};

Context::Entry Context::makeEntry(Kind kind, Role role, std::string text)
{
    Entry entry{};
    entry.kind = kind;
    entry.role = role;
    entry.tokens = estimateTokens(text);
    entry.text = std::move(text);
    return entry;
}

Context::Context(ContextLimits limits)
    : m_limits(limits)
    , m_system(makeEntry(Kind::System, Role::System, {}))
    , m_request(makeEntry(Kind::Request, Role::User, {}))
    , m_correction(makeEntry(Kind::Correction, Role::User, {}))
    , m_turn(makeEntry(Kind::Turn, Role::User, {}))
    , m_summary(makeEntry(Kind::Summary, Role::User, {}))
{
}

void Context::setSystem(std::string text)
{
    m_system = makeEntry(Kind::System, Role::System, std::move(text));
}

void Context::setRequest(std::string text)
{
    m_request = makeEntry(Kind::Request, Role::User, std::move(text));
}

void Context::addDecision(int step, std::string text)
{
    m_history.push_back(makeEntry(Kind::Decision, Role::Assistant, std::move(text)));
    m_history.back().step = step;
}

void Context::addObservation(int step, std::string open, std::string body, std::string close)
{
    Entry entry = makeEntry(Kind::Observation, Role::User, open + body + close);
    entry.head = std::move(open);
    entry.body = std::move(body);
    entry.tail = std::move(close);
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
    if (text != m_turn.text)
        m_turn = makeEntry(Kind::Turn, Role::User, std::move(text));
}

void Context::compress(Plan &plan)
{
    for (std::size_t i = 0; i + latestMessages < m_history.size(); ++i) {
        Entry &entry = m_history[i];
        if (entry.reduced.empty()) {
            std::string text = compressSpace(entry.text);
            if (text.size() >= entry.text.size())
                continue;
            entry.reducedTokens = estimateTokens(text);
            entry.reduced = std::move(text);
        }
        plan.reduced[i] = 1;
        plan.tokens += entry.reducedTokens - entry.tokens;
        plan.compressed.push_back(entry.step);
    }
}

void Context::shorten(Plan &plan)
{
    for (std::size_t i = 0; i < m_history.size(); ++i) {
        Entry &entry = m_history[i];
        if (entry.kind != Kind::Observation)
            continue;
        const std::string body = shortenBody(entry.body);
        if (body.empty())
            continue;
        std::string text = entry.head + body + entry.tail;
        if (text != entry.reduced) {
            plan.tokens -= plan.reduced[i] ? entry.reducedTokens : entry.tokens;
            entry.reduced = std::move(text);
            entry.reducedTokens = estimateTokens(entry.reduced);
            entry.reducedNumber = 0;
            plan.tokens += entry.reducedTokens;
        } else if (!plan.reduced[i]) {
            plan.tokens += entry.reducedTokens - entry.tokens;
        }
        plan.reduced[i] = 1;
        plan.shortened.push_back(entry.step);
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
            plan.tokens -= plan.reduced[i] ? entry.reducedTokens : entry.tokens;
            if (entry.kind == Kind::Observation) {
                plan.dropped.push_back(entry.step);
                summary += entry.head + "…" + entry.tail + "\n";
            }
            ++i;
        } while (i < m_history.size() && m_history[i].kind == Kind::Observation);
    }
    if (plan.dropped.empty())
        return;
    summary = "Earlier steps, left out for space:\n" + std::string(prefixCodePoints(summary, 2000));
    if (summary != m_summary.text)
        m_summary = makeEntry(Kind::Summary, Role::User, std::move(summary));
    plan.tokens += m_summary.tokens;
}

void Context::emit(Request &request, Entry &entry, bool reduced)
{
    const std::string &text = reduced ? entry.reduced : entry.text;
    if (text.empty())
        return;
    int &number = reduced ? entry.reducedNumber : entry.number;
    std::string &out = request.messagesJson;
    if (out.size() > 1)
        out += ',';
    if (number == 0) {
        number = ++m_numbers;
        LineWriter line;
        line.number("id", number).text("role", roleName(entry.role)).text("text", text);
        out += '{' + line.members() + '}';
    } else {
        out += std::to_string(number);
    }
    request.messages.push_back({entry.role, text});
}

Context::Request Context::assemble()
{
    Plan plan;
    plan.reduced.assign(m_history.size(), 0);
    plan.gone.assign(m_history.size(), 0);
    const std::int64_t critical =
        m_system.tokens + m_request.tokens + m_correction.tokens + m_turn.tokens;
    plan.tokens = critical;
    for (const Entry &entry : m_history)
        plan.tokens += entry.tokens;
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
    emit(request, m_system, false);
    emit(request, m_request, false);
    if (!plan.dropped.empty())
        emit(request, m_summary, false);
    for (std::size_t i = 0; i < m_history.size(); ++i)
        if (!plan.gone[i])
            emit(request, m_history[i], plan.reduced[i] != 0);
    emit(request, m_correction, false);
    emit(request, m_turn, false);
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
