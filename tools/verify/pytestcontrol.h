// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/run/verify.h"

namespace emend::tools {

// Tests that have to fail, in every way a test can, under names that no attempt can know. If one
// does not, what ran the tests is no longer to be believed.
class PytestControl {
public:
    PytestControl();
    std::string fileName() const { return m_module + ".py"; }
    std::string text() const;
    bool first() const { return m_first; } // to be run before the tests

    // Takes its own tests out of `tests`. False: not all of them are there and failed.
    bool takeOut(std::vector<core::TestResult> &tests) const;

private:
    std::string m_module;
    std::vector<std::string> m_names;
    unsigned m_one, m_other; // factors whose product is found in a message only if it was computed
    bool m_first;
};

} // namespace emend::tools
