//===- Constants.cpp - Constants and device code as bytes -----------------===//
//
// Both devices keep the bytes in the object. The CPU reads them in place; for
// CUDA they become rows of the load table.
//
//===----------------------------------------------------------------------===//
#include "EntryAbi.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace kclaw {

/// The elements in memory order; booleans one byte each.
static FailureOr<std::string> elementBytes(memref::GlobalOp global) {
  Attribute value = global.getInitialValueAttr();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return std::string(blob->getData().data(), blob->getData().size());
    return global.emitError("data of resource '")
           << resource.getRawHandle().getKey() << "' is missing from the file";
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return global.emitError("constant is neither dense nor a resource");
  std::string bytes;
  if (dense.getElementType().isInteger(1)) {
    for (bool element : dense.getValues<bool>())
      bytes.push_back(element);
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  int64_t repeats = dense.isSplat() ? dense.getNumElements() : 1;
  bytes.reserve(raw.size() * repeats);
  for (int64_t i = 0; i < repeats; ++i)
    bytes.append(raw.data(), raw.size());
  return bytes;
}

Value memrefFromAddress(EntryModule &state, OpBuilder &builder, Location loc,
                        MemRefType type, Value address, ValueRange sizes) {
  Type converted = state.types.convertType(type);
  auto descriptor = MemRefDescriptor::poison(builder, loc, converted);
  descriptor.setAllocatedPtr(builder, loc, address);
  descriptor.setAlignedPtr(builder, loc, address);
  descriptor.setConstantOffset(builder, loc, 0);
  Value stride = state.data.constant(builder, loc, state.data.i64, 1);
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    Value size = type.isDynamicDim(dim)
                     ? sizes[type.getDynamicDimIndex(dim)]
                     : state.data.constant(builder, loc, state.data.i64,
                                           type.getDimSize(dim));
    descriptor.setSize(builder, loc, dim, size);
    descriptor.setStride(builder, loc, dim, stride);
    stride = LLVM::MulOp::create(builder, loc, stride, size);
  }
  return UnrealizedConversionCastOp::create(builder, loc, type,
                                            Value(descriptor))
      .getResult(0);
}

static std::string constantSlot(EntryModule &state, memref::GlobalOp global,
                                const std::string &symbol, uint64_t size) {
  std::string slot = state.data.variable(
      (global.getSymName() + "_device").str(), state.data.ptr);
  state.table.constants.push_back({Field::address(symbol),
                                   Field::integer(state.data.i64, size),
                                   Field::address(slot)});
  return slot;
}

LogicalResult lowerConstants(EntryModule &state) {
  llvm::StringMap<std::string> symbols;
  for (auto global :
       llvm::make_early_inc_range(state.module.getOps<memref::GlobalOp>())) {
    if (!global.getInitialValue() || global.isUninitialized())
      return global.emitError("global without a value");
    FailureOr<std::string> bytes = elementBytes(global);
    if (failed(bytes))
      return failure();
    std::string symbol = state.data.bytes("kcl_constant", *bytes);
    if (state.device == TargetDevice::Cuda)
      symbol = constantSlot(state, global, symbol, bytes->size());
    symbols[global.getSymName()] = symbol;
    global.erase();
  }
  state.module.walk([&](memref::GetGlobalOp get) {
    OpBuilder builder(get);
    Location loc = get.getLoc();
    Value address =
        state.data.addressOf(builder, loc, symbols.lookup(get.getName()));
    if (state.device == TargetDevice::Cuda)
      address = LLVM::LoadOp::create(builder, loc, state.data.ptr, address);
    get.replaceAllUsesWith(memrefFromAddress(
        state, builder, loc, cast<MemRefType>(get.getType()), address));
    get.erase();
  });
  return success();
}

LogicalResult lowerBinaries(EntryModule &state) {
  for (auto binary :
       llvm::make_early_inc_range(state.module.getOps<gpu::BinaryOp>())) {
    ArrayAttr objects = binary.getObjectsAttr();
    auto object = objects.size() == 1 ? dyn_cast<gpu::ObjectAttr>(objects[0])
                                      : gpu::ObjectAttr();
    if (!object)
      return binary.emitError("has ")
             << objects.size() << " objects; one fatbin, cubin or PTX expected";
    std::string bytes = object.getObject().getValue().str();
    if (object.getFormat() == gpu::CompilationTarget::Assembly)
      bytes.push_back('\0');
    StringRef name = binary.getSymName();
    std::string slot =
        state.data.variable((name + "_module").str(), state.data.ptr);
    state.binaries[name] = state.table.modules.size();
    state.table.modules.push_back(
        {Field::address(state.data.bytes((name + "_image").str(), bytes)),
         Field::integer(state.data.i64, bytes.size()), Field::address(slot)});
    binary.erase();
  }
  return success();
}

void makeLoadTable(EntryModule &state) {
  LoadTable &table = state.table;
  if (state.device == TargetDevice::Cpu)
    return;
  LlvmData &data = state.data;
  auto count = [&](auto &rows) {
    return Field::integer(data.i32, rows.size());
  };
  auto rows = [&](StringRef name, auto &list) {
    return Field::address(data.structs(name, list));
  };
  SmallVector<Field> row = {
      Field::address(data.variable("kcl_loads", data.i32)),
      count(table.modules),
      count(table.functions),
      count(table.constants),
      count(table.archs),
      rows("kcl_module_rows", table.modules),
      rows("kcl_function_rows", table.functions),
      rows("kcl_constant_rows", table.constants),
      rows("kcl_arch_rows", table.archs),
      count(table.libraries),
      Field::integer(data.i32, 0),
      rows("kcl_library_rows", table.libraries)};
  state.tableSymbol = data.structs("kcl_table", row);
}

} // namespace kclaw
