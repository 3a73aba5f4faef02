// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/outputpane.h"

#include "ui/code/ansitext.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextCursor>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

// Of what is still coming: enough for a screen, little enough to be laid out with every batch.
constexpr std::size_t mostLive = 16 << 10;

QTextCharFormat formatOf(const AnsiStyle &style, const QPalette &palette)
{
    QTextCharFormat format;
    if (const auto color = ansiForeground(style, palette))
        format.setForeground(*color);
    if (const auto color = ansiBackground(style, palette))
        format.setBackground(*color);
    if (style.bold)
        format.setFontWeight(QFont::Bold);
    format.setFontItalic(style.italic);
    format.setFontUnderline(style.underline);
    return format;
}

} // namespace

OutputPane::OutputPane(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setObjectName(u"testOutput"_s);
    setAccessibleName(tr("Output of the test command"));
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setFont(fixedFont());
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
}

void OutputPane::setOutput(std::string bytes)
{
    if (bytes == m_bytes)
        return;
    m_bytes = std::move(bytes);
    rebuild();
}

void OutputPane::append(std::string_view bytes)
{
    m_bytes += bytes;
    if (m_bytes.size() > mostLive) {
        const std::size_t cut = m_bytes.size() - mostLive; // and on to the beginning of a line
        const std::size_t line = m_bytes.find('\n', cut);
        m_bytes.erase(0, line < m_bytes.size() - 1 ? line + 1 : cut);
    }
    const bool atEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    rebuild();
    if (atEnd)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void OutputPane::rebuild()
{
    clear();
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (const AnsiSpan &span : readAnsi(m_bytes))
        cursor.insertText(span.text, formatOf(span.style, palette()));
    cursor.endEditBlock();
}

void OutputPane::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        rebuild();
}

} // namespace emend::ui
