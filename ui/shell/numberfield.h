// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>
#include <QLocale>
#include <QWidget>

#include <optional>

class QCheckBox;

namespace emend::ui {

// The person's locale; English where there is none ("C"), so that large numbers are grouped.
QLocale readableLocale();
QString numberText(qint64 number);

// All number fields of a form have this width, so that their edges make one line.
inline constexpr int numberWidth = 152;

// Whole numbers up to 2^53, with digit groups. GUI thread.
class NumberSpin : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberSpin(QWidget *parent = nullptr);

    void setNumber(qint64 number);
    qint64 number() const;
    void setNumberRange(qint64 least, qint64 most);
};

// A number that may be off: a check box that names it, and its field. `decimals` 0: whole numbers.
class OptionalNumber : public QWidget {
    Q_OBJECT
public:
    // `suggested` is what the field offers when it is switched on for the first time.
    OptionalNumber(const QString &name, double suggested, int decimals = 0,
                   QWidget *parent = nullptr);

    void setRange(double least, double most); // of the number, when it is on
    void setValue(std::optional<double> value);
    std::optional<double> value() const; // no value: off
    QCheckBox *check() const { return m_check; }
    QDoubleSpinBox *spin() const { return m_spin; }

Q_SIGNALS:
    void edited();

private:
    void showState();

    QCheckBox *m_check;
    QDoubleSpinBox *m_spin;
    double m_suggested;
    double m_least = 0;
};

} // namespace emend::ui
