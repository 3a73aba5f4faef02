// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/redactor.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/json/linewriter.h"
#include "core/json/strictreader.h"
#include "core/trace/secretfinder.h"
#include "core/trace/secretvalue.h"

namespace emend::core {

namespace {

std::string replaced(std::string_view text, const std::vector<SecretHit> &hits)
{
    std::string out;
    std::size_t kept = 0;
    for (const SecretHit &hit : hits) {
        out.append(text.substr(kept, hit.begin - kept));
        out += redactedText;
        kept = hit.end;
    }
    return out.append(text.substr(kept));
}

// What the engine itself writes, and what readers need to make sense of a line.
bool isStructural(std::string_view topLevelName)
{
    static constexpr std::array<std::string_view, 21> names = {
        "emend",     "run_id",      "started_at",     "program",     "kind",   "stage",
        "tool",      "category",    "state",          "fingerprint", "sha256", "outcome",
        "class",     "bound",       "tokens_from",    "why",         "mode",   "by",
        "prompt_id", "prompt_hash", "result_category"};
    return std::find(names.begin(), names.end(), topLevelName) != names.end();
}

// Walks one line. What is no JSON is copied as it is, after a search in it as plain text.
class LineWalk {
public:
    LineWalk(const SecretFinder &finder, std::string_view line)
        : m_finder(finder)
        , m_line(line)
    {}

    // Nothing: there is nothing to take out.
    std::optional<std::string> run();

private:
    // How strings are treated below a name.
    enum class Below {
        Plain,
        Secret,        // the name is that of a secret: all texts are
        PropertySchema // the schema of a field of such a name: its examples are, its words not
    };
    struct Frame {
        bool object = false;
        bool nameNext = false;
        std::size_t index = 0;
        std::string name; // of the member that is being read, decoded and redacted
        Below below = Below::Plain;
    };

    void takeString();
    void takeName(std::string_view body);
    void takeValue(std::string_view body);
    bool takeBytes(std::string_view body);
    void open(bool object);
    void close();
    Below belowOf(const std::string &name) const;
    bool isInnocent(std::string_view body) const;
    Below below() const { return m_frames.empty() ? Below::Plain : belowOf(m_frames.back().name); }
    std::string pointer() const;
    void note(const std::vector<SecretHit> &hits);
    void appendNotes();

    struct Note {
        std::string pointer;
        std::string rule;
        std::size_t count = 0;
    };

