// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inbox/inboxmodel.h"

#include "ui/text/escalationwords.h"
#include "ui/text/plaintext.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

QString words(const std::string &text, qsizetype most)
{
    return oneLine(QString::fromStdString(text).simplified(), most);
}

} // namespace

void InboxModel::setList(std::vector<core::Escalation> list)
{
    const auto has = [](const std::vector<core::Escalation> &in, const std::string &id) {
        return std::any_of(in.begin(), in.end(), [&](const auto &one) { return one.id == id; });
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (has(list, at(row).id))
            continue;
        beginRemoveRows({}, row, row);
        m_list.erase(m_list.begin() + row);
        endRemoveRows();
    }
    for (int row = 0; row < int(list.size()); ++row) {
        const core::Escalation &one = list[std::size_t(row)];
        if (row < rowCount() && at(row).id == one.id)
            continue;
        if (has(m_list, one.id)) { // another order, which their times do not often give
            beginResetModel();
            m_list = std::move(list);
            endResetModel();
            return;
        }
        beginInsertRows({}, row, row);
        m_list.insert(m_list.begin() + row, one);
        endInsertRows();
    }
    m_list = std::move(list);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void InboxModel::setNow(const QDateTime &now)
{
    m_now = now;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Age), index(rowCount() - 1, Age), {Qt::DisplayRole});
}

int InboxModel::rowOf(const QString &id) const
{
    const auto it = std::find_if(m_list.begin(), m_list.end(), [&](const core::Escalation &one) {
        return QString::fromStdString(one.id) == id;
    });
    return it == m_list.end() ? -1 : int(it - m_list.begin());
}

int InboxModel::waiting() const
{
    return int(std::count_if(m_list.begin(), m_list.end(), [](const core::Escalation &one) {
        return one.state == core::EscalationState::Open ||
               one.state == core::EscalationState::Claimed;
    }));
}

int InboxModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_list.size());
}

int InboxModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString InboxModel::text(const core::Escalation &one, int column) const
{
    switch (column) {
    case State:
        return EscalationWords::stateAndOutcome(one);
    case Reason:
        return oneLine(EscalationWords::reason(one), 300);
    case Task:
        return words(one.taskName, 200);
    case Age:
        return EscalationWords::age(one.openedAt, m_now);
    case Run:
        return words(one.id, 40);
    default:
        return {};
    }
}

QVariant InboxModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const core::Escalation &one = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(one, index.column());
    case Qt::ToolTipRole:
        if (index.column() == Reason)
            return plainToolTip(EscalationWords::reason(one));
        if (index.column() == Run)
            return plainToolTip(QString::fromStdString(one.traceFile));
        return plainToolTip(index.column() == Age ? EscalationWords::moment(one.openedAt)
                                                  : text(one, index.column()));
    case Qt::DecorationRole: {
        if (index.column() != State)
            return {};
        const QPalette palette = QGuiApplication::palette();
        const Term term = EscalationWords::state(one.state);
        const QColor disabled = palette.color(QPalette::Disabled, QPalette::Text);
        QIcon sign = shapeIcon(term.shape, roleColor(term.color, palette), disabled, 14);
        const QColor selected = palette.color(QPalette::HighlightedText);
        sign.addPixmap(shapeIcon(term.shape, selected, disabled, 14).pixmap(14), QIcon::Selected);
        return sign;
    }
    case Qt::TextAlignmentRole:
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant InboxModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State:
        return tr("State");
    case Reason:
        return tr("Reason");
    case Task:
        return tr("Task");
    case Age:
        return tr("Age");
    case Run:
        return tr("Run");
    default:
        return {};
    }
}

void InboxFilter::setChoice(Choice choice)
{
    m_choice = choice;
    invalidateFilter();
}

bool InboxFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    const auto *model = qobject_cast<const InboxModel *>(sourceModel());
    if (!model)
        return false;
    const core::Escalation &one = model->at(row);
    switch (m_choice) {
    case All:
        return true;
    case Waiting: // also where nothing came of an answer
        return core::mayAnswer(one);
    case Open:
        return one.state == core::EscalationState::Open;
    case Claimed:
        return one.state == core::EscalationState::Claimed;
    case Answered:
        return one.state == core::EscalationState::Answered;
    case Dismissed:
        return one.state == core::EscalationState::Dismissed;
    }
    return true;
}

} // namespace emend::ui
