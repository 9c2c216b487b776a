//===- Program.cpp - A region as loads, maps and reductions ---------------===//
//
// Walks the op graph; each op is lowered by its row of the op table.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include "Lowering.h"
#include "Types.h"

#include <algorithm>

namespace kclaw::expert {
namespace {

bool isStatic(const GraphValue &value) {
  return std::ranges::all_of(value.shape, [](int64_t d) { return d >= 0; });
}

std::vector<std::string> namesOf(const TensorSpec &tensor) {
  std::vector<std::string> names;
  for (const Dim &dim : tensor.dims)
    names.push_back(dim.name);
  return names;
}

/// Results have the sizes that their names say: where an argument has the name
/// too, that is a requirement, and else the sizes must follow from arguments'.
void tieResults(const KernelSpec &spec, Program &program) {
  std::set<std::string> known;
  for (const TensorSpec &tensor : spec.arguments)
    for (const Dim &dim : tensor.dims)
      known.insert(dim.name);
  for (const Output &output : program.outputs) {
    const TensorSpec &tensor = spec.results[size_t(output.result)];
    const Dims &dims = program.nodes[size_t(output.node)].dims;
    for (size_t i = 0; i < tensor.dims.size(); ++i) {
      Extent extent = program.atoms.extent(program.atoms.resolve(dims[i]));
      const std::string &name = tensor.dims[i].name;
      if (extent.text == name || (!extent.named && extent.value == 1))
        continue;
      if (known.contains(name))
        program.atoms.require(extent.factor() + " == " + name);
      else
        program.resizable &= extent.named;
    }
  }
}

} // namespace

Expected<Program> lowerGraph(const KernelSpec &spec, const OpTable &table) {
  const OpGraph &graph = spec.graph;
  Program program;
  std::map<int, int> nodeOf;
  auto refuse = [](const std::string &why) {
    return makeError(Error::Code::Invalid, why);
  };
  for (const GraphValue &value : graph.values)
    if (!isStatic(value))
      return refuse("dynamic sizes: skeletons need every size");
  for (const auto *border : {&graph.arguments, &graph.results})
    for (int id : *border)
      if (std::ranges::find(graph.values[id].shape, 0) !=
          graph.values[id].shape.end())
        return refuse("a tensor without elements");
  for (size_t i = 0; i < graph.arguments.size(); ++i) {
    const GraphValue &value = graph.values[graph.arguments[i]];
    Node node{Node::Kind::Load,
              registerType(value.dtype),
              "",
              {},
              program.atoms.shape(value.shape, namesOf(spec.arguments[i])),
              int(i)};
    program.nodes.push_back(node);
    nodeOf[graph.arguments[i]] = int(program.nodes.size()) - 1;
  }
  for (const GraphOp &op : graph.ops) {
    if (op.results.empty())
      continue;
    auto row = table.find(op.name);
    if (row == table.end())
      return refuse("'" + op.name + "' has no row in skeletons/ops");
    OpLowering lowering(graph, op, row->second, program, nodeOf);
    if (std::string why = lowering.run(); !why.empty())
      return refuse("'" + op.name + "' " + why);
  }
  for (size_t i = 0; i < graph.results.size(); ++i) {
    auto node = nodeOf.find(graph.results[i]);
    if (node == nodeOf.end())
      return refuse("result " + std::to_string(i) + " is computed by no op");
    program.outputs.push_back({node->second, int(i)});
  }
  tieResults(spec, program);
  return program;
}

} // namespace kclaw::expert
