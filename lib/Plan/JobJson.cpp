//===- JobJson.cpp - Job <-> JSON -----------------------------------------===//
//
// One line, as kernelclaw-worker reads it. Schema: docs/schema/job.schema.json.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/Job.h"

#include "JobJson.h"
#include "PlanJson.h"
#include "Spec/KernelSpecJson.h"

namespace kclaw::json {
namespace {

constexpr EnumRow<Job::Kind> jobKinds[] = {{"evaluate", Job::Kind::Evaluate},
                                           {"compile", Job::Kind::Compile},
                                           {"verify", Job::Kind::Verify},
                                           {"run-once", Job::Kind::RunOnce}};

Json writeImages(const std::vector<ModuleImage> &images) {
  Json list = Json::array();
  for (const ModuleImage &image : images)
    list.push_back(write(image));
  return list;
}

Json writeReduced(const std::vector<ReducedProblem> &problems) {
  Json list = Json::array();
  for (const ReducedProblem &problem : problems)
    list.push_back({{"spec", write(problem.spec)},
                    {"stock", write(problem.stock)},
                    {"reference", write(problem.reference)}});
  return list;
}

ReducedProblem readReduced(const Cursor &at) {
  return {readKernelSpec(at.at("spec")), readPlan(at.at("stock")),
          readPlan(at.at("reference"))};
}

uint64_t readSeed(const Cursor &at) {
  if (!at.present())
    return 1;
  if (at.get()->is_number_unsigned())
    return at.get()->get<uint64_t>();
  at.fail("expected a whole number of 0 or more");
  return 1;
}

/// compile and run-once jobs need neither stock nor reference, verify jobs no
/// candidate.
Plan readOptionalPlan(const Cursor &at) {
  return at.present() ? readPlan(at) : Plan();
}

} // namespace

Json write(const Job &job) {
  Json json{{"id", job.id},
            {"kind", nameOf(jobKinds, job.kind)},
            {"spec", write(job.spec)}};
  if (job.kind != Job::Kind::Verify)
    json["candidate"] = write(job.candidate);
  json.update({{"stock", write(job.stock)},
               {"reference", write(job.reference)},
               {"arch", job.arch},
               {"seed", job.seed},
               {"replaySeed", job.replaySeed},
               {"timeoutSeconds", job.timeoutSeconds},
               {"maxTimingSeconds", job.maxTimingSeconds},
               {"maxSweepSeconds", job.maxSweepSeconds},
               {"deterministic", job.deterministic},
               {"profile", job.profile},
               {"profileAboveSpeedup", job.profileAboveSpeedup},
               {"confirmProcesses", job.confirmProcesses},
               {"energy", job.energy},
               {"explain", job.explain},
               {"checks", job.checks},
               {"reduced", writeReduced(job.reduced)},
               {"images", writeImages(job.images)},
               {"stockImages", writeImages(job.stockImages)},
               {"referenceImages", writeImages(job.referenceImages)},
               {"incumbentImages", writeImages(job.incumbentImages)}});
  if (job.libraryStock)
    json["libraryStock"] = write(*job.libraryStock);
  if (job.incumbent)
    json["incumbent"] = write(*job.incumbent);
  return json;
}

/// Thirty years are more than a clock's arithmetic has to hold.
double readSeconds(const Cursor &at, double fallback) {
  double seconds = at.number(fallback);
  if (seconds >= 0 && seconds <= 1e9)
    return seconds;
  at.fail(dump(*at.get()) + " is outside [0, 1000000000] seconds");
  return fallback;
}

Job readJob(const Cursor &at) {
  Job job;
  job.id = at.at("id").string();
  job.kind = at.find("kind").oneOf(jobKinds, Job::Kind::Evaluate);
  job.spec = readKernelSpec(at.at("spec"));
  bool verify = job.kind == Job::Kind::Verify;
  job.candidate =
      readOptionalPlan(verify ? at.find("candidate") : at.at("candidate"));
  bool evaluate =
      job.kind == Job::Kind::Evaluate || job.kind == Job::Kind::Verify;
  job.stock = readOptionalPlan(evaluate ? at.at("stock") : at.find("stock"));
  job.reference =
      readOptionalPlan(evaluate ? at.at("reference") : at.find("reference"));
  job.arch = at.find("arch").string(job.arch);
  job.seed = readUnsigned(at.find("seed"), job.seed);
  job.replaySeed = readUnsigned(at.find("replaySeed"));
  job.timeoutSeconds =
      readSeconds(at.find("timeoutSeconds"), job.timeoutSeconds);
  job.maxTimingSeconds =
      readSeconds(at.find("maxTimingSeconds"), job.maxTimingSeconds);
  job.maxSweepSeconds =
      readSeconds(at.find("maxSweepSeconds"), job.maxSweepSeconds);
  job.deterministic = at.find("deterministic").boolean(job.deterministic);
  job.profile = at.find("profile").boolean(job.profile);
  job.profileAboveSpeedup =
      at.find("profileAboveSpeedup").number(job.profileAboveSpeedup);
  job.confirmProcesses =
      int(at.find("confirmProcesses").integer(job.confirmProcesses, 0, 100));
  job.energy = at.find("energy").boolean(job.energy);
  if (at.find("libraryStock").present())
    job.libraryStock = readPlan(at.find("libraryStock"));
  if (at.find("incumbent").present())
    job.incumbent = readPlan(at.find("incumbent"));
  job.explain = at.find("explain").boolean(job.explain);
  job.checks = at.find("checks").boolean(job.checks);
  job.reduced = at.find("reduced").list(readReduced);
  job.images = at.find("images").list(readImage);
  job.stockImages = at.find("stockImages").list(readImage);
  job.referenceImages = at.find("referenceImages").list(readImage);
  job.incumbentImages = at.find("incumbentImages").list(readImage);
  return job;
}

} // namespace kclaw::json

std::string kclaw::toJson(const Job &job) {
  return json::dump(json::write(job));
}

kclaw::Expected<kclaw::Job> kclaw::parseJob(const std::string &text) {
  return json::parseDocument(text, "job", json::readJob);
}
