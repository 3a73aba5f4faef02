// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/numberfield.h"

#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <cmath>

namespace emend::ui {

namespace {

constexpr double mostWhole = 9007199254740992.0; // 2^53: every whole number up to here is exact

} // namespace

QLocale readableLocale()
{
    const QLocale locale;
    return locale.language() == QLocale::C ? QLocale(QLocale::English, QLocale::UnitedStates)
                                           : locale;
}

QString numberText(qint64 number)
{
    return readableLocale().toString(number);
}

NumberSpin::NumberSpin(QWidget *parent)
    : QDoubleSpinBox(parent)
{
    setLocale(readableLocale());
    setDecimals(0);
    setGroupSeparatorShown(true);
    setRange(0, mostWhole);
    setAlignment(Qt::AlignRight);
    setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
}

void NumberSpin::setNumber(qint64 number)
{
    setValue(static_cast<double>(number));
}

qint64 NumberSpin::number() const
{
    return static_cast<qint64>(std::llround(value()));
}

void NumberSpin::setNumberRange(qint64 least, qint64 most)
{
    setRange(static_cast<double>(least), static_cast<double>(most));
}

OptionalNumber::OptionalNumber(const QString &name, double suggested, int decimals, QWidget *parent)
    : QWidget(parent)
    , m_check(new QCheckBox(name))
    , m_spin(new NumberSpin)
    , m_suggested(suggested)
{
    m_spin->setAccessibleName(name);
    m_spin->setDecimals(decimals);
    m_spin->setFixedWidth(numberWidth);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    layout->addWidget(m_check, 1);
    layout->addWidget(m_spin);
    setValue({});
    connect(m_check, &QCheckBox::toggled, this, [this] {
        showState();
        Q_EMIT edited();
    });
    connect(m_spin, &QDoubleSpinBox::valueChanged, this, [this] {
        if (m_check->isChecked())
            Q_EMIT edited();
    });
}

void OptionalNumber::setRange(double least, double most)
{
    m_least = least;
    m_spin->setMaximum(most);
    if (m_spin->isEnabled())
        m_spin->setMinimum(least);
}

void OptionalNumber::setValue(std::optional<double> value)
{
    const QSignalBlocker quietCheck(m_check);
    const QSignalBlocker quietSpin(m_spin);
    m_check->setChecked(value.has_value());
    if (value)
        m_suggested = *value;
    m_spin->setEnabled(!value.has_value()); // so that showState() switches
    showState();
}

std::optional<double> OptionalNumber::value() const
{
    return m_check->isChecked() ? std::optional(m_spin->value()) : std::nullopt;
}

// Switched off, the field says so instead of showing a number that does not count.
void OptionalNumber::showState()
{
    const QSignalBlocker quiet(m_spin);
    const bool on = m_check->isChecked();
    if (on && !m_spin->isEnabled()) {
        m_spin->setSpecialValueText({});
        m_spin->setMinimum(m_least);
        m_spin->setValue(m_suggested);
    } else if (!on) {
        if (m_spin->isEnabled() && m_spin->value() > 0)
            m_suggested = m_spin->value();
        m_spin->setMinimum(0);
        m_spin->setSpecialValueText(tr("off"));
        m_spin->setValue(0);
    }
    m_spin->setEnabled(on);
}

} // namespace emend::ui
