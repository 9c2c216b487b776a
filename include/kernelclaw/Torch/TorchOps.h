//===- TorchOps.h - How passes look at Torch ops ----------------*- C++ -*-===//
//
// Most Torch ops are unregistered here: passes go by name. `opName` treats
// `torch.aten.X` and `torch.operator "torch.aten.X"` as the same op.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCH_TORCHOPS_H
#define KERNELCLAW_TORCH_TORCHOPS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace kclaw::torch {

/// "aten.add.Tensor", "prim.ListConstruct", "constant.int"; the text inside a
/// torch.operator without its "torch." prefix. Empty for other dialects.
llvm::StringRef opName(mlir::Operation *op);

/// True when the op neither writes memory nor draws random numbers, so CSE and
/// DCE may work on it.
bool isPure(llvm::StringRef opName);
/// dropout in training mode, bernoulli, rand*, normal*, ...
bool isRandom(llvm::StringRef opName);

/// The constant behind a Torch scalar value, if any: attributes are IntegerAttr
/// i64 (int), FloatAttr f64 (float), BoolAttr, StringAttr (str and device);
/// UnitAttr stands for None.
std::optional<mlir::Attribute> constantValue(mlir::Value value);

/// Elements of a torch.prim.ListConstruct, or nullopt.
std::optional<llvm::SmallVector<mlir::Value>> listElements(mlir::Value value);

/// `!torch.vtensor<[2,?],f32>`: sizes (ShapedType::kDynamic for ?) and dtype;
/// nullopt when rank or dtype is unknown or the type is no tensor.
struct TensorShape {
  llvm::SmallVector<int64_t> sizes;
  mlir::Type dtype; ///< f32, si64, ui8, i1, ...
};
std::optional<TensorShape> tensorShape(mlir::Type type);
mlir::Type makeTensorType(mlir::MLIRContext *context,
                          llvm::ArrayRef<int64_t> sizes, mlir::Type dtype);

/// si64 -> i64 and so on: the signless type of builtin tensors.
mlir::Type builtinElementType(mlir::Type dtype);

} // namespace kclaw::torch

#endif // KERNELCLAW_TORCH_TORCHOPS_H
