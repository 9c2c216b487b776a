//===- RuleNames.h - What the rules about numbers are called ----*- C++ -*-===//
//
// Evaluation::rule says which rule decided. Those about numbers are here, in
// the order in which they are asked; the types are in Rules/. A failure of
// stock or reference is none of the candidate's: "stock-" or "reference-" in
// front of its rule, outcome Rejected.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULENAMES_H
#define KERNELCLAW_LIB_DEVICE_RULENAMES_H

namespace kclaw::rules {

// Outcome Mismatch: elements of a result on one distribution.
/// Elements still hold the poison that was there before the run.
inline constexpr char notWritten[] = "not-written";
/// The f64 reference is NaN, the result is not (fmaxf for relu).
inline constexpr char nanLost[] = "nan-lost";
/// The reference is an infinity, the result is not that one.
inline constexpr char infinityLost[] = "infinity-lost";
/// NaN or infinity where reference and stock are finite.
inline constexpr char spuriousNonFinite[] = "spurious-non-finite";
/// A float is further from the reference than its budget.
inline constexpr char budget[] = "budget";
/// An index is out of range, or the value it selects is not the reference's.
inline constexpr char selectedValue[] = "selected-value";
/// The same index twice where the reference has different ones (topk, sort).
inline constexpr char repeatedIndex[] = "repeated-index";
/// A boolean or integer that depends on no rounding differs.
inline constexpr char exactValue[] = "exact-value";
/// A boolean or rounded integer differs where what it was computed from is not
/// within budget of the threshold.
inline constexpr char threshold[] = "threshold";

// Outcome Mismatch: around the results.
/// An argument is no longer what was drawn, or a kernel stores into one.
inline constexpr char inputWritten[] = "input-written";
/// A constant of the plan is no longer what the plan says.
inline constexpr char constantWritten[] = "constant-written";
/// A persistent buffer is no longer what prepare left.
inline constexpr char persistentWritten[] = "persistent-written";
/// A timed run, checked like a validated one, is wrong.
inline constexpr char timedRun[] = "timed-run";

// Outcome Nondeterministic.
/// Two runs on the same data: one within its budget, one not.
inline constexpr char twoRuns[] = "two-runs";
/// Bitwise different runs, and deterministic=true was asked for.
inline constexpr char deterministic[] = "deterministic";

// Outcome Rejected: the task cannot be judged.
/// Zeros, the mean, or the result of other data would pass.
inline constexpr char undiscriminating[] = "undiscriminating";
/// No distribution gives a reference that is finite and not constant.
inline constexpr char noDistribution[] = "no-distribution";

} // namespace kclaw::rules

#endif // KERNELCLAW_LIB_DEVICE_RULENAMES_H
