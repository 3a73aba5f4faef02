// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/spread.h"
#include "ui/shell/section.h"

class QGridLayout;

namespace emend::ui {

// How several runs differ: what came of them, what they decided and answered, and least, median
// and most of what they used. What is not counted is named. GUI thread.
class SpreadPanel : public Section {
    Q_OBJECT
public:
    explicit SpreadPanel(int step, QWidget *parent = nullptr);

    // `reservedTokens` of the killed runs.
    void showSpread(const core::Spread &spread, qint64 reservedTokens);

private:
    void buildNumbers();
    QString countedWords(const core::Spread &spread, qint64 reservedTokens) const;

    int m_step;
    QLabel *m_outcomes;
    QLabel *m_decisions;
    QLabel *m_answers;
    QLabel *m_counted;
    QGridLayout *m_numbers;
};

} // namespace emend::ui
