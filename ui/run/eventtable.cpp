// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/eventtable.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>

#include "ui/run/eventdelegate.h"
#include "ui/run/eventmodel.h"
#include "ui/text/colors.h"
#include "ui/text/shapes.h"
#include "ui/theme/theme.h"

namespace emend::ui {

namespace {

constexpr int leastDigits = 4;
constexpr int roomyWidth = 540; // below it what happened needs the room of how long it took

// Column titles as quiet as the figures under them, with the same margins as the cells.
class EventHeader final : public QHeaderView {
public:
    explicit EventHeader(QWidget *parent)
        : QHeaderView(Qt::Horizontal, parent)
    {}
    QSize sizeHint() const override
    {
        return {QHeaderView::sizeHint().width(), fontMetrics().height() + 10};
    }

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        const QPalette &p = palette();
        painter->fillRect(rect, p.color(QPalette::Base));
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), hairline(p));
        const auto alignment = model()->headerData(section, orientation(), Qt::TextAlignmentRole);
        painter->setPen(roleColor(ColorRole::Muted, p));
        const QRect room = rect.adjusted(8, 0, -8, -1);
        const QString text =
            model()->headerData(section, orientation(), Qt::DisplayRole).toString();
        painter->drawText(room, alignment.toInt() | Qt::TextSingleLine,
                          fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
    }
};

} // namespace

EventTable::EventTable(EventModel &model, QWidget *parent)
    : QTableView(parent)
    , m_model(model)
    , m_jump(new QPushButton(this))
{
    setObjectName(QStringLiteral("eventTable"));
    setAccessibleName(tr("Events"));
    setItemDelegate(new EventDelegate(this));
    setModel(&model);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(
        Qt::ScrollBarAlwaysOn); // no jump in width when the first page is full
    setVerticalScrollMode(ScrollPerItem);
    setHorizontalHeader(new EventHeader(this));
    horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setMinimumSectionSize(24);
    horizontalHeader()->setSectionResizeMode(EventModel::What, QHeaderView::Stretch);
    horizontalHeader()->setAccessibleName(tr("Columns"));
    m_jump->setObjectName(QStringLiteral("jumpToLatest"));
    m_jump->hide();
    connect(m_jump, &QPushButton::clicked, this, &EventTable::jumpToLatest);
    connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &, int first, int last) { rowsArrived(first, last); });
    connect(&model, &QAbstractItemModel::modelReset, this, [this] { setFollowing(true); });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &EventTable::scrolled);
    fitColumns();
}

void EventTable::fitColumns()
{
    const QFontMetrics metrics = fontMetrics();
    const auto width = [&](const QString &sample) {
        return metrics.horizontalAdvance(sample) + 16;
    };
    verticalHeader()->setMinimumSectionSize(metrics.height() + 6);
    verticalHeader()->setDefaultSectionSize(metrics.height() + 8);
    m_digits = std::max(leastDigits, int(QString::number(m_model.rowCount()).size()));
    setColumnWidth(EventModel::Number, width(QString(m_digits, u'0')));
    setColumnWidth(EventModel::Time, width(QStringLiteral("0:00.0000")));
    setColumnWidth(EventModel::Step, width(tr("Step")) + 8);
    // The words of an ordinary run fit; rarer ones are elided.
    int badge = 0;
    for (const core::EventKind kind :
         {core::EventKind::ModelReplied, core::EventKind::CorrectionRequested,
          core::EventKind::ToolSucceeded, core::EventKind::BreakerChanged})
        badge = std::max(badge, width(Vocabulary::event(kind).word));
    setColumnWidth(EventModel::Badge, badge + 18);
    setColumnWidth(EventModel::Took, width(QStringLiteral("000 min")));
}

void EventTable::chooseRow(int row)
{
    if (row < 0 || row >= m_model.rowCount())
        return;
    const QModelIndex index = m_model.index(row, EventModel::What);
    setCurrentIndex(index);
    scrollTo(index);
}

