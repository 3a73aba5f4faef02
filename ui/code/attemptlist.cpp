// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/attemptlist.h"

#include "ui/code/codewords.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QIcon>
#include <QScopedValueRollback>

using namespace Qt::StringLiterals;

namespace emend::ui {

AttemptList::AttemptList(QWidget *parent)
    : QListWidget(parent)
{
    setObjectName(u"attemptList"_s);
    setAccessibleName(tr("Attempts"));
    setFrameShape(QFrame::NoFrame);
    setWordWrap(true);
    setIconSize({16, 16});
    setSpacing(space::half / 2);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
        if (m_filling || row < 0)
            return;
        m_follow = row == count() - 1;
        Q_EMIT attemptChosen(row);
    });
}

void AttemptList::setAttempts(const std::vector<AttemptFacts> &attempts)
{
    m_attempts = attempts;
    const int before = currentRow();
    {
        const QScopedValueRollback filling(m_filling, true);
        while (count() > static_cast<int>(attempts.size()))
            delete takeItem(count() - 1);
        for (int row = 0; row < static_cast<int>(attempts.size()); ++row) {
            if (row == count())
                addItem(new QListWidgetItem);
            const AttemptFacts &attempt = attempts[static_cast<std::size_t>(row)];
            const auto [shape, color] = codewords::attemptLook(attempt);
            const QColor ink = roleColor(color, palette());
            const QColor chosenInk = palette().color(QPalette::HighlightedText);
            QIcon sign = shapeIcon(shape, ink, ink);
            sign.addPixmap(shapeIcon(shape, chosenInk, chosenInk).pixmap(16, 16), QIcon::Selected);
            item(row)->setIcon(sign);
            item(row)->setText(codewords::attemptTitle(attempt) + u'\n' +
                               oneLine(codewords::attemptResult(attempt)));
        }
        if (m_follow)
            setCurrentRow(count() - 1);
    }
    if (currentRow() != before && currentRow() >= 0)
        Q_EMIT attemptChosen(currentRow());
}

void AttemptList::changeEvent(QEvent *event)
{
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        setAttempts(std::vector<AttemptFacts>(m_attempts));
}

} // namespace emend::ui
