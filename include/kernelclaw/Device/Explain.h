//===- Explain.h - Judging one kernel for a person --------------*- C++ -*-===//
//
// What `kernelclaw-worker explain` and `check` do. The judgement is the one
// that the loop gets, in a child process of its own; what is printed goes to
// standard output, errors to standard error.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_DEVICE_EXPLAIN_H
#define KERNELCLAW_DEVICE_EXPLAIN_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kclaw {

enum JudgeExit : int {
  JudgedOk = 0,
  JudgedNotOk = 1,
  BadInput = 2, ///< a file, an option or the plan is wrong; nothing was judged
  NoDevice = 3, ///< no usable device, driver or NVRTC
};

/// Of both commands.
struct JudgeOptions {
  std::string device = "cuda"; ///< as for Worker.h
  std::string workerPath;
  std::string json;             ///< write the evaluation here; empty: do not
  std::string repro;            ///< write a stand-alone program to this folder
  std::string commandLine;      ///< for the repro's README
  std::optional<uint64_t> seed; ///< as a report prints it: the same data again
  std::optional<double> timeoutSeconds;
  bool profile = false;
  bool checks = false; ///< the simulator's and compute-sanitizer's
  bool verbose = false;
};

struct ExplainOptions {
  JudgeOptions judge;
  std::string attempt; ///< RUN/REGION/ATTEMPT, or a job file
};
int runExplain(const ExplainOptions &options);

struct CheckOptions {
  JudgeOptions judge;
  std::string source;           ///< the .cu
  std::string spec;             ///< a spec, a region's folder or a job
  std::string stock, reference; ///< plans, when they do not lie beside `spec`
  std::string plan;             ///< launch recipe instead of claw lines
  std::vector<std::string> launch; ///< further claw lines
  std::optional<std::string> arch;
  bool deterministic = false;
  bool watch = false;  ///< again whenever the source changes
  bool create = false; ///< write a source to start from, and stop
};
int runCheck(const CheckOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_EXPLAIN_H
