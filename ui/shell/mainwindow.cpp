// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/mainwindow.h"

#include "ui/shell/examplemenu.h"

#include "ui/inbox/inboxactions.h"
#include "ui/run/runview.h"
#include "ui/shell/aboutdialog.h"
#include "ui/shell/background.h"
#include "ui/shell/closeprompt.h"
#include "ui/shell/filekind.h"
#include "ui/shell/forkpage.h"
#include "ui/shell/messagebar.h"
#include "ui/shell/modelform.h"
#include "ui/shell/pagetabs.h"
#include "ui/shell/recentfiles.h"
#include "ui/shell/recentmenu.h"
#include "ui/shell/recordingactions.h"
#include "ui/shell/runactions.h"
#include "ui/shell/settings.h"
#include "ui/shell/settingsdialog.h"
#include "ui/shell/shortcutspage.h"
#include "ui/shell/startpage.h"
#include "ui/shell/taskfiles.h"
#include "ui/shell/taskpage.h"
#include "ui/text/plaintext.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr QSize firstSize(1280, 800);
constexpr double practiceMistakeRate = 0.35;

// The task of a new page, and of a question: the practice model and every tool there is.
core::Task practiceTask(const core::Engine &engine)
{
    core::Task task;
    for (const core::ToolSpec &tool : engine.tools()) {
        core::ToolReference reference;
        reference.name = tool.name;
        task.tools.push_back(std::move(reference));
    }
    return task;
}

} // namespace

MainWindow::MainWindow(core::Engine &engine, QWidget *parent)
    : QMainWindow(parent)
    , m_engine(engine)
    , m_theme(new Theme(this))
    , m_recent(new RecentFiles(this))
    , m_files(new TaskFiles(this, *m_recent))
    , m_actions(buildMenus(*this))
    , m_bar(new MessageBar)
    , m_tabs(new PageTabs)
    , m_runActions(new RunActions(m_actions, m_tabs, this))
    , m_start(new StartPage(*m_recent))
{
    setObjectName(u"mainWindow"_s);
    setWindowIcon(applicationIcon());
    setAcceptDrops(true);
    setMinimumSize(640, 480);

    auto *central = new QWidget;
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_tabs, 1);
    setCentralWidget(central);

    connectActions();
    connectStartPage();
    m_tabs->add(m_start, tr("Start"), "home"_L1);
    m_tabs->makePermanent(m_start);
    resize(firstSize);
    restoreGeometry(settings().value(u"window/geometry"_s).toByteArray());
    m_start->setFocus();
}

// The pages go after the members of this window: what they say on their way out comes too late.
MainWindow::~MainWindow()
{
    m_tabs->disconnect(this);
    for (int i = 0; i < m_tabs->count(); ++i)
        m_tabs->widget(i)->disconnect(this);
    delete m_tabs;
    delete m_settingsDialog;
    delete findChild<InboxActions *>();
    Background::waitForAll(); // they use the engine
}

