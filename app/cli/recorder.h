// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iostream>

#include "app/cli/arguments.h"
#include "app/cli/timeline.h"
#include "core/base/text.h"
#include "core/run/engine.h"
#include "core/trace/summary.h"

namespace emend::app {

// Gathers the summary of a run and passes everything on to the timeline, if there is one.
class Recorder : public core::RunListener {
public:
    explicit Recorder(Timeline *timeline)
        : m_timeline(timeline)
    {}

    void recordingProblem(const std::string &problem) override
    {
        recordingProblems.push_back(problem);
        std::cerr << "  recording  " << core::visibleLine(problem, 300) << std::endl;
    }
    void began(const std::string &headerLine) override
    {
        if (m_timeline != nullptr)
            m_timeline->began(headerLine);
    }
    void arrived(const core::Event &event) override
    {
        summary.add(event);
        if (m_timeline != nullptr)
            m_timeline->arrived(event);
    }
    void partialText(int, int, std::string_view) override {}

    core::RunSummary summary;
    std::vector<std::string> recordingProblems; // said before the run, however quiet it is

private:
    Timeline *m_timeline;
};

ExitCode exitCodeOf(core::Outcome outcome);

} // namespace emend::app
