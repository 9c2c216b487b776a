//===- Providers.h - The kinds that createProvider makes --------*- C++ -*-===//
//
// Private to lib/Provider.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_PROVIDERS_H
#define KERNELCLAW_LIB_PROVIDER_PROVIDERS_H

#include "kernelclaw/Provider/Provider.h"

#include <optional>

namespace kclaw {

using ProviderResult = Expected<std::unique_ptr<Provider>>;

ProviderResult createOpenAiProvider(const ProviderOptions &options);
ProviderResult createExchangeProvider(const ProviderOptions &options);
ProviderResult createReplayProvider(const ProviderOptions &options);

/// The body of a chat/completions request. Newer models name the limit
/// "max_completion_tokens".
std::string renderChatRequest(const Conversation &conversation,
                              const std::string &model,
                              const std::string &limitName);

/// docs/schema/exchange-request.schema.json.
std::string renderExchangeRequest(const Conversation &conversation);

/// The answer in `base`.json (an exchange reply) or `base`.txt (the model's
/// text as it is); nullopt when there is neither.
Expected<std::optional<Reply>> readRecordedReply(const std::string &base);

/// Dollars by the prices in `options`; 0 where there are none.
double priceOf(const Usage &usage, const ProviderOptions &options);

/// A rough upper bound of one call: four bytes a token is usual, three safe.
Usage tokenBound(const Conversation &conversation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_PROVIDERS_H
