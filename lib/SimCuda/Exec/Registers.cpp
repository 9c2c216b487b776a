//===- Registers.cpp - Liveness, then a linear scan over intervals --------===//
#include "Registers.h"
#include "Ranks.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace kclaw::sim {

namespace {

/// A set of registers.
class Bits {
public:
  explicit Bits(size_t count = 0) : words((count + 63) / 64) {}
  bool operator[](size_t i) const { return (words[i / 64] >> (i % 64)) & 1; }
  void set(size_t i) { words[i / 64] |= uint64_t(1) << (i % 64); }
  void add(const Bits &other) {
    for (size_t i = 0; i < words.size(); ++i)
      words[i] |= other.words[i];
  }
  void addWithout(const Bits &other, const Bits &without) {
    for (size_t i = 0; i < words.size(); ++i)
      words[i] |= other.words[i] & ~without.words[i];
  }
  bool operator==(const Bits &) const = default;

private:
  std::vector<uint64_t> words;
};

struct Interval {
  uint32_t begin = ~0u, end = 0; ///< instructions, both included
  void include(uint32_t at) {
    begin = std::min(begin, at);
    end = std::max(end, at);
  }
};

class Planner {
public:
  Planner(Function &function, const std::vector<RegisterUse> &uses)
      : function(function), uses(uses), blocks(basicBlocks(function)) {
    for (const auto &[name, type] : function.ast->registers) {
      number.emplace(name, uint32_t(names.size()));
      names.push_back(&name);
      width.push_back(FrameLayout::widthClass(type));
    }
  }

  RegisterPlan run() {
    findLive();
    findIntervals();
    return assign();
  }

private:
  void findLive();
  void findIntervals();
  RegisterPlan assign() const;

  Function &function;
  const std::vector<RegisterUse> &uses;
  std::vector<BasicBlock> blocks;
  std::map<std::string_view, uint32_t> number;
  std::vector<const std::string *> names;
  std::vector<unsigned> width;
  std::vector<Bits> liveIn, liveOut;
  std::vector<Interval> intervals;
};

void Planner::findLive() {
  const size_t count = names.size();
  std::vector<Bits> read(blocks.size(), Bits(count)), // before any write
      written = read;
  for (size_t b = 0; b < blocks.size(); ++b)
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      for (const std::string &name : uses[i].reads)
        if (uint32_t r = number.at(name); !written[b][r])
          read[b].set(r);
      if (function.code[i].guard == noRef) // else the old value may survive
        for (const std::string &name : uses[i].writes)
          written[b].set(number.at(name));
      else
        for (const std::string &name : uses[i].writes)
          if (uint32_t r = number.at(name); !written[b][r])
            read[b].set(r);
    }
  liveIn = read;
  liveOut.assign(blocks.size(), Bits(count));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks.size(); b-- > 0;) {
      Bits out(count);
      for (uint32_t successor : blocks[b].successors)
        out.add(liveIn[successor]);
      if (out == liveOut[b])
        continue;
      changed = true;
      liveIn[b].addWithout(out, written[b]);
      liveOut[b] = std::move(out);
    }
  }
}

void Planner::findIntervals() {
  intervals.resize(names.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (size_t r = 0; r < names.size(); ++r) {
      if (liveIn[b][r])
        intervals[r].include(blocks[b].begin);
      if (liveOut[b][r])
        intervals[r].include(blocks[b].end - 1);
    }
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      for (const std::string &name : uses[i].reads)
        intervals[number.at(name)].include(i);
      for (const std::string &name : uses[i].writes)
        intervals[number.at(name)].include(i);
    }
  }
}

RegisterPlan Planner::assign() const {
  std::vector<uint32_t> order;
  for (uint32_t r = 0; r < names.size(); ++r)
    order.push_back(r);
  std::ranges::sort(order, {}, [&](uint32_t r) { return intervals[r].begin; });
  using Ending = std::pair<uint32_t, uint32_t>; ///< end, column
  std::array<std::priority_queue<Ending, std::vector<Ending>, std::greater<>>,
             5>
      busy;
  std::array<std::vector<uint32_t>, 5> free;
  RegisterPlan plan;
  for (uint32_t r : order) {
    const Interval &interval = intervals[r];
    unsigned c = width[r];
    if (interval.begin == ~0u) { // declared only
      plan.index[*names[r]] = 0;
      continue;
    }
    while (!busy[c].empty() && busy[c].top().first < interval.begin) {
      free[c].push_back(busy[c].top().second);
      busy[c].pop();
    }
    uint32_t column;
    if (free[c].empty()) {
      column = plan.counts[c]++;
    } else { // the one that was in use last is in the cache
      column = free[c].back();
      free[c].pop_back();
    }
    busy[c].emplace(interval.end, column);
    plan.index[*names[r]] = column;
  }
  return plan;
}

} // namespace

RegisterPlan planRegisters(Function &function,
                           const std::vector<RegisterUse> &uses) {
  return Planner(function, uses).run();
}

} // namespace kclaw::sim
