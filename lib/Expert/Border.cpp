//===- Border.cpp - A region's arguments and results in a kernel ----------===//
//
// Which arguments a kernel takes, its parameter list, and how wide its packets
// may be.
//
//===----------------------------------------------------------------------===//
#include "KernelWriter.h"

#include "Types.h"

#include <algorithm>

namespace kclaw::expert {
namespace {

/// An operand of the contraction, which the template itself reads.
bool isFactor(const Program &program, const Schedule &schedule, int node) {
  if (schedule.product < 0)
    return false;
  return contains(program.nodes[schedule.product].inputs, node);
}

} // namespace

std::vector<int> usedArguments(const Program &program,
                               const Schedule &schedule) {
  std::vector<int> result;
  for (size_t i = 0; i < program.nodes.size(); ++i)
    if (program.nodes[i].kind == Node::Kind::Load &&
        (schedule.nodes[i].needed || isFactor(program, schedule, int(i))) &&
        std::ranges::find(result, program.nodes[i].argument) == result.end())
      result.push_back(program.nodes[i].argument);
  return result;
}

std::string parameterList(const KernelSpec &spec, const Program &program,
                          const Schedule &schedule) {
  std::string text;
  auto append = [&](const std::string &parameter) {
    text += (text.empty() ? "" : ", ") + parameter;
  };
  for (int i : usedArguments(program, schedule))
    append("const " + elementType(spec.arguments[i].dtype) +
           " *__restrict__ arg" + std::to_string(i));
  for (const Output &output : program.outputs)
    append(elementType(spec.results[output.result].dtype) +
           " *__restrict__ res" + std::to_string(output.result));
  return text;
}

int widestPacket(const KernelSpec &spec, const Program &program,
                 const Schedule &schedule, bool tail) {
  struct Tensor {
    Access access;
    int64_t elements;
    int sizeBytes;
    int64_t alignmentBytes;
  };
  std::vector<Tensor> tensors;
  int64_t largest = 1;
  int smallestBytes = 8;
  auto add = [&](int node, const TensorSpec &tensor) {
    const Dims &dims = program.nodes[node].dims;
    int64_t elements = program.atoms.size(program.atoms.flatten(dims));
    tensors.push_back({Access(program.atoms, schedule, dims), elements,
                       info(tensor.dtype).sizeBytes, tensor.alignmentBytes});
    if (elements > largest) {
      largest = elements;
      smallestBytes = 8;
    }
    if (elements == largest)
      smallestBytes =
          std::min<int>(smallestBytes, info(tensor.dtype).sizeBytes);
  };
  for (size_t i = 0; i < program.nodes.size(); ++i)
    if (program.nodes[i].kind == Node::Kind::Load && schedule.nodes[i].needed)
      add(int(i), spec.arguments[program.nodes[i].argument]);
  for (const Output &output : program.outputs)
    add(output.node, spec.results[output.result]);
  auto allows = [&](const Tensor &tensor, int width) {
    PackKind kind = tensor.access.pack(width, tail);
    int64_t bytes = std::min(16, width * tensor.sizeBytes);
    if (kind == PackKind::Vector)
      return tensor.alignmentBytes % bytes == 0;
    return kind == PackKind::Splat || tensor.elements < largest;
  };
  int width = std::min(8, 16 / smallestBytes);
  while (width > 1 && !std::ranges::all_of(tensors, [&](const Tensor &t) {
           return allows(t, width);
         }))
    width /= 2;
  return width;
}

std::set<std::string> packRequirements(const Program &program,
                                       const Schedule &schedule, int width,
                                       bool tail) {
  std::set<std::string> required;
  auto add = [&](int node) {
    Access access(program.atoms, schedule, program.nodes[size_t(node)].dims);
    for (const std::string &text : access.packRequirements(width, tail))
      required.insert(text);
  };
  for (size_t i = 0; i < program.nodes.size(); ++i)
    if (program.nodes[i].kind == Node::Kind::Load && schedule.nodes[i].needed)
      add(int(i));
  for (const Output &output : program.outputs)
    add(output.node);
  // Whole packets only, however each tensor is read.
  Extent axis = program.atoms.extent(
      schedule.layout != Layout::Column ? schedule.columns : schedule.rows);
  if (width > 1 && !tail && axis.named)
    required.insert(axis.factor() + " % " + std::to_string(width) + " == 0");
  return required;
}

} // namespace kclaw::expert
