// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/providerspage.h"

#include "ui/shell/background.h"
#include "ui/shell/localservers.h"
#include "ui/shell/modelform.h"
#include "ui/shell/section.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int listWidth = 168;
constexpr int longestText = 600;

QString words(const std::string &text)
{
    return oneLine(QString::fromStdString(text), longestText);
}

QPushButton *button(const QString &objectName, const QString &text)
{
    auto *made = new QPushButton(text);
    made->setObjectName(objectName);
    made->setAutoDefault(false); // Return in a field must not press it
    return made;
}

} // namespace

ProvidersPage::ProvidersPage(core::ProviderSettings &settings, bool taskOpen, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_factsCall(new Background(this))
    , m_keychainCall(new Background(this))
    , m_keyCall(new Background(this))
    , m_testCall(new Background(this))
    , m_modelsCall(new Background(this))
    , m_list(new QListWidget)
{
    m_list->setObjectName(u"providerList"_s);
    m_list->setAccessibleName(tr("Providers"));
    m_list->setFixedWidth(listWidth);
    m_list->setSpacing(2);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(buildDetails(taskOpen));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::two, space::two, space::one, 0);
    layout->setSpacing(space::two);
    layout->addWidget(m_list);
    layout->addWidget(scroll, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &ProvidersPage::showChosen);
    WheelGuard::protect(this);
    showChosen();
    loadFacts();
    m_keychainCall->start([&settings = m_settings, this](const std::stop_token &) {
        return [this, problem = settings.keychainProblem()] {
            QString why = words(problem);
            if (!why.isEmpty())
                why[0] = why[0].toUpper();
            m_keychain->setText(tr("%1. A key stored here is kept until Emend ends; the "
                                   "environment keeps it for longer.")
                                    .arg(why));
            m_keychain->setVisible(!problem.empty());
        };
    });
}

QWidget *ProvidersPage::buildDetails(bool taskOpen)
{
    auto *details = new QWidget;
    auto *column = new QVBoxLayout(details);
    column->setContentsMargins(0, 0, space::one, 0);
    column->setSpacing(space::two);
    m_name = headingLabel({});
    m_about = quietLabel({});
    auto *head = new QVBoxLayout;
    head->setSpacing(space::half);
    head->addWidget(m_name);
    head->addWidget(m_about);
    column->addLayout(head);
    buildKey(column);
    buildConnection(column);
    auto *local = new LocalServers(m_settings, taskOpen);
    connect(local, &LocalServers::useRequested, this, &ProvidersPage::useServer);
    connect(local, &LocalServers::newTaskRequested, this, &ProvidersPage::newTaskRequested);
    column->addWidget(local);
    column->addStretch(1);
    return details;
}

void ProvidersPage::buildKey(QVBoxLayout *column)
{
    m_keySection = new Section(tr("Key"));
    m_keyStatus = new QLabel;
    m_keyStatus->setObjectName(u"keySource"_s);
    m_keyStatus->setTextFormat(Qt::PlainText);
    m_keyStatus->setWordWrap(true);
    m_newKey = new QLineEdit;
    m_newKey->setObjectName(u"newKey"_s);
    m_newKey->setAccessibleName(tr("New key"));
    m_newKey->setPlaceholderText(tr("New key"));
    m_newKey->setEchoMode(QLineEdit::Password);
    m_newKey->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText);
    m_store = button(u"storeKey"_s, tr("&Store"));
    m_remove = button(u"removeKey"_s, tr("Re&move"));
    m_keyResult = quietLabel({});
    m_keyResult->setObjectName(u"keyResult"_s);
    m_keychain = quietLabel({});
    m_keychain->setObjectName(u"keychainProblem"_s);
    m_keyResult->hide();
    m_keychain->hide();
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    row->addWidget(m_newKey, 1);
    row->addWidget(m_store);
    row->addWidget(m_remove);
    m_keySection->body()->addWidget(m_keyStatus);
    m_keySection->body()->addLayout(row);
    m_keySection->body()->addWidget(m_keyResult);
    m_keySection->body()->addWidget(m_keychain);
    column->addWidget(m_keySection);
    m_store->setEnabled(false);
    connect(m_newKey, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_store->setEnabled(!text.trimmed().isEmpty() && !m_keyCall->isRunning());
    });
    connect(m_newKey, &QLineEdit::returnPressed, m_store, &QPushButton::click);
    connect(m_store, &QPushButton::clicked, this, [this] { storeKey(m_newKey->text().trimmed()); });
    connect(m_remove, &QPushButton::clicked, this, [this] { storeKey({}); });
}

