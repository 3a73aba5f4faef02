// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/escalationwords.h"

#include <QLocale>

#include <nlohmann/json.hpp>

#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

QString member(const std::string &object, const char *key)
{
    const auto parsed = nlohmann::json::parse(object, nullptr, false);
    const auto it = parsed.is_object() ? parsed.find(key) : parsed.end();
    return parsed.is_object() && it != parsed.end() && it->is_string()
               ? QString::fromStdString(it->get<std::string>())
               : QString();
}

QDateTime fromUtc(const std::string &utc)
{
    return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
}

} // namespace

Term EscalationWords::state(core::EscalationState state)
{
    switch (state) {
    case core::EscalationState::Open:
        return {tr("Open"), Shape::Person, ColorRole::Correction};
    case core::EscalationState::Claimed:
        return {tr("Claimed"), Shape::HalfDot, ColorRole::Warn};
    case core::EscalationState::Answered:
        return {tr("Answered"), Shape::Check, ColorRole::Good};
    case core::EscalationState::Dismissed:
        return {tr("Dismissed"), Shape::Ring, ColorRole::Muted};
    }
    return {};
}

QString EscalationWords::stateAndOutcome(const core::Escalation &escalation)
{
    const QString word = state(escalation.state).word;
    if (escalation.state != core::EscalationState::Answered)
        return word;
    if (escalation.outcome.empty())
        return tr("%1, the run goes on").arg(word);
    if (escalation.outcome == "lost")
        return tr("%1, but the run died").arg(word);
    return tr("%1, %2").arg(
        word, Vocabulary::outcome(QString::fromStdString(escalation.outcome)).word.toLower());
}

QString EscalationWords::age(const std::string &openedAt, const QDateTime &now)
{
    const QDateTime then = fromUtc(openedAt);
    if (!then.isValid())
        return tr("unknown");
    const qint64 seconds = then.secsTo(now);
    if (seconds < 60)
        return tr("now");
    if (seconds < 3600)
        return tr("%1 min").arg(seconds / 60);
    return seconds < 86'400 ? tr("%1 h").arg(seconds / 3600) : tr("%1 d").arg(seconds / 86'400);
}

QString EscalationWords::moment(const std::string &utc)
{
    const QDateTime then = fromUtc(utc);
    return then.isValid() ? QLocale().toString(then.toLocalTime(), QLocale::ShortFormat)
                          : oneLine(QString::fromStdString(utc), 40);
}

QString EscalationWords::answerKind(core::AnswerKind kind)
{
    switch (kind) {
    case core::AnswerKind::Decision:
        return tr("Edit the decision");
    case core::AnswerKind::ToolResult:
        return tr("Supply the tool's result");
    case core::AnswerKind::Hint:
        return tr("Message to the model");
    case core::AnswerKind::Code:
        return tr("Corrected code");
    }
    return {};
}

QString EscalationWords::answerKindOf(const std::string &answer)
{
    return answerKind(member(answer, "kind"));
}

QString EscalationWords::answerKind(QStringView kind)
{
    if (kind == "dismiss"_L1)
        return tr("Dismissed because");
    for (const core::AnswerKind one : {core::AnswerKind::Decision, core::AnswerKind::ToolResult,
                                       core::AnswerKind::Hint, core::AnswerKind::Code}) {
        const std::string_view name = core::answerKindName(one);
        if (kind == QLatin1String(name.data(), qsizetype(name.size())))
            return answerKind(one);
    }
    return kind.toString();
}

QString EscalationWords::answerTextOf(const std::string &answer)
{
    return member(answer, "text");
}

QString EscalationWords::opener(const std::string &by)
{
    return by == "person" ? tr("a person") : tr("the run itself");
}

QString EscalationWords::reason(const core::Escalation &escalation)
{
    const QString text = QString::fromStdString(escalation.reason).simplified();
    return oneLine(escalation.by == "loop" ? Vocabulary::reason(text) : text, 600);
}

QString EscalationWords::situation(const core::Situation &at)
{
    if (at.mode == core::Mode::Code)
        return tr("It goes on with attempt %1.").arg(at.attempt + 1);
    QString text = tr("It stopped in step %1.").arg(at.step);
    const QString tool = oneLine(QString::fromStdString(at.tool), 60);
    if (at.toolState == "aborted")
        text += u' ' + tr("%1 was running and gave no result.").arg(tool);
    else if (at.toolState == "not_begun")
        text += u' ' + tr("The action was decided and not begun.");
    else if (at.toolState == "failed")
        text += u' ' + tr("%1 had failed in step %2.").arg(tool).arg(at.toolStep);
    else
        text += u' ' + tr("The model's decision was due.");
    return text;
}

} // namespace emend::ui
