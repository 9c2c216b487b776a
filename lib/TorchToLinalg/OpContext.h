//===- OpContext.h - One Torch op while it is lowered -----------*- C++ -*-===//
//
// What a row of the operator table gets: the op's operands in lowered form, its
// result types, and the TensorBuilder to build with. Errors stick: after
// `fail`, accessors return harmless values and the row's results are dropped,
// so rows need no checks between steps.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_TORCHTOLINALG_OPCONTEXT_H
#define KERNELCLAW_LIB_TORCHTOLINALG_OPCONTEXT_H

#include "TensorBuilder.h"

#include "llvm/ADT/DenseMap.h"

namespace kclaw {

/// Lowered forms of Torch values. Scalars are i64, f64 or i1 values.
struct ValueMap {
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Tensor>> lists;
};

class OpContext : public TensorBuilder {
public:
  OpContext(mlir::Operation *op, ValueMap &map, mlir::OpBuilder &builder,
            bool widen);

  mlir::Operation *op;

  //===--- Operands -------------------------------------------------------===//
  /// Fails when the op has fewer operands than `least` or more than `most`.
  void takes(unsigned least, unsigned most);
  /// False past the last operand and for None.
  bool has(unsigned i) const;
  bool isTensor(unsigned i) const;
  Tensor tensor(unsigned i);
  std::optional<Tensor> optional(unsigned i);
  llvm::SmallVector<Tensor> tensors(unsigned i);
  llvm::SmallVector<std::optional<Tensor>> optionalTensors(unsigned i);
  /// A scalar as a value: i64, f64 or i1.
  mlir::Value scalar(unsigned i);
  /// A scalar inside a body, in the compute type of `dtype`.
  Num scalarIn(Body body, unsigned i, mlir::Type dtype);
  int64_t integer(unsigned i, int64_t otherwise = 0);
  double number(unsigned i, double otherwise = 0);
  bool flag(unsigned i, bool otherwise = false);
  llvm::StringRef text(unsigned i, llvm::StringRef otherwise = "");
  Dims integers(unsigned i);
  /// With `count` entries: one entry is repeated, an empty list is `otherwise`.
  Dims integers(unsigned i, size_t count, int64_t otherwise);
  /// A list of constant numbers, each of which may be None.
  llvm::SmallVector<std::optional<double>> numbers(unsigned i);
  Sizes sizeList(unsigned i);
  mlir::OpFoldResult sizeAt(unsigned i);
  /// Operand `i` as a dim of a tensor of `rank`, from the end when negative.
  int64_t dim(unsigned i, int64_t rank, int64_t otherwise = 0);
  /// A list of dims; all of them when absent or empty.
  Dims dims(unsigned i, int64_t rank);
  using TensorBuilder::number;

  //===--- Results --------------------------------------------------------===//
  mlir::Type dtype(unsigned result = 0) const;
  llvm::ArrayRef<int64_t> resultShape(unsigned result = 0) const;
  bool used(unsigned result) const;
  /// Sets a tensor result; its dtype is converted to the declared one.
  void set(unsigned result, Tensor tensor);
  void set(Tensor tensor) { set(0, tensor); }
  void setScalar(mlir::Value value);
  void setList(llvm::ArrayRef<Tensor> tensors);

  mlir::InFlightDiagnostic error();
  void fail(const llvm::Twine &why);

private:
  mlir::Value constantOf(mlir::Value scalar);
  /// Of an operand that may not be there.
  std::optional<llvm::SmallVector<mlir::Value>> listElements(unsigned i) const;
  /// Fails where the row gives a result that the op does not have.
  bool hasResult(unsigned result);
  std::optional<mlir::Attribute> constantAttr(unsigned i);

  ValueMap &known;
  llvm::SmallVector<llvm::SmallVector<int64_t>> resultShapes;
};

int64_t wrapDim(int64_t dim, int64_t rank);

} // namespace kclaw

#endif // KERNELCLAW_LIB_TORCHTOLINALG_OPCONTEXT_H
