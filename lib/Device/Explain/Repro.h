//===- Repro.h - A stand-alone program of one judgement ---------*- C++ -*-===//
//
// repro.cu has a host main, the judge's data generator, the candidate's source,
// stock and reference as PTX, a check against the reference and a timing loop;
// README.md and run.sh the nvcc, compute-sanitizer and ncu command lines. It
// needs a CUDA toolkit and a device, nothing of ours.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_REPRO_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_REPRO_H

#include "kernelclaw/Plan/Job.h"

namespace kclaw {

struct ReproOptions {
  std::string directory;
  std::string workerPath;  ///< to compile stock and reference
  std::string commandLine; ///< that made it, for the README
};

/// Writes repro.cu, README.md, run.sh and the candidate's PTX (where it
/// compiles). `evaluation` gives the data on which it failed, and the sizes.
/// Invalid names what of the candidate cannot be expressed; what of stock and
/// reference cannot is left out and said in repro.cu. Returns what was left
/// out.
Expected<std::vector<std::string>> writeRepro(const Job &job,
                                              const Evaluation &evaluation,
                                              const ReproOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_REPRO_H
