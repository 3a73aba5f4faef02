// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace emend::ui {

class Background;

// The person's own redaction patterns, one a line. GUI thread.
class RedactionPage : public QWidget {
    Q_OBJECT
public:
    explicit RedactionPage(core::ProviderSettings &settings, QWidget *parent = nullptr);

    bool isEdited() const; // something is typed that is not in force
    void askBeforeClosing();

Q_SIGNALS:
    void mayClose(); // the question is answered, and nothing is left to lose

private:
    void build();
    void buildQuestion();
    QStringList typed() const; // without empty lines
    void apply();
    void drop();
    void showProblem(const core::Error &error);
    void markLine(int line); // from 0; -1: none

    core::ProviderSettings &m_settings;
    Background *m_call;
    QPlainTextEdit *m_patterns;
    QLabel *m_result;
    QPushButton *m_apply;
    QWidget *m_question;
    QStringList m_inForce;
    bool m_closing = false; // once what is typed is applied
};

} // namespace emend::ui
