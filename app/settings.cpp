// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include "core/json/strictreader.h"
#include "tools/provider/net/probe.h"
#include "tools/provider/registry.h"

namespace emend::app {

using namespace emend::core;
using nlohmann::json;

namespace {

constexpr qint64 largestFile = 1'000'000; // bytes; patterns are typed by a person

// Without an entry: a copy of the bundled prices would hide what a later version knows better.
constexpr const char *emptyPrices = R"({
  "emend": "prices",
  "version": 1,
  "unit": "US dollars per million tokens",
  "note": "Your own prices; they go before the bundled ones. An entry is a line such as { \"provider\": \"openai\", \"model\": \"gpt-4o*\", \"in\": 2.5, \"cached_in\": 1.25, \"out\": 10, \"base_url\": \"*\" }. A model ending in * stands for all that begin so. Without base_url an entry is for the provider's own service, \"*\" is any address.",
  "models": []
}
)";

QString fileNamed(const char *name)
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/emend/") + QString::fromLatin1(name);
}

Error fileError(ErrorCode code, const QString &path, const std::string &message)
{
    return {code, message, path.toStdString(), {}, 0, 0};
}

// Whole or not at all, and for the person only.
Result<void> writeFile(const QString &path, const QByteArray &content)
{
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) &&
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
        file.write(content) == content.size() && file.commit())
        return {};
    return tl::unexpected(fileError(ErrorCode::Unwritable, path,
                                    "cannot be saved: " + file.errorString().toStdString()));
}

// None if there is no file.
Result<std::vector<std::string>> readPatterns()
{
    std::vector<std::string> patterns;
    QFile file(fileNamed("redaction.json"));
    if (!file.exists())
        return patterns;
    if (!file.open(QIODevice::ReadOnly) || file.size() > largestFile)
        return tl::unexpected(fileError(ErrorCode::Unreadable, file.fileName(),
                                        "the redaction patterns cannot be read"));
    const auto damaged = [&](const std::string &what) {
        return tl::unexpected(fileError(ErrorCode::BadValue, file.fileName(),
                                        "the redaction patterns are damaged: " + what));
    };
    const auto content = readJsonFile(file.readAll().toStdString());
    if (!content)
        return damaged(content.error().message);
    const auto list = content->is_object() ? content->find("patterns") : content->end();
    if (list == content->end() || !list->is_array())
        return damaged("expected {\"patterns\": […]}");
    for (const json &pattern : *list) {
        if (!pattern.is_string())
            return damaged("a pattern is a text");
        patterns.push_back(pattern.get<std::string>());
    }
    return patterns;
}

} // namespace

std::vector<ProviderFacts> Settings::providers() const
{
    std::vector<ProviderFacts> facts = tools::providerFacts();
    for (ProviderFacts &fact : facts)
        if (!fact.keyVariable.empty())
            fact.keySource = keySource(fact.name);
    return facts;
}

Result<void> Settings::setKey(const std::string &provider, const std::string &key)
{
    return m_keys.setKey(provider, key);
}

std::string Settings::keychainProblem() const
{
    return m_keys.keychainProblem();
}

Result<std::string> Settings::keyOf(const std::string &provider, std::stop_token stop) const
{
    return m_keys.keyOf(provider, std::move(stop));
}

tools::KeyOf Settings::keys() const
{
    return [this](const std::string &provider) { return keyOf(provider); };
}

KeySource Settings::keySource(const std::string &provider) const
{
    return m_keys.sourceOf(provider);
}

Result<std::shared_ptr<const Redactor>> Settings::redactor() const
{
    const std::lock_guard lock(m_mutex);
    auto patterns = readPatterns();
    if (!patterns)
        return tl::unexpected(patterns.error());
    const std::uint64_t revision = m_keys.revision();
    if (m_redactor && m_redactorOf == revision && m_redactorWith == *patterns)
        return m_redactor;
    auto made = Redactor::make(m_keys.knownSecrets(), *patterns);
    if (!made) {
        Error error = made.error();
        error.file = fileNamed("redaction.json").toStdString();
        return tl::unexpected(std::move(error));
    }
    m_redactor = *made;
    m_redactorOf = revision;
    m_redactorWith = std::move(*patterns);
    return m_redactor;
}

ConnectionReport Settings::testConnection(const ModelSettings &model, std::stop_token stop)
{
    return tools::testConnection(m_http, m_clock, model, keys(), std::move(stop));
}

Result<std::vector<std::string>> Settings::listModels(const ModelSettings &model,
                                                      std::stop_token stop)
{
    return tools::listModels(m_http, model, keys(), std::move(stop));
}

std::vector<LocalServer> Settings::detectLocalServers(std::stop_token stop)
{
    return tools::detectLocalServers(m_http, std::move(stop));
}

std::vector<std::string> Settings::redactionPatterns() const
{
    return readPatterns().value_or(std::vector<std::string>());
}

Result<void> Settings::setRedactionPatterns(const std::vector<std::string> &patterns)
{
    if (const auto tried = Redactor::make({}, patterns); !tried)
        return tl::unexpected(tried.error());
    const json content = {{"patterns", patterns}};
    const std::string text = content.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
    const std::lock_guard lock(m_mutex);
    return writeFile(fileNamed("redaction.json"), QByteArray::fromStdString(text));
}

Result<std::string> Settings::pricesFile() const
{
    const QString path = fileNamed("prices.json");
    if (!QFile::exists(path))
        if (const auto written = writeFile(path, emptyPrices); !written)
            return tl::unexpected(written.error());
    return path.toStdString();
}

std::string Settings::bundledPrices() const
{
    QFile bundled(QStringLiteral(":/emend/prices.json"));
    return bundled.open(QIODevice::ReadOnly) ? bundled.readAll().toStdString() : std::string();
}

} // namespace emend::app
