//===- SpecBuilder.h - Hand-written regions for tests -----------*- C++ -*-===//
//
// Builds the KernelSpec of a small region op by op, as Outline would.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_EXPERT_SPECBUILDER_H
#define KERNELCLAW_UNITTESTS_EXPERT_SPECBUILDER_H

#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw::test {

using Shape = std::vector<int64_t>;
using IntList = std::vector<int64_t>;

/// A graph value, or a literal.
struct Operand : GraphOperand {
  struct Value {
    int id;
  };
  Operand(Value value) { values = {value.id}; }
  Operand(bool flag) { literal = flag; }
  Operand(int number) { literal = int64_t(number); }
  Operand(double number) { literal = number; }
  Operand(const char *text) { literal = std::string(text); }
  Operand(IntList list) { literal = std::move(list); }
  Operand(std::monostate) {}
};

inline constexpr std::monostate none;

class SpecBuilder {
public:
  using Value = Operand::Value;

  Value arg(DType type, Shape shape) {
    Value value = add(type, shape);
    spec.graph.arguments.push_back(value.id);
    spec.arguments.push_back(tensor("arg", spec.arguments.size(), type, shape));
    return value;
  }

  Value op(const char *name, std::vector<Operand> operands, DType type,
           Shape shape) {
    Value value = add(type, shape);
    spec.graph.ops.push_back(
        {name, {operands.begin(), operands.end()}, {value.id}});
    return value;
  }

  /// A further result of the last op.
  Value also(DType type, Shape shape) {
    Value value = add(type, shape);
    spec.graph.ops.back().results.push_back(value.id);
    return value;
  }

  SpecBuilder &result(Value value) {
    const GraphValue &graphValue = spec.graph.values[size_t(value.id)];
    spec.graph.results.push_back(value.id);
    spec.results.push_back(
        tensor("res", spec.results.size(), graphValue.dtype, graphValue.shape));
    return *this;
  }

  KernelSpec spec;

private:
  Value add(DType type, const Shape &shape) {
    spec.graph.values.push_back({type, shape});
    return {int(spec.graph.values.size()) - 1};
  }

  static TensorSpec tensor(const std::string &prefix, size_t index, DType type,
                           const Shape &shape) {
    TensorSpec tensor;
    tensor.name = prefix + std::to_string(index);
    tensor.dtype = type;
    tensor.alignmentBytes = 256;
    for (int64_t size : shape) {
      Dim dim;
      dim.name = "n" + std::to_string(size);
      dim.value = size;
      tensor.dims.push_back(dim);
    }
    return tensor;
  }
};

} // namespace kclaw::test

#endif // KERNELCLAW_UNITTESTS_EXPERT_SPECBUILDER_H
