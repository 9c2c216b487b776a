//===- Module.h - The functions of an entry ---------------------*- C++ -*-===//
//
// From a shared library (dlopen) or from a .mlir file (JIT, through
// libkernelclaw_jit.so). The code stays loaded until the process ends.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_MODULE_H
#define KERNELCLAW_TOOLS_RUN_MODULE_H

#include "kernelclaw/Runtime/kernelclaw.h"
#include "kernelclaw/Support/Error.h"

#include <functional>
#include <string>

namespace kclaw {

struct EntryFunctions {
  std::string name;
  kcl_entry_fn run = nullptr;
  kcl_workspace_fn workspace = nullptr;
  kcl_shapes_fn shapes = nullptr;
  kcl_workspace_fn persistent = nullptr;
  kcl_prepare_fn prepare = nullptr;
  kcl_load_fn load = nullptr;
  kcl_load_fn unload = nullptr;
  const kcl_entry_info *info = nullptr;
  uint64_t hints = 0; ///< kcl_hint bits
};

/// A loaded module: its functions by name (null: none), and its first entry.
struct ModuleSymbols {
  std::function<void *(const std::string &)> lookup;
  std::string first;
};
/// `device` is "cpu" or "cuda"; it counts for files that are not lowered yet.
Expected<ModuleSymbols> loadModule(const std::string &path,
                                   const std::string &device);
/// An error names what the module at `path` lacks.
Expected<EntryFunctions> bindEntry(const std::string &path,
                                   const std::string &entry,
                                   const ModuleSymbols &module);

/// `entry` may be empty: the first one (.mlir) or "main" (.so). `device` is
/// "cpu" or "cuda"; it counts for files that are not lowered yet.
Expected<EntryFunctions> openModule(const std::string &path,
                                    const std::string &entry,
                                    const std::string &device);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_MODULE_H
