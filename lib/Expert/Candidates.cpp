//===- Candidates.cpp - Skeletons ranked for one region -------------------===//
//
// Facts of the region, every combination of a skeleton's tunables, and the
// skeleton's own conditions and score over them.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"

#include "KernelWriter.h"

#include <algorithm>

namespace kclaw::expert {
namespace {

Bindings factsOf(const Region &region, const Skeleton &skeleton,
                 const MemoryBank &bank) {
  const Schedule &schedule = region.schedule;
  const KernelSpec &spec = *region.spec;
  bool tail = skeleton.tail && schedule.rowCount == 1;
  int vec = widestPacket(spec, region.program, schedule, tail);
  int64_t bytes = 0;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors) {
      int64_t size = info(tensor.dtype).sizeBytes;
      for (const Dim &dim : tensor.dims)
        size *= dim.isStatic() ? dim.value : 1;
      bytes += size;
    }
  bool product = schedule.layout == Layout::Product;
  int64_t batch = region.program.atoms.size(schedule.batch);
  bool tf32 = spec.policy == Policy::Tf32 || spec.policy == Policy::Loose;
  return {
      {"batch", batch},
      {"m", schedule.rowCount / batch},
      {"n", schedule.columnCount},
      {"k", region.program.atoms.size(schedule.depth)},
      {"operand_bytes", product ? info(region.factors[0].type).sizeBytes : 0},
      {"tf32", tf32},
      {"rows", schedule.rowCount},
      {"cols", schedule.columnCount},
      {"vec", vec},
      {"live", schedule.live},
      {"phases", schedule.phases},
      {"reduces", schedule.phases > 1},
      {"full_results", schedule.fullResults},
      {"bytes", bytes},
      {"sms", bank.hardware.at("sms")}};
}

/// Adds the candidate unless a condition fails; an error when an expression
/// cannot be evaluated.
Expected<bool> consider(const Skeleton &skeleton, Bindings names,
                        std::vector<Candidate> &into) {
  for (const auto &[name, expr] : skeleton.derived) {
    Expected<int64_t> value = expr.evaluate(names);
    if (!value)
      return std::unexpected(value.error().context("derive." + name));
    names[name] = *value;
  }
  for (const Expr &condition : skeleton.conditions) {
    Expected<int64_t> holds = condition.evaluate(names);
    if (!holds)
      return std::unexpected(holds.error().context("when"));
    if (*holds == 0)
      return false;
  }
  Expected<int64_t> score = skeleton.score.evaluate(names);
  if (!score)
    return std::unexpected(score.error().context("score"));
  into.push_back({&skeleton, std::move(names), *score});
  return true;
}

} // namespace

Expected<Region> analyse(const KernelSpec &spec, const MemoryBank &bank) {
  Region region;
  region.spec = &spec;
  Expected<Program> program = lowerGraph(spec, bank.ops);
  if (!program)
    return std::unexpected(program.error());
  region.program = std::move(*program);
  Expected<Schedule> schedule = scheduleProgram(region.program, spec);
  if (!schedule)
    return std::unexpected(schedule.error());
  region.schedule = std::move(*schedule);
  if (region.schedule.layout == Layout::Product)
    for (size_t operand : {0, 1})
      region.factors.push_back(
          factorOf(spec, region.program, region.schedule, operand));
  return region;
}

Expected<std::vector<Candidate>> rankCandidates(const Region &region,
                                                const MemoryBank &bank) {
  std::vector<Candidate> candidates;
  for (const Skeleton &skeleton : bank.skeletons) {
    if (skeleton.layout != region.schedule.layout)
      continue;
    std::vector<Bindings> choices = {factsOf(region, skeleton, bank)};
    for (const Skeleton::Knob &knob : skeleton.tunables) {
      std::vector<Bindings> wider;
      for (const Bindings &choice : choices)
        for (int64_t value : knob.values) {
          wider.push_back(choice);
          wider.back()[knob.name] = value;
        }
      choices = std::move(wider);
    }
    for (Bindings &choice : choices)
      if (Expected<bool> added =
              consider(skeleton, std::move(choice), candidates);
          !added)
        return std::unexpected(added.error().context(skeleton.file));
  }
  std::ranges::stable_sort(candidates, std::ranges::greater(),
                           &Candidate::score);
  return candidates;
}

std::vector<Candidate> sweepTogether(const std::vector<Candidate> &candidates) {
  auto splits = [](const Candidate &candidate) {
    auto found = candidate.names.find("splits");
    return found == candidate.names.end() ? 0 : found->second;
  };
  std::vector<Candidate> together;
  for (const Candidate &candidate : candidates) {
    auto same = std::ranges::find_if(together, [&](const Candidate &other) {
      return other.skeleton == candidate.skeleton &&
             splits(other) == splits(candidate);
    });
    if (same == together.end())
      same = together.insert(same, candidate);
    for (const Skeleton::Knob &knob : candidate.skeleton->tunables) {
      std::vector<int64_t> &values = same->swept[knob.name];
      int64_t value = candidate.names.at(knob.name);
      if (std::ranges::find(values, value) == values.end())
        values.push_back(value);
    }
  }
  for (Candidate &candidate : together)
    std::erase_if(candidate.swept,
                  [](const auto &knob) { return knob.second.size() < 2; });
  return together;
}

} // namespace kclaw::expert
