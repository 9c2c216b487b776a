//===- ExplanationJson.h - Explanations inside evaluations ------*- C++ -*-===//
//
// Private: an Evaluation holds an Explanation and checks.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLAN_EXPLANATIONJSON_H
#define KERNELCLAW_LIB_PLAN_EXPLANATIONJSON_H

#include "Support/Json.h"
#include "kernelclaw/Plan/Explanation.h"
#include "kernelclaw/Plan/ToolCheck.h"

namespace kclaw::json {

/// Null when there is none.
Json write(const Explanation &explanation);
Explanation readExplanation(const Cursor &at);

Json write(const std::vector<ToolCheck> &checks);
ToolCheck readToolCheck(const Cursor &at);

} // namespace kclaw::json

#endif // KERNELCLAW_LIB_PLAN_EXPLANATIONJSON_H
