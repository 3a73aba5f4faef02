// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QScrollArea>

#include "ui/run/story.h"

class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace emend::ui {

class TextPane;

// Lays a Story out to be read. Foreign text is plain text in labels and panes; long texts are cut
// until somebody asks for all of them.
class StoryPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit StoryPanel(QWidget *parent = nullptr);

    // `keepPosition`: the same story again, with more in it.
    void setStory(Story story, bool keepPosition = false);
    void setMessage(const QString &title, const QString &text); // instead of a story
    const Story &story() const { return m_story; }
    // Text of a reply that is arriving; shown if the story has a place for it.
    void setLiveText(const QString &text);
    // The story as plain text, as the copy button takes it.
    QString plainText() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild(bool keepPosition);
    void addTitle(QVBoxLayout *layout);
    QWidget *sectionWidget(const StorySection &section);
    QWidget *headingRow(const StorySection &section, QWidget *body);
    void addCopyButton(QWidget *row, const StorySection &section);
    void addVerdict(QVBoxLayout *layout, const StorySection &section);
    void addFacts(QVBoxLayout *layout, const StorySection &section);
    void addText(QVBoxLayout *layout, const StorySection &section);
    void addShowAll(QVBoxLayout *layout, const StoryText &text, TextPane *pane);

    Story m_story;
    QString m_message; // empty state, under the title
    QPointer<TextPane> m_livePane;
    QString m_liveText;
};

} // namespace emend::ui
