//===- ReproProgram.h - A plan as tables of a C++ source --------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_REPROPROGRAM_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_REPROPROGRAM_H

#include "Problem.h"
#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"

namespace kclaw {

/// Text that writes one repro::Program.
struct ReproProgram {
  std::string declarations; ///< before repro::problem()
  std::string body;         ///< inside of it
  std::string definitions;  ///< behind it: sources, images, constants
  /// What cannot be expressed: "steps[1]: a matrix product of cuBLASLt".
  std::vector<std::string> missing;
  std::vector<std::string> includes; ///< lines that the sources begin with
};

/// `who` is candidate, stock or reference. Modules that are CUDA C++ and whose
/// kernels are plain functions go in as source when `asSource`, all others as
/// their image.
ReproProgram renderProgram(const std::string &who, const Plan &plan,
                           const std::vector<ModuleImage> &images,
                           const KernelSpec &spec, const Problem &problem,
                           bool asSource);

/// A C string literal.
std::string quoted(const std::string &text);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_REPROPROGRAM_H
