// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

namespace emend::ui {

// One blocking call at a time on a thread of its own, so that the window never waits. The call
// brings back what is to be done with its result; that is done in the window's thread, and not at
// all if this object is gone or has been told to forget it by then. Nothing here ever blocks: a
// call that does not end at once is left to end by itself.
class Background : public QObject {
    Q_OBJECT
public:
    using Done = std::function<void()>;
    using Work = std::function<Done(std::stop_token)>;

    explicit Background(QObject *parent = nullptr);
    ~Background() override; // as cancel()

    void start(Work work); // cancels the one before
    void cancel();
    bool isRunning() const { return bool(m_call); }

    // Waits for the calls that were left alone. For the end of the program, when what they call
    // goes away.
    static void waitForAll();

Q_SIGNALS:
    void runningChanged(bool running);

private:
    struct Call;
    void deliver(const std::shared_ptr<Call> &call);
    void leave();

    std::shared_ptr<Call> m_call;
    std::jthread m_thread;
};

} // namespace emend::ui
