//===- HttpClient.h - POST over libcurl -------------------------*- C++ -*-===//
//
// Private. Follows no redirect (a key must not travel to another host), bounds
// time and stalls, blocks. Connections are kept and used again; threads that
// call at once have one each. An Error means that there was no answer.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_HTTPCLIENT_H
#define KERNELCLAW_LIB_PROVIDER_HTTPCLIENT_H

#include "kernelclaw/Provider/WireFormat.h"

#include <memory>
#include <string_view>
#include <vector>

namespace kclaw {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers; ///< "Name: value"
  std::string body;
  double timeoutSeconds = 300;
  double stallSeconds = 120; ///< without a byte, once the answer has begun
  /// The body as it arrives; false: enough of it, the call ends with an error.
  std::function<bool(std::string_view)> onBody;
  const std::atomic<bool> *cancelled = nullptr; ///< looked at every 50 ms
};

class HttpClient {
public:
  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient &) = delete;

  /// Status and headers; the body has gone to onBody. Code Io where the
  /// connection broke under way, so that another try may help; Unavailable
  /// where it would not. Thread-safe.
  Expected<HttpResponse> post(const HttpRequest &request);

private:
  struct Session;
  struct Pool;
  std::unique_ptr<Pool> pool;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_HTTPCLIENT_H
