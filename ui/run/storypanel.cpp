// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/storypanel.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/text/textpane.h"
#include "ui/theme/theme.h"

namespace emend::ui {

namespace {

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setText(text);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::ClickFocus);
    return label;
}

// A label breaks lines between words only: a text with a longer word gets a pane that breaks
// anywhere.
QWidget *wrappedText(const QString &text, QWidget *parent)
{
    constexpr qsizetype longestWord = 32;
    qsizetype word = 0;
    for (const QChar c : text) {
        word = c.isSpace() ? 0 : word + 1;
        if (word > longestWord)
            break;
    }
    if (word <= longestWord)
        return plainLabel(text, parent);
    auto *pane = new TextPane(parent);
    pane->setPlainText(text);
    pane->setInline();
    return pane;
}

void setColor(QLabel *label, ColorRole role)
{
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, roleColor(role, palette));
    label->setPalette(palette);
}

QToolButton *smallButton(const QString &text, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setText(text);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QString wholeText(const StoryText &text)
{
    return text.whole ? text.whole(storyTextMost) : text.shown.text;
}

} // namespace

StoryPanel::StoryPanel(QWidget *parent)
    : QScrollArea(parent)
{
    setObjectName(QStringLiteral("storyPanel"));
    setAccessibleName(tr("Story of the event"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setMessage(tr("No event chosen"), tr("Choose a row to see its whole story."));
}

void StoryPanel::setStory(Story story, bool keepPosition)
{
    m_story = std::move(story);
    m_message.clear();
    rebuild(keepPosition);
}

void StoryPanel::setMessage(const QString &title, const QString &text)
{
    m_story = {};
    m_story.title = title;
    m_story.badge = {title, ui::Shape::Ring, ColorRole::Muted};
    m_message = text;
    rebuild(false);
}

void StoryPanel::setLiveText(const QString &text)
{
    m_liveText = text;
    if (m_livePane)
        m_livePane->setLiveText(visible(text));
}

void StoryPanel::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    // Not at once: the children get the new palette after this.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        QTimer::singleShot(0, this, [this] { rebuild(true); });
}

void StoryPanel::rebuild(bool keepPosition)
{
    const int position = keepPosition ? verticalScrollBar()->value() : 0;
    const bool hadFocus = widget() && widget()->isAncestorOf(QApplication::focusWidget());
    auto *content = new QWidget;
    content->setObjectName(QStringLiteral("storyContent"));
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(space::two, space::two, space::two, space::two);
    layout->setSpacing(space::two);
    m_livePane = nullptr;
    addTitle(layout);
    for (const StorySection &section : m_story.sections)
        layout->addWidget(sectionWidget(section));
    layout->addStretch(1);
    setWidget(content); // deletes the one before
    content->show();
    if (hadFocus)
        setFocus();
    if (position > 0)
        QTimer::singleShot(0, content,
                           [this, position] { verticalScrollBar()->setValue(position); });
    else
        verticalScrollBar()->setValue(0);
}

void StoryPanel::addTitle(QVBoxLayout *layout)
{
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins({});
    row->setSpacing(space::one);
    row->addWidget(new ShapeLabel(m_story.badge.shape, m_story.badge.color, 16, head), 0,
                   Qt::AlignVCenter);
    QLabel *title = plainLabel(m_story.title, head);
    title->setObjectName(QStringLiteral("storyTitle"));
    title->setFont(scaledFont(1.2, QFont::DemiBold));
    row->addWidget(title, 1);
    if (m_message.isEmpty() && !m_story.sections.empty()) {
        QToolButton *copy = smallButton(tr("Copy story"), head);
        copy->setObjectName(QStringLiteral("copyStory"));
        copy->setIcon(shapeIcon(ui::Shape::Copy, roleColor(ColorRole::Muted, palette()),
                                roleColor(ColorRole::Muted, palette())));
        connect(copy, &QToolButton::clicked, this,
                [this] { QApplication::clipboard()->setText(plainText()); });
        row->addWidget(copy, 0, Qt::AlignTop);
    }
    auto *block = new QVBoxLayout;
    block->setSpacing(space::half);
    block->addWidget(head);
    const QString below = m_message.isEmpty() ? m_story.subtitle : m_message;
    if (!below.isEmpty()) {
        QLabel *subtitle = plainLabel(below, nullptr);
        setColor(subtitle, ColorRole::Muted);
        block->addWidget(subtitle);
    }
    layout->addLayout(block);
}

QWidget *StoryPanel::sectionWidget(const StorySection &section)
{
    auto *widget = new QWidget;
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins({});
    layout->setSpacing(space::half);
    auto *body = new QWidget(widget);
    auto *inner = new QVBoxLayout(body);
    inner->setContentsMargins({});
    inner->setSpacing(space::half + 2);
    if (!section.heading.isEmpty())
        layout->addWidget(headingRow(section, body));
    layout->addWidget(body);
    addVerdict(inner, section);
    if (!section.note.isEmpty()) {
        QLabel *note = plainLabel(section.note, body);
        setColor(note, ColorRole::Muted);
        inner->addWidget(note);
    }
    if (!section.collapsed)
        addText(inner, section);
    addFacts(inner, section);
    body->setVisible(!section.collapsed);
    return widget;
}

QWidget *StoryPanel::headingRow(const StorySection &section, QWidget *body)
{
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins({});
    row->setSpacing(space::half);
    const QFont font = scaledFont(1.0, QFont::DemiBold);
    if (!section.collapsed) {
        QLabel *heading = plainLabel(section.heading, head);
        heading->setFont(font);
        row->addWidget(heading, 1);
    } else {
        QToolButton *toggle = smallButton(section.heading, head);
        toggle->setFont(font);
        toggle->setCheckable(true);
        toggle->setArrowType(Qt::RightArrow);
        toggle->setAccessibleName(tr("Show or hide: %1").arg(section.heading));
        connect(toggle, &QToolButton::toggled, body, [this, toggle, body, section](bool open) {
            auto *inner = static_cast<QVBoxLayout *>(body->layout());
            if (open && section.text && !body->findChild<TextPane *>())
                addText(inner, section); // made when first wanted
            toggle->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
            body->setVisible(open);
        });
        row->addWidget(toggle, 0);
        row->addStretch(1);
    }
    if (section.text && !section.text->shown.text.isEmpty())
        addCopyButton(head, section);
    return head;
}

void StoryPanel::addCopyButton(QWidget *head, const StorySection &section)
{
    QToolButton *copy = smallButton(tr("Copy"), head);
    copy->setIcon(shapeIcon(ui::Shape::Copy, roleColor(ColorRole::Muted, palette()),
                            roleColor(ColorRole::Muted, palette())));
    copy->setAccessibleName(tr("Copy: %1").arg(section.heading));
    connect(copy, &QToolButton::clicked, this,
            [text = *section.text] { QApplication::clipboard()->setText(wholeText(text)); });
    static_cast<QHBoxLayout *>(head->layout())->addWidget(copy);
}

void StoryPanel::addVerdict(QVBoxLayout *layout, const StorySection &section)
{
    if (!section.verdict)
        return;
    auto *box = new QWidget;
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins({});
    row->setSpacing(space::one);
    row->addWidget(new ShapeLabel(section.verdict->shape, section.verdict->color, 14, box));
    QLabel *word = plainLabel(section.verdict->word, box);
    word->setFont(scaledFont(1.0, QFont::DemiBold));
    setColor(word, section.verdict->color);
    word->setObjectName(QStringLiteral("storyVerdict"));
    row->addWidget(word, 1);
    layout->addWidget(box);
    if (!section.verdictText.isEmpty())
        layout->addWidget(wrappedText(section.verdictText, nullptr));
}

void StoryPanel::addFacts(QVBoxLayout *layout, const StorySection &section)
{
    if (section.facts.empty())
        return;
    auto *grid = new QGridLayout;
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(space::two);
    grid->setVerticalSpacing(space::half);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, 108);
    int row = 0;
    for (const Fact &fact : section.facts) {
        QLabel *label = plainLabel(fact.label, nullptr);
        label->setWordWrap(false);
        setColor(label, ColorRole::Muted);
        grid->addWidget(label, row, 0, Qt::AlignTop | Qt::AlignLeft);
        QWidget *value = wrappedText(fact.value, nullptr);
        value->setAccessibleName(fact.label + QStringLiteral(": ") + fact.value.left(400));
        grid->addWidget(value, row, 1);
        ++row;
    }
    layout->addLayout(grid);
}

