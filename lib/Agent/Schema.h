//===- Schema.h - JSON Schema, the part that prompts use --------*- C++ -*-===//
//
// Private. Replies are held to the schemas under memorybank/prompts/schemas.
// Known: type, enum, properties, required, additionalProperties (a boolean),
// items, minItems, maxItems, minLength, maxLength, minimum, maximum, and the
// annotations title and description. No validator is packaged for Debian 12.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_SCHEMA_H
#define KERNELCLAW_LIB_AGENT_SCHEMA_H

#include "Support/Json.h"

namespace kclaw {

/// Empty when `value` follows `schema`; else the path and what is wrong there,
/// for a model to read: "evidence[0]: expected a string, got a number".
std::string schemaViolation(const json::Json &value, const json::Json &schema);

/// Empty when the schema uses nothing but what schemaViolation() knows.
std::string unsupportedKeyword(const json::Json &schema);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_SCHEMA_H
