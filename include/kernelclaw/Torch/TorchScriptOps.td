//===- TorchScriptOps.td - TorchScript's object graph ------*- tablegen -*-===//
//
// Classes, modules, global slots, and shape or dtype calculations. FX exports
// never hold them; files of torch-mlir's TorchScript importer do.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCH_TORCHSCRIPTOPS_TD
#define KERNELCLAW_TORCH_TORCHSCRIPTOPS_TD

class Torch_ImplicitTerminator<string mnemonic, string parent>
    : Torch_Op<mnemonic, [Terminator, HasParent<parent>]> {
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Classes and modules
//===----------------------------------------------------------------------===//

def Torch_ClassTypeOp : Torch_Op<"class_type", [
    Symbol, SingleBlockImplicitTerminator<"ClassTypeTerminatorOp">]> {
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = "$sym_name $region attr-dict";
}
def Torch_ClassTypeTerminatorOp
    : Torch_ImplicitTerminator<"class_type_terminator", "ClassTypeOp">;
def Torch_MethodOp : Torch_Op<"method", [HasParent<"ClassTypeOp">]> {
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$function,
                       UnitAttr:$isPrivate);
  let assemblyFormat = [{
    (`private` $isPrivate^)? $name `,` $function attr-dict
  }];
}
def Torch_AttrOp : Torch_Op<"attr", [HasParent<"ClassTypeOp">]> {
  let arguments = (ins StrAttr:$name, TypeAttr:$type, UnitAttr:$isPrivate);
  let assemblyFormat = "(`private` $isPrivate^)? $name `:` $type attr-dict";
}
def Torch_NnModuleOp : Torch_Op<"nn_module", [
    SingleBlockImplicitTerminator<"NnModuleTerminatorOp">]> {
  let results = (outs Torch_NnModuleType:$result);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = "$region attr-dict `:` qualified(type($result))";
}
def Torch_NnModuleTerminatorOp
    : Torch_ImplicitTerminator<"nn_module_terminator", "NnModuleOp">;
def Torch_SlotOp : Torch_Op<"slot", [HasParent<"NnModuleOp">]> {
  let arguments = (ins StrAttr:$name, AnyType:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` qualified(type($value))";
}

//===----------------------------------------------------------------------===//
// Global slots
//===----------------------------------------------------------------------===//

def Torch_GlobalSlotOp : Torch_Op<"global_slot", [Symbol]> {
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       TypeAttr:$typeBound);
  let assemblyFormat = [{
    ($sym_visibility^)? $sym_name attr-dict `:` $typeBound
  }];
}
def Torch_GlobalSlotModuleInitializerOp
    : Torch_Op<"global_slot.module_initializer", [IsolatedFromAbove]> {
  let regions = (region SizedRegion<1>:$initializer);
  let assemblyFormat = "$initializer attr-dict";
}
def Torch_InitializeGlobalSlotsOp : Torch_Op<"initialize.global_slots", [
    Terminator, HasParent<"GlobalSlotModuleInitializerOp">]> {
  let arguments = (ins TypedArrayAttrBase<FlatSymbolRefAttr,
                                          "names of slots">:$slotSymNames,
                       Variadic<AnyType>:$initialValues);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Torch_GlobalSlotInitOp : Torch_Op<"global_slot.init", [
    Terminator, HasParent<"GlobalSlotOp">]> {
  let arguments = (ins AnyType:$initialValue);
  let assemblyFormat = [{
    $initialValue attr-dict `:` qualified(type($initialValue))
  }];
}
def Torch_GlobalSlotGetOp : Torch_Op<"global_slot.get"> {
  let arguments = (ins FlatSymbolRefAttr:$slot);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$slot attr-dict `:` qualified(type($result))";
}
def Torch_GlobalSlotSetOp : Torch_Op<"global_slot.set"> {
  let arguments = (ins FlatSymbolRefAttr:$slot, AnyType:$value);
  let assemblyFormat = "$slot `=` $value attr-dict `:` qualified(type($value))";
}

//===----------------------------------------------------------------------===//
// Interpreter ops
//===----------------------------------------------------------------------===//

def Torch_PrimCreateObjectOp : Torch_Op<"prim.CreateObject"> {
  let results = (outs Torch_NnModuleType:$result);
  let assemblyFormat = "attr-dict qualified(type($result))";
}
def Torch_PrimGetAttrOp : Torch_Op<"prim.GetAttr"> {
  let arguments = (ins StrAttr:$name, Torch_NnModuleType:$receiver);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $receiver `[` $name `]` attr-dict `:` qualified(type($receiver)) `->`
    qualified(type($result))
  }];
}
def Torch_PrimSetAttrOp : Torch_Op<"prim.SetAttr"> {
  let arguments = (ins StrAttr:$name, Torch_NnModuleType:$receiver,
                       AnyType:$value);
  let assemblyFormat = [{
    $receiver `[` $name `]` `=` $value attr-dict `:`
    qualified(type($receiver)) `,` qualified(type($value))
  }];
}
def Torch_PrimCallMethodOp : Torch_Op<"prim.CallMethod"> {
  let arguments = (ins StrAttr:$name, Torch_NnModuleType:$receiver,
                       Variadic<AnyType>:$methodOperands);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $receiver `[` $name `]` `(` $methodOperands `)` attr-dict `:`
    qualified(type($receiver)) `,` functional-type($methodOperands, $result)
  }];
}
def Torch_PrimStoreOp : Torch_Op<"prim.Store"> {
  let arguments = (ins StrAttr:$name, AnyType:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` qualified(type($value))";
}
def Torch_PrimLoadOp : Torch_Op<"prim.Load"> {
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}
def Torch_PrimEnterOp : Torch_Op<"prim.Enter"> {
  let arguments = (ins AnyType:$inp);
  let results = (outs Torch_NoneType:$result);
  let assemblyFormat = "$inp attr-dict `:` qualified(type($inp))";
}
def Torch_PrimExitOp : Torch_Op<"prim.Exit"> {
  let arguments = (ins AnyType:$inp);
  let results = (outs Torch_AnyTensor:$result);
  let assemblyFormat = [{
    $inp attr-dict `:` qualified(type($inp)) `->` qualified(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Shape and dtype calculations
//===----------------------------------------------------------------------===//

class Torch_CalculateOp<string what, string keyword>
    : Torch_Op<what # ".calculate", [RecursiveMemoryEffects]> {
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$calculation);
  let assemblyFormat = "$body `" # keyword #
                       "` $calculation attr-dict `:` type($results)";
}
class Torch_CalculateYieldOp<string mnemonic, string parent>
    : Torch_Op<mnemonic, [Pure, Terminator, HasParent<parent>]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}
def Torch_ShapeCalculateOp : Torch_CalculateOp<"shape", "shapes">;
def Torch_ShapeCalculateYieldOp
    : Torch_CalculateYieldOp<"shape.calculate.yield", "ShapeCalculateOp">;
def Torch_ShapeCalculateYieldShapesOp
    : Torch_CalculateYieldOp<"shape.calculate.yield.shapes",
                             "ShapeCalculateOp">;
def Torch_DtypeCalculateOp : Torch_CalculateOp<"dtype", "dtypes">;
def Torch_DtypeCalculateYieldOp
    : Torch_CalculateYieldOp<"dtype.calculate.yield", "DtypeCalculateOp">;
def Torch_DtypeCalculateYieldDtypesOp
    : Torch_CalculateYieldOp<"dtype.calculate.yield.dtypes",
                             "DtypeCalculateOp">;

#endif // KERNELCLAW_TORCH_TORCHSCRIPTOPS_TD
