// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

#include "core/run/control.h"
#include "ui/run/runfacts.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace emend::ui {

class BreakerRow;
class ElidedLabel;

// One row a breaker: its state in word, shape and colour, how many failures of how many, the time
// until its trial, and what a person can do about it while the run is live.
class BreakerPanel : public QWidget {
    Q_OBJECT
public:
    // `elapsed` gives the time since the start of the run, for the countdown.
    explicit BreakerPanel(std::function<qint64()> elapsed, QWidget *parent = nullptr);

    void setBreakers(const std::vector<BreakerFacts> &breakers);
    void setLive(bool live);
    // Where there is little room only the heading stays, until a person opens it.
    void setCramped(bool cramped);
    QSize sizeHint() const override;

Q_SIGNALS:
    void commandGiven(const QString &name, emend::core::BreakerCommandKind kind);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void updateCountdown();
    void showRows(bool visible);
    void showSummary(const std::vector<BreakerFacts> &breakers);

    std::function<qint64()> m_elapsed;
    QTimer m_timer;
    QToolButton *m_toggle;
    ElidedLabel *m_summary;
    QLabel *m_empty;
    QWidget *m_body;
    QVBoxLayout *m_rowsLayout;
    std::vector<BreakerRow *> m_rows;
    bool m_live = false;
    bool m_cramped = false;
};

} // namespace emend::ui
