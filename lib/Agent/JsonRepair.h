//===- JsonRepair.h - JSON as models write it -------------------*- C++ -*-===//
//
// Private. Recovers what is beyond doubt (doubly encoded text, tokens behind
// the closing brace, raw newlines inside strings) and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_JSONREPAIR_H
#define KERNELCLAW_LIB_AGENT_JSONREPAIR_H

#include "Support/Json.h"

namespace kclaw {

struct RepairedJson {
  enum class Kind { Object, Cut, Bad };
  Kind kind = Kind::Bad;
  json::Json object;
  std::string reason; ///< why not, for the model
};

RepairedJson repairJsonObject(const std::string &text);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_JSONREPAIR_H
