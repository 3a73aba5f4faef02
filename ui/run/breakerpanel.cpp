// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/breakerpanel.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/run/breakerrow.h"
#include "ui/text/colors.h"
#include "ui/theme/theme.h"

namespace emend::ui {

BreakerPanel::BreakerPanel(std::function<qint64()> elapsed, QWidget *parent)
    : QWidget(parent)
    , m_elapsed(std::move(elapsed))
    , m_empty(new QLabel(
          tr("Each tool and the model have a breaker; they appear when a run starts."), this))
{
    setObjectName(QStringLiteral("breakerPanel"));
    setAccessibleName(tr("Circuit breakers"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space::one, 0, space::one);
    layout->setSpacing(space::half);
    auto *heading = new QLabel(tr("Breakers"), this);
    heading->setFont(scaledFont(1.0, QFont::DemiBold));
    heading->setContentsMargins(space::two, 0, space::two, 0);
    layout->addWidget(heading);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(space::two, 0, space::two, space::half);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_empty);
    auto *area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto *rows = new QWidget;
    m_rowsLayout = new QVBoxLayout(rows);
    m_rowsLayout->setContentsMargins({});
    m_rowsLayout->setSpacing(0);
    m_rowsLayout->addStretch(1);
    area->setWidget(rows);
    layout->addWidget(area, 1);
    m_timer.setInterval(200);
    connect(&m_timer, &QTimer::timeout, this, &BreakerPanel::updateCountdown);
}

void BreakerPanel::setBreakers(const std::vector<BreakerFacts> &breakers)
{
    const qint64 elapsed = m_elapsed();
    const bool grown = m_rows.size() != breakers.size();
    while (m_rows.size() > breakers.size()) {
        delete m_rows.back();
        m_rows.pop_back();
    }
    while (m_rows.size() < breakers.size()) {
        auto *row = new BreakerRow(this);
        connect(row, &BreakerRow::commandGiven, this, &BreakerPanel::commandGiven);
        m_rowsLayout->insertWidget(int(m_rows.size()), row);
        m_rows.push_back(row);
    }
    for (std::size_t n = 0; n < breakers.size(); ++n)
        m_rows[n]->setFacts(breakers[n], m_live, elapsed);
    m_empty->setVisible(breakers.empty());
    const bool counting = m_live && std::any_of(m_rows.begin(), m_rows.end(),
                                                [](auto *row) { return row->counts(); });
    if (counting != m_timer.isActive())
        counting ? m_timer.start() : m_timer.stop();
    if (grown)
        updateGeometry();
}

void BreakerPanel::setLive(bool live)
{
    m_live = live;
    if (!live)
        m_timer.stop();
}

void BreakerPanel::updateCountdown()
{
    const qint64 elapsed = m_elapsed();
    for (BreakerRow *row : m_rows)
        row->showCountdown(elapsed);
}

void BreakerPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), 1), hairline(palette()));
}

QSize BreakerPanel::sizeHint() const
{
    const int line = fontMetrics().height();
    const int rows = m_rows.empty() ? 1 : std::min(int(m_rows.size()), 4);
    return {360, line + 2 * space::one + rows * (2 * line + space::one) + space::half + 2};
}

} // namespace emend::ui
