// SPDX-License-Identifier: GPL-3.0-or-later
// emend-model-server: a fake server of models for tests, and for trying Emend without an account.
#include <QCommandLineParser>
#include <QCoreApplication>

#include <cstdio>

#include "tests/fakes/modelserver/modelserver.h"
#include "tools/scenario/scenariofile.h"

using namespace emend;

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Answers model requests on 127.0.0.1 from an Emend scenario, in the APIs of OpenAI,\n"
        "Anthropic, Gemini and Ollama. Beside texts, a reply of the scenario may be a fault:\n"
        "{\"error\":{\"kind\":K}} with K one of http (status, retry_after_s), timeout, stream_cut\n"
        "(text), connection, garbage, html, stream_error (text), endless; {\"hang\":true} stalls;\n"
        "delay_ms and chunks make it slow."));
    parser.addHelpOption();
    const QCommandLineOption port(QStringLiteral("port"), QStringLiteral("Port (0: a free one)."),
                                  QStringLiteral("N"), QStringLiteral("8080"));
    const QCommandLineOption scenario(QStringLiteral("scenario"), QStringLiteral("What to answer."),
                                      QStringLiteral("FILE"));
    const QCommandLineOption key(QStringLiteral("require-key"),
                                 QStringLiteral("Refuse requests without this key."),
                                 QStringLiteral("KEY"));
    parser.addOptions({port, scenario, key});
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
    fakes::ModelServer server(std::move(*read), options);
    if (!server.listen(static_cast<quint16>(parser.value(port).toUInt()))) {
        std::fprintf(stderr, "emend-model-server: port %s cannot be used\n",
                     qPrintable(parser.value(port)));
        return 1;
    }
    const int at = server.port();
    std::printf("listening on 127.0.0.1, base_url by provider:\n"
                "openai    http://127.0.0.1:%d/v1\nanthropic http://127.0.0.1:%d\n"
                "gemini    http://127.0.0.1:%d\nollama    http://127.0.0.1:%d\n",
                at, at, at, at);
    std::fflush(stdout);
    return app.exec();
}
