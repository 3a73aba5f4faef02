// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/run/runfacts.h"
#include "ui/run/runstate.h"

class QLabel;

namespace emend::ui {

class ShapeLabel;

// What came of a run: the outcome, why, what is missing, and after a kill the receipt.
class OutcomeBanner : public QWidget {
    Q_OBJECT
public:
    explicit OutcomeBanner(QWidget *parent = nullptr);

    // `error` is why nothing could be started, read or written; empty if nothing was wrong.
    void showOutcome(RunState state, const RunFacts &facts, const QString &error);
    QString text() const;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    static QString receiptText(const ReceiptFacts &receipt, RunState state);
    void updateColors();

    ShapeLabel *m_shape;
    QLabel *m_headline;
    QLabel *m_body;
    RunState m_state = RunState::Idle;
};

} // namespace emend::ui
