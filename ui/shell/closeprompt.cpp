// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/closeprompt.h"

#include "ui/shell/taskpage.h"

#include <QMessageBox>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace emend::ui {

ClosePrompt::ClosePrompt(QWidget *window, QList<QPointer<TaskPage>> unsaved, int liveRuns,
                         Save save)
    : QObject(window)
    , m_window(window)
    , m_unsaved(std::move(unsaved))
    , m_liveRuns(liveRuns)
    , m_save(std::move(save))
{}

void ClosePrompt::start()
{
    next();
}

void ClosePrompt::next()
{
    while (!m_unsaved.isEmpty()) {
        TaskPage *page = m_unsaved.takeFirst();
        if (page && page->isModified()) {
            askAboutTask(page);
            return;
        }
    }
    if (m_liveRuns > 0)
        askAboutRuns();
    else
        end(true);
}

void ClosePrompt::askAboutTask(TaskPage *page)
{
    auto *box = new QMessageBox(m_window);
    box->setObjectName(u"unsavedPrompt"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Unsaved changes"));
    box->setText(tr("Save the changes to “%1”?").arg(page->title()));
    box->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box->button(QMessageBox::Save)->setText(tr("&Save"));
    box->button(QMessageBox::Discard)->setText(tr("&Discard"));
    box->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    box->setDefaultButton(QMessageBox::Save);
    box->setEscapeButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::finished, this, [this, page = QPointer(page)](int answer) {
        if (answer == QMessageBox::Save && page)
            m_save(page, [this](bool saved) { saved ? next() : end(false); });
        else if (answer == QMessageBox::Discard)
            next();
        else
            end(false);
    });
    box->open();
}

void ClosePrompt::askAboutRuns()
{
    auto *box = new QMessageBox(m_window);
    box->setObjectName(u"liveRunPrompt"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("A run is going on"));
    box->setText(
        m_liveRuns == 1
            ? tr("A run is still going on. Kill it?")
            : tr("%1 runs are still going on. Kill them?", nullptr, m_liveRuns).arg(m_liveRuns));
    box->setInformativeText(tr("What has happened so far is in its trace and stays."));
    QPushButton *kill = box->addButton(tr("&Kill and close"), QMessageBox::DestructiveRole);
    kill->setObjectName(u"killAndClose"_s);
    box->addButton(QMessageBox::Cancel)->setText(tr("&Cancel"));
    box->setEscapeButton(QMessageBox::Cancel);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::finished, this,
            [this, box, kill] { end(box->clickedButton() == kill); });
    box->open();
}

void ClosePrompt::end(bool agree)
{
    deleteLater();
    if (agree)
        Q_EMIT agreed();
    else
        Q_EMIT cancelled();
}

} // namespace emend::ui
