// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/sidebyside.h"

#include "core/base/linediff.h"
#include "ui/code/codeeditor.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

using Look = CodeEditor::LineLook;

// One side of an aligned diff.
struct Column {
    QString text;
    std::vector<Look> looks;
    std::vector<int> numbers;

    void add(const std::string &line, Look look, int number)
    {
        text += visible(QString::fromStdString(line)) + u'\n';
        looks.push_back(look);
        numbers.push_back(number);
    }
    void fill(std::size_t upTo)
    {
        while (looks.size() < upTo)
            add({}, Look::Filler, 0);
    }
};

void fillEditor(CodeEditor *editor, const Column &column)
{
    QString text = column.text;
    text.chop(1);
    editor->setSource(text);
    editor->setLineLooks(column.looks, column.numbers);
}

QLabel *titleLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(scaledFont(0.95, QFont::DemiBold));
    return label;
}

} // namespace

SideBySide::SideBySide(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
    , m_titleBefore(titleLabel(this))
    , m_titleAfter(titleLabel(this))
    , m_count(new QLabel(this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_before(new CodeEditor(this))
    , m_after(new CodeEditor(this))
{
    m_before->setObjectName(u"codeBefore"_s);
    m_after->setObjectName(u"codeAfter"_s);
    m_before->setAccessibleName(tr("Before"));
    m_after->setAccessibleName(tr("After"));
    for (CodeEditor *editor : {m_before, m_after}) {
        editor->setReadOnly(true);
        editor->setFrameShape(QFrame::NoFrame);
    }
    m_previous->setObjectName(u"previousDifference"_s);
    m_next->setObjectName(u"nextDifference"_s);
    m_previous->setArrowType(Qt::UpArrow);
    m_next->setArrowType(Qt::DownArrow);
    m_previous->setToolTip(tr("Previous difference"));
    m_next->setToolTip(tr("Next difference"));
    m_previous->setAccessibleName(m_previous->toolTip());
    m_next->setAccessibleName(m_next->toolTip());
    m_count->setForegroundRole(QPalette::PlaceholderText);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, space::one, 0);
    bar->addWidget(m_titleAfter, 1);
    bar->addWidget(m_count);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(1);
    m_grid->setVerticalSpacing(space::half);
    m_grid->addWidget(m_titleBefore, 0, 0);
    m_grid->addLayout(bar, 0, 1);
    m_grid->addWidget(m_before, 1, 0);
    m_grid->addWidget(m_after, 1, 1);
    m_grid->setRowStretch(1, 1);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
    for (QLabel *title : {m_titleBefore, m_titleAfter})
        title->setContentsMargins(space::one, space::half, space::one, 0);

    const auto together = [](QScrollBar *from, QScrollBar *to) {
        connect(from, &QScrollBar::valueChanged, to, &QScrollBar::setValue);
        connect(to, &QScrollBar::valueChanged, from, &QScrollBar::setValue);
    };
    together(m_before->verticalScrollBar(), m_after->verticalScrollBar());
    together(m_before->horizontalScrollBar(), m_after->horizontalScrollBar());
    connect(m_next, &QToolButton::clicked, this, &SideBySide::next);
    connect(m_previous, &QToolButton::clicked, this, &SideBySide::previous);
    updateBar();
}

void SideBySide::setLanguage(const QString &language)
{
    m_before->setLanguage(language);
    m_after->setLanguage(language);
}

void SideBySide::showBoth(const Side &before, const Side &after)
{
    Column left, right;
    m_changes.clear();
    bool changing = false;
    for (const core::DiffLine &line : core::lineDiff(before.text, after.text)) {
        const bool same = line.kind == core::DiffLine::Kind::Same;
        if (same) {
            const std::size_t rows = std::max(left.looks.size(), right.looks.size());
            left.fill(rows);
            right.fill(rows);
            left.add(line.text, Look::Plain, line.oldLine);
            right.add(line.text, Look::Plain, line.newLine);
        } else if (line.kind == core::DiffLine::Kind::Removed) {
            left.add(line.text, Look::Removed, line.oldLine);
        } else {
            right.add(line.text, Look::Added, line.newLine);
        }
        if (!same && !changing)
            m_changes.push_back(static_cast<int>(std::max(left.looks.size(), right.looks.size())) -
                                1);
        changing = !same;
    }
    const std::size_t rows = std::max(left.looks.size(), right.looks.size());
    left.fill(rows);
    right.fill(rows);
    fillEditor(m_before, left);
    fillEditor(m_after, right);
    m_titleBefore->setText(before.title);
    m_titleAfter->setText(after.title);
    showBefore(true);
    m_change = -1;
    updateBar();
    if (!m_changes.empty())
        next();
}

void SideBySide::showOne(const Side &side)
{
    showBefore(false);
    m_before->setSource({});
    m_after->setSource(visible(QString::fromStdString(side.text)));
    m_titleAfter->setText(side.title);
    m_changes.clear();
    m_change = -1;
    updateBar();
}

// A hidden column would keep its share of the width.
void SideBySide::showBefore(bool shown)
{
    m_before->setVisible(shown);
    m_titleBefore->setVisible(shown);
    m_grid->setColumnStretch(0, shown ? 1 : 0);
}

void SideBySide::updateBar()
{
    const bool both = !m_before->isHidden();
    m_count->setVisible(both);
    m_count->setText(m_changes.empty()    ? tr("no difference")
                     : differences() == 1 ? tr("1 difference")
                                          : tr("%n differences", nullptr, differences()));
    m_previous->setVisible(both && differences() > 1);
    m_next->setVisible(both && differences() > 1);
}

void SideBySide::next()
{
    if (!m_changes.empty())
        goTo((m_change + 1) % differences());
}

void SideBySide::previous()
{
    if (!m_changes.empty())
        goTo((m_change + differences() - 1) % differences());
}

void SideBySide::goTo(int change)
{
    m_change = change;
    const int line = m_changes[static_cast<std::size_t>(change)];
    for (CodeEditor *editor : {m_before, m_after}) {
        editor->setCursorPosition(std::min(line, editor->lines() - 1), 0);
        editor->setFirstVisibleLine(std::max(0, line - 3));
    }
}

} // namespace emend::ui
