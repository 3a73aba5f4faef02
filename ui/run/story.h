// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <optional>
#include <vector>

#include "ui/text/textmark.h"
#include "ui/text/vocabulary.h"

namespace emend::ui {

struct Fact {
    QString label;
    QString value; // plain text, may have several lines
};

// A text in a pane of its own, with a button that copies it.
struct StoryText {
    MarkedText shown;
    qint64 bytes = 0; // of the whole text
    // The whole text (at most so many bytes) when what is shown was cut; empty otherwise.
    std::function<QString(std::size_t)> whole;
};

struct StorySection {
    QString heading;
    QString note;                // one sentence under the heading
    std::optional<Term> verdict; // a line of its own with shape, word and colour
    QString verdictText;
    std::vector<Fact> facts;
    std::optional<StoryText> text;
    bool live = false;      // the text is the one that is just arriving
    bool collapsed = false; // starts closed
};

// Everything there is to know about the event that was chosen, ready to be shown. Holds no widgets,
// so it can be tested; the panel only lays it out.
struct Story {
    Term badge;
    QString title;
    QString subtitle;
    std::vector<StorySection> sections;
    bool pending = false; // what happens next will add to it
    int liveStep = 0;     // with pending: whose arriving text belongs here
    int liveAttempt = -1;
};

class EventModel;

// The story of the event in `row`. GUI thread (reads the model).
Story buildStory(const EventModel &model, int row, bool runIsLive);

struct RunFacts;
// What is going on while nothing is chosen.
Story buildNowStory(const RunFacts &facts, RunState state);

// How much of one text is shown at first, and at most on demand.
inline constexpr std::size_t storyTextShown = 16 * 1024;
inline constexpr std::size_t storyTextMost = 4 * 1024 * 1024;

} // namespace emend::ui
