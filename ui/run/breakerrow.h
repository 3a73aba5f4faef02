// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/run/control.h"
#include "ui/run/runfacts.h"

class QLabel;
class QToolButton;

namespace emend::ui {

class ElidedLabel;
class ShapeLabel;

class BreakerRow : public QWidget {
    Q_OBJECT
public:
    explicit BreakerRow(QWidget *parent = nullptr);

    void setFacts(const BreakerFacts &facts, bool live, qint64 elapsedUs);
    void showCountdown(qint64 elapsedUs);
    bool counts() const;

Q_SIGNALS:
    void commandGiven(const QString &name, emend::core::BreakerCommandKind kind);

protected:
    void changeEvent(QEvent *event) override;

private:
    QToolButton *addButton(const QString &text, const QString &name, core::BreakerCommandKind kind);
    void updateColors();

    BreakerFacts m_facts;
    bool m_live = false;
    bool m_known = false; // shows m_facts
    ShapeLabel *m_shape;
    ElidedLabel *m_name;
    QLabel *m_state;
    ElidedLabel *m_detail;
    QToolButton *m_forceOpen;
    QToolButton *m_disable;
    QToolButton *m_reset;
};

} // namespace emend::ui
