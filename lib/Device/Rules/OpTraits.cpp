//===- Rules/OpTraits.cpp - What the rules know about Torch ops -----------===//
#include "Rules/OpTraits.h"
#include "JudgeStructs.h"

#include <algorithm>

namespace kclaw {

constexpr IndexOp indexOps[] = {
    {"aten.argmax", 0, 1, 0, false},
    {"aten.argmin", 0, 1, 0, false},
    {"aten.max.dim", 1, 1, 0, false},
    {"aten.min.dim", 1, 1, 0, false},
    {"aten.topk", 1, 2, 0, true},
    {"aten.sort", 1, 1, 0, true},
    {"aten.argsort", 0, 1, 0, true},
    {"aten.kthvalue", 1, 2, 0, false},
    {"aten.max_pool1d_with_indices", 1, -1, 1, false},
    {"aten.max_pool2d_with_indices", 1, -1, 2, false},
    {"aten.max_pool3d_with_indices", 1, -1, 3, false},
    {"aten.adaptive_max_pool1d", 1, -1, 1, false},
    {"aten.adaptive_max_pool2d", 1, -1, 2, false},
    {"aten.adaptive_max_pool3d", 1, -1, 3, false},
};

constexpr std::string_view comparisons[] = {
    "aten.gt",         "aten.lt",          "aten.ge",
    "aten.le",         "aten.eq",          "aten.ne",
    "aten.isnan",      "aten.isinf",       "aten.isfinite",
    "aten.isposinf",   "aten.isneginf",    "aten.signbit",
    "aten.sign",       "aten.sgn",         "aten.logical_and",
    "aten.logical_or", "aten.logical_not", "aten.logical_xor",
    "aten.any",        "aten.all",
};

constexpr std::string_view roundings[] = {
    "aten.floor",
    "aten.ceil",
    "aten.trunc",
    "aten.round",
};

/// Casts round in the reference too: explicit ones are kept in f64.
constexpr std::string_view casts[] = {
    "aten.to",      "aten._to_copy", "prims.convert_element_type",
    "aten.type_as", "aten.Int",      "aten.Bool",
};

constexpr std::string_view selections[] = {
    "aten.argmax",
    "aten.argmin",
    "aten.max",
    "aten.min",
    "aten.amax",
    "aten.amin",
    "aten.aminmax",
    "aten.topk",
    "aten.sort",
    "aten.argsort",
    "aten.kthvalue",
    "aten.where",
    "aten.max_pool1d_with_indices",
    "aten.max_pool2d_with_indices",
    "aten.max_pool3d_with_indices",
    "aten.adaptive_max_pool1d",
    "aten.adaptive_max_pool2d",
    "aten.adaptive_max_pool3d",
};

constexpr std::string_view otherExact[] = {
    "aten.max_pool1d",
    "aten.max_pool2d",
    "aten.max_pool3d",
    "aten.maximum",
    "aten.minimum",
    "aten.relu",
    "aten.abs",
    "aten.neg",
    "aten.clamp",
    "aten.clamp_min",
    "aten.clamp_max",
    "aten.hardtanh",
    "aten.cat",
    "aten.stack",
    "aten.gather",
    "aten.index",
    "aten.index_select",
    "aten.embedding",
    "aten.slice",
    "aten.select",
    "aten.narrow",
    "aten.split",
    "aten.split_with_sizes",
    "aten.chunk",
    "aten.unbind",
    "aten.masked_fill",
    "aten.tril",
    "aten.triu",
    "aten.constant_pad_nd",
    "aten.pad",
    "aten.transpose",
    "aten.permute",
    "aten.t",
    "aten.expand",
    "aten.expand_as",
    "aten.broadcast_to",
    "aten.repeat",
    "aten.flip",
    "aten.roll",
    "aten.zeros_like",
    "aten.ones_like",
    "aten.full_like",
    "aten.full",
    "aten.zeros",
    "aten.ones",
    "vtensor.literal",
    "aten.scatter",
    "aten.diagonal",
};

constexpr std::string_view otherSteps[] = {
    "aten.remainder",
    "aten.fmod",
    "aten.floor_divide",
    "aten.hardshrink",
    "aten.threshold",
    "aten.bucketize",
    "aten.searchsorted",
    "aten.div",
    "aten.heaviside",
    "aten.fake_quantize_per_tensor_affine_cachemask",
    "aten.fake_quantize_per_channel_affine_cachemask",
};

constexpr std::string_view views[] = {
    "aten.view",       "aten.reshape", "aten._unsafe_view", "aten.flatten",
    "aten.unflatten",  "aten.squeeze", "aten.unsqueeze",    "aten.clone",
    "aten.contiguous", "aten.detach",  "aten.alias",        "prims.view_of",
};

constexpr std::string_view products[] = {
    "aten.linear",
    "aten.mm",
    "aten.bmm",
    "aten.matmul",
    "aten.addmm",
    "aten.addbmm",
    "aten.baddbmm",
    "aten.mv",
    "aten.addmv",
    "aten.dot",
    "aten.vdot",
    "aten.inner",
    "aten.einsum",
    "aten.tensordot",
    "aten.bilinear",
    "aten.conv1d",
    "aten.conv2d",
    "aten.conv3d",
    "aten.convolution",
    "aten._convolution",
    "aten.conv_transpose1d",
    "aten.conv_transpose2d",
    "aten.conv_transpose3d",
    "aten.scaled_dot_product_attention",
};

/// Steps of a recurrence: products behind bounded functions of products.
constexpr std::string_view recurrences[] = {
    "aten.lstm",          "aten.gru",           "aten.rnn_tanh",
    "aten.rnn_relu",      "aten.lstm_cell",     "aten.gru_cell",
    "aten.rnn_tanh_cell", "aten.rnn_relu_cell",
};

constexpr std::string_view boundedOps[] = {
    "aten.clamp",    "aten.clamp_min", "aten.clamp_max", "aten.hardtanh",
    "aten.relu6",    "aten.sigmoid",   "aten.tanh",      "aten.hardsigmoid",
    "aten.softsign", "aten.erf",       "aten.atan",      "aten.sin",
    "aten.cos",      "aten.minimum",   "aten.maximum",
};

/// Weights that sum to 1, of which a few may be all: bounded, and where the
/// largest two are near each other as steep as what they are made of is large.
constexpr std::string_view softmaxes[] = {
    "aten.softmax",       "aten._softmax",
    "aten._safe_softmax", "aten.log_softmax",
    "aten._log_softmax",  "aten.cross_entropy_loss",
    "aten.logsumexp",     "aten.scaled_dot_product_attention",
};

constexpr std::string_view quotients[] = {
    "aten.floor_divide",
    "aten.div",
    "aten.remainder",
    "aten.fmod",
};

constexpr std::string_view zeroKeeping[] = {
    "aten.neg",          "aten.abs",       "aten.expand",
    "aten.permute",      "aten.transpose", "aten.t",
    "aten.repeat",       "aten.flip",      "aten.expand_as",
    "aten.broadcast_to", "aten.slice",     "aten.select",
};

constexpr std::string_view scans[] = {
    "aten.cumsum",
    "aten.cumprod",
    "aten.logcumsumexp",
};

/// "aten.gt" of "aten.gt.Scalar": names have one dot, overloads another.
static std::string_view withoutOverload(std::string_view name) {
  size_t first = name.find('.');
  size_t second = first == name.npos ? name.npos : name.find('.', first + 1);
  return name.substr(0, second);
}

template <size_t N>
static bool has(const std::string_view (&table)[N], std::string_view name) {
  return std::ranges::find(table, withoutOverload(name)) != std::end(table);
}

const IndexOp *indexOp(std::string_view name, size_t result) {
  for (const IndexOp &row : indexOps)
    if ((row.name == name || row.name == withoutOverload(name)) &&
        row.result == result && name != "aten.sort.stable")
      return &row;
  return nullptr;
}

bool isExactOp(std::string_view name) {
  return has(comparisons, name) || has(roundings, name) || has(casts, name) ||
         has(selections, name) || has(otherExact, name) || has(views, name);
}

bool hasSteps(std::string_view name) {
  return has(comparisons, name) || has(roundings, name) ||
         has(otherSteps, name) || has(casts, name) || indexOp(name, 0) ||
         indexOp(name, 1);
}

bool keepsFlatOrder(std::string_view name) { return has(views, name); }

bool isProduct(std::string_view name) {
  return has(products, name) || has(recurrences, name);
}

bool isBounded(std::string_view name) {
  return has(boundedOps, name) || has(recurrences, name) ||
         has(softmaxes, name);
}

bool isCast(std::string_view name) { return has(casts, name); }

bool isQuotient(std::string_view name) { return has(quotients, name); }

bool keepsZeros(std::string_view name) {
  return has(views, name) || has(casts, name) || has(zeroKeeping, name);
}

bool isScan(std::string_view name) { return has(scans, name); }

bool isExactIn(DType type, double literal) {
  double rounded = kclRound(literal, static_cast<int>(type));
  return kclSame(rounded, literal);
}

} // namespace kclaw
