// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/codepanel.h"

#include "ui/code/attemptlist.h"
#include "ui/code/codewords.h"
#include "ui/code/gatetable.h"
#include "ui/code/outputpane.h"
#include "ui/code/sidebyside.h"
#include "ui/code/testmodel.h"
#include "ui/run/noticestrip.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

bool ranUnheld(const CodeFacts &facts)
{
    for (const AttemptFacts &attempt : facts.attempts)
        for (const VerificationFacts &run : attempt.verifications)
            if (!run.running && run.sandbox == "limits"_L1)
                return true;
    return false;
}

} // namespace

CodePanel::CodePanel(QWidget *parent)
    : QWidget(parent)
    , m_list(new AttemptList(this))
    , m_gate(new GateTable(this))
    , m_unheld(new NoticeStrip(Shape::Triangle, ColorRole::Warn, this))
    , m_empty(new QLabel(tr("The first attempt is being written."), this))
    , m_code(new SideBySide(this))
    , m_suite(new QComboBox(this))
    , m_circumstances(new QLabel(this))
    , m_tabs(new QTabWidget(this))
    , m_testModel(new TestModel(this))
    , m_tests(new QTableView(this))
    , m_output(new OutputPane(this))
    , m_feedback(new QPlainTextEdit(this))
{
    setObjectName(u"codePanel"_s);
    build();
    connect(m_list, &AttemptList::attemptChosen, this, &CodePanel::showAttempt);
    connect(m_suite, &QComboBox::currentIndexChanged, this, &CodePanel::showVerification);
}

void CodePanel::build()
{
    auto *right = new QSplitter(Qt::Vertical, this);
    right->setChildrenCollapsible(false);
    right->addWidget(m_code);
    right->addWidget(resultTabs());
    right->setStretchFactor(0, 3);
    right->setStretchFactor(1, 2);
    right->setSizes({540, 360});
    auto *columns = new QSplitter(Qt::Horizontal, this);
    columns->setObjectName(u"codeColumns"_s);
    columns->setChildrenCollapsible(false);
    columns->addWidget(m_list);
    columns->addWidget(right);
    columns->setStretchFactor(0, 0);
    columns->setStretchFactor(1, 1);
    columns->setSizes({260, 900});
    m_list->setMinimumWidth(180);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_unheld);
    layout->addWidget(m_gate);
    m_unheld->setObjectName(u"unheldStrip"_s);
    layout->addWidget(m_empty, 1);
    layout->addWidget(columns, 1);
    columns->hide();
}

