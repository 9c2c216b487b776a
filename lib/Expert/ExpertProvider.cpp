//===- ExpertProvider.cpp - The memory bank as a provider -----------------===//
//
// Each reply offers the next candidate plan. Which one follows from the
// conversation alone, so a resumed run goes on where it stopped.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Expert/ExpertProvider.h"

#include "Candidates.h"

#include <algorithm>

namespace kclaw {
namespace {

using namespace expert;

/// Outcomes after which a skeleton's other choices of tunables would fail in
/// the same way; a slow kernel is not among them.
constexpr const char *brokenOutcomes[] = {
    "rejected", "compile_error",    "fault",
    "mismatch", "nondeterministic", "suspicious"};

bool isBroken(const std::string &outcome) {
  return std::ranges::find(brokenOutcomes, outcome) != std::end(brokenOutcomes);
}

/// The first candidate that `history` has not used up; null when none is.
const Candidate *nextCandidate(const std::vector<Candidate> &candidates,
                               const std::vector<Feedback> &history) {
  std::vector<const Candidate *> left;
  for (const Candidate &candidate : candidates)
    left.push_back(&candidate);
  for (const Feedback &feedback : history) {
    if (left.empty())
      return nullptr;
    const Skeleton *tried = left.front()->skeleton;
    left.erase(left.begin());
    if (isBroken(feedback.outcome))
      std::erase_if(left, [&](const Candidate *candidate) {
        return candidate->skeleton == tried;
      });
  }
  return left.empty() ? nullptr : left.front();
}

Reply exhausted(const std::string &why) {
  Reply reply;
  reply.text = "no skeleton to offer: " + why;
  reply.finishReason = "stop";
  reply.exhausted = true;
  return reply;
}

class ExpertProvider : public Provider {
public:
  explicit ExpertProvider(MemoryBank bank) : bank(std::move(bank)) {}

  Expected<Reply> complete(const Conversation &conversation) override {
    if (!conversation.spec)
      return makeError(Error::Code::Invalid,
                       "expert: the conversation carries no spec");
    Expected<Region> region = analyse(*conversation.spec, bank);
    if (!region)
      return exhausted(region.error().message);
    Expected<std::vector<Candidate>> candidates = rankCandidates(*region, bank);
    if (!candidates)
      return std::unexpected(candidates.error());
    if (candidates->empty())
      return exhausted("no skeleton's conditions hold for " +
                       std::to_string(region->schedule.rowCount) + " rows of " +
                       std::to_string(region->schedule.columnCount));
    if (conversation.sweepsTunables)
      *candidates = sweepTogether(*candidates);
    const Candidate *candidate =
        nextCandidate(*candidates, conversation.history);
    if (!candidate)
      return exhausted("all " + std::to_string(candidates->size()) +
                       " candidates were tried");
    Expected<Plan> plan = instantiate(*region, *candidate, bank);
    if (!plan)
      return std::unexpected(plan.error().context(candidate->skeleton->file));
    Reply reply;
    reply.text = plan->title + "\n\n```json\n" + toJson(*plan) + "\n```\n";
    reply.finishReason = "stop";
    return reply;
  }

private:
  MemoryBank bank;
};

} // namespace

Expected<std::unique_ptr<Provider>>
createExpertProvider(const std::string &memorybank) {
  Expected<MemoryBank> bank = loadMemoryBank(memorybank);
  if (!bank)
    return std::unexpected(bank.error().context("expert"));
  return std::make_unique<ExpertProvider>(std::move(*bank));
}

} // namespace kclaw
