//===- Prepared.cpp - Prepared buffers of an entry ------------------------===//
//
// NAME_prepare runs the prepare steps of all regions ahead of the calls. That
// works for a plan whose prepare steps read arguments of the entry and
// constants alone; one that reads what a call computes (the entry packs the
// transpose of a weight, say) keeps its buffers in the workspace and prepares
// in each call.
//
//===----------------------------------------------------------------------===//
#include "EntryAbi.h"
#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace kclaw {

constexpr int64_t persistentAlignment = 256;

/// What a buffer is a part of, past views and tensor maps.
static Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto map = dyn_cast<claw::TensorMapOp>(op))
      value = map.getBuffer();
    else if (isa<ViewLikeOpInterface, memref::CastOp>(op))
      value = op->getOperand(0);
    else
      break;
  }
  return value;
}

/// Known when NAME_prepare runs: an argument of the entry, or a constant, which
/// is a descriptor by now.
static bool isKnown(Value root, const Entry &entry, func::FuncOp body) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return argument.getOwner() == &body.getBody().front() &&
           argument.getArgNumber() < entry.numArgs;
  return root.getDefiningOp<UnrealizedConversionCastOp>() != nullptr;
}

static SmallVector<Value> memrefsOf(Operation *step) {
  SmallVector<Value> roots;
  for (Value operand : step->getOperands())
    if (isa<MemRefType>(operand.getType()))
      roots.push_back(rootOf(operand));
  return roots;
}

static bool isPrepare(Operation *op) {
  return op->hasAttr(claw::prepareAttrName);
}

/// The plans whose prepare steps read something else. One bad step is enough,
/// and its buffers make the other steps on them bad, too.
static llvm::DenseSet<Operation *> inEachCall(const Entry &entry,
                                              ArrayRef<Operation *> steps) {
  llvm::DenseSet<Operation *> found;
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *step : steps) {
      SmallVector<Value> roots = memrefsOf(step);
      bool bad = llvm::any_of(roots, [&](Value root) {
        auto own = root.getDefiningOp<claw::PersistentOp>();
        return own ? found.contains(own) : !isKnown(root, entry, entry.body);
      });
      for (Value root : roots)
        if (auto own = root.getDefiningOp<claw::PersistentOp>(); own && bad)
          changed |= found.insert(own).second;
    }
  }
  return found;
}

/// NAME__prepare: the body without its other steps. What is left computes
/// sizes and asks the guards.
static void makePrepare(EntryModule &state, Entry &entry) {
  OpBuilder builder(entry.body);
  auto prepare = cast<func::FuncOp>(builder.clone(*entry.body));
  prepare.setName(entry.name + "__prepare");
  prepare->removeAttr(numResultsAttrName);
  prepare.setAllArgAttrs(
      SmallVector<DictionaryAttr>(prepare.getNumArguments()));
  SmallVector<Operation *> others;
  prepare.walk([&](Operation *op) {
    bool step = isa<claw::KernelStepOp, claw::MemsetStepOp, claw::CopyStepOp,
                    claw::MatmulStepOp, claw::ConvolutionStepOp>(op);
    bool own =
        isPrepare(op) && llvm::none_of(memrefsOf(op), [](Value root) {
          auto persistent = root.getDefiningOp<claw::PersistentOp>();
          return persistent && !persistent->hasAttr(persistentOffsetAttrName);
        });
    if (step && !own)
      others.push_back(op);
  });
  for (Operation *op : others)
    op->erase();
  SmallVector<claw::TensorMapOp> unused;
  prepare.walk([&](claw::TensorMapOp map) {
    if (map->use_empty())
      unused.push_back(map);
  });
  for (claw::TensorMapOp map : unused)
    map.erase();
}

void planPersistent(EntryModule &state, Entry &entry) {
  SmallVector<Operation *> steps;
  SmallVector<claw::PersistentOp> buffers;
  entry.body.walk([&](Operation *op) {
    if (isPrepare(op))
      steps.push_back(op);
    if (auto persistent = dyn_cast<claw::PersistentOp>(op))
      buffers.push_back(persistent);
  });
  llvm::DenseSet<Operation *> late = inEachCall(entry, steps);
  Builder types(state.module.getContext());
  for (claw::PersistentOp buffer : buffers) {
    if (late.contains(buffer))
      continue;
    buffer->setAttr(persistentOffsetAttrName,
                    types.getI64IntegerAttr(entry.persistentBytes));
    auto type = cast<MemRefType>(buffer.getBuffer().getType());
    int64_t bytes = type.getNumElements();
    entry.persistentBytes += (bytes + persistentAlignment - 1) /
                             persistentAlignment * persistentAlignment;
  }
  if (entry.persistentBytes)
    makePrepare(state, entry);
}

} // namespace kclaw
