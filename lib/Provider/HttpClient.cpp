//===- HttpClient.cpp - POST over libcurl ---------------------------------===//
//
// The only file that knows curl. Each call drives a multi handle of its own:
// curl's blocking call looks at a cancellation once a second at most, and a
// multi handle is what owns kept connections.
//
//===----------------------------------------------------------------------===//
#include "HttpClient.h"
#include "FailedAnswer.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <mutex>

namespace kclaw {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long timerSlackMilliseconds = 50;
constexpr long connectTimeoutMilliseconds = 20000;
constexpr int pollMilliseconds = 50;
constexpr size_t maxIdleSessions = 16;
constexpr size_t maxHeaderBytes = 256 << 10;

template <auto free> struct CleanUp {
  template <typename T> void operator()(T *owned) const { free(owned); }
};
using HeaderList = std::unique_ptr<curl_slist, CleanUp<curl_slist_free_all>>;
// curl calls both of its handles void.
using Easy = std::unique_ptr<CURL, CleanUp<curl_easy_cleanup>>;
using Multi = std::unique_ptr<CURLM, CleanUp<curl_multi_cleanup>>;

/// What the callbacks of one call share.
struct Call {
  const HttpRequest &request;
  HttpResponse response = {};
  size_t headerBytes = 0;
  bool tooLong = false;
  std::optional<Clock::time_point> lastByte = {};
};

size_t receiveBody(char *data, size_t size, size_t count, void *user) {
  auto *call = static_cast<Call *>(user);
  call->lastByte = Clock::now();
  call->tooLong = call->request.onBody &&
                  !call->request.onBody(std::string_view(data, size * count));
  return call->tooLong ? 0 : size * count;
}

size_t receiveHeader(char *data, size_t size, size_t count, void *user) {
  auto *call = static_cast<Call *>(user);
  call->lastByte = Clock::now();
  call->headerBytes += size * count;
  call->tooLong = call->headerBytes > maxHeaderBytes;
  if (call->tooLong)
    return 0;
  std::map<std::string, std::string> &headers = call->response.headers;
  std::string line(data, size * count);
  if (line.starts_with("HTTP/"))
    headers.clear(); // a "100 Continue" came before
  size_t colon = line.find(':');
  if (colon == std::string::npos)
    return size * count;
  std::string name = line.substr(0, colon);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  size_t first = line.find_first_not_of(" \t", colon + 1);
  size_t last = line.find_last_not_of(" \t\r\n");
  if (first != std::string::npos && last >= first)
    headers[name] = line.substr(first, last - first + 1);
  return size * count;
}

/// Whether another try may get through, and what to tell the user.
struct Fault {
  CURLcode code;
  bool retry;
  const char *advice;
};
constexpr Fault faults[] = {
    {CURLE_COULDNT_CONNECT, false,
     "; start the endpoint or set another base-url"},
    {CURLE_COULDNT_RESOLVE_HOST, false,
     "; start the endpoint or set another base-url"},
    {CURLE_GOT_NOTHING, true, ""},
    {CURLE_RECV_ERROR, true, ""},
    {CURLE_SEND_ERROR, true, ""},
    {CURLE_PARTIAL_FILE, true, ""},
    {CURLE_HTTP2, true, ""},
    {CURLE_HTTP2_STREAM, true, ""},
    {CURLE_WEIRD_SERVER_REPLY, true, ""},
    {CURLE_BAD_CONTENT_ENCODING, true, ""},
    {CURLE_PEER_FAILED_VERIFICATION, false,
     "; is the certificate of this machine's proxy installed?"}};

std::string inSeconds(double seconds) {
  return std::to_string(int64_t(std::ceil(seconds))) + " s";
}

std::unexpected<Error> describe(CURLcode code, const Call &call,
                                const char *detail) {
  std::string text = "asking '" + call.request.url + "' failed: ";
  if (call.tooLong)
    return makeError(Error::Code::Unavailable, text + tooLong().message);
  text += *detail ? detail : curl_easy_strerror(code);
  if (code == CURLE_OPERATION_TIMEDOUT)
    text += "; the limit is " + inSeconds(call.request.timeoutSeconds);
  for (const Fault &fault : faults)
    if (fault.code == code)
      return makeError(fault.retry ? Error::Code::Io : Error::Code::Unavailable,
                       text + fault.advice);
  return makeError(Error::Code::Unavailable, text);
}

void initialiseOnce() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

void setOptions(CURL *curl, const HttpRequest &request, curl_slist *headers,
                Call &call, char *detail) {
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                   curl_off_t(request.body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receiveBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &call);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receiveHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &call);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
  // A cancelled call does not wait for the name server.
  curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connectTimeoutMilliseconds);
  // curl's timer is coarse: a call that the run's last second cuts must end
  // after that second, or the run would not know that its time is over.
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                   long(request.timeoutSeconds * 1000) +
                       timerSlackMilliseconds);
}

