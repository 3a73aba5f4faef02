// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/eventdelegate.h"

#include <QPainter>

#include "ui/run/eventmodel.h"
#include "ui/text/colors.h"
#include "ui/text/shapes.h"

namespace emend::ui {

namespace {

constexpr int margin = 8;
constexpr int signSide = 12;

bool beginsStep(const QModelIndex &index)
{
    const auto *model = qobject_cast<const EventModel *>(index.model());
    if (!model || index.row() == 0)
        return false;
    const int step = model->event(index.row()).step;
    return step > 0 && model->event(index.row() - 1).step != step &&
           model->event(index.row()).attempt <= 0;
}

QColor textColor(const QModelIndex &index, bool selected, const QPalette &palette,
                 QPalette::ColorGroup group)
{
    if (selected)
        return palette.color(group, QPalette::HighlightedText);
    const int column = index.column();
    if (column == EventModel::What)
        return palette.color(QPalette::Text);
    if (column == EventModel::Badge) {
        const auto role = ColorRole(index.data(EventModel::ColorRoleRole).toInt());
        return role == ColorRole::Bad || role == ColorRole::Warn ? roleColor(role, palette)
                                                                 : palette.color(QPalette::Text);
    }
    return roleColor(ColorRole::Muted, palette);
}

} // namespace

void EventDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    const bool selected = option.state & QStyle::State_Selected;
    const auto group = option.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
    if (selected)
        painter->fillRect(option.rect, option.palette.color(group, QPalette::Highlight));
    else if (beginsStep(index)) {
        painter->fillRect(QRect(option.rect.topLeft(), QSize(option.rect.width(), 1)),
                          mixed(option.palette.color(QPalette::Base),
                                option.palette.color(QPalette::Text), 0.14));
    }
    QRect rect = option.rect.adjusted(margin, 0, -margin, 0);
    const QColor color = textColor(index, selected, option.palette, group);
    if (index.column() == EventModel::Badge) {
        const auto shape = Shape(index.data(EventModel::ShapeRole).toInt());
        const auto role = ColorRole(index.data(EventModel::ColorRoleRole).toInt());
        const QRectF sign(rect.left(), rect.center().y() - signSide / 2.0 + 0.5, signSide,
                          signSide);
        paintShape(painter, sign, shape, selected ? color : roleColor(role, option.palette));
        rect.setLeft(rect.left() + signSide + 6);
    }
    const QString text = index.data(Qt::DisplayRole).toString();
    if (text.isEmpty() || rect.width() <= 0)
        return;
    painter->setFont(option.font);
    painter->setPen(color);
    const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
    painter->drawText(rect, int(alignment) | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(text, Qt::ElideRight, rect.width()));
}

QSize EventDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QString text = index.data(Qt::DisplayRole).toString();
    return {option.fontMetrics.horizontalAdvance(text) + 2 * margin + signSide,
            option.fontMetrics.height() + 8};
}

} // namespace emend::ui