void MainWindow::connectActions()
{
    connect(m_actions.newTask, &QAction::triggered, this, &MainWindow::newTask);
    fillExamples(m_actions.exampleMenu, m_engine,
                 [this](core::Task task) { openTaskPage(std::move(task), {}); });
    connect(m_actions.open, &QAction::triggered, this, &MainWindow::chooseFile);
    connect(m_actions.save, &QAction::triggered, this, [this] { save(false); });
    connect(m_actions.saveAs, &QAction::triggered, this, [this] { save(true); });
    connect(m_actions.closeTab, &QAction::triggered, this,
            [this] { closeTab(m_tabs->currentIndex()); });
    connect(m_actions.settings, &QAction::triggered, this, [this] { showSettings({}); });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.run, &QAction::triggered, this, &MainWindow::runCurrent);
    connect(m_actions.editTask, &QAction::triggered, this, &MainWindow::editTaskOfRun);
    auto *recordings = new RecordingActions(m_engine, m_actions, m_tabs, this);
    connect(recordings, &RecordingActions::pageMade, this, &MainWindow::addRecorded);
    connect(recordings, &RecordingActions::failed, this, &MainWindow::showProblem);
    auto *inbox = new InboxActions(m_engine, m_actions, m_tabs, this);
    connect(inbox, &InboxActions::pageMade, this, &MainWindow::addRecorded);
    connect(inbox, &InboxActions::openRequested, this, &MainWindow::openFile);
    connect(m_actions.startPage, &QAction::triggered, this, &MainWindow::showStartPage);
    const auto turn = [this](int by) {
        m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + m_tabs->count()) % m_tabs->count());
    };
    connect(m_actions.nextTab, &QAction::triggered, this, [turn] { turn(1); });
    connect(m_actions.previousTab, &QAction::triggered, this, [turn] { turn(-1); });
    connect(m_actions.shortcuts, &QAction::triggered, this, &MainWindow::showShortcuts);
    connect(m_actions.about, &QAction::triggered, this, &MainWindow::showAbout);
    for (QAction *action : m_actions.theme->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(m_theme->choice()));
    connect(m_actions.theme, &QActionGroup::triggered, m_theme, [this](const QAction *action) {
        m_theme->setChoice(static_cast<ThemeChoice>(action->data().toInt()));
    });
    auto *recentMenu = new RecentMenu(m_actions.recentMenu, m_recent, this);
    connect(recentMenu, &RecentMenu::fileChosen, this, &MainWindow::openFile);
    connect(m_files, &TaskFiles::failed, this, &MainWindow::showProblem);
    connect(m_tabs, &PageTabs::titleChanged, this, [this](const QWidget *page) {
        if (page == m_tabs->currentWidget())
            updateCurrent();
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::updateCurrent);
    connect(m_tabs, &QTabWidget::tabCloseRequested, this, &MainWindow::closeTab);
}

void MainWindow::connectStartPage()
{
    connect(m_start, &StartPage::demoRequested, this, &MainWindow::playDemo);
    connect(m_start, &StartPage::newTaskRequested, this, &MainWindow::newTask);
    connect(m_start, &StartPage::openRequested, this, &MainWindow::chooseFile);
    connect(m_start, &StartPage::asked, this, &MainWindow::ask);
    connect(m_start, &StartPage::fileChosen, this, &MainWindow::openFile);
}

// ---- pages ----

void MainWindow::openTaskPage(core::Task task, const QString &path)
{
    auto *page = new TaskPage(m_engine, std::move(task), path);
    connect(page, &TaskPage::runRequested, this, &MainWindow::startRun);
    connect(page, &TaskPage::settingsRequested, this, &MainWindow::showSettings);
    connect(page, &TaskPage::titleChanged, this, [this, page] {
        m_tabs->setTitle(page, page->isModified() ? page->title() + u'*' : page->title(),
                         page->path());
    });
    m_tabs->add(page, page->title(), "task"_L1);
}

void MainWindow::startRun(const core::Task &task)
{
    auto *view = new RunView(m_engine);
    m_runTasks[view] = task;
    connectRun(view);
    const QString name = QString::fromStdString(task.name).simplified();
    const QString goal = QString::fromStdString(task.goal).simplified();
    m_tabs->add(view, oneLine(name.isEmpty() ? goal : name, 80), "play"_L1);
    view->startRun(task);
}

void MainWindow::connectRun(RunView *view)
{
    const auto showTab = [this, view] { m_tabs->showRun(view); };
    connect(view, &RunView::titleChanged, m_tabs, showTab);
    connect(view, &RunView::stateChanged, m_tabs, showTab);
    connect(view, &RunView::finished, m_tabs, showTab);
    connect(view, &RunView::stateChanged, m_runActions, &RunActions::update);
    connect(view, &RunView::replayRequested, m_actions.replay, &QAction::trigger);
    connect(view, &RunView::forkRequested, m_actions.fork, &QAction::trigger);
    connect(view, &RunView::finished, this, [this, view] { // a run leaves a way back to it
        if (!view->traceFile().isEmpty())
            m_recent->add({view->traceFile(), view->title(), true, QDateTime::currentDateTime()});
    });
}

void MainWindow::playDemo()
{
    const auto task = m_engine.demoTask();
    if (task)
        startRun(*task);
    else
        showProblem(tr("The demo cannot be played"), task.error(), {});
}

void MainWindow::newTask()
{
    openTaskPage(practiceTask(m_engine), {});
}

void MainWindow::ask(const QString &question)
{
    core::Task task = practiceTask(m_engine);
    task.goal = question.toStdString();
    task.model.mistakes.rate = practiceMistakeRate;
    startRun(task);
}

