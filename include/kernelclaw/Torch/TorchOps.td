//===- TorchOps.td - Torch ops with an assembly of their own -*- tablegen -*-===//
//
// Constants, literals, torch.operator, containers, control flow, copies, casts
// and symbolic shapes. Formats follow torch-mlir letter by letter.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCH_TORCHOPS_TD
#define KERNELCLAW_TORCH_TORCHOPS_TD

include "kernelclaw/Torch/TorchTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Torch_Op<string mnemonic, list<Trait> traits = []>
    : Op<Torch_Dialect, mnemonic, traits>;

/// Effects by name and operand types, see Effects.cpp.
def Torch_EffectsByName : DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

//===----------------------------------------------------------------------===//
// Constants: the result type is implied, the result's name shows the value
//===----------------------------------------------------------------------===//

class Torch_ConstantOp<string mnemonic, Type type>
    : Torch_Op<"constant." # mnemonic, [
        ConstantLike, Pure,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let results = (outs type:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}
def Torch_ConstantNoneOp : Torch_ConstantOp<"none", Torch_NoneType> {
  let assemblyFormat = "attr-dict";
}
def Torch_ConstantBoolOp : Torch_ConstantOp<"bool", Torch_BoolType> {
  let arguments = (ins I1Attr:$value);
}
def Torch_ConstantIntOp : Torch_ConstantOp<"int", Torch_IntType> {
  let arguments = (ins I64Attr:$value);
}
def Torch_ConstantFloatOp : Torch_ConstantOp<"float", Torch_FloatType> {
  let arguments = (ins F64Attr:$value);
}
def Torch_ConstantStrOp : Torch_ConstantOp<"str", Torch_StrType> {
  let arguments = (ins StrAttr:$value);
}
def Torch_ConstantDeviceOp : Torch_ConstantOp<"device", Torch_DeviceType> {
  let arguments = (ins StrAttr:$value);
}
def Torch_ConstantNumberOp : Torch_Op<"constant.number",
                                      [ConstantLike, Pure]> {
  let summary = "an int or float without custom assembly";
  let arguments = (ins AnyAttrOf<[F64Attr, I64Attr]>:$value);
  let results = (outs Torch_NumberType:$result);
  let hasFolder = 1;
}

def Torch_ValueTensorLiteralOp : Torch_Op<"vtensor.literal",
                                          [ConstantLike, Pure]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Torch_ValueTensorType:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Torch_TensorLiteralOp : Torch_Op<"tensor.literal", [Torch_EffectsByName]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Torch_NonValueTensorType:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` qualified(type($result))";
}

//===----------------------------------------------------------------------===//
// Opaque ops
//===----------------------------------------------------------------------===//

def Torch_OperatorOp : Torch_Op<"operator", [Torch_EffectsByName]> {
  let summary = "an op that the exporter did not know; same as torch.NAME";
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let assemblyFormat = [{
    $name `(` $operands `)` attr-dict `:` functional-type($operands, $results)
    $regions
  }];
}
def Torch_OperatorTerminatorOp : Torch_Op<"operator_terminator",
                                          [Terminator,
                                           HasParent<"OperatorOp">]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "$operands attr-dict `:` type($operands)";
}

//===----------------------------------------------------------------------===//
// Containers and printing
//===----------------------------------------------------------------------===//

def Torch_PrimListConstructOp : Torch_Op<"prim.ListConstruct", [Pure]> {
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs Torch_ListType:$result);
  let assemblyFormat = [{
    $elements attr-dict `:` functional-type(operands, results)
  }];
}
def Torch_PrimTupleConstructOp : Torch_Op<"prim.TupleConstruct", [Pure]> {
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs Torch_TupleType:$result);
  let assemblyFormat = [{
    $elements attr-dict `:` qualified(type($elements)) `->`
    qualified(type($result))
  }];
}
def Torch_PrimDictConstructOp : Torch_Op<"prim.DictConstruct",
                                         [SameVariadicOperandSize]> {
  let arguments = (ins Variadic<AnyType>:$keys, Variadic<AnyType>:$values);
  let results = (outs Torch_DictType:$result);
  let assemblyFormat = [{
    `keys` `(` ($keys^ `:` qualified(type($keys)))? `)`
    `values` `(` ($values^ `:` qualified(type($values)))? `)`
    attr-dict `->` qualified(type($result))
  }];
}
def Torch_AtenFormatOp : Torch_Op<"aten.format", [Torch_EffectsByName]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Torch_StrType:$result);
  let assemblyFormat = [{
    `(` $operands `)` attr-dict `:` qualified(type($operands)) `->`
    qualified(type($result))
  }];
}
def Torch_PrimTolistOp : Torch_Op<"prim.tolist", [Torch_EffectsByName]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `(` $operands `)` attr-dict `:` qualified(type($operands)) `->`
    qualified(type($result))
  }];
}
def Torch_PrimPrintOp : Torch_Op<"prim.Print"> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = [{
    `(` $operands `)` attr-dict `:` qualified(type($operands))
  }];
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def Torch_PrimIfOp : Torch_Op<"prim.If", [RecursiveMemoryEffects]> {
  let arguments = (ins Torch_BoolType:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion,
                        SizedRegion<1>:$elseRegion);
  let hasCustomAssemblyFormat = 1;
}
def Torch_PrimIfYieldOp : Torch_Op<"prim.If.yield", [
    Pure, Terminator, HasParent<"PrimIfOp">]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` qualified(type($results)))?";
}
def Torch_PrimLoopOp : Torch_Op<"prim.Loop", [RecursiveMemoryEffects]> {
  let arguments = (ins Torch_IntType:$maxTripCount,
                       Torch_BoolType:$initialCondition,
                       Variadic<AnyType>:$iterArgsInit);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    $maxTripCount `,` $initialCondition `,` `init` `(` $iterArgsInit `)`
    $region attr-dict `:` functional-type(operands, results)
  }];
}
def Torch_PrimLoopConditionOp : Torch_Op<"prim.Loop.condition", [
    Pure, Terminator, HasParent<"PrimLoopOp">]> {
  let arguments = (ins Torch_BoolType:$shouldContinue,
                       Variadic<AnyType>:$iterArgs);
  let assemblyFormat = [{
    $shouldContinue `,`
    `iter` `(` ($iterArgs^ `:` qualified(type($iterArgs)))? `)` attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Casts, copies, mutation
//===----------------------------------------------------------------------===//

def Torch_DerefineOp : Torch_Op<"derefine", [Pure]> {
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($operand)) `to`
    qualified(type($result))
  }];
}
def Torch_TensorStaticInfoCastOp : Torch_Op<"tensor_static_info_cast",
                                            [Pure]> {
  let arguments = (ins Torch_AnyTensor:$operand);
  let results = (outs Torch_AnyTensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($operand)) `to`
    qualified(type($result))
  }];
}
def Torch_CopyToNonValueTensorOp : Torch_Op<"copy.to_tensor", [
    Torch_EffectsByName,
    TypesMatchWith<"operand is the !torch.vtensor of the result", "result",
                   "operand", "::kclaw::torch::withValueSemantics($_self)">]> {
  let arguments = (ins Torch_ValueTensorType:$operand);
  let results = (outs Torch_NonValueTensorType:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($result))";
}
def Torch_CopyToValueTensorOp : Torch_Op<"copy.to_vtensor", [
    Torch_EffectsByName,
    TypesMatchWith<"operand is the !torch.tensor of the result", "result",
                   "operand",
                   "::kclaw::torch::withoutValueSemantics($_self)">]> {
  let arguments = (ins Torch_NonValueTensorType:$operand);
  let results = (outs Torch_ValueTensorType:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($result))";
}
def Torch_OverwriteTensorContentsOp : Torch_Op<"overwrite.tensor.contents", [
    TypesMatchWith<"overwritten tensor has the type of the value", "value",
                   "overwritten",
                   "::kclaw::torch::withoutValueSemantics($_self)">]> {
  let arguments = (ins Torch_ValueTensorType:$value,
                       Torch_NonValueTensorType:$overwritten);
  let assemblyFormat = [{
    $value `overwrites` $overwritten attr-dict
    `:` qualified(type($value)) `,` qualified(type($overwritten))
  }];
}

