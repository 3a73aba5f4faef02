// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/ports.h"

namespace emend::tests {

// A provider that answers as a test says and keeps what it was asked. The run's thread.
class FakeProvider : public core::ModelProvider {
public:
    using Body =
        std::function<core::ModelOutcome(const core::ModelRequest &, const core::CallContext &)>;

    struct Asked {
        std::string stage;
        int step = 0;
        int attempt = 0;
        bool finalOnly = false;
        std::vector<core::Message> messages;
        std::vector<core::Observation> observations;
    };

    explicit FakeProvider(Body body)
        : m_body(std::move(body))
    {}

    // Answers with `replies` in order and with the last one for ever.
    explicit FakeProvider(std::vector<std::string> replies)
        : m_body([this, replies = std::move(replies)](const auto &, const auto &) {
            const std::size_t index = std::min(asked.size(), replies.size()) - 1;
            return core::ModelOutcome::replied({replies.at(index), {}, "stop", false});
        })
    {}

    core::ModelOutcome generate(const core::ModelRequest &request, const core::CallContext &context,
                                const std::function<void(std::string_view)> &onText) override
    {
        asked.push_back(
            {request.stage, request.step, request.attempt, request.finalOnly,
             request.messages ? *request.messages : std::vector<core::Message>(),
             request.observations ? *request.observations : std::vector<core::Observation>()});
        core::ModelOutcome outcome = m_body(request, context);
        if (outcome.kind == core::ModelOutcome::Kind::Replied && onText)
            onText(outcome.reply.text);
        return outcome;
    }

    std::vector<Asked> asked;

private:
    Body m_body;
};

} // namespace emend::tests
