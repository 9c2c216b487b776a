//===- TunableSweep.cpp - Which values of a plan's tunables ---------------===//
#include "TunableSweep.h"
#include "PtxLink.h"
#include "SuccessiveHalving.h"
#include "SweepResources.h"
#include "Workload.h"
#include "kernelclaw/Device/Compiler.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <thread>

namespace kclaw {

/// Compiling more costs more than the last percent is worth.
constexpr size_t maxInstances = 32;
constexpr unsigned maxCompilers = 8;

using Values = std::map<std::string, int64_t>;

bool hasChoices(const Plan &plan) {
  return std::ranges::any_of(plan.tunables, [](const Tunable &tunable) {
    return tunable.values.size() > 1;
  });
}

Plan withTunables(const Plan &plan, const Values &values) {
  Plan instance = plan;
  for (Tunable &tunable : instance.tunables)
    if (auto found = values.find(tunable.name); found != values.end())
      tunable.chosen = found->second;
  return instance;
}

static std::string text(const Values &values) {
  std::string result;
  for (const auto &[name, value] : values)
    result += (result.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return result;
}

/// None of a plan that has too many: its check says so.
static std::vector<TunableRow> combinations(const Plan &plan) {
  std::vector<TunableRow> rows(1);
  for (const Tunable &tunable : plan.tunables) {
    if (rows.size() * tunable.values.size() > maxTunableCombinations)
      return {};
    std::vector<TunableRow> wider;
    for (const TunableRow &row : rows)
      for (int64_t value : tunable.values) {
        wider.push_back(row);
        wider.back().values[tunable.name] = value;
      }
    rows = std::move(wider);
  }
  return rows;
}

namespace {

/// One row that is still in, with what it takes to run it.
struct Instance {
  size_t row;
  Plan plan;
  Run<CompiledPlan> compiled = CompiledPlan();
};

class Sweep {
public:
  Sweep(const Job &job, const Problem &problem, DeviceSession &session,
        const std::string &workerPath, TunableSweep &result)
      : job(job), problem(problem), session(session), workerPath(workerPath),
        result(result) {}

  void check();
  void thin();
  void compile(const Progress &progress);
  void prune();
  Run<void> time(const Progress &progress);

private:
  void drop(size_t row, Outcome outcome, const std::string &reason) {
    result.table[row].outcome = outcome;
    result.table[row].reason = reason;
  }
  /// Takes out the instances for which `why` gives a reason.
  template <typename Why> void dropWhere(Outcome outcome, Why why);
  double remaining() const {
    return std::max(0.0, job.timeoutSeconds - secondsSince(start));
  }
  std::string compileKey(const Instance &instance) const;
  bool measure(const Instance &instance, size_t samples,
               std::vector<double> &times);
  Run<void> sample(Workload &load, const Instance &instance, size_t samples,
                   std::vector<double> &times);
  Bindings namesOf(const Plan &plan) const;

  const Job &job;
  const Problem &problem;
  DeviceSession &session;
  const std::string &workerPath;
  TunableSweep &result;
  Clock::time_point start = Clock::now();
  std::vector<Instance> instances;
  std::optional<RunFailure> lost; ///< ended the process
  uint64_t draws = 0;
};

} // namespace

template <typename Why> void Sweep::dropWhere(Outcome outcome, Why why) {
  std::erase_if(instances, [&](const Instance &instance) {
    std::string reason = why(instance);
    if (!reason.empty())
      drop(instance.row, outcome, reason);
    return !reason.empty();
  });
}

/// Constraint, launch limits, buffers: all that the plan itself says.
void Sweep::check() {
  result.table = combinations(job.candidate);
  for (size_t i = 0; i < result.table.size(); ++i) {
    Plan plan = withTunables(job.candidate, result.table[i].values);
    if (auto fits = checkPlan(plan, job.spec, /*fromModel=*/false); !fits)
      drop(i, Outcome::Rejected, fits.error().message);
    else
      instances.push_back({i, std::move(plan)});
  }
}

/// The plan's own choice stays, and of the rest every n-th.
void Sweep::thin() {
  if (instances.size() <= maxInstances)
    return;
  size_t all = instances.size();
  auto isOwn = [this](const Instance &instance) {
    for (const Tunable &tunable : job.candidate.tunables)
      if (result.table[instance.row].values.at(tunable.name) != tunable.chosen)
        return false;
    return true;
  };
  std::vector<Instance> kept;
  for (size_t i = 0; i < all; ++i) {
    bool nth =
        i * (maxInstances - 1) / all != (i + 1) * (maxInstances - 1) / all;
    if (nth || isOwn(instances[i]))
      kept.push_back(std::move(instances[i]));
    else
      drop(instances[i].row, Outcome::Rejected,
           "left out: more than " + std::to_string(maxInstances) +
               " instances; narrow the values or the constraint");
  }
  instances = std::move(kept);
  result.note = std::to_string(all - instances.size()) + " of " +
                std::to_string(all) + " instances were left out";
}

/// Instances that differ only in tunables that no source mentions are one
/// compilation.
std::string Sweep::compileKey(const Instance &instance) const {
  auto inWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  auto mentions = [&](const std::string &source, const std::string &name) {
    for (size_t at = source.find(name); at != std::string::npos;
         at = source.find(name, at + 1))
      if ((at == 0 || !inWord(source[at - 1])) &&
          (at + name.size() == source.size() ||
           !inWord(source[at + name.size()])))
        return true;
    return false;
  };
  std::string key;
  for (const Tunable &tunable : instance.plan.tunables)
    for (const PlanModule &module : instance.plan.modules)
      if (mentions(module.source, tunable.name)) {
        key += tunable.name + "=" + std::to_string(tunable.chosen) + " ";
        break;
      }
  return key;
}

void Sweep::compile(const Progress &progress) {
  progress("compiling " + std::to_string(instances.size()) +
           " instances of the tunables");
  std::map<std::string, size_t> first;
  std::vector<size_t> work;
  std::vector<std::string> keys;
  for (size_t i = 0; i < instances.size(); ++i) {
    keys.push_back(compileKey(instances[i]));
    if (first.try_emplace(keys.back(), i).second)
      work.push_back(i);
  }
  double limit = job.timeoutSeconds / 2;
  std::atomic<size_t> next = 0;
  auto compileSome = [&] {
    for (size_t at; (at = next++) < work.size();) {
      Instance &instance = instances[work[at]];
      double left = limit - secondsSince(start);
      if (left <= 0) {
        instance.compiled =
            failRun(Outcome::Timeout, "sweep",
                    "not compiled: half of the job's time was used up");
        continue;
      }
      CompileOptions options{job.arch, left, workerPath};
      auto compiled = compilePlan(instance.plan, job.spec, options);
      if (!compiled)
        instance.compiled =
            failRun(Outcome::Rejected, "compiler", compiled.error().message);
      else if (compiled->outcome != Outcome::Ok)
        instance.compiled =
            failRun(compiled->outcome, compiled->rule, compiled->message);
      else
        instance.compiled = std::move(*compiled);
    }
  };
  unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u,
                              std::min<unsigned>(maxCompilers, work.size()));
  {
    std::vector<std::jthread> compilers;
    for (unsigned i = 0; i < count; ++i)
      compilers.emplace_back(compileSome);
  }
  for (size_t i = 0; i < instances.size(); ++i)
    if (size_t from = first.at(keys[i]); from != i)
      instances[i].compiled = instances[from].compiled;
  std::erase_if(instances, [&](const Instance &instance) {
    if (instance.compiled)
      return false;
    drop(instance.row, instance.compiled.error().outcome,
         instance.compiled.error().message);
    return true;
  });
}

Bindings Sweep::namesOf(const Plan &plan) const {
  Bindings names = problem.dims;
  for (const Tunable &tunable : plan.tunables)
    names[tunable.name] = tunable.chosen;
  return names;
}

void Sweep::prune() {
  std::erase_if(instances, [&](Instance &instance) {
    for (ModuleImage &image : instance.compiled->images)
      if (auto done =
              assemble(session.api, image, instance.compiled->resources);
          !done) {
        drop(instance.row, done.error().outcome, done.error().message);
        return true;
      }
    return false;
  });
  CUdevice device = 0;
  if (session.api.cuCtxGetDevice(&device) != CUDA_SUCCESS)
    return;
  MultiprocessorLimits limits = readLimits(session.api, device);
  dropWhere(Outcome::Rejected, [&](const Instance &instance) {
    return whyNotResident(instance.plan, namesOf(instance.plan),
                          instance.compiled->resources, limits);
  });
  auto spills = [](const Instance &instance) {
    return spilledBytes(instance.compiled->resources);
  };
  if (std::ranges::all_of(instances, spills))
    return; // no sibling is better
  dropWhere(Outcome::Rejected, [&](const Instance &instance) {
    int64_t bytes = spills(instance);
    return bytes == 0 ? std::string()
                      : std::to_string(bytes) +
                            " bytes spilled, where others spill nothing";
  });
}

/// A timed call as TimingRun takes it, without its checks.
Run<void> Sweep::sample(Workload &load, const Instance &instance,
                        size_t samples, std::vector<double> &times) {
  KCLAW_TRY(load.add("candidate", instance.plan, instance.compiled->images,
                     /*reference=*/false));
  KCLAW_TRY(load.draw({&distributions[0], 0, ++draws}));
  // The first call of a module loads it.
  size_t warmUps = session.isSimulated() ? 0 : 1;
  for (size_t i = 0; i < warmUps + samples; ++i) {
    KCLAW_TRY(load.poison(load.candidate(), 0xff));
    KCLAW_TRY(load.prepare(load.candidate()));
    KCLAW_TRY(session.wait(remaining(), "preparing a sweep's run"));
    KCLAW_TRY(session.flushL2());
    KCLAW_TRY(session.mark(/*start=*/true));
    KCLAW_TRY(load.enqueue(load.candidate()));
    KCLAW_TRY(session.mark(/*start=*/false));
    KCLAW_TRY(session.wait(remaining(), "candidate"));
    Run<double> taken = session.elapsedMicroseconds();
    if (!taken)
      return std::unexpected(taken.error());
    if (i >= warmUps)
      times.push_back(*taken);
  }
  return {};
}

bool Sweep::measure(const Instance &instance, size_t samples,
                    std::vector<double> &times) {
  session.startBudget();
  Clock::time_point device = Clock::now();
  Run<void> done = withWorkload(
      job, session, problem, [this] { return remaining(); },
      [&](Workload &load) { return sample(load, instance, samples, times); });
  result.deviceSeconds += secondsSince(device);
  if (done)
    return true;
  drop(instance.row, done.error().outcome, done.error().message);
  if (done.error().contextLost) {
    lost = done.error();
    lost->message = "with " + text(result.table[instance.row].values) + ": " +
                    lost->message;
  }
  return false;
}

Run<void> Sweep::time(const Progress &progress) {
  progress("timing " + std::to_string(instances.size()) +
           " instances of the tunables");
  HalvingOptions options;
  options.exact = session.isSimulated();
  HalvingResult timed = successiveHalving(
      instances.size(), options,
      [this](size_t index, size_t samples, std::vector<double> &times) {
        return measure(instances[index], samples, times);
      },
      [this] {
        return !lost && result.deviceSeconds < job.maxSweepSeconds &&
               remaining() > job.timeoutSeconds / 4;
      });
  for (size_t i = 0; i < instances.size(); ++i) {
    TunableRow &row = result.table[instances[i].row];
    row.medianMicroseconds = timed.contestants[i].median;
    row.rung = timed.contestants[i].rung;
    if (row.rung == 0 && row.reason.empty())
      drop(instances[i].row, Outcome::Timeout,
           "not timed: the sweep's time was used up");
  }
  for (size_t i : timed.ranking)
    result.ranking.push_back(instances[i].row);
  if (timed.cutShort && !lost)
    result.note += (result.note.empty() ? "" : "; ") +
                   std::string("the sweep ended early: its time was used up");
  if (lost)
    return std::unexpected(*lost);
  return {};
}

Run<void> sweepTunables(const Job &job, const Problem &problem,
                        DeviceSession &session, const std::string &workerPath,
                        const Progress &progress, TunableSweep &result) {
  Sweep sweep(job, problem, session, workerPath, result);
  sweep.check();
  sweep.thin();
  sweep.compile(progress);
  sweep.prune();
  return sweep.time(progress);
}

} // namespace kclaw
