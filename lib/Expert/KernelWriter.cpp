//===- KernelWriter.cpp - Phases of a program as CUDA text ----------------===//
//
// In registers, a full value is computed in the phase that first uses it and
// kept when a later phase needs it; streaming walks compute it anew.
//
//===----------------------------------------------------------------------===//
#include "KernelWriter.h"

#include "Types.h"

#include <algorithm>

namespace kclaw::expert {
namespace {

std::string number(int value) { return std::to_string(value); }

/// `text` with every line indented by two more.
std::string indent(const std::string &text) {
  std::string result;
  bool start = true;
  for (char c : text) {
    if (start && c != '\n')
      result += "  ";
    result += c;
    start = c == '\n';
  }
  return result;
}

std::string block(const std::string &head, const std::string &inner) {
  return inner.empty() ? "" : head + " {\n" + indent(inner) + "}\n";
}

/// "arg0 + row * 8192 + k"; zero parts are left out.
std::string address(const std::string &base, const std::string &row,
                    const std::string &column) {
  return base + (row == "0" ? "" : " + " + row) +
         (column == "0" ? "" : " + " + column);
}

} // namespace

KernelWriter::KernelWriter(const KernelSpec &spec, const Program &program,
                           const Schedule &schedule, Walk walk)
    : spec(spec), program(program), schedule(schedule), walk(std::move(walk)) {}

bool KernelWriter::rowArrays() const {
  return schedule.layout == Layout::Column && walk.width > 1;
}

Access KernelWriter::accessOf(int node) const {
  return Access(program.atoms, schedule, program.nodes[node].dims);
}

PackKind KernelWriter::packOf(int node) const {
  return accessOf(node).pack(walk.width, walk.tail);
}

std::string KernelWriter::reference(int node) const {
  const Node &value = program.nodes[node];
  const NodePlan &plan = schedule.nodes[node];
  std::string name = "v" + number(node);
  if (!plan.full)
    return rowArrays() ? name + "[i]" : name;
  bool array = walk.registers && plan.kept && value.kind != Node::Kind::Load;
  return array ? name + "[j][i]" : name;
}

/// How many elements lie along the dimensions of `node.over`.
std::string KernelWriter::countText(const Node &node) const {
  Extent count = program.atoms.extent(program.atoms.resolve(node.over));
  return count.named ? node.type + "(" + count.text + ")"
                     : literalText(count.value, node.type);
}

std::string KernelWriter::expression(int node) const {
  const Node &value = program.nodes[node];
  if (value.kind == Node::Kind::Dot)
    return "acc[i]";
  if (value.kind == Node::Kind::Index) {
    // The reduced atoms lie in the node's own dimensions; its offset along
    // them, row-major, is the coordinate.
    Access along(program.atoms, schedule, {value.over});
    std::string lane = walk.width == 1 ? "" : " + i";
    bool row = schedule.layout != Layout::Column;
    return "llong(" + along.rowOffset(row ? "row" : "(row" + lane + ")") +
           " + " + along.columnOffset(row ? "(k" + lane + ")" : "k") + ")";
  }
  std::string text = value.text;
  for (size_t i = 0; i < value.inputs.size(); ++i) {
    std::string token = "{" + std::to_string(i) + "}";
    size_t at = text.find(token);
    if (at != std::string::npos)
      text.replace(at, token.size(), reference(value.inputs[i]));
  }
  for (size_t at; (at = text.find("{n}")) != std::string::npos;)
    text.replace(at, 3, countText(value));
  return text;
}

std::string KernelWriter::forLanes(const std::string &inner) const {
  if (inner.empty())
    return "";
  if (walk.width == 1)
    return "{\n  constexpr int i = 0;\n" + indent(inner) + "}\n";
  return block("#pragma unroll\nfor (int i = 0; i < VEC; ++i)", inner);
}

std::string KernelWriter::itemLoop(const std::string &inner) const {
  if (inner.empty())
    return "";
  std::string text;
  if (!walk.column.empty())
    text += "const idx_t k = " + walk.column + ";\n";
  text += walk.guard.empty() ? inner : block("if (" + walk.guard + ")", inner);
  if (walk.loop.empty())
    return "{\n" + indent(text) + "}\n";
  return block((walk.registers ? "#pragma unroll\n" : "") + walk.loop, text);
}

/// The full nodes that `phase` needs, loads included.
std::vector<bool> KernelWriter::nodesOf(int phase) const {
  std::vector<bool> nodes(program.nodes.size(), false);
  for (const Output &output : program.outputs)
    if (schedule.nodes[output.node].level == phase)
      nodes[output.node] = schedule.nodes[output.node].full;
  for (size_t i = program.nodes.size(); i-- > 0;) {
    const Node &node = program.nodes[i];
    const NodePlan &plan = schedule.nodes[i];
    if (!plan.needed)
      continue;
    bool reducedHere = node.kind == Node::Kind::Reduce &&
                       schedule.nodes[node.inputs[0]].level == phase;
    bool ownPhase = walk.registers && plan.full && plan.phase == phase &&
                    node.kind != Node::Kind::Reduce;
    nodes[i] = nodes[i] || ownPhase;
    // What an earlier phase kept is there already.
    bool there = (walk.registers && plan.phase < phase && plan.full &&
                  node.kind != Node::Kind::Load) ||
                 node.kind == Node::Kind::Dot;
    if (reducedHere || (nodes[i] && !there))
      for (int input : node.inputs)
        nodes[input] = nodes[input] || schedule.nodes[input].full;
  }
  return nodes;
}

bool KernelWriter::computedIn(int node, int phase) const {
  return !walk.registers || schedule.nodes[node].phase == phase;
}

std::string KernelWriter::loadItem(int node) const {
  const Node &load = program.nodes[node];
  Access access = accessOf(node);
  std::string argument = "arg" + number(load.argument);
  std::string target = "x" + number(node) + (walk.registers ? "[j]" : "");
  auto at = [&](const std::string &row, const std::string &k) {
    return address(argument, access.rowOffset(row), access.columnOffset(k));
  };
  switch (packOf(node)) {
  case PackKind::Splat:
    return target + " = *(" + at("row", "k") + ");\n";
  case PackKind::Vector:
    return target + " = loadPack<VEC>(" + at("row", "k") + ");\n";
  case PackKind::Gather:
    break;
  }
  bool row = schedule.layout != Layout::Column;
  return forLanes(target + ".v[i] = *(" +
                  (row ? at("row", "(k + i)") : at("(row + i)", "k")) + ");\n");
}

std::string KernelWriter::loads(const std::vector<bool> &nodes,
                                int phase) const {
  std::string declarations, inner;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = program.nodes[i];
    if (!nodes[i] || node.kind != Node::Kind::Load ||
        !computedIn(int(i), phase))
      continue;
    std::string type = elementType(spec.arguments[node.argument].dtype);
    if (packOf(int(i)) != PackKind::Splat)
      type = "Pack<" + type + ", VEC>";
    declarations += type + " x" + number(int(i)) +
                    (walk.registers ? "[ITEMS]" : "") + ";\n";
    inner += loadItem(int(i));
  }
  if (inner.empty())
    return "";
  // In registers, all loads of a phase are in flight before the first use.
  return walk.registers ? declarations + itemLoop(inner) : declarations + inner;
}

