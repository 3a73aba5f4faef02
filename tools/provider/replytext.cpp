// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/replytext.h"

#include <algorithm>

namespace emend::tools {

namespace {

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

} // namespace

std::vector<std::string_view> cutIntoPieces(std::string_view text, int pieces)
{
    std::vector<std::string_view> result;
    const auto count = std::min(static_cast<std::size_t>(std::max(pieces, 1)), text.size());
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= count; ++i) {
        std::size_t end = text.size() / count * i + text.size() % count * i / count;
        while (end > begin && end < text.size() && isContinuation(text[end]))
            --end;
        if (end > begin)
            result.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return result;
}

std::size_t lengthWithinTokens(std::string_view text, int maxTokens)
{
    if (maxTokens < 1)
        return text.size();
    std::size_t ascii = 0;
    std::size_t others = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isContinuation(text[i]))
            continue;
        if (static_cast<unsigned char>(text[i]) < 0x80u)
            ++ascii;
        else
            ++others;
        if (others + (ascii + 3) / 4 > static_cast<std::size_t>(maxTokens))
            return i;
    }
    return text.size();
}

} // namespace emend::tools
