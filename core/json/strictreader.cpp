// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/strictreader.h"

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/json/canonical.h"
#include "core/json/recognizer.h"

namespace emend::core {

namespace {

using nlohmann::json;

// Tells how far nlohmann's lexer has read, which its SAX interface does not.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;

    CountingIterator(const char *at, const char **furthest)
        : m_at(at)
        , m_furthest(furthest)
    {}
    reference operator*() const { return *m_at; }
    CountingIterator &operator++()
    {
        *m_furthest = ++m_at;
        return *this;
    }
    CountingIterator operator++(int)
    {
        CountingIterator old = *this;
        ++*this;
        return old;
    }
    bool operator==(const CountingIterator &other) const { return m_at == other.m_at; }
    bool operator!=(const CountingIterator &other) const { return m_at != other.m_at; }

private:
    const char *m_at;
    const char **m_furthest;
};

class Handler : public nlohmann::json_sax<json> {
public:
    Handler(std::string_view text, int maxDepth)
        : furthest(text.data())
        , m_text(text)
        , m_maxDepth(maxDepth)
    {}

    const char *furthest;
    StrictJson result;
    std::optional<JsonSyntaxError> error; // a fault that nlohmann does not mind
    bool malformed = false;               // a fault that it does
    const std::string *wanted = nullptr;  // a pointer whose place is looked for
    std::size_t wantedOffset = 0;
    std::size_t wantedLength = 0;

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t &digits) override
    {
        const Decimal exact = Decimal::fromText(digits);
        if (const auto whole = exact.toInt64())
            return add(*whole);
        if (const auto whole = exact.toUint64())
            return add(*whole);
        if (!(Decimal::fromDouble(value) == exact))
            result.inexact.push_back({childPointer(), digits});
        return add(value);
    }
    bool string(string_t &value) override { return add(std::move(value)); }
    bool binary(binary_t &) override { return false; }

    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t &value) override
    {
        const std::size_t start = tokenStart();
        Level &level = m_levels.back();
        if (level.container->contains(value)) {
            error = JsonSyntaxError{start, "duplicate key " + inQuotes(value), false};
            return false;
        }
        if (m_levels.size() == 1)
            result.rootKeys.push_back(value);
        level.key = std::move(value);
        m_lastEnd = consumed();
        return true;
    }

    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override
    {
        malformed = true;
        return false;
    }

    // Where the value or key that was being read begins.
    std::size_t tokenStart() const
    {
        // Between two callbacks there is only white space and punctuation.
        const std::size_t at = m_text.find_first_not_of(" \t\n\r,:", m_lastEnd);
        return at == std::string_view::npos ? m_text.size() : at;
    }

private:
    struct Level {
        json *container;
        std::string key;
        std::size_t index = 0;
    };

    std::size_t consumed() const { return static_cast<std::size_t>(furthest - m_text.data()); }

    std::string childPointer() const
    {
        std::string pointer;
        for (const Level &level : m_levels)
            pointer = joinPointer(pointer, level.container->is_array() ? std::to_string(level.index)
                                                                       : level.key);
        return pointer;
    }

    void notePlace()
    {
        if (wanted == nullptr)
            return;
        const std::string pointer = childPointer();
        const bool onTheWay =
            wanted->compare(0, pointer.size(), pointer) == 0 &&
            (wanted->size() == pointer.size() || (*wanted)[pointer.size()] == '/');
        if (onTheWay && pointer.size() >= wantedLength) {
            wantedLength = pointer.size();
            wantedOffset = tokenStart();
        }
    }

    json *place(json &&value)
    {
        notePlace();
        if (m_levels.empty()) {
            result.value = std::move(value);
            return &result.value;
        }
        Level &level = m_levels.back();
        if (level.container->is_array()) {
            level.container->push_back(std::move(value));
            ++level.index;
            return &level.container->back();
        }
        return &(level.container->emplace(level.key, std::move(value)).first.value());
    }

    bool add(json &&value)
    {
        place(std::move(value));
        m_lastEnd = consumed();
        return true;
    }

    bool open(json &&container)
    {
        if (static_cast<int>(m_levels.size()) >= m_maxDepth) {
            error = JsonSyntaxError{tokenStart(),
                                    "nested deeper than " + std::to_string(m_maxDepth) + " levels"};
            return false;
        }
        json *placed = place(std::move(container));
        m_levels.push_back({placed, {}, 0});
        m_lastEnd = consumed();
        return true;
    }

    bool close()
    {
        m_levels.pop_back();
        m_lastEnd = consumed();
        return true;
    }

    std::string_view m_text;
    int m_maxDepth;
    std::size_t m_lastEnd = 0;
    std::vector<Level> m_levels;
};

void parse(std::string_view text, Handler &handler)
{
    const CountingIterator begin(text.data(), &handler.furthest);
    const CountingIterator end(text.data() + text.size(), &handler.furthest);
    json::sax_parse(begin, end, &handler);
}

} // namespace

tl::expected<StrictJson, JsonSyntaxError> readStrictJson(std::string_view text, int maxDepth)
{
    Handler handler(text, maxDepth);
    parse(text, handler);
    // nlohmann takes a NUL byte for the end of the text, and skips a byte order mark, which only
    // the wrapper rules may do (design section 4).
    if (handler.malformed || text.find('\0') != std::string_view::npos ||
        text.starts_with("\xEF\xBB\xBF")) {
        const auto fault = findJsonFault(text);
        if (fault && (!handler.error || fault->offset < handler.error->offset))
            handler.error = fault;
        else if (!handler.error)
            handler.error = JsonSyntaxError{handler.tokenStart(), "number out of range", false};
    }
    if (handler.error)
        return tl::unexpected<JsonSyntaxError>(std::move(*handler.error));
    return std::move(handler.result);
}

std::size_t offsetOfPointer(std::string_view text, const std::string &pointer)
{
    Handler handler(text, 100'000);
    handler.wanted = &pointer;
    parse(text, handler);
    return handler.wantedOffset;
}

Result<json> readJsonFile(std::string_view text)
{
    const auto fault = [&](std::size_t offset, std::string message) {
        const Place place = placeAt(text, offset);
        return tl::unexpected<Error>(
            Error{ErrorCode::BadJson, std::move(message), {}, {}, place.line, place.column});
    };
    if (const std::size_t bad = firstInvalidUtf8(text); bad != std::string_view::npos)
        return fault(bad, "not UTF-8: " + describeCodePoint(text, bad));
    std::string_view document = text;
    if (document.starts_with("\xEF\xBB\xBF")) // editors put it there
        document.remove_prefix(3);
    if (trimJsonSpace(document).empty())
        return fault(text.size(), "the file is empty");
    auto read = readStrictJson(document);
    if (!read)
        return fault(read.error().offset + (text.size() - document.size()),
                     "not JSON: " + read.error().message);
    if (!read->inexact.empty()) {
        const InexactNumber &number = read->inexact.front();
        return fault(offsetOfPointer(document, number.pointer),
                     "the number " + number.digits + " has more digits than can be kept");
    }
    return std::move(read->value);
}

std::string joinPointer(const std::string &parent, std::string_view key)
{
    std::string out = parent + '/';
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

} // namespace emend::core
