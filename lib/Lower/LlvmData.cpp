//===- LlvmData.cpp - Constant data and calls in the LLVM dialect ---------===//
//
// Globals with initializer regions where addresses are involved.
//
//===----------------------------------------------------------------------===//
#include "LlvmData.h"

using namespace mlir;

namespace kclaw {

LlvmData::LlvmData(ModuleOp module)
    : ptr(LLVM::LLVMPointerType::get(module.getContext())),
      i8(IntegerType::get(module.getContext(), 8)),
      i16(IntegerType::get(module.getContext(), 16)),
      i32(IntegerType::get(module.getContext(), 32)),
      i64(IntegerType::get(module.getContext(), 64)), module(module),
      symbols(module) {}

LLVM::GlobalOp LlvmData::global(StringRef name, Type type, Attribute value,
                                bool isConstant, uint64_t alignment) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto op =
      LLVM::GlobalOp::create(builder, module.getLoc(), type, isConstant,
                             LLVM::Linkage::Internal, name, value, alignment);
  symbols.insert(op);
  return op;
}

std::string LlvmData::bytes(StringRef name, StringRef content) {
  Type type = LLVM::LLVMArrayType::get(i8, content.size());
  return global(name, type, StringAttr::get(module.getContext(), content),
                /*isConstant=*/true, /*alignment=*/64)
      .getSymName()
      .str();
}

std::string LlvmData::text(StringRef content) {
  std::string &symbol = texts[content];
  if (symbol.empty())
    symbol = bytes("kcl_text", (content + StringRef("\0", 1)).str());
  return symbol;
}

std::string LlvmData::integers(StringRef name, ArrayRef<int64_t> values) {
  if (values.empty())
    return {};
  auto shape = RankedTensorType::get({int64_t(values.size())}, i64);
  return global(name, LLVM::LLVMArrayType::get(i64, values.size()),
                DenseElementsAttr::get(shape, values), /*isConstant=*/true, 8)
      .getSymName()
      .str();
}

std::string LlvmData::variable(StringRef name, Type type) {
  auto op = global(name, type, {}, /*isConstant=*/false, 8);
  OpBuilder builder =
      OpBuilder::atBlockBegin(&op.getInitializerRegion().emplaceBlock());
  Value zero = LLVM::ZeroOp::create(builder, module.getLoc(), type);
  LLVM::ReturnOp::create(builder, module.getLoc(), zero);
  return op.getSymName().str();
}

std::string LlvmData::structs(StringRef name,
                              ArrayRef<SmallVector<Field>> rows) {
  if (rows.empty())
    return {};
  SmallVector<Type> types;
  for (const Field &field : rows.front())
    types.push_back(field.value ? field.value.getType() : ptr);
  auto row = LLVM::LLVMStructType::getLiteral(module.getContext(), types);
  auto op = global(name, LLVM::LLVMArrayType::get(row, rows.size()), {},
                   /*isConstant=*/true, 8);
  OpBuilder builder =
      OpBuilder::atBlockBegin(&op.getInitializerRegion().emplaceBlock());
  Location loc = module.getLoc();
  Value all = LLVM::UndefOp::create(builder, loc, op.getType());
  for (auto [r, fields] : llvm::enumerate(rows))
    for (auto [f, field] : llvm::enumerate(fields)) {
      Value value =
          field.value
              ? LLVM::ConstantOp::create(builder, loc, field.value).getResult()
              : addressOf(builder, loc, field.symbol);
      all = LLVM::InsertValueOp::create(
          builder, loc, all, value, ArrayRef<int64_t>{int64_t(r), int64_t(f)});
    }
  LLVM::ReturnOp::create(builder, loc, all);
  return op.getSymName().str();
}

Value LlvmData::call(OpBuilder &builder, Location loc, StringRef name,
                     ValueRange operands) {
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    SmallVector<Type> inputs(operands.getTypes());
    auto type = LLVM::LLVMFunctionType::get(i32, inputs);
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    callee = LLVM::LLVMFuncOp::create(atEnd, module.getLoc(), name, type);
    symbols.insert(callee);
  }
  return LLVM::CallOp::create(builder, loc, callee, operands).getResult();
}

Value LlvmData::addressOf(OpBuilder &builder, Location loc, StringRef symbol) {
  if (symbol.empty())
    return LLVM::ZeroOp::create(builder, loc, ptr);
  return LLVM::AddressOfOp::create(builder, loc, ptr, symbol);
}

Value LlvmData::constant(OpBuilder &builder, Location loc, Type type,
                         int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, value));
}

Value LlvmData::offset(OpBuilder &builder, Location loc, Value base,
                       int64_t bytes) {
  return LLVM::GEPOp::create(builder, loc, ptr, i8, base,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

} // namespace kclaw
