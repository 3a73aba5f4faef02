// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/ports.h"
#include "core/task/task.h"

#include <QHash>
#include <QList>
#include <QWidget>

class QCheckBox;
class QGridLayout;
class QLabel;

namespace emend::ui {

// Which tools the agent may use. Tools that the task declares itself are named, not edited, and
// keep their place. GUI thread.
class ToolsForm : public QWidget {
    Q_OBJECT
public:
    explicit ToolsForm(const std::vector<core::ToolSpec> &tools, QWidget *parent = nullptr);

    void load(const core::Task &task);
    void store(core::Task &task) const;

Q_SIGNALS:
    void edited();

private:
    QCheckBox *addTool(const QString &name, const QString &description);
    void showOthers(const core::Task &task);

    QGridLayout *m_grid;
    QLabel *m_others;
    QList<QCheckBox *> m_checks; // text: the tool's name
    std::vector<core::ToolReference> m_loaded;
};

} // namespace emend::ui
