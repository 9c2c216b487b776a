//===- Tree.cpp - What was tried at one region ----------------------------===//
#include "Tree.h"

#include "Edits.h"

#include <algorithm>
#include <cmath>

namespace kclaw {
namespace {

/// Time as a ratio to the stock that was measured beside it.
double relativeTime(const Evaluation &evaluation) {
  return evaluation.speedup > 0 ? 1 / evaluation.speedup : 0;
}

bool isComparable(const Evaluation &a, const Evaluation &b) {
  return a.evidence == b.evidence && a.evidence != Evidence::None;
}

} // namespace

const char *name(Phase phase) {
  constexpr const char *names[] = {"seed", "optimise", "repair"};
  return names[int(phase)];
}

std::map<std::string, double> countersOf(const Evaluation &evaluation) {
  std::map<std::string, double> counters;
  const std::vector<KernelProfile> &kernels = evaluation.profile.kernels;
  auto hottest =
      std::ranges::max_element(kernels, {}, &KernelProfile::medianMicroseconds);
  if (hottest != kernels.end())
    counters = hottest->counters;
  if (double time = relativeTime(evaluation); time > 0)
    counters["time"] = time;
  return counters;
}

double headroomOf(const Evaluation &evaluation) {
  double roofline = evaluation.profile.roofline.headroom;
  double copy = evaluation.copyTime.medianMicroseconds;
  double time = evaluation.time.medianMicroseconds;
  double overCopy = copy > 0 && time > 0 ? time / copy : 0;
  if (roofline <= 0 || overCopy <= 0)
    return std::max(roofline, overCopy);
  return std::min(roofline, overCopy);
}

bool isBetter(const Evaluation &a, const Evaluation &b) {
  if (a.evidence != b.evidence)
    return a.evidence > b.evidence;
  if (a.incumbentInterval.known())
    return a.incumbentInterval.low > 1;
  // Without a comparison side by side, the interval has to clear the other's
  // middle.
  bool noisy = a.speedupInterval.known() && b.speedupInterval.known() &&
               a.speedupInterval.low <= a.speedup;
  return a.speedup > b.speedup && (!noisy || a.speedupInterval.low > b.speedup);
}

std::map<std::string, double> measuredChanges(const Evaluation &after,
                                              const Evaluation &before) {
  std::map<std::string, double> result;
  if (!isComparable(after, before))
    return result;
  std::map<std::string, double> old = countersOf(before);
  for (const auto &[name, value] : countersOf(after))
    if (auto it = old.find(name);
        it != old.end() && it->second != 0 && std::isfinite(value / it->second))
      result[name] = value / it->second;
  return result;
}

const AttemptRecord &Tree::add(AttemptRecord record) {
  const AttemptRecord *parent = find(record.decision.parent);
  if (record.plan && parent && parent->plan)
    record.diff = unifiedDiff(withoutChoices(planFiles(*parent->plan)),
                              withoutChoices(planFiles(*record.plan)));
  const AttemptRecord *base = this->base(record.decision.parent);
  if (record.right()) {
    if (base) {
      record.measured = measuredChanges(record.evaluation, base->evaluation);
      if (isComparable(record.evaluation, base->evaluation) &&
          base->evaluation.speedup > 0)
        record.gain = record.evaluation.speedup / base->evaluation.speedup;
    } else {
      record.gain = record.evaluation.speedup;
    }
  }
  all.push_back(std::move(record));
  return all.back();
}

const AttemptRecord *Tree::base(int number) const {
  const AttemptRecord *record = find(number);
  while (record && !record->right())
    record = find(record->decision.parent);
  return record;
}

void Tree::promote(int number) {
  bestNumber = number;
  for (AttemptRecord &record : all)
    if (record.number == number)
      record.promoted = true;
}

const AttemptRecord *Tree::find(int number) const {
  for (const AttemptRecord &record : all)
    if (record.number == number)
      return &record;
  return nullptr;
}

std::vector<const AttemptRecord *> Tree::beam(int width) const {
  std::vector<const AttemptRecord *> right;
  for (const AttemptRecord &record : all)
    if (record.right() && record.plan)
      right.push_back(&record);
  std::ranges::stable_sort(right, [](const auto *a, const auto *b) {
    const Evaluation &x = a->evaluation, &y = b->evaluation;
    return x.evidence != y.evidence ? x.evidence > y.evidence
                                    : x.speedup > y.speedup;
  });
  if (right.size() > size_t(width))
    right.resize(size_t(width));
  return right;
}

std::vector<const AttemptRecord *>
Tree::chain(const AttemptRecord &failed) const {
  std::vector<const AttemptRecord *> links;
  for (const AttemptRecord *link = &failed; link && !link->right();
       link = find(link->decision.parent)) {
    links.push_back(link);
    if (link->decision.phase != Phase::Repair)
      break;
  }
  std::ranges::reverse(links);
  return links;
}

const AttemptRecord *Tree::repairOf(const AttemptRecord &record) const {
  const AttemptRecord *found = nullptr;
  for (const AttemptRecord &later : all)
    if (later.decision.phase == Phase::Repair &&
        later.decision.parent == record.number)
      found = &later;
  return found;
}

const AttemptRecord *Tree::lastOf(const std::string &method, int parent) const {
  const AttemptRecord *end = nullptr;
  for (const AttemptRecord &record : all)
    if (record.decision.parent == parent &&
        record.decision.phase == Phase::Optimise &&
        record.decision.method == method)
      end = &record;
  while (const AttemptRecord *later = end ? repairOf(*end) : nullptr)
    end = later;
  return end;
}

std::vector<std::string> Tree::fruitlessMethods(int parent) const {
  std::vector<std::string> methods;
  for (const AttemptRecord &record : all) {
    if (record.decision.parent != parent ||
        record.decision.phase != Phase::Optimise)
      continue;
    // The end of its chain of repairs counts.
    const AttemptRecord *end = &record;
    while (const AttemptRecord *later = repairOf(*end))
      end = later;
    if (!end->right() || end->gain <= 1)
      methods.push_back(record.decision.method);
  }
  return methods;
}

int Tree::sinceGain() const {
  int count = 0;
  for (const AttemptRecord &record : all)
    count = record.promoted ? 0 : count + 1;
  return count;
}

int Tree::count(Phase phase) const {
  return int(std::ranges::count_if(all, [phase](const AttemptRecord &record) {
    return record.decision.phase == phase;
  }));
}

Usage Tree::usage() const {
  Usage sum;
  for (const AttemptRecord &record : all)
    sum += record.usage;
  return sum;
}

} // namespace kclaw
