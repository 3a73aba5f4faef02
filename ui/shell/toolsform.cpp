// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/toolsform.h"

#include "ui/shell/section.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

// An ampersand in a check box would be a shortcut.
QString escaped(QString name)
{
    return name.replace(u'&', "&&"_L1);
}

QString nameOf(const QCheckBox *check)
{
    return check->property("toolName").toString();
}

} // namespace

ToolsForm::ToolsForm(const std::vector<core::ToolSpec> &tools, QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_others(quietLabel({}))
{
    m_grid->setHorizontalSpacing(space::two);
    m_grid->setVerticalSpacing(space::one);
    m_grid->setColumnStretch(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(m_grid);
    layout->addWidget(m_others);
    m_others->setObjectName(u"otherTools"_s);
    for (const core::ToolSpec &tool : tools)
        addTool(QString::fromStdString(tool.name), QString::fromStdString(tool.description));
}

QCheckBox *ToolsForm::addTool(const QString &name, const QString &description)
{
    auto *check = new QCheckBox(escaped(oneLine(name, 60)));
    check->setProperty("toolName", name);
    check->setObjectName("tool_"_L1 + name);
    check->setAccessibleDescription(description);
    auto *words = quietLabel(oneLine(description));
    const int row = m_grid->rowCount();
    m_grid->addWidget(check, row, 0, Qt::AlignTop);
    m_grid->addWidget(words, row, 1, Qt::AlignVCenter);
    m_checks << check;
    connect(check, &QCheckBox::toggled, this, &ToolsForm::edited);
    return check;
}

void ToolsForm::load(const core::Task &task)
{
    const QSignalBlocker quiet(this);
    m_loaded = task.tools;
    for (QCheckBox *check : std::as_const(m_checks))
        check->setChecked(false);
    for (const core::ToolReference &tool : task.tools) {
        if (tool.declared)
            continue;
        const QString name = QString::fromStdString(tool.name);
        auto known = std::find_if(m_checks.cbegin(), m_checks.cend(),
                                  [&](const QCheckBox *c) { return nameOf(c) == name; });
        QCheckBox *check = known != m_checks.cend()
                               ? *known
                               : addTool(name, tr("Not part of this version of Emend."));
        check->setChecked(true);
    }
    showOthers(task);
}

void ToolsForm::showOthers(const core::Task &task)
{
    QStringList names;
    for (const core::ToolReference &tool : task.tools)
        if (tool.declared)
            names << oneLine(QString::fromStdString(tool.name), 60);
    for (const std::string &file : task.toolFiles)
        names << oneLine(QString::fromStdString(file), 120);
    m_others->setText(tr("Also declared by the task: %1").arg(names.join(", "_L1)));
    m_others->setVisible(!names.isEmpty());
}

void ToolsForm::store(core::Task &task) const
{
    std::vector<core::ToolReference> result;
    const auto isChecked = [this](const std::string &name) {
        return std::any_of(m_checks.cbegin(), m_checks.cend(), [&](const QCheckBox *c) {
            return c->isChecked() && nameOf(c).toStdString() == name;
        });
    };
    const auto has = [&result](const std::string &name) {
        return std::any_of(result.cbegin(), result.cend(), [&](const core::ToolReference &tool) {
            return !tool.declared && tool.name == name;
        });
    };
    for (const core::ToolReference &tool : m_loaded) // the order of the file stays
        if (tool.declared || isChecked(tool.name))
            result.push_back(tool);
    for (const QCheckBox *check : m_checks) {
        core::ToolReference tool;
        tool.name = nameOf(check).toStdString();
        if (check->isChecked() && !has(tool.name))
            result.push_back(tool);
    }
    task.tools = std::move(result);
}

} // namespace emend::ui
