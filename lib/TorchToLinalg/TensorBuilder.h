//===- TensorBuilder.h - Linalg on tensors, one call an op ------*- C++ -*-===//
//
// What the operator families build with: element-wise maps, reductions,
// contractions and views over `Tensor`, a builtin tensor with its Torch dtype
// (builtin integers hide the sign). With `widen`, every float is stored and
// computed in f64, whatever its dtype says.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_TORCHTOLINALG_TENSORBUILDER_H
#define KERNELCLAW_LIB_TORCHTOLINALG_TENSORBUILDER_H

#include "Scalar.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace kclaw {

struct Tensor {
  mlir::Value value;
  mlir::Type dtype; ///< Torch's: f16, si64, ui8, i1

  mlir::RankedTensorType type() const {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }
  int64_t rank() const { return type().getRank(); }
  llvm::ArrayRef<int64_t> shape() const { return type().getShape(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(dtype); }
};

bool isUnsigned(mlir::Type dtype); ///< ui8, ..., and i1

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;
using Dims = llvm::SmallVector<int64_t>;

/// first, first + 1, ..., end - 1
inline Dims dimRange(int64_t first, int64_t end) {
  Dims dims;
  for (int64_t dim = first; dim < end; ++dim)
    dims.push_back(dim);
  return dims;
}

/// Where a linalg body is built: constants, positions, loads.
struct Body {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  Num index(int64_t dim) const; ///< position in the iteration space, as i64
  Num constant(mlir::Type type, double value) const;
  Num wrap(mlir::Value value, bool isUnsigned = false) const {
    return {const_cast<mlir::OpBuilder *>(&builder), loc, value, isUnsigned};
  }
  /// i64 of an index value or constant.
  Num size(mlir::OpFoldResult size) const;
  /// The element at these positions, of the storage type.
  Num load(Tensor tensor, llvm::ArrayRef<Num> positions) const;
};

using ElementFn = llvm::function_ref<Num(Body, llvm::ArrayRef<Num>)>;
using StepFn = llvm::function_ref<Num(Body, Num, llvm::ArrayRef<Num>)>;

/// An operand of a linalg op. Without a map it is broadcast: aligned at the
/// right, sizes of 1 repeated.
struct Input {
  Tensor tensor;
  mlir::AffineMap map;
  Input(Tensor tensor, mlir::AffineMap map = {}) : tensor(tensor), map(map) {}
};
using Inputs = llvm::ArrayRef<Input>;

class TensorBuilder {
public:
  TensorBuilder(mlir::OpBuilder &builder, mlir::Location loc, bool widen)
      : b(builder), loc(loc), widen(widen) {}

  mlir::OpBuilder &b;
  mlir::Location loc;
  bool widen;
  bool keepConvolutions = false; ///< LinalgOptions
  llvm::StringRef name; ///< of the op that is lowered: "aten.add.Tensor"

  //===--- Requirements ---------------------------------------------------===//
  // Errors of the call, as PyTorch raises them; {0} and {1} in a text become
  // the values. What is known to be wrong already is a diagnostic.
  void require(mlir::Value condition, const llvm::Twine &text,
               mlir::ValueRange values);
  void
  requireEqual(mlir::OpFoldResult a, mlir::OpFoldResult c,
               const llvm::Twine &text = "sizes {0} and {1} must be equal");
  void requireAtLeast(mlir::OpFoldResult a, mlir::OpFoldResult least,
                      const llvm::Twine &text);
  /// Each dim of the operand that is a loop by itself has the loop's size.
  void requireFit(Tensor tensor, mlir::AffineMap map,
                  llvm::ArrayRef<mlir::OpFoldResult> domain,
                  const llvm::Twine &text = "sizes {0} and {1} must be equal");
  /// The same where PyTorch would repeat a size of 1.
  void requireFitUnrepeated(Tensor tensor, mlir::AffineMap map,
                            llvm::ArrayRef<mlir::OpFoldResult> domain);
  /// The tensor has as many elements as a tensor of the sizes `target`.
  void requireSameCount(Tensor tensor,
                        llvm::ArrayRef<mlir::OpFoldResult> target);
  /// The dims `over` are not empty: an extreme value has no neutral element.
  void requireElements(Tensor tensor, llvm::ArrayRef<int64_t> over);
  /// Each index is one of dim `dim` of `x`, or from the end where PyTorch
  /// `wraps`, or is `ignored`.
  void requireIndices(Tensor index, Tensor x, int64_t dim, bool wraps,
                      std::optional<int64_t> ignored = std::nullopt);
  bool failed() const { return hasFailed; }

  //===--- Types ----------------------------------------------------------===//
  mlir::Type storageType(mlir::Type dtype) const;
  /// What an op on this dtype computes in: f32 for the 16-bit floats.
  mlir::Type computeType(mlir::Type dtype) const;
  /// Dtype of an unrounded intermediate of an op on `dtype`.
  mlir::Type computeDtype(mlir::Type dtype) const;
  /// Dtype in which sums are taken: f64 for floats, so that a long f32 sum
  /// needs no blocks, si64 for integers.
  mlir::Type sumDtype(mlir::Type dtype) const;
  mlir::Type f32() const { return b.getF32Type(); }
  mlir::Type f64() const { return b.getF64Type(); }
  mlir::Type si64() const { return b.getIntegerType(64, true); }
  mlir::Type boolean() const { return b.getI1Type(); }

