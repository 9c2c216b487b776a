//===- Accumulators.cpp ---------------------------------------------------===//
#include "Accumulators.h"
#include "../Exec/Fault.h"
#include "BlockChecks.h"

#include <algorithm>
#include <set>

namespace kclaw::sim {

namespace {

const AccumulatorUse &useOf(Warp &w, const Inst &i) {
  const Function &function = *w.split().function;
  return function.accumulatorUses.at(uint32_t(&i - function.code.data()));
}

bool overlap(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b) {
  auto x = a.begin(), y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (*x == *y)
      return true;
    ++(*x < *y ? x : y);
  }
  return false;
}

void runUse(Warp &w, const Inst &i) {
  const AccumulatorUse &use = useOf(w, i);
  if (BlockChecks *checks = w.block->checks)
    for (const auto &operation : checks->accumulators[w.index].operations)
      if (operation.function == w.split().function &&
          overlap(operation.use->registers, use.registers))
        fail(w, i, FaultKind::MissingWait, unsigned(__builtin_ctz(w.active)), 0,
             "uses an accumulator of a wgmma.mma_async that no "
             "wgmma.wait_group has waited for");
  use.handler(w, i);
}

void runMultiply(Warp &w, const Inst &i) {
  const AccumulatorUse &use = useOf(w, i);
  uint64_t before = w.warpgroupOperations;
  const Function *function = w.split().function;
  use.handler(w, i);
  BlockChecks *checks = w.block->checks;
  if (!checks || w.warpgroupOperations == before) // waits for lanes
    return;
  AccumulatorsInFlight &flight = checks->accumulators[w.index];
  flight.operations.push_back({function, &use, flight.committed});
}

void runCommit(Warp &w, const Inst &i) {
  useOf(w, i).handler(w, i);
  if (BlockChecks *checks = w.block->checks)
    ++checks->accumulators[w.index].committed;
}

/// imm: groups that may stay in flight.
void runWait(Warp &w, const Inst &i) {
  useOf(w, i).handler(w, i);
  BlockChecks *checks = w.block->checks;
  if (!checks || w.stop) // waits for others
    return;
  AccumulatorsInFlight &flight = checks->accumulators[w.index];
  std::erase_if(flight.operations, [&](const auto &operation) {
    return operation.group + uint64_t(i.imm) < flight.committed;
  });
}

struct Wrapper {
  std::string_view modifier;
  Handler handler;
};
constexpr Wrapper wrappers[] = {{"mma_async", runMultiply},
                                {"commit_group", runCommit},
                                {"wait_group", runWait},
                                {"fence", nullptr}};

} // namespace

void guardAccumulators(Function &function,
                       const std::vector<RegisterUse> &uses) {
  const auto &body = function.ast->body;
  std::map<std::string, uint32_t> accumulators;
  for (size_t k = 0; k < body.size(); ++k)
    if (body[k].opcode == "wgmma" && body[k].modifiers[0] == "mma_async")
      for (const std::string &name : uses[k].writes)
        accumulators.try_emplace(name, uint32_t(accumulators.size()));
  if (accumulators.empty())
    return;
  auto guard = [&](size_t k, Handler handler) {
    std::set<uint32_t> registers;
    for (const auto *names : {&uses[k].reads, &uses[k].writes})
      for (const std::string &name : *names)
        if (auto found = accumulators.find(name); found != accumulators.end())
          registers.insert(found->second);
    if (handler == runUse && registers.empty())
      return;
    function.accumulatorUses[uint32_t(k)] = {
        function.code[k].handler, {registers.begin(), registers.end()}};
    function.code[k].handler = handler;
  };
  for (size_t k = 0; k < body.size(); ++k) {
    if (body[k].opcode != "wgmma") {
      if (body[k].opcode != "mov")
        guard(k, runUse);
      continue;
    }
    for (const Wrapper &wrapper : wrappers)
      if (body[k].modifiers[0] == wrapper.modifier && wrapper.handler)
        guard(k, wrapper.handler);
  }
}

} // namespace kclaw::sim