void MainWindow::showStartPage()
{
    m_tabs->setCurrentWidget(m_start);
    m_start->setFocus();
}

void MainWindow::showShortcuts()
{
    auto *page = m_tabs->findChild<ShortcutsPage *>();
    if (page)
        m_tabs->setCurrentWidget(page);
    else
        m_tabs->add(new ShortcutsPage(*menuBar()), tr("Keyboard shortcuts"), "info"_L1);
}

void MainWindow::showSettings(const QString &provider)
{
    if (!m_settingsDialog) {
        const QPointer<TaskPage> page = qobject_cast<TaskPage *>(m_tabs->currentWidget());
        m_settingsDialog = new SettingsDialog(m_engine.settings(), page, this);
        m_settingsDialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_settingsDialog, &SettingsDialog::useRequested, this,
                [page](const core::ModelSettings &model) {
                    if (page)
                        page->modelForm()->use(model);
                });
        connect(m_settingsDialog, &SettingsDialog::newTaskRequested, this,
                [this](const core::ModelSettings &model) {
                    core::Task task = practiceTask(m_engine);
                    task.model.provider = model.provider;
                    task.model.baseUrl = model.baseUrl;
                    task.model.model = model.model;
                    openTaskPage(std::move(task), {});
                    m_settingsDialog->reject();
                });
        connect(m_settingsDialog, &QDialog::finished, this, [this] {
            for (auto *form : m_tabs->findChildren<ModelForm *>())
                form->refreshFacts(); // a key may have come or gone
        });
    }
    if (const auto *page = qobject_cast<TaskPage *>(m_tabs->currentWidget())) {
        core::Task task;
        page->modelForm()->store(task);
        m_settingsDialog->preset(task.model);
    }
    if (!provider.isEmpty())
        m_settingsDialog->showProvider(provider);
    m_settingsDialog->open();
}

void MainWindow::showAbout()
{
    auto *dialog = new AboutDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

// ---- files ----

void MainWindow::chooseFile()
{
    m_files->chooseToOpen([this](const QStringList &paths) {
        for (const QString &path : paths)
            openFile(path);
    });
}

void MainWindow::openFile(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const auto kind = fileKind(absolute);
    const QString what = tr("%1 cannot be opened").arg(oneLine(QFileInfo(path).fileName(), 100));
    if (!kind) {
        showProblem(what, kind.error(), absolute);
        return;
    }
    core::Error error;
    switch (*kind) {
    case FileKind::Task:
        openTask(absolute);
        return;
    case FileKind::Trace:
        openTrace(absolute);
        return;
    case FileKind::Scenario:
        error.message = tr("It is a scenario; open the task that uses it").toStdString();
        break;
    case FileKind::OtherEmend:
        error.message = tr("It is a file of Emend, but neither a task nor a trace").toStdString();
        break;
    case FileKind::Unknown:
        if (absolute.endsWith(".json"_L1)) { // says where its JSON is broken
            openTask(absolute);
            return;
        }
        error.message = tr("It is neither a task nor a trace of Emend").toStdString();
        break;
    }
    showProblem(what, error, absolute);
}

void MainWindow::openTask(const QString &path)
{
    m_bar->dismiss();
    for (auto *page : m_tabs->findChildren<TaskPage *>()) {
        if (page->path() == path) {
            m_tabs->setCurrentWidget(page);
            return;
        }
    }
    auto task = m_engine.loadTask(path.toStdString());
    if (!task) {
        showProblem(tr("%1 cannot be opened").arg(oneLine(QFileInfo(path).fileName(), 100)),
                    task.error(), path);
        return;
    }
    m_files->remember(path, QString::fromStdString(task->name), false);
    openTaskPage(std::move(*task), path);
}

void MainWindow::openTrace(const QString &path)
{
    m_bar->dismiss();
    m_files->remember(path, {}, true);
    auto *view = new RunView(m_engine);
    connectRun(view);
    m_tabs->add(view, QFileInfo(path).fileName(), "trace"_L1);
    view->openTrace(path);
}

void MainWindow::save(bool as)
{
    if (auto *page = qobject_cast<TaskPage *>(m_tabs->currentWidget()))
        m_files->save(page, as, [](bool) {});
}

void MainWindow::showProblem(const QString &what, const core::Error &error, const QString &path)
{
    core::Error shown = error;
    if (shown.file.empty())
        shown.file = path.toStdString();
    m_bar->showError(what, shown);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    for (const QUrl &url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            event->acceptProposedAction();
            return;
        }
    }
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    for (const QUrl &url : event->mimeData()->urls())
        if (url.isLocalFile())
            openFile(url.toLocalFile());
}

