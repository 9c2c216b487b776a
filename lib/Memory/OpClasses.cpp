//===- OpClasses.cpp - What kind of work a Torch op is --------------------===//
//
// A name with its overload wins over the name without.
//
//===----------------------------------------------------------------------===//
#include "OpClasses.h"

#include <map>
#include <sstream>

namespace kclaw {
namespace {

struct ClassRow {
  OpKind kind;
  ReducedDims reduced;
  bool transcendental;
  const char *names; ///< separated by blanks, without "aten."
};

constexpr ClassRow rows[] = {
    {OpKind::View, ReducedDims::None, false,
     "view reshape view_as reshape_as _unsafe_view _reshape_alias unsqueeze "
     "squeeze flatten unflatten expand expand_as broadcast_to slice narrow "
     "select split split_with_sizes unbind chunk clone contiguous alias detach "
     "lift_fresh_copy view_of split_dim collapse ListUnpack expand_copy "
     "view_copy tensor_static_info_cast unfold"},
    {OpKind::Creation, ReducedDims::None, false,
     "literal zeros ones full empty empty_strided zeros_like ones_like "
     "full_like empty_like new_zeros new_ones new_full new_empty arange "
     "linspace eye scalar_tensor tensor NumToTensor iota"},
    {OpKind::Pointwise, ReducedDims::None, false,
     "abs add addcmul bitwise_and bitwise_not bitwise_or bitwise_xor ceil "
     "clamp clamp_max clamp_min eq fill floor fmax fmin ge gt hardshrink "
     "hardsigmoid hardswish hardtanh heaviside isinf isnan isfinite le "
     "leaky_relu lerp logical_and logical_not logical_or logical_xor lt "
     "masked_fill max.other maximum min.other minimum mul multiply ne neg "
     "prelu _prelu_kernel relu relu6 round rsub sgn sign softshrink sub square "
     "threshold to _to_copy type_as trunc where __and__ __or__ __xor__ "
     "convert_element_type tril triu copy"},
    {OpKind::Pointwise, ReducedDims::None, true,
     "acos acosh addcdiv asin asinh atan atan2 atanh celu cos cosh div elu erf "
     "erfc erfinv exp exp2 expm1 floor_divide fmod gelu glu log log10 log1p "
     "log2 logaddexp log_sigmoid logit mish pow reciprocal remainder rsqrt "
     "selu sigmoid silu sin sinc sinh softplus softsign sqrt swish tan tanh "
     "tanhshrink true_divide divide"},
    {OpKind::Layout, ReducedDims::None, false,
     "permute transpose t movedim swapaxes numpy_T permute_copy cat concat "
     "stack hstack vstack pad constant_pad_nd reflection_pad1d "
     "reflection_pad2d replication_pad1d replication_pad2d flip roll rot90 "
     "repeat repeat_interleave tile slice_scatter select_scatter "
     "pixel_shuffle pixel_unshuffle channel_shuffle diagonal diag_embed "
     "im2col col2im as_strided upsample_nearest1d upsample_nearest2d "
     "upsample_nearest3d"},
    {OpKind::Gather, ReducedDims::None, false,
     "embedding gather index take take_along_dim index_select index_put "
     "index_add index_copy _unsafe_index _unsafe_index_put scatter "
     "scatter_add scatter_reduce one_hot grid_sampler grid_sampler_2d "
     "embedding_bag _embedding_bag bucketize searchsorted masked_scatter "
     "upsample_bilinear2d"},
    {OpKind::Reduction, ReducedDims::Operand1, false,
     "sum.dim_IntList mean.dim prod.dim_int max.dim min.dim amax amin argmax "
     "argmin all.dim all.dims any.dim any.dims var.dim var.correction "
     "std.dim std.correction var_mean.dim var_mean.correction nansum "
     "logsumexp count_nonzero"},
    {OpKind::Reduction, ReducedDims::All, false,
     "sum mean prod all any var std max min mse_loss l1_loss smooth_l1_loss "
     "huber_loss kl_div "
     "binary_cross_entropy binary_cross_entropy_with_logits "
     "hinge_embedding_loss margin_ranking_loss triplet_margin_loss trace dist "
     "frobenius_norm"},
    {OpKind::Reduction, ReducedDims::Operand2, false,
     "norm linalg_vector_norm cosine_similarity"},
    {OpKind::Reduction, ReducedDims::Last, false,
     "linalg_norm pairwise_distance cosine_embedding_loss"},
    {OpKind::Softmax, ReducedDims::Operand1, true,
     "softmax _softmax _safe_softmax log_softmax _log_softmax softmin"},
    {OpKind::Softmax, ReducedDims::Classes, true,
     "cross_entropy_loss nll_loss nll_loss_nd nll_loss2d nll_loss_forward"},
    {OpKind::Norm, ReducedDims::Trailing, true,
     "layer_norm native_layer_norm rms_norm _fused_rms_norm"},
    {OpKind::Norm, ReducedDims::Groups, true, "group_norm native_group_norm"},
    {OpKind::Norm, ReducedDims::Spatial, true, "instance_norm"},
    {OpKind::Norm, ReducedDims::NotChannel, true,
     "batch_norm native_batch_norm _native_batch_norm_legit "
     "_native_batch_norm_legit_functional cudnn_batch_norm"},
    {OpKind::Pointwise, ReducedDims::None, true,
     "_native_batch_norm_legit_no_training"},
    {OpKind::Norm, ReducedDims::None, true, "local_response_norm renorm"},
    {OpKind::Pooling, ReducedDims::None, false,
     "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d "
     "max_pool1d_with_indices max_pool2d_with_indices "
     "max_pool3d_with_indices"},
    {OpKind::Reduction, ReducedDims::Spatial, false,
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
     "_adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_max_pool1d "
     "adaptive_max_pool2d adaptive_max_pool3d"},
    {OpKind::Scan, ReducedDims::Operand1, false,
     "cumsum cumprod cummax cummin logcumsumexp"},
    {OpKind::Sort, ReducedDims::None, false,
     "sort argsort topk kthvalue median mode"},
    {OpKind::Attention, ReducedDims::None, true,
     "scaled_dot_product_attention _scaled_dot_product_flash_attention "
     "_scaled_dot_product_flash_attention_for_cpu "
     "_scaled_dot_product_efficient_attention"},
    {OpKind::Recurrence, ReducedDims::None, true,
     "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell"},
    {OpKind::Contraction, ReducedDims::None, false,
     "linear mm bmm matmul addmm baddbmm mv dot outer einsum tensordot "
     "bilinear cdist _cdist_forward"},
    {OpKind::Convolution, ReducedDims::None, false,
     "convolution _convolution conv1d conv2d conv3d conv_transpose1d "
     "conv_transpose2d conv_transpose3d"},
};

std::map<std::string, OpClass, std::less<>> buildTable() {
  std::map<std::string, OpClass, std::less<>> table;
  for (const ClassRow &row : rows) {
    std::istringstream names(row.names);
    for (std::string name; names >> name;)
      table.try_emplace(name,
                        OpClass{row.kind, row.reduced, row.transcendental});
  }
  return table;
}

/// "softmax.int" of "aten.softmax.int".
std::string_view withoutNamespace(std::string_view op) {
  for (std::string_view prefix :
       {"torch.", "aten.", "prims.", "prim.", "vtensor."})
    if (op.starts_with(prefix))
      op.remove_prefix(prefix.size());
  return op;
}

} // namespace

std::string_view baseName(std::string_view op) {
  op = withoutNamespace(op);
  return op.substr(0, op.find('.'));
}

OpClass classOf(std::string_view op) {
  static const auto table = buildTable();
  for (std::string_view name : {withoutNamespace(op), baseName(op)})
    if (auto found = table.find(name); found != table.end())
      return found->second;
  return {};
}

} // namespace kclaw
