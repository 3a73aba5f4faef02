// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/task.h"

#include <QWidget>

#include <optional>

namespace emend::ui {

class NumberSpin;
class OptionalNumber;

// The limits of a run (design section 5). GUI thread.
class BoundsForm : public QWidget {
    Q_OBJECT
public:
    explicit BoundsForm(QWidget *parent = nullptr);

    void showForCode(); // without what only a mode with tools has
    void load(const core::Bounds &bounds);
    void store(core::Bounds &bounds) const; // touches only what a person changed

Q_SIGNALS:
    void edited();

private:
    NumberSpin *addNumber(const QString &objectName, const QString &label, const QString &why,
                          qint64 most);
    OptionalNumber *addOptional(const QString &objectName, const QString &label, const QString &why,
                                double suggested, int decimals = 0);

    NumberSpin *m_actions;
    NumberSpin *m_corrections;
    NumberSpin *m_toolRetries;
    OptionalNumber *m_seconds;
    OptionalNumber *m_modelCalls;
    OptionalNumber *m_tokens;
    OptionalNumber *m_cost;
    core::Bounds m_loaded;
    std::optional<double> m_shownCost; // the field rounds to the cent
};

} // namespace emend::ui
