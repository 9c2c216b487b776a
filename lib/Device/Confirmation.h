//===- Confirmation.h - A winner again, in fresh processes ------*- C++ -*-===//
//
// One process may be lucky: its addresses, its clock, the candidate that was
// picked for being the fastest. A winner is judged again from the beginning in
// fresh processes, each with a secret seed of its own; their times alone make
// the speedup that counts.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_CONFIRMATION_H
#define KERNELCLAW_LIB_DEVICE_CONFIRMATION_H

#include "kernelclaw/Plan/Job.h"

#include <functional>

namespace kclaw {

/// Judges a job in a process that has judged nothing before.
using JudgeFresh = std::function<Expected<Evaluation>(const Job &)>;

/// Whether the job asks for it and `first`, its evaluation, is worth it: ok,
/// more than `profileAboveSpeedup` times as fast as stock, with an interval
/// above 1. Estimates of the simulator are the same in each process.
bool needsConfirmation(const Job &job, const Evaluation &first);

/// The job as a fresh process gets it: what was compiled goes with it, no
/// profile, no energy.
Job confirmingJob(const Job &job, const Evaluation &first);

/// `first` with its confirmation; speedup and interval become those of the
/// fresh processes. Where one of them refuses the candidate, its verdict
/// counts. One that cannot judge (no device any more) leaves it unconfirmed.
Evaluation confirm(const Job &job, Evaluation first, const JudgeFresh &judge);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CONFIRMATION_H
