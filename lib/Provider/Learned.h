//===- Learned.h - What endpoints turned out to refuse ----------*- C++ -*-===//
//
// Private. An endpoint that answers 400 and names something which a request
// can do without is asked again without it, and so is every later call of this
// process: by URL and model, structured output by schema, too. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_LEARNED_H
#define KERNELCLAW_LIB_PROVIDER_LEARNED_H

#include "Endpoint.h"

namespace kclaw {

/// The style of a request, with what was learned so far; also lowers
/// `conversation.maxTokens` to what the model was seen to take.
RequestStyle learnedStyle(const Endpoint &endpoint,
                          const ProviderOptions &options,
                          Conversation &conversation);

/// Whether the failure of a request of this style named something new to leave
/// out, so that asking again at once makes sense.
bool learnFrom(const CallFailure &failure, const Endpoint &endpoint,
               const Conversation &conversation, const RequestStyle &style);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_LEARNED_H
