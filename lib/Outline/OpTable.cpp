//===- OpTable.cpp - The class of each op ---------------------------------===//
//
// One table. A name with overload wins over the name without.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Outline/Outline.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace kclaw;

namespace {
struct ClassRow {
  OpClass opClass;
  StringLiteral family;
  StringLiteral names; ///< separated by blanks, without "aten."
};
} // namespace

static const ClassRow classTable[] = {
    {OpClass::Scalar, "other",
     "size.int size dim len.t len numel is_floating_point prim.ListConstruct "
     "prim.TupleConstruct prim.TupleUnpack prim.NumToTensor.int "
     "symbolic_int promote_dtypes"},
    {OpClass::View, "pointwise",
     "view reshape view_as reshape_as _unsafe_view _reshape_alias unsqueeze "
     "squeeze flatten unflatten permute transpose t movedim swapaxes expand "
     "expand_as broadcast_to broadcast_tensors slice narrow select diagonal "
     "split split_with_sizes unbind chunk tensor_split hsplit clone contiguous "
     "alias detach lift_fresh lift_fresh_copy resolve_conj resolve_neg "
     "prims.squeeze prims.view_of prims.split_dim prims.collapse "
     "prim.ListUnpack tensor_static_info_cast numpy_T to.device unfold "
     "positive"},
    {OpClass::Creation, "pointwise",
     "zeros ones full empty empty_strided zeros_like ones_like full_like "
     "empty_like new_zeros new_ones new_full new_empty new_empty_strided "
     "arange linspace eye scalar_tensor tensor tensor.int tensor.float "
     "tensor.bool prim.NumToTensor.Scalar prims.iota tril_indices "
     "triu_indices"},
    {OpClass::SideEffect, "other",
     "Int.Tensor Float.Tensor Bool.Tensor IntImplicit FloatImplicit "
     "ScalarImplicit item _local_scalar_dense prim.tolist prim.Print "
     "_assert_tensor_metadata _assert_scalar _assert_async warn "
     "sym_constrain_range sym_constrain_range_for_size copy.to_vtensor "
     "copy.to_tensor overwrite.tensor.contents bind_symbolic_shape "
     "runtime.assert"},
    {OpClass::Pointwise, "pointwise",
     "abs acos acosh add addcdiv addcmul asin asinh atan atan2 atanh "
     "bitwise_and bitwise_left_shift bitwise_not bitwise_or "
     "bitwise_right_shift bitwise_xor ceil celu clamp clamp_max clamp_min clip "
     "copy copysign cos cosh deg2rad div elu eq erf erfc erfinv exp exp2 "
     "expm1 fill floor floor_divide fmax fmin fmod frac ge gelu "
     "gelu_backward glu gt hardshrink hardsigmoid hardswish hardtanh heaviside "
     "hypot isclose isfinite isinf isnan isneginf isposinf le leaky_relu lerp "
     "lgamma log log10 log1p log2 logaddexp logaddexp2 log_sigmoid "
     "log_sigmoid_forward logical_and logical_not logical_or logical_xor logit "
     "lt masked_fill max.other maximum min.other minimum mish mul multiply "
     "nan_to_num ne neg polar pow prelu rad2deg reciprocal relu relu6 "
     "remainder "
     "round rrelu rsqrt rsub selu sgn sigmoid sigmoid_backward sign signbit "
     "silu sin sinc sinh softplus softshrink soft_margin_loss.none sqrt square "
     "sub subtract tan tanh tanh_backward tanhshrink threshold "
     "threshold_backward to to.dtype to.dtype_layout to.other to.prim_Device "
     "_to_copy type_as trunc true_divide divide where xlogy zero __and__ "
     "__or__ __xor__ __lshift__ __rshift__ prims.convert_element_type "
     "prims.sqrt prims.where dequantize.self tril triu"},
    {OpClass::DataMove, "pointwise",
     "cat concat stack hstack vstack pad constant_pad_nd reflection_pad1d "
     "reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d "
     "replication_pad3d flip fliplr flipud roll rot90 repeat "
     "repeat_interleave tile embedding gather index take take_along_dim "
     "index_select index_put index_add index_copy index_fill _unsafe_index "
     "_unsafe_index_put scatter scatter_add scatter_reduce select_scatter "
     "slice_scatter diagonal_scatter as_strided as_strided_copy one_hot "
     "diag_embed meshgrid pixel_shuffle pixel_unshuffle channel_shuffle "
     "upsample_nearest1d upsample_nearest2d upsample_nearest3d "
     "upsample_bilinear2d upsample_linear1d upsample_trilinear3d "
     "upsample_bicubic2d grid_sampler grid_sampler_2d im2col col2im "
     "masked_scatter bucketize searchsorted"},
    {OpClass::Reduction, "reduction",
     "sum mean prod max max.dim min min.dim amax amin aminmax argmax argmin "
     "all any std std_mean var var_mean norm linalg_vector_norm linalg_norm "
     "frobenius_norm nuclear_norm nansum nanmean count_nonzero mse_loss "
     "l1_loss smooth_l1_loss huber_loss kl_div binary_cross_entropy "
     "binary_cross_entropy_with_logits poisson_nll_loss gaussian_nll_loss "
     "soft_margin_loss hinge_embedding_loss margin_ranking_loss "
     "cosine_embedding_loss triplet_margin_loss cosine_similarity "
     "pairwise_distance embedding_bag _embedding_bag trace dist prims.sum "
     "prims.var prims.amax"},
    {OpClass::Softmax, "softmax",
     "softmax _softmax _safe_softmax log_softmax _log_softmax softmin "
     "logsumexp cross_entropy_loss nll_loss nll_loss_nd nll_loss2d "
     "nll_loss_forward nll_loss2d_forward"},
    {OpClass::Norm, "norm",
     "layer_norm native_layer_norm group_norm native_group_norm batch_norm "
     "native_batch_norm _native_batch_norm_legit "
     "_native_batch_norm_legit_functional "
     "_native_batch_norm_legit_no_training cudnn_batch_norm instance_norm "
     "rms_norm _fused_rms_norm local_response_norm renorm "
     "_weight_norm_interface"},
    {OpClass::Pooling, "reduction",
     "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d "
     "max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices "
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
     "_adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_max_pool1d "
     "adaptive_max_pool2d adaptive_max_pool3d"},
    {OpClass::Scan, "reduction",
     "cumsum cumprod cummax cummin logcumsumexp diff"},
    {OpClass::Sort, "other", "sort argsort topk kthvalue msort median mode"},
    {OpClass::Attention, "other",
     "scaled_dot_product_attention _scaled_dot_product_flash_attention "
     "_scaled_dot_product_flash_attention_for_cpu "
     "_scaled_dot_product_efficient_attention "
     "_scaled_dot_product_cudnn_attention"},
    {OpClass::Recurrence, "other",
     "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell "
     "rnn_relu_cell"},
    {OpClass::Contraction, "contraction",
     "linear mm bmm matmul addmm addbmm baddbmm mv addmv dot vdot inner outer "
     "ger einsum tensordot bilinear cdist _cdist_forward chain_matmul "
     "linalg_multi_dot kron"},
    {OpClass::Convolution, "convolution",
     "convolution _convolution convolution_overrideable conv1d conv2d conv3d "
     "conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc "
     "thnn_conv2d cudnn_convolution mkldnn_convolution"},
    {OpClass::Random, "other",
     "bernoulli rand rand_like randn randn_like randint randint_like randperm "
     "normal normal_functional uniform multinomial dropout native_dropout "
     "feature_dropout alpha_dropout exponential poisson geometric cauchy "
     "log_normal random binomial rrelu_with_noise "
     "rrelu_with_noise_functional _fused_dropout prims.normal "
     "valsem.aten.bernoulli"},
};

static StringMap<OpClass> buildClassMap() {
  StringMap<OpClass> map;
  for (const ClassRow &row : classTable) {
    SmallVector<StringRef> names;
    row.names.split(names, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef name : names)
      map.try_emplace(name, row.opClass);
  }
  return map;
}

OpClass kclaw::classifyOp(StringRef opName) {
  static const StringMap<OpClass> map = buildClassMap();
  if (opName.starts_with("constant."))
    return OpClass::Scalar;
  opName.consume_front("aten.");
  auto full = map.find(opName);
  if (full != map.end())
    return full->second;
  // "add" of "add.Tensor"; "prims.sum" and "__and__" of what starts so.
  size_t from = opName.starts_with("prim")      ? opName.find('.') + 1
                : opName.starts_with("valsem.") ? opName.rfind("aten.") + 5
                                                : 0;
  auto base = map.find(opName.take_front(opName.find('.', from)));
  return base == map.end() ? OpClass::Unknown : base->second;
}

StringRef kclaw::familyName(OpClass opClass) {
  for (const ClassRow &row : classTable)
    if (row.opClass == opClass)
      return row.family;
  return "other";
}
