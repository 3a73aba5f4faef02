// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/forkchanges.h"

#include "core/base/linediff.h"
#include "ui/shell/numberfield.h"
#include "ui/text/plaintext.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::ForkChanges)
};

constexpr int longestValue = 120;

QString shown(const std::string &text)
{
    return text.empty() ? Words::tr("none") : oneLine(QString::fromStdString(text), longestValue);
}

// Collects what differs; each kind of field has one function.
struct Collector {
    ForkChanges out;

    void say(const QString &part, const QString &detail)
    {
        out.parts << part;
        out.details += (out.details.isEmpty() ? QString() : u"\n"_s) + detail + u'\n';
    }
    void text(const QString &name, const std::string &before, const std::string &after)
    {
        if (before == after)
            return;
        int added = 0, removed = 0;
        for (const core::DiffLine &line : core::lineDiff(before, after)) {
            added += line.kind == core::DiffLine::Kind::Added ? 1 : 0;
            removed += line.kind == core::DiffLine::Kind::Removed ? 1 : 0;
        }
        say(Words::tr("%1 (+%2 −%3 lines)").arg(name).arg(added).arg(removed),
            name + u":\n"_s +
                visible(QString::fromStdString(core::unifiedDiff(before, after, 1))).trimmed());
    }
    void value(const QString &name, const QString &before, const QString &after)
    {
        if (before == after)
            return;
        const QString words = Words::tr("%1 %2 → %3").arg(name, before, after);
        say(words, words);
    }
};

QString modelName(const core::ModelSettings &model)
{
    return shown(model.model.empty() ? model.provider : model.provider + "/" + model.model);
}

QString fileName(const std::string &path)
{
    return path.empty() ? Words::tr("none")
                        : shown(QFileInfo(QString::fromStdString(path)).fileName().toStdString());
}

// What is left of the settings of the model after the fields that have words of their own.
std::string otherSettings(const core::Task &task)
{
    core::Task rest;
    rest.model = task.model;
    rest.model.provider = rest.model.model = rest.model.baseUrl = rest.model.recording = {};
    rest.model.temperature = 0;
    rest.model.maxOutputTokens = 1;
    return core::taskToJson(rest).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

QString ForkChanges::sentence() const
{
    return parts.isEmpty()
               ? Words::tr("Nothing was changed: what differs is the model's own jitter.")
               : Words::tr("Changed: %1.").arg(parts.join(u" · "_s));
}

ForkChanges forkChanges(const core::Task &before, const core::Task &after,
                        const std::string &builtIn)
{
    const auto prompt = [&](const core::Task &task) -> const std::string & {
        return task.systemPrompt.empty() ? builtIn : task.systemPrompt;
    };
    const core::ModelSettings &old = before.model, &now = after.model;
    Collector changes;
    changes.text(Words::tr("goal"), before.goal, after.goal);
    changes.text(Words::tr("prompt"), prompt(before), prompt(after));
    changes.value(Words::tr("model"), modelName(old), modelName(now));
    changes.value(Words::tr("address"), shown(old.baseUrl), shown(now.baseUrl));
    changes.value(Words::tr("recording"), fileName(old.recording), fileName(now.recording));
    changes.value(Words::tr("scenario"), fileName(before.scenarioFile),
                  fileName(after.scenarioFile));
    const QLocale locale = readableLocale();
    changes.value(Words::tr("temperature"), locale.toString(old.temperature, 'g', 4),
                  locale.toString(now.temperature, 'g', 4));
    changes.value(Words::tr("longest reply"), numberText(old.maxOutputTokens),
                  numberText(now.maxOutputTokens));
    if (otherSettings(before) != otherSettings(after))
        changes.say(Words::tr("other settings of the model"),
                    Words::tr("Other settings of the model were changed as well."));
    return changes.out;
}

} // namespace emend::ui
