//===- Body.h - A function body as a graph of ops ---------------*- C++ -*-===//
//
// Private to the library: which ops are duplicated, which belong to a region,
// which stay, and what each depends on.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_BODY_H
#define KERNELCLAW_LIB_OUTLINE_BODY_H

#include "kernelclaw/Outline/Outline.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace kclaw::outline {

enum class Fate {
  Free,    ///< scalar, list, view, creation, splat: duplicated where it is used
  Literal, ///< other literals: stay, regions take them as arguments
  Compute, ///< belongs to exactly one region
  Outside, ///< stays
  Dropped, ///< says only what types say already
};

struct Node {
  mlir::Operation *op;
  OpClass opClass;
  Fate fate;
  /// Why a compute op stays outside; empty for what always does.
  std::string reason;
  /// Compute and Outside ops that it depends on, through Free ops; sorted.
  llvm::SmallVector<unsigned, 4> sources;
  /// Compute and Outside ops that use it; for Compute and Outside.
  unsigned users = 0;
};

/// The ops of a single-block function except its terminator, in order.
class Body {
public:
  explicit Body(mlir::func::FuncOp function);

  llvm::SmallVector<Node> nodes;

  /// The node that defines the value; null for block arguments.
  const Node *find(mlir::Value value) const;
  /// Sorted sources of a value: itself when Compute or Outside defines it.
  llvm::SmallVector<unsigned, 4> sourcesOf(mlir::Value value) const;
  unsigned countCompute() const;

private:
  void classify(Node &node);
  void linkSources();

  llvm::DenseMap<mlir::Operation *, unsigned> index;
};

/// Operands of the op and what its regions capture.
llvm::SmallVector<mlir::Value> usedValues(mlir::Operation *op);

} // namespace kclaw::outline

#endif // KERNELCLAW_LIB_OUTLINE_BODY_H
