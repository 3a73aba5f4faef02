// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/startpage.h"

#include "ui/shell/recentfiles.h"
#include "ui/shell/recentlist.h"
#include "ui/shell/section.h"
#include "ui/theme/icons.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int columnWidth = 720;
constexpr int actionHeight = 44;
constexpr int pictureSide = 48;

QPushButton *actionButton(const QString &objectName, const QString &text, QLatin1String picture,
                          bool primary)
{
    auto *button = new QPushButton(text);
    button->setObjectName(objectName);
    button->setProperty(primaryProperty, primary);
    button->setIcon(icon(picture, primary ? QPalette::HighlightedText : QPalette::ButtonText));
    button->setIconSize(QSize(20, 20));
    button->setFont(scaledFont(1.1, primary ? QFont::DemiBold : QFont::Medium));
    button->setMinimumHeight(actionHeight);
    button->setAutoDefault(true); // Return presses it
    return button;
}

} // namespace

StartPage::StartPage(RecentFiles &recent, QWidget *parent)
    : QWidget(parent)
    , m_recent(recent)
    , m_question(new QLineEdit)
    , m_ask(new QPushButton(tr("Run")))
    , m_list(new RecentList(recent))
    , m_empty(quietLabel(tr("Tasks and traces that you open will be listed here.")))
{
    auto *column = new QVBoxLayout;
    column->setContentsMargins(space::four, space::five, space::four, space::four);
    column->setSpacing(0);
    addHeadline(column);
    addActions(column);
    addQuestion(column);
    addRecent(column);
    column->addStretch(1);

    auto *page = new QWidget;
    page->setMaximumWidth(columnWidth + 2 * space::four);
    page->setLayout(column);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAlignment(Qt::AlignHCenter);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);

    connect(&m_recent, &RecentFiles::changed, this, &StartPage::showRecent);
    // Queued: opening a file fills the list anew.
    connect(m_list, &RecentList::chosen, this, &StartPage::fileChosen, Qt::QueuedConnection);
    showRecent();
}

void StartPage::addHeadline(QBoxLayout *column)
{
    auto *headline = new QLabel(tr("Watch an agent correct itself"));
    headline->setObjectName(u"headline"_s);
    headline->setFont(scaledFont(2.2, QFont::DemiBold));
    headline->setWordWrap(true);
    auto *words =
        quietLabel(tr("Every decision, correction and tool call, inside limits that hold. "
                      "No account, no network."));
    words->setFont(scaledFont(1.1));
    auto *picture = new QLabel;
    picture->setPixmap(
        applicationIcon().pixmap(QSize(pictureSide, pictureSide), devicePixelRatioF()));
    column->addWidget(picture);
    column->addSpacing(space::two);
    column->addWidget(headline);
    column->addSpacing(space::one);
    column->addWidget(words);
    column->addSpacing(space::three);
}

void StartPage::addActions(QBoxLayout *column)
{
    auto *demo = actionButton(u"playDemo"_s, tr("Play the demo"), "play"_L1, true);
    auto *fresh = actionButton(u"startNewTask"_s, tr("New task"), "new"_L1, false);
    auto *open = actionButton(u"startOpen"_s, tr("Open file…"), "open"_L1, false);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one + space::half);
    row->addWidget(demo);
    row->addWidget(fresh);
    row->addWidget(open);
    row->addStretch(1);
    column->addLayout(row);
    column->addSpacing(space::four);
    connect(demo, &QPushButton::clicked, this, &StartPage::demoRequested);
    connect(fresh, &QPushButton::clicked, this, &StartPage::newTaskRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    setFocusProxy(demo);
}

void StartPage::addQuestion(QBoxLayout *column)
{
    m_question->setObjectName(u"question"_s);
    m_question->setAccessibleName(tr("Ask something"));
    m_question->setPlaceholderText(tr("e.g. What is the weather in Oslo in Fahrenheit, and what is "
                                      "17% of 2,340?"));
    m_question->setToolTip(m_question->placeholderText());
    m_question->setMinimumHeight(40);
    m_ask->setObjectName(u"ask"_s);
    m_ask->setAccessibleName(tr("Run the question"));
    m_ask->setIcon(icon("play"_L1));
    m_ask->setMinimumHeight(40);
    m_ask->setEnabled(false);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    row->addWidget(m_question, 1);
    row->addWidget(m_ask);
    auto *card = new Section(tr("Ask something"));
    card->setHint(tr("Answered by the practice model with the built-in tools. It works offline and "
                     "makes mistakes on purpose, so that there is something to correct."));
    card->body()->addLayout(row);
    column->addWidget(card);
    column->addSpacing(space::four);
    connect(m_question, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_ask->setEnabled(!text.trimmed().isEmpty()); });
    connect(m_question, &QLineEdit::returnPressed, this, &StartPage::ask);
    connect(m_ask, &QPushButton::clicked, this, &StartPage::ask);
}

void StartPage::addRecent(QBoxLayout *column)
{
    m_empty->setObjectName(u"recentEmpty"_s);
    auto *title = headingLabel(tr("Recent"));
    title->setBuddy(m_list);
    column->addWidget(title);
    column->addSpacing(space::one);
    column->addWidget(m_empty);
    column->addWidget(m_list);
}

void StartPage::ask()
{
    const QString question = m_question->text().trimmed();
    if (!question.isEmpty())
        Q_EMIT asked(question);
}

void StartPage::showRecent()
{
    const bool empty = m_recent.files().isEmpty();
    m_empty->setVisible(empty);
    m_list->setVisible(!empty);
}

} // namespace emend::ui
