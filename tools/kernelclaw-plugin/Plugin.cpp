//===- Plugin.cpp - Entry points for stock mlir-opt -----------------------===//
//
// mlir-opt --load-pass-plugin=P --load-dialect-plugin=P
//          --pass-pipeline='builtin.module(kclaw-outline)' FILE
//
// The host's flags are fixed before a plugin loads: our passes have no flag of
// their own in it, only --pass-pipeline. A host with another MLIR than ours in
// it is refused, because two copies do not agree on types.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Register/Register.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>
#include <link.h>

using namespace mlir;

namespace {
/// What dl_iterate_phdr, which goes in load order, has shown so far.
struct LoadOrder {
  uintptr_t plugin;
  bool sawPlugin = false;
  bool mlirBeforePlugin = false;
};
} // namespace

static int visitObject(dl_phdr_info *object, size_t, void *data) {
  auto &order = *static_cast<LoadOrder *>(data);
  order.sawPlugin |= object->dlpi_addr == order.plugin;
  llvm::StringRef name(object->dlpi_name);
  order.mlirBeforePlugin |=
      !order.sawPlugin &&
      name.contains("libMLIR.so." + std::to_string(LLVM_VERSION_MAJOR));
  return 0;
}

/// True when the libMLIR that we use was the host's before we came.
static bool hostHasOurMlir() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<void *>(&hostHasOurMlir), &self))
    return true;
  LoadOrder order{reinterpret_cast<uintptr_t>(self.dli_fbase)};
  dl_iterate_phdr(visitObject, &order);
  return order.mlirBeforePlugin;
}

/// The API version, or 0, which every host refuses, with the reason on stderr.
static uint32_t apiVersionFor(uint32_t version) {
  if (hostHasOurMlir())
    return version;
  llvm::errs() << "KernelClaw plugin: error: the host program does not use the "
                  "shared MLIR " LLVM_VERSION_STRING
                  " that this plugin was built with; load it into mlir-opt of "
                  "the same LLVM package, or use kernelclaw-opt\n";
  return 0;
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {apiVersionFor(MLIR_PLUGIN_API_VERSION), "KernelClaw",
          LLVM_VERSION_STRING, [] { kclaw::registerAllKernelClawPasses(); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {apiVersionFor(MLIR_PLUGIN_API_VERSION), "KernelClaw",
          LLVM_VERSION_STRING, [](DialectRegistry *registry) {
            kclaw::registerAllKernelClawDialects(*registry);
          }};
}
