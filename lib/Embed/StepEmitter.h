//===- StepEmitter.h - The parts of emitPlan --------------------*- C++ -*-===//
//
// Buffers to memrefs, steps to claw.*_step ops, at the builder's insertion
// point. A part that fails has said so at the site's location. Used once: by
// emitPlan (PlanSteps.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EMBED_STEPEMITTER_H
#define KERNELCLAW_LIB_EMBED_STEPEMITTER_H

#include "PlanSteps.h"

#include "kernelclaw/Claw/Claw.h"

#include "mlir/IR/Diagnostics.h"

namespace kclaw {

class StepEmitter {
public:
  StepEmitter(EmbedSite site, mlir::OpBuilder &builder,
              const CompiledPlan &compiled, const NameValues &values)
      : site(site), b(builder), compiled(compiled), plan(compiled.plan),
        names(values.with(compiled.plan.tunables)) {}

  mlir::LogicalResult run(mlir::ValueRange inputs, mlir::ValueRange results);

private:
  using LogicalResult = mlir::LogicalResult;
  using OpFoldResult = mlir::OpFoldResult;
  using Type = mlir::Type;
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  template <typename T> using FailureOr = mlir::FailureOr<T>;

  // StepEmitter.cpp. `field` is where a mistake is, below `where`.
  mlir::InFlightDiagnostic error(const std::string &what);
  FailureOr<OpFoldResult> evaluate(mlir::OpBuilder &builder, const Expr &expr,
                                   const char *field);
  FailureOr<Value> number(const Expr &expr, const char *field, Type type);
  FailureOr<llvm::SmallVector<Value>> numbers(llvm::ArrayRef<Expr> exprs,
                                              const char *field, Type type);
  FailureOr<Value> buffer(const std::string &name);
  LogicalResult mark(mlir::Operation *step);

  // PlanBuffers.cpp.
  LogicalResult emitPersistent();
  LogicalResult emitBuffers(ValueRange results);
  FailureOr<Value> emitBuffer(const PlanBuffer &buffer, ValueRange results);
  FailureOr<Value> boundary(const PlanBuffer &buffer, ValueRange values);
  FailureOr<Value> workspace(const PlanBuffer &buffer);
  FailureOr<Value> constant(const PlanBuffer &buffer);

  // PlanSteps.cpp.
  LogicalResult emitModules();
  LogicalResult emitPrepare();
  LogicalResult emit(const std::string &path, const std::vector<Step> &steps);
  LogicalResult emit(const RepeatStep &step);
  LogicalResult emit(const WhenStep &step);

  // KernelSteps.cpp.
  FailureOr<Value> argument(const PlanArg &arg,
                            llvm::SmallVector<Value> &offsets);
  FailureOr<Value> floatArgument(const std::string &name);
  LogicalResult emit(const KernelStep &step);

  // TensorMaps.cpp.
  FailureOr<Value> tensorMap(const std::string &name);

  // MemorySteps.cpp.
  LogicalResult emit(const MemsetStep &step);
  LogicalResult emit(const CopyStep &step);

  // LibrarySteps.cpp.
  LogicalResult addPlace(const PlanPlace &place,
                         llvm::SmallVector<Value> &buffers,
                         llvm::SmallVector<Value> &offsets);
  const Expr &scratchBytes(const std::string &name) const;
  LogicalResult emit(const MatmulStep &step);
  LogicalResult emit(const ConvolutionStep &step);

  EmbedSite site;
  mlir::OpBuilder &b;
  const CompiledPlan &compiled;
  const Plan &plan;
  NameValues names; ///< and the indices of the loops around
  ValueRange arguments;
  std::map<std::string, Value> buffers;
  llvm::SmallVector<std::pair<Value, Value>> flags; ///< of the whens around
  int loops = 0;                                    ///< around
  Value unprepared; ///< i1; null: prepare in each call, or nothing to prepare
  bool preparing = false;
  std::map<std::string, std::string> binaries; ///< of modules, by name
  std::string where; ///< path of the step being emitted
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_EMBED_STEPEMITTER_H
