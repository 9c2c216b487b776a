//===- LlvmData.h - Constant data and calls in the LLVM dialect -*- C++ -*-===//
//
// The small vocabulary that the entry ABI is written in: globals (bytes,
// strings, structs of pointers and integers), runtime functions, descriptors.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_LOWER_LLVMDATA_H
#define KERNELCLAW_LIB_LOWER_LLVMDATA_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

#include <variant>

namespace kclaw {

/// Element of a struct global: the address of another global (null symbol: the
/// null pointer), or an integer of its type.
struct Field {
  static Field address(llvm::StringRef symbol) { return {symbol.str(), {}}; }
  static Field integer(mlir::Type type, int64_t value) {
    return {{}, mlir::IntegerAttr::get(type, value)};
  }
  std::string symbol;
  mlir::IntegerAttr value; ///< null: `symbol` counts
};

/// Adds internal globals and declarations to a module. Names are made unique.
class LlvmData {
public:
  explicit LlvmData(mlir::ModuleOp module);

  mlir::Type ptr, i8, i16, i32, i64;

  /// Constant bytes, aligned to 64. Returns the symbol.
  std::string bytes(llvm::StringRef name, llvm::StringRef content);
  /// NUL-terminated text, shared between equal texts.
  std::string text(llvm::StringRef content);
  /// Constant array of i64; empty symbol (a null address) when empty.
  std::string integers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  /// A zero-initialised variable of type ptr or i32.
  std::string variable(llvm::StringRef name, mlir::Type type);
  /// A constant array of equal structs; empty symbol when there are no rows.
  std::string structs(llvm::StringRef name,
                      llvm::ArrayRef<llvm::SmallVector<Field>> rows);

  /// Declares a runtime function (i32 result) once and calls it.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::StringRef name, mlir::ValueRange operands);
  mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef symbol);
  /// An i64, i32 or i1 constant.
  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type, int64_t value);
  /// The address `base` + constant or dynamic byte offset.
  mlir::Value offset(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value base, int64_t bytes);

private:
  mlir::LLVM::GlobalOp global(llvm::StringRef name, mlir::Type type,
                              mlir::Attribute value, bool isConstant,
                              uint64_t alignment);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  llvm::StringMap<std::string> texts;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_LLVMDATA_H
