// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recentlist.h"

#include "ui/shell/numberfield.h"
#include "ui/shell/recentfiles.h"
#include "ui/text/plaintext.h"
#include "ui/theme/icons.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int pathRole = Qt::UserRole;
constexpr int folderRole = Qt::UserRole + 1;
constexpr int timeRole = Qt::UserRole + 2;

QString homely(const QString &path)
{
    const QString home = QDir::homePath();
    return path.startsWith(home + u'/') ? u'~' + path.mid(home.size()) : path;
}

QString whenText(const QDateTime &when)
{
    if (!when.isValid())
        return {};
    const QDateTime local = when.toLocalTime();
    const qint64 days = local.date().daysTo(QDate::currentDate());
    if (days == 0)
        return readableLocale().toString(local.time(), QLocale::ShortFormat);
    if (days == 1)
        return RecentList::tr("Yesterday");
    return readableLocale().toString(local.date(), QLocale::ShortFormat);
}

class RecentDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override
    {
        return {200, 2 * option.fontMetrics.lineSpacing() + space::two + 2};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        const QPalette &p = option.palette;
        const bool focused = option.state.testFlag(QStyle::State_HasFocus);
        const QRect row = option.rect;
        painter->save();
        painter->fillRect(QRect(row.left(), row.top(), row.width(), 1), p.color(QPalette::Mid));
        painter->setRenderHint(QPainter::Antialiasing);
        if (focused) {
            painter->setPen(QPen(p.color(QPalette::Highlight), 2));
            painter->drawRoundedRect(QRectF(row).adjusted(1, 2, -1, -1), space::radius,
                                     space::radius);
        }
        const int side = focused ? space::one : 0; // room for the ring
        const QRect inner = row.adjusted(side, space::one, -side, -space::one);
        const QRect picture(inner.left(), row.center().y() - 10, 20, 20);
        qvariant_cast<QIcon>(index.data(Qt::DecorationRole)).paint(painter, picture);
        paintWords(painter, option, index, inner.adjusted(space::four, 0, 0, 0));
        painter->restore();
    }

private:
    static void paintWords(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index, const QRect &words)
    {
        const QPalette &p = option.palette;
        const bool hover = option.state.testFlag(QStyle::State_MouseOver);
        const QString when = index.data(timeRole).toString();
        const int whenWidth = option.fontMetrics.horizontalAdvance(when) + space::two;
        QFont strong = option.font;
        strong.setWeight(QFont::DemiBold);
        const QFontMetrics strongMetrics(strong);
        const int half = words.height() / 2;
        painter->setPen(p.color(hover ? QPalette::Link : QPalette::Text));
        painter->setFont(strong);
        const QRect top(words.left(), words.top(), words.width() - whenWidth, half);
        painter->drawText(top, Qt::AlignLeft | Qt::AlignVCenter,
                          strongMetrics.elidedText(index.data(Qt::DisplayRole).toString(),
                                                   Qt::ElideRight, top.width()));
        painter->setFont(option.font);
        painter->setPen(p.color(QPalette::PlaceholderText));
        painter->drawText(QRect(words.left(), words.top(), words.width(), half),
                          Qt::AlignRight | Qt::AlignVCenter, when);
        const QRect below(words.left(), words.top() + half, words.width(), half);
        painter->drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data(folderRole).toString(),
                                                        Qt::ElideMiddle, below.width()));
    }
};

} // namespace

RecentList::RecentList(RecentFiles &recent, QWidget *parent)
    : QListWidget(parent)
    , m_recent(recent)
{
    setObjectName(u"recentList"_s);
    setAccessibleName(tr("Recent files"));
    setProperty(singleClickProperty, true);
    setItemDelegate(new RecentDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    viewport()->setCursor(Qt::PointingHandCursor);
    viewport()->setAutoFillBackground(false);
    connect(&m_recent, &RecentFiles::changed, this, &RecentList::fill);
    connect(this, &QListWidget::itemActivated, this, [this](const QListWidgetItem *item) {
        Q_EMIT chosen(item->data(pathRole).toString());
    });
    fill();
}

void RecentList::fill()
{
    clear();
    for (const RecentFile &file : m_recent.files()) {
        const QFileInfo info(file.path);
        auto *item = new QListWidgetItem(
            icon(file.isTrace ? "trace"_L1 : "task"_L1, QPalette::PlaceholderText),
            oneLine(file.title.isEmpty() ? info.fileName() : file.title, 120));
        item->setData(pathRole, file.path);
        item->setData(folderRole, oneLine(homely(file.path), 1000));
        item->setData(timeRole, whenText(file.opened));
        item->setData(Qt::AccessibleDescriptionRole, file.path);
        addItem(item);
    }
    updateGeometry();
}

QSize RecentList::sizeHint() const
{
    const int row = count() > 0 ? sizeHintForRow(0) : 0;
    return {320, row * count()};
}

QString RecentList::currentPath() const
{
    return currentItem() ? currentItem()->data(pathRole).toString() : QString();
}

void RecentList::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Delete) && currentItem()) {
        const int row = currentRow();
        m_recent.remove(currentPath());
        setCurrentRow(qMin(row, count() - 1));
        return;
    }
    QListWidget::keyPressEvent(event);
}

void RecentList::focusInEvent(QFocusEvent *event)
{
    if (!currentItem() && count() > 0 && event->reason() != Qt::MouseFocusReason)
        setCurrentRow(0);
    QListWidget::focusInEvent(event);
}

void RecentList::contextMenuEvent(QContextMenuEvent *event)
{
    if (event->reason() == QContextMenuEvent::Mouse)
        setCurrentItem(itemAt(event->pos()));
    const QString path = currentPath();
    if (path.isEmpty())
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Open"), this, [this, path] { Q_EMIT chosen(path); });
    menu->addAction(tr("Remove from the list"), this, [this, path] { m_recent.remove(path); });
    menu->popup(event->globalPos());
}

} // namespace emend::ui
