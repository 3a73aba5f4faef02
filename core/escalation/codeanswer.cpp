// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/escalation/codeanswer.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/verify/codereply.h"

namespace emend::core {

namespace {

bool wasRefused(const Recording &recording, int attempt)
{
    return std::any_of(recording.events.begin(), recording.events.end(),
                       [attempt](const RecordedEvent &event) {
                           return event.kind == EventKind::DecisionRejected && event.step == 1 &&
                                  event.attempt == attempt;
                       });
}

} // namespace

CodePlace codePlaceOf(const Recording &recording)
{
    CodePlace place;
    std::size_t begin = 0; // of the last attempt
    std::size_t end = 0;   // of what belongs to step 1
    int attempt = -1;
    bool failed = false;
    std::string stage;
    for (std::size_t i = 0; i < recording.items.size(); ++i) {
        const RecordedItem &item = recording.items[i];
        if (std::holds_alternative<RecordedStop>(item))
            break;
        const auto *call = std::get_if<RecordedCall>(&item);
        const auto *verification = std::get_if<RecordedVerification>(&item);
        if (call != nullptr && call->step > 1)
            break;
        if (call != nullptr && call->stage != stage) { // else the transport's next try
            stage = call->stage;
            begin = i;
            failed = wasRefused(recording, ++attempt);
        }
        if (call != nullptr && call->outcome &&
            call->outcome->kind == ModelOutcome::Kind::Replied) {
            const CodeReply read = readCodeReply(call->outcome->reply.text, true);
            if (read.category.empty())
                place.lastCode = toValidUtf8(read.code);
        }
        if (verification != nullptr && verification->outcome)
            failed = verification->outcome->kind == VerifyOutcome::Kind::Failed;
        end = i + 1;
    }
    place.kept = failed ? end : begin;
    place.attempt = std::max(0, failed ? attempt + 1 : attempt);
    return place;
}

std::string asCodeReply(const std::string &code, const std::string &language)
{
    std::size_t longest = 0, run = 0;
    for (const char c : code) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
    const bool ended = code.empty() || code.back() == '\n';
    return fence + language + "\n" + code + (ended ? "" : "\n") + fence + "\n";
}

} // namespace emend::core
