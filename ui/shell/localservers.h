// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"
#include "ui/shell/section.h"

class QPushButton;

namespace emend::ui {

class Background;

// Model servers on this machine: looks for them when asked, and hands what it finds to the open
// task or to a new one. GUI thread.
class LocalServers : public Section {
    Q_OBJECT
public:
    // `taskOpen`: there is a task that can take one over.
    LocalServers(core::ProviderSettings &settings, bool taskOpen, QWidget *parent = nullptr);

Q_SIGNALS:
    void useRequested(const core::ModelSettings &model, const std::vector<std::string> &models);
    void newTaskRequested(const core::ModelSettings &model);

private:
    void look();
    void show(const std::vector<core::LocalServer> &servers);
    void add(const core::LocalServer &server);

    core::ProviderSettings &m_settings;
    const bool m_taskOpen;
    Background *m_call;
    QPushButton *m_look;
    QLabel *m_result;
    QVBoxLayout *m_servers;
};

} // namespace emend::ui
