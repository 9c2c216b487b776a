//===- ResultNames.cpp - SSA names of results -----------------------------===//
//
// `%int1`, `%none`, `%values`: printed files keep the names that torch-mlir
// gives. Names of multi-result ops come from PyTorch's schemas.
//
//===----------------------------------------------------------------------===//
#include "TorchHooks.h"

#include "llvm/ADT/SmallString.h"

using namespace mlir;

namespace kclaw::torch {

namespace {
struct NamesRow {
  StringLiteral op; ///< without "torch."
  std::initializer_list<StringLiteral> names;
};
} // namespace

/// Ops with several results whose names are not result0, result1, ...
static const NamesRow namesTable[] = {
    {"aten.topk", {"values", "indices"}},
    {"aten.max.dim", {"values", "indices"}},
    {"aten.min.dim", {"values", "indices"}},
    {"aten.kthvalue", {"values", "indices"}},
    {"aten.sort", {"values", "indices"}},
    {"aten.aminmax", {"min", "max"}},
    {"aten.fake_quantize_per_tensor_affine_cachemask", {"output", "mask"}},
    {"aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
     {"output", "mask"}},
    {"aten.fake_quantize_per_channel_affine_cachemask", {"output", "mask"}},
    {"aten.nll_loss2d_forward", {"output", "total_weight"}},
    {"aten.nll_loss_forward", {"output", "total_weight"}},
    {"aten.log_sigmoid_forward", {"output", "buffer"}},
    {"aten.rrelu_with_noise_functional", {"result0", "noise_out"}},
    {"aten.linalg_qr", {"Q", "R"}},
    {"aten._linalg_det", {"result", "LU", "pivots"}},
    {"aten.linalg_slogdet", {"sign", "logabsdet"}},
    {"hop_flex_attention", {"output", "logsumexp", "max_scores"}},
};

/// Ops with several results named result0, result1, ...
static const StringLiteral numberedTable[] = {
    "aten.conv_tbc_backward",
    "aten.convolution_backward",
    "aten.native_batch_norm",
    "aten.native_group_norm",
    "aten.native_layer_norm",
    "aten.max_pool1d_with_indices",
    "aten.max_pool2d_with_indices",
    "aten.max_pool3d_with_indices",
    "aten.adaptive_max_pool1d",
    "aten.adaptive_max_pool2d",
    "aten.adaptive_max_pool3d",
    "aten.var_mean.correction",
    "aten.var_mean",
    "aten.var_mean.dim",
    "aten._weight_norm_interface",
    "aten.embedding_bag.padding_idx",
    "aten._embedding_bag",
    "aten.native_dropout",
    "aten.unique_consecutive",
    "aten.unique_dim",
    "aten.native_layer_norm_backward",
    "aten.native_batch_norm_backward",
    "aten.native_group_norm_backward",
    "torchvision.roi_pool",
};

static void nameResults(Operation *op, OpAsmSetValueNameFn setName) {
  StringRef name = op->getName().stripDialect();
  for (const NamesRow &row : namesTable)
    if (row.op == name && row.names.size() == op->getNumResults())
      for (auto [result, text] : llvm::zip(op->getResults(), row.names))
        setName(result, text);
  if (op->getNumResults() > 1 && llvm::is_contained(numberedTable, name))
    for (OpResult result : op->getResults())
      setName(result, "result" + std::to_string(result.getResultNumber()));
}

namespace {
struct ResultNamesModel : OpAsmOpInterface::FallbackModel<ResultNamesModel> {
  void getAsmResultNames(Operation *op, OpAsmSetValueNameFn setName) const {
    if (op->getNumResults() > 1)
      nameResults(op, setName);
  }
  void getAsmBlockArgumentNames(Operation *, Region &,
                                OpAsmSetValueNameFn) const {}
  void getAsmBlockNames(Operation *, OpAsmSetBlockNameFn) const {}
  static StringRef getDefaultDialect() { return ""; }
};
} // namespace

void *resultNamesModel() {
  static ResultNamesModel model;
  return &model;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void ConstantNoneOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "none");
}
void ConstantBoolOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getValue() ? "true" : "false");
}
void ConstantIntOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "int" + std::to_string(getValueAttr().getInt()));
}
void ConstantStrOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "str");
}
void ConstantDeviceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getValue());
}
/// The printed number without the '+' of its exponent, which no name may hold.
void ConstantFloatOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  SmallString<32> text("float");
  SmallString<16> digits;
  getValue().toString(digits, /*FormatPrecision=*/6, /*FormatMaxPadding=*/0,
                      /*TruncateZero=*/false);
  llvm::copy_if(digits, std::back_inserter(text),
                [](char c) { return c != '+'; });
  setName(getResult(), text);
}

} // namespace kclaw::torch
