//===- TensorWaits.cpp - Results of wgmma read before their wait ----------===//
#include "TensorWaits.h"
#include "Block.h"
#include "Fault.h"
#include "Ranks.h"

#include <algorithm>
#include <optional>

namespace kclaw::sim {

namespace {

/// Registers in flight, and the groups committed since: 0 is not committed.
using InFlight = std::map<std::string_view, unsigned>;
constexpr unsigned oldest = 64;

/// What is in flight on both paths.
InFlight both(const InFlight &a, const InFlight &b) {
  InFlight joined;
  for (const auto &[name, age] : a)
    if (auto other = b.find(name); other != b.end())
      joined[name] = std::max(age, other->second);
  return joined;
}

void runTensor(InFlight &state, const ptx::Instruction &ast) {
  const std::string &step = ast.modifiers.front();
  if (step == "mma_async" && ast.guard.empty()) {
    for (const ptx::Operand &result : ast.operands[0].elements)
      state[result.name] = 0;
  } else if (step == "commit_group") {
    for (auto &[name, age] : state)
      age = std::min(age + 1, oldest);
  } else if (step == "wait_group") {
    std::erase_if(state, [&](const auto &entry) {
      return entry.second > ast.operands[0].bits;
    });
  }
}

/// Returns whether the instruction reads too early.
bool runOther(InFlight &state, const ptx::Instruction &ast,
              const RegisterUse &use) {
  if (ast.opcode == "call") { // it may wait
    state.clear();
    return false;
  }
  std::optional<unsigned> age;
  for (const std::string &name : use.reads)
    if (auto found = state.find(name); found != state.end())
      age = std::max(age.value_or(0), found->second);
  bool copies = ast.opcode == "mov" && ast.guard.empty();
  for (const std::string &name : use.writes)
    if (copies && age)
      state[name] = *age;
    else
      state.erase(name);
  return age && ast.opcode != "mov";
}

/// Calls found(instruction) for each early read of the block.
template <class F>
void runBlock(InFlight &state, const BasicBlock &block,
              const Function &function, const std::vector<RegisterUse> &uses,
              F &&found) {
  const std::vector<ptx::Instruction> &body = function.ast->body;
  uint32_t end = std::min(block.end, uint32_t(body.size()));
  for (uint32_t i = block.begin; i < end; ++i)
    if (body[i].opcode == "wgmma")
      runTensor(state, body[i]);
    else if (runOther(state, body[i], uses[i]))
      found(i);
}

void runEarlyRead(Warp &w, const Inst &i) {
  if (w.block->checks)
    fail(w, i, FaultKind::MissingWait, unsigned(__builtin_ctz(w.active)), 0,
         "reads a result of wgmma.mma_async that no wgmma.wait_group has "
         "waited for");
  w.split().function->unchecked.at(i.source)(w, i);
}

} // namespace

std::vector<uint32_t> earlyReads(Function &function,
                                 const std::vector<RegisterUse> &uses) {
  std::vector<uint32_t> found;
  const std::vector<ptx::Instruction> &body = function.ast->body;
  if (std::ranges::find(body, "wgmma", &ptx::Instruction::opcode) == body.end())
    return found;
  std::vector<BasicBlock> blocks = basicBlocks(function);
  std::vector<std::optional<InFlight>> before(blocks.size());
  before[0].emplace();
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (!before[b])
        continue;
      InFlight state = *before[b];
      runBlock(state, blocks[b], function, uses, [](uint32_t) {});
      for (uint32_t successor : blocks[b].successors) {
        std::optional<InFlight> &known = before[successor];
        InFlight joined = known ? both(*known, state) : state;
        changed |= !known || joined != *known;
        known = std::move(joined);
      }
    }
  }
  for (size_t b = 0; b < blocks.size(); ++b)
    if (before[b])
      runBlock(*before[b], blocks[b], function, uses,
               [&](uint32_t i) { found.push_back(i); });
  return found;
}

void reportEarlyReads(Function &function, const std::vector<uint32_t> &reads) {
  for (uint32_t i : reads) {
    function.unchecked[function.code[i].source] = function.code[i].handler;
    function.code[i].handler = runEarlyRead;
  }
}

} // namespace kclaw::sim
