//===- Lowering.cpp - One op of the graph into nodes ----------------------===//
//
// Interprets a row of the op table. Sizes are static here.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "Types.h"

#include <algorithm>

namespace kclaw::expert {
namespace {

/// Same text, or the same number ("2" and "2.0").
bool sameLiteral(const std::string &a, const std::string &b) {
  if (a == b)
    return true;
  char *endA = nullptr, *endB = nullptr;
  double x = std::strtod(a.c_str(), &endA), y = std::strtod(b.c_str(), &endB);
  return *endA == 0 && *endB == 0 && !a.empty() && !b.empty() && x == y;
}

int categoryOf(DType type) {
  return isFloat(type) ? 2 : type == DType::boolean ? 0 : 1;
}

/// Torch's rule: a lower-ranked kind of operand only matters by category.
DType combine(DType strong, DType weak) {
  return categoryOf(weak) > categoryOf(strong) ? weak : strong;
}

} // namespace

int OpLowering::add(Node node) {
  program.nodes.push_back(std::move(node));
  return int(program.nodes.size()) - 1;
}

std::string OpLowering::run() {
  if (std::string error = bind(); !error.empty())
    return error;
  return row.view == ViewKind::None ? lowerBody() : lowerView();
}

std::string OpLowering::bind() {
  if (op.operands.size() > row.operands.size())
    return "has " + std::to_string(op.operands.size()) +
           " operands, its row names " + std::to_string(row.operands.size());
  for (size_t i = 0; i < row.operands.size(); ++i) {
    const std::string &name = row.operands[i];
    if (i >= op.operands.size() || op.operands[i].isLiteral()) {
      literals[name] =
          i < op.operands.size() ? op.operands[i].literal : Literal();
      continue;
    }
    if (op.operands[i].values.size() != 1)
      return "takes a list of tensors";
    graphValue[name] = op.operands[i].values[0];
    auto node = nodeOf.find(graphValue[name]);
    if (node == nodeOf.end())
      return "reads a value that no row computes";
    variables[name] = node->second;
    tensors.push_back(name);
  }
  return "";
}

std::string OpLowering::lowerView() {
  const std::vector<int64_t> &shape = graph.values[op.results[0]].shape;
  if (tensors.empty())
    return "has no tensor operand";
  int input = variables[tensors[0]];
  Node node{Node::Kind::Map, program.nodes[input].type, "{0}", {input}, {}};
  const Dims dims = program.nodes[input].dims;
  auto axis = [&](size_t operand) {
    const int64_t *value =
        operand < row.operands.size()
            ? std::get_if<int64_t>(&literals[row.operands[operand]])
            : nullptr;
    int64_t dim = value ? *value : int64_t(operand) - 1;
    return dim < 0 ? dim + int64_t(dims.size()) : dim;
  };
  switch (row.view) {
  case ViewKind::None:
  case ViewKind::Same:
    node.dims = dims;
    break;
  case ViewKind::Reshape: {
    std::optional<Dims> reshaped = program.atoms.reshape(dims, shape);
    if (!reshaped)
      return "re-groups dimensions that share no factor";
    node.dims = *reshaped;
    break;
  }
  case ViewKind::Expand:
    node.dims = program.atoms.shape(shape);
    for (size_t i = 0; i < dims.size(); ++i)
      if (AtomList &dim = node.dims[shape.size() - dims.size() + i];
          !dims[i].empty())
        dim = dims[i];
    break;
  case ViewKind::Permute:
  case ViewKind::Transpose: {
    std::vector<int64_t> order;
    for (size_t i = 0; i < dims.size(); ++i)
      order.push_back(int64_t(i));
    if (row.view == ViewKind::Transpose && dims.size() > 1)
      std::swap(order[size_t(axis(1))], order[size_t(axis(2))]);
    if (row.view == ViewKind::Permute) {
      const auto *list = std::get_if<std::vector<int64_t>>(
          &literals[row.operands.size() > 1 ? row.operands[1] : ""]);
      if (!list || list->size() != dims.size())
        return "has no list of all dimensions";
      order = *list;
    }
    for (int64_t dim : order)
      node.dims.push_back(
          dims[size_t(dim < 0 ? dim + int64_t(dims.size()) : dim)]);
    break;
  }
  }
  nodeOf[op.results[0]] = add(node);
  return "";
}

void OpLowering::chooseComputeType() {
  DType type = graph.values[op.results[0]].dtype;
  if (row.compute == "promote") {
    // Tensors with dimensions, rank-0 tensors and literals, in that order.
    std::optional<DType> strong, weak;
    auto merge = [](std::optional<DType> &into, DType type) {
      into = into ? promote(*into, type) : type;
    };
    for (const std::string &name : tensors) {
      const GraphValue &value = graph.values[graphValue[name]];
      merge(value.shape.empty() ? weak : strong, value.dtype);
    }
    type = !strong ? weak.value_or(type)
           : weak  ? combine(*strong, *weak)
                   : *strong;
    for (const auto &[name, literal] : literals)
      if (std::holds_alternative<double>(literal))
        type = combine(type, DType::f32);
      else if (std::holds_alternative<int64_t>(literal))
        type = combine(type, DType::i64);
  } else if (row.compute != "result" && graphValue.contains(row.compute)) {
    type = graph.values[graphValue[row.compute]].dtype;
  }
  compute = computeType(type);
  kind = isFloat(type) ? "float" : type == DType::boolean ? "bool" : "int";
}

std::string OpLowering::alignOperands() {
  for (const std::string &name : tensors) {
    Dims dims = program.nodes[variables[name]].dims;
    if (auto it = row.align.find(name); it != row.align.end()) {
      if (dims.size() != 1 || size_t(it->second) >= common.size())
        return "operand '" + name + "' is not a vector along dimension " +
               std::to_string(it->second);
      Dims aligned(common.size());
      aligned[size_t(it->second)] = dims[0];
      Node node{Node::Kind::Map,
                program.nodes[variables[name]].type,
                "{0}",
                {variables[name]},
                aligned};
      variables[name] = add(node);
      dims = aligned;
    }
    std::optional<Dims> joined = program.atoms.broadcast(common, dims);
    if (!joined)
      return "broadcasts dimensions that share no factor";
    common = *joined;
  }
  if (tensors.empty())
    common = program.atoms.shape(graph.values[op.results[0]].shape);
  return "";
}

std::string OpLowering::findReduced() {
  const ReduceOver &rule = row.over;
  if (rule.kind == ReduceOver::Kind::None)
    return "";
  const Dims base =
      tensors.empty() ? common : program.nodes[variables[tensors[0]]].dims;
  std::vector<bool> reduced(base.size(), false);
  const Literal literal = literals[rule.operand];
  const int64_t *number = std::get_if<int64_t>(&literal);
  const auto *list = std::get_if<std::vector<int64_t>>(&literal);
  switch (rule.kind) {
  case ReduceOver::Kind::None:
  case ReduceOver::Kind::All:
    reduced.assign(base.size(), true);
    break;
  case ReduceOver::Kind::Dims: {
    std::vector<int64_t> dims;
    if (number)
      dims = {*number};
    else if (list)
      dims = *list;
    if (dims.empty())
      reduced.assign(base.size(), true);
    for (int64_t dim : dims) {
      if (dim < 0)
        dim += int64_t(base.size());
      if (dim >= 0 && size_t(dim) < base.size())
        reduced[size_t(dim)] = true;
    }
    break;
  }
  case ReduceOver::Kind::Trailing:
    if (!list || list->size() > base.size())
      return "operand '" + rule.operand + "' is not a list of sizes";
    for (size_t i = base.size() - list->size(); i < base.size(); ++i)
      reduced[i] = true;
    break;
  case ReduceOver::Kind::Groups: {
    if (!number || base.size() < 2 || *number < 1)
      return "operand '" + rule.operand + "' is not a number of groups";
    int64_t channels = program.atoms.size(base[1]);
    std::optional<Dims> groups = program.atoms.reshape(
        {base[1]}, {*number, channels / std::max<int64_t>(*number, 1)});
    if (!groups || channels % *number != 0)
      return "has groups that do not divide the channels";
    over = (*groups)[1];
    for (size_t i = 2; i < base.size(); ++i)
      reduced[i] = true;
    break;
  }
  case ReduceOver::Kind::From:
    for (size_t i = size_t(rule.number); i < base.size(); ++i)
      reduced[i] = true;
    break;
  case ReduceOver::Kind::Except:
    for (size_t i = 0; i < base.size(); ++i)
      reduced[i] = int(i) != rule.number;
    break;
  }
  for (size_t i = 0; i < base.size(); ++i)
    if (reduced[i])
      over.insert(over.end(), base[i].begin(), base[i].end());
  return "";
}

bool OpLowering::holds(const Condition &condition) const {
  if (condition.kind == Condition::Kind::Always)
    return true;
  auto literal = literals.find(condition.name);
  bool isLiteral = literal != literals.end();
  if (condition.kind == Condition::Kind::Present)
    return !isLiteral ||
           !std::holds_alternative<std::monostate>(literal->second);
  std::string text = condition.name == "kind" ? kind
                     : isLiteral              ? plainText(literal->second)
                                              : "tensor";
  bool any =
      std::ranges::any_of(condition.values, [&](const std::string &value) {
        return sameLiteral(text, value);
      });
  return any == (condition.kind == Condition::Kind::AnyOf);
}

int OpLowering::indexNode() {
  Node node{Node::Kind::Index, "llong", "", {}, common};
  node.over = over;
  return add(node);
}

int OpLowering::mapNode(const std::string &text, std::string &error) {
  Node node{Node::Kind::Map, compute, "", {}, {}};
  size_t from = 0;
  for (const std::string &name : bracedNames(text)) {
    size_t at = text.find("{" + name + "}", from);
    node.text += text.substr(from, at - from);
    from = at + name.size() + 2;
    if (name == "C") {
      node.text += compute;
      continue;
    }
    if (name == "n") {
      node.text += "{n}";
      node.over = over;
      continue;
    }
    auto literal = literals.find(name);
    if (!variables.contains(name) && literal != literals.end()) {
      std::string value = literalText(literal->second, compute);
      if (value.empty())
        error = "operand '" + name + "' is no number";
      node.text += value;
      continue;
    }
    if (name == "index" && !variables.contains(name))
      variables[name] = indexNode();
    if (!variables.contains(name)) {
      error = "'" + name + "' has no value under these operands";
      return -1;
    }
    int input = variables[name];
    node.text += convert("{" + std::to_string(node.inputs.size()) + "}",
                         program.nodes[input].type, compute);
    node.inputs.push_back(input);
    std::optional<Dims> joined =
        program.atoms.broadcast(node.dims, program.nodes[input].dims);
    if (!joined)
      error = "broadcasts dimensions that share no factor";
    else
      node.dims = *joined;
  }
  node.text += text.substr(from);
  return add(node);
}

std::string OpLowering::lowerStatement(const Statement &statement) {
  if (!holds(statement.condition))
    return "";
  if (statement.reduction == "dot")
    return lowerDot(statement);
  std::string error;
  int value = mapNode(statement.text, error);
  if (!error.empty())
    return error;
  if (!statement.reduction.empty() && program.atoms.size(over) == 1) {
    // One element: its own sum and extremum, at index 0.
    if (statement.reduction.starts_with("arg"))
      value =
          add({Node::Kind::Map, "llong", "0", {}, program.nodes[value].dims});
  } else if (!statement.reduction.empty()) {
    Node node{Node::Kind::Reduce,
              compute,
              statement.reduction,
              {value},
              program.nodes[value].dims};
    if (statement.reduction.starts_with("arg"))
      node.type = "llong";
    node.over = over;
    AtomList gone = program.atoms.resolve(over);
    for (AtomList &dim : node.dims) {
      dim = program.atoms.resolve(dim);
      std::erase_if(dim, [&](int atom) {
        return std::ranges::find(gone, atom) != gone.end();
      });
    }
    value = add(node);
  }
  variables[statement.target] = value;
  literals.erase(statement.target);
  return "";
}

std::string OpLowering::lowerResult(size_t index) {
  const GraphValue &target = graph.values[op.results[index]];
  const std::string &name = row.results[index];
  auto it = variables.find(name);
  if (it == variables.end())
    return "'" + name + "' has no value under these operands";
  const Node value = program.nodes[it->second];
  Node node{Node::Kind::Map,
            registerType(target.dtype),
            toElement("{0}", value.type, target.dtype),
            {it->second},
            {}};
  int64_t elements = 1;
  for (int64_t size : target.shape)
    elements *= size;
  Dims dims = value.dims;
  if (program.atoms.size(program.atoms.flatten(dims)) != elements) {
    // A value without all dimensions of the result (a fill) repeats.
    Dims full = program.atoms.shape(target.shape);
    if (full.size() < dims.size())
      return "has a result smaller than its value";
    for (size_t i = 0; i < dims.size(); ++i)
      if (!dims[i].empty())
        full[full.size() - dims.size() + i] = dims[i];
    dims = full;
  }
  std::optional<Dims> shaped = program.atoms.reshape(dims, target.shape);
  if (!shaped)
    return "has a result shape that its value cannot take";
  node.dims = *shaped;
  nodeOf[op.results[index]] = add(node);
  return "";
}

std::string OpLowering::lowerBody() {
  chooseComputeType();
  if (!tensors.empty())
    common = program.nodes[variables[tensors[0]]].dims;
  // The operands of a contraction do not broadcast; others meet its result.
  if (std::string error = row.contract.empty() ? alignOperands() : "";
      !error.empty())
    return error;
  if (std::string error = findReduced(); !error.empty())
    return error;
  for (const Statement &statement : row.body)
    if (std::string error = lowerStatement(statement); !error.empty())
      return error;
  // Results beyond the row's (an empty save for the backward pass) have no
  // node; whoever reads one is refused.
  size_t count = std::min(op.results.size(), row.results.size());
  for (size_t i = 0; i < count; ++i)
    if (std::string error = lowerResult(i); !error.empty())
      return error;
  return "";
}

} // namespace kclaw::expert
