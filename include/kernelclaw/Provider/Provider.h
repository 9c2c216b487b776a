//===- Provider.h - Conversation in, reply and usage out --------*- C++ -*-===//
//
// The interface that the agent sees. Implementations: openai, anthropic,
// command, exchange, replay, none (all lib/Provider) and expert (lib/Expert).
// Keys come from the environment only and reach no log, transcript or worker.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PROVIDER_PROVIDER_H
#define KERNELCLAW_PROVIDER_PROVIDER_H

#include "kernelclaw/Spec/KernelSpec.h"

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kclaw {

struct ToolCall {
  std::string id, name, arguments; ///< arguments: JSON text, as received
};

struct Message {
  std::string role; ///< system | user | assistant | tool
  std::string content;
  std::vector<ToolCall> toolCalls = {}; ///< assistant: what it called
  std::string toolCallId = {};          ///< tool: the call that this answers
  /// What comes up to and with this message stays the same from call to call:
  /// providers with an explicit cache mark it.
  bool endsStablePrefix = false;
};

/// What went wrong with the previous attempt, for providers that are programs.
struct Feedback {
  int attempt = 0;
  std::string outcome; ///< name(Outcome)
  std::string message;
};

/// A function that the model may call to answer.
struct Tool {
  std::string name, description;
  std::string parameters; ///< JSON Schema of the arguments, as text
};

struct Usage {
  int64_t inputTokens = 0;  ///< all of them, cached ones included
  int64_t outputTokens = 0; ///< reasoning included
  double dollars = 0;
  double seconds = 0;
  int64_t cachedInputTokens = 0; ///< of inputTokens: read from a cache
  int64_t cacheWriteTokens = 0;  ///< of inputTokens: written to a cache

  Usage &operator+=(const Usage &other) {
    inputTokens += other.inputTokens;
    outputTokens += other.outputTokens;
    dollars += other.dollars;
    seconds += other.seconds;
    cachedInputTokens += other.cachedInputTokens;
    cacheWriteTokens += other.cacheWriteTokens;
    return *this;
  }
};

struct Conversation {
  /// "<specHash>-<attempt>"; a question asked again has "-<call>" behind it.
  std::string id;
  int attempt = 0;
  std::vector<Message> messages;
  /// For `expert`: the region itself and what was tried. Null for others.
  const KernelSpec *spec = nullptr;
  std::vector<Feedback> history;
  /// Who judges tries all values of a plan's tunables; else a plan stands for
  /// the values that it has chosen.
  bool sweepsTunables = false;
  int64_t maxTokens = 16384;
  /// An answer that comes later is of no use: max-seconds would be over.
  double timeoutSeconds = std::numeric_limits<double>::infinity();
  std::vector<Tool> tools;
  /// Who asks: generator, planner, optimizer, diagnoser, repairer, agent.
  /// Chooses the model, and is booked with the cost.
  std::string role = {};
  /// JSON Schema that the text of the answer must follow; empty: none. Sent as
  /// structured output where the endpoint offers it; callers check anyway.
  std::string responseSchema = {};
  std::string responseSchemaName = {};
  /// Asked before a failed answer that has to be paid for is asked for again,
  /// with all that this call has cost so far: whether that and one more bound
  /// still fit. Null: they do.
  std::function<bool(const Usage &wasted)> mayRepeat = {};
  /// Tokens of the answer so far, as it streams in, from the thread of the
  /// call; a try that is repeated counts anew. Null: not told.
  std::function<void(int64_t)> onTokens = {};
};

struct Reply {
  std::string text;
  std::vector<ToolCall> toolCalls;
  std::string finishReason; ///< stop | length | tool_calls | content_filter
  std::string refusal;      ///< why the model will not answer; empty: it did
  Usage usage;
  bool exhausted = false; ///< expert: nothing further to offer
  std::string model = {}; ///< that answered, as the endpoint names it
};

/// JSON text <-> struct (docs/schema/exchange-reply.schema.json): the form of
/// replies in mailboxes, recordings and run directories.
std::string toJson(const Reply &reply);
Expected<Reply> parseReply(const std::string &json);

class Provider {
public:
  virtual ~Provider() = default;
  virtual Expected<Reply> complete(const Conversation &conversation) = 0;
  /// What one call may cost at most; reserved before the call. Nothing for
  /// providers that cost nothing.
  virtual Usage bound(const Conversation &conversation) const { return {}; }
  /// What calls that ended in an error cost all the same, to be booked after
  /// such an error; a second call gives nothing. Replies carry the cost of
  /// failed tries before them. Thread-safe.
  virtual Usage takeUnbooked(const std::string &conversationId) { return {}; }
};

/// Dollars for a million tokens.
struct Prices {
  double input = 0, output = 0;
  /// Of input tokens read from a cache, and written to one (anthropic); where
  /// not stated: the price of input.
  std::optional<double> cachedInput = {}, cacheWrite = {};
};

struct ProviderOptions {
  /// openai | anthropic | command | exchange | replay | none
  std::string kind = "expert";
  std::string api = "chat"; ///< openai: chat | responses
  std::string model;
  /// Role -> model, for roles that use another one than `model`.
  std::map<std::string, std::string> roleModels = {};
  std::string baseUrl; ///< empty: the provider's own
  /// Environment variable with the key; empty: KERNELCLAW_API_KEY (openai),
  /// ANTHROPIC_API_KEY (anthropic), none (command). command: the variables,
  /// with commas between, that the program gets although they look like keys.
  std::string keyVariable = {};
  std::vector<std::string> headers = {}; ///< "Name: value"; value may be
                                         ///< "$VARIABLE" of the environment
  std::string reasoningEffort = {};      ///< low | medium | high; empty: unsaid
  bool stream = true;
  std::string command = {};    ///< command: program and arguments, as a shell's
  std::string directory;       ///< exchange or replay directory
  double timeoutSeconds = 300; ///< of one try
  double stallSeconds = 120;   ///< of one try: without a byte of a stream
  int maxRetries = 5;
  /// A price of its own for every model; what the options say comes first,
  /// then memorybank/prices.json (loadPrices). Unknown model: unknown price.
  std::map<std::string, Prices> prices = {};
  std::optional<double> inputDollarsPerMillion;
  std::optional<double> outputDollarsPerMillion;
  /// Set (from a signal handler or another thread): calls end with an error.
  const std::atomic<bool> *cancelled = nullptr;

  const std::string &modelFor(const std::string &role) const {
    auto own = roleModels.find(role);
    return own == roleModels.end() ? model : own->second;
  }
  /// Of the model that the role uses.
  std::optional<Prices> pricesFor(const std::string &role) const;
  /// Whether the price of every model that may be called is known.
  bool hasPrices() const;
};

/// memorybank/prices.json: model -> Prices. "gpt-x" stands for gpt-x and its
/// dated snapshots (gpt-x-2026-01-31), "gpt-x*" for all names that begin so.
Expected<std::map<std::string, Prices>> loadPrices(const std::string &file);

/// "planner=x,optimizer=y"; a role that nobody plays is an error that names
/// those that there are.
Expected<std::map<std::string, std::string>>
parseRoleModels(const std::string &text);
/// "Name: value; Name: value" to its headers.
std::vector<std::string> splitHeaders(const std::string &text);

/// Whether a call of this kind of provider can cost money, so that a cap in
/// dollars needs prices.
bool isPaid(const std::string &kind);

/// Every kind but expert (see Expert/ExpertProvider.h).
Expected<std::unique_ptr<Provider>>
createProvider(const ProviderOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_PROVIDER_PROVIDER_H
