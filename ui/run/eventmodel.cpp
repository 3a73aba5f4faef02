// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/eventmodel.h"

#include <algorithm>
#include <iterator>

#include "ui/text/plaintext.h"

namespace emend::ui {

namespace {

constexpr int keptTexts = 2048;

} // namespace

EventModel::EventModel(QObject *parent)
    : QAbstractTableModel(parent)
    , m_texts(keptTexts)
{}

void EventModel::append(std::vector<core::Event> events, const std::vector<MessageRef> &messages)
{
    for (const MessageRef &message : messages)
        m_messageRows.insert(message.id, message.row);
    if (events.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + int(events.size()) - 1);
    m_events.insert(m_events.end(), std::make_move_iterator(events.begin()),
                    std::make_move_iterator(events.end()));
    endInsertRows();
}

void EventModel::clear()
{
    beginResetModel();
    m_events.clear();
    m_messageRows.clear();
    m_texts.clear();
    endResetModel();
}

int EventModel::rowAtTime(qint64 us) const
{
    const auto after = std::upper_bound(m_events.begin(), m_events.end(), us,
                                        [](qint64 t, const core::Event &e) { return t < e.tUs; });
    return int(after - m_events.begin()) - 1;
}

RowText EventModel::text(int row) const
{
    if (const RowText *known = m_texts.object(row))
        return *known;
    auto *fresh = new RowText(rowText(event(row)));
    const RowText result = *fresh;
    m_texts.insert(row, fresh);
    return result;
}

int EventModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_events.size());
}

int EventModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventModel::display(int row, int column) const
{
    const core::Event &e = event(row);
    switch (column) {
    case Number:
        return e.seq ? QVariant(QString::number(e.seq)) : QVariant();
    case Time:
        return clockText(e.tUs);
    case Step:
        if (e.step <= 0)
            return {};
        // A correction's attempt beside its step: 3.1 is the first correction of step 3.
        return e.attempt > 0 ? QString::number(e.step) + u'.' + QString::number(e.attempt)
                             : QString::number(e.step);
    case Badge:
        return text(row).badge.word;
    case What:
        return text(row).what;
    case Took:
        return text(row).took;
    default:
        return {};
    }
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const int row = index.row(), column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(row, column);
    case Qt::ToolTipRole:
        return column == What ? QVariant(plainToolTip(text(row).what)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((column == Badge || column == What ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    case ShapeRole:
        return column == Badge ? QVariant(int(text(row).badge.shape)) : QVariant();
    case ColorRoleRole:
        return column == Badge ? QVariant(int(text(row).badge.color)) : QVariant();
    case ProblemRole:
        return int(event(row).problem);
    default:
        return {};
    }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Badge || section == What ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number:
        return tr("#");
    case Time:
        return tr("Time");
    case Step:
        return tr("Step");
    case Badge:
        return tr("Event");
    case What:
        return tr("What happened");
    case Took:
        return tr("Took");
    default:
        return {};
    }
}

} // namespace emend::ui
