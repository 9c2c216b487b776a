//===- KeptRecord.h - Searches that need no repetition ----------*- C++ -*-===//
//
// Private. The store remembers of a region without a winner who was asked and
// how often; the same question is not asked again.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_KEPTRECORD_H
#define KERNELCLAW_LIB_AGENT_KEPTRECORD_H

#include "Attempt.h"

namespace kclaw {

/// Whether the search is over for good: it ended by itself, every attempt got
/// a verdict that another run would give too, and it is known who was asked.
/// Not parked, out of budget or broken; a time limit may be the machine's.
bool isSettled(const AgentOptions &options, AttemptResult::Status status,
               const Tree &tree);

/// Provenance (JSON) of a settled search; `exhausted`: the provider had nothing
/// further, so that more attempts would not help.
/// `stockMicroseconds`: measured; 0: not.
std::string keptProvenance(const AgentOptions &options, bool exhausted,
                           double stockMicroseconds);
/// What it says of stock's time; 0: nothing.
double keptStock(const StoreEntry &entry);

/// Whether a run with `options` would only repeat what `entry` is the end of.
bool answers(const StoreEntry &entry, const AgentOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_KEPTRECORD_H
