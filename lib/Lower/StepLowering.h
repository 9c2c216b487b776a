//===- StepLowering.h - The steps of one entry as runtime calls -*- C++ -*-===//
//
// Fills the structs of kcl_steps.h on the stack; one set per function, because
// nothing keeps them after a call. A non-zero status leaves the function.
// Both halves of the code know the structs, so offsets are the compiler's.
// Used once: by lowerSteps (Steps.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_LOWER_STEPLOWERING_H
#define KERNELCLAW_LIB_LOWER_STEPLOWERING_H

#include "EntryAbi.h"
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Runtime/kcl_entry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace kclaw {

/// Bytes of a CUtensorMap, which is 64-aligned.
constexpr int64_t encodedMapSize = 128;

class StepLowering {
public:
  StepLowering(EntryModule &state, Entry &entry)
      : state(state), data(state.data), entry(entry),
        call(entry.body.getArguments().back()) {}

  /// Replaces all steps of the entry's body.
  mlir::LogicalResult run();

private:
  using OpBuilder = mlir::OpBuilder;
  using Location = mlir::Location;
  using Value = mlir::Value;
  using LogicalResult = mlir::LogicalResult;

  /// A struct of a library step: what is known as bytes, the rest as code.
  struct StructImage {
    std::string bytes;
    /// i64 or ptr, by offset.
    llvm::SmallVector<std::pair<int64_t, Value>> values;
    int64_t handle = 0, object = 0; ///< offsets of what load makes
  };

  /// Where a function is left unless `ok`: `op` becomes the branch.
  struct Exit {
    mlir::Operation *op;
    Value ok;
    mlir::Block *target;
    llvm::SmallVector<Value, 1> operands;
  };

  // Steps.cpp.
  llvm::SmallVector<mlir::Operation *> collect();
  void makeLeave();

  // StepLowering.cpp.
  void makeStack();
  void store(OpBuilder &b, Location loc, Value base, int64_t at, Value value);
  Value integer(OpBuilder &b, Location loc, Value value, mlir::Type type);
  Value bits(OpBuilder &b, Location loc, Value memref);
  Value address(OpBuilder &b, Location loc, Value memref, Value byteOffset);
  void check(mlir::Operation *op, Value status);
  void branch();

  // KernelSteps.cpp.
  mlir::FailureOr<std::string> functionSlot(claw::KernelStepOp step);
  LogicalResult lower(claw::KernelStepOp step);

  // TensorMaps.cpp.
  Value encodedMap(OpBuilder &b, Location loc, claw::TensorMapOp map);
  LogicalResult lower(claw::TensorMapOp map);

  // MemorySteps.cpp.
  LogicalResult lower(claw::MemsetStepOp step);
  LogicalResult lower(claw::CopyStepOp step);
  LogicalResult lower(claw::PersistentOp persistent);

  // LibrarySteps.cpp.
  void callLibrary(mlir::Operation *op, StructImage image, bool known,
                   kcl_library_kind kind, llvm::StringRef choice,
                   llvm::StringRef function);
  LogicalResult lower(claw::MatmulStepOp matmul);
  LogicalResult lower(claw::ConvolutionStepOp convolution);

  // Guards.cpp.
  mlir::Block *addFailure();
  LogicalResult lower(claw::GuardOp guard);
  LogicalResult lower(claw::RequireOp requirement);
  LogicalResult lower(mlir::cf::AssertOp assertion);

  EntryModule &state;
  LlvmData &data;
  Entry &entry;
  Value call;
  Value step, slots, pointers; ///< stack: a struct, argument values, addresses
  Value maps;                  ///< stack: CUtensorMaps
  llvm::DenseMap<mlir::Operation *, unsigned> mapIndex;
  size_t stepSize = 0;           ///< of the largest struct
  unsigned maxArgs = 0;          ///< most values of one op
  mlir::Block *leave = nullptr;  ///< returns its i32 argument
  llvm::SmallVector<Exit> exits; ///< in program order
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_STEPLOWERING_H
