// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/breakerpanel.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/run/breakerrow.h"
#include "ui/text/elidedlabel.h"
#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/theme.h"

namespace emend::ui {

BreakerPanel::BreakerPanel(std::function<qint64()> elapsed, QWidget *parent)
    : QWidget(parent)
    , m_elapsed(std::move(elapsed))
    , m_toggle(new QToolButton(this))
    , m_summary(new ElidedLabel(this))
    , m_empty(new QLabel(
          tr("Each tool and the model have a breaker; they appear when a run starts."), this))
    , m_body(new QWidget(this))
{
    setObjectName(QStringLiteral("breakerPanel"));
    setAccessibleName(tr("Circuit breakers"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_toggle->setObjectName(QStringLiteral("breakerToggle"));
    m_toggle->setText(tr("Breakers"));
    m_toggle->setFont(scaledFont(1.0, QFont::DemiBold));
    m_toggle->setAutoRaise(true);
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_toggle, &QToolButton::clicked, this, [this] { showRows(m_body->isHidden()); });
    m_summary->setObjectName(QStringLiteral("breakerSummary"));
    m_summary->setColor(ColorRole::Muted);
    auto *heading = new QHBoxLayout;
    heading->setContentsMargins(space::one, 0, space::two, 0);
    heading->setSpacing(space::one);
    heading->addWidget(m_toggle);
    heading->addWidget(m_summary, 1);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, space::half, 0, space::half);
    outer->setSpacing(0);
    outer->addLayout(heading);
    outer->addWidget(m_body, 1);
    auto *layout = new QVBoxLayout(m_body);
    layout->setContentsMargins({});
    layout->setSpacing(0);
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
    showRows(true);
}

void BreakerPanel::setCramped(bool cramped)
{
    if (cramped == m_cramped)
        return;
    m_cramped = cramped;
    showRows(!cramped);
}

void BreakerPanel::showRows(bool visible)
{
    m_body->setVisible(visible);
    m_summary->setVisible(!visible);
    m_toggle->setArrowType(visible ? Qt::DownArrow : Qt::RightArrow);
    m_toggle->setAccessibleDescription(visible ? tr("Expanded") : tr("Collapsed"));
    updateGeometry();
}

// "weather: open · 2 closed": what is not closed has its name.
void BreakerPanel::showSummary(const std::vector<BreakerFacts> &breakers)
{
    QStringList parts;
    int closed = 0;
    ColorRole color = ColorRole::Muted;
    for (const BreakerFacts &breaker : breakers) {
        if (breaker.state == QLatin1String("closed")) {
            ++closed;
            continue;
        }
        const Term term = Vocabulary::breakerState(breaker.state);
        color = term.color;
        parts << tr("%1: %2").arg(oneLine(Vocabulary::breakerName(breaker.name), 80),
                                  term.word.toLower());
    }
    if (closed > 0)
        parts << tr("%1 closed").arg(closed);
    m_summary->setColor(color);
    m_summary->setText(parts.join(QStringLiteral(" · ")));
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
    showSummary(breakers);
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
    const int heading = m_toggle->sizeHint().height() + 2 * space::half;
    const int rows = m_rows.empty() ? 1 : std::min(int(m_rows.size()), 4);
    return {360, m_body->isHidden() ? heading : heading + rows * (2 * line + space::one) + 2};
}

} // namespace emend::ui
