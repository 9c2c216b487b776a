//===- FailedAnswer.h - What a failed answer means --------------*- C++ -*-===//
//
// Private: from status, headers and an {"error": ...} object to a CallFailure.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_FAILEDANSWER_H
#define KERNELCLAW_LIB_PROVIDER_FAILEDANSWER_H

#include "JsonParts.h"
#include "kernelclaw/Provider/WireFormat.h"

namespace kclaw {

/// `error` is the object under "error", or null when the body had none. A
/// code inside it that is like HTTP's counts more than a status of 200, and so
/// does one of Anthropic's types of error.
CallFailure classifyFailure(const HttpResponse &response, const Json &error,
                            int64_t now);

Error tooLong();

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_FAILEDANSWER_H
