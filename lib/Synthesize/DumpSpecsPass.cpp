//===- DumpSpecsPass.cpp - kclaw-dump-specs -------------------------------===//
//
// Prints the spec of each region as JSON; for tests and for the curious.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Synthesize/Passes.h"
#include "kernelclaw/Synthesize/Synthesize.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace kclaw {
#define GEN_PASS_DEF_KCLAWDUMPSPECS
#include "kernelclaw/Synthesize/Passes.h.inc"
} // namespace kclaw

namespace {
struct DumpSpecsPass : kclaw::impl::KClawDumpSpecsBase<DumpSpecsPass> {
  void runOnOperation() override {
    for (auto region : getOperation().getOps<func::FuncOp>()) {
      if (!region->hasAttr(kclaw::claw::regionAttrName))
        continue;
      FailureOr<kclaw::KernelSpec> spec =
          kclaw::buildKernelSpec(region, kclaw::Policy::Torch);
      if (succeeded(spec))
        llvm::outs() << kclaw::toJson(*spec) << "\n";
    }
  }
};
} // namespace