/// Until the transfer is over; nullopt: it was, else why it was given up.
std::optional<Error> drive(CURLM *multi, Call &call, CURLcode &code) {
  const HttpRequest &request = call.request;
  std::string asking = "asking '" + request.url + "' ";
  for (;;) {
    int running = 0;
    CURLMcode state = curl_multi_perform(multi, &running);
    if (state != CURLM_OK)
      return Error{Error::Code::Unavailable,
                   asking + "failed: " + curl_multi_strerror(state)};
    int left = 0;
    while (const CURLMsg *message = curl_multi_info_read(multi, &left))
      if (message->msg == CURLMSG_DONE) {
        code = message->data.result;
        return std::nullopt;
      }
    if (request.cancelled && *request.cancelled)
      return Error{Error::Code::Unavailable, asking + "was cancelled"};
    std::chrono::duration<double> stall(request.stallSeconds);
    if (call.lastByte && Clock::now() - *call.lastByte > stall)
      return Error{Error::Code::Io, asking + "failed: the answer stalled for " +
                                        inSeconds(request.stallSeconds)};
    curl_multi_poll(multi, nullptr, 0, pollMilliseconds, nullptr);
  }
}

} // namespace

struct HttpClient::Session {
  Multi multi{curl_multi_init()};
  Easy easy{curl_easy_init()};
};

struct HttpClient::Pool {
  std::mutex lock;
  std::vector<std::unique_ptr<Session>> idle;

  std::unique_ptr<Session> take() {
    std::lock_guard guard(lock);
    if (idle.empty())
      return std::make_unique<Session>();
    auto session = std::move(idle.back());
    idle.pop_back();
    return session;
  }
  void put(std::unique_ptr<Session> session) {
    std::lock_guard guard(lock);
    if (idle.size() < maxIdleSessions)
      idle.push_back(std::move(session));
  }
};

HttpClient::HttpClient() {
  initialiseOnce();
  pool = std::make_unique<Pool>();
}
HttpClient::~HttpClient() = default;

Expected<HttpResponse> HttpClient::post(const HttpRequest &request) {
  std::unique_ptr<Session> session = pool->take();
  CURL *curl = session->easy.get();
  if (!curl || !session->multi)
    return makeError(Error::Code::Unavailable, "libcurl did not start");
  HeaderList headers;
  for (const std::string &header : request.headers)
    headers.reset(curl_slist_append(headers.release(), header.c_str()));

  Call call{.request = request};
  char detail[CURL_ERROR_SIZE] = "";
  setOptions(curl, request, headers.get(), call, detail);
  curl_multi_add_handle(session->multi.get(), curl);
  CURLcode code = CURLE_OK;
  std::optional<Error> givenUp = drive(session->multi.get(), call, code);
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_multi_remove_handle(session->multi.get(), curl);
  if (givenUp)
    return std::unexpected(std::move(*givenUp));
  if (code != CURLE_OK)
    return describe(code, call, detail);
  curl_easy_reset(curl); // connections stay
  pool->put(std::move(session));
  call.response.status = int(status);
  return std::move(call.response);
}

} // namespace kclaw
