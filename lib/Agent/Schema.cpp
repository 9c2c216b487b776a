//===- Schema.cpp - JSON Schema, the part that prompts use ----------------===//
#include "Schema.h"

#include <algorithm>

namespace kclaw {
namespace {

using json::Json;

struct TypeRow {
  std::string_view name, article;
  bool (*holds)(const Json &);
};

constexpr TypeRow types[] = {
    {"object", "an object", [](const Json &v) { return v.is_object(); }},
    {"array", "a list", [](const Json &v) { return v.is_array(); }},
    {"string", "a string", [](const Json &v) { return v.is_string(); }},
    {"integer", "an integer",
     [](const Json &v) { return v.is_number_integer(); }},
    {"number", "a number", [](const Json &v) { return v.is_number(); }},
    {"boolean", "true or false", [](const Json &v) { return v.is_boolean(); }},
    {"null", "null", [](const Json &v) { return v.is_null(); }}};

const TypeRow *findType(const Json &name) {
  for (const TypeRow &row : types)
    if (name.is_string() && row.name == name.get_ref<const std::string &>())
      return &row;
  return nullptr;
}

/// Lengths and limits: keyword, what it measures, and the sense.
struct LimitRow {
  const char *keyword;
  const char *unit;
  bool most;
  double (*measure)(const Json &); ///< NaN: does not apply
};

double notApplicable() { return std::numeric_limits<double>::quiet_NaN(); }
double items(const Json &v) {
  return v.is_array() ? double(v.size()) : notApplicable();
}
double length(const Json &v) {
  return v.is_string() ? double(v.get_ref<const std::string &>().size())
                       : notApplicable();
}
double number(const Json &v) {
  return v.is_number() ? v.get<double>() : notApplicable();
}

constexpr LimitRow limits[] = {{"minItems", "items", false, items},
                               {"maxItems", "items", true, items},
                               {"minLength", "characters", false, length},
                               {"maxLength", "characters", true, length},
                               {"minimum", "", false, number},
                               {"maximum", "", true, number}};

constexpr std::string_view otherKeywords[] = {
    "type",  "enum",  "properties",  "required", "additionalProperties",
    "items", "title", "description", "$schema"};

std::string checkType(const Json &value, const Json &wanted) {
  std::string accepted;
  Json list = wanted.is_array() ? wanted : Json::array({wanted});
  for (const Json &each : list) {
    const TypeRow *row = findType(each);
    if (row && row->holds(value))
      return "";
    if (row)
      accepted += (accepted.empty() ? "" : " or ") + std::string(row->article);
  }
  return "expected " + accepted + ", got " + value.type_name();
}

std::string trimmed(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

std::string checkLimits(const Json &value, const Json &schema) {
  for (const LimitRow &row : limits) {
    if (!schema.contains(row.keyword))
      continue;
    double limit = schema[row.keyword].get<double>();
    double found = row.measure(value);
    if (row.most ? found > limit : found < limit)
      return std::string("expected at ") + (row.most ? "most " : "least ") +
             trimmed(limit) + (*row.unit ? " " : "") + row.unit + ", got " +
             trimmed(found);
  }
  return "";
}

std::string at(const std::string &path, const std::string &message) {
  return path.empty() ? message : path + ": " + message;
}

std::string violation(const Json &value, const Json &schema,
                      const std::string &path);

std::string checkMembers(const Json &value, const Json &schema,
                         const std::string &path) {
  const Json none = Json::object();
  const Json &known =
      schema.contains("properties") ? schema["properties"] : none;
  std::string all;
  auto add = [&](const std::string &found) {
    if (!found.empty())
      all += (all.empty() ? "" : "; ") + found;
  };
  for (const Json &name : schema.value("required", Json::array()))
    if (!value.contains(name.get<std::string>()))
      add(at(path, "member " + name.dump() + " is missing"));
  bool closed = schema.value("additionalProperties", Json(true)) == Json(false);
  for (const auto &[name, inner] : value.items()) {
    std::string where = path.empty() ? name : path + "." + name;
    if (known.contains(name)) {
      add(violation(inner, known[name], where));
    } else if (closed) {
      std::string list;
      for (const auto &[each, ignored] : known.items())
        list += (list.empty() ? "" : ", ") + each;
      add(at(path, "unknown member '" + name + "'; known: " + list));
    }
  }
  return all;
}

std::string violation(const Json &value, const Json &schema,
                      const std::string &path) {
  if (schema.contains("type"))
    if (auto found = checkType(value, schema["type"]); !found.empty())
      return at(path, found);
  if (schema.contains("enum") &&
      std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return at(path,
              json::dump(value) + " is none of " + json::dump(schema["enum"]));
  if (auto found = checkLimits(value, schema); !found.empty())
    return at(path, found);
  if (value.is_object())
    return checkMembers(value, schema, path);
  if (value.is_array() && schema.contains("items"))
    for (size_t i = 0; i < value.size(); ++i)
      if (auto found = violation(value[i], schema["items"],
                                 path + "[" + std::to_string(i) + "]");
          !found.empty())
        return found;
  return "";
}

} // namespace

std::string schemaViolation(const Json &value, const Json &schema) {
  return violation(value, schema, "");
}

std::string unsupportedKeyword(const Json &schema) {
  if (!schema.is_object())
    return "a schema that is no object";
  for (const auto &[name, inner] : schema.items()) {
    auto isLimit = [&](const LimitRow &row) { return name == row.keyword; };
    if (std::ranges::find(otherKeywords, name) == std::end(otherKeywords) &&
        std::ranges::none_of(limits, isLimit))
      return name;
    if (name == "items")
      if (auto found = unsupportedKeyword(inner); !found.empty())
        return found;
    if (name == "properties")
      for (const auto &[ignored, property] : inner.items())
        if (auto found = unsupportedKeyword(property); !found.empty())
          return found;
  }
  return "";
}

} // namespace kclaw
