// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/localservers.h"

#include "ui/shell/background.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

QString words(const std::string &text)
{
    return oneLine(QString::fromStdString(text), 200);
}

core::ModelSettings modelOf(const core::LocalServer &server)
{
    core::ModelSettings model;
    model.provider = server.provider;
    model.baseUrl = server.baseUrl;
    model.model = server.models.empty() ? std::string() : server.models.front();
    return model;
}

QString modelWords(const std::vector<std::string> &models)
{
    if (models.empty())
        return LocalServers::tr("no models");
    const QString first = oneLine(QString::fromStdString(models.front()), 60);
    return models.size() == 1
               ? first
               : first + LocalServers::tr(" and %Ln more", nullptr, int(models.size()) - 1);
}

} // namespace

LocalServers::LocalServers(core::ProviderSettings &settings, bool taskOpen, QWidget *parent)
    : Section(tr("Servers on this machine"), parent)
    , m_settings(settings)
    , m_taskOpen(taskOpen)
    , m_call(new Background(this))
    , m_look(new QPushButton)
    , m_result(quietLabel({}))
    , m_servers(new QVBoxLayout)
{
    setHint(tr("Ollama on port 11434 and llama.cpp on port 8080. Looked for only when asked, "
               "and nowhere else."));
    m_look->setObjectName(u"lookForServers"_s);
    m_look->setAutoDefault(false);
    m_result->setObjectName(u"localResult"_s);
    m_servers->setSpacing(space::one);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::two);
    row->addWidget(m_look);
    row->addWidget(m_result, 1);
    body()->addLayout(row);
    body()->addLayout(m_servers);
    const auto showRunning = [this](bool running) {
        m_look->setText(running ? tr("Cancel") : tr("&Look for local servers"));
        m_result->setText(running ? tr("Looking…") : QString());
    };
    showRunning(false);
    connect(m_look, &QPushButton::clicked, this, &LocalServers::look);
    connect(m_call, &Background::runningChanged, this, showRunning);
}

void LocalServers::look()
{
    if (m_call->isRunning())
        return m_call->cancel();
    show({});
    m_call->start([&settings = m_settings, this](std::stop_token stop) {
        return [this, servers = settings.detectLocalServers(std::move(stop))] {
            show(servers);
            if (servers.empty())
                m_result->setText(tr("Nothing answers on these two ports."));
        };
    });
}

void LocalServers::show(const std::vector<core::LocalServer> &servers)
{
    while (QLayoutItem *item = m_servers->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const core::LocalServer &server : servers)
        add(server);
}

void LocalServers::add(const core::LocalServer &server)
{
    auto *box = new QWidget;
    box->setObjectName(u"localServer"_s);
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::one);
    row->addWidget(new ShapeLabel(ui::Shape::Check, ColorRole::Good, 14));
    auto *label = new QLabel(
        tr("%1 at %2: %3. Needs no key.")
            .arg(words(server.provider), words(server.baseUrl), modelWords(server.models)));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    row->addWidget(label, 1);
    const auto button = [&](const QString &objectName, const QString &text, const QString &name) {
        auto *made = new QPushButton(text);
        made->setObjectName(objectName);
        made->setAccessibleName(name.arg(words(server.baseUrl)));
        made->setAutoDefault(false);
        row->addWidget(made);
        return made;
    };
    if (m_taskOpen)
        connect(
            button(u"useServer"_s, tr("Use in the task"), tr("Use the server at %1 in the task")),
            &QPushButton::clicked, this, [this, server] {
                m_result->setText(tr("The task uses it now."));
                Q_EMIT useRequested(modelOf(server), server.models);
            });
    connect(button(u"newTaskWithServer"_s,
                   m_taskOpen ? tr("New task") : tr("New task with this server"),
                   tr("New task with the server at %1")),
            &QPushButton::clicked, this,
            [this, server] { Q_EMIT newTaskRequested(modelOf(server)); });
    m_servers->addWidget(box);
}

} // namespace emend::ui
