//===- Compiler.h - CUDA C++ to images, in a sandboxed process --*- C++ -*-===//
//
// Each source is compiled by NVRTC in a fresh process (kernelclaw-worker run as
// its own compile server): empty environment, capped memory and time, and, by
// Landlock, no file but those below the include roots. Needs no GPU.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_DEVICE_COMPILER_H
#define KERNELCLAW_DEVICE_COMPILER_H

#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

/// A plan's modules, compiled. `outcome` is Ok, CompileError or Rejected.
struct CompiledPlan {
  Outcome outcome = Outcome::Ok;
  std::string rule;
  std::string message;
  std::string log;
  std::vector<ModuleImage> images; ///< in the order of the plan's modules
  std::vector<ResourceReport> resources;
  std::string nvrtcVersion;
  std::string sandbox; ///< "landlock" or "scan"
};

struct CompileOptions {
  std::string arch = "sm_90a";
  double timeoutSeconds = 60;
  /// kernelclaw-worker; it is started as the compile server.
  std::string workerPath;
};

/// Compiles the CUDA C++ modules; PTX and cubin modules pass through. An Error
/// is ours (no NVRTC, no worker); what is wrong with the plan is its outcome.
Expected<CompiledPlan> compilePlan(const Plan &plan, const KernelSpec &spec,
                                   const CompileOptions &options);

/// The compile server: one request from standard input, one reply to standard
/// output. The tool's main calls it.
int runCompileServer();

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_COMPILER_H
