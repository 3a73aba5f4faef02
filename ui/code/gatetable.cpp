// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/gatetable.h"

#include "ui/code/codewords.h"
#include "ui/text/elidedlabel.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

void setInk(QLabel *label, ColorRole role)
{
    QPalette palette = label->parentWidget()->palette();
    palette.setColor(QPalette::WindowText, roleColor(role, palette));
    label->setPalette(palette);
}

} // namespace

GateTable::GateTable(QWidget *parent)
    : QWidget(parent)
    , m_verdict(plainLabel({}, this))
    , m_sign(new QLabel(this))
    , m_grid(new QGridLayout(this))
{
    setObjectName(u"gateTable"_s);
    m_verdict->setObjectName(u"gateVerdict"_s);
    m_verdict->setWordWrap(true);
    m_verdict->setFont(scaledFont(1.0, QFont::DemiBold));
    m_grid->setContentsMargins(space::one, space::one, space::one, space::one);
    m_grid->setSpacing(space::one);
    m_grid->addWidget(m_sign, 0, 0);
    m_grid->addWidget(m_verdict, 0, 1);
    m_grid->setColumnStretch(1, 1);
    hide();
}

void GateTable::setGate(const GateFacts &gate)
{
    m_gate = gate;
    setVisible(!gate.verdict.isEmpty());
    rebuild();
}

void GateTable::addCell(const GateCell &cell, int row, int column)
{
    auto *grid = qobject_cast<QGridLayout *>(m_cells->layout());
    const auto [shape, role] = cell.accepted ? codewords::Look{Shape::Check, ColorRole::Good}
                                             : codewords::Look{Shape::Cross, ColorRole::Bad};
    auto *sign = new QLabel(m_cells);
    const QColor ink = roleColor(role, palette());
    sign->setPixmap(shapeIcon(shape, ink, ink).pixmap(16, 16));
    auto *words = plainLabel(codewords::cell(cell), m_cells);
    words->setObjectName(u"gate_"_s + cell.solution + u'_' + cell.suite);
    setInk(words, cell.accepted ? ColorRole::Neutral : ColorRole::Bad);
    grid->addWidget(sign, row, column * 2 + 1);
    grid->addWidget(words, row, column * 2 + 2);
}

// In one line each; the whole of it is in the test table of the comparison.
void GateTable::rebuildDifferences()
{
    constexpr std::size_t most = 3;
    delete m_differences;
    m_differences = new QWidget(this);
    m_grid->addWidget(m_differences, 1, 1, 1, 2);
    auto *lines = new QVBoxLayout(m_differences);
    lines->setContentsMargins({});
    lines->setSpacing(space::half);
    for (std::size_t i = 0; i < std::min(most, m_gate.differences.size()); ++i) {
        auto *line = new ElidedLabel(m_differences);
        line->setObjectName(u"gateDifference%1"_s.arg(i));
        line->setText(codewords::difference(m_gate.differences[i]));
        lines->addWidget(line);
    }
    m_differences->setVisible(!m_gate.differences.empty());
}

void GateTable::rebuild()
{
    const bool agreed = m_gate.verdict == "confirmed"_L1;
    const QColor ink = roleColor(agreed ? ColorRole::Good : ColorRole::Warn, palette());
    m_sign->setPixmap(shapeIcon(agreed ? Shape::Check : Shape::Triangle, ink, ink).pixmap(16, 16));
    m_verdict->setText(codewords::verdict(m_gate));
    delete m_cells;
    m_cells = new QWidget(this);
    m_grid->addWidget(m_cells, 0, 2);
    auto *grid = new QGridLayout(m_cells);
    grid->setHorizontalSpacing(space::one);
    grid->setContentsMargins(space::two, 0, space::one, 0);
    grid->setVerticalSpacing(space::half);
    QStringList suites, solutions;
    for (const GateCell &cell : m_gate.cells) {
        if (!suites.contains(cell.suite))
            suites += cell.suite;
        if (!solutions.contains(cell.solution))
            solutions += cell.solution;
    }
    const auto title = [this](const QString &text) {
        QLabel *label = plainLabel(text, m_cells);
        setInk(label, ColorRole::Muted);
        return label;
    };
    for (int column = 0; column < suites.size(); ++column)
        grid->addWidget(title(codewords::suite(suites[column])), 0, column * 2 + 2);
    for (int row = 0; row < solutions.size(); ++row)
        grid->addWidget(
            title(solutions[row] == "second"_L1 ? tr("Second solution") : tr("First solution")),
            row + 1, 0);
    for (const GateCell &cell : m_gate.cells)
        addCell(cell, static_cast<int>(solutions.indexOf(cell.solution)) + 1,
                static_cast<int>(suites.indexOf(cell.suite)));
    grid->setColumnStretch(static_cast<int>(suites.size()) * 2 + 1, 1);
    rebuildDifferences();
    m_cells->setVisible(!m_gate.cells.empty());
}

void GateTable::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible())
        rebuild();
}

} // namespace emend::ui
