// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/escalation/escalations.h"

#include <QWidget>

#include <array>
#include <map>
#include <optional>
#include <string>

class QButtonGroup;
class QCheckBox;
class QLabel;
class QPushButton;

namespace emend::ui {

class PlainEdit;

// What a person answers an escalation with: one kind of answer at a time, checked as it is typed.
// What was begun for one escalation is still there when it is shown again. GUI thread.
class AnswerForm : public QWidget {
    Q_OBJECT
public:
    explicit AnswerForm(QWidget *parent = nullptr);

    // Nothing: only dismissing is possible, and `why` says so.
    void setSituation(const QString &id, const std::optional<core::Situation> &situation,
                      const QString &why);
    void setBusy(bool busy); // an answer is on its way
    void forget(const QString &id);

Q_SIGNALS:
    void answered(const core::Answer &answer);
    void dismissed(const QString &reason);

private:
    enum Kind { Hint, Decision, ToolResult, Code, Dismiss, KindCount };
    struct Draft {
        int kind = Hint;
        std::array<QString, KindCount> texts;
        bool failed = false;
    };

    QWidget *buildPage(Kind kind, const QString &label, const QString &hint);
    void choose(int kind);
    void check();
    void send();
    void store();
    void restore();
    core::Answer answer() const;
    Kind kind() const;

    QButtonGroup *m_kinds;
    std::array<PlainEdit *, KindCount> m_texts{};
    QCheckBox *m_failed;
    QLabel *m_where; // the action a result is for
    QLabel *m_problem;
    QPushButton *m_send;
    QString m_id;
    std::optional<core::Situation> m_situation;
    std::map<QString, Draft> m_drafts;
    bool m_busy = false;
    bool m_touched = false; // what is not begun is not blamed
};

} // namespace emend::ui