void ProvidersPage::buildConnection(QVBoxLayout *column)
{
    m_connection = new Section(tr("Connection"));
    m_connection->setHint(tr("For this test only; a task has an address and a model of its own."));
    m_baseUrl = new QLineEdit;
    m_baseUrl->setObjectName(u"testUrl"_s);
    m_model = new QComboBox;
    m_model->setObjectName(u"testModel"_s);
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(12);
    m_model->completer()->setFilterMode(Qt::MatchContains); // typing filters the list
    m_model->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_model->lineEdit()->setPlaceholderText(tr("type to filter, once fetched"));
    m_fetch = button(u"fetchTestModels"_s, tr("&Fetch models"));
    m_test = button(u"testConnection"_s, tr("&Test connection"));
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(space::one);
    grid->setVerticalSpacing(space::one);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto &[label, field] :
         {std::pair<QString, QWidget *>{tr("Address"), m_baseUrl}, {tr("Model"), m_model}}) {
        auto *name = new QLabel(label);
        name->setBuddy(field);
        field->setAccessibleName(label);
        grid->addWidget(name, row, 0);
        grid->addWidget(field, row++, 1, 1, field == m_baseUrl ? 2 : 1);
    }
    m_model->lineEdit()->setAccessibleName(tr("Model"));
    grid->addWidget(m_fetch, 1, 2);
    m_connection->body()->addLayout(grid);
    buildResult(m_connection->body());
    column->addWidget(m_connection);
    connect(m_baseUrl, &QLineEdit::textChanged, this, &ProvidersPage::showKeyWords);
    connect(m_test, &QPushButton::clicked, this, &ProvidersPage::testConnection);
    connect(m_fetch, &QPushButton::clicked, this, &ProvidersPage::fetchModels);
    connect(m_testCall, &Background::runningChanged, this, [this](bool running) {
        m_test->setText(running ? tr("Cancel") : tr("&Test connection"));
        showResult(running, false, running ? tr("Testing…") : QString(), {});
    });
    connect(m_modelsCall, &Background::runningChanged, this, [this](bool running) {
        m_fetch->setText(running ? tr("Cancel") : tr("&Fetch models"));
    });
}

void ProvidersPage::buildResult(QVBoxLayout *body)
{
    m_resultShape = new ShapeLabel(Shape::Ring, ColorRole::Muted, 14);
    m_resultWord = new QLabel;
    m_resultWord->setObjectName(u"testResult"_s);
    m_resultWord->setTextFormat(Qt::PlainText);
    m_resultWord->setWordWrap(true);
    m_resultWord->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_advice = quietLabel({});
    m_advice->setObjectName(u"testAdvice"_s);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    row->addWidget(m_test, 0, Qt::AlignTop);
    row->addSpacing(space::half);
    row->addWidget(m_resultShape, 0, Qt::AlignVCenter);
    row->addWidget(m_resultWord, 1);
    body->addLayout(row);
    body->addWidget(m_advice);
    showResult(false, false, {}, {});
}

// ---- what is known ----

void ProvidersPage::loadFacts()
{
    m_factsCall->start([&settings = m_settings, this](const std::stop_token &) {
        return [this, facts = settings.providers()] { showFacts(facts); };
    });
}

void ProvidersPage::showFacts(std::vector<core::ProviderFacts> facts)
{
    const QString wanted = !m_wanted.isEmpty() ? m_wanted : QString::fromStdString(m_shown);
    m_facts = std::move(facts);
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const core::ProviderFacts &one : m_facts)
            m_list->addItem(oneLine(QString::fromStdString(one.name), 60));
    }
    int row = 0;
    for (int n = int(m_facts.size()) - 1; n >= 0; --n)
        if (wanted.isEmpty() ? m_facts[std::size_t(n)].overNetwork
                             : QString::fromStdString(m_facts[std::size_t(n)].name) == wanted)
            row = n;
    m_wanted.clear();
    m_list->setCurrentRow(row);
    showChosen();
}

void ProvidersPage::choose(const QString &provider)
{
    m_wanted = provider;
    for (int row = 0; row < int(m_facts.size()); ++row) {
        if (QString::fromStdString(m_facts[std::size_t(row)].name) == provider) {
            m_wanted.clear();
            m_list->setCurrentRow(row);
        }
    }
}

const core::ProviderFacts *ProvidersPage::chosen() const
{
    const int row = m_list->currentRow();
    return row >= 0 && row < int(m_facts.size()) ? &m_facts[std::size_t(row)] : nullptr;
}

core::ModelSettings ProvidersPage::fields() const
{
    core::ModelSettings model;
    model.provider = m_shown;
    model.baseUrl = m_baseUrl->text().trimmed().toStdString();
    model.model = m_model->currentText().trimmed().toStdString();
    return model;
}

void ProvidersPage::preset(const core::ModelSettings &model)
{
    m_tried[model.provider] = model;
    if (m_shown != model.provider)
        return;
    m_baseUrl->setText(QString::fromStdString(model.baseUrl));
    m_model->setEditText(QString::fromStdString(model.model));
}

