// SPDX-License-Identifier: GPL-3.0-or-later
// The codes that stand in members of the trace; kinds and states are in vocabulary.cpp.
#include <algorithm>
#include <iterator>

#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

struct Word {
    const char *code;
    const char *word;
};

constexpr const char *context = "emend::ui::Vocabulary";

template<std::size_t N>
QString find(const Word (&words)[N], QStringView code)
{
    for (const Word &word : words) {
        if (code == QLatin1StringView(word.code))
            return QCoreApplication::translate(context, word.word);
    }
    return code.toString();
}

} // namespace

QString Vocabulary::category(QStringView code)
{
    static constexpr Word words[] = {
        {"empty_response", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Empty reply")},
        {"invalid_json", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Not valid JSON")},
        {"decision_schema", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Not a valid decision")},
        {"unknown_tool", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Unknown tool")},
        {"invalid_tool_input", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Invalid tool input")},
        {"repeated_failed_action",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Repeated a failed action")},
        {"unsupported_success",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Success without support")},
    };
    return find(words, code);
}

QString Vocabulary::categoryRule(QStringView code)
{
    static constexpr Word words[] = {
        {"empty_response",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "A reply must contain a decision.")},
        {"invalid_json",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary",
                           "A reply must be exactly one JSON object, with nothing around it.")},
        {"decision_schema",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary",
                           "A decision must be an action with reason, tool and input, or a final "
                           "with its verdict and summary, with exact types.")},
        {"unknown_tool",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary",
                           "The tool must be one of the task's tools, spelled exactly.")},
        {"invalid_tool_input",
         QT_TRANSLATE_NOOP(
             "emend::ui::Vocabulary",
             "The input must fit the tool's schema; unknown parameters are refused.")},
        {"repeated_failed_action",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary",
                           "An action that failed must not be repeated unchanged.")},
        {"unsupported_success",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary",
                           "Success may be claimed only if at least one action succeeded.")},
    };
    const QString rule = find(words, code);
    return rule == code ? QString() : rule;
}

QString Vocabulary::reason(QStringView code)
{
    static constexpr Word words[] = {
        {"final", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "The model gave a final decision")},
        {"corrections_exhausted",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary",
                           "No valid decision: every correction of one step was used up")},
        {"action_limit", QT_TRANSLATE_NOOP("emend::ui::Vocabulary",
                                           "The limit of actions was reached without a decision")},
        {"attempts_exhausted", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "All attempts failed")},
        {"confirmed",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "A second, independent solution agrees")},
        {"disagreement",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "A second, independent solution disagrees")},
        {"verifier_unavailable",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "The checks could not be run")},
        {"bad_task", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "The task cannot be run as it is")},
        {"killed", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Ended at once by a person")},
        {"escalated_by_person",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Handed over by a person")},
    };
    if (code.startsWith("budget:"_L1))
        return tr("A bound was reached: %1").arg(bound(code.mid(7)));
    if (code.startsWith("transport:"_L1))
        return tr("The model could not be reached: %1").arg(transportClass(code.mid(10)));
    if (code.startsWith("step:"_L1))
        return tr("The step “%1” failed").arg(code.mid(5));
    return find(words, code);
}

QString Vocabulary::breakerWhy(QStringView code)
{
    static constexpr Word words[] = {
        {"failures", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "too many failures in a row")},
        {"cooldown", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "its cooldown is over")},
        {"trial_succeeded", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the trial call succeeded")},
        {"trial_failed", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the trial call failed")},
        {"person", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "a person changed it")},
        {"config", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the task says so")},
    };
    return find(words, code);
}

QString Vocabulary::breakerName(QStringView name)
{
    if (name.startsWith("provider:"_L1))
        return tr("%1 (model)").arg(name.mid(9));
    return name.toString();
}

QString Vocabulary::transportClass(QStringView code)
{
    static constexpr Word words[] = {
        {"rate_limited", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "too many requests")},
        {"quota_exhausted", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the quota is used up")},
        {"overloaded", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the provider is overloaded")},
        {"server_error", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "an error of the server")},
        {"auth", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the key was refused")},
        {"not_found", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "no such model or address")},
        {"bad_request", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the request was refused")},
        {"context_overflow",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the prompt is too long for the model")},
        {"content_blocked",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the provider blocked the reply")},
        {"no_choices", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "an answer without a reply")},
        {"bad_body", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "an answer that cannot be read")},
        {"stream_error", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "an error inside the stream")},
        {"stream_truncated", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the stream was cut")},
        {"timeout", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "no answer in time")},
        {"connection", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "no connection")},
        {"unsupported_stop",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "stopped in a way that is not supported")},
        {"breaker_open",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "the provider's circuit breaker is open")},
        {"cancelled", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "aborted by a person")},
    };
    return find(words, code);
}