//===----------------------------------------------------------------------===//
// Quantisation, dtypes
//===----------------------------------------------------------------------===//

def Torch_LinearParamsCreateOp : Torch_Op<"linear_params.create"> {
  let arguments = (ins Torch_AnyTensor:$weight,
                       Optional<Torch_AnyTensor>:$bias);
  let results = (outs Torch_LinearParamsType:$result);
  let assemblyFormat = [{
    $weight (`,` $bias^)? attr-dict `:` qualified(type($weight))
    (`,` qualified(type($bias))^)?
  }];
}
def Torch_PerTensorAffineCreateOp : Torch_Op<"per_tensor_affine.create"> {
  let arguments = (ins Torch_AnyTensor:$int_repr, Torch_FloatType:$scale,
                       Torch_IntType:$offset);
  let results = (outs Torch_AnyTensor:$result);
  let assemblyFormat = [{
    $int_repr `,` $scale `,` $offset attr-dict `:` qualified(type($int_repr))
    `,` qualified(type($scale)) `,` qualified(type($offset)) `->`
    qualified(type($result))
  }];
}
def Torch_PromoteDtypesOp : Torch_Op<"promote_dtypes", [Pure]> {
  let arguments = (ins Torch_ListType:$ranks, Torch_ListType:$dtypes);
  let results = (outs Torch_IntType:$result);
  let assemblyFormat = [{
    $ranks `,` $dtypes attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Symbolic shapes, assertions
//===----------------------------------------------------------------------===//

def Torch_SymbolicIntOp : Torch_Op<"symbolic_int", [Pure]> {
  let arguments = (ins StrAttr:$symbol_name, I64Attr:$min_val,
                       I64Attr:$max_val);
  let results = (outs Torch_IntType:$result);
  let assemblyFormat = [{
    $symbol_name ` ` `{` `min_val` `=` $min_val `,` `max_val` `=` $max_val `}`
    attr-dict `:` type($result)
  }];
}
def Torch_BindSymbolicShapeOp : Torch_Op<"bind_symbolic_shape"> {
  let arguments = (ins Torch_ValueTensorType:$operand,
                       Variadic<Torch_IntType>:$shape_symbols,
                       Builtin_AffineMapAttr:$shape_expressions);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Torch_RuntimeAssertOp : Torch_Op<"runtime.assert"> {
  let arguments = (ins Torch_BoolType:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

include "kernelclaw/Torch/TorchScriptOps.td"

#endif // KERNELCLAW_TORCH_TORCHOPS_TD
