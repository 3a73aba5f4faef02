// SPDX-License-Identifier: GPL-3.0-or-later
// escalations: the inbox of runs that wait for a person.
#include <iomanip>
#include <iostream>
#include <iterator>
#include <optional>

#include <QDateTime>
#include <QSaveFile>

#include "app/cli/commands.h"
#include "app/cli/members.h"
#include "app/cli/recorder.h"
#include "app/cli/signals.h"
#include "app/workbench.h"
#include "core/base/closest.h"
#include "core/base/text.h"
#include "tools/scenario/scenariofile.h"

namespace emend::app {

using namespace emend::core;
using nlohmann::json;

namespace {

const std::vector<std::string> actions = {"list", "show", "export", "claim", "release", "answer"};
const std::vector<std::string> answerOptions = {"--decision", "--tool-result", "--hint", "--code",
                                                "--dismiss"};

std::string compact(const json &value)
{
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void printJson(const json &value)
{
    std::cout << value.dump(2, ' ', false, json::error_handler_t::replace) << std::endl;
}

int usage(const std::string &problem)
{
    std::cerr << "emend-cli: " << visibleLine(problem, 1000) << std::endl;
    return ExitUsage;
}

// An id that fits nothing and an answer that fits nowhere are mistakes of usage; a trace or a
// decision that cannot be read is a bad file; an inbox that cannot be used is neither.
int reportError(const Error &error)
{
    const std::string text = error.text();
    std::cerr << "emend-cli: " << visibleLine(text, text.size()) << std::endl;
    switch (error.code) {
    case ErrorCode::Unwritable:
    case ErrorCode::BadVersion:
        return ExitInternal;
    case ErrorCode::NotFound:
    case ErrorCode::NotSupported:
        return error.file.empty() ? ExitUsage : ExitBadFile;
    default:
        return ExitBadFile;
    }
}

// "3 min", "2 h", "5 d": how long ago that was.
std::string age(const std::string &utc)
{
    const auto then = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
    const qint64 seconds = then.secsTo(QDateTime::currentDateTimeUtc());
    if (!then.isValid() || seconds < 60)
        return then.isValid() ? "now" : "?";
    if (seconds < 3600)
        return std::to_string(seconds / 60) + " min";
    return seconds < 86'400 ? std::to_string(seconds / 3600) + " h"
                            : std::to_string(seconds / 86'400) + " d";
}

std::string padded(const std::string &text, std::size_t width)
{
    const std::string shown = visibleLine(text, width);
    const std::size_t length = countCodePoints(shown);
    return shown + std::string(length < width ? width - length : 0, ' ');
}

std::string stateOf(const Escalation &one)
{
    std::string state(escalationStateName(one.state));
    if (one.state == EscalationState::Answered)
        state += one.outcome.empty() ? ", goes on" : ", " + one.outcome;
    return state;
}

void printTable(const std::vector<Escalation> &list)
{
    if (list.empty()) {
        std::cerr << "No escalations." << std::endl;
        return;
    }
    std::cout << padded("ID", 10) << padded("STATE", 24) << padded("AGE", 8) << padded("TASK", 30)
              << "  REASON\n";
    for (const Escalation &one : list)
        std::cout << padded(one.id, 10) << padded(stateOf(one), 24) << padded(age(one.openedAt), 8)
                  << padded(one.taskName, 30) << "  " << visibleLine(one.reason, 60) << '\n';
    std::cout.flush();
}

std::string kindsThatFit(const Situation &situation)
{
    std::string out;
    const struct {
        AnswerKind kind;
        const char *option;
    } kinds[] = {{AnswerKind::Decision, "--decision"},
                 {AnswerKind::ToolResult, "--tool-result"},
                 {AnswerKind::Hint, "--hint"},
                 {AnswerKind::Code, "--code"}};
    for (const auto &[kind, option] : kinds)
        if (situation.fits(kind))
            out += std::string(option) + ", ";
    return out + "--dismiss";
}

json situationToJson(const EscalationDetail &detail)
{
    if (!detail.situation)
        return nullptr;
    const Situation &at = *detail.situation;
    json fits = json::array();
    for (const AnswerKind kind :
         {AnswerKind::Decision, AnswerKind::ToolResult, AnswerKind::Hint, AnswerKind::Code})
        if (at.fits(kind))
            fits.push_back(answerKindName(kind));
    return {{"step", at.step},
            {"attempt", at.attempt},
            {"tool_step", at.toolStep > 0 ? json(at.toolStep) : json()},
            {"tool", at.tool.empty() ? json() : json(at.tool)},
            {"tool_state", at.toolState.empty() ? json() : json(at.toolState)},
            {"last_reply", at.lastReply},
            {"fits", fits}};
}

void printDetail(const EscalationDetail &detail)
{
    const Escalation &one = detail.escalation;
    const auto line = [](const std::string &label, const std::string &value) {
        if (!value.empty())
            std::cout << padded(label, 15) << visibleLine(value, 2000) << '\n';
    };
    line("escalation", one.id);
    line("state", stateOf(one));
    line("opened", one.openedAt + " by the " + one.by);
    line("reason", one.reason);
    line("task", one.taskName);
    line("mode", one.mode);
    line("run", one.runId);
    line("trace", one.traceFile);
    line("follows", one.parent);
    line("attempts", std::to_string(one.attempts));
    line("final attempt", one.finalAttempt);
    line("last feedback", one.lastFeedback);
    if (!one.claimedBy.empty())
        line("claimed", "by " + one.claimedBy + " at " + one.claimedAt);
    line("answer", one.answer);
    line("goes on in", one.answerTrace);
    if (detail.situation) {
        line("stopped in", "step " + std::to_string(detail.situation->step) + ", attempt " +
                               std::to_string(detail.situation->attempt));
        if (detail.situation->toolStep > 0)
            line("action", (detail.situation->tool.empty()
                                ? "of step " + std::to_string(detail.situation->toolStep)
                                : detail.situation->tool) +
                               ": " + detail.situation->toolState);
        if (mayAnswer(one))
            line("answer with", kindsThatFit(*detail.situation));
    }
    line("problem", detail.traceProblem);
    std::cout.flush();
}

// Nothing, and the code: there is no such state.
std::optional<std::vector<Escalation>> chosen(Escalations &inbox, const Arguments &arguments,
                                              int &code)
{
    std::optional<EscalationState> state;
    if (arguments.has("--state")) {
        state = escalationStateFromName(arguments.value("--state"));
        if (!state) {
            code = usage("--state is open, claimed, answered or dismissed");
            return std::nullopt;
        }
    }
    auto list = inbox.list();
    if (!list) {
        code = reportError(list.error());
        return std::nullopt;
    }
    std::vector<Escalation> out;
    for (Escalation &one : *list)
        if (!state || one.state == *state)
            out.push_back(std::move(one));
    return out;
}

int listEscalations(Escalations &inbox, const Arguments &arguments)
{
    int code = ExitSatisfied;
    const auto list = chosen(inbox, arguments, code);
    if (!list)
        return code;
    if (!arguments.has("--json")) {
        printTable(*list);
        return ExitSatisfied;
    }
    json out = json::array();
    for (const Escalation &one : *list)
        out.push_back(escalationToJson(one));
    printJson(out);
    return ExitSatisfied;
}

int showEscalation(Escalations &inbox, const Arguments &arguments)
{
    const auto detail = inbox.detail(arguments.second);
    if (!detail)
        return reportError(detail.error());
    if (!arguments.has("--json")) {
        printDetail(*detail);
        return ExitSatisfied;
    }
    json out = escalationToJson(detail->escalation);
    out["situation"] = situationToJson(*detail);
    out["trace_problem"] = detail->traceProblem.empty() ? json() : json(detail->traceProblem);
    printJson(out);
    return ExitSatisfied;
}

int exportEscalations(Escalations &inbox, const Arguments &arguments)
{
    int code = ExitSatisfied;
    const auto list = chosen(inbox, arguments, code);
    if (!list)
        return code;
    std::string lines;
    for (auto one = list->rbegin(); one != list->rend(); ++one) // in the order of time
        lines += compact(escalationToExport(*one)) + "\n";
    const std::string path = arguments.value("-o");
    if (!arguments.has("-o") || path == "-") {
        std::cout << lines << std::flush;
        return ExitSatisfied;
    }
    QSaveFile file(QString::fromStdString(path)); // beside it, then renamed: never half a file
    const auto size = static_cast<qint64>(lines.size());
    if (file.open(QIODevice::WriteOnly) && file.write(lines.data(), size) == size && file.commit())
        return ExitSatisfied;
    Error error;
    error.code = ErrorCode::Unwritable;
    error.file = path;
    error.message = "cannot be written: " + file.errorString().toStdString();
    return reportError(error);
}

// The text of an option that names a file, or "-" for stdin.
Result<std::string> textOfFile(const std::string &path)
{
    if (path == "-")
        return std::string{std::istreambuf_iterator<char>(std::cin), {}};
    return tools::readTextFile(path);
}

std::optional<Answer> answerOf(const Arguments &arguments, int &code)
{
    if (arguments.has("--failed") && !arguments.has("--tool-result")) {
        code = usage("--failed goes with --tool-result");
        return std::nullopt;
    }
    if (arguments.has("--hint"))
        return Answer{AnswerKind::Hint, arguments.value("--hint"), false};
    if (arguments.has("--tool-result"))
        return Answer{AnswerKind::ToolResult, arguments.value("--tool-result"),
                      arguments.has("--failed")};
    const bool isCode = arguments.has("--code");
    const std::string path = arguments.value(isCode ? "--code" : "--decision");
    auto text = textOfFile(path);
    if (!text) {
        code = reportBadFile(text.error(), path);
        return std::nullopt;
    }
    return Answer{isCode ? AnswerKind::Code : AnswerKind::Decision, std::move(*text), false};
}

int goOn(Workbench &workbench, const Arguments &arguments, const Answer &answer)
{
    Timeline timeline(stderr);
    Recorder recorder(arguments.has("--quiet") ? nullptr : &timeline);
    RunControl control(workbench.clock());
    const KillOnSignal signals(control);
    const auto report =
        workbench.answer(arguments.second, answer, arguments.value("--trace"), control, recorder);
    if (!report) {
        Error error = report.error();
        if (answer.kind == AnswerKind::Decision && error.line > 0 && error.file.empty())
            error.file = arguments.value("--decision");
        return reportError(error);
    }
    if (report->result.traceError)
        reportBadFile(*report->result.traceError);
    reportEscalation(workbench, *report, arguments.has("--quiet"));
    if (report->difference)
        std::cerr << "emend-cli: the run left its recording: "
                  << visibleLine(report->difference->what, 1000) << std::endl;
    const json summary = recorder.summary.toJson();
    if (arguments.has("--json")) {
        json out = summary;
        out["trace"] = report->traceFile;
        out["escalation"] = report->escalation.empty() ? json() : json(report->escalation);
        printJson(out);
    } else if (const std::string final = textOf(summary, "final_summary"); !final.empty()) {
        std::cout << visibleLine(final, final.size()) << std::endl;
    }
    if (!arguments.has("--quiet"))
        std::cerr << "  trace " << visibleLine(report->traceFile, 1000) << std::endl;
    return exitCodeOf(report->result.outcome);
}

int changed(const Result<Escalation> &result, const Arguments &arguments)
{
    if (!result)
        return reportError(result.error());
    if (arguments.has("--json"))
        printJson(escalationToJson(*result));
    else
        std::cerr << "Escalation " << result->id << " is " << stateOf(*result) << '.' << std::endl;
    return ExitSatisfied;
}

int answerEscalation(Workbench &workbench, const Arguments &arguments)
{
    int given = 0;
    for (const std::string &option : answerOptions)
        given += arguments.has(option) ? 1 : 0;
    if (given != 1)
        return usage("an answer is one of --decision, --tool-result, --hint, --code and --dismiss");
    if (arguments.has("--dismiss")) {
        if (trimBlank(arguments.value("--dismiss")).empty())
            return usage("--dismiss needs a reason");
        return changed(
            workbench.escalations().dismiss(arguments.second, arguments.value("--dismiss")),
            arguments);
    }
    int code = ExitSatisfied;
    const auto answer = answerOf(arguments, code);
    return answer ? goOn(workbench, arguments, *answer) : code;
}

} // namespace

// The inbox can be written to, and this run has cost far more than a look at its traces does: so
// whatever an earlier run could not put there gets in as well. Commands that end without an
// escalation leave the inbox alone; everything that shows it looks for itself.
void reportEscalation(Workbench &workbench, const RunReport &report, bool quiet)
{
    if (!report.escalation.empty() && report.escalationProblem.empty())
        (void)workbench.escalations().rescan({});
    if (!report.escalationProblem.empty())
        std::cerr << "emend-cli: the escalation is in the trace, but not in the inbox: "
                  << visibleLine(report.escalationProblem, 1000)
                  << "; \"emend-cli escalations list\" tries again" << std::endl;
    else if (!report.escalation.empty() && !quiet)
        std::cerr << "  escalation " << report.escalation << std::endl;
}

int escalationsCommand(Workbench &workbench, const Arguments &arguments)
{
    const std::string &action = arguments.operand;
    const bool needsId =
        action == "show" || action == "answer" || action == "claim" || action == "release";
    if (std::find(actions.begin(), actions.end(), action) == actions.end()) {
        const std::string near = closestName(action, actions);
        return usage("escalations knows list, show, export, claim, release and answer" +
                     (near.empty() ? "" : "; did you mean " + near + "?"));
    }
    if (needsId && arguments.second.empty())
        return usage("escalations " + action + " needs the ID of an escalation");
    if (!needsId && !arguments.second.empty())
        return usage("unexpected argument " + arguments.second);
    Escalations &inbox = workbench.escalations();
    // What an earlier run could not put into the inbox; what is in it can be shown all the same.
    if (const auto scanned = inbox.rescan({}); !scanned) {
        const std::string text = scanned.error().text();
        std::cerr << "emend-cli: runs may be missing here: " << visibleLine(text, 1000)
                  << std::endl;
    }
    if (action == "list")
        return listEscalations(inbox, arguments);
    if (action == "show")
        return showEscalation(inbox, arguments);
    if (action == "export")
        return exportEscalations(inbox, arguments);
    if (action == "claim")
        return changed(inbox.claim(arguments.second), arguments);
    if (action == "release")
        return changed(inbox.release(arguments.second), arguments);
    return answerEscalation(workbench, arguments);
}

} // namespace emend::app
