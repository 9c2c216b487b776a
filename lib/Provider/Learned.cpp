//===- Learned.cpp - What endpoints turned out to refuse ------------------===//
#include "Learned.h"
#include "Formats.h"

#include <algorithm>
#include <cctype>
#include <mutex>

namespace kclaw {
namespace {

/// How an endpoint names what it refuses; the first row that fits counts.
struct Word {
  WireFormat format;
  std::string_view text;
  Feature feature;
};
constexpr Word words[] = {
    {WireFormat::Chat, "max_completion_tokens", Feature::OldLimit},
    {WireFormat::Chat, "response_format", Feature::Schema},
    {WireFormat::Chat, "json_schema", Feature::Schema},
    {WireFormat::Chat, "stream_options", Feature::StreamUsage},
    {WireFormat::Chat, "reasoning_effort", Feature::Effort},
    {WireFormat::Responses, "text.format", Feature::Schema},
    {WireFormat::Responses, "response_format", Feature::Schema},
    {WireFormat::Responses, "json_schema", Feature::Schema},
    {WireFormat::Responses, "reasoning", Feature::Effort},
    {WireFormat::Messages, "output_config.effort", Feature::Effort},
    {WireFormat::Messages, "effort", Feature::Effort},
    {WireFormat::Messages, "output_config", Feature::Schema},
    {WireFormat::Messages, "output_format", Feature::Schema},
    {WireFormat::Messages, "json_schema", Feature::Schema},
    {WireFormat::Messages, "cache_control", Feature::Cache},
    // Of two that "output_config" may mean, the other one.
    {WireFormat::Messages, "output_config", Feature::Effort}};

struct Entry {
  std::set<Feature> leftOut;
  int64_t maxTokens = 0; ///< 0: not known
};

class Memory {
public:
  Entry find(const std::string &key) {
    std::lock_guard guard(lock);
    return entries[key];
  }
  template <typename Change> bool change(const std::string &key, Change edit) {
    std::lock_guard guard(lock);
    return edit(entries[key]);
  }

private:
  std::mutex lock;
  std::map<std::string, Entry> entries;
};

Memory &memory() {
  static Memory memory;
  return memory;
}

std::string keyOf(const Endpoint &endpoint, const std::string &model) {
  return endpoint.url + "\n" + model;
}

std::string schemaKey(const Endpoint &endpoint, const std::string &model,
                      const Conversation &conversation) {
  return keyOf(endpoint, model) + "\n" + conversation.responseSchemaName;
}

/// Whether a request of this style holds it.
bool sent(Feature feature, const Conversation &conversation,
          const RequestStyle &style) {
  switch (feature) {
  case Feature::Schema:
    return !conversation.responseSchema.empty();
  case Feature::Effort:
    return !style.reasoningEffort.empty();
  case Feature::StreamUsage:
    return style.stream;
  case Feature::OldLimit:
    return true;
  case Feature::Cache:
    return std::ranges::any_of(conversation.messages,
                               &Message::endsStablePrefix);
  }
  return false;
}

/// The largest number below `asked` in a text about a limit of tokens.
int64_t statedLimit(const std::string &message, int64_t asked) {
  constexpr int64_t smallest = 256; // smaller ones are versions and the like
  // Before the first colon stand our own words, the status among them.
  std::string text =
      message.substr(std::min(message.find(':'), message.size()));
  if (text.find("max_tokens") == std::string::npos &&
      text.find("max_completion_tokens") == std::string::npos &&
      text.find("max_output_tokens") == std::string::npos)
    return 0;
  int64_t limit = 0;
  for (size_t i = 0; i < text.size();) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    // Part of a name: gpt-5-2025-08-07.
    bool inName =
        i > 0 && (text[i - 1] == '-' || text[i - 1] == '.' ||
                  std::isalpha(static_cast<unsigned char>(text[i - 1])));
    int64_t number = 0;
    for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
         ++i)
      number = std::min<int64_t>(number * 10 + (text[i] - '0'), 1e15);
    if (!inName && number >= smallest && number < asked)
      limit = std::max(limit, number);
  }
  return limit;
}

} // namespace

RequestStyle learnedStyle(const Endpoint &endpoint,
                          const ProviderOptions &options,
                          Conversation &conversation) {
  RequestStyle style;
  style.model = options.modelFor(conversation.role);
  style.reasoningEffort = options.reasoningEffort;
  style.stream = options.stream;
  Entry entry = memory().find(keyOf(endpoint, style.model));
  style.leftOut = entry.leftOut;
  if (!conversation.responseSchema.empty() &&
      memory()
          .find(schemaKey(endpoint, style.model, conversation))
          .leftOut.contains(Feature::Schema))
    style.leftOut.insert(Feature::Schema);
  if (entry.maxTokens > 0)
    conversation.maxTokens = std::min(conversation.maxTokens, entry.maxTokens);
  return style;
}

bool learnFrom(const CallFailure &failure, const Endpoint &endpoint,
               const Conversation &conversation, const RequestStyle &style) {
  if (failure.status != 400 && failure.status != 422)
    return false;
  const std::string &text = failure.error.message;
  const Word *word = std::ranges::find_if(words, [&](const Word &row) {
    return row.format == endpoint.format &&
           text.find(row.text) != std::string::npos &&
           wanted(style, row.feature) && sent(row.feature, conversation, style);
  });
  int64_t limit =
      word == std::end(words) ? statedLimit(text, conversation.maxTokens) : 0;
  if (limit > 0)
    return memory().change(keyOf(endpoint, style.model), [limit](Entry &entry) {
      entry.maxTokens = limit;
      return true;
    });
  if (word == std::end(words))
    return false;
  std::string key = word->feature == Feature::Schema
                        ? schemaKey(endpoint, style.model, conversation)
                        : keyOf(endpoint, style.model);
  memory().change(key, [word](Entry &entry) {
    return entry.leftOut.insert(word->feature).second;
  });
  return true; // this request held it, whoever else has learned it by now
}

} // namespace kclaw
