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
    // The tests with more of its own at their end, for what only reaches into that module. As they
    // were, where the module changes what becomes of a test by rules of its own.
    std::string extended(const std::string &tests) const;

    // Takes its own tests out of the results of `tests`. False: not all of them are there and
    // failed. They come last in a run, when all that a solution does while it is called has been
    // done.
    bool takeOut(std::vector<core::TestResult> &results, const std::string &tests) const;

private:
    std::string m_module;
    static bool canExtend(const std::string &tests);

    std::vector<std::string> m_names; // of the file, then those in the tests' own module
    unsigned m_one, m_other; // factors whose product is found in a message only if it was computed
};

} // namespace emend::tools
