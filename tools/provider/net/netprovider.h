// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "core/run/ports.h"
#include "core/task/task.h"
#include "tools/http/httpclient.h"
#include "tools/provider/net/dialect.h"

namespace emend::tools {

// The key of a provider by its name: "" where there is none, an error where one cannot be used.
// Called on the run's thread at each call, so that a new key counts at once.
using KeyOf = std::function<core::Result<std::string>(const std::string &provider)>;

// A model over the network: one dialect on the shared HTTP client. It takes a stream or one body,
// whatever comes, gives text on as it arrives, and turns whatever goes wrong into a transport
// error with a class and a sentence. Nothing it says or returns holds the key. Lives on the run's
// thread.
class NetProvider : public core::ModelProvider {
public:
    struct World {
        HttpClient *http = nullptr;   // borrowed
        core::Clock *clock = nullptr; // borrowed
        KeyOf keyOf;
        std::function<WallTime()> now = {}; // for dates in Retry-After; empty: the system's
        std::function<void()> onRead = {};  // a piece of a reply has been dealt with; for tests
    };

    NetProvider(const Dialect &dialect, core::ModelSettings settings, std::string folder,
                World world);

    core::ModelOutcome generate(const core::ModelRequest &request, const core::CallContext &context,
                                const std::function<void(std::string_view)> &onText) override;

private:
    class Call;

    const Dialect &m_dialect;
    core::ModelSettings m_settings;
    std::string m_folder;
    World m_world;
};

// What all requests to a provider have in common: address, key, extra headers, transport settings.
// An error is a sentence about the key. `folder`: where a relative CA file is.
core::Result<HttpRequest> requestTo(const Dialect &dialect, const core::ModelSettings &settings,
                                    const std::string &folder, const std::string &path,
                                    const KeyOf &keyOf);

// The CA file where it lies; empty: none is named.
inline std::string caFileOf(const core::TransportSettings &transport, const std::string &folder)
{
    const bool relative = !transport.caFile.empty() && !transport.caFile.starts_with('/');
    return relative && !folder.empty() ? folder + '/' + transport.caFile : transport.caFile;
}

Asked askedOf(const Dialect &dialect, const core::ModelSettings &settings);

} // namespace emend::tools
