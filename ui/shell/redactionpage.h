// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"

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

private:
    void apply();
    void showProblem(const core::Error &error);
    void markLine(int line); // from 0; -1: none

    core::ProviderSettings &m_settings;
    Background *m_call;
    QPlainTextEdit *m_patterns;
    QLabel *m_result;
    QPushButton *m_apply;
};

} // namespace emend::ui
