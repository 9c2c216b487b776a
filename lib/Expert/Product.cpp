//===- Product.cpp - The axes of a contraction and what follows it --------===//
//
// Atoms that only the first operand has are M, those of the second N, those of
// both batch. All values behind the contraction are pointwise.
//
//===----------------------------------------------------------------------===//
#include "Schedule.h"

#include <set>

namespace kclaw::expert {
namespace {

std::set<int> atomsOf(const Program &program, const Dims &dims) {
  AtomList list = program.atoms.flatten(dims);
  return {list.begin(), list.end()};
}

/// What results need, not through the contraction.
std::vector<bool> neededNodes(const Program &program) {
  std::vector<bool> needed(program.nodes.size(), false);
  for (const Output &output : program.outputs)
    needed[size_t(output.node)] = true;
  for (size_t i = program.nodes.size(); i-- > 0;)
    if (needed[i] && program.nodes[i].kind != Node::Kind::Dot)
      for (int input : program.nodes[i].inputs)
        needed[size_t(input)] = true;
  return needed;
}

std::string findAxes(const Program &program, Schedule &schedule) {
  const Node &dot = program.nodes[size_t(schedule.product)];
  std::set<int> first =
      atomsOf(program, program.nodes[size_t(dot.inputs[0])].dims);
  std::set<int> second =
      atomsOf(program, program.nodes[size_t(dot.inputs[1])].dims);
  schedule.depth = program.atoms.resolve(dot.over);
  AtomList inner;
  for (int atom : program.atoms.flatten(dot.dims)) {
    bool both = first.contains(atom) && second.contains(atom);
    // What neither has is expanded, and computed again like any row.
    (both                    ? schedule.batch
     : second.contains(atom) ? schedule.columns
                             : inner)
        .push_back(atom);
  }
  schedule.rows = schedule.batch;
  schedule.rows.insert(schedule.rows.end(), inner.begin(), inner.end());
  schedule.rowCount = program.atoms.size(schedule.rows);
  schedule.columnCount = program.atoms.size(schedule.columns);
  return schedule.columnCount == 1 ? "contracts with a vector" : "";
}

std::string checkNode(const Program &program, const Schedule &schedule,
                      int index) {
  const Node &node = program.nodes[size_t(index)];
  if (node.kind == Node::Kind::Reduce || node.kind == Node::Kind::Index)
    return "a reduction in a region with a contraction";
  if (node.kind == Node::Kind::Dot && index != schedule.product)
    return "two contractions";
  AtomList atoms = program.atoms.flatten(node.dims);
  if (atomsOf(program, node.dims).size() != atoms.size())
    return "a tensor meets its own transpose";
  bool inside = std::ranges::all_of(atoms, [&](int atom) {
    return contains(schedule.rows, atom) || contains(schedule.columns, atom);
  });
  return inside ? "" : "a value beside the contraction has further dimensions";
}

} // namespace

int findProduct(const Program &program) {
  std::vector<bool> needed = neededNodes(program);
  for (size_t i = 0; i < program.nodes.size(); ++i)
    if (needed[i] && program.nodes[i].kind == Node::Kind::Dot)
      return int(i);
  return -1;
}

Expected<Schedule> scheduleProduct(const Program &program, int product) {
  auto refuse = [](const std::string &why) {
    return makeError(Error::Code::Invalid, why);
  };
  Schedule schedule;
  schedule.layout = Layout::Product;
  schedule.product = product;
  schedule.nodes.resize(program.nodes.size());
  schedule.fullResults = true;
  if (std::string why = findAxes(program, schedule); !why.empty())
    return refuse(why);
  std::vector<bool> needed = neededNodes(program);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i])
      continue;
    if (std::string why = checkNode(program, schedule, int(i)); !why.empty())
      return refuse(why);
    schedule.nodes[i].needed = true;
    for (int atom : program.atoms.flatten(program.nodes[i].dims))
      schedule.nodes[i].full |= contains(schedule.columns, atom);
  }
  for (const Output &output : program.outputs)
    if (!schedule.nodes[size_t(output.node)].full)
      return refuse("a result beside the contraction has no column");
  return schedule;
}

} // namespace kclaw::expert
