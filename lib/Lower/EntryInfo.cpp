//===- EntryInfo.cpp - What NAME_describe returns -------------------------===//
//
// Builds kcl_entry_info and kcl_value_info (Runtime/kernelclaw.h) as constant
// data. Dynamic dimensions of arguments share a symbol where `claw.dims` gives
// them one name, else each is a symbol of its own; one of a result is an
// argument's symbol where NAME__shapes says so.
//
//===----------------------------------------------------------------------===//
#include "EntryAbi.h"
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Runtime/kernelclaw.h"
#include "kernelclaw/Support/ByteSize.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace kclaw {

namespace {
/// An element type of the ABI, as DLPack says it.
struct ElementRow {
  StringRef name; ///< as in `claw.dtype`
  uint8_t code;
  uint8_t bits;
};
} // namespace

static constexpr ElementRow elementTable[] = {
    {"f64", kDLFloat, 64},   {"f32", kDLFloat, 32}, {"f16", kDLFloat, 16},
    {"bf16", kDLBfloat, 16}, {"i64", kDLInt, 64},   {"i32", kDLInt, 32},
    {"i16", kDLInt, 16},     {"i8", kDLInt, 8},     {"u8", kDLUInt, 8},
    {"i1", KCL_DL_BOOL, 8}};

/// The row of a builtin type, or of the name that RecordAbi noted.
static const ElementRow *elementRow(Type type, StringAttr noted) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  if (noted)
    name = noted.str();
  for (const ElementRow &row : elementTable)
    if (row.name == name)
      return &row;
  return nullptr;
}

namespace {
class InfoBuilder {
public:
  InfoBuilder(EntryModule &state, Entry &entry)
      : state(state), data(state.data), entry(entry) {}

  LogicalResult run();

private:
  FailureOr<SmallVector<Field>> value(unsigned index);
  std::string dimName(unsigned index, int64_t dim);
  int64_t symbolOf(unsigned index, int64_t dim);

  EntryModule &state;
  LlvmData &data;
  Entry &entry;
  llvm::DenseMap<std::pair<unsigned, int64_t>, int64_t> argSymbols;
  llvm::StringMap<int64_t> named; ///< symbols by name in `claw.dims`
  int64_t numSymbols = 0;
  unsigned numDynamicResults = 0;
};
} // namespace

/// The name in `claw.dims` ("n0" or "n0:2:64"); empty when there is none.
std::string InfoBuilder::dimName(unsigned index, int64_t dim) {
  auto names = entry.body.getArgAttrOfType<ArrayAttr>(index, dimsAttrName);
  if (!names || dim >= int64_t(names.size()))
    return "";
  auto text = dyn_cast<StringAttr>(names[dim]);
  return text ? text.getValue().split(':').first.str() : "";
}

/// The symbol of a dynamic dimension of argument or result `index`.
int64_t InfoBuilder::symbolOf(unsigned index, int64_t dim) {
  if (index < entry.numArgs) {
    std::string name = dimName(index, dim);
    auto [symbol, fresh] = named.try_emplace(name, numSymbols);
    if (name.empty() || fresh)
      return argSymbols[{index, dim}] = numSymbols++;
    return argSymbols[{index, dim}] = symbol->second;
  }
  unsigned position = numDynamicResults++;
  auto shapes =
      state.module.lookupSymbol<func::FuncOp>(entry.name + "__shapes");
  if (!shapes)
    return numSymbols++;
  Operation *exit = shapes.getBody().back().getTerminator();
  auto source = exit->getOperand(position).getDefiningOp<memref::DimOp>();
  auto argument =
      source ? dyn_cast<BlockArgument>(source.getSource()) : BlockArgument();
  if (!argument || !source.getConstantIndex())
    return numSymbols++;
  return argSymbols.lookup(
      {argument.getArgNumber(), *source.getConstantIndex()});
}

FailureOr<SmallVector<Field>> InfoBuilder::value(unsigned index) {
  bool isArg = index < entry.numArgs;
  Type type = entry.body.getArgumentTypes()[index];
  auto memref = dyn_cast<MemRefType>(type);
  bool isScalar =
      !memref || entry.body.getArgAttr(index, scalarAttrName) != nullptr;
  Type element = memref ? memref.getElementType() : type;

  const ElementRow *row = elementRow(
      element, entry.body.getArgAttrOfType<StringAttr>(index, dtypeAttrName));
  if (!row)
    return entry.body.emitError(isArg ? "argument " : "result ")
           << (isArg ? index : index - entry.numArgs) << " has element type "
           << element << ", which the entry ABI does not know";

  if (memref && !byteSize(memref.getShape(), row->bits / 8))
    return entry.body.emitError(isArg ? "argument " : "result ")
           << (isArg ? index : index - entry.numArgs) << " of type " << memref
           << " has more than 2^63-1 bytes";

  SmallVector<int64_t> shape;
  if (memref)
    for (int64_t dim = 0; dim < memref.getRank(); ++dim)
      shape.push_back(memref.isDynamicDim(dim) ? -1 - symbolOf(index, dim)
                                               : memref.getDimSize(dim));
  int32_t kind = !isScalar                  ? KCL_TENSOR
                 : row->code == kDLFloat    ? KCL_SCALAR_FLOAT
                 : row->code == KCL_DL_BOOL ? KCL_SCALAR_BOOL
                                            : KCL_SCALAR_INT;
  int64_t alignment = row->bits / 8;
  if (!isScalar && state.device == TargetDevice::Cuda)
    alignment = std::max<int64_t>(alignment, 16);
  if (auto known =
          entry.body.getArgAttrOfType<IntegerAttr>(index, alignmentAttrName))
    alignment = known.getInt();
  std::string name = isArg ? "arg" + std::to_string(index)
                           : "res" + std::to_string(index - entry.numArgs);
  if (auto known = entry.body.getArgAttrOfType<StringAttr>(index, nameAttrName))
    name = known.getValue();
  int64_t packed = row->code | row->bits << 8 | /*lanes=*/1 << 16;
  return SmallVector<Field>{
      Field::address(data.text(name)),
      Field::integer(data.i32, kind),
      Field::integer(data.i32, shape.size()),
      Field::address(data.integers(entry.name + "_shape", shape)),
      Field::integer(data.i64, alignment),
      Field::integer(data.i32, packed),
      Field::integer(data.i32, 0)};
}

LogicalResult InfoBuilder::run() {
  SmallVector<SmallVector<Field>> args, results;
  for (unsigned i = 0; i < entry.numArgs + entry.numResults; ++i) {
    FailureOr<SmallVector<Field>> row = value(i);
    if (failed(row))
      return failure();
    (i < entry.numArgs ? args : results).push_back(*row);
  }
  int64_t device = state.device == TargetDevice::Cpu ? kDLCPU : kDLCUDA;
  SmallVector<Field> row = {
      Field::integer(data.i32, KCL_ABI_VERSION),
      Field::integer(data.i32, device),
      Field::address(data.text(entry.name)),
      Field::integer(data.i32, entry.numArgs),
      Field::integer(data.i32, entry.numResults),
      Field::integer(data.i32, numSymbols),
      Field::integer(data.i32, entry.numRegions),
      Field::address(data.structs(entry.name + "_args", args)),
      Field::address(data.structs(entry.name + "_results", results))};
  entry.infoSymbol = data.structs(entry.name + "_info", row);
  return success();
}

LogicalResult makeEntryInfo(EntryModule &state, Entry &entry) {
  return InfoBuilder(state, entry).run();
}

} // namespace kclaw
