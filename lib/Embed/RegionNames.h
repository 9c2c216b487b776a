//===- RegionNames.h - A region's names at run time -------------*- C++ -*-===//
//
// The names that a region's plans use in expressions, and where the lowered
// module finds their values: dimensions of the region's arguments and
// results, and its integer arguments.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EMBED_REGIONNAMES_H
#define KERNELCLAW_LIB_EMBED_REGIONNAMES_H

#include "kernelclaw/Outline/DimNames.h"
#include "kernelclaw/Plan/Plan.h"

#include "mlir/IR/Builders.h"

#include <map>

namespace kclaw {

/// What is known when the module is made, and the index values of the rest.
struct NameValues {
  Bindings fixed;
  std::map<std::string, mlir::Value> dynamic;

  /// These, and the plan's tunables as they were chosen.
  NameValues with(const std::vector<Tunable> &tunables) const;
};

/// The names of one region function, kept when its body is replaced.
class RegionNames {
public:
  /// `region` is in Torch dialect.
  explicit RegionNames(mlir::func::FuncOp region);

  /// Values of the names where `arguments` are the region's arguments;
  /// `size(i, dim)` is an index value of a dynamic size of argument i.
  NameValues
  values(mlir::OpBuilder &builder, mlir::Location loc,
         mlir::ValueRange arguments,
         llvm::function_ref<mlir::Value(unsigned, int64_t)> size) const;

  /// Range of each dynamic dimension, by name.
  std::map<std::string, DimRange> ranges() const;

private:
  std::vector<std::vector<DimNames::Dim>> dims; ///< of each argument
  /// A dynamic size of a result is also one of an argument (DimNames).
  Bindings fixedOfResults;
};

/// Code for the expression over `names`, as an index value or a constant.
/// A divisor of zero counts as one instead of a trap; `rows > 0` and the like
/// must be guarded. Invalid with the name or syntax that is wrong.
Expected<mlir::OpFoldResult> emitExpr(mlir::OpBuilder &builder,
                                      mlir::Location loc, const Expr &expr,
                                      const NameValues &names);

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_REGIONNAMES_H
