// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>

#include "app/workbench.h"
#include "core/run/ports.h"

// A made-up key, and where it could show up.
namespace emend::app {

inline const QByteArray canary = "Canary/7f3a+made==up-key";

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class Heard : public core::RunListener {
public:
    QByteArray all;
    void began(const std::string &line) override { all += QByteArray::fromStdString(line); }
    void arrived(const core::Event &event) override
    {
        all += QByteArray::fromStdString(event.line);
    }
    void partialText(int, int, std::string_view text) override
    {
        all.append(text.data(), static_cast<qsizetype>(text.size()));
    }
};

} // namespace emend::app
