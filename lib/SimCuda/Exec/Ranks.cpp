//===- Ranks.cpp ----------------------------------------------------------===//
//
// Depth-first search over basic blocks that visits, of a branch's successors,
// the one with the higher text position first: compilers put a loop's body
// before its exit, so the exit finishes first and gets the higher rank.
//
//===----------------------------------------------------------------------===//
#include "Ranks.h"

#include <algorithm>
#include <functional>

namespace kclaw::sim {

namespace {

bool endsBlock(const ptx::Instruction &ast) {
  return ast.opcode == "bra" || ast.opcode == "brx" || ast.opcode == "ret" ||
         ast.opcode == "exit" || ast.opcode == "trap";
}

} // namespace

std::vector<BasicBlock> basicBlocks(Function &function) {
  const ptx::Function &ast = *function.ast;
  auto count = uint32_t(function.code.size());
  for (uint32_t i = 0; i < ast.body.size(); ++i)
    if (endsBlock(ast.body[i]))
      function.code[i + 1].startsBlock = true;
  function.code[0].startsBlock = true;

  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> blockOf(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (function.code[i].startsBlock)
      blocks.push_back({i, i, {}});
    blocks.back().end = i + 1;
    blockOf[i] = uint32_t(blocks.size()) - 1;
  }
  for (BasicBlock &block : blocks) {
    uint32_t last = block.end - 1;
    const ptx::Instruction *end =
        last < ast.body.size() ? &ast.body[last] : nullptr;
    bool falls = !end || !endsBlock(*end) || !end->guard.empty();
    if (falls && block.end < count)
      block.successors.push_back(blockOf[block.end]);
    if (end && end->opcode == "bra")
      block.successors.push_back(blockOf[ast.labels.at(end->operands[0].name)]);
    if (end && end->opcode == "brx")
      for (const std::string &label : ast.targetLists.at(end->operands[1].name))
        block.successors.push_back(blockOf[ast.labels.at(label)]);
    std::ranges::sort(block.successors, std::greater{});
  }
  return blocks;
}

std::vector<uint32_t> rankBlocks(Function &function) {
  const std::vector<BasicBlock> blocks = basicBlocks(function);
  std::vector<uint32_t> order; // post-order
  std::vector<uint8_t> seen(blocks.size());
  std::vector<std::pair<uint32_t, size_t>> stack;
  for (uint32_t root = 0; root < blocks.size(); ++root) {
    if (seen[root])
      continue;
    seen[root] = 1;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == blocks[block].successors.size()) {
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      uint32_t to = blocks[block].successors[next++];
      if (!seen[to]) {
        seen[to] = 1;
        stack.emplace_back(to, 0);
      }
    }
  }
  std::vector<uint32_t> rankOf(blocks.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    rankOf[order[i]] = uint32_t(order.size()) - i;
  std::vector<uint32_t> rank(function.code.size());
  for (size_t b = 0; b < blocks.size(); ++b)
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i)
      rank[i] = rankOf[b];
  return rank;
}

} // namespace kclaw::sim
