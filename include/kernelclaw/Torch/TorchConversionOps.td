//===- TorchConversionOps.td - The torch_c dialect ---------*- tablegen -*-===//
//
// Casts between torch types and builtin types, as torch-mlir's backend form
// and IREE's importer write them.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCH_TORCHCONVERSIONOPS_TD
#define KERNELCLAW_TORCH_TORCHCONVERSIONOPS_TD

include "kernelclaw/Torch/TorchTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TorchC_Dialect : Dialect {
  let name = "torch_c";
  let summary = "casts between torch types and builtin types";
  let cppNamespace = "::kclaw::torch_c";
  let dependentDialects = ["::kclaw::torch::TorchDialect"];
}

class TorchC_Op<string mnemonic, list<Trait> traits = [Pure]>
    : Op<TorchC_Dialect, mnemonic, traits>;

class TorchC_TensorCast<string mnemonic, Type from, Type to>
    : TorchC_Op<mnemonic> {
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($operand)) `->`
    qualified(type($result))
  }];
}
def TorchC_ToBuiltinTensorOp
    : TorchC_TensorCast<"to_builtin_tensor", Torch_ValueTensorType, AnyTensor>;
def TorchC_FromBuiltinTensorOp
    : TorchC_TensorCast<"from_builtin_tensor", AnyTensor,
                        Torch_ValueTensorType>;

/// Both types are implied.
class TorchC_ScalarCast<string mnemonic, Type from, Type to>
    : TorchC_Op<mnemonic> {
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
  let assemblyFormat = "$operand attr-dict";
}
def TorchC_ToI1Op : TorchC_ScalarCast<"to_i1", Torch_BoolType, I1>;
def TorchC_FromI1Op : TorchC_ScalarCast<"from_i1", I1, Torch_BoolType>;
def TorchC_ToI64Op : TorchC_ScalarCast<"to_i64", Torch_IntType, I64>;
def TorchC_FromI64Op : TorchC_ScalarCast<"from_i64", I64, Torch_IntType>;
def TorchC_ToF64Op : TorchC_ScalarCast<"to_f64", Torch_FloatType, F64>;
def TorchC_FromF64Op : TorchC_ScalarCast<"from_f64", F64, Torch_FloatType>;
def TorchC_I64ToGeneratorOp
    : TorchC_ScalarCast<"i64_to_generator", I64, Torch_GeneratorType>;
def TorchC_GeneratorToI64Op
    : TorchC_ScalarCast<"generator_to_i64", Torch_GeneratorType, I64>;

def TorchC_GetNextSeedOp : TorchC_Op<"get_next_seed", []> {
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` `(``)` `->` qualified(type($result))";
}

#endif // KERNELCLAW_TORCH_TORCHCONVERSIONOPS_TD
