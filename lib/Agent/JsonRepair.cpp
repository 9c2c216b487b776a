//===- JsonRepair.cpp - JSON as models write it ---------------------------===//
#include "JsonRepair.h"

#include <optional>

namespace kclaw {
namespace {

using json::Json;

/// The first value of a text that starts with '{', '[' or '"', with control
/// characters inside strings escaped. nullopt: it never ends.
std::optional<std::string> firstValue(std::string_view text) {
  std::string result;
  int depth = 0;
  bool inString = false, escaped = false;
  for (char c : text) {
    bool control = inString && static_cast<unsigned char>(c) < 0x20;
    result += control
                  ? Json(std::string(1, c))
                        .dump()
                        .substr(1, Json(std::string(1, c)).dump().size() - 2)
                  : std::string(1, c);
    if (escaped) {
      escaped = false;
      continue;
    }
    if (inString && c == '\\')
      escaped = true;
    if (c == '"')
      inString = !inString;
    if (!inString && (c == '{' || c == '['))
      ++depth;
    if (!inString && (c == '}' || c == ']'))
      --depth;
    if (!inString && depth <= 0)
      return result;
  }
  return std::nullopt;
}

RepairedJson bad(const std::string &reason) {
  return {RepairedJson::Kind::Bad, {}, reason};
}

RepairedJson repair(std::string_view text, int encodings) {
  size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos)
    return bad("the arguments are empty; an object is needed");
  text.remove_prefix(start);
  if (text[0] != '{' && text[0] != '"')
    return bad("the arguments are not a JSON object");
  std::optional<std::string> value = firstValue(text);
  if (!value)
    return {RepairedJson::Kind::Cut, {}, "the JSON object never ends"};
  Json parsed;
  try {
    parsed = Json::parse(*value);
  } catch (const nlohmann::json::exception &e) {
    return bad("the arguments are not JSON: " + std::string(e.what()));
  }
  if (parsed.is_object())
    return {RepairedJson::Kind::Object, std::move(parsed), ""};
  if (parsed.is_string() && encodings > 0)
    return repair(parsed.get<std::string>(), encodings - 1);
  return bad("the arguments are not a JSON object");
}

} // namespace

RepairedJson repairJsonObject(const std::string &text) {
  return repair(text, /*encodings=*/2);
}

} // namespace kclaw
