//===- PerturbedReference.cpp - Right answers near a threshold ------------===//
#include "PerturbedReference.h"

#include <algorithm>

namespace kclaw {

/// Pairs of opposite directions. One covers an element of one input for sure;
/// where many inputs add up, a shift below the candidate's own error (a few per
/// cent of them) is missed by each.
constexpr uint64_t perturbations = 8;

bool isDoubtful(const Comparison &found, const ResultClass &what,
                double bound) {
  if (!what.jumps || found.count == 0 || found.unwritten)
    return false;
  if (what.kind != ResultKind::Float) {
    uint64_t differ = found.mismatches + found.badIndices;
    return differ > 0 && differ <= found.count / 8 + 1;
  }
  return found.wrongElements() == 0 && !found.within(bound) &&
         found.beyond <= found.count / 8 + 1;
}

/// True while some are neither right nor given up.
static Run<bool> compareAgain(Workload &load, std::vector<Doubt> &doubts) {
  bool left = false;
  for (Doubt &doubt : doubts) {
    doubt.compared.excused = doubt.marks.get();
    Run<Comparison> found = compare(load, doubt.compared);
    if (!found)
      return std::unexpected(found.error());
    *doubt.found = *found;
    left |= !found->within(doubt.compared.bound);
  }
  return left;
}

static Run<void> markWith(Workload &load, std::vector<Doubt> &doubts) {
  for (Doubt &doubt : doubts)
    KCLAW_TRY(excuse(load, doubt.compared,
                     load.reference().results[doubt.compared.result].pointer(),
                     doubt.marks.get()));
  return {};
}

static Run<void> prepare(Workload &load, std::vector<Doubt> &doubts) {
  for (Doubt &doubt : doubts) {
    const ProblemTensor &tensor = load.problem->results[doubt.compared.result];
    auto marks = allocate(load.session->api, tensor.count);
    if (!marks)
      return failRun(Outcome::Rejected, "memory",
                     "not judged: " + marks.error().message);
    doubt.marks = std::move(*marks);
    KCLAW_TRY(load.session->fill(doubt.marks.get(), tensor.count, 0));
    if (!isFloat(tensor.dtype))
      KCLAW_TRY(excuse(load, doubt.compared,
                       load.stock().results[doubt.compared.result].pointer(),
                       doubt.marks.get()));
  }
  return {};
}

Run<void> resolveDoubts(Workload &load, std::vector<Doubt> &doubts,
                        uint8_t poisonByte) {
  if (doubts.empty())
    return {};
  KCLAW_TRY(prepare(load, doubts));
  const Draw drawn = load.drawn();
  Draw moved = drawn;
  for (const Doubt &doubt : doubts)
    moved.epsilon = std::max(moved.epsilon, doubt.epsilon);
  for (uint64_t i = 0; i < perturbations; i += 2) {
    for (uint64_t direction : {i, i + 1}) {
      moved.perturbation = 2 + direction;
      KCLAW_TRY(load.draw(moved));
      KCLAW_TRY(load.computeResults(load.reference(), poisonByte));
      KCLAW_TRY(markWith(load, doubts));
    }
    // What differs is compared with the reference of the data as drawn.
    KCLAW_TRY(load.draw(drawn));
    KCLAW_TRY(load.computeResults(load.reference(), poisonByte));
    Run<bool> left = compareAgain(load, doubts);
    if (!left)
      return std::unexpected(left.error());
    if (!*left)
      break;
  }
  return {};
}

} // namespace kclaw
