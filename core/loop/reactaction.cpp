// SPDX-License-Identifier: GPL-3.0-or-later
// The action of a step: permit, execution, retry, observation.
#include <algorithm>

#include "core/base/text.h"
#include "core/json/linewriter.h"
#include "core/loop/reactloop.h"

namespace emend::core {

namespace {

constexpr std::int64_t toolTimeout = 30'000'000; // of one execution, µs

} // namespace

Transition ReactLoop::acceptAction(const Decision &decision)
{
    ++m_actions;
    m_decision = decision;
    m_try = 0;
    m_toolPermit = acquire(decision.tool, m_events);
    return m_toolPermit ? executeTool() : refuseTool(breakerOf(decision.tool));
}

Transition ReactLoop::executeTool()
{
    if (m_nowUs >= runDeadlineUs())
        return timeIsUp();
    ++m_try;
    ++m_toolExecutions;
    m_inFlight = InFlight::Tool;
    LineWriter line;
    line.text("tool", m_decision.tool)
        .json("tool_input", m_decision.toolInput)
        .number("try", m_try);
    announce(EventKind::ToolStarted, line.takeMembers(), false);
    return due(ExecuteTool{m_decision.tool, m_decision.toolInput,
                           std::min(runDeadlineUs(), m_nowUs + toolTimeout)});
}

Transition ReactLoop::refuseTool(const CircuitBreaker &breaker)
{
    const bool forced = breaker.state(m_nowUs) == BreakerState::ForcedOpen;
    const std::int64_t retryMs =
        std::max<std::int64_t>(0, (breaker.openUntilUs() - m_nowUs + 999) / 1000);
    LineWriter line;
    line.text("tool", m_decision.tool).json("tool_input", m_decision.toolInput);
    line.text("reason", forced ? "breaker_forced_open" : "breaker_open");
    forced ? line.null("retry_in_ms") : line.number("retry_in_ms", retryMs);
    add(EventKind::ToolSkipped, line.takeMembers(), false);
    const std::string when =
        forced ? "a person holds it open"
               : "it may be tried again in " + std::to_string((retryMs + 999) / 1000) + " s";
    observe("Not executed: the circuit breaker of " + m_decision.tool + " is open; " + when + ".",
            false, " executed=\"false\"");
    return nextSlot();
}

Transition ReactLoop::onTool(const ToolDone &done)
{
    CircuitBreaker &breaker = breakerOf(m_decision.tool);
    const bool succeeded = done.outcome.kind == ToolOutcome::Kind::Succeeded;
    const bool wasTrial = m_toolPermit->trial;
    if (succeeded) {
        breaker.succeed(*m_toolPermit);
        m_toolPermit.reset();
        writeToolEnd(done, false);
        noteBreaker(m_decision.tool, "trial_succeeded", m_events);
        return afterAction(true, done.outcome.text);
    }
    breaker.fail(*m_toolPermit, m_nowUs);
    m_toolPermit.reset();
    const bool mayRetry = specOf(m_decision.tool)->idempotent && done.outcome.by.empty() &&
                          m_try <= m_task.bounds.maxToolRetries && m_nowUs < runDeadlineUs();
    std::vector<EventDraft> changes;
    noteBreaker(m_decision.tool, wasTrial ? "trial_failed" : "failures", changes);
    if (mayRetry)
        m_toolPermit = acquire(m_decision.tool, changes);
    writeToolEnd(done, m_toolPermit.has_value());
    m_events.insert(m_events.end(), changes.begin(), changes.end());
    if (m_toolPermit)
        return executeTool();
    const bool unknown = done.outcome.timedOut && !specOf(m_decision.tool)->idempotent;
    return afterAction(false, done.outcome.text +
                                  (unknown ? "\nWhether it had an effect is unknown." : ""));
}

Transition ReactLoop::afterAction(bool succeeded, const std::string &text)
{
    observe(text, succeeded, {});
    if (succeeded) {
        ++m_succeeded;
        if (const auto number = lastNumber(text))
            m_lastNumbers[m_slot.step()] = *number;
        if (m_task.repeatGuard == RepeatGuard::UntilChange)
            m_failed.clear(); // something else has happened: it may work now
    } else {
        m_failed.emplace(m_fingerprint, m_slot.step());
    }
    return nextSlot();
}

void ReactLoop::observe(const std::string &text, bool succeeded, std::string_view extra)
{
    const std::string valid = toValidUtf8(text);
    m_context.addObservation(m_slot.step(),
                             "<observation step=\"" + std::to_string(m_slot.step()) + "\" tool=\"" +
                                 escapeXmlAttribute(m_decision.tool) + "\" success=\"" +
                                 (succeeded ? "true" : "false") + "\"" + std::string(extra) +
                                 " trust=\"untrusted\">",
                             escapeXmlText(valid), "</observation>");
    m_observations.push_back(
        {m_slot.step(), m_decision.tool, m_decision.toolInput, succeeded, valid});
}

} // namespace emend::core
