//===- EntryAbi.cpp - kclaw-entry-abi -------------------------------------===//
//
// The order of the rewrite; the parts are in Constants, Steps, EntryInfo and
// EntryFunctions.
//
//===----------------------------------------------------------------------===//
#include "EntryAbi.h"
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace kclaw {
#define GEN_PASS_DEF_ENTRYABIPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;
using namespace kclaw;

/// Private functions must not be visible in the object either.
static void makeInternal(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
}

/// Adds the call as last argument and the status as result.
static LogicalResult makeStatus(EntryModule &state, func::FuncOp body) {
  Location loc = body.getLoc();
  makeInternal(body);
  SmallVector<func::ReturnOp> exits;
  body.walk([&](func::ReturnOp exit) { exits.push_back(exit); });
  if (failed(body.insertArgument(body.getNumArguments(), state.data.ptr, {},
                                 loc)) ||
      failed(body.insertResult(0, state.data.i32, {})))
    return failure();
  for (func::ReturnOp exit : exits) {
    OpBuilder builder(exit);
    Value ok = state.data.constant(builder, loc, state.data.i32, 0);
    exit->setOperands(ok);
  }
  return success();
}

/// NAME__checks gets the call and a status, too.
static LogicalResult convertChecks(EntryModule &state, Entry &entry) {
  auto function =
      state.module.lookupSymbol<func::FuncOp>(entry.name + "__checks");
  if (!function)
    return success();
  function->removeAttr(checksAttrName);
  Entry checks;
  checks.body = function;
  if (failed(makeStatus(state, function)))
    return failure();
  return lowerSteps(state, checks);
}

/// NAME__prepare has the arguments of the body.
static LogicalResult convertPrepare(EntryModule &state, Entry &entry) {
  Entry prepare = entry;
  prepare.body =
      state.module.lookupSymbol<func::FuncOp>(entry.name + "__prepare");
  if (!prepare.body)
    return success();
  prepare.preparing = true;
  return failure(failed(makeStatus(state, prepare.body)) ||
                 failed(lowerSteps(state, prepare)));
}

static LogicalResult convertEntry(EntryModule &state, Entry &entry) {
  auto count = entry.body->getAttrOfType<IntegerAttr>(numResultsAttrName);
  entry.name = entry.body.getName();
  entry.numResults = count.getInt();
  entry.numArgs = entry.body.getNumArguments() - entry.numResults - 1;
  for (StringRef suffix : {"__shapes", "__arena"})
    if (auto helper =
            state.module.lookupSymbol<func::FuncOp>(entry.name + suffix.str()))
      makeInternal(helper);
  entry.body.setName(entry.name + "__body");
  planPersistent(state, entry);
  if (failed(convertPrepare(state, entry)) ||
      failed(makeStatus(state, entry.body)) ||
      failed(lowerSteps(state, entry)) || failed(convertChecks(state, entry)) ||
      failed(makeEntryInfo(state, entry)))
    return failure();
  entry.body->removeAttr(numResultsAttrName);
  entry.body.setAllArgAttrs(
      SmallVector<DictionaryAttr>(entry.body.getNumArguments()));
  return success();
}

namespace {
struct EntryAbi : kclaw::impl::EntryAbiPassBase<EntryAbi> {
  using EntryAbiPassBase::EntryAbiPassBase;

  void runOnOperation() override {
    EntryModule state(getOperation(), device == "cuda" ? TargetDevice::Cuda
                                                       : TargetDevice::Cpu);
    state.graphs = getOperation()->hasAttr(graphAttrName);
    getOperation()->removeAttr(graphAttrName);
    bool tf32 = getOperation()->removeAttr(tf32AttrName) != nullptr;
    SmallVector<Entry> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(numResultsAttrName)) {
        Entry &entry = entries.emplace_back();
        entry.body = function;
        entry.tf32 = tf32;
      }
    if (entries.empty()) {
      getOperation().emitError("no public function to make an entry of");
      return signalPassFailure();
    }
    if (failed(lowerConstants(state)) || failed(lowerBinaries(state)))
      return signalPassFailure();
    for (Entry &entry : entries)
      if (failed(convertEntry(state, entry)))
        return signalPassFailure();
    makeLoadTable(state);
    for (Entry &entry : entries)
      makeEntryFunctions(state, entry);
    getOperation()->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }
};
} // namespace
