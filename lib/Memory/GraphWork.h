//===- GraphWork.h - Sizes of a graph's main ops ----------------*- C++ -*-===//
//
// What one op of the graph does, in numbers; nothing where a dynamic size or an
// unusual operand leaves it open.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_MEMORY_GRAPHWORK_H
#define KERNELCLAW_LIB_MEMORY_GRAPHWORK_H

#include "OpClasses.h"
#include "kernelclaw/Spec/KernelSpec.h"

#include <optional>

namespace kclaw {

/// A matmul, or a convolution as one: m x n results of k products, `batch`
/// times.
struct GemmSize {
  double m = 0, n = 0, k = 0, batch = 1;
  double work() const { return m * n * k * batch; }
};
std::optional<GemmSize> gemmSize(const OpGraph &graph, const GraphOp &op);
/// The product of queries and keys in an attention op: m queries, n keys.
std::optional<GemmSize> scoreSize(const OpGraph &graph, const GraphOp &op);

/// Of a convolution.
bool isTransposed(const GraphOp &op);
std::optional<int64_t> groupsOf(const OpGraph &graph, const GraphOp &op);

struct Window {
  double elements = 0;
  bool overlaps = false;
};
/// Of a convolution or a pooling.
std::optional<Window> windowOf(const OpGraph &graph, const GraphOp &op);

struct ReductionSize {
  double rows = 0, length = 0;
  bool inner = false; ///< the innermost dimension is among those removed
};
std::optional<ReductionSize> reductionSize(const OpGraph &graph,
                                           const GraphOp &op);

/// The first operand that is a tensor, or null.
const GraphValue *firstTensor(const OpGraph &graph, const GraphOp &op);

/// Product of the sizes; nullopt when one is dynamic.
std::optional<double> elementsOf(const GraphValue &value);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_GRAPHWORK_H
