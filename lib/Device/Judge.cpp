//===- Judge.cpp - A job in, an Evaluation out ----------------------------===//
#include "Judge.h"
#include "ArgumentWrites.h"
#include "BestInstance.h"
#include "Checks/RunOnce.h"
#include "Checks/WinnerChecks.h"
#include "EnergyRun.h"
#include "Explain/ExplainMismatch.h"
#include "JudgedSizes.h"
#include "PlanImages.h"
#include "PrepareTiming.h"
#include "Profiler.h"
#include "StockChoice.h"
#include "TimingRun.h"
#include "TunableSweep.h"
#include "kernelclaw/Device/Worker.h"
#include "kernelclaw/Plan/CheckPlan.h"
#include "kernelclaw/Plan/WinRule.h"

namespace kclaw {

namespace {
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

static Run<void> addPlans(const Job &job, Workload &load,
                          const Images &images) {
  KCLAW_TRY(load.add("candidate", job.candidate, images.candidate, false));
  KCLAW_TRY(load.add("stock", job.stock, images.stock, false));
  return load.add("reference", job.reference, images.reference, true);
}

/// Only timed.
static Run<void> addIncumbent(const Job &job, Workload &load,
                              const Images &images) {
  if (!job.incumbent)
    return {};
  Run<void> added =
      load.add("incumbent", *job.incumbent, images.incumbent, false);
  if (!added)
    return failRun(Outcome::Rejected, "incumbent",
                   "not judged: the incumbent: " + added.error().message,
                   added.error().contextLost);
  return {};
}

/// What stock is, no model can be (Agent/Judge.cpp).
static Scope scopeOf(const Job &job) {
  return job.candidate.producer == Producer::Stock ? Scope::StockTrial
                                                   : Scope::Region;
}

/// A check that says what is wrong, when the job wants to know.
static Run<void> runCheck(const Job &job, Workload &load,
                          CorrectnessCheck &check, Evaluation &evaluation) {
  if (!job.explain)
    return check.run();
  check.explainInto(evaluation.explanation, load.seed());
  Run<void> right = check.run();
  if (evaluation.explanation.result < 0)
    describeData(load.drawn(), load.seed(), evaluation.explanation);
  return right;
}

/// Of library steps, on data like those of the timing.
static Run<void> chooseAlgorithms(Workload &load, Evaluation &evaluation) {
  PlanInstance *plan = load.candidate().plan;
  if (!plan || !plan->hasLibrarySteps() || load.session->isSimulated())
    return {};
  KCLAW_TRY(load.draw({&distributions[0], 0, 0}));
  Run<std::vector<LibraryChoice>> choices =
      plan->chooseAlgorithms(load.session->stream());
  if (!choices)
    return std::unexpected(choices.error());
  evaluation.choices = std::move(*choices);
  return {};
}

static Run<void> measure(const Job &job, Workload &load, const Images &images,
                         const Progress &progress, Evaluation &evaluation) {
  progress("loading plans");
  {
    Phase phase(load.session->phases, "load");
    KCLAW_TRY(addPlans(job, load, images));
    KCLAW_TRY(addIncumbent(job, load, images));
  }
  KCLAW_TRY(chooseAlgorithms(load, evaluation));
  evaluation.chosenTunables.clear();
  for (const Tunable &tunable : job.candidate.tunables)
    evaluation.chosenTunables[tunable.name] =
        load.candidate().plan->bindings().at(tunable.name);

  progress("checking correctness");
  CorrectnessCheck check(load, job.deterministic, scopeOf(job));
  Run<void> right = runCheck(job, load, check, evaluation);
  check.report(evaluation);
  if (!right)
    return right;
  Run<std::vector<int>> without = check.findInputsWithoutEffect();
  if (!without)
    return std::unexpected(without.error());
  evaluation.inputsWithoutEffect = *without;
  KCLAW_TRY(load.candidate().plan->checkConstants());

  progress("timing");
  Phase phase(load.session->phases, "timing");
  TimingRun timing(load, check, images.candidate, load.seed());
  Run<TimingReport> report = timing.run(job.maxTimingSeconds);
  if (!report)
    return std::unexpected(report.error());
  KCLAW_TRY(load.candidate().plan->checkConstants());
  evaluation.time = report->candidate;
  evaluation.stockTime = report->stock;
  evaluation.copyTime = report->copy;
  evaluation.speedupInterval = report->speedup;
  evaluation.incumbentTime = report->incumbent;
  evaluation.incumbentInterval = report->incumbentSpeedup;
  evaluation.counters["rechecked"] = report->rechecked;
  if (evaluation.time.medianMicroseconds > 0)
    evaluation.speedup = evaluation.stockTime.medianMicroseconds /
                         evaluation.time.medianMicroseconds;
  if (!report->note.empty())
    evaluation.message +=
        (evaluation.message.empty() ? "" : "; ") + report->note;
  Run<Timing> prepare = timePrepare(load);
  if (!prepare)
    return std::unexpected(prepare.error());
  evaluation.prepareTime = std::move(*prepare);
  return {};
}

/// After all timing: CUPTI is opened here at the earliest.
static Run<void> addProfile(const Job &job, Workload &load,
                            const Images &images, const Progress &progress,
                            Evaluation &evaluation) {
  if (!job.profile || evaluation.speedup <= job.profileAboveSpeedup)
    return {};
  progress("profiling");
  Phase phase(load.session->phases, "profile");
  Run<Profile> profile =
      profileCandidate(load, images.candidate, evaluation.time);
  if (!profile)
    return std::unexpected(profile.error());
  evaluation.profile = std::move(*profile);
  return {};
}

/// Last, since it heats the device. Of what wins, as far as this process knows.
static Run<void> addEnergy(const Job &job, Workload &load,
                           const Progress &progress, Evaluation &evaluation) {
  if (!job.energy || evaluation.speedup <= job.profileAboveSpeedup ||
      !WinRule().whyNot(evaluation).empty())
    return {};
  progress("measuring energy");
  Phase phase(load.session->phases, "energy");
  Run<Energy> energy =
      measureEnergy(load, evaluation.time, evaluation.stockTime);
  if (!energy)
    return std::unexpected(energy.error());
  evaluation.energy = std::move(*energy);
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

static std::string allSizesText(const Problem &problem) {
  std::string text;
  for (const auto &[name, size] : problem.dims)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(size);
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
    Phase phase(session.phases, "other sizes");
    Run<void> right =
        withWorkload(*place.job, session, *place.problem, remaining,
                     [&](Workload &load) -> Run<void> {
                       KCLAW_TRY(addPlans(*place.job, load, *place.images));
                       CorrectnessCheck check(load, place.job->deterministic,
                                              scopeOf(*place.job));
                       Run<void> done =
                           runCheck(*place.job, load, check, evaluation);
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

/// What was judged at smaller sizes says so, and at which; the first is timed.
static void noteReduced(const Job &job, const std::vector<Place> &places,
                        Evaluation &evaluation) {
  evaluation.evidence = Evidence::SimulatedReduced;
  if (evaluation.time.method.empty()) // it failed before
    return;
  evaluation.time.method += " at " + allSizesText(*places.front().problem);
  evaluation.stockTime.method = evaluation.time.method;
  std::string all;
  for (const Place &place : places)
    all += (all.empty() ? "judged and timed at " : "; judged at ") +
           allSizesText(*place.problem);
  evaluation.message +=
      (evaluation.message.empty() ? "" : "; ") + all + "; simulated";
}

/// Compiles the candidate once more for each reduced problem: claw_spec.h has
/// the sizes.
static Run<std::vector<ReducedPlace>>
reducedPlaces(const Job &job, DeviceSession &session,
              const std::string &workerPath) {
  std::vector<ReducedPlace> places;
  for (Job &reduced : reducedJobs(job)) {
    Expected<Problem> problem = instantiate(reduced.spec);
    if (!problem)
      return failRun(Outcome::Rejected, "spec", problem.error().message);
    std::string sizes = sizesText(job.spec, *problem);
    Evaluation unused;
    Run<Images> images = makeImages(reduced, &session, workerPath, unused);
    if (!images)
      return std::unexpected(at(sizes, images.error()));
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
  Phase phase(session.phases, "correctness");
  Run<void> done = withWorkload(
      job, session, *first.problem, remaining,
      [&](Workload &load) -> Run<void> {
        KCLAW_TRY(measure(job, load, *first.images, progress, evaluation));
        KCLAW_TRY(addProfile(job, load, *first.images, progress, evaluation));
        return addEnergy(job, load, progress, evaluation);
      });
  if (!done && reduced)
    return std::unexpected(at(sizesText(spec, *first.problem), done.error()));
  KCLAW_TRY(std::move(done));
  return checkOtherSizes(spec, session, places, remaining, progress,
                         evaluation);
}

/// Until the job is judged. What only runs once is not timed, and may run
/// beside the job that asked for it.
static Run<double> lockDevice(const Job &job, DeviceSession &session,
                              const Progress &progress) {
  if (job.kind == Job::Kind::RunOnce)
    return 0.0;
  bool waits = false;
  Run<double> waited = session.lock(job.timeoutSeconds, [&] {
    waits = true;
    progress(deviceWaitPhase);
  });
  if (waits)
    progress("going on");
  return waited;
}

/// Job::Kind::RunOnce: at each place, nothing else.
static Run<void> runOnceAt(const KernelSpec &spec, DeviceSession &session,
                           const std::vector<Place> &places,
                           const std::function<double()> &remaining,
                           const Progress &progress, Evaluation &evaluation) {
  std::string ran;
  for (const Place &place : places) {
    std::string sizes = sizesText(spec, *place.problem);
    progress("running once" + (sizes.empty() ? "" : " at " + sizes));
    Run<void> done = runOnce(*place.job, session, *place.problem,
                             place.images->candidate, remaining());
    if (!done)
      return sizes.empty() ? done : std::unexpected(at(sizes, done.error()));
    if (!sizes.empty())
      ran += (ran.empty() ? "at " : "; at ") + sizes;
  }
  evaluation.message = ran;
  return {};
}

/// Of what is kept: the tools that look at how it runs.
static Run<void> addChecks(const Job &job, const Images &images,
                           const CheckPlace &place, Evaluation &evaluation) {
  if (!job.checks || evaluation.speedup <= job.profileAboveSpeedup)
    return {};
  return checkWinner(job, images.candidate, place, evaluation.checks);
}

/// Whoever sends a candidate, it is held to what a plan may be: to what its
/// prepare steps read, say. What the compiler half exports is ours.
static Run<void> checkContract(const Job &job) {
  Producer by = job.candidate.producer;
  if (job.kind != Job::Kind::Evaluate || by == Producer::Stock ||
      by == Producer::Reference)
    return {};
  if (auto fits = checkPlan(job.candidate, job.spec, /*fromModel=*/false);
      !fits)
    return failRun(Outcome::Rejected, "plan", fits.error().message);
  return {};
}

static Run<void> runInstance(const Job &job, DeviceSession *session,
                             const std::string &workerPath,
                             const Progress &progress, Evaluation &evaluation) {
  Clock::time_point start = Clock::now();
  if (job.kind == Job::Kind::Verify)
    return failRun(Outcome::Rejected, "job",
                   "a job of kind verify describes an entry of a module; "
                   "kernelclaw-run --verify judges it");
  KCLAW_TRY(checkContract(job));
  progress("compiling");
  Run<Images> images = makeImages(job, session, workerPath, evaluation);
  evaluation.phases["compile"] = secondsSince(start);
  if (!images)
    return std::unexpected(images.error());
  evaluation.outcome = Outcome::Ok;
  if (job.kind == Job::Kind::Compile)
    return {};
  KCLAW_TRY(checkArgumentWrites(job.candidate, images->candidate));
  if (!session)
    return failRun(Outcome::Rejected, "no-device",
                   "not judged: this worker has no device");
  Run<std::vector<ReducedPlace>> reduced =
      session->isSimulated() ? reducedPlaces(job, *session, workerPath)
                             : std::vector<ReducedPlace>();
  evaluation.phases["compile"] = secondsSince(start);
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
  auto remaining = [&start, &job] {
    return std::max(0.0, job.timeoutSeconds - secondsSince(start));
  };
  evaluation.evidence = session->evidence();
  evaluation.isolation = session->whyNotHidden().empty()
                             ? "unmapped"
                             : "mapped: " + session->whyNotHidden();
  Run<double> waited = lockDevice(job, *session, progress);
  if (!waited)
    return std::unexpected(waited.error());
  start += after(*waited) - Clock::now();
  session->startBudget();
  session->phases.reset();
  Clock::time_point device = Clock::now();
  if (job.kind == Job::Kind::RunOnce)
    return runOnceAt(job.spec, *session, places, remaining, progress,
                     evaluation);
  Run<void> judged = judgeAt(job.spec, *session, places, sizes.reduced,
                             remaining, progress, evaluation);
  if (sizes.reduced)
    noteReduced(job, places, evaluation);
  if (judged)
    judged = addChecks(
        job, *images, {workerPath, session->isSimulated(), remaining, progress},
        evaluation);
  evaluation.deviceSeconds = secondsSince(device);
  evaluation.seed =
      job.replaySeed ? job.replaySeed : session->secretSeed(job.seed);
  evaluation.phases.insert(session->phases.seconds().begin(),
                           session->phases.seconds().end());
  return judged;
}

static Run<void> run(const Job &job, DeviceSession *session,
                     const std::string &workerPath, const Progress &progress,
                     Evaluation &evaluation) {
  bool sweeps = session && job.kind == Job::Kind::Evaluate &&
                job.maxSweepSeconds > 0 && hasChoices(job.candidate);
  auto instance = [&](const Job &chosen) {
    return runInstance(chosen, session, workerPath, progress, evaluation);
  };
  if (!sweeps)
    return instance(job);
  // The sweep is timed too.
  if (Run<double> waited = lockDevice(job, *session, progress); !waited)
    return std::unexpected(waited.error());
  return judgeBestInstance(job, *session, workerPath, progress, instance,
                           evaluation);
}

static Judgement judgeOne(const Job &job, DeviceSession *session,
                          const std::string &workerPath,
                          const Progress &progress) {
  Judgement result;
  Evaluation &evaluation = result.evaluation;
  evaluation.jobId = job.id;
  evaluation.arch = job.arch;
  if (session) {
    evaluation.device = session->identity();
    evaluation.driverVersion = evaluation.device.driver;
  }
  Run<void> done = run(job, session, workerPath, progress, evaluation);
  if (session)
    session->unlock();
  // Whatever it looked like. A hung device is not asked: it might not answer.
  if (!done && session && done.error().outcome != Outcome::Timeout)
    if (Run<void> present = session->checkPresent(); !present)
      done = present;
  if (done)
    return result;
  decide(evaluation, done.error());
  result.contextLost = done.error().contextLost;
  return result;
}

Judgement judge(const Job &job, DeviceSession *session,
                const std::string &workerPath, const Progress &progress) {
  if (!job.libraryStock || !session || job.kind != Job::Kind::Evaluate)
    return judgeOne(job, session, workerPath, progress);
  bool contextLost = false;
  auto trial = [&](const Job &stockJob) {
    Judgement judged =
        judgeOne(stockJob, session, workerPath, [&](const std::string &what) {
          progress("library stock: " + what);
        });
    contextLost |= judged.contextLost;
    return judged.evaluation;
  };
  StockReport report;
  Job settled = settleStock(job, trial, report);
  Judgement result;
  if (contextLost) {
    result.evaluation.jobId = job.id;
    decide(result.evaluation,
           RunFailure{Outcome::Rejected, "library-stock",
                      "not judged: the library stock: " + report.why, true});
  } else {
    result = judgeOne(settled, session, workerPath, progress);
  }
  result.contextLost |= contextLost;
  result.evaluation.stock = std::move(report);
  return result;
}

} // namespace kclaw
