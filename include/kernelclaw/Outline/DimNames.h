//===- DimNames.h - Names and ranges of a region's dimensions ---*- C++ -*-===//
//
// The names that spec, plans and embedded code share. One name a class of equal
// dimensions, numbered as they appear in arguments, then results.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_OUTLINE_DIMNAMES_H
#define KERNELCLAW_OUTLINE_DIMNAMES_H

#include "kernelclaw/Outline/DimClasses.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <set>
#include <string>

namespace kclaw {

/// Sets claw.dims on what has dynamic sizes: `arguments` and `results` are the
/// values behind those of `function`, in a function with classes `dims`.
void labelDims(mlir::func::FuncOp function,
               llvm::ArrayRef<mlir::Value> arguments,
               llvm::ArrayRef<mlir::Value> results, DimClasses &dims);

/// The same for the arguments of public functions: sizes that are equal by the
/// meaning of the ops share a symbol, which the entry checks at run time. A
/// function that has labels keeps them.
void labelEntryDims(mlir::ModuleOp module);

/// Dimensions share a name only where an op's meaning or `claw.dims` makes
/// them equal; those of builtin tensors have a name each.
class DimNames {
public:
  struct Dim {
    std::string name;
    int64_t size;   ///< -1 when dynamic
    DimRange range; ///< of a dynamic one; at least [1, 2^31 - 1]
  };

  explicit DimNames(mlir::func::FuncOp region);
  /// Of an argument or a returned value; empty when it is no tensor.
  std::vector<Dim> dims(mlir::Value value);
  /// A value with a dynamic size that no argument has and that can therefore
  /// not be drawn or allocated: products of dynamic sizes. Null if none.
  mlir::Value findUntied(mlir::func::FuncOp region);

private:
  std::multiset<unsigned> dynamicClasses(mlir::Value value);
  void readLabels(mlir::Value value, mlir::ArrayAttr labels);
  DimRange rangeOf(unsigned dimClass);

  DimClasses classes;
  llvm::DenseMap<unsigned, std::string> names;
  llvm::StringMap<std::pair<mlir::Value, unsigned>> labelled;
  llvm::StringMap<DimRange> ranges; ///< by label
};

} // namespace kclaw

#endif // KERNELCLAW_OUTLINE_DIMNAMES_H
