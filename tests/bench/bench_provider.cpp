// SPDX-License-Identifier: GPL-3.0-or-later
// What a provider adds to a call on loopback, and how fast it takes a stream. Prints figures.
#include <QCoreApplication>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tools/clock/steadyclock.h"
#include "tools/provider/net/netprovider.h"

using namespace emend;

namespace {

double nowUs()
{
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

std::string chunk(const std::string &text, const char *finish)
{
    return R"(data: {"choices":[{"index":0,"delta":{"content":")" + text +
           R"("},"finish_reason":)" + finish + "}]}\n\n";
}

// Answers every request with the same stream; with `keepAlive` it frames it by its length.
class Server {
public:
    Server(int chunks, int perSecond)
        : m_perSecond(perSecond)
    {
        for (int i = 0; i < chunks; ++i)
            m_pieces.push_back(chunk("word ", "null"));
        m_pieces.push_back(chunk("", "\"stop\"") + "data: [DONE]\n\n");
        std::size_t size = 0;
        for (const std::string &piece : m_pieces)
            size += piece.size();
        m_head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " +
                 std::to_string(size) + "\r\n\r\n";
        m_listener = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ::bind(m_listener, reinterpret_cast<sockaddr *>(&address), sizeof address);
        ::listen(m_listener, 64);
        socklen_t length = sizeof address;
        ::getsockname(m_listener, reinterpret_cast<sockaddr *>(&address), &length);
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { serve(); });
    }
    ~Server()
    {
        ::shutdown(m_listener, SHUT_RDWR);
        m_thread.join();
        ::close(m_listener);
    }
    int port() const { return m_port; }
    std::size_t bytes() const
    {
        std::size_t size = m_head.size();
        for (const std::string &piece : m_pieces)
            size += piece.size();
        return size;
    }

private:
    void serve()
    {
        for (;;) {
            const int socket = ::accept(m_listener, nullptr, nullptr);
            if (socket < 0)
                return;
            std::thread([this, socket] { answer(socket); }).detach();
        }
    }
    void answer(int socket)
    {
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        std::string in;
        char buffer[65536];
        for (ssize_t got; (got = ::recv(socket, buffer, sizeof buffer, 0)) > 0;) {
            in.append(buffer, static_cast<std::size_t>(got));
            if (in.find("\r\n\r\n") == std::string::npos || !in.ends_with("}"))
                continue; // the body is JSON
            in.clear();
            send(socket, m_head);
            const double began = nowUs();
            for (std::size_t i = 0; i < m_pieces.size(); ++i) {
                send(socket, m_pieces[i]);
                while (m_perSecond > 0 && nowUs() - began < double(i) * 1e6 / m_perSecond)
                    std::this_thread::yield();
            }
        }
        ::close(socket);
    }
    static void send(int socket, const std::string &text)
    {
        (void)!::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    }

    int m_perSecond;
    std::string m_head;
    std::vector<std::string> m_pieces;
    int m_listener = -1, m_port = 0;
    std::thread m_thread;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The same exchange on one plain socket that stays open.
double rawCall(int socket, std::size_t bytes)
{
    static const std::string request = "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";
    const double began = nowUs();
    (void)!::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
    char buffer[65536];
    while (bytes > 0) {
        const ssize_t got = ::recv(socket, buffer, std::min(bytes, sizeof buffer), 0);
        if (got <= 0)
            return 0;
        bytes -= static_cast<std::size_t>(got);
    }
    return nowUs() - began;
}

struct Asker {
    tools::HttpClient http;
    tools::SteadyClock clock;
    std::vector<core::Message> messages = {{core::Role::User, std::string(2000, 'x')}};
    std::vector<core::ToolSpec> tools;
    std::vector<core::Observation> observations;

    double call(int port, int &pieces)
    {
        core::ModelSettings settings;
        settings.provider = "openai";
        settings.model = "m";
        settings.baseUrl = "http://127.0.0.1:" + std::to_string(port);
        settings.maxOutputTokens = 1'000'000;
        tools::NetProvider provider(tools::openaiDialect(), settings, {}, {&http, &clock, {}});
        core::ModelRequest request;
        request.model = "m";
        request.maxOutputTokens = settings.maxOutputTokens;
        request.messages = &messages;
        request.tools = &tools;
        request.observations = &observations;
        pieces = 0;
        const double began = nowUs();
        const auto outcome = provider.generate(request, {}, [&](std::string_view) { ++pieces; });
        if (outcome.kind != core::ModelOutcome::Kind::Replied)
            std::printf("failed: %s\n", outcome.error.message.c_str());
        return nowUs() - began;
    }
};

void oneCall()
{
    constexpr int calls = 500;
    Server server(1, 0);
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(server.port()));
    if (::connect(socket, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        return;
    Asker asker;
    std::vector<double> raw, whole;
    int pieces = 0;
    for (int i = 0; i < calls; ++i) { // by turns, so that both meet the same machine
        raw.push_back(rawCall(socket, server.bytes()));
        whole.push_back(asker.call(server.port(), pieces));
    }
    ::close(socket);
    std::printf("a call on loopback, median of %d: plain socket %.0f us, provider %.0f us, "
                "added %.0f us\n",
                calls, median(raw), median(whole), median(whole) - median(raw));
}

void stream(int chunks, int perSecond)
{
    Server server(chunks, perSecond);
    Asker asker;
    int pieces = 0;
    const double us = asker.call(server.port(), pieces);
    std::printf("%d chunks%s: %.0f ms, %.0f chunks/s, given on in %d pieces\n", chunks,
                perSecond > 0 ? " at 2,000/s" : " as fast as they come", us / 1000,
                chunks / us * 1e6, pieces);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    oneCall();
    stream(100'000, 0);
    stream(4000, 2000);
    return 0;
}
