// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/linediff.h"

#include <algorithm>
#include <cstdint>

namespace emend::core {

namespace {

constexpr std::size_t mostPairs = 4'000'000;

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

class Differ {
public:
    Differ(std::vector<std::string_view> before, std::vector<std::string_view> after)
        : m_before(std::move(before))
        , m_after(std::move(after))
    {}

    std::vector<DiffLine> run()
    {
        std::size_t head = 0, tail = 0;
        const std::size_t shorter = std::min(m_before.size(), m_after.size());
        while (head < shorter && m_before[head] == m_after[head])
            ++head;
        while (tail < shorter - head &&
               m_before[m_before.size() - 1 - tail] == m_after[m_after.size() - 1 - tail])
            ++tail;
        for (std::size_t i = 0; i < head; ++i)
            same();
        middle(m_before.size() - head - tail, m_after.size() - head - tail);
        for (std::size_t i = 0; i < tail; ++i)
            same();
        return std::move(m_out);
    }

private:
    // The next `rows` lines of the old and `columns` of the new text.
    void middle(std::size_t rows, std::size_t columns)
    {
        if (rows * columns > mostPairs) {
            for (std::size_t i = 0; i < rows; ++i)
                removed();
            for (std::size_t i = 0; i < columns; ++i)
                added();
            return;
        }
        // length[i][j]: the longest common subsequence of what is left from i and from j on
        const std::size_t width = columns + 1;
        std::vector<std::uint16_t> length((rows + 1) * width, 0);
        for (std::size_t i = rows; i-- > 0;)
            for (std::size_t j = columns; j-- > 0;)
                length[i * width + j] =
                    m_before[m_old + i] == m_after[m_new + j]
                        ? static_cast<std::uint16_t>(length[(i + 1) * width + j + 1] + 1)
                        : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
        const std::size_t old = m_old, fresh = m_new;
        while (m_old - old < rows || m_new - fresh < columns) {
            const std::size_t i = m_old - old, j = m_new - fresh;
            if (i < rows && j < columns && m_before[m_old] == m_after[m_new])
                same();
            else if (j == columns ||
                     (i < rows && length[(i + 1) * width + j] >= length[i * width + j + 1]))
                removed();
            else
                added();
        }
    }

    void same()
    {
        m_out.push_back({DiffLine::Kind::Same, std::string(m_before[m_old]),
                         static_cast<int>(m_old + 1), static_cast<int>(m_new + 1)});
        ++m_old, ++m_new;
    }
    void removed()
    {
        m_out.push_back({DiffLine::Kind::Removed, std::string(m_before[m_old]),
                         static_cast<int>(m_old + 1), 0});
        ++m_old;
    }
    void added()
    {
        m_out.push_back(
            {DiffLine::Kind::Added, std::string(m_after[m_new]), 0, static_cast<int>(m_new + 1)});
        ++m_new;
    }

    std::vector<std::string_view> m_before, m_after;
    std::size_t m_old = 0, m_new = 0;
    std::vector<DiffLine> m_out;
};

std::string hunk(const std::vector<DiffLine> &lines, std::size_t begin, std::size_t end)
{
    int oldStart = 0, newStart = 0, oldCount = 0, newCount = 0;
    std::string body;
    for (std::size_t i = begin; i < end; ++i) {
        const DiffLine &line = lines[i];
        oldStart = oldStart == 0 ? line.oldLine : oldStart;
        newStart = newStart == 0 ? line.newLine : newStart;
        oldCount += line.oldLine > 0 ? 1 : 0;
        newCount += line.newLine > 0 ? 1 : 0;
        body += line.kind == DiffLine::Kind::Same      ? ' '
                : line.kind == DiffLine::Kind::Removed ? '-'
                                                       : '+';
        body += line.text + '\n';
    }
    return "@@ -" + std::to_string(oldStart) + "," + std::to_string(oldCount) + " +" +
           std::to_string(newStart) + "," + std::to_string(newCount) + " @@\n" + body;
}

} // namespace

std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after)
{
    return Differ(linesOf(before), linesOf(after)).run();
}

std::string unifiedDiff(std::string_view before, std::string_view after, int context)
{
    const std::vector<DiffLine> lines = lineDiff(before, after);
    const auto around = static_cast<std::size_t>(std::max(0, context));
    std::string out;
    std::size_t begin = 0, end = 0; // of the hunk being gathered; end is past its context
    bool open = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].kind == DiffLine::Kind::Same)
            continue;
        const std::size_t from = i > around ? i - around : 0;
        if (open && from > end)
            out += hunk(lines, begin, end), open = false;
        if (!open)
            begin = from, open = true;
        end = std::min(lines.size(), i + around + 1);
    }
    return open ? out + hunk(lines, begin, end) : out;
}

} // namespace emend::core
