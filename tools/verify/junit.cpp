// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/junit.h"

#include <QXmlStreamReader>

#include <cstdlib>

#include "core/base/text.h"

namespace emend::tools {

using core::TestResult;
using Status = TestResult::Status;

namespace {

constexpr std::size_t longestMessage = 4096;

std::string cut(std::string text)
{
    if (text.size() > longestMessage) {
        text.resize(longestMessage);
        text.resize(std::min(core::firstInvalidUtf8(text), text.size()));
    }
    return text;
}

std::string nameOf(const QXmlStreamAttributes &attributes, const std::string &module)
{
    std::string name = attributes.value(QLatin1String("name")).toString().toStdString();
    std::string group = attributes.value(QLatin1String("classname")).toString().toStdString();
    if (!module.empty() && (group == module || group.starts_with(module + ".")))
        group.erase(0, module.size() + 1);
    for (std::size_t dot; !module.empty() && (dot = group.find('.')) != std::string::npos;)
        group.replace(dot, 1, "::");
    return group.empty() ? name : group + "::" + name;
}

// The reader stands on <testcase>; it is left on its end.
TestResult readCase(QXmlStreamReader &xml, const std::string &module)
{
    TestResult result;
    const QXmlStreamAttributes attributes = xml.attributes();
    result.name = cut(nameOf(attributes, module));
    const double seconds = attributes.value(QLatin1String("time")).toDouble();
    if (seconds > 0 && seconds < 1e6)
        result.durationUs = static_cast<std::int64_t>(seconds * 1e6);
    while (xml.readNextStartElement()) {
        const QString tag = xml.name().toString();
        Status status = Status::Passed;
        if (tag == QLatin1String("failure"))
            status = Status::Failed;
        else if (tag == QLatin1String("error"))
            status = Status::Error;
        else if (tag == QLatin1String("skipped"))
            status = Status::Skipped;
        std::string message =
            xml.attributes().value(QLatin1String("message")).toString().toStdString();
        const std::string text =
            xml.readElementText(QXmlStreamReader::IncludeChildElements).toStdString();
        if (status == Status::Passed)
            continue; // system-out, properties
        const bool worse = result.status == Status::Passed || result.status == Status::Skipped;
        if (!worse)
            continue;
        result.status = status;
        if (status == Status::Error && message == "collection failure")
            message = text; // the words that say why
        result.message = cut(message.empty() ? text : std::move(message));
    }
    return result;
}

} // namespace

std::optional<std::vector<TestResult>> readJunit(std::string_view text, const std::string &module)
{
    QXmlStreamReader xml(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())));
    std::vector<TestResult> results;
    bool isReport = false;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("testsuites") || xml.name() == QLatin1String("testsuite"))
            isReport = true;
        else if (!isReport)
            return std::nullopt;
        if (xml.name() == QLatin1String("testcase"))
            results.push_back(readCase(xml, module));
    }
    if (xml.hasError() || !isReport)
        return std::nullopt;
    return results;
}

namespace {

// "ok 3 - adds # SKIP why"
std::optional<TestResult> readTapLine(std::string_view line)
{
    TestResult result;
    if (line.starts_with("not ok"))
        result.status = Status::Failed;
    else if (!line.starts_with("ok"))
        return std::nullopt;
    line.remove_prefix(result.status == Status::Failed ? 6 : 2);
    if (!line.empty() && line[0] != ' ')
        return std::nullopt;
    const std::size_t begin = line.find_first_not_of(" 0123456789-");
    std::string_view name = begin == std::string_view::npos ? "" : line.substr(begin);
    const std::size_t directive = name.find('#');
    if (directive != std::string_view::npos) {
        std::string what(core::trimBlank(name.substr(directive + 1)));
        for (char &each : what)
            each = static_cast<char>(each >= 'A' && each <= 'Z' ? each + 32 : each);
        if (what.starts_with("skip") || what.starts_with("todo"))
            result.status = Status::Skipped;
        result.message = what;
        name = name.substr(0, directive);
    }
    result.name = cut(std::string(core::trimBlank(name)));
    return result;
}

} // namespace

std::optional<std::vector<TestResult>> readTap(std::string_view text)
{
    std::vector<TestResult> results;
    long planned = -1;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with("1.."))
            planned = std::strtol(std::string(line.substr(3)).c_str(), nullptr, 10);
        else if (line.starts_with("Bail out!"))
            return std::nullopt;
        else if (auto result = readTapLine(line)) {
            if (result->name.empty())
                result->name = "test " + std::to_string(results.size() + 1);
            results.push_back(std::move(*result));
        }
    }
    if (planned < 0 || static_cast<std::size_t>(planned) != results.size())
        return std::nullopt;
    return results;
}

} // namespace emend::tools
