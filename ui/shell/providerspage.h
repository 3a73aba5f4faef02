// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"

#include <QWidget>

#include <map>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace emend::ui {

class Background;
class Section;
class ShapeLabel;

// Providers: where their keys come from, and whether they can be reached. A key goes in and is
// never shown. GUI thread.
class ProvidersPage : public QWidget {
    Q_OBJECT
public:
    ProvidersPage(core::ProviderSettings &settings, bool taskOpen, QWidget *parent = nullptr);

    // What an open task uses is what is tried first.
    void preset(const core::ModelSettings &model);
    void choose(const QString &provider); // as soon as it is known

Q_SIGNALS:
    void useRequested(const core::ModelSettings &model);     // by the open task
    void newTaskRequested(const core::ModelSettings &model); // a new one that uses it

private:
    QWidget *buildDetails(bool taskOpen);
    void buildKey(QVBoxLayout *column);
    void buildConnection(QVBoxLayout *column);
    void buildResult(QVBoxLayout *body);

    void loadFacts();
    void showFacts(std::vector<core::ProviderFacts> facts);
    void showChosen();
    void storeKey(const QString &key);
    void testConnection();
    void showReport(const core::ConnectionReport &report);
    void showResult(bool running, bool ok, const QString &summary, const QString &advice);
    void fetchModels();
    void showModels(const std::vector<std::string> &models);
    void useServer(const core::ModelSettings &model, const std::vector<std::string> &models);
    void showKeyWords();
    const core::ProviderFacts *chosen() const;
    core::ModelSettings fields() const;

    core::ProviderSettings &m_settings;
    std::vector<core::ProviderFacts> m_facts;
    std::map<std::string, core::ModelSettings> m_tried; // what stood in the fields, by provider
    std::string m_shown;
    QString m_wanted;
    Background *m_factsCall;
    Background *m_keychainCall;
    Background *m_keyCall;
    Background *m_testCall;
    Background *m_modelsCall;

    QListWidget *m_list;
    QLabel *m_name;
    QLabel *m_about;
    Section *m_keySection;
    QLabel *m_keyStatus;
    QLabel *m_keyResult;
    QLabel *m_keychain;
    QLineEdit *m_newKey;
    QPushButton *m_store;
    QPushButton *m_remove;
    Section *m_connection;
    QLineEdit *m_baseUrl;
    QComboBox *m_model;
    QPushButton *m_fetch;
    QPushButton *m_test;
    ShapeLabel *m_resultShape;
    QLabel *m_resultWord;
    QLabel *m_advice;
};

} // namespace emend::ui