    const SecretFinder &m_finder;
    std::string_view m_line;
    std::size_t m_at = 0;
    std::string m_out;
    std::vector<Frame> m_frames;
    std::vector<Note> m_notes;
    std::size_t m_notesEnd = 0; // in m_out: the end of a list that is there already
};

std::optional<std::string> LineWalk::run()
{
    m_out.reserve(m_line.size() + 128);
    while (m_at < m_line.size()) {
        const char c = m_line[m_at];
        if (c == '"') {
            takeString();
            continue;
        }
        if (c == '{' || c == '[') {
            open(c == '{');
        } else if (c == '}' || c == ']') {
            close();
        } else if (c == ',' && !m_frames.empty()) {
            ++m_frames.back().index;
            m_frames.back().nameNext = m_frames.back().object;
        }
        m_out += c;
        ++m_at;
    }
    if (m_notes.empty())
        return std::nullopt;
    appendNotes();
    return std::move(m_out);
}

void LineWalk::open(bool object)
{
    Frame frame;
    frame.object = object;
    frame.nameNext = object;
    frame.below = below();
    m_frames.push_back(std::move(frame));
}

void LineWalk::close()
{
    if (m_frames.size() == 2 && !m_frames.back().object && m_frames[0].name == "redactions")
        m_notesEnd = m_out.size();
    if (!m_frames.empty())
        m_frames.pop_back();
}

LineWalk::Below LineWalk::belowOf(const std::string &name) const
{
    const Frame &frame = m_frames.back();
    if (!frame.object || frame.below == Below::Secret)
        return frame.below;
    if (frame.below == Below::PropertySchema) {
        const bool value =
            name == "default" || name == "const" || name == "enum" || name == "examples";
        return value ? Below::Secret : Below::PropertySchema;
    }
    const std::string_view plain =
        name.ends_with("_b64") ? std::string_view(name).substr(0, name.size() - 4) : name;
    if (!isSecretName(plain))
        return Below::Plain;
    const bool property = m_frames.size() >= 2 && m_frames[m_frames.size() - 2].object &&
                          m_frames[m_frames.size() - 2].name == "properties";
    return property ? Below::PropertySchema : Below::Secret;
}

void LineWalk::takeString()
{
    std::size_t end = m_at + 1;
    while (end < m_line.size() && m_line[end] != '"')
        end += m_line[end] == '\\' ? 2 : 1;
    end = std::min(end, m_line.size());
    const std::string_view body = m_line.substr(m_at + 1, end - m_at - 1);
    m_out += '"';
    if (!m_frames.empty() && m_frames.back().nameNext)
        takeName(body);
    else
        takeValue(body);
    if (end < m_line.size())
        m_out += '"';
    m_at = std::min(end + 1, m_line.size());
}

SecretView viewOf(std::string_view body)
{
    SecretView raw{std::string(body), {}, {}};
    auto plain = withoutEscapes(raw);
    return plain ? std::move(*plain) : std::move(raw);
}

void LineWalk::takeName(std::string_view body)
{
    Frame &frame = m_frames.back();
    frame.nameNext = false;
    const auto hits =
        m_finder.suspicious(body) ? m_finder.find(viewOf(body), true) : std::vector<SecretHit>();
    const std::string kept = replaced(body, hits);
    frame.name = viewOf(kept).text;
    m_out += kept;
    note(hits);
}

void LineWalk::takeValue(std::string_view body)
{
    const bool top = m_frames.size() == 1 && m_frames.back().object;
    const bool ours = m_frames.size() > 1 && m_frames[0].name == "redactions";
    if (body.empty() || ours || (top && isStructural(m_frames.back().name))) {
        m_out += body;
        return;
    }
    if (m_frames.size() >= 1 && m_frames.back().object && m_frames.back().name.ends_with("_b64") &&
        takeBytes(body))
        return;
    std::vector<SecretHit> hits;
    if (below() == Below::Secret && !isInnocent(body)) {
        if (body != redactedText)
            hits.push_back({0, body.size(), SecretRule::FieldName});
    } else if (m_finder.suspicious(body)) {
        hits = m_finder.find(viewOf(body));
    }
    m_out += replaced(body, hits);
    note(hits);
}

// Whether a text below the name of a secret is none.
bool LineWalk::isInnocent(std::string_view body) const
{
    const Frame &frame = m_frames.back();
    const bool word = frame.object && frame.below == Below::Plain && canBeAWord(frame.name);
    return isPlaceholder(body) || (word && isPlainWords(body));
}

bool LineWalk::takeBytes(std::string_view body)
{
    std::string bytes;
    if (!fromBase64(body, bytes))
        return false;
    std::vector<SecretHit> hits;
    if (below() == Below::Secret && bytes != redactedText)
        hits.push_back({0, bytes.size(), SecretRule::FieldName});
    else if (below() != Below::Secret)
        hits = m_finder.find({bytes, {}, {}});
    m_out += hits.empty() ? std::string(body) : base64(replaced(bytes, hits));
    note(hits);
    return true;
}

std::string LineWalk::pointer() const
{
    std::string out;
    for (const Frame &frame : m_frames)
        out = joinPointer(out, frame.object ? frame.name : std::to_string(frame.index));
    return out;
}

void LineWalk::note(const std::vector<SecretHit> &hits)
{
    if (hits.empty())
        return;
    const std::string where = pointer();
    const std::size_t first = m_notes.size();
    for (const SecretHit &hit : hits) {
        const std::string rule = secretRuleName(hit.rule);
        const auto same =
            std::find_if(m_notes.begin() + static_cast<std::ptrdiff_t>(first), m_notes.end(),
                         [&](const Note &known) { return known.rule == rule; });
        if (same != m_notes.end())
            ++same->count;
        else
            m_notes.push_back({where, rule, 1});
    }
}

void LineWalk::appendNotes()
{
    std::string list;
    for (const Note &note : m_notes) {
        LineWriter members;
        members.text("pointer", note.pointer)
            .number("count", static_cast<std::int64_t>(note.count))
            .text("rule", note.rule);
        list += (list.empty() ? "{" : ",{") + members.members() + "}";
    }
    if (m_notesEnd > 0) {
        m_out.insert(m_notesEnd, (m_out[m_notesEnd - 1] == '[' ? "" : ",") + list);
        return;
    }
    const std::size_t end = m_out.find_last_of('}');
    if (end != std::string::npos)
        m_out.insert(end, ",\"redactions\":[" + list + "]");
}

} // namespace

Redactor::Redactor(std::unique_ptr<const SecretFinder> finder)
    : m_finder(std::move(finder))
{}

Redactor::~Redactor() = default;

Result<std::shared_ptr<const Redactor>> Redactor::make(const std::vector<std::string> &secrets,
                                                       const std::vector<std::string> &patterns)
{
    auto finder = SecretFinder::make(secrets, patterns);
    if (!finder)
        return tl::unexpected<Error>(finder.error());
    return std::shared_ptr<const Redactor>(new Redactor(std::move(*finder)));
}

void Redactor::redactLine(std::string &jsonLine) const
{
    // A member of bytes is rare and can hold anything.
    if (!m_finder->suspicious(jsonLine) && jsonLine.find("_b64\"") == std::string::npos)
        return;
    if (auto redacted = LineWalk(*m_finder, jsonLine).run())
        jsonLine = std::move(*redacted);
}

std::string Redactor::redactText(std::string_view text) const
{
    if (!m_finder->suspicious(text))
        return std::string(text);
    return replaced(text, m_finder->find({std::string(text), {}, {}}));
}

std::size_t Redactor::heldBack(std::string_view text) const
{
    return m_finder->heldBack(text);
}

} // namespace emend::core
