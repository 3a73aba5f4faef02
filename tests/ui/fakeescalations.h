// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/escalation/escalations.h"

// An inbox in memory. Any thread.
class FakeEscalations : public emend::core::Escalations {
public:
    using One = emend::core::Escalation;

    // What a test puts in and looks at.
    void put(const One &one)
    {
        const std::scoped_lock lock(m_mutex);
        m_list.insert(m_list.begin(), one);
        ++m_changes;
    }
    void setSituation(std::optional<emend::core::Situation> situation)
    {
        const std::scoped_lock lock(m_mutex);
        m_situation = std::move(situation);
    }
    void setFolder(const std::string &folder) { m_folder = folder; }
    void setProblem(const std::string &problem)
    {
        const std::scoped_lock lock(m_mutex);
        m_problem = problem;
    }
    void answered(const std::string &id, const emend::core::Answer &answer)
    {
        (void)change(id, [&](One &one) {
            one.state = emend::core::EscalationState::Answered;
            one.answer = emend::core::answerToJson(answer).dump();
            one.outcome = "satisfied";
        });
    }
    One at(const std::string &id) const
    {
        const auto found = detail(id);
        return found ? found->escalation : One{};
    }

    emend::core::Result<std::vector<One>> list() const override
    {
        const std::scoped_lock lock(m_mutex);
        return m_list;
    }
    emend::core::Result<emend::core::EscalationDetail> detail(const std::string &id) const override
    {
        const std::scoped_lock lock(m_mutex);
        for (const One &one : m_list)
            if (one.id == id)
                return emend::core::EscalationDetail{one, m_situation,
                                                     m_situation ? "" : "no such file"};
        return emend::core::fail(emend::core::ErrorCode::NotFound, "there is no escalation");
    }
    emend::core::Result<One> claim(const std::string &id) override
    {
        return change(id, [](One &one) {
            one.state = emend::core::EscalationState::Claimed;
            one.claimedBy = "ann";
        });
    }
    emend::core::Result<One> release(const std::string &id) override
    {
        return change(id, [](One &one) { one.state = emend::core::EscalationState::Open; });
    }
    emend::core::Result<One> dismiss(const std::string &id, const std::string &reason) override
    {
        return change(id, [&](One &one) {
            one.state = emend::core::EscalationState::Dismissed;
            one.answer = emend::core::dismissalToJson(reason).dump();
        });
    }
    emend::core::Result<void> rescan(std::stop_token) override
    {
        const std::scoped_lock lock(m_mutex);
        if (m_problem.empty())
            return {};
        return emend::core::fail(emend::core::ErrorCode::Unwritable, m_problem);
    }
    std::string folder() const override { return m_folder; }
    std::string stamp() const override
    {
        const std::scoped_lock lock(m_mutex);
        return std::to_string(m_changes);
    }

private:
    emend::core::Result<One> change(const std::string &id, const std::function<void(One &)> &how)
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_problem.empty())
            return emend::core::fail(emend::core::ErrorCode::Unwritable, m_problem);
        for (One &one : m_list) {
            if (one.id != id)
                continue;
            how(one);
            ++m_changes;
            return one;
        }
        return emend::core::fail(emend::core::ErrorCode::NotFound, "there is no escalation");
    }

    mutable std::mutex m_mutex;
    std::vector<One> m_list;
    std::optional<emend::core::Situation> m_situation;
    std::string m_folder = "/nonexistent";
    std::string m_problem;
    int m_changes = 0;
};
