// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/taskfiles.h"

#include "ui/shell/recentfiles.h"
#include "ui/shell/settings.h"
#include "ui/shell/taskpage.h"

#include <QFileDialog>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace emend::ui {

TaskFiles::TaskFiles(QWidget *window, RecentFiles &recent)
    : QObject(window)
    , m_window(window)
    , m_recent(recent)
{}

void TaskFiles::chooseToOpen(std::function<void(const QStringList &)> chosen)
{
    auto *dialog = new QFileDialog(m_window, tr("Open a task or a trace"));
    dialog->setObjectName(u"openDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Tasks and traces (*.json *.jsonl)"), tr("All files (*)")});
    dialog->setDirectory(lastFolder());
    connect(dialog, &QFileDialog::filesSelected, this, std::move(chosen));
    dialog->open();
}

void TaskFiles::save(TaskPage *page, bool as, std::function<void(bool)> done)
{
    if (!as && !page->path().isEmpty()) {
        done(write(page, page->path()));
        return;
    }
    auto *dialog = new QFileDialog(m_window, tr("Save the task"));
    dialog->setObjectName(u"saveDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Tasks (*.task.json)"), tr("All files (*)")});
    dialog->setDefaultSuffix(u"task.json"_s);
    dialog->setDirectory(lastFolder());
    if (!page->path().isEmpty())
        dialog->selectFile(page->path());
    connect(dialog, &QFileDialog::finished, page, [this, dialog, page, done](int answer) {
        const QStringList paths = dialog->selectedFiles();
        done(answer == QDialog::Accepted && !paths.isEmpty() && write(page, paths.first()));
    });
    dialog->open();
}

bool TaskFiles::write(TaskPage *page, const QString &path)
{
    const auto result = page->saveTo(path);
    if (!result) {
        Q_EMIT failed(tr("The task could not be saved"), result.error(), path);
        return false;
    }
    remember(path, QString::fromStdString(page->task().name), false);
    return true;
}

void TaskFiles::remember(const QString &path, const QString &title, bool isTrace)
{
    m_recent.add({path, title, isTrace, QDateTime::currentDateTime()});
    settings().setValue(u"window/folder"_s, QFileInfo(path).absolutePath());
}

} // namespace emend::ui
