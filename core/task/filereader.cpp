// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/filereader.h"
#include "core/base/closest.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/json/schema.h"
#include "core/json/strictreader.h"

namespace emend::core {

using nlohmann::json;

namespace {

std::string describe(const json &value)
{
    if (value.is_string())
        return "text " + inQuotes(value.get_ref<const std::string &>(), 40);
    if (value.is_structured())
        return value.is_array() ? "a list" : "an object";
    return value.dump();
}

} // namespace

ObjectReader::ObjectReader(FileReader &file, const json *object, std::string pointer)
    : m_file(file)
    , m_object(object)
    , m_pointer(std::move(pointer))
{}

std::string ObjectReader::pointerTo(const char *key) const
{
    return joinPointer(m_pointer, key);
}

void ObjectReader::wrong(const char *key, const std::string &wanted, const json &value)
{
    m_file.fault(pointerTo(key), "expected " + wanted + ", got " + describe(value));
}

const json *ObjectReader::take(const char *key)
{
    m_known.emplace_back(key);
    if (m_object == nullptr)
        return nullptr;
    const auto it = m_object->find(key);
    return it == m_object->end() ? nullptr : &*it;
}

void ObjectReader::text(const char *key, std::string &out)
{
    const json *value = take(key);
    if (value == nullptr)
        return;
    value->is_string() ? void(out = value->get<std::string>()) : wrong(key, "text", *value);
}

void ObjectReader::required(const char *key, std::string &out)
{
    const json *value = take(key);
    if (value == nullptr)
        return m_file.fault(pointerTo(key), "missing, and required");
    if (!value->is_string() || trimBlank(value->get_ref<const std::string &>()).empty())
        return wrong(key, "a text that is not empty", *value);
    out = value->get<std::string>();
}

void ObjectReader::flag(const char *key, bool &out)
{
    const json *value = take(key);
    if (value == nullptr)
        return;
    value->is_boolean() ? void(out = value->get<bool>()) : wrong(key, "true or false", *value);
}

void ObjectReader::integer(const char *key, std::int64_t &out, std::int64_t low, std::int64_t high)
{
    const json *value = take(key);
    if (value == nullptr)
        return;
    const bool fits = value->is_number_integer() &&
                      !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX) &&
                      value->get<std::int64_t>() >= low && value->get<std::int64_t>() <= high;
    if (!fits)
        return wrong(key,
                     "a whole number from " + std::to_string(low) + " to " + std::to_string(high),
                     *value);
    out = value->get<std::int64_t>();
}

void ObjectReader::integer(const char *key, int &out, std::int64_t low, std::int64_t high)
{
    std::int64_t wide = out;
    integer(key, wide, low, high);
    out = static_cast<int>(wide);
}

void ObjectReader::optionalInteger(const char *key, std::optional<std::int64_t> &out,
                                   std::int64_t low, std::int64_t high)
{
    const json *value = take(key);
    if (value == nullptr)
        return;
    if (value->is_null()) {
        out.reset();
        return;
    }
    std::int64_t read = out.value_or(low);
    integer(key, read, low, high);
    out = read;
}

void ObjectReader::real(const char *key, double &out, double low, double high)
{
    const json *value = take(key);
    if (value == nullptr)
        return;
    if (!value->is_number() || value->get<double>() < low || value->get<double>() > high)
        return wrong(key, "a number from " + json(low).dump() + " to " + json(high).dump(), *value);
    out = value->get<double>();
}

void ObjectReader::optionalReal(const char *key, std::optional<double> &out, double low,
                                double high)
{
    const json *value = take(key);
    if (value == nullptr)
        return;
    if (value->is_null()) {
        out.reset();
        return;
    }
    double read = out.value_or(low);
    real(key, read, low, high);
    out = read;
}

std::optional<std::size_t> ObjectReader::choice(const char *key,
                                                const std::vector<std::string> &names)
{
    const json *value = take(key);
    if (value == nullptr)
        return std::nullopt;
    std::string offered;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (*value == names[i])
            return i;
        offered += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + inQuotes(names[i]);
    }
    wrong(key, offered, *value);
    return std::nullopt;
}

ObjectReader ObjectReader::object(const char *key)
{
    const json *value = take(key);
    if (value != nullptr && !value->is_object()) {
        wrong(key, "an object", *value);
        value = nullptr;
    }
    return {m_file, value, pointerTo(key)};
}

void ObjectReader::finish()
{
    if (m_object == nullptr)
        return;
    for (const auto &[key, value] : m_object->items()) {
        if (key.starts_with("x-") ||
            std::find(m_known.begin(), m_known.end(), key) != m_known.end())
            continue;
        const std::string near = closestName(key, m_known);
        m_file.fault(joinPointer(m_pointer, key),
                     "unknown member " + inQuotes(key) +
                         (near.empty() ? "" : "; did you mean " + inQuotes(near) + "?"));
    }
}

FileReader::FileReader(std::string_view text, std::string kind, int version, bool headOptional)
    : m_text(text)
{
    auto document = readJsonFile(text);
    if (!document) {
        m_error = document.error();
        return;
    }
    m_json = std::move(*document);
    checkHead(kind, version, headOptional);
}

void FileReader::checkHead(const std::string &kind, int version, bool optional)
{
    const auto wrong = [this](const std::string &pointer, std::string message) {
        fault(pointer, std::move(message), ErrorCode::BadVersion);
    };
    if (!m_json.is_object())
        return wrong("", "expected an object with \"emend\":" + inQuotes(kind));
    const auto named = m_json.find("emend");
    if (named == m_json.end() && optional)
        return;
    if (named == m_json.end())
        return wrong("/emend", "missing; this is no Emend " + kind);
    if (*named != kind)
        return wrong("/emend", "expected " + inQuotes(kind) + ", got " + describe(*named));
    const auto stated = m_json.find("version");
    const std::string wanted = "this program reads version " + std::to_string(version);
    if (stated == m_json.end())
        return wrong("/version", "missing; " + wanted);
    if (*stated != version)
        return wrong("/version", wanted + ", got " + describe(*stated));
}

ObjectReader FileReader::root()
{
    ObjectReader root(*this, m_error ? nullptr : &m_json, "");
    root.take("emend");
    root.take("version");
    return root;
}

void FileReader::fault(const std::string &pointer, std::string message, ErrorCode code)
{
    if (m_error)
        return;
    const Place place = placeAt(m_text, offsetOfPointer(m_text, pointer));
    m_error = Error{code, std::move(message), {}, pointer, place.line, place.column};
}

} // namespace emend::core
