// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reads single members of a JSON line without building a tree, so that a line with 100 MB in one
// member costs a memchr, and numbers keep their digits. For lines that were well formed when they
// were written; anything else yields what could be read up to there. Pure, any thread.
namespace emend::ui {

class LineFields {
public:
    // `line` must outlive this.
    explicit LineFields(std::string_view line);

    bool isEmpty() const { return m_fields.empty(); }
    // The value as JSON text; empty if there is none.
    std::string_view raw(std::string_view key) const;
    // Present and not null.
    bool has(std::string_view key) const;

    // A string decoded, anything else as its JSON text; at most about `maxBytes` of it.
    QString text(std::string_view key, std::size_t maxBytes = std::string_view::npos) const;
    std::string bytes(std::string_view key, std::size_t maxBytes = std::string_view::npos) const;
    std::optional<qint64> number(std::string_view key) const;
    std::optional<double> real(std::string_view key) const;
    bool flag(std::string_view key) const; // false if absent
    QStringList texts(std::string_view key) const;
    LineFields object(std::string_view key) const { return LineFields(raw(key)); }
    std::vector<std::string_view> elements(std::string_view key) const;

private:
    std::vector<std::pair<std::string_view, std::string_view>> m_fields;
};

// The elements of a JSON array as JSON text.
std::vector<std::string_view> jsonElements(std::string_view array);
// Decodes a JSON string literal to UTF-8; other JSON text comes back as it is.
std::string jsonBytes(std::string_view raw, std::size_t maxBytes = std::string_view::npos);
// Indents JSON text by 2 without touching its tokens. Stops after `maxBytes` of input.
QString prettyJson(std::string_view raw, std::size_t maxBytes = std::string_view::npos);

} // namespace emend::ui
