// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/task.h"

#include <QWidget>

class QCheckBox;
class QComboBox;

namespace emend::ui {

class NumberSpin;

// What happens when calls fail or repeat: circuit breaker, repeat guard, wrappers. GUI thread.
class SafetyForm : public QWidget {
    Q_OBJECT
public:
    explicit SafetyForm(QWidget *parent = nullptr);

    void load(const core::Task &task);
    void store(core::Task &task) const;

Q_SIGNALS:
    void edited();

private:
    NumberSpin *m_threshold;
    NumberSpin *m_cooldown;
    QComboBox *m_scope;
    QComboBox *m_repeatGuard;
    QCheckBox *m_wrappers;
};

} // namespace emend::ui
