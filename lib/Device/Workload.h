//===- Workload.h - Everything a judgement keeps on the device --*- C++ -*-===//
//
// The inputs, and for each contender its program, results and scratch. The
// candidate is a plan, or an entry of a lowered module.
//
// Only the inputs and the candidate's own buffers are mapped while it runs:
// whatever enqueues it hides the rest, whatever needs the rest shows it.
// Expected results of the data that it sees do not even exist then, unless it
// is a draw of the pool on which an earlier candidate was judged, and those are
// hidden too (ResultCache.h). Inputs are drawn again from their seed instead of
// being kept in a copy.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_WORKLOAD_H
#define KERNELCLAW_LIB_DEVICE_WORKLOAD_H

#include "Distributions.h"
#include "GuardedBuffer.h"
#include "PlanInstance.h"
#include "PreparedCopies.h"
#include "kernelclaw/Plan/Job.h"

#include <deque>
#include <functional>

namespace kclaw {

/// A program with its own results and scratch.
struct Contender {
  std::string name; ///< "candidate", "module", "stock", "reference", ...
  std::unique_ptr<Program> program;
  PlanInstance *plan; ///< the program when it is a plan, else null
  std::vector<GuardedBuffer> results;
  std::vector<GuardedBuffer> scratch;
  PreparedCopies prepared = {}; ///< of the last run that was prepared
  std::string planKey = {};     ///< names the plan in ResultCache; empty: never
};

/// What the inputs currently hold.
struct Draw {
  const Distribution *distribution = nullptr;
  int level = 0;
  uint64_t run = 0; ///< makes the seed
  /// Not 0: floats are moved by `epsilon` of themselves, up or down by this
  /// seed; 2n and 2n + 1 are opposite.
  uint64_t perturbation = 0;
  double epsilon = 0;
  /// Argument that is drawn from another seed than `run`; -1: none.
  int redrawnArgument = -1;
  /// Of the region's pool: what stock and reference compute is kept.
  bool pooled = true;
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
  const Contender &stock() const { return contenders[1]; }
  const Contender &reference() const { return contenders[2]; }

  const void *argument(size_t index) const {
    return arguments[index].pointer();
  }
  /// Null when the job has none.
  Contender *incumbent() {
    return contenders.size() > 3 ? &contenders[3] : nullptr;
  }

  /// All but inputs and the candidate's buffers: mapped, or not. Cheap when it
  /// is so already.
  Run<void> show();
  Run<void> hide();

  Run<void> draw(const Draw &what);
  const Draw &drawn() const { return current; }
  /// Mismatch/"input-written" when inputs are no longer what was drawn.
  Run<void> checkInputs(const std::string &who);
  /// Moves inputs, results and scratch of the candidate and stock.
  Run<void> place(Placement placement);
  /// Fills results and scratch; stale data would hide unwritten elements. Keep:
  /// what `prepare` wrote stays.
  enum class Prepared { Poison, Keep };
  Run<void> poison(Contender &who, uint8_t byte,
                   Prepared prepared = Prepared::Poison);
  Run<void> armGuards(Contender &who);
  Run<void> checkGuards(Contender &who);
  /// Prepare steps (but with Keep) and steps, then waits. Faults name `who` and
  /// the data.
  Run<void> runAndWait(Contender &who, Prepared prepared = Prepared::Poison);
  /// Results of stock or reference on the current draw: poisoned, run and
  /// waited for, or what the same plan computed from the same draw before.
  Run<void> computeResults(Contender &who, uint8_t poisonByte);
  /// Enqueue only. A launch that is refused because an earlier step's kernel
  /// faulted is that fault, and loses the context.
  Run<void> prepare(Contender &who);
  Run<void> enqueue(Contender &who);
  std::string label(const Contender &who) const;
  /// Names the region and its sizes in caches of this process.
  std::string regionKey() const;
  /// All data are drawn from it.
  uint64_t seed() const { return dataSeed; }

  DeviceSession *session;
  const KernelSpec *spec;
  const Problem *problem;
  std::function<double()> remaining;
  /// Hidden while the candidate runs:
  std::vector<GuardedBuffer> firstResults; ///< of the candidate's first run
  std::vector<CUdeviceptr> rowScales;      ///< one a result
  /// A KclSpread and one number a row (Conditioning.h); 0 where a result has
  /// none. Their memory comes with `keepSpreads`, for the results that it
  /// names; none where the device has no room for all.
  std::vector<CUdeviceptr> rowSpreads;
  std::vector<CUdeviceptr> movedResults; ///< in f64, likewise
  Run<void> keepSpreads(const std::vector<size_t> &results);
  uint64_t rowsOf(size_t result) const;
  /// Names the draw in caches of this process.
  std::string drawKey() const;

private:
  Workload(DeviceSession &session, const KernelSpec &spec,
           const Problem &problem, uint64_t seed,
           std::function<double()> remaining)
      : session(&session), spec(&spec), problem(&problem),
        remaining(std::move(remaining)), dataSeed(seed) {}
  Run<void> provide(Contender made, const std::vector<uint64_t> &resultBytes);
  Run<void> bind(Contender &who);
  Run<void> launched(Contender &who, Run<void> result);
  KclGenerate params(size_t argument) const;
  std::string cacheKey(const Contender &who) const;
  Run<void> recall(Contender &who, ResultCache::Entry &entry);
  Run<void> remember(Contender &who, const std::string &key);
  Run<void> requireFree(uint64_t bytes, const std::string &what);
  Run<HiddenMemory *> addHidden(const std::string &what, uint64_t bytes);
  bool isCandidate(const Contender &who) const {
    return &who == contenders.data();
  }

  uint64_t dataSeed;
  Draw current;
  std::vector<GuardedBuffer> arguments;
  std::deque<HiddenMemory> hidden; ///< outlives the buffers cut from it
  bool shown = false;
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
