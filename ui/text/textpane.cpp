// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/textpane.h"

#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/text/colors.h"
#include "ui/theme/theme.h"

namespace emend::ui {

TextPane::TextPane(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setFont(fixedFont());
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setDocumentMargin(6);
}

void TextPane::setMarkedText(const MarkedText &text)
{
    QString shown = text.text;
    m_markStart = text.markStart;
    m_markLength = text.markLength;
    if (text.cutBefore) {
        shown.prepend(QStringLiteral("…\n"));
        m_markStart += m_markStart >= 0 ? 2 : 0;
    }
    if (text.cutAfter)
        shown += QStringLiteral("\n…");
    setPlainText(shown);
    paintMark();
    fitHeight();
    if (m_markStart < 0)
        return;
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::min(m_markStart, int(shown.size())));
    setTextCursor(cursor);
    centerCursor();
}

void TextPane::setLiveText(const QString &text)
{
    QScrollBar *bar = verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum();
    const QString old = toPlainText();
    if (text == old)
        return;
    if (text.startsWith(old)) {
        QTextCursor end(document());
        end.movePosition(QTextCursor::End);
        end.insertText(text.mid(old.size()));
    } else {
        setPlainText(text);
    }
    fitHeight();
    if (atEnd)
        bar->setValue(bar->maximum());
}

QString TextPane::markedPart() const
{
    return hasMark() ? toPlainText().mid(m_markStart, m_markLength) : QString();
}

void TextPane::paintMark()
{
    if (m_markStart < 0)
        return setExtraSelections({});
    const QColor color = roleColor(ColorRole::Bad, palette());
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document());
    const int last = document()->characterCount() - 1;
    selection.cursor.setPosition(std::min(m_markStart, last));
    selection.cursor.setPosition(std::min(m_markStart + m_markLength, last),
                                 QTextCursor::KeepAnchor);
    selection.format.setBackground(mixed(palette().color(QPalette::Base), color, 0.22));
    selection.format.setUnderlineStyle(QTextCharFormat::SingleUnderline);
    selection.format.setUnderlineColor(color);
    selection.format.setFontWeight(QFont::Bold);
    setExtraSelections({selection});
}

void TextPane::setMaximumLines(int lines)
{
    m_maximumLines = lines;
    fitHeight();
}

void TextPane::setInline()
{
    setFrameShape(QFrame::NoFrame);
    setFont({});
    document()->setDocumentMargin(0);
    setViewportMargins(0, 0, 2, 0); // the last glyph of a full line
    viewport()->setAutoFillBackground(false);
    setFocusPolicy(Qt::ClickFocus);
    fitHeight();
}

QSize TextPane::minimumSizeHint() const
{
    return {80, sizeHint().height()};
}

QSize TextPane::sizeHint() const
{
    const int frame = 2 * frameWidth() + int(2 * document()->documentMargin());
    return {240, int(std::ceil(textHeight())) + frame + 2};
}

// As laid out: a line may be higher than the font says, because of fractions of pixels or of
// glyphs from another font.
double TextPane::textHeight() const
{
    double height = 0;
    int lines = 0;
    for (QTextBlock block = document()->firstBlock(); block.isValid(); block = block.next()) {
        blockBoundingRect(block); // lays it out
        for (int i = 0; i < block.layout()->lineCount(); ++i) {
            if (lines++ == m_maximumLines)
                return height;
            height += block.layout()->lineAt(i).height();
        }
    }
    return std::max(height, double(fontMetrics().lineSpacing()));
}

// A bar that came and went while the pane was hidden would leave the text laid out for the width
// beside it, or beyond it.
void TextPane::showEvent(QShowEvent *event)
{
    QPlainTextEdit::showEvent(event);
    QResizeEvent again(viewport()->size(), {});
    resizeEvent(&again);
}

void TextPane::fitHeight()
{
    setFixedHeight(sizeHint().height());
}

void TextPane::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fitHeight();
}

void TextPane::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintMark();
}

// A pane that shows all of its text leaves the wheel to the panel around it.
void TextPane::wheelEvent(QWheelEvent *event)
{
    const QScrollBar *bar = verticalScrollBar();
    const bool down = event->angleDelta().y() < 0;
    if (bar->maximum() == bar->minimum() || (down && bar->value() == bar->maximum()) ||
        (!down && bar->value() == bar->minimum()))
        return event->ignore();
    QPlainTextEdit::wheelEvent(event);
}

} // namespace emend::ui
