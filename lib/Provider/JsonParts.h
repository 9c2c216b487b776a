//===- JsonParts.h - Reading JSON that may be anything ----------*- C++ -*-===//
//
// Private. Every function takes any value and never throws: what is not of the
// wanted type is null, empty or zero.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_JSONPARTS_H
#define KERNELCLAW_LIB_PROVIDER_JSONPARTS_H

#include "Support/Json.h"

#include <optional>
#include <string>

namespace kclaw {

using json::Json;

/// A member, or null.
const Json &member(const Json &object, const char *name);
/// An element, or null.
const Json &element(const Json &list, size_t index);
std::string stringOf(const Json &value);
/// 0 also for what is negative or too large to be a count.
int64_t countOf(const Json &value);
/// Text, or a list of parts of which those with text are joined.
std::string contentText(const Json &content);
/// Text stays as it is, anything else is written as JSON.
std::string textOf(const Json &value);
/// `object[name] += piece`; how many bytes were added.
size_t appendText(Json &object, const char *name, const Json &piece);
/// A JSON Schema as text; an empty object when it is not JSON.
Json schemaOf(const std::string &text);

/// The object in a text that may have white space, a code fence or one level of
/// quotes (a JSON string that holds JSON) around it; nullopt: there is none.
std::optional<Json> parseObject(std::string_view text);

/// The first line of a body for an error text; an HTML page is only named.
std::string describeBody(std::string_view body);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_JSONPARTS_H
