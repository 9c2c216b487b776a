//===- Endpoint.h - Whom to ask, with what key ------------------*- C++ -*-===//
//
// Private. Keys are read from the environment here and nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_ENDPOINT_H
#define KERNELCLAW_LIB_PROVIDER_ENDPOINT_H

#include "kernelclaw/Provider/WireFormat.h"

#include <string>
#include <vector>

namespace kclaw {

struct Endpoint {
  std::string kind; ///< openai | anthropic, for messages
  WireFormat format = WireFormat::Chat;
  std::string url;                  ///< of the call
  std::vector<std::string> headers; ///< "Name: value", secret ones included
  /// Values that must stand in no file, log or message.
  std::vector<std::string> secrets;
};

/// The endpoint that `options` (kind openai or anthropic) name.
Expected<Endpoint> findEndpoint(const ProviderOptions &options);

/// Replaces each secret by "<key>".
void redact(std::string &text, const std::vector<std::string> &secrets);
void redact(Reply &reply, const std::vector<std::string> &secrets);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_ENDPOINT_H