std::string KernelWriter::storeItem(const Output &output) const {
  Access access = accessOf(output.node);
  std::string type = elementType(spec.results[output.result].dtype);
  std::string name = "o" + number(output.result);
  bool row = schedule.layout != Layout::Column;
  auto at = [&](const std::string &r, const std::string &k) {
    return address("res" + number(output.result), access.rowOffset(r),
                   access.columnOffset(k));
  };
  std::string laneRow = row ? "row" : "(row + i)";
  std::string laneColumn = row ? "(k + i)" : "k";
  std::string once = access.once(laneRow, laneColumn);
  if (once.empty() && packOf(output.node) == PackKind::Vector)
    return "storePack(" + at("row", "k") + ", " + name + ");\n";
  std::string store =
      "*(" + at(laneRow, laneColumn) + ") = " + name + ".v[i];\n";
  return forLanes(once.empty() ? store : "if (" + once + ")\n  " + store);
}

std::string KernelWriter::stores(int phase) const {
  std::string text;
  for (const Output &output : program.outputs)
    if (schedule.nodes[output.node].full &&
        schedule.nodes[output.node].level == phase)
      text += storeItem(output);
  return text;
}

std::string KernelWriter::lanes(const std::vector<bool> &nodes,
                                int phase) const {
  std::string packs, inner, after;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i])
      continue;
    const Node &node = program.nodes[i];
    std::string name = "v" + number(int(i));
    if (node.kind == Node::Kind::Load) {
      std::string item = "x" + number(int(i)) + (walk.registers ? "[j]" : "");
      if (packOf(int(i)) != PackKind::Splat)
        item += ".v[i]";
      inner += "const " + node.type + " " + name + " = " + node.type + "(" +
               item + ");\n";
      continue;
    }
    if (!computedIn(int(i), phase))
      continue;
    std::string target = reference(int(i));
    inner += (target == name ? "const " + node.type + " " : "") + target +
             " = " + expression(int(i)) + ";\n";
  }
  for (const Accumulator &sum : accumulators(phase)) {
    std::string into = "a" + number(sum.node);
    std::string value = reference(program.nodes[sum.node].inputs[0]);
    if (sum.functor.starts_with("Arg")) {
      Access along(program.atoms, schedule, {program.nodes[sum.node].over});
      bool row = schedule.layout != Layout::Column;
      value = sum.type + "{" + value + ", llong(" +
              along.columnOffset(row && walk.width > 1 ? "(k + i)" : "k") +
              ")}";
    }
    bool partial = sum.type != program.nodes[sum.node].type &&
                   !sum.functor.starts_with("Arg") && !rowArrays();
    if (partial) {
      std::string type = program.nodes[sum.node].type;
      packs += type + " p" + number(sum.node) + " = " + sum.functor + "<" +
               type + ">::identity();\n";
      inner += "p" + number(sum.node) + " = " + sum.functor + "<" + type +
               ">::apply(p" + number(sum.node) + ", " + value + ");\n";
      after += into + " = " + sum.functor + "<" + sum.type + ">::apply(" +
               into + ", p" + number(sum.node) + ");\n";
      continue;
    }
    if (rowArrays())
      into += "[i]";
    inner += into + " = " + sum.functor + "<" + sum.type + ">::apply(" + into +
             ", " + value + ");\n";
  }
  for (const Output &output : program.outputs) {
    if (!schedule.nodes[output.node].full ||
        schedule.nodes[output.node].level != phase)
      continue;
    std::string type = elementType(spec.results[output.result].dtype);
    std::string name = "o" + number(output.result);
    packs += "Pack<" + type + ", VEC> " + name + ";\n";
    inner += name + ".v[i] = " + type + "(" + reference(output.node) + ");\n";
  }
  return packs + forLanes(inner) + after + block("if (active)", stores(phase));
}

