// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/ansitext.h"

#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QPalette>

#include <algorithm>
#include <array>

namespace emend::ui {

namespace {

constexpr char escape = 0x1B;

// Reads one control sequence after another; the text between them goes to the line that is being
// written, which a carriage return begins again.
class Terminal {
public:
    explicit Terminal(std::string_view bytes)
        : m_rest(bytes)
    {}

    std::vector<AnsiSpan> run()
    {
        while (!m_rest.empty()) {
            const std::size_t plain = m_rest.find_first_of(special);
            put(take(std::min(plain, m_rest.size())));
            if (!m_rest.empty())
                control();
        }
        endLine();
        return std::move(m_out);
    }

private:
    static constexpr std::string_view special = "\x1B\r\n\b";

    std::string_view take(std::size_t count)
    {
        const std::string_view taken = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return taken;
    }

    void control()
    {
        const char first = take(1).front();
        if (first == escape) {
            sequence();
        } else if (first == '\n') {
            put("\n");
            endLine();
        } else if (first == '\b') {
            eraseOne();
        } else if (!m_rest.starts_with('\n') && !m_rest.starts_with('\r') && !m_rest.empty()) {
            m_line.clear(); // progress: the line is written anew
        }
    }

    void sequence()
    {
        if (m_rest.empty())
            return;
        const char kind = take(1).front();
        if (kind == '[') { // CSI: parameters, intermediates, one final byte
            const std::size_t end = std::min(
                static_cast<std::size_t>(
                    std::find_if(m_rest.begin(), m_rest.end(),
                                 [](char c) { return c >= 0x40 || (c >= 0 && c < 0x20); }) -
                    m_rest.begin()),
                m_rest.size());
            const std::string_view parameters = take(end);
            const bool ended = !m_rest.empty() && m_rest.front() >= 0x40;
            if (ended && take(1).front() == 'm')
                select(parameters);
        } else if (kind == ']' || kind == 'P' || kind == '^' || kind == '_') { // a string
            const std::size_t end = m_rest.find_first_of("\x07\x1B\n");
            take(std::min(end, m_rest.size()));
            if (m_rest.starts_with('\x07'))
                take(1);
            else if (m_rest.starts_with("\x1B\\"))
                take(2);
        } else if (kind == '(' || kind == ')') {
            take(std::min<std::size_t>(1, m_rest.size()));
        }
    }

