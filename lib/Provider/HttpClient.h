//===- HttpClient.h - One POST over libcurl ---------------------*- C++ -*-===//
//
// Private. Follows no redirect (a key must not travel to another host),
// bounds time and size, blocks. An Error means that there was no answer.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_HTTPCLIENT_H
#define KERNELCLAW_LIB_PROVIDER_HTTPCLIENT_H

#include "kernelclaw/Provider/ChatResponse.h"

#include <vector>

namespace kclaw {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers; ///< "Name: value"
  std::string body;
  double timeoutSeconds = 300;
};

/// Code Io where the connection broke under way, so that another try may help;
/// Unavailable where it would not.
Expected<HttpResponse> httpPost(const HttpRequest &request);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_HTTPCLIENT_H
