// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/process/keptoutput.h"

#include <algorithm>

namespace emend::tools {

void KeptOutput::add(std::string_view text)
{
    m_bytes += static_cast<std::int64_t>(text.size());
    const std::size_t toHead = std::min(text.size(), m_half - m_head.size());
    m_head.append(text.substr(0, toHead));
    text.remove_prefix(toHead);
    if (text.size() > m_half)
        text.remove_prefix(text.size() - m_half);
    m_tail.append(text);
    if (m_tail.size() > 2 * m_half)
        m_tail.erase(0, m_tail.size() - m_half);
}

std::string KeptOutput::take()
{
    if (m_tail.size() > m_half)
        m_tail.erase(0, m_tail.size() - m_half);
    const auto kept = static_cast<std::int64_t>(m_head.size() + m_tail.size());
    if (m_bytes > kept) {
        const std::string gap =
            "\n[" + std::to_string(m_bytes - kept) + " bytes of output are left out here]\n";
        m_tail.erase(0, gap.size()); // so that all of it stays within the limit
        m_head += gap;
    }
    return std::move(m_head) + m_tail;
}

} // namespace emend::tools
