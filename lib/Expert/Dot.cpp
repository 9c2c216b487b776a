//===- Dot.cpp - A contraction of two arguments into a node ---------------===//
//
// Each operand becomes a load of its own, with fresh atoms: a residual
// connection may make the columns of an argument those of the result, while
// the contraction sums over them.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include <algorithm>

namespace kclaw::expert {
namespace {

bool isView(const Node &node) {
  return node.kind == Node::Kind::Map && node.text == "{0}";
}

} // namespace

/// A new load of the argument that `node` is a view of, and the view's
/// dimensions in its atoms; -1 when it is computed.
int OpLowering::factor(int node, Dims &dims) {
  int load = node;
  while (isView(program.nodes[load]))
    load = program.nodes[load].inputs[0];
  if (program.nodes[load].kind != Node::Kind::Load)
    return -1;
  std::map<int, AtomList> fresh;
  auto renew = [&](const Dims &old) {
    Dims result;
    for (const AtomList &dim : old) {
      AtomList list;
      for (int atom : program.atoms.resolve(dim)) {
        if (!fresh.contains(atom)) {
          Extent size = program.atoms.extent(atom);
          fresh[atom] =
              program.atoms.dimension(size.value, size.named ? size.text : "");
        }
        list.insert(list.end(), fresh[atom].begin(), fresh[atom].end());
      }
      result.push_back(list);
    }
    return result;
  };
  Node copy = program.nodes[load];
  copy.dims = renew(copy.dims);
  dims = renew(program.nodes[node].dims);
  return add(copy);
}

std::string OpLowering::lowerDot(const Statement &statement) {
  if (compute != "float")
    return "is a contraction of neither f32 nor 16-bit floats";
  Node node{Node::Kind::Dot, compute, "", {}, {}};
  Dims batches[2];
  AtomList kept[2], summed[2];
  std::optional<DType> type;
  std::vector<std::string> names = bracedNames(statement.text);
  for (size_t i = 0; i < 2; ++i) {
    auto variable = variables.find(names[i]);
    Dims dims;
    int load =
        variable == variables.end() ? -1 : factor(variable->second, dims);
    if (load < 0)
      return "contracts '" + names[i] + "', which is no argument or its view";
    if (dims.size() < 2)
      return "contracts a vector";
    int argument = program.nodes[load].argument;
    DType own = graph.values[graph.arguments[size_t(argument)]].dtype;
    if (own != DType::f32 && own != DType::f16 && own != DType::bf16)
      return "contracts elements of another type than f32, f16 and bf16";
    if (type.value_or(own) != own)
      return "contracts two element types";
    type = own;
    node.inputs.push_back(load);
    for (size_t d = 0; d < 2; ++d)
      (row.contract[i][d] == 'k' ? summed : kept)[i] =
          dims[dims.size() - 2 + d];
    batches[i].assign(dims.begin(), dims.end() - 2);
  }
  std::optional<Dims> batch = program.atoms.broadcast(batches[0], batches[1]);
  if (!batch || !program.atoms.unify(summed[0], summed[1]))
    return "contracts dimensions that share no factor";
  node.dims = *batch;
  node.dims.insert(node.dims.end(), {kept[0], kept[1]});
  node.over = summed[0];
  variables[statement.target] = add(node);
  return "";
}

} // namespace kclaw::expert
