//===- ReferenceTime.cpp - What the f64 reference costs -------------------===//
#include "PtxLink.h"
#include "Workload.h"
#include "kernelclaw/Cuda/DriverChoice.h"
#include "kernelclaw/Device/Compiler.h"
#include "kernelclaw/Device/Worker.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace kclaw {

namespace {
constexpr int timedRuns = 3;

struct ReferenceCost {
  std::vector<double> milliseconds; ///< events; the first run is not among them
  uint64_t argumentBytes = 0;
  uint64_t resultBytes = 0; ///< floats as f64
  uint64_t workspaceBytes = 0;
  size_t steps = 0;
};
} // namespace

static Run<std::vector<ModuleImage>> imagesOf(const Job &job,
                                              DeviceSession &session,
                                              const std::string &workerPath) {
  std::vector<ModuleImage> images = job.referenceImages;
  if (images.empty()) {
    CompileOptions options;
    options.arch = job.arch;
    options.timeoutSeconds = job.timeoutSeconds;
    options.workerPath = workerPath;
    Expected<CompiledPlan> compiled =
        compilePlan(job.reference, job.spec, options);
    if (!compiled)
      return failRun(Outcome::Rejected, "compiler", compiled.error().message);
    if (compiled->outcome != Outcome::Ok)
      return failRun(compiled->outcome, compiled->rule, compiled->message);
    images = compiled->images;
  }
  std::vector<ResourceReport> unused;
  for (ModuleImage &image : images)
    KCLAW_TRY(assemble(session.api, image, unused));
  return images;
}

/// Poisoned before each run, as when it judges; what a run takes is between
/// the events, on the caches as they are.
static Run<double> timeOnce(Workload &load, Contender &reference) {
  DeviceSession &session = *load.session;
  KCLAW_TRY(load.poison(reference, 0xff));
  KCLAW_TRY(session.wait(load.remaining(), "preparing the reference"));
  KCLAW_TRY(session.mark(/*start=*/true));
  KCLAW_TRY(load.prepare(reference));
  KCLAW_TRY(load.enqueue(reference));
  KCLAW_TRY(session.mark(/*start=*/false));
  KCLAW_TRY(session.wait(load.remaining(), "the reference"));
  Run<double> taken = session.elapsedMicroseconds();
  if (!taken)
    return taken;
  return *taken / 1e3;
}

static Run<ReferenceCost> costOf(const Job &job, DeviceSession &session,
                                 const std::string &workerPath) {
  Clock::time_point start = Clock::now();
  Run<std::vector<ModuleImage>> images = imagesOf(job, session, workerPath);
  if (!images)
    return std::unexpected(images.error());
  Expected<Problem> problem = instantiate(job.spec);
  if (!problem)
    return failRun(Outcome::Rejected, "spec", problem.error().message);
  session.startBudget();
  ReferenceCost cost;
  auto remaining = [start, &job] {
    return std::max(0.0, job.timeoutSeconds - secondsSince(start));
  };
  auto work = [&](Workload &load) -> Run<void> {
    // First in the order: the place of the program that is looked at.
    KCLAW_TRY(load.add("reference", job.reference, *images, true));
    Contender &reference = load.candidate();
    for (const ProblemTensor &tensor : problem->arguments)
      cost.argumentBytes += tensor.bytes;
    for (const GuardedBuffer &buffer : reference.results)
      cost.resultBytes += buffer.bytes();
    for (const GuardedBuffer &buffer : reference.scratch)
      cost.workspaceBytes += buffer.bytes();
    KCLAW_TRY(load.draw({&distributions[0], 0, 1}));
    bool once = session.isSimulated();
    for (int i = once ? 0 : -1; i < (once ? 1 : timedRuns); ++i) {
      Run<double> taken = timeOnce(load, reference);
      if (!taken)
        return std::unexpected(taken.error());
      if (i >= 0)
        cost.milliseconds.push_back(*taken);
    }
    return {};
  };
  KCLAW_TRY(withWorkload(job, session, *problem, remaining, work));
  cost.steps = job.reference.steps.size();
  return cost;
}

static std::string costLine(const Job &job, const Run<ReferenceCost> &cost) {
  nlohmann::ordered_json json;
  json["jobId"] = job.id;
  json["ok"] = cost.has_value();
  if (!cost) {
    json["rule"] = cost.error().rule;
    json["message"] = cost.error().message;
    return json.dump();
  }
  json["milliseconds"] = cost->milliseconds;
  json["argumentBytes"] = cost->argumentBytes;
  json["resultBytes"] = cost->resultBytes;
  json["workspaceBytes"] = cost->workspaceBytes;
  json["steps"] = cost->steps;
  return json.dump();
}

int timeReferences(const std::string &device, const std::string &workerPath) {
  Expected<DriverChoice> chosen = decideDriver(device);
  auto session = chosen ? DeviceSession::open(workerPath)
                        : std::unexpected(chosen.error());
  if (!session) {
    std::cerr << "kernelclaw-worker: no usable device: "
              << session.error().message << "\n";
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    Expected<Job> job = parseJob(line);
    if (!job) {
      std::cout << malformedJobResult(line, job.error().message) << std::endl;
      continue;
    }
    Run<ReferenceCost> cost = costOf(*job, **session, workerPath);
    std::cout << costLine(*job, cost) << std::endl;
    if (!std::cout)
      return 1;
    if (!cost && cost.error().contextLost) {
      // The driver's exit handlers may wait for a kernel that never ends.
      std::_Exit(contextLostExit);
    }
  }
  return 0;
}

} // namespace kclaw
