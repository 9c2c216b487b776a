//===- ErrorBody.h - What a failed answer means -----------------*- C++ -*-===//
//
// Private: from status, headers and an {"error": ...} object to a ChatFailure.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_ERRORBODY_H
#define KERNELCLAW_LIB_PROVIDER_ERRORBODY_H

#include "Support/Json.h"
#include "kernelclaw/Provider/ChatResponse.h"

namespace kclaw {

/// `error` is the object under "error", or null when the body had none. An
/// HTTP-like code inside it counts more than a status of 200.
ChatFailure classifyFailure(const HttpResponse &response,
                            const json::Json &error, int64_t now);

/// The first line of a body for an error text; an HTML page is only named.
std::string describeBody(const std::string &body);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_ERRORBODY_H
