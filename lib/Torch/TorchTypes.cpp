//===- TorchTypes.cpp - Parsing and printing of torch types ---------------===//
//
// torch-mlir's spelling, byte for byte; wrong dtypes and sizes are diagnosed at
// the place where they stand.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Torch/Torch.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "kernelclaw/Torch/TorchTypes.cpp.inc"

namespace kclaw::torch {

void TorchDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "kernelclaw/Torch/TorchTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Floats of any width, bool, signed and unsigned integers, complex, and the
/// quantised types; signless i8 ... i64 are not torch dtypes.
static bool isTorchDtype(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() ? integer.getWidth() == 1
                                : llvm::is_contained({4u, 8u, 16u, 32u, 64u},
                                                     integer.getWidth());
  if (auto complex = dyn_cast<ComplexType>(type))
    return isa<mlir::FloatType>(complex.getElementType());
  return isa<mlir::FloatType, QInt8Type, QUInt8Type, QInt16Type, QInt32Type,
             StrType>(type);
}

static LogicalResult
verifyTensor(llvm::function_ref<InFlightDiagnostic()> emitError, bool ranked,
             ArrayRef<int64_t> sizes, Type dtype, Attribute sparsity) {
  if (dtype && !isTorchDtype(dtype))
    return emitError() << "invalid dtype " << dtype
                       << " for a torch tensor; f32, si64, ui8, i1 (bool) or "
                          "another torch dtype expected";
  for (int64_t size : sizes)
    if (size < 0 && !ShapedType::isDynamic(size))
      return emitError() << "invalid size " << size << " for a torch tensor";
  if (!sparsity)
    return success();
  auto encoding = dyn_cast<VerifiableTensorEncoding>(sparsity);
  if (!encoding)
    return emitError() << "invalid sparsity encoding " << sparsity;
  return ranked && dtype ? encoding.verifyEncoding(sizes, dtype, emitError)
                         : success();
}

LogicalResult
ValueTensorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                        bool ranked, ArrayRef<int64_t> sizes, Type dtype,
                        Attribute sparsity) {
  return verifyTensor(emitError, ranked, sizes, dtype, sparsity);
}

LogicalResult
NonValueTensorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                           bool ranked, ArrayRef<int64_t> sizes, Type dtype,
                           Attribute sparsity) {
  return verifyTensor(emitError, ranked, sizes, dtype, sparsity);
}

static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        int64_t size = ShapedType::kDynamic;
        if (failed(parser.parseOptionalQuestion()) && parser.parseInteger(size))
          return failure();
        sizes.push_back(size == -1 ? ShapedType::kDynamic : size);
        return success();
      });
}

/// `<` (`*` | sizes) `,` (`unk` | type) (`,` attribute)? `>`, or nothing.
template <typename TensorT> static Type parseTensor(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  bool ranked = false;
  SmallVector<int64_t> sizes;
  Type dtype;
  Attribute sparsity;
  if (succeeded(parser.parseOptionalLess())) {
    ranked = failed(parser.parseOptionalStar());
    if ((ranked && parseSizes(parser, sizes)) || parser.parseComma())
      return {};
    if (failed(parser.parseOptionalKeyword("unk")) && parser.parseType(dtype))
      return {};
    if (succeeded(parser.parseOptionalComma()) &&
        parser.parseAttribute(sparsity))
      return {};
    if (parser.parseGreater())
      return {};
  }
  return TensorT::getChecked([&] { return parser.emitError(loc); },
                             parser.getContext(), ranked, sizes, dtype,
                             sparsity);
}

template <typename TensorT>
static void printTensor(TensorT type, AsmPrinter &printer) {
  if (!type.getRanked() && !type.getDtype())
    return;
  printer << "<";
  if (type.getRanked()) {
    printer << "[";
    llvm::interleave(
        type.getSizes(), printer.getStream(),
        [&](int64_t size) {
          if (ShapedType::isDynamic(size))
            printer << "?";
          else
            printer << size;
        },
        ",");
    printer << "]";
  } else {
    printer << "*";
  }
  printer << ",";
  if (type.getDtype())
    printer << type.getDtype();
  else
    printer << "unk";
  if (type.getSparsity())
    printer << "," << type.getSparsity();
  printer << ">";
}