QString Vocabulary::bound(QStringView code)
{
    static constexpr Word words[] = {
        {"max_actions", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "actions")},
        {"max_corrections", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "corrections of a step")},
        {"max_tool_retries", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "tool retries")},
        {"max_attempts", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "attempts")},
        {"max_model_calls", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "model calls")},
        {"max_tokens", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "tokens")},
        {"max_cost_usd", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "cost in US dollars")},
        {"max_seconds", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "seconds")},
    };
    return find(words, code);
}

QString Vocabulary::normalisation(QStringView code)
{
    static constexpr Word words[] = {
        {"bom", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "byte order mark removed")},
        {"think", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "thinking block removed")},
        {"fence", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "code fence removed")},
        {"legacy_state", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "missing “state” filled in")},
        {"legacy_thought",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "“thought” read as “reason”")},
        {"empty_tool_input",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "missing “tool_input” read as empty")},
    };
    return find(words, code);
}

QString Vocabulary::mode(QStringView code)
{
    static constexpr Word words[] = {
        {"react", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Decide and act")},
        {"code", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Code with tests")},
        {"reflect", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Answer with checks")},
        {"pipeline", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Pipeline")},
    };
    return find(words, code);
}

QString Vocabulary::role(QStringView code)
{
    static constexpr Word words[] = {
        {"system", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "System")},
        {"user", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "User")},
        {"assistant", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Assistant")},
    };
    return find(words, code);
}

QString Vocabulary::inFlight(QStringView what)
{
    static constexpr Word words[] = {
        {"model", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "model call")},
        {"tool", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "tool")},
        {"wait", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "wait before a retry")},
    };
    return find(words, what);
}

QString Vocabulary::fate(QStringView code)
{
    static constexpr Word words[] = {
        {"aborted", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "aborted")},
        {"finished, result dropped",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "finished, result dropped")},
    };
    return find(words, code);
}

QString Vocabulary::waitReason(QStringView code)
{
    static constexpr Word words[] = {
        {"backoff", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "backing off")},
        {"retry_after", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "as the provider asked")},
    };
    return find(words, code);
}

QString Vocabulary::waiting(qint64 leftUs, int retry, int of, QStringView why, QStringView failure)
{
    const qint64 seconds = std::max<qint64>(0, (leftUs + 999'999) / 1'000'000);
    const QString left =
        seconds < 120 ? tr("%1 s").arg(seconds)
                      : tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60, 2, 10, QChar(u'0'));
    QString text = tr("Waiting %1 before retry %2 of %3: ").arg(left).arg(retry).arg(of);
    text += why == "retry_after"_L1 ? tr("the server asked for it") : waitReason(why);
    if (!failure.isEmpty())
        text += tr(" (%1)").arg(transportClass(failure));
    return text;
}

QString Vocabulary::damage(int lines, core::LineProblem first, qint64 row)
{
    if (lines <= 0)
        return {};
    const QString count =
        lines == 1
            ? tr("This trace is damaged: 1 line is not as it was written.")
            : tr("This trace is damaged: %Ln lines are not as they were written.", nullptr, lines);
    const QString place = lines == 1 ? tr("Row %1: %2.") : tr("The first is row %1: %2.");
    return count + u' ' + place.arg(countText(row + 1), problem(first).word.toLower());
}

QString Vocabulary::reserved(qint64 tokens, bool aborted)
{
    return (aborted ? tr("incl. %1 reserved for the aborted call")
                    : tr("incl. %1 reserved for calls that failed"))
        .arg(countText(tokens));
}

QString Vocabulary::redactionRule(QStringView code)
{
    static constexpr Word words[] = {
        {"known_value", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "a key that Emend knows")},
        {"field_name",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "a field whose name says it is a secret")},
        {"key_format", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "text that looks like a key")},
    };
    if (code.startsWith("pattern "_L1))
        return tr("your pattern %1").arg(code.mid(8));
    return find(words, code);
}

QString Vocabulary::skipReason(QStringView code)
{
    static constexpr Word words[] = {
        {"breaker_open", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "its breaker is open")},
        {"breaker_forced_open",
         QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "a person holds its breaker open")},
    };
    return find(words, code);
}

QString Vocabulary::contextMeasure(QStringView code)
{
    static constexpr Word words[] = {
        {"compressed", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "White space compressed")},
        {"shortened", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Shortened")},
        {"dropped", QT_TRANSLATE_NOOP("emend::ui::Vocabulary", "Dropped")},
    };
    return find(words, code);
}

} // namespace emend::ui
