//===- Ask.h - One call of the model, paid for once -------------*- C++ -*-===//
//
// Private. The one place that calls a provider. What is recorded is never asked
// again; what is asked is reserved by its upper bound before, and booked with
// what it used after. events.jsonl has call_started before a call and reply or
// call_ended after it, so that a resumed run knows which calls a kill lost.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_ASK_H
#define KERNELCLAW_LIB_AGENT_ASK_H

#include "Attempt.h"

namespace kclaw {

/// Call number `call` (from 1) of an attempt: the recorded reply, or a new one.
/// Other regions have their turn while it waits. Sets the conversation's
/// timeout. A reply that cannot be read is one with `refusal` set. Errors:
/// Budget, Parked, Io (record), Unavailable and Internal (provider).
Expected<Reply> ask(Run &run, const std::string &specHash, int attempt,
                    const AttemptFolder &folder, int call,
                    Conversation &conversation);

/// Books the calls of earlier processes: their replies with what they used,
/// and those that a kill cut off with their bound, as call_lost. Once, before
/// the first ask.
Expected<void> bookEarlierCalls(Run &run);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_ASK_H
