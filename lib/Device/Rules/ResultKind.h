//===- Rules/ResultKind.h - What sort of values a result has ----*- C++ -*-===//
//
// Read off the region's graph: which rule judges a boolean or integer result,
// and whether a float result can jump (an op with steps is on the way to it).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_RESULTKIND_H
#define KERNELCLAW_LIB_DEVICE_RULES_RESULTKIND_H

#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

enum class ResultKind {
  Float,     ///< within a budget
  Exact,     ///< booleans, integers: nothing on the way rounds
  Index,     ///< selects from an argument (argmax, topk, sort, pooling)
  Threshold, ///< booleans, integers behind an op that rounds
};

/// Where the values are that an index result selects from.
struct Selection {
  int argument = -1;          ///< of the region; has the layout of `shape`
  std::vector<int64_t> shape; ///< empty: the argument's own
  int64_t firstDim = 0;       ///< indices run over dims [firstDim, lastDim]
  int64_t lastDim = 0;
  bool distinct = false; ///< a row's picks are different indices
};

struct ResultClass {
  ResultKind kind = ResultKind::Float;
  Selection selection; ///< of Index
  /// Elements that differ are compared with perturbed references too.
  bool jumps = false;
  /// Products are behind a bounded op: errors are relative to what they are
  /// made of (Rules/Conditioning.h).
  bool conditioned = false;
};

/// Without a graph integers are taken to be behind a threshold where the region
/// has float arguments.
ResultClass classifyResult(const KernelSpec &spec, size_t result);

/// The first of the dimensions, from the outside, along which a scan made
/// result `result`; -1 where none did.
int64_t scannedDim(const KernelSpec &spec, size_t result);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_RESULTKIND_H
