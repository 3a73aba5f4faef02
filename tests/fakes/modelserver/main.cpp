// SPDX-License-Identifier: GPL-3.0-or-later
// emend-model-server: a fake server of models for tests, and for trying Emend without an account.
#include <QCommandLineParser>
#include <QCoreApplication>

#include <cstdio>

#include "tests/fakes/modelserver/modelserver.h"
#include "tools/scenario/scenariofile.h"

using namespace emend;

namespace {

QString namesOf(const QList<std::string> &names)
{
    QStringList out;
    for (const std::string &name : names)
        out.append(QString::fromStdString(name));
    return out.join(QStringLiteral(", "));
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Answers model requests on 127.0.0.1 from an Emend scenario, in the APIs of OpenAI,\n"
        "Anthropic, Gemini and Ollama. Beside texts, a reply of the scenario may be a fault:\n"
        "{\"error\":{\"kind\":K}} with K one of http (status, retry_after_s), timeout, stream_cut\n"
        "(text), connection, garbage, html, stream_error (text), endless; {\"hang\":true} stalls;\n"
        "delay_ms and chunks make it slow. A base URL other than those printed at the start gives\n"
        "404, and so does a model that is not served, each in the words of the API."));
    parser.addHelpOption();
    const QCommandLineOption port(QStringLiteral("port"), QStringLiteral("Port (0: a free one)."),
                                  QStringLiteral("N"), QStringLiteral("8080"));
    const QCommandLineOption scenario(QStringLiteral("scenario"), QStringLiteral("What to answer."),
                                      QStringLiteral("FILE"));
    const QCommandLineOption key(QStringLiteral("require-key"),
                                 QStringLiteral("Refuse requests without this key."),
                                 QStringLiteral("KEY"));
    const QCommandLineOption model(
        QStringLiteral("model"),
        QStringLiteral("A model that is served; may be given several times (without it: %1).")
            .arg(namesOf(fakes::ModelServer::Options().models)),
        QStringLiteral("NAME"));
    parser.addOptions({port, scenario, key, model});
    parser.process(app);
    if (!parser.isSet(scenario)) {
        std::fputs("emend-model-server: --scenario FILE is needed; --help says more\n", stderr);
        return 64;
    }
    auto read = tools::loadScenarioFile(parser.value(scenario).toStdString());
    if (!read) {
        std::fprintf(stderr, "emend-model-server: %s\n", read.error().text().c_str());
        return 65;
    }
    fakes::ModelServer::Options options;
    options.requireKey = parser.value(key).toStdString();
    if (parser.isSet(model)) {
        options.models.clear();
        for (const QString &name : parser.values(model))
            options.models.append(name.toStdString());
    }
    const QString models = namesOf(options.models);
    fakes::ModelServer server(std::move(*read), options);
    if (!server.listen(static_cast<quint16>(parser.value(port).toUInt()))) {
        std::fprintf(stderr, "emend-model-server: port %s cannot be used\n",
                     qPrintable(parser.value(port)));
        return 1;
    }
    const int at = server.port();
    std::printf("listening on 127.0.0.1, base_url by provider:\n"
                "openai    http://127.0.0.1:%d/v1\nanthropic http://127.0.0.1:%d\n"
                "gemini    http://127.0.0.1:%d\nollama    http://127.0.0.1:%d\n"
                "models    %s\n",
                at, at, at, at, qPrintable(models));
    std::fflush(stdout);
    return app.exec();
}