void StoryPanel::addText(QVBoxLayout *layout, const StorySection &section)
{
    if (section.live) {
        auto *pane = new TextPane;
        pane->setAccessibleName(section.heading);
        pane->setObjectName(QStringLiteral("livePane"));
        pane->setPlaceholderText(tr("Nothing has arrived yet"));
        pane->setLiveText(visible(m_liveText));
        layout->addWidget(pane);
        m_livePane = pane;
        return;
    }
    if (!section.text || section.text->shown.text.isEmpty())
        return;
    auto *pane = new TextPane;
    pane->setAccessibleName(section.heading);
    pane->setMarkedText(section.text->shown);
    if (pane->hasMark())
        pane->setObjectName(QStringLiteral("markedPane"));
    layout->addWidget(pane);
    if (section.text->whole)
        addShowAll(layout, *section.text, pane);
}

void StoryPanel::addShowAll(QVBoxLayout *layout, const StoryText &text, TextPane *pane)
{
    const bool tooMuch = text.bytes > qint64(storyTextMost);
    QToolButton *button = smallButton(
        tooMuch ? tr("Show the first %1 of %2").arg(bytesText(storyTextMost), bytesText(text.bytes))
                : tr("Show all %1").arg(bytesText(text.bytes)),
        nullptr);
    button->setObjectName(QStringLiteral("showAll"));
    connect(button, &QToolButton::clicked, pane, [pane, button, whole = text.whole] {
        pane->setMaximumLines(30);
        pane->setPlainText(whole(storyTextMost));
        button->hide();
    });
    layout->addWidget(button, 0, Qt::AlignLeft);
}

QString StoryPanel::plainText() const
{
    QString out = m_story.title + u'\n' + m_story.subtitle + u'\n';
    for (const StorySection &section : m_story.sections) {
        if (section.collapsed)
            continue;
        out += u'\n';
        if (!section.heading.isEmpty())
            out += section.heading + u'\n';
        if (section.verdict)
            out += section.verdict->word + u'\n';
        for (const QString &line : {section.verdictText, section.note}) {
            if (!line.isEmpty())
                out += line + u'\n';
        }
        for (const Fact &fact : section.facts)
            out += fact.label + QStringLiteral(": ") + fact.value + u'\n';
        if (section.text)
            out += wholeText(*section.text) + u'\n';
    }
    return out;
}

} // namespace emend::ui