std::string KernelWriter::phase(int phase) const {
  std::vector<bool> nodes = nodesOf(phase);
  std::string text;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = program.nodes[i];
    if (nodes[i] && walk.registers && node.kind != Node::Kind::Load &&
        computedIn(int(i), phase) && schedule.nodes[i].kept)
      text += node.type + " v" + number(int(i)) + "[ITEMS][VEC];\n";
  }
  for (const Accumulator &sum : accumulators(phase))
    text += sum.type + " a" + number(sum.node) +
            (rowArrays()
                 ? "[VEC];\n" + forLanes("a" + number(sum.node) +
                                         "[i] = " + sum.functor + "<" +
                                         sum.type + ">::identity();\n")
                 : " = " + sum.functor + "<" + sum.type + ">::identity();\n");
  std::string loading = loads(nodes, phase);
  std::string computing = lanes(nodes, phase);
  if (walk.registers)
    return text + loading + itemLoop(computing);
  return text + itemLoop(loading + computing);
}

std::vector<KernelWriter::Accumulator>
KernelWriter::accumulators(int phase) const {
  struct Row {
    const char *name, *functor;
  };
  static constexpr Row functors[] = {
      {"sum", "Sum"},       {"prod", "Prod"},     {"max", "Max"},
      {"min", "Min"},       {"any", "Any"},       {"all", "All"},
      {"argmax", "ArgMax"}, {"argmin", "ArgMin"},
  };
  std::vector<Accumulator> result;
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const Node &node = program.nodes[i];
    if (node.kind != Node::Kind::Reduce || !schedule.nodes[i].needed ||
        schedule.nodes[node.inputs[0]].level != phase)
      continue;
    std::string functor;
    for (const Row &row : functors)
      if (node.text == row.name)
        functor = row.functor;
    std::string type = node.type;
    if (functor.starts_with("Arg"))
      type = "Indexed<" + program.nodes[node.inputs[0]].type + ">";
    else if (functor == "Sum" && type == "float" && !walk.registers)
      type = "double"; // long streams: partial sums of packets in float
    result.push_back({int(i), type, functor});
  }
  return result;
}

std::string KernelWriter::reduceResult(const Accumulator &accumulator,
                                       const std::string &value) const {
  const Node &node = program.nodes[accumulator.node];
  std::string name = "v" + number(accumulator.node);
  std::string index = accumulator.functor.starts_with("Arg") ? ".index" : "";
  if (!rowArrays())
    return "const " + node.type + " " + name + " = " + node.type + "(" + value +
           index + ");\n";
  return node.type + " " + name + "[VEC];\n" +
         forLanes(name + "[i] = " + node.type + "(" + value + index + ");\n");
}

