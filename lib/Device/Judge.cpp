//===- Judge.cpp - A job in, an Evaluation out ----------------------------===//
#include "Judge.h"
#include "Fatbin.h"
#include "JudgedSizes.h"
#include "Profiler.h"
#include "PtxLink.h"
#include "TimingRun.h"
#include "kernelclaw/Device/Compiler.h"

#include <future>

namespace kclaw {

namespace {
/// The three plans' images.
struct Images {
  std::vector<ModuleImage> candidate, stock, reference;
};

/// A problem, and what is run on it. Its job is the one asked for, or that at
/// a reduced problem.
struct Place {
  const Job *job;
  const Images *images;
  const Problem *problem;
};

struct ReducedPlace {
  Job job;
  Images images;
  Problem problem;
};
} // namespace

static void decide(Evaluation &evaluation, const RunFailure &failure) {
  evaluation.outcome = failure.outcome;
  evaluation.rule = failure.rule;
  evaluation.message = failure.message;
}

static std::string versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

static Run<CompiledPlan> compileOne(const Plan &plan, const Job &job,
                                    const std::vector<ModuleImage> &given,
                                    const std::string &workerPath) {
  if (!given.empty()) {
    CompiledPlan compiled;
    compiled.images = given;
    return compiled;
  }
  CompileOptions options;
  options.arch = job.arch;
  options.timeoutSeconds = job.timeoutSeconds;
  options.workerPath = workerPath;
  Expected<CompiledPlan> compiled = compilePlan(plan, job.spec, options);
  if (!compiled)
    return failRun(Outcome::Rejected, "compiler",
                   "not judged: " + compiled.error().message);
  return *compiled;
}

/// Stock or reference does not compile: that is no fault of the candidate.
static Run<CompiledPlan> requireOk(Run<CompiledPlan> compiled,
                                   const std::string &who) {
  if (!compiled || compiled->outcome == Outcome::Ok)
    return compiled;
  return failRun(Outcome::Rejected, who + "-compile",
                 "not judged: the " + who + "'s " + compiled->message + "\n" +
                     compiled->log);
}

/// Fills log, resources and images of the evaluation.
static Run<Images> compileAll(const Job &job, const std::string &workerPath,
                              Evaluation &evaluation) {
  bool alone = job.kind == Job::Kind::Compile;
  auto start = [&](const Plan &plan, const std::vector<ModuleImage> &given) {
    return std::async(std::launch::async, [&, from = &plan, had = &given] {
      return compileOne(*from, job, *had, workerPath);
    });
  };
  std::future<Run<CompiledPlan>> stock, reference;
  if (!alone) {
    stock = start(job.stock, job.stockImages);
    reference = start(job.reference, job.referenceImages);
  }
  Run<CompiledPlan> candidate =
      compileOne(job.candidate, job, job.images, workerPath);
  if (!candidate)
    return std::unexpected(candidate.error());
  evaluation.log = candidate->log;
  evaluation.resources = candidate->resources;
  evaluation.images = candidate->images;
  evaluation.nvrtcVersion = candidate->nvrtcVersion;
  if (candidate->outcome != Outcome::Ok)
    return failRun(candidate->outcome, candidate->rule, candidate->message);
  Images images;
  images.candidate = candidate->images;
  if (alone)
    return images;
  Run<CompiledPlan> stockDone = requireOk(stock.get(), "stock");
  if (!stockDone)
    return std::unexpected(stockDone.error());
  Run<CompiledPlan> referenceDone = requireOk(reference.get(), "reference");
  if (!referenceDone)
    return std::unexpected(referenceDone.error());
  images.stock = stockDone->images;
  images.reference = referenceDone->images;
  evaluation.stockImages = images.stock;
  return images;
}

/// PTX becomes cubin (and fatbin), so that the evaluation carries what was
/// loaded; on the simulator only PTX is left.
static Run<void> assembleAll(const DriverApi &api, Images &images,
                             Evaluation &evaluation) {
  for (ModuleImage &image : images.candidate)
    KCLAW_TRY(assemble(api, image, evaluation.resources));
  if (!api.isSimulated())
    addFatbins(images.candidate);
  evaluation.images = images.candidate;
  std::vector<ResourceReport> unused;
  for (std::vector<ModuleImage> *list : {&images.stock, &images.reference})
    for (ModuleImage &image : *list)
      if (Run<void> done = assemble(api, image, unused); !done) {
        RunFailure failure = done.error();
        failure.outcome = Outcome::Rejected;
        failure.rule =
            list == &images.stock ? "stock-compile" : "reference-compile";
        failure.message = "not judged: " + failure.message;
        return std::unexpected(failure);
      }
  if (!api.isSimulated())
    addFatbins(images.stock);
  evaluation.stockImages = images.stock;
  return {};
}

static Run<void> addPlans(const Job &job, Workload &load,
                          const Images &images) {
  KCLAW_TRY(load.add("candidate", job.candidate, images.candidate, false));
  KCLAW_TRY(load.add("stock", job.stock, images.stock, false));
  return load.add("reference", job.reference, images.reference, true);
}

static Run<void> measure(const Job &job, Workload &load, const Images &images,
                         const Progress &progress, Evaluation &evaluation) {
  progress("loading plans");
  KCLAW_TRY(addPlans(job, load, images));
  evaluation.chosenTunables.clear();
  for (const Tunable &tunable : job.candidate.tunables)
    evaluation.chosenTunables[tunable.name] =
        load.candidate().plan->bindings().at(tunable.name);

  progress("checking correctness");
  CorrectnessCheck check(load, job.deterministic);
  Run<void> right = check.run();
  evaluation.errors = check.resultErrors();
  evaluation.bitwiseRepeatable = check.bitwiseRepeatable();
  evaluation.counters["distributions"] = check.distributionsUsed();
  evaluation.counters["saturated"] =
      static_cast<double>(check.saturatedElements());
  evaluation.message = check.notes();
  if (!right)
    return right;

  progress("timing");
  TimingRun timing(load, check, images.candidate, job.seed);
  Run<TimingReport> report = timing.run(job.maxTimingSeconds);
  if (!report)
    return std::unexpected(report.error());
  evaluation.time = report->candidate;
  evaluation.stockTime = report->stock;
  evaluation.copyTime = report->copy;
  evaluation.counters["rechecked"] = report->rechecked;
  if (evaluation.time.medianMicroseconds > 0)
    evaluation.speedup = evaluation.stockTime.medianMicroseconds /
                         evaluation.time.medianMicroseconds;
  if (!report->note.empty())
    evaluation.message +=
        (evaluation.message.empty() ? "" : "; ") + report->note;
  return {};
}

/// After all timing: CUPTI is opened here at the earliest.
static Run<void> addProfile(const Job &job, Workload &load,
                            const Images &images, const Progress &progress,
                            Evaluation &evaluation) {
  if (!job.profile || evaluation.speedup <= job.profileAboveSpeedup)
    return {};
  progress("profiling");
  Run<Profile> profile =
      profileCandidate(load, images.candidate, evaluation.time);
  if (!profile)
    return std::unexpected(profile.error());
  evaluation.profile = std::move(*profile);
  return {};
}

/// The sizes that the spec leaves open, or has larger.
static std::string sizesText(const KernelSpec &spec, const Problem &problem) {
  std::string text;
  for (const auto &[name, size] : problem.dims)
    for (const TensorSpec &tensor : spec.arguments)
      for (const Dim &dim : tensor.dims)
        if (dim.name == name && dim.value != size &&
            text.find(name + "=") == std::string::npos)
          text +=
              (text.empty() ? "" : ", ") + name + "=" + std::to_string(size);
  return text;
}

static RunFailure at(const std::string &sizes, RunFailure failure) {
  failure.message = "at " + sizes + ": " + failure.message;
  return failure;
}

/// Untimed, at the sizes after the first.
static Run<void> checkOtherSizes(const KernelSpec &spec, DeviceSession &session,
                                 const std::vector<Place> &places,
                                 const std::function<double()> &remaining,
                                 const Progress &progress,
                                 Evaluation &evaluation) {
  for (size_t i = 1; i < places.size(); ++i) {
    const Place &place = places[i];
    std::string sizes = sizesText(spec, *place.problem);
    progress("checking correctness at " + sizes);
    Run<void> right =
        withWorkload(*place.job, session, *place.problem, remaining,
                     [&](Workload &load) -> Run<void> {
                       KCLAW_TRY(addPlans(*place.job, load, *place.images));
                       CorrectnessCheck check(load, place.job->deterministic);
                       Run<void> done = check.run();
                       if (!done)
                         evaluation.errors = check.resultErrors();
                       return done;
                     });
    if (!right)
      return std::unexpected(at(sizes, right.error()));
    evaluation.counters["sizes"] = static_cast<double>(i + 1);
  }
  return {};
}

/// What was judged at smaller sizes says so, and at which.
static void noteReduced(const Job &job, const Problem &problem,
                        Evaluation &evaluation) {
  evaluation.evidence = Evidence::SimulatedReduced;
  if (evaluation.time.method.empty()) // it failed before
    return;
  evaluation.time.method += " at " + sizesText(job.spec, problem);
  evaluation.stockTime.method = evaluation.time.method;
}

/// Compiles the candidate once more for each reduced problem: claw_spec.h has
/// the sizes.
static Run<std::vector<ReducedPlace>>
reducedPlaces(const Job &job, const DriverApi &api,
              const std::string &workerPath) {
  std::vector<ReducedPlace> places;
  for (Job &reduced : reducedJobs(job)) {
    Expected<Problem> problem = instantiate(reduced.spec);
    if (!problem)
      return failRun(Outcome::Rejected, "spec", problem.error().message);
    std::string sizes = sizesText(job.spec, *problem);
    Evaluation unused;
    Run<Images> images = compileAll(reduced, workerPath, unused);
    if (!images)
      return std::unexpected(at(sizes, images.error()));
    if (Run<void> done = assembleAll(api, *images, unused); !done)
      return std::unexpected(at(sizes, done.error()));
    places.push_back(
        {std::move(reduced), std::move(*images), std::move(*problem)});
  }
  return places;
}

/// What only shows at the sizes asked for: expressions, limits, requirements.
static Run<void> checkOwnSizes(const Job &job) {
  Expected<Problem> problem = instantiate(job.spec);
  if (!problem)
    return failRun(Outcome::Rejected, "spec", problem.error().message);
  BorderSizes border;
  for (const ProblemTensor &tensor : problem->arguments)
    border.arguments.push_back(tensor.bytes);
  for (const ProblemTensor &tensor : problem->results)
    border.results.push_back(tensor.bytes);
  Run<PlanInstance> plan =
      PlanInstance::create(job.candidate, *problem, std::move(border));
  if (!plan)
    return std::unexpected(plan.error());
  return {};
}

/// Messages of what fails at smaller sizes name them.
static Run<void> judgeAt(const KernelSpec &spec, DeviceSession &session,
                         const std::vector<Place> &places, bool reduced,
                         const std::function<double()> &remaining,
                         const Progress &progress, Evaluation &evaluation) {
  const Place &first = places.front();
  const Job &job = *first.job;
  Run<void> done = withWorkload(
      job, session, *first.problem, remaining,
      [&](Workload &load) -> Run<void> {
        KCLAW_TRY(measure(job, load, *first.images, progress, evaluation));
        return addProfile(job, load, *first.images, progress, evaluation);
      });
  if (!done && reduced)
    return std::unexpected(at(sizesText(spec, *first.problem), done.error()));
  KCLAW_TRY(std::move(done));
  return checkOtherSizes(spec, session, places, remaining, progress,
                         evaluation);
}

static Run<void> run(const Job &job, DeviceSession *session,
                     const std::string &workerPath, const Progress &progress,
                     Evaluation &evaluation) {
  Clock::time_point start = Clock::now();
  if (job.kind == Job::Kind::Verify)
    return failRun(Outcome::Rejected, "job",
                   "a job of kind verify describes an entry of a module; "
                   "kernelclaw-run --verify judges it");
  progress("compiling");
  Run<Images> images = compileAll(job, workerPath, evaluation);
  if (!images)
    return std::unexpected(images.error());
  evaluation.outcome = Outcome::Ok;
  if (job.kind == Job::Kind::Compile)
    return {};
  if (!session)
    return failRun(Outcome::Rejected, "no-device",
                   "not judged: this worker has no device");
  KCLAW_TRY(assembleAll(session->api, *images, evaluation));
  Run<std::vector<ReducedPlace>> reduced =
      session->isSimulated() ? reducedPlaces(job, session->api, workerPath)
                             : std::vector<ReducedPlace>();
  if (!reduced)
    return std::unexpected(reduced.error());
  JudgedSizes sizes{{}, !reduced->empty()};
  std::vector<Place> places;
  for (const ReducedPlace &place : *reduced)
    places.push_back({&place.job, &place.images, &place.problem});
  if (sizes.reduced) {
    KCLAW_TRY(checkOwnSizes(job));
  } else {
    Run<JudgedSizes> own = chooseSizes(job, session->isSimulated());
    if (!own)
      return std::unexpected(own.error());
    sizes = std::move(*own);
    for (const Problem &problem : sizes.problems)
      places.push_back({&job, &*images, &problem});
  }
  auto remaining = [start, &job] {
    return std::max(0.0, job.timeoutSeconds - secondsSince(start));
  };
  evaluation.evidence = session->evidence();
  session->startBudget();
  Clock::time_point device = Clock::now();
  Run<void> judged = judgeAt(job.spec, *session, places, sizes.reduced,
                             remaining, progress, evaluation);
  if (sizes.reduced)
    noteReduced(job, *places.front().problem, evaluation);
  evaluation.deviceSeconds = secondsSince(device);
  return judged;
}

Judgement judge(const Job &job, DeviceSession *session,
                const std::string &workerPath, const Progress &progress) {
  Judgement result;
  Evaluation &evaluation = result.evaluation;
  evaluation.jobId = job.id;
  evaluation.arch = job.arch;
  if (session)
    evaluation.driverVersion = versionText(session->facts().driverVersion);
  Run<void> done = run(job, session, workerPath, progress, evaluation);
  if (done)
    return result;
  decide(evaluation, done.error());
  result.contextLost = done.error().contextLost;
  return result;
}

} // namespace kclaw
