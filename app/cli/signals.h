// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <thread>

namespace emend::core {
class RunControl;
}

namespace emend::app {

// For the beginning of main: a signal that comes before there is a run to kill waits until
// KillOnSignal lives, or until releaseSignals(). Threads made meanwhile leave signals to the first.
void holdSignals();
void releaseSignals();

// While it lives, SIGINT, SIGTERM and SIGHUP kill the run cleanly (design section 12). One at a
// time. The handler only writes a byte to a pipe; a thread reads it and calls the control.
class KillOnSignal {
public:
    explicit KillOnSignal(core::RunControl &control);
    ~KillOnSignal();
    KillOnSignal(const KillOnSignal &) = delete;
    KillOnSignal &operator=(const KillOnSignal &) = delete;

private:
    std::thread m_thread;
};

} // namespace emend::app
