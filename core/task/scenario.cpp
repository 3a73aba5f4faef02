// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/scenario.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/json/strictreader.h"
#include "core/task/filereader.h"

namespace emend::core {

using nlohmann::json;

namespace {

constexpr std::int64_t maxDelayMs = 3'600'000;

// {"text":"…"}, or {"text_b64":"…"} for bytes that are no UTF-8.
void readBytes(FileReader &file, ObjectReader &reader, const std::string &key, std::string &out)
{
    reader.text(key.c_str(), out);
    std::string encoded;
    const std::string b64 = key + "_b64";
    reader.text(b64.c_str(), encoded);
    if (!encoded.empty() && !fromBase64(encoded, out))
        file.fault(reader.pointerTo(b64.c_str()), "not base64");
}

TransportClass classOfStatus(int status)
{
    switch (status) {
    case 400:
        return TransportClass::BadRequest;
    case 401:
    case 403:
        return TransportClass::Auth;
    case 404:
        return TransportClass::NotFound;
    case 408:
        return TransportClass::Timeout;
    case 413:
        return TransportClass::ContextOverflow;
    case 429:
        return TransportClass::RateLimited;
    case 503:
    case 529:
        return TransportClass::Overloaded;
    default:
        return status >= 500 ? TransportClass::ServerError : TransportClass::BadRequest;
    }
}

bool isRetryable(TransportClass cls)
{
    switch (cls) {
    case TransportClass::RateLimited:
    case TransportClass::Overloaded:
    case TransportClass::ServerError:
    case TransportClass::NoChoices:
    case TransportClass::StreamError:
    case TransportClass::StreamTruncated:
    case TransportClass::Timeout:
    case TransportClass::Connection:
        return true;
    default:
        return false;
    }
}

// In the order of ScriptedFault, from Http on.
struct Fault {
    const char *name;
    TransportClass cls; // of Http by its status
    const char *message;
};
constexpr std::array<Fault, 8> faults = {{
    {"http", TransportClass::ServerError, ""},
    {"timeout", TransportClass::Timeout, "the model did not answer in time"},
    {"stream_cut", TransportClass::StreamTruncated, "the stream ended in the middle of the reply"},
    {"connection", TransportClass::Connection, "no connection"},
    {"garbage", TransportClass::StreamError, "the reply is unreadable"},
    {"html", TransportClass::BadBody, "a web page came instead of a reply"},
    {"stream_error", TransportClass::StreamError, "the server failed in the middle of the reply"},
    {"endless", TransportClass::Timeout, "the reply did not end in time"},
}};

TransportError readError(FileReader &file, ObjectReader reader, ScriptedReply &reply)
{
    TransportError error;
    std::vector<std::string> names;
    for (const Fault &fault : faults)
        names.emplace_back(fault.name);
    const auto kind = reader.choice("kind", names);
    int status = 500;
    reader.integer("status", status, 400, 599);
    readBytes(file, reader, "text", error.partial);
    std::optional<double> after;
    reader.optionalReal("retry_after_s", after, 0, 1e9);
    if (after)
        error.retryAfterMs = static_cast<std::int64_t>(*after * 1000);
    reader.text("message", error.message);
    reader.finish();
    if (!kind)
        file.fault(reader.pointerTo("kind"), "missing, and required");
    const std::size_t which = kind.value_or(0);
    reply.fault = static_cast<ScriptedFault>(which + 1);
    reply.status = which == 0 ? status : 200;
    error.cls = which == 0 ? classOfStatus(status) : faults[which].cls;
    error.retryable = isRetryable(error.cls);
    if (which == 0)
        error.httpStatus = status;
    if (error.message.empty())
        error.message = which == 0 ? "HTTP " + std::to_string(status) : faults[which].message;
    return error;
}

ScriptedReply readReplyEntry(FileReader &file, const json &entry, const std::string &at)
{
    ScriptedReply reply;
    if (!entry.is_object()) {
        file.fault(at, "expected an object with \"text\", \"error\" or \"hang\"");
        return reply;
    }
    ObjectReader reader(file, &entry, at);
    readBytes(file, reader, "text", reply.text);
    reader.integer("delay_ms", reply.delayMs, 0, maxDelayMs);
    reader.integer("chunks", reply.chunks, 1, 1'000'000);
    reader.flag("hang", reply.hang);
    if (ObjectReader error = reader.object("error"); error.present())
        reply.error = readError(file, error, reply);
    reader.finish();
    if (!reply.error && !reply.hang && !entry.contains("text") && !entry.contains("text_b64"))
        file.fault(at, "expected \"text\", \"error\" or \"hang\"");
    return reply;
}

ScriptedTry readTry(FileReader &file, const json &entry, const std::string &at)
{
    ScriptedTry out;
    if (!entry.is_object()) {
        file.fault(at, "expected an object with \"output\", \"error\", \"timeout\" or \"hang\"");
        return out;
    }
    ObjectReader reader(file, &entry, at);
    readBytes(file, reader, "output", out.text);
    if (entry.contains("error")) {
        out.ok = false;
        readBytes(file, reader, "error", out.text);
    }
    reader.integer("delay_ms", out.delayMs, 0, maxDelayMs);
    reader.flag("hang", out.hang);
    reader.flag("timeout", out.timeout);
    reader.finish();
    if (out.timeout) {
        out.ok = false;
        if (out.text.empty())
            out.text = "timed out";
    }
    if (!out.hang && !out.timeout && !entry.contains("output") && !entry.contains("output_b64") &&
        !entry.contains("error"))
        file.fault(at, "expected \"output\", \"error\", \"timeout\" or \"hang\"");
    return out;
}

std::vector<ScriptedTry> readTries(FileReader &file, const json &list, const std::string &at)
{
    std::vector<ScriptedTry> out;
    if (!list.is_array()) {
        file.fault(at, "expected a list of tries");
        return out;
    }
    for (std::size_t i = 0; i < list.size(); ++i)
        out.push_back(readTry(file, list[i], at + "/" + std::to_string(i)));
    return out;
}

} // namespace

Result<Scenario> parseScenario(std::string_view text)
{
    FileReader file(text, "scenario", 1);
    Scenario out;
    ObjectReader root = file.root();
    const json *replies = root.take("replies");
    if (replies != nullptr && !replies->is_array())
        file.fault("/replies", "expected a list");
    for (std::size_t i = 0; replies != nullptr && replies->is_array() && i < replies->size(); ++i)
        out.replies.push_back(readReplyEntry(file, (*replies)[i], "/replies/" + std::to_string(i)));
    const json *tools = root.take("tools");
    if (tools != nullptr && !tools->is_object())
        file.fault("/tools", "expected an object of lists");
    if (tools != nullptr && tools->is_object())
        for (const auto &[name, tries] : tools->items())
            out.tools[name] = readTries(file, tries, joinPointer("/tools", name));
    const json *actions = root.take("actions");
    if (actions != nullptr && !actions->is_array())
        file.fault("/actions", "expected a list of lists");
    for (std::size_t i = 0; actions != nullptr && actions->is_array() && i < actions->size(); ++i)
        out.actions.push_back(readTries(file, (*actions)[i], "/actions/" + std::to_string(i)));
    if (const auto when = root.choice("when_exhausted", {"fail", "repeat_last"}))
        out.repeatLast = *when == 1;
    root.finish();
    if (file.error())
        return tl::unexpected<Error>(*file.error());
    return out;
}

} // namespace emend::core
