//===- PlanImages.cpp - The images of a job's plans -----------------------===//
#include "PlanImages.h"
#include "DeviceSession.h"
#include "Fatbin.h"
#include "PtxLink.h"
#include "ShippedHeaders.h"
#include "kernelclaw/Device/Compiler.h"

#include <future>

namespace kclaw {

namespace {
/// A plan beside the candidate.
struct Companion {
  const char *name;
  const Plan *plan;
  const std::vector<ModuleImage> *given;
  std::vector<ModuleImage> *images; ///< to be filled
  bool shipped;                     ///< its images leave with the evaluation
  std::string key = {};
  bool known = false;
  std::future<Run<CompiledPlan>> compiling = {};
};
} // namespace

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

/// It is no fault of the candidate.
static RunFailure notJudged(const char *who, RunFailure failure) {
  failure.outcome = Outcome::Rejected;
  failure.rule = std::string(who) + "-compile";
  failure.message =
      "not judged: the " + std::string(who) + "'s " + failure.message;
  return failure;
}

/// Everything that decides what a compilation gives.
static std::string imageKey(const Plan &plan, const Job &job) {
  return job.arch + "\n" + renderSpecHeader(job.spec) + "\n" + toJson(plan);
}

static void start(Companion &companion, const Job &job, DeviceSession &session,
                  const std::string &workerPath) {
  companion.key = imageKey(*companion.plan, job);
  const std::vector<ModuleImage> *known =
      companion.given->empty() ? session.images.find(companion.key) : nullptr;
  if (known) {
    *companion.images = *known;
    companion.known = true;
    return;
  }
  companion.compiling = std::async(std::launch::async, [&] {
    return compileOne(*companion.plan, job, *companion.given, workerPath);
  });
}

static Run<void> finish(Companion &companion, DeviceSession &session) {
  if (companion.known)
    return {};
  Run<CompiledPlan> compiled = companion.compiling.get();
  if (!compiled)
    return std::unexpected(compiled.error());
  if (compiled->outcome != Outcome::Ok)
    return std::unexpected(notJudged(
        companion.name, {compiled->outcome, compiled->rule,
                         compiled->message + "\n" + compiled->log, false}));
  *companion.images = std::move(compiled->images);
  std::vector<ResourceReport> unused;
  for (ModuleImage &image : *companion.images)
    if (Run<void> done = assemble(session.api, image, unused); !done)
      return std::unexpected(notJudged(companion.name, done.error()));
  if (companion.shipped && !session.isSimulated())
    addFatbins(*companion.images);
  if (companion.given->empty())
    session.images.put(companion.key, *companion.images);
  return {};
}

static Run<void> compileCandidate(const Job &job, const std::string &workerPath,
                                  Evaluation &evaluation) {
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
  return {};
}

Run<Images> makeImages(const Job &job, DeviceSession *session,
                       const std::string &workerPath, Evaluation &evaluation) {
  Images images;
  if (job.kind == Job::Kind::Compile || !session) {
    KCLAW_TRY(compileCandidate(job, workerPath, evaluation));
    images.candidate = evaluation.images;
    return images;
  }
  std::vector<Companion> companions;
  if (job.kind != Job::Kind::RunOnce) {
    companions.push_back(
        {"stock", &job.stock, &job.stockImages, &images.stock, true});
    companions.push_back({"reference", &job.reference, &job.referenceImages,
                          &images.reference, false});
  }
  if (job.incumbent)
    companions.push_back({"incumbent", &*job.incumbent, &job.incumbentImages,
                          &images.incumbent, false});
  for (Companion &companion : companions)
    start(companion, job, *session, workerPath);
  KCLAW_TRY(compileCandidate(job, workerPath, evaluation));
  for (ModuleImage &image : evaluation.images)
    KCLAW_TRY(assemble(session->api, image, evaluation.resources));
  if (!session->isSimulated())
    addFatbins(evaluation.images);
  images.candidate = evaluation.images;
  for (Companion &companion : companions)
    KCLAW_TRY(finish(companion, *session));
  evaluation.stockImages = images.stock;
  return images;
}

} // namespace kclaw