  //===--- Sizes ----------------------------------------------------------===//
  Sizes sizes(Tensor tensor);
  mlir::OpFoldResult size(Tensor tensor, int64_t dim);
  mlir::OpFoldResult fixed(int64_t value) { return b.getIndexAttr(value); }
  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult mul(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult divide(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult minimum(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult maximum(mlir::OpFoldResult a, mlir::OpFoldResult c);
  /// Sizes of the operands broadcast together.
  Sizes broadcastSizes(llvm::ArrayRef<Tensor> tensors);
  mlir::Value asIndex(mlir::OpFoldResult size);

  //===--- Maps -----------------------------------------------------------===//
  mlir::AffineExpr d(int64_t dim) { return b.getAffineDimExpr(dim); }
  mlir::AffineExpr c(int64_t v) { return b.getAffineConstantExpr(v); }
  mlir::AffineMap map(int64_t rank, llvm::ArrayRef<mlir::AffineExpr> exprs) {
    return mlir::AffineMap::get(rank, 0, exprs, b.getContext());
  }
  /// (d0, ...) -> those dims.
  mlir::AffineMap dimsMap(int64_t rank, llvm::ArrayRef<int64_t> dims);
  mlir::AffineMap broadcastMap(Tensor tensor, int64_t rank,
                               llvm::ArrayRef<mlir::OpFoldResult> sizes);

  //===--- Maps over elements
  //----------------------------------------------===//
  /// Arguments come in the compute type of `argDtype` (of their own dtype when
  /// null); the value is converted to `dtype`.
  Tensor elementwise(Inputs inputs, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                     mlir::Type dtype, mlir::Type argDtype, ElementFn body);
  /// Changes dtype without an explicit cast's rounding (none when widened).
  Tensor convertTo(Tensor tensor, mlir::Type dtype);
  /// An explicit cast of the program: rounds to `dtype` in widened mode too.
  Tensor roundTo(Tensor tensor, mlir::Type dtype);
  Tensor fill(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type dtype,
              mlir::TypedAttr value);
  Tensor fill(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type dtype,
              double value);
  Tensor empty(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type dtype);

  //===--- Reductions
  //------------------------------------------------------===//
  /// Folds the dims `over` of the iteration space into an accumulator of
  /// `dtype` that starts at `initial`; arguments come in its storage type.
  Tensor reduce(Inputs inputs, llvm::ArrayRef<mlir::OpFoldResult> domain,
                llvm::ArrayRef<int64_t> over, mlir::Type dtype,
                mlir::TypedAttr initial, StepFn step);
  /// The same, starting at the elements of `initial`.
  Tensor reduceInto(Tensor initial, Inputs inputs,
                    llvm::ArrayRef<mlir::OpFoldResult> domain,
                    llvm::ArrayRef<int64_t> over, StepFn step);
  /// Sum of body(args) in sumDtype(argDtype); `argDtype` as in elementwise.
  Tensor sum(Inputs inputs, llvm::ArrayRef<mlir::OpFoldResult> domain,
             llvm::ArrayRef<int64_t> over, mlir::Type argDtype, ElementFn body);
  Tensor sum(Tensor tensor, llvm::ArrayRef<int64_t> over);
  Tensor max(Tensor tensor, llvm::ArrayRef<int64_t> over);
  Tensor min(Tensor tensor, llvm::ArrayRef<int64_t> over);
  /// Sum of products in the compute type (f32 for the 16-bit floats).
  Tensor contract(Input lhs, Input rhs,
                  llvm::ArrayRef<mlir::OpFoldResult> domain,
                  llvm::ArrayRef<int64_t> over, mlir::Type dtype);
  /// The smallest (largest) value of a dtype in its storage type.
  mlir::TypedAttr lowest(mlir::Type dtype);
  mlir::TypedAttr highest(mlir::Type dtype);
  mlir::TypedAttr number(mlir::Type dtype, double value);

  //===--- Views
  //-----------------------------------------------------------===//
  /// `sameCount`: the sizes were computed so that every element has a place.
  Tensor reshape(Tensor tensor, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                 bool sameCount = false);
  Tensor unsqueeze(Tensor tensor, llvm::ArrayRef<int64_t> dimsOfResult);
  Tensor squeeze(Tensor tensor, llvm::ArrayRef<int64_t> dims);
  Tensor splitDim(Tensor tensor, int64_t dim, int64_t outer);
  Tensor mergeDims(Tensor tensor, int64_t first, int64_t count);
  Tensor permute(Tensor tensor, llvm::ArrayRef<int64_t> permutation);
  Tensor expand(Tensor tensor, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  Tensor slice(Tensor tensor, int64_t dim, mlir::OpFoldResult offset,
               mlir::OpFoldResult size, int64_t step = 1);
  Tensor concat(llvm::ArrayRef<Tensor> tensors, int64_t dim);
  Tensor insert(Tensor into, Tensor tensor,
                llvm::ArrayRef<mlir::OpFoldResult> offsets,
                llvm::ArrayRef<int64_t> strides);
  /// Pads (negative: crops) each dim with a value of the storage type.
  Tensor pad(Tensor tensor, llvm::ArrayRef<int64_t> low,
             llvm::ArrayRef<int64_t> high, mlir::TypedAttr value);
  Tensor flip(Tensor tensor, llvm::ArrayRef<int64_t> dims);
  /// To a type that differs in which dims are static.
  Tensor castShape(Tensor tensor, llvm::ArrayRef<int64_t> shape);

protected:
  bool hasFailed = false; ///< a diagnostic was given
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_TORCHTOLINALG_TENSORBUILDER_H
