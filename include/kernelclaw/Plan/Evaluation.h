//===- Evaluation.h - What an evaluator says about a plan -------*- C++ -*-===//
//
// The answer to a Job. A kernel that fails is a value here, with evidence for
// the next attempt. Times carry their samples; times of different evidence are
// never compared. JSON form: docs/schema/evaluation.schema.json.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_EVALUATION_H
#define KERNELCLAW_PLAN_EVALUATION_H

#include "kernelclaw/Plan/Profile.h"
#include "kernelclaw/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kclaw {

enum class Outcome {
  Rejected,
  CompileError,
  LaunchError,
  Fault,
  Timeout,
  Mismatch,
  Nondeterministic,
  Suspicious,
  Ok
};
/// From weak to strong. SimulatedReduced: on the simulator, and at sizes
/// smaller than the region's own.
enum class Evidence { None, SimulatedReduced, Simulated, Measured };
inline bool isSimulated(Evidence evidence) {
  return evidence == Evidence::Simulated ||
         evidence == Evidence::SimulatedReduced;
}

/// Microseconds by CUDA events around the whole plan, L2 flushed before each;
/// on the simulator its estimate.
struct Timing {
  std::vector<double> samplesMicroseconds;
  double medianMicroseconds = 0;
  double spread = 0;   ///< (p90 - p10) / median
  double clockMHz = 0; ///< SM clock read after the samples; 0 unknown
  std::string device;  ///< "NVIDIA H200"
  std::string method;  ///< "events, cold L2", "estimate of the simulator"
  bool empty() const { return samplesMicroseconds.empty(); }
};

/// Error of one result on one distribution, e = out - f64 reference.
struct ResultError {
  int result = 0;
  std::string distribution;
  double relativeNorm = 0;      ///< ||e|| / ||ref||
  double maxScaled = 0;         ///< max |e_i| / scale_i
  double stockRelativeNorm = 0; ///< the same of stock
  double stockMaxScaled = 0;
  double bound = 0;        ///< what each must not exceed
  int64_t worstIndex = -1; ///< flat index of the largest error
  double got = 0;
  double want = 0;
  bool ok = true;
};

/// From ptxas and the driver, per kernel.
struct ResourceReport {
  std::string kernel;
  int registers = 0;
  int spillBytes = 0;
  int staticSharedBytes = 0;
  int stackBytes = 0;
};

/// Compiled images of one module of the plan.
struct ModuleImage {
  std::string module;
  std::string arch; ///< "sm_90a"
  std::string ptx;
  std::vector<uint8_t> cubin;
  std::vector<uint8_t> fatbin; ///< both; empty where nvFatbin is missing
};

/// One row of a tunable sweep.
struct TunableRow {
  std::map<std::string, int64_t> values;
  Outcome outcome = Outcome::Ok;
  double medianMicroseconds = 0;
};

struct Evaluation {
  std::string jobId;
  Outcome outcome = Outcome::Rejected;
  std::string rule;    ///< the rule that decided: "guard-band", "budget", ...
  std::string message; ///< for people and for the next prompt
  Evidence evidence = Evidence::None;
  std::string log; ///< compiler log, bounded
  std::vector<ResultError> errors;
  Timing time; ///< candidate
  Timing stockTime;
  Timing copyTime;    ///< a device copy of the spec's bytes, same run
  double speedup = 0; ///< stock median / candidate median; 0 not measured
  std::vector<ResourceReport> resources;
  std::vector<ModuleImage> images;
  std::vector<ModuleImage> stockImages;
  std::map<std::string, double> counters;
  std::vector<TunableRow> tunableTable;
  std::map<std::string, int64_t> chosenTunables;
  double deviceSeconds = 0;
  std::string driverVersion, nvrtcVersion, arch;
  bool bitwiseRepeatable = true;
  Profile profile; ///< when the job asked for one and the candidate is ok
};

std::string toJson(const Evaluation &evaluation);
Expected<Evaluation> parseEvaluation(const std::string &json);
const char *name(Outcome outcome);
const char *name(Evidence evidence);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_EVALUATION_H
