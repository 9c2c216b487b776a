//===- CriticalPath.cpp ---------------------------------------------------===//
#include "CriticalPath.h"
#include "Ranks.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

/// Cycles until a result can be used, sm_90; published microbenchmarks agree
/// within a few cycles. Moves mostly vanish in machine code.
constexpr uint32_t latencies[] = {
    /*Integer*/ 4,  /*Float16*/ 4,   /*Float32*/ 4, /*Float64*/ 8,
    /*Special*/ 18, /*Convert*/ 8,   /*Move*/ 1,    /*Load*/ 23,
    /*Store*/ 1,    /*Atomic*/ 23,   /*Warp*/ 23,   /*Barrier*/ 24,
    /*Tensor*/ 33,  /*AsyncCopy*/ 4, /*Control*/ 4,
};
static_assert(std::size(latencies) == size_t(InstClass::Count));

struct Chain {
  uint32_t loads = 0, cycles = 0;
  friend bool operator<(const Chain &a, const Chain &b) {
    return pathLength(a.loads, a.cycles) < pathLength(b.loads, b.cycles);
  }
};

bool has(const ptx::Instruction &ast, std::string_view modifier) {
  return std::ranges::find(ast.modifiers, modifier) != ast.modifiers.end();
}

bool fromGlobal(const ptx::Instruction &ast) {
  if (ast.opcode == "atom")
    return !has(ast, "shared") && !has(ast, "shared::cta");
  if (ast.opcode != "ld" && ast.opcode != "ldu")
    return false;
  for (const char *space : {"shared", "shared::cta", "shared::cluster", "param",
                            "param::entry", "param::func", "const", "local"})
    if (has(ast, space))
      return false;
  return true;
}

bool isFree(const ptx::Instruction &ast) { // constants of the launch
  return ast.opcode == "ld" && (has(ast, "param") || has(ast, "const"));
}

/// Waits of cp.async and mbarriers: for copies from global memory.
bool waitsForCopies(const ptx::Instruction &ast) {
  return (ast.opcode == "cp" &&
          (has(ast, "wait_group") || has(ast, "wait_all"))) ||
         (ast.opcode == "mbarrier" && has(ast, "try_wait"));
}

bool isFence(InstClass kind) {
  return kind == InstClass::Store || kind == InstClass::Atomic ||
         kind == InstClass::Barrier;
}

} // namespace

std::vector<PathCost> criticalPaths(Function &function,
                                    const std::vector<RegisterUse> &uses) {
  std::vector<PathCost> costs(function.code.size());
  const auto &body = function.ast->body;
  for (const BasicBlock &block : basicBlocks(function)) {
    std::map<std::string_view, Chain> ready; // when a register's value is there
    Chain longest, fence;
    for (uint32_t i = block.begin; i < block.end && i < body.size(); ++i) {
      const ptx::Instruction &ast = body[i];
      InstClass kind = function.code[i].kind;
      Chain start;
      for (const std::string &name : uses[i].reads)
        if (auto found = ready.find(name); found != ready.end())
          start = std::max(start, found->second);
      if (kind == InstClass::Load || isFence(kind))
        start = std::max(start, fence);
      if (isFence(kind))
        fence = start;
      if (fromGlobal(ast))
        ++start.loads;
      else if (!isFree(ast))
        start.cycles += latencies[size_t(kind)];
      if (waitsForCopies(ast))
        fence = start = std::max({longest, start, Chain{fence.loads + 1, 0}});
      // What nothing of the block waits for ends after it: only loads and
      // atomics whose value the next blocks want are waited for there.
      if (!uses[i].writes.empty() || isFence(kind))
        longest = std::max(longest, start);
      for (const std::string &name : uses[i].writes)
        ready[name] = start;
    }
    uint32_t instructions = block.end - block.begin;
    auto fit = [](uint32_t x) { return uint16_t(std::min(x, 0xffffu)); };
    costs[block.begin] = {fit(longest.loads),
                          fit(std::max(longest.cycles, instructions))};
  }
  return costs;
}

} // namespace kclaw::sim
