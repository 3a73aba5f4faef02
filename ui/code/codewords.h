// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <utility>

#include "ui/code/codefacts.h"
#include "ui/text/colors.h"
#include "ui/text/shapes.h"

// The codes of a code run as words for people, and as a shape with a colour. In one place.
namespace emend::ui::codewords {

using Look = std::pair<Shape, ColorRole>;

QString testStatus(const QString &status);
Look statusLook(const QString &status);

// "Attempt 2" or "Second solution".
QString attemptTitle(const AttemptFacts &attempt);
// "2 of 5 tests failed", "no code in the reply", "running the tests …".
QString attemptResult(const AttemptFacts &attempt);
Look attemptLook(const AttemptFacts &attempt);

QString suite(const QString &suite); // "Tests", "Edge tests"
// Why a verification did not pass, from its stable code (core/run/verify.h).
QString cause(const QString &cause);
// "5 tests in 0.21 s, twice, in bubblewrap".
QString circumstances(const VerificationFacts &verification);
QString sandbox(const QString &sandbox); // what held it, or what did not

QString verdict(const GateFacts &gate);                // a sentence
QString cell(const GateCell &cell);                    // "5 of 5 passed", "199 of 200 agree"
QString difference(const DifferenceFacts &difference); // one line

} // namespace emend::ui::codewords
