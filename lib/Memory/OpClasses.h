//===- OpClasses.h - What kind of work a Torch op is ------------*- C++ -*-===//
//
// One table of names, as data. The compiler half has one of its own for
// outlining (lib/Outline/OpTable.cpp); this half may not see it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_MEMORY_OPCLASSES_H
#define KERNELCLAW_LIB_MEMORY_OPCLASSES_H

#include <string>
#include <string_view>

namespace kclaw {

enum class OpKind {
  View,      ///< costs nothing: reshapes, casts of layout
  Creation,  ///< constants
  Pointwise, ///< one result element from one element of each operand
  Layout,    ///< only moves elements
  Gather,    ///< reads or writes at computed indices
  Reduction,
  Softmax,
  Norm,
  Pooling,
  Scan,
  Sort,
  Attention,
  Recurrence,
  Contraction,
  Convolution,
  Other
};

/// Over which dimensions of its first tensor an op reduces.
enum class ReducedDims {
  None,
  All,
  Operand1, ///< the dimension or list in operand 1; none or empty: all
  Operand2,
  Trailing,   ///< as many as the list in operand 1 is long
  NotChannel, ///< all but dimension 1
  Classes,    ///< dimension 1, or the only one
  Spatial,    ///< dimensions 2 and further
  Groups,     ///< all but the batch, with the channels of one group
  Last
};

struct OpClass {
  OpKind kind = OpKind::Other;
  ReducedDims reduced = ReducedDims::None;
  bool transcendental = false;
};

/// By the name of a GraphOp: "aten.add.Tensor".
OpClass classOf(std::string_view op);

/// "softmax" of "aten.softmax.int", "squeeze" of "prims.squeeze".
std::string_view baseName(std::string_view op);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_OPCLASSES_H
