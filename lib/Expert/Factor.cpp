//===- Factor.cpp - An operand of a contraction, as it is read ------------===//
#include "Factor.h"

#include "Types.h"

namespace kclaw::expert {
namespace {

/// Atoms of the operand's rows that are not of the batch.
AtomList ownRows(const Schedule &schedule, size_t operand) {
  if (operand == 1)
    return schedule.columns;
  return {schedule.rows.begin() + std::ptrdiff_t(schedule.batch.size()),
          schedule.rows.end()};
}

} // namespace

Factor factorOf(const KernelSpec &spec, const Program &program,
                const Schedule &schedule, size_t operand) {
  const AtomSpace &atoms = program.atoms;
  const Node &dot = program.nodes[size_t(schedule.product)];
  const Node &load = program.nodes[size_t(dot.inputs[operand])];
  const TensorSpec &tensor = spec.arguments[size_t(load.argument)];
  AtomList own = ownRows(schedule, operand), all = atoms.flatten(load.dims);
  Schedule axes;
  axes.rows = schedule.batch;
  axes.rows.insert(axes.rows.end(), own.begin(), own.end());
  axes.columns = schedule.depth;
  Factor factor;
  factor.argument = load.argument;
  factor.type = tensor.dtype;
  factor.elements = atoms.size(all);
  factor.size = atoms.extent(own);
  factor.depthwise = all.empty() || contains(schedule.depth, all.back());
  axes.layout = factor.depthwise ? Layout::Row : Layout::Column;
  Access access(atoms, axes, load.dims);
  int bytes = info(tensor.dtype).sizeBytes;
  // A packet along the rows stays in one batch.
  Extent along = factor.depthwise ? atoms.extent(schedule.depth) : factor.size;
  for (int width = 16 / bytes; width > 1 && factor.width == 1; width /= 2)
    if (access.pack(width, false) == PackKind::Vector &&
        along.value % width == 0 &&
        tensor.alignmentBytes % (width * bytes) == 0)
      factor.width = width;
  for (const std::string &text : access.packRequirements(factor.width, false))
    factor.requirements.insert(text);
  if (factor.width > 1 && along.named)
    factor.requirements.insert(along.factor() + " % " +
                               std::to_string(factor.width) + " == 0");
  factor.row = access.rowOffset("row");
  factor.depth = access.columnOffset("k");
  return factor;
}

std::string factorText(const Factor &factor, const std::string &name) {
  return "struct " + name +
         " {\n  using Element = " + elementType(factor.type) +
         ";\n  static constexpr bool depthwise = " +
         (factor.depthwise ? "true" : "false") +
         ";\n  static constexpr int width = " + std::to_string(factor.width) +
         ";\n  static idx_t row(idx_t row) { return " + factor.row +
         "; }\n  static idx_t depth(idx_t k) { return " + factor.depth +
         "; }\n};\n";
}

} // namespace kclaw::expert
