// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/settingsdialog.h"

#include "ui/shell/enterkey.h"
#include "ui/shell/pricespage.h"
#include "ui/shell/providerspage.h"
#include "ui/shell/redactionpage.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

SettingsDialog::SettingsDialog(core::ProviderSettings &settings, bool taskOpen, QWidget *parent)
    : QDialog(parent)
    , m_tabs(new QTabWidget)
    , m_providers(new ProvidersPage(settings, taskOpen))
    , m_redaction(new RedactionPage(settings))
{
    setObjectName(u"settingsDialog"_s);
    setWindowTitle(tr("Settings"));
    m_tabs->setObjectName(u"settingsTabs"_s);
    m_tabs->setAccessibleName(tr("Pages of the settings"));
    m_tabs->tabBar()->setAccessibleName(tr("Pages of the settings"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_providers, tr("&Providers"));
    m_tabs->addTab(new PricesPage(settings), tr("P&rices"));
    m_tabs->addTab(m_redaction, tr("Re&daction"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_redaction, &RedactionPage::mayClose, this, &QDialog::reject);
    connect(m_providers, &ProvidersPage::newTaskRequested, this, &SettingsDialog::newTaskRequested);
    connect(m_providers, &ProvidersPage::useRequested, this, &SettingsDialog::useRequested);
    auto *foot = new QVBoxLayout;
    foot->setContentsMargins(space::two, 0, space::two, space::two);
    foot->addWidget(buttons);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    layout->addWidget(m_tabs, 1);
    layout->addLayout(foot);
    EnterKey::settle(this, nullptr);
    resize(760, 560);
}

void SettingsDialog::preset(const core::ModelSettings &model)
{
    m_providers->preset(model);
    m_providers->choose(QString::fromStdString(model.provider));
}

void SettingsDialog::showProvider(const QString &name)
{
    m_tabs->setCurrentWidget(m_providers);
    m_providers->choose(name);
}

// The button, Esc and the window's own button all come here.
void SettingsDialog::reject()
{
    if (!m_redaction->isEdited())
        return QDialog::reject();
    m_tabs->setCurrentWidget(m_redaction);
    m_redaction->askBeforeClosing();
}

} // namespace emend::ui
