// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcutspage.h"

#include "ui/shell/section.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int columnWidth = 560;
constexpr int keysWidth = 176;

QString plain(QString text)
{
    text.remove(u'&');
    return text.remove(u'…');
}

QString keysOf(const QAction &action)
{
    QStringList keys;
    for (const QKeySequence &key : action.shortcuts()) {
        const QString text = key.toString(QKeySequence::NativeText);
        if (!text.contains("Enter"_L1)) // the keypad's Return goes without saying
            keys << text;
    }
    return keys.join(ShortcutsPage::tr(" or ", "between two shortcuts"));
}

} // namespace

ShortcutsPage::ShortcutsPage(const QMenuBar &menus, QWidget *parent)
    : QWidget(parent)
{
    auto *column = new QVBoxLayout;
    column->setContentsMargins(space::four, space::four, space::four, space::four);
    column->setSpacing(space::two);
    auto *title = new QLabel(tr("Keyboard shortcuts"));
    title->setFont(scaledFont(1.6, QFont::DemiBold));
    column->addWidget(title);
    for (const QAction *entry : menus.actions()) {
        if (!entry->menu())
            continue;
        auto *section = new Section(plain(entry->text()));
        auto *grid = new QGridLayout;
        grid->setColumnStretch(0, 1);
        grid->setColumnMinimumWidth(1, keysWidth);
        grid->setVerticalSpacing(space::one);
        for (const QAction *action : entry->menu()->actions()) {
            const QString keys = keysOf(*action);
            if (keys.isEmpty())
                continue;
            const int row = grid->rowCount();
            grid->addWidget(new QLabel(plain(action->text())), row, 0);
            auto *label = new QLabel(keys);
            label->setFont(fixedFont());
            grid->addWidget(label, row, 1);
        }
        section->body()->addLayout(grid);
        column->addWidget(section);
    }
    column->addStretch(1);
    auto *page = new QWidget;
    page->setMaximumWidth(columnWidth + 2 * space::four);
    page->setLayout(column);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAlignment(Qt::AlignHCenter);
    scroll->setWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    setFocusProxy(scroll);
}

} // namespace emend::ui
