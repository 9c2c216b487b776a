//===- RegionBuilder.h - Private functions from groups ----------*- C++ -*-===//
//
// Private to the library.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_REGIONBUILDER_H
#define KERNELCLAW_LIB_OUTLINE_REGIONBUILDER_H

#include "Body.h"

#include "kernelclaw/Outline/DimClasses.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace kclaw::outline {

/// Copies pure ops, each at most once for equal operands and attributes.
/// `torch.aten.size.int` of a static size becomes a constant.
class UniqueCloner {
public:
  mlir::Operation *clone(mlir::OpBuilder &builder, mlir::Operation *op,
                         mlir::IRMapping &mapping);

private:
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<mlir::Operation *, 1>>
      known;
};

/// What a region is made of: values of the original body.
struct RegionPlan {
  llvm::StringRef kind;
  llvm::SmallVector<unsigned> members; ///< compute nodes
  llvm::SmallVector<mlir::Value> results;
};

struct BuiltRegion {
  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Value> arguments; ///< values of the original body
};

/// Makes region functions in one module and shares equal ones.
class RegionBuilder {
public:
  explicit RegionBuilder(mlir::ModuleOp module) : symbols(module) {}

  /// `after` is where a new function goes; it is advanced.
  /// `dims` is of the parent; null when nothing in it is dynamic.
  BuiltRegion build(const Body &body, const RegionPlan &plan,
                    mlir::func::FuncOp parent, DimClasses *dims,
                    mlir::Operation *&after);

private:
  mlir::func::FuncOp share(mlir::func::FuncOp function,
                           mlir::func::FuncOp parent, mlir::Operation *&after);

  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::func::FuncOp> byText;
};

} // namespace kclaw::outline

#endif // KERNELCLAW_LIB_OUTLINE_REGIONBUILDER_H
