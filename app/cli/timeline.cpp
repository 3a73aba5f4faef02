// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/timeline.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/members.h"
#include "core/base/text.h"
#include "core/task/prices.h"

namespace emend::app {

using namespace emend::core;
using nlohmann::json;

namespace {

constexpr std::size_t widest = 160, usual = 110;

double number(const json &body, const char *key)
{
    const auto it = body.find(key);
    return it != body.end() && it->is_number() ? it->get<double>() : 0;
}

bool flag(const json &body, const char *key)
{
    const auto it = body.find(key);
    return it != body.end() && it->is_boolean() && it->get<bool>();
}

std::string duration(double us)
{
    std::array<char, 32> out{};
    if (us < 1000)
        std::snprintf(out.data(), out.size(), "%.0f µs", us);
    else if (us < 1e6)
        std::snprintf(out.data(), out.size(), "%.0f ms", us / 1e3);
    else
        std::snprintf(out.data(), out.size(), "%.1f s", us / 1e6);
    return out.data();
}

std::string whole(double value)
{
    return std::to_string(static_cast<long long>(value));
}

std::string joined(const json &body, const char *key)
{
    std::string out;
    const auto it = body.find(key);
    if (it != body.end() && it->is_array())
        for (const json &one : *it)
            out +=
                (out.empty() ? "" : ", ") + (one.is_string() ? one.get<std::string>() : one.dump());
    return out;
}

std::size_t terminalWidth(std::FILE *out)
{
    winsize size = {};
    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return std::min<std::size_t>(size.ws_col, widest);
    return usual;
}

std::string suiteWords(const json &body)
{
    const std::string suite = textOf(body, "suite");
    if (suite == "prepare")
        return "before the first attempt";
    if (suite == "generated")
        return "both solutions on generated inputs";
    return (textOf(body, "candidate") == "second" ? "second solution, " : "") +
           std::string(suite == "tests" ? "tests" : "edge tests");
}

} // namespace

Timeline::Timeline(std::FILE *out)
    : m_out(out)
    , m_color(isatty(fileno(out)) && std::getenv("NO_COLOR") == nullptr)
    , m_width(terminalWidth(out))
{}

std::string Timeline::painted(Tone tone, const std::string &words) const
{
    static constexpr std::array<const char *, 6> codes = {"", "2", "32", "31", "33", "36"};
    const char *code = codes[static_cast<std::size_t>(tone)];
    if (!m_color || *code == '\0')
        return words;
    return std::string("\033[") + code + "m" + words + "\033[0m";
}

void Timeline::began(const std::string &headerLine)
{
    const json header = json::parse(headerLine, nullptr, false);
    if (!header.is_object() || !header.contains("task"))
        return;
    const json &task = header["task"];
    const std::string name = textOf(task, "name");
    const auto line = [&](const char *label, const std::string &value) {
        std::fprintf(m_out, "  %s %s\n", painted(Tone::Dim, label).c_str(),
                     visibleLine(value, m_width - 12).c_str());
    };
    if (!name.empty())
        line("task ", name);
    line("goal ", textOf(task, "goal"));
    std::string model = textOf(task.value("model", json::object()), "provider");
    if (const std::string which = textOf(task.value("model", json::object()), "model");
        !which.empty())
        model += " " + which;
    line("model", model);
    if (textOf(objectOf(objectOf(task, "model"), "transport"), "tls") == "do_not_verify")
        std::fprintf(m_out, "  %s\n",
                     painted(Tone::Bad, "TLS is not verified in this run: anyone on the way can "
                                        "read and change what is sent")
                         .c_str());
}

bool Timeline::describeModel(const Event &event, const json &body, Row &row) const
{
    row.what = "model";
    if (event.kind == EventKind::ModelRequested) {
        const json context = objectOf(body, "context");
        row = {Tone::Dim, "→", "model",
               "asked, " + whole(number(context, "tokens")) + " tokens of context"};
        if (const std::string dropped = joined(context, "dropped"); !dropped.empty())
            row.text += ", left out: steps " + dropped;
    } else if (event.kind == EventKind::ModelReplied) {
        row = {Tone::Dim, "←", "model",
               "replied, " + whole(number(body, "tokens_out")) + " tokens, " +
                   duration(number(body, "duration_us"))};
        if (const double usd = number(body, "cost_usd"); usd > 0)
            row.text += ", " + dollars(usd);
        if (flag(body, "recorded"))
            row.text += ", from the recording";
        if (flag(body, "truncated"))
            row.text += ", cut by the token limit";
    } else if (event.kind == EventKind::ModelFailed) {
        row = {Tone::Bad, "✗", "model", textOf(body, "class") + ": " + textOf(body, "message")};
    } else {
        row = {Tone::Warn, "…", "waiting",
               duration(number(body, "wait_ms") * 1000) + " before retry " + textOf(body, "retry") +
                   " of " + textOf(body, "of") + " (" + textOf(body, "why") + ")"};
    }
    return true;
}

bool Timeline::describeDecision(const Event &event, const json &body, Row &row) const
{
    if (event.kind == EventKind::DecisionAccepted) {
        const bool action = textOf(body, "state") == "action";
        row = {Tone::Accent, "✓", action ? "action" : "final",
               action ? textOf(body, "tool") + " " + textOf(body, "tool_input") + "  " +
                            textOf(body, "reason")
                      : std::string(flag(body, "satisfied") ? "satisfied: " : "not satisfied: ") +
                            textOf(body, "final_summary")};
        if (const std::string removed = joined(body, "normalisations"); !removed.empty())
            row.text += "  [normalised: " + removed + "]";
    } else if (event.kind == EventKind::DecisionRejected) {
        row = {Tone::Bad, "✗", "rejected", textOf(body, "category") + ": " + textOf(body, "error")};
    } else if (event.kind == EventKind::CorrectionRequested) {
        row = {Tone::Warn, "↻", "correct",
               textOf(body, "category") + " sent back, correction " + textOf(body, "correction") +
                   " of " + textOf(body, "of")};
    } else {
        const bool resolved = flag(body, "resolved");
        row = {resolved ? Tone::Good : Tone::Bad, resolved ? "✓" : "✗",
               resolved ? "resolved" : "not yet",
               resolved ? textOf(body, "category") + " is mended"
                        : "now " + textOf(body, "result_category")};
    }
    return true;
}

bool Timeline::describeTool(const Event &event, const json &body, Row &row) const
{
    const std::string tool = textOf(body, "tool");
    if (event.kind == EventKind::ToolStarted) {
        row = {Tone::Dim, "▸", "tool", tool + ", try " + textOf(body, "try")};
    } else if (event.kind == EventKind::ToolSucceeded) {
        row = {Tone::Good, "✓", "tool",
               tool + ": " + textOf(body, "output") + "  " + duration(number(body, "duration_us"))};
    } else if (event.kind == EventKind::ToolFailed) {
        row = {Tone::Bad, "✗", "tool",
               tool + ": " + textOf(body, "error") +
                   (flag(body, "will_retry") ? "  (retrying)" : "")};
    } else {
        row = {Tone::Warn, "⊘", "tool", tool + " not executed: " + textOf(body, "reason")};
    }
    return true;
}

bool Timeline::describeCode(const Event &event, const json &body, Row &row) const
{
    const std::string what = suiteWords(body);
    const char *const good = textOf(body, "suite") == "generated" ? " agree" : " passed";
    const json counts = objectOf(body, "counts");
    const std::string ran = number(counts, "total") > 0
                                ? "  " + whole(number(counts, "passed")) + " of " +
                                      whole(number(counts, "total")) + good
                                : std::string();
    if (event.kind == EventKind::VerifyStarted) {
        row = {Tone::Dim, "▸", "verify", what + ", " + textOf(body, "verifier")};
    } else if (event.kind == EventKind::VerifyFinished) {
        const bool passed = flag(body, "passed");
        row = {passed ? Tone::Good : Tone::Bad, passed ? "✓" : "✗", "verify",
               what + (passed ? good : ": " + textOf(body, "cause")) + ran + "  " +
                   duration(number(body, "duration_us"))};
        if (const std::string message = textOf(body, "message"); !passed && !message.empty())
            row.text += "  " + message;
        if (textOf(body, "sandbox") == "limits")
            row.text += "  (no sandbox: limits only)";
    } else {
        const bool confirmed = textOf(body, "verdict") == "confirmed";
        row = {confirmed ? Tone::Good : Tone::Warn, confirmed ? "✓" : "✗", "gate",
               textOf(body, "verdict")};
        if (const std::string why = textOf(body, "why"); !confirmed && !why.empty())
            row.text += ": " + why;
        std::string table; // "tests 5/5 5/5, edge_tests 8/8 7/8": the first solution, the second
        for (const char *suite : {"tests", "edge_tests", "generated"}) {
            std::string results;
            for (const json &line : body.value("table", json::array()))
                if (textOf(line, "suite") == suite)
                    results += " " + textOf(line, "passed") + "/" + textOf(line, "total");
            if (!results.empty())
                table += (table.empty() ? "  " : ", ") + std::string(suite) + results;
        }
        row.text += table;
        if (!flag(body, "held_out"))
            row.text += ", without held-out tests";
    }
    return true;
}

bool Timeline::describeControl(const Event &event, const json &body, Row &row) const
{
    switch (event.kind) {
    case EventKind::BreakerChanged:
        row = {textOf(body, "to") == "closed" ? Tone::Good : Tone::Warn, "◆", "breaker",
               textOf(body, "name") + ": " + textOf(body, "from") + " → " + textOf(body, "to") +
                   " (" + textOf(body, "why") + ")"};
        return true;
    case EventKind::BudgetExhausted:
        row = {Tone::Warn, "■", "bound",
               textOf(body, "bound") + " of " + textOf(body, "limit") + " reached"};
        return true;
    case EventKind::ControlKilled:
    case EventKind::ControlEscalated: {
        row = {Tone::Bad, "■", event.kind == EventKind::ControlKilled ? "killed" : "escalated",
               "quiet " + duration(number(body, "quiet_after_us")) + " after the request"};
        for (const json &call : body.value("in_flight", json::array()))
            row.text += "; " + textOf(call, "what") + " " + textOf(call, "name") + ": " +
                        textOf(call, "fate");
        return true;
    }
    case EventKind::EscalationOpened:
        row = {Tone::Warn, "▲", "person",
               (textOf(body, "by") == "loop" ? "needed: " : "escalated: ") +
                   textOf(body, "reason")};
        return true;
    case EventKind::ControlAnswered: {
        const json answer = objectOf(body, "answer");
        row = {Tone::Good, "▲", "person",
               "answers with " + textOf(answer, "kind") + ": " + textOf(answer, "text")};
        return true;
    }
    case EventKind::EscalationClosed:
        return false; // the line before says it
    case EventKind::RunFinished: {
        const std::string outcome = textOf(body, "outcome");
        row = {outcome == "satisfied" ? Tone::Good : Tone::Bad, "●", outcome,
               textOf(body, "reason")};
        if (const std::string missing = joined(body, "missing"); !missing.empty())
            row.text += ", missing: " + missing;
        const json totals = objectOf(body, "totals");
        row.text += "  " + textOf(totals, "model_calls") + " model calls, " +
                    textOf(totals, "corrections") + " corrections, " +
                    (totals.contains("verifier_runs")
                         ? textOf(totals, "verifier_runs") + " verifications, "
                         : textOf(totals, "tool_executions") + " tool executions, ") +
                    duration(number(totals, "duration_us"));
        const auto cost = totals.find("cost_usd");
        if (cost == totals.end() || cost->is_null())
            row.text += ", cost unknown";
        else if (number(totals, "cost_usd") > 0)
            row.text += ", " + dollars(number(totals, "cost_usd"));
        return true;
    }
    default:
        row = {Tone::Dim, "·", std::string(eventKindName(event.kind)), {}};
        return event.kind != EventKind::RunStarted;
    }
}

bool Timeline::describe(const Event &event, const json &body, Row &row) const
{
    switch (event.kind) {
    case EventKind::ModelRequested:
    case EventKind::ModelReplied:
    case EventKind::ModelFailed:
    case EventKind::ModelWaiting:
        return describeModel(event, body, row);
    case EventKind::DecisionAccepted:
    case EventKind::DecisionRejected:
    case EventKind::CorrectionRequested:
    case EventKind::CorrectionResolved:
        return describeDecision(event, body, row);
    case EventKind::VerifyStarted:
    case EventKind::VerifyFinished:
    case EventKind::GateFinished:
        return describeCode(event, body, row);
    case EventKind::ToolStarted:
    case EventKind::ToolSucceeded:
    case EventKind::ToolFailed:
    case EventKind::ToolSkipped:
        return describeTool(event, body, row);
    default:
        return describeControl(event, body, row);
    }
}

void Timeline::arrived(const Event &event)
{
    const json body = eventBody(event);
    Row row;
    if (body.is_object() && describe(event, body, row))
        print(event, row);
}

void Timeline::print(const Event &event, const Row &row)
{
    std::array<char, 32> time{};
    std::snprintf(time.data(), time.size(), "%9.3f s", static_cast<double>(event.tUs) / 1e6);
    std::string step = "      ";
    if (event.step > 0 && event.step != m_step) {
        m_step = event.step;
        step = "step " + std::to_string(event.step);
        step.resize(std::max<std::size_t>(step.size(), 6), ' ');
    }
    std::string what = row.what;
    what.resize(std::max<std::size_t>(what.size(), 10), ' ');
    constexpr std::size_t used = 33;
    const std::string words = visibleLine(row.text, m_width > used + 20 ? m_width - used : 20);
    std::fprintf(m_out, "%s  %s  %s %s\n", painted(Tone::Dim, time.data()).c_str(), step.c_str(),
                 painted(row.tone, row.sign + " " + what).c_str(),
                 row.tone == Tone::Dim ? painted(Tone::Dim, words).c_str() : words.c_str());
    std::fflush(m_out);
}

} // namespace emend::app
