//===- EntryAbi.h - The parts of kclaw-entry-abi ----------------*- C++ -*-===//
//
// EntryAbi.cpp runs these in order over one module: constants, then per entry
// its body's steps, its description and its C functions, then the load table.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_LOWER_ENTRYABI_H
#define KERNELCLAW_LIB_LOWER_ENTRYABI_H

#include "LlvmData.h"
#include "kernelclaw/Lower/Lower.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace kclaw {

/// The rows of kcl_load_table, collected while the module is rewritten.
struct LoadTable {
  llvm::SmallVector<llvm::SmallVector<Field>> modules, functions, constants,
      archs, libraries;
};

/// State of one run of the pass. Symbols are those of LLVM globals.
struct EntryModule {
  EntryModule(mlir::ModuleOp module, TargetDevice device)
      : module(module), device(device), data(module),
        types(module.getContext()) {}

  mlir::ModuleOp module;
  TargetDevice device;
  LlvmData data;
  mlir::LLVMTypeConverter types;
  bool graphs = false; ///< calls of several steps are worth a CUDA graph
  LoadTable table;
  std::string tableSymbol;              ///< empty when nothing has to be loaded
  llvm::StringMap<unsigned> binaries;   ///< gpu.binary -> row of table.modules
  llvm::StringMap<std::string> kernels; ///< binary::entry -> function slot
  llvm::StringMap<std::string> guards;  ///< architecture list -> its slot
};

/// One entry function while it is rewritten.
struct Entry {
  mlir::func::FuncOp body; ///< becomes private: (args, results, arena, call)
  std::string name;
  unsigned numArgs = 0;
  unsigned numResults = 0;
  unsigned numRegions = 0;
  unsigned numSteps = 0;        ///< step ops, of winners and of stock
  bool tf32 = false;            ///< f32 operands may be rounded to TF32
  uint64_t persistentBytes = 0; ///< of prepared buffers; 0: nothing to prepare
  bool preparing = false;       ///< the body is that of NAME_prepare
  std::string infoSymbol;       ///< global kcl_entry_info
};

/// memref.global -> bytes; memref.get_global -> its address, on CUDA that of
/// the copy that NAME_load made.
mlir::LogicalResult lowerConstants(EntryModule &state);

/// gpu.binary -> bytes and a row of the load table. Only on CUDA.
mlir::LogicalResult lowerBinaries(EntryModule &state);

/// Claw steps, guards, requirements and assertions of a body -> runtime calls
/// that leave the function with their status. The body returns i32 and has the
/// call as its last argument.
mlir::LogicalResult lowerSteps(EntryModule &state, Entry &entry);

/// On a claw.persistent (i64): where its buffer is in call->persistent. Without
/// it the plan prepares in each call.
inline constexpr llvm::StringLiteral persistentOffsetAttrName =
    "claw.persistent_offset";

/// Gives each claw.persistent whose prepare steps read only arguments and
/// constants its place, and makes NAME__prepare of the body's prepare steps
/// where there is any. Before makeStatus.
void planPersistent(EntryModule &state, Entry &entry);

/// The constant kcl_entry_info of an entry.
mlir::LogicalResult makeEntryInfo(EntryModule &state, Entry &entry);

/// The load table; needs all rows.
void makeLoadTable(EntryModule &state);

/// NAME and its companions, as Runtime/kernelclaw.h lists them.
void makeEntryFunctions(EntryModule &state, Entry &entry);

/// A memref value on top of a raw address; `sizes` are i64 values of the
/// dynamic dimensions.
mlir::Value memrefFromAddress(EntryModule &state, mlir::OpBuilder &builder,
                              mlir::Location loc, mlir::MemRefType type,
                              mlir::Value address, mlir::ValueRange sizes = {});

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_ENTRYABI_H
