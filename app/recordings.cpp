// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recordings.h"

#include <QDir>

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "tools/replay/replayplayer.h"

namespace emend::app {

using namespace emend::core;

std::string recordingFileOf(const Task &task)
{
    if (task.model.recording.empty())
        return {};
    const QDir folder(QString::fromStdString(task.folder));
    return folder.filePath(QString::fromStdString(task.model.recording)).toStdString();
}

Result<Recording> loadRecordingOf(const Task &task)
{
    const std::string file = recordingFileOf(task);
    if (file.empty())
        return fail(ErrorCode::BadValue, "the replay provider plays a trace, and none is named",
                    "/model/recording");
    return tools::loadRecording(file);
}

Result<void> refuseOverwriting(const std::string &traceFile, const std::vector<std::string> &played)
{
    for (const std::string &file : played) {
        std::error_code absent; // what is not there cannot be overwritten
        if (traceFile.empty() || !std::filesystem::equivalent(traceFile, file, absent))
            continue;
        Error error;
        error.code = ErrorCode::Unwritable;
        error.file = traceFile;
        error.message = "this is the recording that is played (" + inQuotes(file, 400) +
                        "); name another file for the new trace";
        return tl::unexpected<Error>(std::move(error));
    }
    return {};
}

int lastStep(const Recording &recording)
{
    int last = 0;
    for (const RecordedEvent &event : recording.events)
        last = std::max(last, event.step);
    return last;
}

} // namespace emend::app