    void put(std::string_view text)
    {
        if (text.empty())
            return;
        if (m_line.empty() || m_line.back().style != m_style)
            m_line.push_back({{}, m_style});
        m_line.back().text +=
            visible(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
    }

    void eraseOne()
    {
        while (!m_line.empty() && m_line.back().text.isEmpty())
            m_line.pop_back();
        if (!m_line.empty())
            m_line.back().text.chop(1);
    }

    void endLine()
    {
        for (AnsiSpan &span : m_line) {
            if (!m_out.empty() && m_out.back().style == span.style)
                m_out.back().text += span.text;
            else
                m_out.push_back(std::move(span));
        }
        m_line.clear();
    }

    void select(std::string_view parameters)
    {
        std::vector<int> codes;
        int code = 0;
        for (const char c : parameters) {
            if (c >= '0' && c <= '9')
                code = std::min(code * 10 + (c - '0'), 100'000);
            else if (c == ';' || c == ':')
                codes.push_back(std::exchange(code, 0));
        }
        codes.push_back(code);
        for (std::size_t i = 0; i < codes.size(); ++i)
            i += apply(codes, i);
    }

    // How many codes after it belong to it.
    std::size_t apply(const std::vector<int> &codes, std::size_t i)
    {
        const int code = codes[i];
        const auto left = codes.size() - i - 1;
        if (code == 38 || code == 48) {
            int &color = code == 38 ? m_style.foreground : m_style.background;
            if (left >= 2 && codes[i + 1] == 5) {
                color = std::min(codes[i + 2], 255);
                return 2;
            }
            if (left >= 4 && codes[i + 1] == 2) {
                const auto part = [&](std::size_t n) { return std::min(codes[i + n], 255); };
                color = AnsiStyle::directColor | part(2) << 16 | part(3) << 8 | part(4);
                return 4;
            }
            return left;
        }
        applyOne(code);
        return 0;
    }

    void applyOne(int code)
    {
        const auto within = [code](int first) { return code >= first && code < first + 8; };
        if (code == 0)
            m_style = {};
        else if (code == 1)
            m_style.bold = true;
        else if (code == 2)
            m_style.faint = true;
        else if (code == 3)
            m_style.italic = true;
        else if (code == 4)
            m_style.underline = true;
        else if (code == 7)
            m_style.inverse = true;
        else if (code == 22)
            m_style.bold = m_style.faint = false;
        else if (code == 23)
            m_style.italic = false;
        else if (code == 24)
            m_style.underline = false;
        else if (code == 27)
            m_style.inverse = false;
        else if (within(30))
            m_style.foreground = code - 30;
        else if (within(90))
            m_style.foreground = code - 90 + 8;
        else if (code == 39)
            m_style.foreground = -1;
        else if (within(40))
            m_style.background = code - 40;
        else if (within(100))
            m_style.background = code - 100 + 8;
        else if (code == 49)
            m_style.background = -1;
    }

    std::string_view m_rest;
    AnsiStyle m_style;
    std::vector<AnsiSpan> m_line;
    std::vector<AnsiSpan> m_out;
};

// xterm's palette: 16 colours by name, a cube of 6 × 6 × 6, 24 greys.
QColor paletteColor(int index)
{
    static constexpr std::array<QRgb, 16> named = {
        0x000000, 0xCD3131, 0x1A8F3C, 0xA07A00, 0x2A62C8, 0xA43AA8, 0x0A8A9A, 0xB8B8B8,
        0x767676, 0xE05656, 0x2FB45A, 0xC79A1E, 0x5C8DF0, 0xC964CC, 0x2FB2C4, 0xF2F2F2};
    if (index < 16)
        return QColor::fromRgb(named[static_cast<std::size_t>(index)]);
    if (index >= 232) {
        const int grey = 8 + (index - 232) * 10;
        return {grey, grey, grey};
    }
    const auto level = [](int step) { return step == 0 ? 0 : 55 + step * 40; };
    const int cube = index - 16;
    return {level(cube / 36), level(cube / 6 % 6), level(cube % 6)};
}

QColor colorOf(int color)
{
    if ((color & AnsiStyle::directColor) != 0)
        return QColor::fromRgb(static_cast<QRgb>(color & 0xFFFFFF));
    return paletteColor(color);
}

// Moved towards black or white until it can be read.
QColor readableOn(QColor color, const QColor &ground)
{
    const bool dark = contrastRatio(Qt::white, ground) > contrastRatio(Qt::black, ground);
    const QColor away = dark ? Qt::white : Qt::black;
    for (int step = 0; step < 12 && contrastRatio(color, ground) < 4.5; ++step)
        color = mixed(color, away, step < 11 ? 0.2 : 1.0);
    return color;
}

} // namespace

std::vector<AnsiSpan> readAnsi(std::string_view bytes)
{
    return Terminal(bytes).run();
}

std::optional<QColor> ansiBackground(const AnsiStyle &style, const QPalette &palette)
{
    if (style.inverse)
        return style.foreground < 0 ? palette.color(QPalette::Text) : colorOf(style.foreground);
    if (style.background < 0)
        return std::nullopt;
    return colorOf(style.background);
}

std::optional<QColor> ansiForeground(const AnsiStyle &style, const QPalette &palette)
{
    const auto background = ansiBackground(style, palette);
    const QColor base = palette.color(QPalette::Base);
    const QColor ground = background.value_or(base);
    if (style.inverse)
        return readableOn(style.background < 0 ? base : colorOf(style.background), ground);
    if (style.foreground < 0 && !style.faint && !background)
        return std::nullopt;
    QColor color = style.foreground < 0 ? palette.color(QPalette::Text) : colorOf(style.foreground);
    if (style.faint)
        color = mixed(color, ground, 0.35);
    return readableOn(color, ground);
}

} // namespace emend::ui
