// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inbox/answerform.h"

#include "ui/shell/plainedit.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/escalationwords.h"
#include "ui/text/plaintext.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

// A decision is easier to edit with one member a line; what is no JSON stays as it came.
QString forEditing(const std::string &reply)
{
    const auto parsed = nlohmann::ordered_json::parse(reply, nullptr, false);
    return QString::fromStdString(parsed.is_discarded() ? reply : parsed.dump(2));
}

// With the place once: what is no JSON says it by itself.
QString words(const core::Error &error)
{
    const QString message = QString::fromStdString(error.message);
    const bool placed = message.contains(u"line %1 column %2"_s.arg(error.line).arg(error.column));
    return placed ? message : QString::fromStdString(error.text());
}

} // namespace

AnswerForm::AnswerForm(QWidget *parent)
    : QWidget(parent)
    , m_kinds(new QButtonGroup(this))
    , m_failed(new QCheckBox(tr("The action &failed; this is its error")))
    , m_where(quietLabel({}))
    , m_problem(new QLabel)
    , m_send(new QPushButton)
{
    setObjectName(u"answerForm"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(space::one);
    const std::pair<QString, QString> kinds[KindCount] = {
        {tr("&Message to the model"), u"answerHint"_s},
        {tr("&Edit the decision"), u"answerDecision"_s},
        {tr("&Supply the tool's result"), u"answerResult"_s},
        {tr("&Correct the code"), u"answerCode"_s},
        {tr("&Dismiss"), u"answerDismiss"_s}};
    for (int kind = 0; kind < KindCount; ++kind) {
        auto *button = new QRadioButton(kinds[kind].first);
        button->setObjectName(kinds[kind].second);
        m_kinds->addButton(button, kind);
        layout->addWidget(button);
    }
    layout->addWidget(buildPage(Hint, tr("What the model should know or do"),
                                tr("It reads this as part of your request, from here to the end "
                                   "of the run.")));
    layout->addWidget(buildPage(Decision, tr("The decision as JSON"),
                                tr("It takes the place of the model's reply in this step.")));
    layout->addWidget(buildPage(ToolResult, tr("What the action has given"), {}));
    layout->addWidget(buildPage(Code, tr("The whole source file"),
                                tr("The tests judge it as they would judge the model's.")));
    layout->addWidget(buildPage(Dismiss, tr("Why nothing is to be done"),
                                tr("The escalation is closed and no run goes on from it.")));
    m_texts[Decision]->setFont(fixedFont());
    m_texts[Code]->setFont(fixedFont());
    m_texts[Code]->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_problem->setObjectName(u"answerProblem"_s);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_problem);
    m_send->setObjectName(u"sendAnswer"_s);
    m_send->setProperty(primaryProperty, true);
    m_send->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->addWidget(m_send);
    row->addStretch(1);
    layout->addLayout(row);
    connect(m_kinds, &QButtonGroup::idToggled, this, [this](int kind, bool on) {
        if (on)
            choose(kind);
    });
    connect(m_failed, &QCheckBox::toggled, this, &AnswerForm::check);
    connect(m_send, &QPushButton::clicked, this, &AnswerForm::send);
    m_kinds->button(Hint)->setChecked(true);
}

QWidget *AnswerForm::buildPage(Kind kind, const QString &label, const QString &hint)
{
    static const std::array<QString, KindCount> names{
        u"hintText"_s, u"decisionText"_s, u"resultText"_s, u"codeText"_s, u"dismissText"_s};
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins({});
    layout->setSpacing(space::half);
    auto *edit = m_texts[kind] =
        new PlainEdit(kind == Decision || kind == Code ? 6 : 3, kind == Code ? 24 : 14);
    edit->setObjectName(names[kind]);
    edit->setAccessibleName(label);
    auto *title = new QLabel(label);
    title->setBuddy(edit);
    layout->addWidget(title);
    layout->addWidget(edit);
    if (kind == ToolResult) {
        m_failed->setObjectName(u"resultFailed"_s);
        layout->addWidget(m_failed);
        layout->addWidget(m_where);
    } else {
        layout->addWidget(quietLabel(hint));
    }
    layout->addStretch(1);
    connect(edit, &QPlainTextEdit::textChanged, this, [this] {
        m_touched = true;
        check();
    });
    return page;
}

AnswerForm::Kind AnswerForm::kind() const
{
    return static_cast<Kind>(std::max(0, m_kinds->checkedId()));
}

core::Answer AnswerForm::answer() const
{
    static constexpr core::AnswerKind kinds[] = {core::AnswerKind::Hint, core::AnswerKind::Decision,
                                                 core::AnswerKind::ToolResult,
                                                 core::AnswerKind::Code};
    core::Answer out;
    out.kind = kind() == Dismiss ? core::AnswerKind::Hint : kinds[kind()];
    out.text = m_texts[kind()]->text();
    out.failed = kind() == ToolResult && m_failed->isChecked();
    return out;
}

