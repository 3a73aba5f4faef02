// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <string>

// How a server of each API words a reply. Pure.
namespace emend::fakes {

enum class Api { OpenAi, Anthropic, Gemini, Ollama };

struct Answer {
    std::string model;
    QList<std::string> pieces; // of the text, at least one
    std::int64_t tokensIn = 0, tokensOut = 0;
    bool truncated = false;
};

// The pieces of a stream, one a piece of text, and what ends it.
struct Stream {
    QByteArray contentType;
    QByteArray begin;
    QList<QByteArray> pieces;
    QByteArray end;
};
Stream streamOf(Api api, const Answer &answer);

QByteArray bodyOf(Api api, const Answer &answer); // the same as one JSON body
QByteArray errorOf(Api api, int status, const std::string &message);
// As the API itself refuses a model it has not; goes with 404.
QByteArray unknownModelOf(Api api, const std::string &model);
// An error in the middle of a stream.
QByteArray streamErrorOf(Api api, const std::string &message);
QByteArray modelsOf(Api api, const QList<std::string> &names);

} // namespace emend::fakes
