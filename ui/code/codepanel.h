// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string_view>

#include "ui/code/codefacts.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTableView;

namespace emend::ui {

class AttemptList;
class GateTable;
class NoticeStrip;
class OutputPane;
class SideBySide;
class TestModel;

// What a code run is about: the attempts, each beside the one before it, its tests and their
// output, and in the end the gate. Shows CodeFacts; knows nothing of where they come from.
// GUI thread.
class CodePanel : public QWidget {
    Q_OBJECT
public:
    explicit CodePanel(QWidget *parent = nullptr);

    void setFacts(const CodeFacts &facts);
    void addOutput(std::string_view bytes); // of the verification that is running

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();
    QWidget *resultTabs();
    void showAttempt(int index);
    void showCode(const AttemptFacts &attempt);
    static int worthSeeing(const AttemptFacts &attempt);
    void showVerification(int index);
    void showOutput();
    const AttemptFacts *before(int index) const;

    CodeFacts m_facts;
    int m_shown = -1;
    std::size_t m_runs = 0;     // verifications begun so far
    bool m_outputShown = false; // by itself, not by a person
    AttemptList *m_list;
    GateTable *m_gate;
    NoticeStrip *m_unheld; // the code ran without a sandbox
    QLabel *m_empty;
    SideBySide *m_code;
    QComboBox *m_suite;
    QLabel *m_circumstances;
    QTabWidget *m_tabs;
    TestModel *m_testModel;
    QTableView *m_tests;
    OutputPane *m_output;
    QPlainTextEdit *m_feedback;
};

} // namespace emend::ui