std::string KernelWriter::finish(int phase) const {
  std::string text;
  for (const Accumulator &sum : accumulators(phase)) {
    std::string value = "a" + number(sum.node) + (rowArrays() ? "[i]" : "");
    text += reduceResult(sum, "rowReduce<" + sum.functor + "<" + sum.type +
                                  ">>(" + value + ")");
  }
  return text + rowValues(phase + 1);
}

std::string KernelWriter::combineParts(int phase) const {
  std::string text;
  for (int earlier = 0; earlier < phase; ++earlier) {
    for (const Accumulator &sum : accumulators(earlier)) {
      std::string name = "a" + number(sum.node);
      std::string op = sum.functor + "<" + sum.type + ">";
      std::string lane = rowArrays() ? " + i" : "";
      std::string gather =
          sum.type + " " + name + " = " + op + "::identity();\n" +
          block("for (int s = slice; s < SPLITS; s += SLICES)",
                name + " = " + op + "::apply(" + name + ", parts" +
                    number(sum.node) + "[s * ROWS + row" + lane + "]);\n");
      std::string value = "rowReduce<" + op + ">(" + name + ")";
      if (rowArrays()) {
        const std::string &type = program.nodes[sum.node].type;
        std::string index = sum.functor.starts_with("Arg") ? ".index" : "";
        text += type + " v" + number(sum.node) + "[VEC];\n" +
                forLanes(gather + "v" + number(sum.node) + "[i] = " + type +
                         "(" + value + index + ");\n");
      } else {
        text += gather + reduceResult(sum, value);
      }
    }
    text += rowValues(earlier + 1);
  }
  return text;
}

std::string KernelWriter::writeParts(int phase) const {
  std::string text;
  for (const Accumulator &sum : accumulators(phase)) {
    std::string name = "a" + number(sum.node) + (rowArrays() ? "[i]" : "");
    std::string store = name + " = rowReduce<" + sum.functor + "<" + sum.type +
                        ">>(" + name + ");\nif (active && slice == 0)\n  " +
                        "parts" + number(sum.node) + "[split * ROWS + row" +
                        (rowArrays() ? " + i" : "") + "] = " + name + ";\n";
    text += rowArrays() ? forLanes(store) : store;
  }
  return text;
}

std::string KernelWriter::partParameters() const {
  std::string text;
  for (int i = 0; i < schedule.phases; ++i)
    for (const Accumulator &sum : accumulators(i))
      text += (text.empty() ? "" : ", ") + sum.type + " *__restrict__ parts" +
              number(sum.node);
  return text;
}

std::string KernelWriter::rowLoad(int node) const {
  const Node &load = program.nodes[node];
  return load.type + "(arg" + number(load.argument) + "[" +
         accessOf(node).rowOffset(rowArrays() ? "(row + i)" : "row") + "])";
}

std::string KernelWriter::rowValues(int level) const {
  std::string text;
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const Node &node = program.nodes[i];
    const NodePlan &plan = schedule.nodes[i];
    if (!plan.needed || plan.full || plan.level != level ||
        node.kind == Node::Kind::Reduce)
      continue;
    std::string value =
        node.kind == Node::Kind::Load ? rowLoad(int(i)) : expression(int(i));
    std::string name = "v" + number(int(i));
    if (rowArrays())
      text += node.type + " " + name + "[VEC];\n" +
              forLanes(name + "[i] = " + value + ";\n");
    else
      text += "const " + node.type + " " + name + " = " + value + ";\n";
  }
  return text;
}

std::string KernelWriter::storeRows() const {
  std::string text;
  for (const Output &output : program.outputs) {
    if (schedule.nodes[output.node].full)
      continue;
    Access access = accessOf(output.node);
    std::string row = rowArrays() ? "(row + i)" : "row";
    std::string type = elementType(spec.results[output.result].dtype);
    std::string store = "res" + number(output.result) + "[" +
                        access.rowOffset(row) + "] = " + type + "(" +
                        reference(output.node) + ");\n";
    // Columns are no matter here: the leader is one thread a row.
    Schedule rowsOnly = schedule;
    rowsOnly.columns.clear();
    std::string once =
        Access(program.atoms, rowsOnly, program.nodes[output.node].dims)
            .once(row, "0");
    if (!once.empty())
      store = "if (" + once + ")\n  " + store;
    text += rowArrays() ? forLanes(store) : store;
  }
  return block("if (active && leader)", text);
}

std::string KernelWriter::body() const {
  std::string text = prologue();
  for (int i = 0; i < schedule.phases; ++i)
    text += phase(i) + finish(i);
  return text + storeRows();
}

} // namespace kclaw::expert