QWidget *CodePanel::resultTabs()
{
    m_tests->setObjectName(u"testTable"_s);
    m_tests->setAccessibleName(tr("Tests"));
    m_tests->setModel(m_testModel);
    m_tests->setFrameShape(QFrame::NoFrame);
    m_tests->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tests->setSelectionMode(QAbstractItemView::SingleSelection);
    m_tests->setShowGrid(false);
    m_tests->setWordWrap(false);
    m_tests->setTabKeyNavigation(false);
    m_tests->verticalHeader()->hide();
    m_tests->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_tests->verticalHeader()->setDefaultSectionSize(space::three + space::half);
    QHeaderView *header = m_tests->horizontalHeader();
    header->setHighlightSections(false);
    header->resizeSection(TestModel::Status, 96);
    header->resizeSection(TestModel::Name, 240);
    header->resizeSection(TestModel::Time, 88);
    header->setSectionResizeMode(TestModel::Message, QHeaderView::Stretch);
    m_feedback->setObjectName(u"feedbackSent"_s);
    m_feedback->setAccessibleName(tr("Feedback sent"));
    m_feedback->setReadOnly(true);
    m_feedback->setFont(fixedFont());
    m_feedback->setFrameShape(QFrame::NoFrame);
    m_feedback->setTabChangesFocus(true);
    m_suite->setObjectName(u"suiteChoice"_s);
    m_suite->setAccessibleName(tr("Which run of the tests"));
    m_circumstances->setObjectName(u"circumstances"_s);
    m_circumstances->setTextFormat(Qt::PlainText);
    m_circumstances->setForegroundRole(QPalette::PlaceholderText);
    m_tabs->setObjectName(u"resultTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_tests, tr("Tests"));
    m_tabs->addTab(m_output, tr("Output"));
    m_tabs->addTab(m_feedback, tr("Feedback sent"));

    auto *pane = new QWidget(this);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(space::one, space::half, space::one, 0);
    bar->addWidget(m_suite);
    bar->addWidget(m_circumstances, 1);
    auto *layout = new QVBoxLayout(pane);
    layout->setContentsMargins({});
    layout->setSpacing(space::half);
    layout->addLayout(bar);
    layout->addWidget(m_tabs, 1);
    return pane;
}

void CodePanel::setFacts(const CodeFacts &facts)
{
    m_facts = facts;
    std::size_t runs = 0;
    for (const AttemptFacts &attempt : facts.attempts)
        runs += attempt.verifications.size();
    if (runs != std::exchange(m_runs, runs))
        m_output->setOutput({}); // of the run before
    m_code->setLanguage(facts.language);
    const bool any = !facts.attempts.empty();
    m_empty->setVisible(!any);
    findChild<QSplitter *>(u"codeColumns"_s)->setVisible(any);
    m_gate->setGate(facts.gate);
    m_unheld->setText(
        ranUnheld(facts)
            ? tr("The code of this run was not held by a sandbox: it ran with limits on "
                 "time, memory and processes only.")
            : QString());
    const int before = m_list->chosen();
    m_list->setAttempts(facts.attempts);
    if (any && m_list->chosen() == before)
        showAttempt(before); // the same one, with more known about it
}

const AttemptFacts *CodePanel::before(int index) const
{
    // The second solution knows nothing of the first: they are compared because they should agree.
    if (index <= 0)
        return nullptr;
    for (int i = index - 1; i >= 0; --i)
        if (const AttemptFacts &earlier = m_facts.attempts[static_cast<std::size_t>(i)];
            !earlier.solution.empty())
            return &earlier;
    return nullptr;
}

// Of the runs of the tests on it: the first that did not pass, else the one that is going on.
int CodePanel::worthSeeing(const AttemptFacts &attempt)
{
    const auto &runs = attempt.verifications;
    auto found = std::find_if(runs.begin(), runs.end(), [](const VerificationFacts &run) {
        return !run.running && !run.passed;
    });
    if (found == runs.end())
        found = std::find_if(runs.begin(), runs.end(),
                             [](const VerificationFacts &run) { return run.running; });
    return found == runs.end() ? 0 : static_cast<int>(found - runs.begin());
}

void CodePanel::showAttempt(int index)
{
    if (index < 0 || index >= static_cast<int>(m_facts.attempts.size()))
        return;
    const AttemptFacts &attempt = m_facts.attempts[static_cast<std::size_t>(index)];
    const bool another = index != m_shown;
    m_shown = index;
    showCode(attempt);
    const int runs = static_cast<int>(attempt.verifications.size());
    const int chosen =
        another || m_suite->count() != runs ? worthSeeing(attempt) : m_suite->currentIndex();
    {
        const QSignalBlocker quiet(m_suite);
        m_suite->clear();
        for (const VerificationFacts &run : attempt.verifications)
            m_suite->addItem(codewords::suite(run.suite));
        m_suite->setCurrentIndex(std::min(chosen, runs - 1));
    }
    m_suite->setVisible(runs > 1);
    m_feedback->setPlainText(visible(attempt.feedback));
    m_feedback->setPlaceholderText(attempt.feedback.isEmpty() ? tr("Nothing was sent back.")
                                                              : QString());
    showVerification(m_suite->currentIndex());
}

void CodePanel::showCode(const AttemptFacts &attempt)
{
    const AttemptFacts *earlier = before(m_shown);
    const SideBySide::Side now{codewords::attemptTitle(attempt), attempt.solution};
    if (earlier != nullptr && !attempt.solution.empty())
        m_code->showBoth({codewords::attemptTitle(*earlier), earlier->solution}, now);
    else
        m_code->showOne(now);
}

void CodePanel::showVerification(int index)
{
    const AttemptFacts &attempt = m_facts.attempts[static_cast<std::size_t>(m_shown)];
    if (index < 0 || index >= static_cast<int>(attempt.verifications.size())) {
        m_testModel->setTests({}, palette());
        m_output->setOutput({});
        m_circumstances->setText(oneLine(attempt.problem));
        return;
    }
    const VerificationFacts &run = attempt.verifications[static_cast<std::size_t>(index)];
    m_testModel->setTests(run.tests, palette());
    if (!run.running)
        m_output->setOutput(run.output);
    QString words = codewords::circumstances(run);
    if (!run.running && !run.passed) {
        const QString why = run.message.isEmpty() ? codewords::cause(run.cause) : run.message;
        words = oneLine(why) + (words.isEmpty() ? QString() : u" · "_s + words);
    }
    m_circumstances->setText(words);
    m_circumstances->setToolTip(plainToolTip(words));
    if (run.tests.empty() && !run.output.empty()) {
        showOutput(); // the tests never got as far as a result
    } else if (!run.tests.empty() && m_outputShown) {
        m_outputShown = false;
        m_tabs->setCurrentWidget(m_tests);
    }
}

void CodePanel::addOutput(std::string_view bytes)
{
    if (m_shown < 0)
        return;
    m_output->append(bytes);
    if (m_testModel->rowCount() == 0)
        showOutput();
}

// Where there is nothing else to see yet; not away from what a person has chosen.
void CodePanel::showOutput()
{
    if (m_tabs->currentWidget() != m_tests)
        return;
    m_outputShown = true;
    m_tabs->setCurrentWidget(m_output);
}

void CodePanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_shown >= 0)
        showVerification(m_suite->currentIndex());
}

} // namespace emend::ui
