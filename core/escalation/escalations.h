// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/escalation/answer.h"
#include "core/escalation/escalation.h"

namespace emend::core {

struct EscalationDetail {
    Escalation escalation;
    std::optional<Situation> situation; // nothing: the trace cannot be read any more
    std::string traceProblem;           // why
};

// The inbox of runs that wait for a person. Implemented by app, shown by ui. Thread-safe; each call
// blocks on the disk, and up to some seconds while another process writes: not for the GUI thread.
// An `id` is that of an escalation or of its run, or the beginning of one that is not ambiguous.
class Escalations {
public:
    virtual ~Escalations() = default;

    // The newest first.
    virtual Result<std::vector<Escalation>> list() const = 0;
    virtual Result<EscalationDetail> detail(const std::string &id) const = 0;
    // Marks that this person looks after it. Claiming again is no error.
    virtual Result<Escalation> claim(const std::string &id) = 0;
    virtual Result<Escalation> release(const std::string &id) = 0; // the opposite
    virtual Result<Escalation> dismiss(const std::string &id, const std::string &reason) = 0;
    // Picks up escalated runs in the traces of the data folder that the inbox does not know, and
    // forgets nothing. Cheap where nothing has changed.
    virtual Result<void> rescan(std::stop_token stop) = 0;
    // The folder in which something changes when the inbox does; it may not exist yet.
    virtual std::string folder() const = 0;
    // What changes with the inbox: the same as before, and nothing has to be read again.
    virtual std::string stamp() const = 0;
};

} // namespace emend::core
