// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <string>

#include "core/run/verify.h"

// What a failed test wants to say of a verification.
inline std::string describe(const emend::core::VerifyOutcome &outcome)
{
    return outcome.cause + ": " + outcome.message + "\n" + outcome.output;
}

#define VERIFY_CAUSE(outcome, expectedKind, expectedCause)                                         \
    QVERIFY2((outcome).kind == (expectedKind), describe(outcome).c_str());                         \
    QVERIFY2((outcome).cause == (expectedCause), describe(outcome).c_str())
