//===- HttpClient.cpp - One POST over libcurl -----------------------------===//
//
// The only file that knows curl.
//
//===----------------------------------------------------------------------===//
#include "HttpClient.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <mutex>

namespace kclaw {
namespace {

constexpr size_t maxBodyBytes = 64 << 20;
constexpr long timerSlackMilliseconds = 50;
constexpr long connectTimeoutMilliseconds = 20000;

struct CleanUp {
  void operator()(CURL *handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist *list) const { curl_slist_free_all(list); }
};
using Handle = std::unique_ptr<CURL, CleanUp>;
using HeaderList = std::unique_ptr<curl_slist, CleanUp>;

size_t receiveBody(char *data, size_t size, size_t count, void *user) {
  auto *response = static_cast<HttpResponse *>(user);
  if (response->body.size() + size * count > maxBodyBytes)
    return 0;
  response->body.append(data, size * count);
  return size * count;
}

size_t receiveHeader(char *data, size_t size, size_t count, void *user) {
  auto *response = static_cast<HttpResponse *>(user);
  std::string line(data, size * count);
  if (line.starts_with("HTTP/"))
    response->headers.clear(); // a "100 Continue" came before
  size_t colon = line.find(':');
  if (colon == std::string::npos)
    return size * count;
  std::string name = line.substr(0, colon);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  size_t first = line.find_first_not_of(" \t", colon + 1);
  size_t last = line.find_last_not_of(" \t\r\n");
  if (first != std::string::npos && last >= first)
    response->headers[name] = line.substr(first, last - first + 1);
  return size * count;
}

std::unexpected<Error> describe(CURLcode code, const HttpRequest &request,
                                const char *detail) {
  std::string text = "asking '" + request.url + "' failed: " +
                     (*detail ? detail : curl_easy_strerror(code));
  switch (code) {
  case CURLE_COULDNT_CONNECT:
  case CURLE_COULDNT_RESOLVE_HOST:
    text += "; start the endpoint or set another base-url";
    break;
  case CURLE_OPERATION_TIMEDOUT:
    text += "; the limit is " +
            std::to_string(int64_t(std::ceil(request.timeoutSeconds))) + " s";
    break;
  case CURLE_WRITE_ERROR:
    text += "; the answer is longer than 64 MiB";
    break;
  case CURLE_GOT_NOTHING:
  case CURLE_RECV_ERROR:
  case CURLE_SEND_ERROR:
  case CURLE_PARTIAL_FILE:
    return makeError(Error::Code::Io, text);
  default:
    break;
  }
  return makeError(Error::Code::Unavailable, text);
}

void initialiseOnce() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

} // namespace

Expected<HttpResponse> httpPost(const HttpRequest &request) {
  initialiseOnce();
  Handle handle(curl_easy_init());
  if (!handle)
    return makeError(Error::Code::Unavailable, "libcurl did not start");
  HeaderList headers;
  for (const std::string &header : request.headers)
    headers.reset(curl_slist_append(headers.release(), header.c_str()));

  HttpResponse response;
  char detail[CURL_ERROR_SIZE] = "";
  CURL *curl = handle.get();
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                   curl_off_t(request.body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receiveBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &response);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receiveHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &response);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connectTimeoutMilliseconds);
  // curl's timer is coarse: a call that the run's last second cuts must end
  // after that second, or the run would not know that its time is over.
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                   long(request.timeoutSeconds * 1000) +
                       timerSlackMilliseconds);
  CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK)
    return describe(code, request, detail);
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  response.status = int(status);
  return response;
}

} // namespace kclaw