// ---- running ----

void MainWindow::runCurrent()
{
    QWidget *page = m_tabs->currentWidget();
    if (auto *task = qobject_cast<TaskPage *>(page))
        task->run();
    else if (page == m_start)
        m_start->ask();
    else if (const auto known = m_runTasks.find(page); known != m_runTasks.end())
        startRun(core::Task(known->second));
}

void MainWindow::editTaskOfRun()
{
    const auto known = m_runTasks.find(m_tabs->currentWidget());
    if (known != m_runTasks.end())
        openTaskPage(known->second, {});
}

void MainWindow::addRecorded(QWidget *page, const QString &title)
{
    if (auto *view = qobject_cast<RunView *>(page))
        connectRun(view);
    if (auto *forks = qobject_cast<ForkPage *>(page)) {
        connect(forks, &ForkPage::stateChanged, m_runActions, &RunActions::update);
        connect(forks, &ForkPage::openRequested, this, &MainWindow::openFile);
    }
    m_tabs->add(page, title, "play"_L1);
    m_runActions->update();
}

void MainWindow::updateCurrent()
{
    QWidget *page = m_tabs->currentWidget();
    const auto *task = qobject_cast<TaskPage *>(page);
    const bool again = m_runTasks.count(page) > 0;
    m_actions.save->setEnabled(task);
    m_actions.saveAs->setEnabled(task);
    m_actions.closeTab->setEnabled(page != m_start);
    m_actions.editTask->setEnabled(again);
    m_actions.run->setText(again ? tr("&Run again") : tr("&Run"));
    m_actions.run->setEnabled(task || again || page == m_start);
    m_runActions->update();
    setWindowModified(task && task->isModified());
    const QString title = task ? task->title() : page ? page->windowTitle() : QString();
    setWindowTitle(page == m_start || title.isEmpty() ? tr("Emend")
                                                      : tr("%1[*] – Emend").arg(title));
}

// ---- closing ----

void MainWindow::removePage(QWidget *page)
{
    m_tabs->removeTab(m_tabs->indexOf(page));
    m_runTasks.erase(page);
    page->deleteLater();
}

void MainWindow::closeTab(int index)
{
    QWidget *page = m_tabs->widget(index);
    if (!page || page == m_start)
        return;
    QList<QPointer<TaskPage>> unsaved;
    if (auto *task = qobject_cast<TaskPage *>(page); task && task->isModified())
        unsaved << task;
    auto *view = qobject_cast<RunView *>(page);
    const auto *forks = qobject_cast<ForkPage *>(page);
    const bool going = (view && isLive(view->state())) || (forks && forks->isLive());
    const int live = going ? 1 : 0;
    askToClose(unsaved, live, [this, page = QPointer(page)] {
        if (page)
            removePage(page);
    });
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    QList<QPointer<TaskPage>> unsaved;
    for (auto *page : m_tabs->findChildren<TaskPage *>())
        if (page->isModified())
            unsaved << page;
    const int live = m_runActions->liveCount();
    if (m_mayClose || (unsaved.isEmpty() && live == 0)) {
        settings().setValue(u"window/geometry"_s, saveGeometry());
        event->accept();
        return;
    }
    event->ignore();
    askToClose(unsaved, live, [this] {
        m_mayClose = true;
        close();
    });
}

void MainWindow::askToClose(const QList<QPointer<TaskPage>> &unsaved, int live,
                            std::function<void()> agreed)
{
    if (unsaved.isEmpty() && live == 0) {
        agreed();
        return;
    }
    if (m_prompt)
        return; // a question is open already
    m_prompt = new ClosePrompt(this, unsaved, live,
                               [this](TaskPage *task, std::function<void(bool)> done) {
                                   m_files->save(task, false, std::move(done));
                               });
    connect(m_prompt, &ClosePrompt::agreed, this, std::move(agreed));
    m_prompt->start();
}

} // namespace emend::ui
