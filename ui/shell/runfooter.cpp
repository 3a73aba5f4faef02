// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/runfooter.h"

#include "ui/shell/boundtext.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/icons.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int runHeight = 40;

// The rules speak lower case; here it is a sentence.
QString capitalised(QString words)
{
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words;
}

QPushButton *makeRunButton()
{
    auto *run = new QPushButton(RunFooter::tr("Run"));
    run->setObjectName(u"run"_s);
    run->setProperty(primaryProperty, true);
    run->setIcon(icon("play"_L1, QPalette::HighlightedText));
    run->setFont(scaledFont(1.1, QFont::DemiBold));
    run->setMinimumSize(128, runHeight);
    run->setToolTip(RunFooter::tr("Run this task (Ctrl+Return or F5)"));
    return run;
}

} // namespace

RunFooter::RunFooter(QWidget *parent)
    : QWidget(parent)
    , m_run(makeRunButton())
    , m_icon(new QLabel)
    , m_words(new QLabel)
    , m_note(quietLabel({}))
    , m_more(new QToolButton)
    , m_details(new QWidget)
    , m_grid(new QGridLayout(m_details))
{
    m_words->setObjectName(u"worstCase"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setFont(scaledFont(1.05, QFont::DemiBold));
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setObjectName(u"worstCaseNote"_s);
    m_icon->setFixedSize(20, 20);
    m_more->setObjectName(u"worstCaseDetails"_s);
    m_more->setText(tr("Details"));
    m_more->setCheckable(true);
    m_more->setAutoRaise(true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setMinimumHeight(space::control);
    m_more->setArrowType(Qt::RightArrow);
    m_details->setObjectName(u"worstCaseTable"_s);
    m_details->hide();
    m_grid->setContentsMargins(0, 0, 0, space::half);
    m_grid->setHorizontalSpacing(space::three);
    m_grid->setVerticalSpacing(space::half);
    m_grid->setColumnStretch(2, 1);

    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_words);
    words->addWidget(m_note);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    row->addWidget(m_run);
    row->addSpacing(space::one);
    row->addWidget(m_icon);
    row->addLayout(words, 1);
    row->addWidget(m_more);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::three, space::two, space::three, space::two);
    layout->setSpacing(space::two);
    layout->addWidget(m_details);
    layout->addLayout(row);

    connect(m_run, &QPushButton::clicked, this, &RunFooter::runRequested);
    connect(m_more, &QToolButton::toggled, this, &RunFooter::showDetails);
}

void RunFooter::showBound(const core::Bound &bound, const core::Task &task)
{
    const QColor colour = palette().color(QPalette::PlaceholderText);
    m_icon->setPixmap(icon("shield"_L1, colour).pixmap(m_icon->size(), devicePixelRatioF()));
    m_words->setForegroundRole(QPalette::WindowText);
    m_words->setPalette({});
    m_words->setText(boundSentence(bound, task.model));
    m_note->setText(tr("Held by the program, whatever the model does."));
    m_note->show();
    m_run->setEnabled(true);
    m_more->show();
    fillDetails(bound, task);
}

void RunFooter::showProblem(const QString &words)
{
    const QColor colour = roleColor(ColorRole::Bad, palette());
    m_icon->setPixmap(icon("error"_L1, colour).pixmap(m_icon->size(), devicePixelRatioF()));
    QPalette red = palette();
    red.setColor(QPalette::WindowText, colour);
    m_words->setPalette(red);
    m_words->setText(visible(capitalised(words)));
    m_note->hide();
    m_run->setEnabled(false);
    m_more->setChecked(false);
    m_more->hide();
}

void RunFooter::fillDetails(const core::Bound &bound, const core::Task &task)
{
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    QStringList tip;
    int row = 0;
    for (const BoundRow &line : boundRows(bound, task)) {
        auto *value = new QLabel(line.value);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_grid->addWidget(new QLabel(line.name), row, 0);
        m_grid->addWidget(value, row, 1);
        m_grid->addWidget(quietLabel(line.why), row, 2);
        tip << (line.why.isEmpty() ? tr("%1: %2").arg(line.name, line.value)
                                   : tr("%1: %2, %3").arg(line.name, line.value, line.why));
        ++row;
    }
    m_words->setToolTip(plainToolTip(tip.join(u'\n')));
}

void RunFooter::showDetails(bool visible)
{
    m_details->setVisible(visible);
    m_more->setArrowType(visible ? Qt::DownArrow : Qt::RightArrow);
}

void RunFooter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.fillRect(QRect(0, 0, width(), 1), palette().color(QPalette::Mid));
}

} // namespace emend::ui
