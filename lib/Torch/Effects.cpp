//===- Effects.cpp - Which torch ops are pure or random -------------------===//
//
// By name: torch ops are pure unless a table, a trailing underscore or an `out`
// overload says otherwise. Ops of other namespaces may do anything.
//
//===----------------------------------------------------------------------===//
#include "TorchHooks.h"

#include "kernelclaw/Torch/TorchOps.h"

using namespace mlir;

namespace kclaw::torch {

/// Namespaces whose ops have the value semantics of their schema.
static constexpr StringLiteral knownNamespaces[] = {
    "aten",      "prims",   "prim",
    "constant",  "vtensor", "torchvision",
    "quantized", "valsem",  "quantized_decomposed"};

/// Ops that draw random numbers, without overload.
static constexpr StringLiteral randomTable[] = {
    "aten.bernoulli",        "aten.rand",
    "aten.rand_like",        "aten.randn",
    "aten.randn_like",       "aten.randint",
    "aten.randint_like",     "aten.randperm",
    "aten.normal",           "aten.normal_functional",
    "aten.uniform",          "aten.multinomial",
    "aten.dropout",          "aten.native_dropout",
    "aten.feature_dropout",  "aten.alpha_dropout",
    "aten.exponential",      "aten.poisson",
    "aten.geometric",        "aten.cauchy",
    "aten.log_normal",       "aten.random",
    "aten.binomial",         "aten.rrelu_with_noise_functional",
    "aten.rrelu_with_noise", "aten._fused_dropout",
    "prims.normal",          "prims._uniform_helper",
    "valsem.aten.bernoulli"};

/// Ops of known namespaces that write, print or stop, without overload.
static constexpr StringLiteral effectTable[] = {
    "aten._assert_tensor_metadata",
    "aten._assert_scalar",
    "aten._assert_async",
    "aten.sym_constrain_range",
    "aten.sym_constrain_range_for_size",
    "aten.warn",
    "aten.append",
    "aten.insert",
    "aten._set_item",
    "aten.Delete",
    "prim.Print",
    "prim.RaiseException",
    "prim.SetAttr",
    "prim.CallMethod",
    "prim.Store",
    "prim.Load",
    "prim.GetAttr",
    "prim.Enter",
    "prim.Exit"};

/// "aten.add" of "aten.add.Tensor"; "valsem.aten.bernoulli" keeps three parts.
static StringRef withoutOverload(StringRef name) {
  size_t from = name.starts_with("valsem.") ? 7 : 0;
  size_t first = name.find('.', from);
  return first == StringRef::npos ? name
                                  : name.substr(0, name.find('.', first + 1));
}

/// add_, __iand__, but not __and__.
static bool isInPlace(StringRef base) {
  if (base.ends_with("__"))
    return base.contains(".__i") && !base.contains(".__invert");
  return base.ends_with("_");
}

bool isRandom(StringRef opName) {
  return llvm::is_contained(randomTable, withoutOverload(opName));
}

bool isPure(StringRef opName) {
  StringRef base = withoutOverload(opName);
  StringRef overload = opName.drop_front(base.size());
  if (!llvm::is_contained(knownNamespaces, opName.split('.').first))
    return false;
  return !isInPlace(base) && !overload.ends_with("out") &&
         opName != "aten.sort.int" && !isRandom(opName) &&
         !llvm::is_contained(effectTable, base);
}

void addEffects(Operation *op,
                SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto touchesMemory = [](Type type) { return isa<NonValueTensorType>(type); };
  bool isCopyOrLiteral =
      isa<CopyToValueTensorOp, CopyToNonValueTensorOp, TensorLiteralOp>(op);
  if (op->getNumRegions() > 0 || (!isCopyOrLiteral && !isPure(opName(op)))) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
    return;
  }
  if (llvm::any_of(op->getOperandTypes(), touchesMemory))
    effects.emplace_back(MemoryEffects::Read::get());
  for (OpResult result : op->getResults())
    if (touchesMemory(result.getType()))
      effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

namespace {
struct EffectsModel : MemoryEffectOpInterface::FallbackModel<EffectsModel> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    addEffects(op, effects);
  }
};
} // namespace

void *effectsModel() {
  static EffectsModel model;
  return &model;
}

} // namespace kclaw::torch
