//===- Describe.h - Regions, verdicts and history as text -------*- C++ -*-===//
//
// Private. What prompts are filled with. Pure and deterministic.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_DESCRIBE_H
#define KERNELCLAW_LIB_AGENT_DESCRIBE_H

#include "Prompts.h"
#include "Tree.h"
#include "kernelclaw/Agent/Agent.h"
#include "kernelclaw/Memory/MemoryBank.h"

namespace kclaw {

/// Upper bound of the tokens of a text, as budgets count them.
inline int64_t tokensOf(const std::string &text) {
  return int64_t(text.size()) / 3 + 1;
}

std::string decimal(double value); ///< four digits

/// listing, tensors, spec_header, policy, arch, bytes, flops (both also as
/// microseconds at the target's peaks), stock_launches, example_plan,
/// min_speedup: the same in all calls for a region.
PromptValues describeRegion(const RegionTask &task,
                            const AgentOptions &options);

/// Facts, instructions and pitfalls of the target; null: "not known".
std::string describeHardware(const Hardware *hardware);

/// The failed numbers, times, resources and the compiler's words.
std::string describeEvidence(const Evaluation &evaluation);
/// Counters and roofline, kernel by kernel; empty without a profile.
std::string describeProfile(const Profile &profile);

/// One line for each attempt, within a budget of tokens: the best first, then
/// from the newest on; says how many are left out.
std::string describeHistory(const Tree &tree, int64_t maxTokens);

/// "--- main.cu" and each file's text, in fences.
std::string describeFiles(const std::map<std::string, std::string> &files);

std::string lastBytes(const std::string &text, size_t limit);
std::string firstBytes(const std::string &text, size_t limit);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_DESCRIBE_H
