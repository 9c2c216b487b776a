//===- Provider.h - Conversation in, reply and usage out --------*- C++ -*-===//
//
// The interface that the agent sees. Implementations: openai, exchange,
// replay, none (all lib/Provider) and expert (lib/Expert). Keys come from the
// environment only and reach no log, transcript or worker.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PROVIDER_PROVIDER_H
#define KERNELCLAW_PROVIDER_PROVIDER_H

#include "kernelclaw/Spec/KernelSpec.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kclaw {

struct Message {
  std::string role; ///< system | user | assistant | tool
  std::string content;
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
};

struct Usage {
  int64_t inputTokens = 0;
  int64_t outputTokens = 0;
  double dollars = 0;
  double seconds = 0;
};

struct ToolCall {
  std::string id, name, arguments; ///< arguments: JSON text, as received
};

struct Reply {
  std::string text;
  std::vector<ToolCall> toolCalls;
  std::string finishReason; ///< stop | length | tool_calls | content_filter
  std::string refusal;      ///< why the model will not answer; empty: it did
  Usage usage;
  bool exhausted = false; ///< expert: nothing further to offer
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
};

struct ProviderOptions {
  std::string kind = "expert"; ///< openai | exchange | replay | none
  std::string model;
  std::string baseUrl;
  std::string keyVariable = "KERNELCLAW_API_KEY"; ///< environment variable
  std::string directory; ///< exchange or replay directory
  double timeoutSeconds = 300;
  /// Dollars for a million tokens; a call's upper bound comes from them, and
  /// its cost where the answer states none. nullopt: not known.
  std::optional<double> inputDollarsPerMillion;
  std::optional<double> outputDollarsPerMillion;

  bool hasPrices() const {
    return inputDollarsPerMillion && outputDollarsPerMillion;
  }
};

/// Whether a call of this kind of provider can cost money, so that a cap in
/// dollars needs prices.
bool isPaid(const std::string &kind);

/// Every kind but expert (see Expert/ExpertProvider.h).
Expected<std::unique_ptr<Provider>>
createProvider(const ProviderOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_PROVIDER_PROVIDER_H
