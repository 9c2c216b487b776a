//===- Workload.h - Everything a judgement keeps on the device --*- C++ -*-===//
//
// The inputs, and for each of the three contenders its program, results and
// scratch. The candidate is a plan, or an entry of a lowered module. Expected
// results of the data that a candidate sees do not exist while it runs: the
// reference runs after it, and inputs are drawn again from their seed instead
// of being kept in a copy.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_WORKLOAD_H
#define KERNELCLAW_LIB_DEVICE_WORKLOAD_H

#include "Distributions.h"
#include "GuardedBuffer.h"
#include "PlanInstance.h"
#include "kernelclaw/Plan/Job.h"

#include <functional>

namespace kclaw {

/// A program with its own results and scratch.
struct Contender {
  std::string name; ///< "candidate", "module", "stock", "reference"
  std::unique_ptr<Program> program;
  PlanInstance *plan; ///< the program when it is a plan, else null
  std::vector<GuardedBuffer> results;
  std::vector<GuardedBuffer> scratch;
  std::string planKey = {}; ///< names the plan in ResultCache; empty: never
};

/// What the inputs currently hold.
struct Draw {
  const Distribution *distribution = nullptr;
  int level = 0;
  uint64_t run = 0; ///< makes the seed
};

class Workload {
public:
  /// `remaining` gives the seconds that the job has left.
  static Run<Workload> create(DeviceSession &session, const KernelSpec &spec,
                              const Problem &problem, uint64_t seed,
                              std::function<double()> remaining);
  Workload(Workload &&) noexcept = default;

  Run<void> add(const std::string &name, const Plan &plan,
                const std::vector<ModuleImage> &images, bool reference);
  /// A program that is loaded already; with the candidate's place in the order.
  Run<void> add(const std::string &name, std::unique_ptr<Program> program);
  Contender &candidate() { return contenders[0]; }
  Contender &stock() { return contenders[1]; }
  Contender &reference() { return contenders[2]; }

  Run<void> draw(const Draw &what);
  /// Mismatch/"input-written" when inputs are no longer what was drawn.
  Run<void> checkInputs(const std::string &who);
  /// Moves inputs, results and scratch of the candidate and stock.
  Run<void> place(Placement placement);
  /// Fills results and scratch; stale data would hide unwritten elements.
  Run<void> poison(Contender &who, uint8_t byte);
  Run<void> armGuards(Contender &who);
  Run<void> checkGuards(Contender &who);
  /// Prepare steps and steps, then waits. Faults name `who` and the data.
  Run<void> runAndWait(Contender &who);
  /// Results of stock or reference on the current draw: poisoned, run and
  /// waited for, or what the same plan computed from the same draw before.
  Run<void> computeResults(Contender &who, uint8_t poisonByte);
  /// Enqueue only. A launch that is refused because an earlier step's kernel
  /// faulted is that fault, and loses the context.
  Run<void> prepare(Contender &who);
  Run<void> enqueue(Contender &who);
  std::string label(const Contender &who) const;

  DeviceSession *session;
  const KernelSpec *spec;
  const Problem *problem;
  std::function<double()> remaining;
  std::vector<GuardedBuffer> firstResults; ///< of the candidate's first run
  std::vector<DeviceMemory> rowScales;     ///< one a result

private:
  Workload(DeviceSession &session, const KernelSpec &spec,
           const Problem &problem, uint64_t seed,
           std::function<double()> remaining)
      : session(&session), spec(&spec), problem(&problem),
        remaining(std::move(remaining)), seed(seed) {}
  Run<void> provide(Contender made, const std::vector<uint64_t> &resultBytes);
  Run<void> bind(Contender &who);
  Run<void> launched(Contender &who, Run<void> result);
  KclGenerate params(size_t argument) const;
  std::string cacheKey(const Contender &who) const;

  uint64_t seed;
  Draw current;
  std::vector<GuardedBuffer> arguments;
  std::vector<Contender> contenders;
};

/// Makes the workload of a job, hands it to `work`, and frees it. Freeing
/// memory waits for running kernels: after a hang the workload is left to the
/// end of the process, which is near.
Run<void> withWorkload(const Job &job, DeviceSession &session,
                       const Problem &problem,
                       std::function<double()> remaining,
                       const std::function<Run<void>(Workload &)> &work);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_WORKLOAD_H
