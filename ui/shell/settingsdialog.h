// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"

#include <QDialog>

class QTabWidget;

namespace emend::ui {

class ProvidersPage;
class RedactionPage;

// What a person sets up once: providers and keys, prices, redaction. What blocks runs on threads of
// its own and is given up when the dialog goes. GUI thread.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    // `taskOpen`: a task is shown behind the dialog that can take over what is found.
    SettingsDialog(core::ProviderSettings &settings, bool taskOpen, QWidget *parent = nullptr);

    void preset(const core::ModelSettings &model); // of the task behind the dialog
    void showProvider(const QString &name);

Q_SIGNALS:
    void useRequested(const core::ModelSettings &model);     // by the task behind the dialog
    void newTaskRequested(const core::ModelSettings &model); // a new one that uses it

public Q_SLOTS:
    void reject() override; // asks first where something typed would be lost

private:
    QTabWidget *m_tabs;
    ProvidersPage *m_providers;
    RedactionPage *m_redaction;
};

} // namespace emend::ui
