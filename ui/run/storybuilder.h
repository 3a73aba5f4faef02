// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <optional>

#include "ui/run/eventmodel.h"
#include "ui/run/linefields.h"
#include "ui/run/story.h"

namespace emend::ui {

// Puts a story together from the event and its neighbours in the trace. One use a story.
class StoryBuilder {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::Story)
public:
    StoryBuilder(const EventModel &model, int row, bool runIsLive);
    Story build();

private:
    enum class Way { Back, Forth };

    // -- storybuilder.cpp: what all stories share --
    const core::Event &event(int row) const { return m_model.event(row); }
    LineFields fields(int row) const;
    // The nearest event of this kind in the same step, -1 if none. `attempt` -2: any.
    int find(core::EventKind kind, int step, int attempt, int from, Way way) const;
    int findEither(core::EventKind kind, int step, int attempt, int from) const;
    StorySection &add(const QString &heading);
    StorySection &addText(const QString &heading, int row, const char *key, qint64 mark = -1);
    StorySection &addJson(const QString &heading, int row, const char *key);
    void addRaw();
    void addProblem();
    static void fact(StorySection &section, const QString &label, const QString &value);
    static QString costs(const LineFields &f);
    // -- storycost.cpp --
    void modelCost(StorySection &section, int replied);
    LineFields price() const;
    QString arithmetic(std::optional<double> cost, qint64 tokensIn, qint64 cachedIn,
                       qint64 tokensOut) const;
    QString callArithmetic(const LineFields &reply) const;
    QString runArithmetic(const LineFields &totals) const;
    void redactions();

    static QStringList normalisations(const LineFields &f);

    // -- storycorrection.cpp --
    void correction(int attempt);
    void correctionVerdict(int rejected, int requested, int next, int resolved, int attempt);
    void correctionRule(int rejected);
    void correctionReply(int rejected, int replied);
    void correctionNext(int next, int resolved, int attempt);
    void correctionCost(int requested, int resolved);

    // -- storymodel.cpp --
    void modelCall();
    void modelPrompt(int requested);
    void modelMessage(const std::string_view element, int number, bool collapsed);
    void modelContext(int requested);
    void modelAnswer(int requested);
    void modelDecision(int replied);
    void accepted();

    // -- storyother.cpp --
    void tool();
    void toolTries(int step);
    void toolBreaker(const QString &name, int from);
    void skipped();
    void breaker();
    void control();
    void receipt(const LineFields &f);
    void budget();
    void started();
    void finished();
    void totals(const LineFields &f);
    qint64 abortedReservation() const;
    void other();

    const EventModel &m_model;
    const int m_row;
    const bool m_live;
    Story m_story;
};

} // namespace emend::ui
