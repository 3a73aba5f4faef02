// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringView>

#include "core/trace/event.h"
#include "ui/run/runstate.h"
#include "ui/text/colors.h"
#include "ui/text/shapes.h"

namespace emend::ui {

// How a thing is shown: always a word and a shape, and a colour besides.
struct Term {
    QString word;
    Shape shape = Shape::Dot;
    ColorRole color = ColorRole::Neutral;
};

enum class Lane : quint8 { Model, Corrections, Tools, Breakers, Control };
inline constexpr int laneCount = 5;

// The one place where codes of the trace become words for people. `code` is what stands in the
// trace; a code that this version does not know is shown as it is. Any thread after start.
class Vocabulary {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::Vocabulary)
public:
    static Term event(core::EventKind kind);
    static Term problem(core::LineProblem problem);
    static QString problemText(core::LineProblem problem); // what it means, one sentence
    static Term state(RunState state);
    static QString stateHint(RunState state); // what happens and what can be done, one sentence
    static Term outcome(QStringView code);
    static RunState outcomeState(QStringView code); // Failed for an unknown code
    static QString reason(QStringView code);        // of run.finished, a sentence without full stop
    static Term breakerState(QStringView code);
    static QString breakerWhy(QStringView code);
    static QString breakerName(QStringView name); // "provider:x" in words
    static QString category(QStringView code);
    static QString categoryRule(QStringView code); // the contract's rule, one sentence
    static QString transportClass(QStringView code);
    static QString bound(QStringView code);
    static QString normalisation(QStringView code);
    static QString mode(QStringView code);
    static QString role(QStringView code); // of a message
    static QString inFlight(QStringView what);
    static QString fate(QStringView code);
    static QString waitReason(QStringView code);
    // "Waiting 7 s before retry 1 of 2: the server asked for it (too many requests)".
    static QString waiting(qint64 leftUs, int retry, int of, QStringView why, QStringView failure);
    // Of a trace with damaged lines, the first of them at `row` from 0; empty for none.
    static QString damage(int lines, core::LineProblem first, qint64 row);
    // "incl. 1,420 reserved for the aborted call"
    static QString reserved(qint64 tokens, bool aborted);
    static QString redactionRule(QStringView code);
    static QString skipReason(QStringView code);
    static QString contextMeasure(QStringView code);
    static QString lane(Lane lane);

    // "3 model calls". One has words of its own: a catalogue may be missing, and "1 calls" is wrong
    // even then.
    static QString modelCalls(qint64 n);
    static QString actions(qint64 n);
    static QString corrections(qint64 n);
    static QString tokens(qint64 n);
    static QString events(qint64 n);
    static QString messages(qint64 n);
    static QString failures(qint64 n);
    static QString callsInFlight(qint64 n);
    static QString attempt(int attempt); // 0: "First attempt", n: "Correction n"
};

} // namespace emend::ui
