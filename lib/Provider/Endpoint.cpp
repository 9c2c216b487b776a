//===- Endpoint.cpp - Whom to ask, with what key --------------------------===//
#include "Endpoint.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace kclaw {
namespace {

/// A secret shorter than this stands in any text by chance.
constexpr size_t minSecretBytes = 6;
constexpr const char *mark = "<key>"; // may hold the key itself

struct Api {
  std::string_view kind, api;
  WireFormat format;
  const char *baseUrl, *path, *keyVariable;
  const char *keyHeader; ///< what stands before the key
  const char *header;    ///< one more; empty: none
};
constexpr Api apis[] = {
    {"openai", "chat", WireFormat::Chat, "https://api.openai.com/v1",
     "/chat/completions", "KERNELCLAW_API_KEY", "Authorization: Bearer ", ""},
    {"openai", "responses", WireFormat::Responses, "https://api.openai.com/v1",
     "/responses", "KERNELCLAW_API_KEY", "Authorization: Bearer ", ""},
    {"anthropic", "", WireFormat::Messages, "https://api.anthropic.com/v1",
     "/messages", "ANTHROPIC_API_KEY",
     "x-api-key: ", "anthropic-version: 2023-06-01"}};

/// Servers on this machine mostly need no key.
bool isLoopback(const std::string &url) {
  for (const char *host : {"://127.0.0.1", "://localhost", "://[::1]"}) {
    size_t at = url.find(host);
    if (at == std::string::npos)
      continue;
    size_t end = at + std::string_view(host).size();
    return end == url.size() || url[end] == ':' || url[end] == '/';
  }
  return false;
}

std::string variable(const std::string &name) {
  const char *value = std::getenv(name.c_str());
  return value ? value : "";
}

/// Whether the user's own headers say who asks.
bool authorises(const std::vector<std::string> &headers) {
  return std::ranges::any_of(headers, [](std::string header) {
    std::ranges::transform(header, header.begin(),
                           [](unsigned char c) { return std::tolower(c); });
    return header.starts_with("authorization:") ||
           header.starts_with("x-api-key:") || header.starts_with("api-key:");
  });
}

bool hasLineBreak(const std::string &text) {
  return text.find_first_of("\r\n") != std::string::npos;
}

bool isHeaderName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

/// Words "$NAME" of a header's value become what the environment holds.
Expected<std::string> fillHeader(const std::string &header,
                                 std::vector<std::string> &secrets) {
  size_t colon = header.find(':');
  std::string name = header.substr(0, colon);
  if (colon == std::string::npos || !isHeaderName(name))
    return makeError(Error::Code::Invalid, "header '" + name +
                                               "' is not of the form 'Name: "
                                               "value'");
  std::string filled = name + ":";
  std::istringstream words(header.substr(colon + 1));
  for (std::string word; words >> word;) {
    std::string value = word;
    if (word.starts_with("$") && word.size() > 1) {
      value = variable(word.substr(1));
      if (value.empty())
        return makeError(Error::Code::Unavailable,
                         "header '" + name + "': the environment variable " +
                             word.substr(1) + " is not set");
      secrets.push_back(value);
    }
    if (hasLineBreak(value))
      return makeError(Error::Code::Invalid,
                       "header '" + name + "' holds a line break");
    filled += " " + value;
  }
  return filled;
}

std::string urlOf(const Api &api, std::string base) {
  if (base.empty())
    base = api.baseUrl;
  while (base.ends_with('/'))
    base.pop_back();
  // Anthropic's base is mostly given without the version.
  if (api.format == WireFormat::Messages && !base.ends_with("/v1"))
    base += "/v1";
  return base + api.path;
}

} // namespace

Expected<Endpoint> findEndpoint(const ProviderOptions &options) {
  const Api *api = std::ranges::find_if(apis, [&options](const Api &row) {
    return row.kind == options.kind &&
           (row.api.empty() || row.api == options.api);
  });
  if (api == std::end(apis))
    return makeError(Error::Code::Invalid,
                     "api is '" + options.api + "'; accepted: chat, responses");
  Endpoint endpoint;
  endpoint.kind = options.kind;
  endpoint.format = api->format;
  endpoint.url = urlOf(*api, options.baseUrl);
  std::string name =
      options.keyVariable.empty() ? api->keyVariable : options.keyVariable;
  std::string key = variable(name);
  if (key.empty() && !isLoopback(endpoint.url) && !authorises(options.headers))
    return makeError(Error::Code::Unavailable,
                     "no key; set the environment variable " + name);
  if (hasLineBreak(key))
    return makeError(Error::Code::Invalid,
                     "the key in " + name + " holds a line break");
  endpoint.headers = {"Content-Type: application/json",
                      "Accept: application/json, text/event-stream", "Expect:"};
  if (!key.empty()) {
    endpoint.headers.push_back(api->keyHeader + key);
    endpoint.secrets.push_back(key);
  }
  if (*api->header)
    endpoint.headers.push_back(api->header);
  for (const std::string &header : options.headers) {
    auto filled = fillHeader(header, endpoint.secrets);
    if (!filled)
      return std::unexpected(filled.error());
    endpoint.headers.push_back(*filled);
  }
  return endpoint;
}

void redact(std::string &text, const std::vector<std::string> &secrets) {
  for (const std::string &secret : secrets)
    for (size_t at = 0; secret.size() >= minSecretBytes &&
                        (at = text.find(secret, at)) != std::string::npos;
         at += std::string_view(mark).size())
      text.replace(at, secret.size(), mark);
}

void redact(Reply &reply, const std::vector<std::string> &secrets) {
  redact(reply.text, secrets);
  redact(reply.refusal, secrets);
  redact(reply.finishReason, secrets);
  redact(reply.model, secrets);
  for (ToolCall &call : reply.toolCalls)
    for (std::string *text : {&call.id, &call.name, &call.arguments})
      redact(*text, secrets);
}

} // namespace kclaw
