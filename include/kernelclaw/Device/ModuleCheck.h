//===- ModuleCheck.h - A lowered module against its record ------*- C++ -*-===//
//
// What kernelclaw-run --verify does, in this process: each entry runs on the
// judge's data beside its all-stock plan and its f64 reference, and every
// result must be as right as stock (Correctness.h). One thread.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_DEVICE_MODULECHECK_H
#define KERNELCLAW_DEVICE_MODULECHECK_H

#include "kernelclaw/Plan/ModuleRecord.h"
#include "kernelclaw/Plan/VerifyReport.h"
#include "kernelclaw/Runtime/kernelclaw.h"

#include <functional>

namespace kclaw {

/// The functions of one entry; they stay valid during the check.
struct ModuleEntry {
  std::string name;
  kcl_entry_fn run = nullptr;
  kcl_workspace_fn workspace = nullptr;
  kcl_load_fn load = nullptr;
  kcl_load_fn unload = nullptr;
  const kcl_entry_info *info = nullptr;
};

/// Finds an entry of the module; an Error makes the entry Failed.
using FindEntry = std::function<Expected<ModuleEntry>(const std::string &)>;

/// Error::Code::Unavailable when there is no device, driver, NVRTC or
/// kernelclaw-worker (which compiles the judge's own kernels); all else is in
/// the report. After `contextLost` the process must end by _exit.
Expected<VerifyReport> checkModule(const ModuleRecord &record,
                                   const FindEntry &find);

/// What a convolution of f32 operands rounded to TF32 may err, relative to the
/// scale of its result: the budget of a judged region (ErrorBudget.cpp).
double tf32Bound();

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_MODULECHECK_H
