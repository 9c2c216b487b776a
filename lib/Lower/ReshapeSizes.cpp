//===- ReshapeSizes.cpp - The sizes that memref.reshape takes -------------===//
//
// Looks at the users of the memory: with one store a position, the order of
// stores and reshapes does not matter.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/ReshapeSizes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

static InFlightDiagnostic refuse(memref::ReshapeOp op, int64_t dim) {
  return op.emitOpError("takes size ")
         << dim << " from data; it must be known before the call";
}

FailureOr<Value> kclaw::reshapeSize(memref::ReshapeOp op, int64_t dim) {
  Value shape = op.getShape(), found;
  if (!shape.getDefiningOp<memref::AllocOp>())
    return refuse(op, dim);
  for (Operation *user : shape.getUsers()) {
    if (isa<memref::ReshapeOp, memref::LoadOp, memref::DeallocOp>(user))
      continue;
    auto store = dyn_cast<memref::StoreOp>(user);
    std::optional<int64_t> at = store && store.getIndices().size() == 1
                                    ? getConstantIntValue(store.getIndices()[0])
                                    : std::nullopt;
    if (!at) {
      InFlightDiagnostic diagnostic = refuse(op, dim);
      diagnostic.attachNote(user->getLoc())
          << "this may write any of its sizes";
      return diagnostic;
    }
    if (*at != dim)
      continue;
    if (found) {
      InFlightDiagnostic diagnostic = refuse(op, dim);
      diagnostic.attachNote(user->getLoc())
          << "this is not the only store of that size";
      return diagnostic;
    }
    found = store.getValue();
  }
  if (!found || !found.getType().isIndex())
    return refuse(op, dim);
  return found;
}
