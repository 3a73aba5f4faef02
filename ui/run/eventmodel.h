// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QCache>
#include <QHash>

#include <deque>
#include <vector>

#include "core/trace/event.h"
#include "ui/run/eventqueue.h"
#include "ui/run/rowtext.h"

namespace emend::ui {

// The events of a run or a trace, one a row, in the order of the trace. Grows in batches, one
// beginInsertRows a batch. What a row says is read from its line when the row is asked for, and
// kept for as many rows as a few screens hold. GUI thread.
class EventModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Time, Step, Badge, What, Took, ColumnCount };
    enum Role { ShapeRole = Qt::UserRole + 1, ColorRoleRole, ProblemRole };

    explicit EventModel(QObject *parent = nullptr);

    void append(std::vector<core::Event> events, const std::vector<MessageRef> &messages = {});
    void clear();

    const core::Event &event(int row) const { return m_events[std::size_t(row)]; }
    // The row whose `messages` hold the message with this number, or -1.
    int messageRow(qint64 id) const { return m_messageRows.value(id, -1); }
    // The last row at or before `us`, or -1.
    int rowAtTime(qint64 us) const;
    RowText text(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant display(int row, int column) const;

    std::deque<core::Event> m_events; // never moves what it holds
    QHash<qint64, int> m_messageRows;
    mutable QCache<int, RowText> m_texts;
};

} // namespace emend::ui
