// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/net/probe.h"

#include <algorithm>

#include "core/base/text.h"

namespace emend::tools {

using namespace core;
using nlohmann::json;

namespace {

// The sentence of an error is "what: what to do"; the report shows the two apart.
ConnectionReport failedReport(const TransportError &error)
{
    ConnectionReport report;
    report.summary = error.message;
    switch (error.cls) {
    case TransportClass::Auth:
        report.advice = "Store a key that is valid, or set its environment variable.";
        break;
    case TransportClass::NotFound:
        report.advice = "Check the base URL and the name of the model.";
        break;
    case TransportClass::Connection:
        report.advice = "Check the base URL, that the server runs, and the network.";
        break;
    case TransportClass::Timeout:
        report.advice = "Check that the server works, or allow it more time.";
        break;
    case TransportClass::BadBody:
        report.advice = "Check the base URL: this does not look like the server of a model.";
        break;
    case TransportClass::RateLimited:
    case TransportClass::Overloaded:
    case TransportClass::ServerError:
        report.advice = "The connection works; try again later.";
        break;
    case TransportClass::QuotaExhausted:
        report.advice = "The key works, and its account has nothing left.";
        break;
    default:
        report.advice = "Check the settings of this provider.";
        break;
    }
    return report;
}

WallTime wallNow()
{
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

// The list of models, or what is wrong.
tl::expected<std::vector<std::string>, TransportError>
fetchModels(HttpClient &http, const Dialect &dialect, const ModelSettings &model,
            const KeyOf &keyOf, std::stop_token stop)
{
    const auto problem = [](TransportClass cls, std::string message) {
        TransportError error;
        error.cls = cls;
        error.message = std::move(message);
        return tl::unexpected<TransportError>(std::move(error));
    };
    auto request = requestTo(dialect, model, {}, dialect.modelsPath(), keyOf);
    if (!request)
        return problem(TransportClass::Auth, request.error().message);
    Asked asked = askedOf(dialect, model);
    asked.key = request->secret;
    const HttpOutcome outcome = http.send(*request, std::move(stop));
    if (outcome.kind == HttpOutcome::Kind::Cancelled)
        return problem(TransportClass::Connection, "cancelled");
    if (outcome.kind == HttpOutcome::Kind::Failed)
        return tl::unexpected<TransportError>(classifyFailure(asked, outcome.error, false));
    if (outcome.response.status / 100 != 2)
        return tl::unexpected<TransportError>(classifyStatus(asked, outcome.response, wallNow()));
    const json body = parseForeign(outcome.response.body);
    if (!body.is_object())
        return tl::unexpected<TransportError>(notAReply(asked, outcome.response.body));
    if (const json error = errorIn(body); !error.is_null())
        return tl::unexpected<TransportError>(classifyError(asked, error, false));
    std::vector<std::string> names = dialect.models(body);
    std::sort(names.begin(), names.end());
    return names;
}

void hideKey(std::string &text, const KeyOf &keyOf, const std::string &provider)
{
    const auto key = keyOf ? keyOf(provider) : Result<std::string>(std::string());
    if (!key || key->size() < 4)
        return;
    hideSecret(text, *key);
}

ModelOutcome askShortly(HttpClient &http, Clock &clock, const Dialect &dialect,
                        const ModelSettings &model, const KeyOf &keyOf, std::stop_token stop)
{
    NetProvider provider(dialect, model, {}, {&http, &clock, keyOf});
    const std::vector<Message> messages = {{Role::User, "Reply with the word OK."}};
    const std::vector<ToolSpec> tools;
    const std::vector<Observation> observations;
    ModelRequest request;
    request.model = model.model;
    request.temperature = model.temperature;
    request.maxOutputTokens = 16;
    request.stream = model.stream;
    request.messages = &messages;
    request.tools = &tools;
    request.observations = &observations;
    return provider.generate(request, {std::move(stop), INT64_MAX}, [](std::string_view) {});
}

} // namespace

const Dialect *dialectOf(const std::string &provider)
{
    for (const Dialect *dialect :
         {&openaiDialect(), &anthropicDialect(), &geminiDialect(), &ollamaDialect()})
        if (dialect->name() == provider)
            return dialect;
    return nullptr;
}

ConnectionReport testConnection(HttpClient &http, Clock &clock, const ModelSettings &model,
                                const KeyOf &keyOf, std::stop_token stop)
{
    const Dialect *dialect = dialectOf(model.provider);
    if (dialect == nullptr)
        return {true, model.provider + " needs no connection.", {}, {}};
    const auto names = fetchModels(http, *dialect, model, keyOf, stop);
    ConnectionReport report;
    // Not every compatible server has a list: then the model itself is asked.
    const bool noList = !names && names.error().cls == TransportClass::NotFound;
    if (!names && (!noList || model.model.empty())) {
        report = failedReport(names.error());
        hideKey(report.summary, keyOf, model.provider);
        return report;
    }
    if (names)
        report.models = *names;
    if (model.model.empty()) {
        report.ok = true;
        report.summary = "It works: " + std::to_string(report.models.size()) +
                         (report.models.size() == 1 ? " model." : " models.");
        return report;
    }
    const std::int64_t began = clock.nowUs();
    const ModelOutcome outcome = askShortly(http, clock, *dialect, model, keyOf, stop);
    if (outcome.kind == ModelOutcome::Kind::Failed) {
        ConnectionReport failed = failedReport(outcome.error);
        failed.models = report.models;
        return failed;
    }
    if (outcome.kind == ModelOutcome::Kind::Cancelled) {
        report.summary = "cancelled";
        return report;
    }
    report.ok = true;
    report.summary = "It works: " + inQuotes(model.model) + " answered in " +
                     std::to_string((clock.nowUs() - began) / 1000) + " ms.";
    return report;
}

Result<std::vector<std::string>> listModels(HttpClient &http, const ModelSettings &model,
                                            const KeyOf &keyOf, std::stop_token stop)
{
    const Dialect *dialect = dialectOf(model.provider);
    if (dialect == nullptr)
        return std::vector<std::string>();
    auto names = fetchModels(http, *dialect, model, keyOf, std::move(stop));
    if (names)
        return std::move(*names);
    std::string message = names.error().message;
    hideKey(message, keyOf, model.provider);
    return fail(ErrorCode::Unreadable, std::move(message));
}

std::vector<LocalServer> detectLocalServers(HttpClient &http, std::stop_token stop, int ollamaPort,
                                            int llamaPort)
{
    std::vector<LocalServer> found;
    const auto look = [&](const char *provider, std::string baseUrl) {
        ModelSettings model;
        model.provider = provider;
        model.baseUrl = baseUrl;
        model.transport.connectSeconds = 1;
        model.transport.firstByteSeconds = 2;
        model.transport.timeoutSeconds = 3;
        model.transport.proxy = "none";
        auto names = listModels(http, model, {}, stop); // no key goes to whoever listens there
        if (names)
            found.push_back({provider, std::move(baseUrl), std::move(*names)});
    };
    look("ollama", "http://127.0.0.1:" + std::to_string(ollamaPort));
    look("openai", "http://127.0.0.1:" + std::to_string(llamaPort) + "/v1");
    return found;
}

} // namespace emend::tools