Type ValueTensorType::parse(AsmParser &parser) {
  return parseTensor<ValueTensorType>(parser);
}
void ValueTensorType::print(AsmPrinter &printer) const {
  printTensor(*this, printer);
}
Type NonValueTensorType::parse(AsmParser &parser) {
  return parseTensor<NonValueTensorType>(parser);
}
void NonValueTensorType::print(AsmPrinter &printer) const {
  printTensor(*this, printer);
}

Type withValueSemantics(Type type) {
  auto tensor = dyn_cast<NonValueTensorType>(type);
  return tensor ? ValueTensorType::get(type.getContext(), tensor.getRanked(),
                                       tensor.getSizes(), tensor.getDtype(),
                                       tensor.getSparsity())
                : type;
}
Type withoutValueSemantics(Type type) {
  auto tensor = dyn_cast<ValueTensorType>(type);
  return tensor ? NonValueTensorType::get(type.getContext(), tensor.getRanked(),
                                          tensor.getSizes(), tensor.getDtype(),
                                          tensor.getSparsity())
                : type;
}

//===----------------------------------------------------------------------===//
// Containers: contained torch types stand without `!torch.`
//===----------------------------------------------------------------------===//

static ParseResult parseContained(AsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  OptionalParseResult result = generatedTypeParser(parser, &mnemonic, type);
  if (result.has_value())
    return *result;
  return parser.emitError(loc) << "unknown torch type '" << mnemonic
                               << "'; a type of the torch "
                                  "dialect without its '!torch.' expected";
}

static void printContained(Type type, AsmPrinter &printer) {
  if (failed(generatedTypePrinter(type, printer)))
    printer << type;
}

template <typename ContainerT> static Type parseOne(AsmParser &parser) {
  Type type;
  if (parser.parseLess() || parseContained(parser, type) ||
      parser.parseGreater())
    return {};
  return ContainerT::get(parser.getContext(), type);
}

template <typename ContainerT> static Type parseSeveral(AsmParser &parser) {
  SmallVector<Type> types;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        return parseContained(parser, types.emplace_back());
      }))
    return {};
  return ContainerT::get(parser.getContext(), types);
}

static void printSeveral(ArrayRef<Type> types, AsmPrinter &printer) {
  printer << "<";
  llvm::interleaveComma(types, printer,
                        [&](Type type) { printContained(type, printer); });
  printer << ">";
}

Type ListType::parse(AsmParser &parser) { return parseOne<ListType>(parser); }
void ListType::print(AsmPrinter &printer) const {
  printSeveral(getContainedType(), printer);
}
Type OptionalType::parse(AsmParser &parser) {
  return parseOne<OptionalType>(parser);
}
void OptionalType::print(AsmPrinter &printer) const {
  printSeveral(getContainedType(), printer);
}
Type TupleType::parse(AsmParser &parser) {
  return parseSeveral<TupleType>(parser);
}
void TupleType::print(AsmPrinter &printer) const {
  printSeveral(getContainedTypes(), printer);
}
Type UnionType::parse(AsmParser &parser) {
  return parseSeveral<UnionType>(parser);
}
void UnionType::print(AsmPrinter &printer) const {
  printSeveral(getContainedTypes(), printer);
}

Type DictType::parse(AsmParser &parser) {
  Type key, value;
  if (parser.parseLess() || parseContained(parser, key) ||
      parser.parseComma() || parseContained(parser, value) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), key, value);
}
void DictType::print(AsmPrinter &printer) const {
  printSeveral({getKeyType(), getValueType()}, printer);
}

Type NnModuleType::parse(AsmParser &parser) {
  std::string name;
  if (parser.parseLess() || parser.parseString(&name) || parser.parseGreater())
    return {};
  return get(parser.getContext(), name);
}
void NnModuleType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getClassName());
  printer << ">";
}

} // namespace kclaw::torch