int EventTable::chosenRow() const
{
    return selectionModel() && selectionModel()->hasSelection() ? currentIndex().row() : -1;
}

void EventTable::clearChoice()
{
    setCurrentIndex({});
    clearSelection();
    Q_EMIT rowChosen(-1);
}

void EventTable::jumpToLatest()
{
    setFollowing(true);
    chooseRow(-1);
    if (chosenRow() >= 0)
        clearChoice();
    const QScopedValueRollback quiet(m_quiet, true);
    scrollToBottom();
    setFocus();
}

void EventTable::setFollowing(bool following)
{
    m_following = following;
    m_unseen = 0;
    updateJump();
}

void EventTable::setLive(bool live)
{
    m_live = live;
    m_unseen = 0;
    updateJump();
}

void EventTable::setPlaceholder(const QString &text)
{
    m_placeholder = text;
    viewport()->update();
}

void EventTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (m_model.rowCount() > 0 || m_placeholder.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(roleColor(ColorRole::Muted, palette()));
    painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24),
                     Qt::AlignCenter | Qt::TextWordWrap, m_placeholder);
}

void EventTable::rowsArrived(int first, int last)
{
    if (int(QString::number(last + 1).size()) > m_digits)
        fitColumns();
    if (m_following) {
        const QScopedValueRollback quiet(m_quiet, true);
        scrollToBottom();
        return;
    }
    m_unseen += m_live ? last - first + 1 : 0;
    updateJump();
}

void EventTable::scrolled()
{
    if (m_quiet)
        return;
    const QScrollBar *bar = verticalScrollBar();
    const int row = chosenRow();
    setFollowing(bar->value() >= bar->maximum() && (row < 0 || row == m_model.rowCount() - 1));
}

// Qt makes row 0 current when a view without a current row gets the focus; nobody has chosen it.
void EventTable::focusInEvent(QFocusEvent *event)
{
    const QScopedValueRollback quiet(m_focusing, true);
    QTableView::focusInEvent(event);
}

void EventTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (m_focusing)
        return;
    if (current.isValid() && current.row() != m_model.rowCount() - 1)
        m_following = false;
    else if (current.isValid())
        setFollowing(true);
    if (current.row() != previous.row())
        Q_EMIT rowChosen(current.row());
}

void EventTable::updateJump()
{
    const bool wanted = !m_following && m_unseen > 0;
    m_jump->setVisible(wanted);
    if (!wanted)
        return;
    m_jump->setText(tr("Jump to latest (%Ln new)", nullptr, m_unseen));
    m_jump->setIcon(shapeIcon(ui::Shape::Down, palette().color(QPalette::ButtonText),
                              palette().color(QPalette::ButtonText)));
    const QSize size = m_jump->sizeHint();
    const QRect room = viewport()->geometry();
    m_jump->setGeometry(room.center().x() - size.width() / 2, room.bottom() - size.height() - 12,
                        size.width(), size.height());
    m_jump->raise();
}

void EventTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    setColumnHidden(EventModel::Took, width() < roomyWidth);
    updateJump();
    if (m_following && m_model.rowCount() > 0) {
        const QScopedValueRollback quiet(m_quiet, true);
        scrollToBottom();
    }
}

void EventTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitColumns();
}

void EventTable::keyPressEvent(QKeyEvent *event)
{
    // Rows, not cells: these go to the first and the last event.
    if (event->modifiers() == Qt::NoModifier && m_model.rowCount() > 0) {
        if (event->key() == Qt::Key_Home)
            return chooseRow(0);
        if (event->key() == Qt::Key_End)
            return chooseRow(m_model.rowCount() - 1);
        if (event->key() == Qt::Key_Escape && chosenRow() >= 0)
            return clearChoice();
        if (event->key() == Qt::Key_Down && !currentIndex().isValid())
            return chooseRow(0);
    }
    QTableView::keyPressEvent(event);
}

} // namespace emend::ui
