// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/testmodel.h"

#include "ui/code/codewords.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapes.h"

#include <algorithm>

namespace emend::ui {

void TestModel::setTests(std::vector<TestFacts> tests, const QPalette &palette)
{
    beginResetModel();
    m_tests = std::move(tests);
    m_palette = palette;
    std::stable_partition(m_tests.begin(), m_tests.end(), [](const TestFacts &test) {
        return test.status == QLatin1String("failed") || test.status == QLatin1String("error");
    });
    endResetModel();
}

int TestModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tests.size());
}

int TestModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString TestModel::textOf(const TestFacts &test, int column) const
{
    switch (column) {
    case Status:
        return codewords::testStatus(test.status);
    case Name:
        return oneLine(test.name);
    case Message:
        return oneLine(test.message);
    case Time:
        // pytest reports whole milliseconds
        return test.durationUs == 0 ? tr("< 1 ms") : durationText(test.durationUs);
    default:
        return {};
    }
}

QVariant TestModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TestFacts &one = test(index.row());
    const auto [shape, color] = codewords::statusLook(one.status);
    if (role == Qt::DisplayRole)
        return textOf(one, index.column());
    if (role == Qt::ToolTipRole && index.column() == Message && !one.message.isEmpty())
        return plainToolTip(one.message.left(4000));
    if (role == Qt::TextAlignmentRole && index.column() == Time)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (index.column() != Status)
        return {};
    const QColor ink = roleColor(color, m_palette);
    if (role == Qt::DecorationRole)
        return shapeIcon(shape, ink, ink);
    if (role == Qt::ForegroundRole)
        return ink;
    return {};
}

QVariant TestModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Time ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Status:
        return tr("Result");
    case Name:
        return tr("Test");
    case Message:
        return tr("Message");
    case Time:
        return tr("Time");
    default:
        return {};
    }
}

} // namespace emend::ui