void ProvidersPage::showChosen()
{
    const core::ProviderFacts *facts = chosen();
    const bool network = facts && facts->overNetwork;
    m_name->setText(facts ? words(facts->name) : tr("Providers"));
    m_about->setText(facts ? words(facts->description) : QString());
    m_keySection->setVisible(network && !facts->keyVariable.empty());
    m_connection->setVisible(network);
    if (!facts)
        return;
    showKeyWords();
    m_newKey->setAccessibleDescription(m_keyStatus->text());
    m_remove->setEnabled(facts->keySource == core::KeySource::Keychain ||
                         facts->keySource == core::KeySource::Session);
    m_baseUrl->setPlaceholderText(words(facts->defaultBaseUrl));
    if (m_shown == facts->name)
        return;
    if (!m_shown.empty())
        m_tried[m_shown] = fields();
    m_shown = facts->name;
    const core::ModelSettings &before = m_tried[m_shown];
    m_testCall->cancel();
    m_modelsCall->cancel();
    m_newKey->clear();
    m_keyResult->hide();
    m_baseUrl->setText(QString::fromStdString(before.baseUrl));
    m_model->clear();
    m_model->setEditText(QString::fromStdString(before.model));
    showKeyWords();
    showResult(false, false, {}, {});
}

void ProvidersPage::showKeyWords()
{
    if (const core::ProviderFacts *facts = chosen())
        m_keyStatus->setText(keyWords(*facts, m_baseUrl->text()));
}

// ---- what is asked for ----

void ProvidersPage::storeKey(const QString &key)
{
    m_newKey->clear();
    m_store->setEnabled(false);
    m_remove->setEnabled(false);
    m_keyResult->setText(key.isEmpty() ? tr("Removing…") : tr("Storing…"));
    m_keyResult->show();
    m_keyCall->start([&settings = m_settings, this, provider = m_shown,
                      secret = key.toStdString()](const std::stop_token &) {
        const core::Result<void> result = settings.setKey(provider, secret);
        const std::string problem = result ? std::string() : result.error().message;
        return [this, problem, removed = secret.empty()] {
            m_keyResult->setText(!problem.empty() ? words(problem)
                                 : removed        ? tr("The key was removed.")
                                                  : tr("The key is stored."));
            loadFacts();
        };
    });
}

void ProvidersPage::testConnection()
{
    if (m_testCall->isRunning())
        return m_testCall->cancel();
    m_testCall->start([&settings = m_settings, this, model = fields()](std::stop_token stop) {
        return [this, report = settings.testConnection(model, std::move(stop))] {
            showReport(report);
        };
    });
}

void ProvidersPage::showReport(const core::ConnectionReport &report)
{
    showResult(false, report.ok, words(report.summary), words(report.advice));
    if (!report.models.empty())
        showModels(report.models);
}

// The result by shape and word, and what to do about it.
void ProvidersPage::showResult(bool running, bool ok, const QString &summary, const QString &advice)
{
    const bool any = !summary.isEmpty();
    const ColorRole color = running ? ColorRole::Muted : ok ? ColorRole::Good : ColorRole::Bad;
    m_resultShape->setShape(running ? Shape::Hourglass : ok ? Shape::Check : Shape::Cross, color);
    m_resultShape->setVisible(any);
    m_resultWord->setText(!any || running ? summary
                                          : (ok ? tr("OK. %1") : tr("Failed. %1")).arg(summary));
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
}

void ProvidersPage::fetchModels()
{
    if (m_modelsCall->isRunning())
        return m_modelsCall->cancel();
    m_modelsCall->start([&settings = m_settings, this, model = fields()](std::stop_token stop) {
        return [this, models = settings.listModels(model, std::move(stop))] {
            if (!models)
                return showResult(false, false, words(models.error().message), {});
            showModels(*models);
            showResult(false, true,
                       models->size() == 1
                           ? tr("The server has 1 model.")
                           : tr("The server has %Ln models.", nullptr, int(models->size())),
                       {});
        };
    });
}

void ProvidersPage::showModels(const std::vector<std::string> &models)
{
    const QString typed = m_model->currentText();
    m_model->clear();
    for (const std::string &name : models)
        m_model->addItem(oneLine(QString::fromStdString(name), 200));
    m_model->setEditText(typed);
}

void ProvidersPage::useServer(const core::ModelSettings &model,
                              const std::vector<std::string> &models)
{
    Q_EMIT useRequested(model);
    choose(QString::fromStdString(model.provider));
    m_wanted.clear();
    m_baseUrl->setText(QString::fromStdString(model.baseUrl));
    showModels(models);
    m_model->setEditText(QString::fromStdString(model.model));
}

} // namespace emend::ui