void AnswerForm::choose(int kind)
{
    for (int i = 0; i < KindCount; ++i)
        m_texts[std::size_t(i)]->parentWidget()->setVisible(i == kind);
    m_send->setText(kind == Dismiss ? tr("Dismiss") : tr("Answer and go on"));
    m_touched = kind == Decision || kind == Code;
    check();
}

void AnswerForm::check()
{
    QString problem;
    bool valid = false;
    if (kind() == Dismiss) {
        valid = !m_texts[Dismiss]->toPlainText().trimmed().isEmpty();
        problem = valid ? QString() : tr("Dismissing needs a reason.");
    } else if (m_situation) {
        const auto checked = core::checkAnswer(*m_situation, answer());
        valid = checked.has_value();
        if (!checked)
            problem = oneLine(words(checked.error()), 600);
    }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty() && m_touched);
    QPalette red = palette();
    red.setColor(QPalette::WindowText, roleColor(ColorRole::Bad, palette()));
    m_problem->setPalette(red);
    m_send->setEnabled(valid && !m_busy);
}

void AnswerForm::send()
{
    if (kind() == Dismiss)
        Q_EMIT dismissed(QString::fromStdString(m_texts[Dismiss]->text()));
    else
        Q_EMIT answered(answer());
}

void AnswerForm::setBusy(bool busy)
{
    m_busy = busy;
    check();
}

void AnswerForm::forget(const QString &id)
{
    m_drafts.erase(id);
    if (m_id == id)
        m_id.clear();
}

void AnswerForm::store()
{
    if (m_id.isEmpty())
        return;
    Draft &draft = m_drafts[m_id];
    draft.kind = kind();
    draft.failed = m_failed->isChecked();
    for (int i = 0; i < KindCount; ++i)
        draft.texts[std::size_t(i)] = m_texts[std::size_t(i)]->toPlainText();
}

void AnswerForm::restore()
{
    auto known = m_drafts.find(m_id);
    if (known == m_drafts.end()) {
        Draft fresh;
        if (m_situation)
            fresh.texts[m_situation->mode == core::Mode::Code ? Code : Decision] =
                m_situation->mode == core::Mode::Code
                    ? QString::fromStdString(m_situation->lastReply)
                    : forEditing(m_situation->lastReply);
        known = m_drafts.emplace(m_id, fresh).first;
    }
    const Draft draft = known->second;
    for (int i = 0; i < KindCount; ++i) {
        const QSignalBlocker quiet(m_texts[std::size_t(i)]);
        m_texts[std::size_t(i)]->setPlainText(draft.texts[std::size_t(i)]);
    }
    m_failed->setChecked(draft.failed);
    m_kinds->button(draft.kind)->setChecked(true);
    choose(draft.kind);
}

void AnswerForm::setSituation(const QString &id, const std::optional<core::Situation> &situation,
                              const QString &why)
{
    const bool same = id == m_id;
    if (!same)
        store();
    m_id = id;
    m_situation = situation;
    const auto fits = [&](core::AnswerKind wanted) { return situation && situation->fits(wanted); };
    m_kinds->button(Hint)->setEnabled(fits(core::AnswerKind::Hint));
    m_kinds->button(Decision)->setEnabled(fits(core::AnswerKind::Decision));
    m_kinds->button(ToolResult)->setEnabled(fits(core::AnswerKind::ToolResult));
    m_kinds->button(Code)->setEnabled(fits(core::AnswerKind::Code));
    const bool code = situation && situation->mode == core::Mode::Code;
    m_kinds->button(Code)->setVisible(code); // what a mode does not have is not offered at all
    m_kinds->button(Decision)->setVisible(!code);
    m_kinds->button(ToolResult)->setVisible(!code);
    m_kinds->button(ToolResult)
        ->setToolTip(fits(core::AnswerKind::ToolResult)
                         ? QString()
                         : tr("No action waits for a result: the last one succeeded, or none was "
                              "decided"));
    for (const Kind one : {Hint, Decision})
        m_kinds->button(one)->setToolTip(plainToolTip(why));
    if (situation && situation->toolStep > 0)
        m_where->setText(situation->tool.empty()
                             ? tr("For the action of step %1.").arg(situation->toolStep)
                             : tr("For %1 in step %2.")
                                   .arg(oneLine(QString::fromStdString(situation->tool), 60))
                                   .arg(situation->toolStep));
    if (!same)
        restore();
    if (!m_kinds->checkedButton()->isEnabled())
        m_kinds->button(Dismiss)->setChecked(true);
    check();
}

} // namespace emend::ui
