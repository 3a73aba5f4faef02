// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/run/engine.h"

class QPlainTextEdit;

namespace emend::ui {

class NoticeStrip;

// How a replay or a fork compares with its recording: one sentence, and where there is one the
// diff, each line marked by its sign as well as by colour. GUI thread.
class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    explicit DifferencePanel(QWidget *parent = nullptr);

    void showSame();
    void showDifference(const core::Difference &difference);
    QString text() const; // the sentence, and the diff below it

private:
    NoticeStrip *m_same;
    NoticeStrip *m_different;
    QPlainTextEdit *m_diff;
};

} // namespace emend::ui
