// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/examplemenu.h"

#include "ui/text/plaintext.h"

#include <QMenu>

namespace emend::ui {

namespace {

core::Task ownCopy(core::Task task)
{
    task.code.testsFile.clear(); // their text has been read
    task.code.edgeTestsFile.clear();
    task.code.generatorFile.clear();
    task.systemPromptFile.clear();
    return task;
}

} // namespace

void fillExamples(QMenu *menu, core::Engine &engine, std::function<void(core::Task)> open)
{
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &engine, open = std::move(open)] {
        menu->clear();
        for (const core::NamedSpec &example : engine.examples()) {
            const QString name = oneLine(QString::fromStdString(example.description), 60);
            QAction *action = menu->addAction(QString(name).replace(u'&', QStringLiteral("&&")));
            QObject::connect(action, &QAction::triggered, menu,
                             [&engine, open, file = example.name] {
                                 if (auto task = engine.loadTask(file))
                                     open(ownCopy(std::move(*task)));
                             });
        }
    });
}

} // namespace emend::ui
