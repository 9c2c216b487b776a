//===- Json.h - JSON at the border, with paths in errors --------*- C++ -*-===//
//
// Private to .cpp files of the agent half: the one place that knows the JSON
// library. A Cursor walks a parsed document and records the first mistake with
// its path ("steps[2].grid[0]: expected an integer"); reading goes on with
// defaults and parseDocument returns that one error. Numbers that JSON cannot
// hold are the strings "NaN", "Infinity", "-Infinity".
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SUPPORT_JSON_H
#define KERNELCLAW_LIB_SUPPORT_JSON_H

#include "kernelclaw/Support/Error.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kclaw::json {

using Json = nlohmann::ordered_json;

/// Names of an enum's values, in JSON and in messages.
template <typename E> using EnumRow = std::pair<std::string_view, E>;

/// Text of `value`; bytes that are not UTF-8 become U+FFFD instead of throwing.
inline std::string dump(const Json &value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// A double of any kind as JSON.
inline Json number(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

template <typename E, size_t N>
std::string nameOf(const EnumRow<E> (&table)[N], E value) {
  for (const auto &[name, row] : table)
    if (row == value)
      return std::string(name);
  return "?";
}

/// A position in a document. Reading an absent value gives the default;
/// reading one of the wrong type records the error, once per document.
class Cursor {
public:
  Cursor(const Json *value, std::string path, std::string *error)
      : value(value), path(std::move(path)), error(error) {}

  /// An optional member; absent also when null.
  Cursor find(std::string_view name) const {
    std::string inner =
        path.empty() ? std::string(name) : path + "." + std::string(name);
    if (!object())
      return {nullptr, inner, error};
    auto it = value->find(std::string(name));
    bool absent = it == value->end() || it->is_null();
    return {absent ? nullptr : &*it, inner, error};
  }

  /// A member that must be there.
  Cursor at(std::string_view name) const {
    Cursor inner = find(name);
    if (value && value->is_object() && !inner.value)
      inner.fail("missing");
    return inner;
  }

  bool present() const { return value != nullptr; }
  const Json *get() const { return value; }
  const std::string &where() const { return path; }

  std::string string(std::string fallback = "") const {
    if (!typed(value && value->is_string(), "a string"))
      return fallback;
    return value->get<std::string>();
  }

  bool boolean(bool fallback = false) const {
    if (!typed(value && value->is_boolean(), "true or false"))
      return fallback;
    return value->get<bool>();
  }

  int64_t integer(int64_t fallback = 0,
                  int64_t low = std::numeric_limits<int64_t>::min(),
                  int64_t high = std::numeric_limits<int64_t>::max()) const {
    if (!typed(value && value->is_number_integer(), "an integer"))
      return fallback;
    bool tooLarge =
        value->is_number_unsigned() &&
        value->get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max());
    int64_t result = tooLarge ? high : value->get<int64_t>();
    if (tooLarge || result < low || result > high) {
      fail(value->dump() + " is outside [" + std::to_string(low) + ", " +
           std::to_string(high) + "]");
      return fallback;
    }
    return result;
  }

  double number(double fallback = 0) const {
    if (!value)
      return fallback;
    if (value->is_number())
      return value->get<double>();
    if (value->is_string()) {
      const auto &text = value->get_ref<const std::string &>();
      if (text == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
      if (text == "Infinity" || text == "-Infinity")
        return (text[0] == '-' ? -1 : 1) *
               std::numeric_limits<double>::infinity();
    }
    typed(false, "a number");
    return fallback;
  }

  template <typename E, size_t N>
  E oneOf(const EnumRow<E> (&table)[N], E fallback) const {
    if (!typed(value && value->is_string(), "a string"))
      return fallback;
    std::string known;
    for (const auto &[name, row] : table) {
      if (name == value->get_ref<const std::string &>())
        return row;
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    fail("unknown value " + dump(*value) + "; accepted: " + known);
    return fallback;
  }

  /// Elements of an array, each read by `read(Cursor)`.
  template <typename Read>
  auto list(Read read) const
      -> std::vector<decltype(read(std::declval<Cursor>()))> {
    std::vector<decltype(read(std::declval<Cursor>()))> result;
    if (!typed(value && value->is_array(), "a list"))
      return result;
    for (size_t i = 0; i < value->size(); ++i)
      result.push_back(read(
          Cursor{&(*value)[i], path + "[" + std::to_string(i) + "]", error}));
    return result;
  }

  /// Calls `read(name, Cursor)` for each member of an object.
  template <typename Read> void members(Read read) const {
    if (!object())
      return;
    for (const auto &[name, inner] : value->items())
      read(name, Cursor{&inner, path + "." + name, error});
  }

  /// Refuses members that are not in `known`: a typing error is not a default.
  void only(std::initializer_list<std::string_view> known) const {
    if (!object())
      return;
    for (const auto &[name, inner] : value->items()) {
      std::string list;
      bool found = false;
      for (std::string_view row : known) {
        found |= row == name;
        list += (list.empty() ? "" : ", ") + std::string(row);
      }
      if (!found)
        fail("unknown member " + dump(Json(name)) + "; known: " + list);
    }
  }

  void fail(const std::string &message) const {
    if (error->empty())
      *error = path.empty() ? message : path + ": " + message;
  }

private:
  bool object() const {
    return typed(value && value->is_object(), "an object");
  }

  bool typed(bool ok, const char *wanted) const {
    if (value && !ok)
      fail(std::string("expected ") + wanted + ", got " + value->type_name());
    return ok;
  }

  const Json *value;
  std::string path;
  std::string *error;
};

/// Parses `text` and reads it with `read(Cursor)`; `what` names the document
/// in errors of syntax ("plan: not JSON: ...").
template <typename Read>
auto parseDocument(const std::string &text, const std::string &what, Read read)
    -> Expected<decltype(read(std::declval<Cursor>()))> {
  Json document;
  try {
    document = Json::parse(text);
  } catch (const nlohmann::json::exception &e) {
    return makeError(Error::Code::Invalid,
                     what + ": not JSON: " + std::string(e.what()));
  }
  std::string error;
  auto result = read(Cursor{&document, "", &error});
  if (!error.empty())
    return makeError(Error::Code::Invalid, error);
  return result;
}

} // namespace kclaw::json

#endif // KERNELCLAW_LIB_SUPPORT_JSON_H
