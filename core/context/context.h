// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/ports.h"

namespace emend::core {

// Design section 4, context budget.
struct ContextLimits {
    std::int64_t tokensIn = 24'000; // the window
    std::int64_t keptForReply = 1000;
    std::int64_t safety = 1000;
    int compressPercent = 60; // of what is usable: then older white space is compressed
    int shortenPercent = 80;  // then tool output is shortened, head and tail kept
    int dropPercent = 90;     // then the oldest messages go

    std::int64_t usable() const { return tokensIn - keptForReply - safety; }
};

// The conversation of a run and what of it fits into the next request. Critical (system prompt,
// current request, correction, turn) is never dropped; the latest four messages and the summary go
// last; older messages first. A value; the loop owns it.
class Context {
public:
    explicit Context(ContextLimits limits = {});

    void setSystem(std::string text);
    void setRequest(std::string text);
    void setInstruction(std::string text);        // a person's words since; replaces those before
    void addDecision(int step, std::string text); // the model's accepted reply
    void addObservation(int step, std::string open, std::string body, std::string close);
    void setCorrection(std::string text); // replaces an earlier one of the slot
    void clearCorrection();               // the slot is solved
    void setTurn(std::string text);       // what is due now; replaces the one before

    struct Request {
        std::vector<Message> messages;
        std::int64_t tokens = 0;
        bool fits = true;         // false: even the critical part alone is too large
        std::string messagesJson; // for model.requested: texts once, then their numbers
        std::string usageJson;    // the `context` of model.requested
    };
    Request assemble();

private:
    enum class Kind : std::uint8_t {
        System,
        Request,
        Decision,
        Observation,
        Summary,
        Instruction,
        Correction,
        Turn
    };
    struct Text {
        std::string text; // empty: there is no such form
        std::int64_t tokens = 0;
        int number = 0; // in the trace, 0: not sent yet
    };
    enum Form : std::uint8_t { Full, Compressed, Shortened };
    struct Entry {
        Kind kind;
        Role role;
        std::array<Text, 3> forms; // Full is always there; the others are made when first needed
        int step = 0;
        std::size_t headSize = 0, tailSize = 0; // of an observation: what is around its body
        std::int64_t tokens() const { return forms[Full].tokens; }
    };
    struct Plan; // which entries go, and in which form

    static Entry makeEntry(Kind kind, Role role, std::string text);
    void compress(Plan &plan);
    void shorten(Plan &plan);
    void drop(Plan &plan);
    static void setForm(Plan &plan, std::size_t i, Entry &entry, Form form);
    void emit(Request &request, Entry &entry, Form form);

    ContextLimits m_limits;
    Entry m_system, m_request, m_instruction, m_correction, m_turn, m_summary;
    std::vector<Entry> m_history; // decisions and observations, oldest first
    int m_numbers = 0;
};

} // namespace emend::core
