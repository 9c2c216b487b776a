//===- Schedule.cpp - Rows, columns and phases of a program ---------------===//
//
// Decides once what every skeleton shares; skeletons choose only how threads
// walk the rows and columns.
//
//===----------------------------------------------------------------------===//
#include "Schedule.h"

#include <algorithm>
#include <set>

namespace kclaw::expert {
namespace {

class Scheduler {
public:
  Scheduler(const Program &program, const KernelSpec &spec)
      : program(program), spec(spec) {
    schedule.nodes.resize(program.nodes.size());
  }

  Expected<Schedule> run() {
    for (const Output &output : program.outputs)
      need(output.node);
    for (std::string why : {findColumns(), checkDiagonals()})
      if (!why.empty())
        return makeError(Error::Code::Invalid, why);
    orderAxes();
    findLevels();
    findPhases();
    measure();
    return schedule;
  }

private:
  using Kind = Node::Kind;

  void need(int node) {
    if (schedule.nodes[node].needed)
      return;
    schedule.nodes[node].needed = true;
    for (int input : program.nodes[node].inputs)
      need(input);
  }

  std::string findColumns() {
    bool first = true;
    for (size_t i = 0; i < program.nodes.size(); ++i) {
      const Node &node = program.nodes[i];
      if (node.kind != Kind::Reduce || !schedule.nodes[i].needed)
        continue;
      AtomList atoms = program.atoms.resolve(node.over);
      std::set<int> over(atoms.begin(), atoms.end());
      if (!first && over != reduced)
        return "reductions run over different dimensions";
      reduced = over;
      first = false;
    }
    return "";
  }

  std::string checkDiagonals() {
    for (size_t i = 0; i < program.nodes.size(); ++i) {
      AtomList atoms = program.atoms.flatten(program.nodes[i].dims);
      std::set<int> once(atoms.begin(), atoms.end());
      if (schedule.nodes[i].needed && once.size() != atoms.size())
        return "a tensor meets its own transpose";
    }
    return "";
  }

  /// Axes in the order of the largest tensor; others insert what it lacks.
  void orderAxes() {
    std::vector<AtomList> tensors;
    for (size_t i = 0; i < program.nodes.size(); ++i)
      if (schedule.nodes[i].needed && program.nodes[i].kind != Kind::Literal)
        if (program.nodes[i].kind == Kind::Load)
          tensors.push_back(program.atoms.flatten(program.nodes[i].dims));
    for (const Output &output : program.outputs)
      tensors.push_back(program.atoms.flatten(program.nodes[output.node].dims));
    for (size_t i = 0; i < program.nodes.size(); ++i)
      if (schedule.nodes[i].needed)
        tensors.push_back(program.atoms.flatten(program.nodes[i].dims));
    std::ranges::stable_sort(
        tensors, std::ranges::greater(),
        [&](const AtomList &list) { return program.atoms.size(list); });
    AtomList order;
    for (const AtomList &tensor : tensors)
      for (size_t i = tensor.size(); i-- > 0;) {
        if (std::ranges::find(order, tensor[i]) != order.end())
          continue;
        auto before = i + 1 < tensor.size()
                          ? std::ranges::find(order, tensor[i + 1])
                          : order.end();
        order.insert(before, tensor[i]);
      }
    for (int atom : order)
      (reduced.empty() || reduced.contains(atom) ? schedule.columns
                                                 : schedule.rows)
          .push_back(atom);
    if (!reduced.empty() && !order.empty() && !reduced.contains(order.back()))
      schedule.layout = Layout::Column;
  }

  void findLevels() {
    for (size_t i = 0; i < program.nodes.size(); ++i) {
      const Node &node = program.nodes[i];
      NodePlan &plan = schedule.nodes[i];
      for (int atom : program.atoms.flatten(node.dims))
        plan.full |=
            std::ranges::find(schedule.columns, atom) != schedule.columns.end();
      for (int input : node.inputs)
        plan.level = std::max(plan.level, schedule.nodes[input].level +
                                              (node.kind == Kind::Reduce));
      if (plan.needed)
        schedule.phases = std::max(schedule.phases, plan.level + 1);
    }
  }

  /// Full values are computed where they are first used.
  void findPhases() {
    for (NodePlan &plan : schedule.nodes)
      plan.phase = schedule.phases;
    auto use = [&](int node, int phase) {
      NodePlan &plan = schedule.nodes[node];
      plan.phase = std::min(plan.phase, phase);
      plan.last = std::max(plan.last, phase);
    };
    for (const Output &output : program.outputs)
      use(output.node, schedule.nodes[output.node].level);
    for (size_t i = program.nodes.size(); i-- > 0;) {
      const Node &node = program.nodes[i];
      if (!schedule.nodes[i].needed)
        continue;
      for (int input : node.inputs)
        use(input, node.kind == Kind::Reduce ? schedule.nodes[input].level
                                             : schedule.nodes[i].phase);
      schedule.nodes[i].kept = schedule.nodes[i].last > schedule.nodes[i].phase;
    }
  }

  void measure() {
    schedule.rowCount = program.atoms.size(schedule.rows);
    schedule.columnCount = program.atoms.size(schedule.columns);
    for (const Output &output : program.outputs)
      schedule.fullResults |= schedule.nodes[output.node].full;
    for (int phase = 0; phase + 1 < schedule.phases; ++phase)
      schedule.live = std::max(schedule.live, (keptAfter(phase) + 3) / 4);
  }

  /// Bytes of registers an element holds between `phase` and the next.
  int keptAfter(int phase) const {
    int bytes = 0;
    for (size_t i = 0; i < program.nodes.size(); ++i) {
      const NodePlan &plan = schedule.nodes[i];
      const Node &node = program.nodes[i];
      if (!plan.needed || !plan.full || plan.phase > phase ||
          plan.last <= phase)
        continue;
      bool wide = node.type == "double" || node.type == "llong";
      bytes += node.kind == Kind::Load
                   ? info(spec.arguments[node.argument].dtype).sizeBytes
                   : (wide ? 8 : 4);
    }
    return bytes;
  }

  const Program &program;
  const KernelSpec &spec;
  Schedule schedule;
  std::set<int> reduced;
};

} // namespace

Expected<Schedule> scheduleProgram(const Program &program,
                                   const KernelSpec &spec) {
  if (int product = findProduct(program); product >= 0)
    return scheduleProduct(program, product);
  return Scheduler(program, spec).run();
}

} // namespace kclaw::expert
