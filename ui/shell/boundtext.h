// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/loop/bound.h"
#include "core/task/task.h"

#include <QList>
#include <QString>

// The worst case of a task in words. Pure, GUI thread (translations).
namespace emend::ui {

// "At most 27 model calls, 16 tool executions, 648,000 tokens, 10 min". Where no price is known for
// `model`, it says so.
QString boundSentence(const core::Bound &bound, const core::ModelSettings &model);

struct BoundRow {
    QString name;  // "Model calls"
    QString value; // "27"
    QString why;   // "(8 actions + 1 final decision) × 3 attempts"; may be empty
};
QList<BoundRow> boundRows(const core::Bound &bound, const core::Task &task);

// "45 s", "10 min", "1 h 30 min".
QString secondsText(qint64 seconds);
QString moneyText(double usd); // "$0.12", rounded up to the cent; "no cost"

} // namespace emend::ui
