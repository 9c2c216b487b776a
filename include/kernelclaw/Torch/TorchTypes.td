//===- TorchTypes.td - The torch dialect and its types ------*- tablegen -*-===//
//
// Spelling follows torch-mlir. Inside list, optional, tuple, union and dict a
// torch type is written without `!torch.`; a tensor's dtype keeps its prefix.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCH_TORCHTYPES_TD
#define KERNELCLAW_TORCH_TORCHTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Torch_Dialect : Dialect {
  let name = "torch";
  let summary = "PyTorch programs as torch-mlir exports them";
  let description = [{
    Ops with an assembly of their own are defined; every other op is accepted
    in torch-mlir's uniform format (`torch.aten.mul.Tensor %0, %1 : A, B -> C`)
    and stays unregistered. Passes look at ops by name, see TorchOps.h.
  }];
  let cppNamespace = "::kclaw::torch";
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
    ::llvm::unique_function<void(::mlir::Operation *, ::mlir::OpAsmPrinter &)>
    getOperationPrinter(::mlir::Operation *op) const override;
    void *getRegisteredInterfaceForOp(::mlir::TypeID interface,
                                      ::mlir::OperationName op) override;
    void registerTypes();
    void registerOps();
  }];
}

class Torch_Type<string cppName, string typeMnemonic>
    : TypeDef<Torch_Dialect, cppName> {
  let mnemonic = typeMnemonic;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

class Torch_TensorType<string cppName, string typeMnemonic>
    : Torch_Type<cppName, typeMnemonic> {
  let summary = "a torch.Tensor: sizes, dtype and sparsity as far as known";
  let description = [{
    `<[2,?],f32>`, `<*,f32>` (unranked), `<[2],unk>` (no dtype); nothing at all
    means `<*,unk>`. Sizes hold ShapedType::kDynamic for `?`.
  }];
  let parameters = (ins "bool":$ranked, ArrayRefParameter<"int64_t">:$sizes,
                        "::mlir::Type":$dtype, "::mlir::Attribute":$sparsity);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
def Torch_ValueTensorType : Torch_TensorType<"ValueTensor", "vtensor">;
def Torch_NonValueTensorType : Torch_TensorType<"NonValueTensor", "tensor">;

def Torch_AnyTensor
    : AnyTypeOf<[Torch_ValueTensorType, Torch_NonValueTensorType],
                "Torch tensor">;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

def Torch_IntType : Torch_Type<"Int", "int">;
def Torch_FloatType : Torch_Type<"Float", "float">;
def Torch_BoolType : Torch_Type<"Bool", "bool">;
def Torch_StrType : Torch_Type<"Str", "str">;
def Torch_NoneType : Torch_Type<"None", "none">;
def Torch_NumberType : Torch_Type<"Number", "number">;
def Torch_AnyValueType : Torch_Type<"AnyValue", "any">;
def Torch_DeviceType : Torch_Type<"Device", "Device">;
def Torch_GeneratorType : Torch_Type<"Generator", "Generator">;
def Torch_LinearParamsType : Torch_Type<"LinearParams", "LinearParams">;

// Quantised dtypes of tensors.
def Torch_QInt8Type : Torch_Type<"QInt8", "qint8">;
def Torch_QUInt8Type : Torch_Type<"QUInt8", "quint8">;
def Torch_QInt16Type : Torch_Type<"QInt16", "qint16">;
def Torch_QInt32Type : Torch_Type<"QInt32", "qint32">;

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

class Torch_ContainerType<string cppName, string typeMnemonic>
    : Torch_Type<cppName, typeMnemonic> {
  let hasCustomAssemblyFormat = 1;
}
def Torch_ListType : Torch_ContainerType<"List", "list"> {
  let parameters = (ins "::mlir::Type":$containedType);
}
def Torch_OptionalType : Torch_ContainerType<"Optional", "optional"> {
  let parameters = (ins "::mlir::Type":$containedType);
}
def Torch_TupleType : Torch_ContainerType<"Tuple", "tuple"> {
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$containedTypes);
}
def Torch_UnionType : Torch_ContainerType<"Union", "union"> {
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$containedTypes);
}
def Torch_DictType : Torch_ContainerType<"Dict", "dict"> {
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
}
def Torch_NnModuleType : Torch_ContainerType<"NnModule", "nn.Module"> {
  let parameters = (ins StringRefParameter<"class name">:$className);
}

/// Any type of the dialect; ops of FX exports use nothing else.
def Torch_AnyType
    : Type<CPred<"::llvm::isa<::kclaw::torch::TorchDialect>("
                 "$_self.getDialect())">, "Torch type">;

#endif // KERNELCLAW_TORCH_TORCHTYPES_TD
