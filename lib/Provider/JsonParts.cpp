//===- JsonParts.cpp - Reading JSON that may be anything ------------------===//
#include "JsonParts.h"

namespace kclaw {
namespace {

constexpr const char *whiteSpace = " \t\r\n";
const Json null;

std::string_view trim(std::string_view text) {
  size_t start = text.find_first_not_of(whiteSpace);
  if (start == std::string_view::npos)
    return "";
  return text.substr(start, text.find_last_not_of(whiteSpace) - start + 1);
}

/// The inside of a text that is one fenced block.
std::string_view withoutFence(std::string_view text) {
  if (!text.starts_with("```") || !text.ends_with("```") || text.size() < 6)
    return text;
  size_t line = text.find('\n');
  if (line == std::string_view::npos)
    return text;
  return trim(text.substr(line, text.size() - 3 - line));
}

} // namespace

const Json &member(const Json &object, const char *name) {
  if (!object.is_object())
    return null;
  auto it = object.find(name);
  return it == object.end() ? null : *it;
}

const Json &element(const Json &list, size_t index) {
  return list.is_array() && index < list.size() ? list[index] : null;
}

std::string stringOf(const Json &value) {
  return value.is_string() ? value.get<std::string>() : "";
}

int64_t countOf(const Json &value) {
  if (!value.is_number())
    return 0;
  double count = value.get<double>();
  return count > 0 && count < 1e15 ? int64_t(count) : 0;
}

std::string contentText(const Json &content) {
  if (!content.is_array())
    return stringOf(content);
  std::string text;
  for (const Json &part : content)
    text += part.is_string() ? part.get<std::string>()
                             : stringOf(member(part, "text"));
  return text;
}

std::string textOf(const Json &value) {
  if (value.is_null())
    return "";
  return value.is_string() ? value.get<std::string>() : json::dump(value);
}

size_t appendText(Json &object, const char *name, const Json &piece) {
  std::string text = contentText(piece);
  if (text.empty())
    return 0;
  Json &target = object[name];
  if (target.is_string())
    target.get_ref<std::string &>() += text;
  else
    target = text;
  return text.size();
}

Json schemaOf(const std::string &text) {
  Json schema = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return schema.is_object() ? schema : Json::object();
}

std::optional<Json> parseObject(std::string_view text) {
  text = withoutFence(trim(text));
  if (text.empty() || text.front() == '<')
    return std::nullopt;
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_string()) {
    std::string inner = value.get<std::string>();
    value = Json::parse(inner, nullptr, /*allow_exceptions=*/false);
  }
  if (value.is_discarded() || !value.is_object())
    return std::nullopt;
  return value;
}

std::string describeBody(std::string_view body) {
  body = trim(body);
  if (body.empty())
    return "empty body";
  if (body.front() == '<')
    return "an HTML page instead of JSON";
  std::string_view line = body.substr(0, 200);
  return std::string(line.substr(0, line.find_first_of("\r\n")));
}

} // namespace kclaw
