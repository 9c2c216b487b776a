//===- Evaluation.h - What an evaluator says about a plan -------*- C++ -*-===//
//
// The answer to a Job. A kernel that fails is a value here, with evidence for
// the next attempt. Times carry their samples; times of different evidence are
// never compared. JSON form: docs/schema/evaluation.schema.json.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_EVALUATION_H
#define KERNELCLAW_PLAN_EVALUATION_H

#include "kernelclaw/Plan/DeviceIdentity.h"
#include "kernelclaw/Plan/Explanation.h"
#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Plan/Profile.h"
#include "kernelclaw/Plan/Timing.h"
#include "kernelclaw/Plan/ToolCheck.h"
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
  std::string rule;      ///< that refused it; empty when ok
  int64_t wrong = 0;     ///< elements that differ by more than they may
  int64_t excused = 0;   ///< differ rightly: near a threshold, or ties
  int64_t saturated = 0; ///< stock is not finite where f64 is, and it neither
};

/// A wrong result would pass: the task proves nothing about this result.
struct Undiscriminating {
  int result = 0;
  std::string distribution;
  std::string passes; ///< "zeros", "the result of other data", ...
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

/// One row of a tunable sweep. Ok: it ran; only the chosen one was judged.
struct TunableRow {
  std::map<std::string, int64_t> values;
  Outcome outcome = Outcome::Ok;
  double medianMicroseconds = 0; ///< of short timings; 0: not timed
  std::string reason;            ///< why it dropped out; empty: it was slower
  int rung = 0; ///< of successive halving, the last it took part in; 0: none
};

/// What cuBLASLt or cuDNN does for a step: the fastest that it offered.
struct LibraryChoice {
  std::string path;   ///< of the step in its plan: "steps[2]"
  std::string choice; ///< MatmulStep::choice
  double microseconds = 0;
  uint64_t workspaceBytes = 0;
};

/// Which of the job's two stocks the candidate was compared with.
struct StockReport {
  bool library = false; ///< Job::libraryStock, else Job::stock
  /// Why not, where the job has a library stock and it was not taken.
  std::string why;
  double ownMicroseconds = 0; ///< of the comparison of both; 0: none
  double libraryMicroseconds = 0;
  std::vector<LibraryChoice> choices; ///< of the library stock's steps

  /// Whether both were compared, or it is known why they cannot be.
  bool isDecided() const { return library || !why.empty(); }
};

struct Evaluation {
  std::string jobId;
  Outcome outcome = Outcome::Rejected;
  std::string rule;    ///< the rule that decided: "guard-band", "budget", ...
  std::string message; ///< for people and for the next prompt
  Evidence evidence = Evidence::None;
  std::string log; ///< compiler log, bounded
  std::vector<ResultError> errors;
  /// What the candidate's measured error is that of, whatever was asked:
  /// "f64", "f32", "tf32", "f16", "bf16", "low"; "exact" without float results.
  std::string precisionClass;
  std::vector<Undiscriminating> undiscriminating;
  /// Arguments that can be drawn anew without any result changing.
  std::vector<int> inputsWithoutEffect;
  Timing time; ///< candidate
  Timing stockTime;
  Timing copyTime;    ///< moving the spec's bytes in and out, same run
  Timing prepareTime; ///< once a weight version; empty: nothing to prepare
  double speedup = 0; ///< stock median / candidate median; 0 not measured
  /// Of `speedup`. Where a winner was confirmed, both are of those processes.
  SpeedupInterval speedupInterval;
  Timing incumbentTime;              ///< when the job has an incumbent
  SpeedupInterval incumbentInterval; ///< of incumbent / candidate
  Confirmation confirmation;         ///< of a winner, when asked for
  Energy energy;                     ///< of a winner, when asked for
  std::vector<ResourceReport> resources;
  std::vector<ModuleImage> images;
  std::vector<ModuleImage> stockImages;
  std::map<std::string, double> counters;
  std::vector<TunableRow> tunableTable;
  std::map<std::string, int64_t> chosenTunables;
  double deviceSeconds = 0;
  /// Where the judgement's wall time went, in seconds by phase; no second
  /// counts twice.
  std::map<std::string, double> phases;
  /// The data's seed: the job's, mixed with a secret of the worker. Known only
  /// now; Job::replaySeed draws the same data again. 0: nothing was drawn.
  uint64_t seed = 0;
  /// Where expected results were while the candidate ran: "unmapped", or
  /// "mapped: " and why.
  std::string isolation;
  std::string driverVersion, nvrtcVersion, arch;
  bool bitwiseRepeatable = true;
  DeviceIdentity device; ///< what `time` and `stockTime` were taken on
  /// Last words of workers that were lost while they judged this job.
  std::vector<std::string> lostWorkers;
  StockReport stock;                  ///< when the job has a library stock
  std::vector<LibraryChoice> choices; ///< of the candidate's library steps
  Profile profile; ///< when the job asked for one and the candidate is ok
  Explanation explanation;       ///< when the job asked to explain
  std::vector<ToolCheck> checks; ///< when the job asked, of a kept candidate
};

/// Which stock is the better one, from a judgement of the library stock as
/// candidate beside our own lowering as stock.
StockReport compareStocks(const Evaluation &trial);

/// Rule of a plan whose steps need a library that is not there.
inline constexpr const char *libraryAbsentRule = "library";

/// Writes choices into the steps they name; a workspace that only such steps
/// use shrinks to what they need.
void applyChoices(Plan &plan, const std::vector<LibraryChoice> &choices);

std::string toJson(const Evaluation &evaluation);
Expected<Evaluation> parseEvaluation(const std::string &json);
const char *name(Outcome outcome);
const char *name(Evidence evidence);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_EVALUATION_H
