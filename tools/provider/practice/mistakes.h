// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/contract/decision.h"
#include "core/run/ports.h"
#include "core/task/task.h"

// The mistakes the practice provider makes when told to, as models make them. Pure, any thread.
namespace emend::tools {

// Even numbers from a seed, the same on every machine (SplitMix64, Steele et al. 2014).
class Dice {
public:
    explicit Dice(std::uint64_t seed)
        : m_state(seed)
    {}
    std::uint64_t next();
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; } // [0, 1)

private:
    std::uint64_t m_state;
};

// `decision` spoilt so that the contract rejects it with `category`. No value where that mistake
// cannot be made: an action where only a final is due, a repeat where nothing has failed …
std::optional<std::string> spoiltReply(core::Category category,
                                       const nlohmann::ordered_json &decision,
                                       const core::ModelRequest &request, Dice &dice);

// The spoilt reply for this attempt, or no value where the attempt goes well. It depends on
// nothing but its arguments. A correction is spoilt with a probability of 0.3 of that before it.
std::optional<std::string> mistakeFor(const core::PracticeMistakes &mistakes,
                                      const nlohmann::ordered_json &decision,
                                      const core::ModelRequest &request);

} // namespace emend::tools
