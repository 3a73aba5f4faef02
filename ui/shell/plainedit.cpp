// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/plainedit.h"

#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QMimeData>

namespace emend::ui {

PlainEdit::PlainEdit(int leastLines, int mostLines, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_leastLines(leastLines)
    , m_mostLines(mostLines)
{
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setDocumentMargin(6);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &PlainEdit::fit);
    fit();
}

std::string PlainEdit::text() const
{
    QString raw = document()->toRawText();
    return raw.replace(QChar::ParagraphSeparator, u'\n').toStdString();
}

bool PlainEdit::canInsertFromMimeData(const QMimeData *source) const
{
    return !source->hasUrls() && QPlainTextEdit::canInsertFromMimeData(source);
}

void PlainEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    fit();
}

void PlainEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void PlainEdit::fit()
{
    // The layout of a plain text document measures its height in lines.
    const int lines = qBound(m_leastLines, qRound(document()->size().height()), m_mostLines);
    // A little more than the lines need, or the edit would offer to scroll by one.
    const int height = lines * fontMetrics().lineSpacing() +
                       2 * (frameWidth() + qRound(document()->documentMargin())) + space::one;
    if (height != minimumHeight() || height != maximumHeight())
        setFixedHeight(height);
}

} // namespace emend::ui
