// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/net/netprovider.h"

#include <algorithm>

#include "core/base/text.h"
#include "tools/clock/steadyclock.h"
#include "tools/provider/net/framing.h"

namespace emend::tools {

using core::ModelOutcome;
using core::TransportClass;
using core::TransportError;
using nlohmann::json;

namespace {

// A reply that goes on and on is cut: no tokenizer makes more than this of a token on average.
constexpr std::int64_t bytesOfAToken = 16;
constexpr std::int64_t smallestTextLimit = 64 << 10;
// Of the whole body: the frame around each piece of text is many times its size.
constexpr std::int64_t frameFactor = 64;
constexpr std::int64_t smallestBodyLimit = 16 << 20;

std::string withoutSlash(std::string url)
{
    while (url.ends_with('/'))
        url.pop_back();
    return url;
}

bool isKey(const std::string &key)
{
    return std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

WallTime systemNow()
{
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

} // namespace

Asked askedOf(const Dialect &dialect, const core::ModelSettings &settings)
{
    Asked asked;
    asked.provider = dialect.name();
    asked.baseUrl = withoutSlash(settings.baseUrl.empty() ? std::string(dialect.defaultBaseUrl())
                                                          : settings.baseUrl);
    asked.model = settings.model;
    asked.keyVariable = dialect.keyVariable();
    return asked;
}

core::Result<HttpRequest> requestTo(const Dialect &dialect, const core::ModelSettings &settings,
                                    const std::string &folder, const std::string &path,
                                    const KeyOf &keyOf)
{
    const Asked asked = askedOf(dialect, settings);
    const bool own = asked.baseUrl == dialect.defaultBaseUrl();
    auto key = keyOf ? keyOf(asked.provider) : core::Result<std::string>(std::string());
    if (!key)
        return tl::unexpected<core::Error>(key.error());
    const bool required = own && asked.baseUrl.starts_with("https:");
    if (key->empty() && required)
        return core::fail(core::ErrorCode::NotFound,
                          "there is no key for " + asked.provider + ": set " + asked.keyVariable +
                              " in the environment, or store it in the settings");
    if (!isKey(*key))
        return core::fail(core::ErrorCode::BadValue,
                          "the key for " + asked.provider +
                              " holds blanks or characters that no key has: check " +
                              asked.keyVariable + ", or the key in the settings");
    HttpRequest out;
    out.url = asked.baseUrl + path;
    out.headers = dialect.headers();
    for (const auto &header : settings.headers)
        out.headers.push_back(header);
    if (!key->empty())
        for (HttpHeader &header : dialect.keyHeaders(*key))
            out.headers.push_back(std::move(header));
    const core::TransportSettings &transport = settings.transport;
    out.timeout = std::chrono::seconds(transport.timeoutSeconds);
    out.connectTimeout = std::chrono::seconds(transport.connectSeconds);
    out.firstByteTimeout = std::chrono::seconds(transport.firstByteSeconds);
    out.idleTimeout = std::chrono::seconds(transport.idleSeconds);
    out.proxy = transport.proxy;
    out.tlsVerify = transport.tlsVerify;
    out.caFile = caFileOf(transport, folder);
    out.secret = *key;
    return out;
}

// One call on its way.
class NetProvider::Call {
public:
    Call(const NetProvider &provider, const core::ModelRequest &request,
         const std::function<void(std::string_view)> &onText)
        : m_provider(provider)
        , m_request(request)
        , m_onText(onText)
    {
        m_reading.asked = askedOf(provider.m_dialect, provider.m_settings);
        m_reading.toolIsText =
            provider.m_settings.structuredOutput == core::StructuredOutput::Tools ||
            (provider.m_settings.structuredOutput == core::StructuredOutput::Schema &&
             provider.m_dialect.name() == "anthropic");
        m_textLimit = std::max(smallestTextLimit, request.maxOutputTokens * bytesOfAToken);
    }

    ModelOutcome run(const core::CallContext &context)
    {
        auto request = requestTo(m_provider.m_dialect, m_provider.m_settings, m_provider.m_folder,
                                 m_provider.m_dialect.path(m_request), m_provider.m_world.keyOf);
        if (!request) {
            TransportError error;
            error.cls = TransportClass::Auth;
            error.message = request.error().message;
            error.detail = "no_key";
            return ModelOutcome::failed(std::move(error));
        }
        m_reading.asked.key = request->secret;
        request->method = HttpRequest::Method::Post;
        request->body = m_provider.m_dialect.body(m_request, m_provider.m_settings)
                            .dump(-1, ' ', false, json::error_handler_t::replace);
        request->maxBodyBytes = std::max(smallestBodyLimit, m_textLimit * frameFactor);
        request->timeout = std::min(request->timeout, timeLeft(*m_provider.m_world.clock, context));
        std::stop_source enough; // also when nothing more is wanted of this reply
        const std::stop_callback forward(context.stop, [&] { enough.request_stop(); });
        const HttpOutcome outcome = m_provider.m_world.http->send(
            *request, enough.get_token(), [&](const HttpResponse &, std::string_view piece) {
                if (!m_framing.feed(piece, [&](std::string_view p) { return take(p, true); }))
                    enough.request_stop();
                if (m_provider.m_world.onRead)
                    m_provider.m_world.onRead();
                return !m_reading.ended;
            });
        if (context.stop.stop_requested())
            return ModelOutcome::cancelled();
        return finish(outcome);
    }

private:
    // False: no more is wanted.
    bool take(std::string_view payload, bool more)
    {
        m_begun = true;
        if (payload == "[DONE]") {
            m_reading.complete = m_reading.ended = true;
            return true; // the connection may go on to its end and be used again
        }
        if (payload.empty() || payload.starts_with(':')) // a comment that a proxy wrapped
            return true;
        json body = parseForeign(payload);
        if (body.is_discarded())
            body = parseForeign(core::toValidUtf8(payload));
        if (body.is_discarded())
            return broken(payload);
        const bool streamed = m_framing.form() == Framing::Form::Events || m_framing.manyLines();
        if (const json error = errorIn(body); !error.is_null()) {
            m_reading.error = classifyError(m_reading.asked, error, streamed);
            return false;
        }
        m_provider.m_dialect.read(body, streamed, m_reading);
        m_streamed = m_streamed || streamed;
        giveText();
        if (static_cast<std::int64_t>(m_reading.text.size() + m_reading.toolText.size()) <=
            m_textLimit)
            return !(m_reading.error && more);
        m_cut = true;
        return false;
    }

    bool broken(std::string_view payload)
    {
        TransportError error;
        error.cls = TransportClass::StreamError;
        error.retryable = true;
        error.httpStatus = 200;
        error.message = m_reading.asked.provider + " sent something unreadable in its reply: " +
                        serverWords(m_reading.asked, payload);
        m_reading.error = std::move(error);
        return false;
    }

    void giveText()
    {
        const std::string &text = m_reading.toolText.empty() ? m_reading.text : m_reading.toolText;
        if (text.size() <= m_given)
            return;
        m_onText(std::string_view(text).substr(m_given));
        m_given = text.size();
    }

    ModelOutcome finish(const HttpOutcome &outcome)
    {
        if (m_cut)
            return cutReply();
        if (m_reading.error) // known, however the connection ended
            return failed(*m_reading.error);
        // Whatever became of the connection once the reply was there does not undo it.
        const bool there = m_reading.complete && outcome.error.kind != HttpError::Kind::TooLarge;
        if (outcome.kind == HttpOutcome::Kind::Failed && !there)
            return failed(classifyFailure(m_reading.asked, outcome.error, m_begun));
        if (outcome.kind == HttpOutcome::Kind::Cancelled) // the client is being taken down
            return ModelOutcome::cancelled();
        if (!there && outcome.response.status / 100 != 2)
            return failed(
                classifyStatus(m_reading.asked, outcome.response,
                               m_provider.m_world.now ? m_provider.m_world.now() : systemNow()));
        m_framing.finish([&](std::string_view p) { return take(p, false); });
        if (m_reading.error)
            return failed(*m_reading.error);
        return m_cut ? cutReply() : whole();
    }

    ModelOutcome whole()
    {
        const bool events = m_framing.form() == Framing::Form::Events && m_framing.anyField();
        if (!m_begun && !events)
            return failed(noReply());
        if (!m_framing.rest().empty() && m_framing.manyLines()) {
            broken(m_framing.rest());
            return failed(*m_reading.error);
        }
        const bool body = !events && !m_framing.manyLines();
        if (body && !m_reading.answered)
            return failed(noChoices());
        // A body is whole by its framing; only a stream needs an end of its own.
        if (!m_reading.complete && !(body && m_reading.answered && !m_streamed))
            return failed(truncated());
        return replied();
    }

    TransportError noReply() const
    {
        const std::string &rest = m_framing.rest();
        if (m_framing.form() != Framing::Form::Json || rest.empty())
            return notAReply(m_reading.asked, rest);
        TransportError error = truncated();
        error.cls = TransportClass::BadBody;
        error.message = m_reading.asked.provider +
                        " sent JSON that is cut or damaged: " + serverWords(m_reading.asked, rest);
        return error;
    }

    TransportError noChoices() const
    {
        TransportError error;
        error.cls = TransportClass::NoChoices;
        error.retryable = true;
        error.httpStatus = 200;
        error.message = m_reading.asked.provider + " answered without any reply in it";
        return error;
    }

    TransportError truncated() const
    {
        TransportError error;
        error.cls = TransportClass::StreamTruncated;
        error.retryable = true;
        error.httpStatus = 200;
        error.message = m_reading.asked.provider +
                        "'s reply broke off: neither a finish reason nor an end mark came";
        return error;
    }

    ModelOutcome failed(TransportError error) const
    {
        error.partial = core::toValidUtf8(m_reading.text);
        for (std::string *text : {&error.message, &error.detail, &error.partial})
            hideSecret(*text, m_reading.asked.key);
        return ModelOutcome::failed(std::move(error));
    }

    ModelOutcome cutReply()
    {
        m_reading.truncated = true;
        m_reading.finishReason = "cut_by_emend";
        return replied();
    }

    ModelOutcome replied()
    {
        core::ModelReply reply;
        reply.text = m_reading.toolText.empty() ? m_reading.text : m_reading.toolText;
        reply.usage = m_reading.usage;
        reply.finishReason = m_reading.finishReason;
        reply.truncated = m_reading.truncated;
        if (m_reading.contentParts)
            reply.normalisations.emplace_back("content_parts");
        if (!m_reading.toolText.empty())
            reply.normalisations.emplace_back("function_arguments");
        if (m_reading.nativeCall)
            reply.note = "A native tool call instead of text came, and is not executed: state the "
                         "decision as JSON in the text";
        return ModelOutcome::replied(std::move(reply));
    }

    const NetProvider &m_provider;
    const core::ModelRequest &m_request;
    const std::function<void(std::string_view)> &m_onText;
    Reading m_reading;
    Framing m_framing;
    std::int64_t m_textLimit = 0;
    std::size_t m_given = 0; // bytes of the text that went to onText
    bool m_begun = false;    // a payload came
    bool m_streamed = false;
    bool m_cut = false; // by us: it was too long
};

NetProvider::NetProvider(const Dialect &dialect, core::ModelSettings settings, std::string folder,
                         World world)
    : m_dialect(dialect)
    , m_settings(std::move(settings))
    , m_folder(std::move(folder))
    , m_world(std::move(world))
{}

ModelOutcome NetProvider::generate(const core::ModelRequest &request,
                                   const core::CallContext &context,
                                   const std::function<void(std::string_view)> &onText)
{
    return Call(*this, request, onText).run(context);
}

} // namespace emend::tools
