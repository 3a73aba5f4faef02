// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <string>

#include "core/run/engine.h"

namespace emend::app {

// The timeline of a run in a terminal, an event a line, each written as it happens. Colour only on
// a terminal and not with NO_COLOR; every state also has its own sign and word. Foreign text is cut
// to the line and cannot steer the terminal. The run's thread.
class Timeline : public core::RunListener {
public:
    explicit Timeline(std::FILE *out);

    void began(const std::string &headerLine) override;
    void arrived(const core::Event &event) override;
    void partialText(int, int, std::string_view) override {}

private:
    enum class Tone { Plain, Dim, Good, Bad, Warn, Accent };
    struct Row {
        Tone tone = Tone::Plain;
        std::string sign, what, text;
    };
    bool describe(const core::Event &event, const nlohmann::json &body, Row &row) const;
    bool describeModel(const core::Event &event, const nlohmann::json &body, Row &row) const;
    bool describeDecision(const core::Event &event, const nlohmann::json &body, Row &row) const;
    bool describeTool(const core::Event &event, const nlohmann::json &body, Row &row) const;
    bool describeCode(const core::Event &event, const nlohmann::json &body, Row &row) const;
    bool describeControl(const core::Event &event, const nlohmann::json &body, Row &row) const;
    void print(const core::Event &event, const Row &row);
    std::string painted(Tone tone, const std::string &text) const;

    std::FILE *m_out;
    bool m_color;
    std::size_t m_width;
    int m_step = 0;
};

} // namespace emend::app
