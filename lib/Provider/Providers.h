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

ProviderResult createHttpProvider(const ProviderOptions &options);
ProviderResult createCommandProvider(const ProviderOptions &options);
ProviderResult createExchangeProvider(const ProviderOptions &options);
ProviderResult createReplayProvider(const ProviderOptions &options);

/// docs/schema/exchange-request.schema.json. `model`: what the role uses;
/// empty: not said.
std::string renderExchangeRequest(const Conversation &conversation,
                                  const std::string &model);
/// The same for a person to read and to answer.
std::string renderQuestion(const Conversation &conversation,
                           const std::string &model);

/// The answer in `base`.json (an exchange reply) or `base`.txt (the model's
/// text as it is); nullopt when there is neither.
Expected<std::optional<Reply>> readRecordedReply(const std::string &base);

/// Dollars by the prices of the model that the role uses; 0 where unknown.
double priceOf(const Usage &usage, const ProviderOptions &options,
               const std::string &role);
/// The same when every input token costs the most that one can cost.
double priceBound(const Usage &usage, const ProviderOptions &options,
                  const std::string &role);

/// An upper bound of one call: four bytes a token is usual for English, three
/// for code, two where it is mostly numbers.
Usage tokenBound(const Conversation &conversation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_PROVIDERS_H
