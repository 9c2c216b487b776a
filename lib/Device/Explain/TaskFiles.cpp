//===- TaskFiles.cpp - Jobs from what lies on disk ------------------------===//
#include "TaskFiles.h"
#include "Files.h"
#include "SourcePlan.h"
#include "kernelclaw/Device/RegionJob.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace kclaw {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool isFolder(const fs::path &path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}
bool isFile(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<std::string> namesIn(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(folder, ignored))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing" : text;
}

Expected<Json> readJson(const fs::path &path) {
  auto text = readFile(path.string());
  if (!text)
    return std::unexpected(text.error());
  Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return makeError(Error::Code::Invalid,
                     "'" + path.string() + "' is no JSON object");
  return json;
}

template <typename T>
Expected<T> parsed(const fs::path &path, Expected<T> value) {
  if (!value)
    return std::unexpected(value.error().context("'" + path.string() + "'"));
  return value;
}

/// A job, or what a job of a region without candidate looks like.
Expected<Job> readJobFile(const fs::path &path, Json json) {
  bool hasCandidate = json.contains("candidate");
  if (!hasCandidate)
    json["kind"] = "verify";
  Expected<Job> job = parsed(path, parseJob(json.dump()));
  if (job && !hasCandidate)
    job->kind = Job::Kind::Evaluate;
  return job;
}

Expected<std::vector<ReducedProblem>> readReduced(const fs::path &path,
                                                  const Job &job) {
  if (!isFile(path))
    return std::vector<ReducedProblem>();
  auto text = readFile(path.string());
  if (!text)
    return std::unexpected(text.error());
  Json list = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  Json whole = Json::parse(toJson(job));
  whole["kind"] = "verify";
  whole["reduced"] = list;
  auto read = parsed(path, parseJob(whole.dump()));
  if (!read)
    return std::unexpected(read.error());
  return read->reduced;
}

/// The region's files in `folder`.
Expected<Job> readRegion(const fs::path &folder, const TaskFiles &files,
                         const fs::path &specFile) {
  Job job;
  auto text = readFile(specFile.string());
  if (!text)
    return std::unexpected(text.error().context("the region's spec"));
  auto spec = parsed(specFile, parseKernelSpec(*text));
  if (!spec)
    return std::unexpected(spec.error());
  job.spec = std::move(*spec);
  job.id = job.spec.specHash.empty() ? job.spec.symbol : job.spec.specHash;
  struct Part {
    const char *what;
    std::string named;
    const char *beside;
    Plan &to;
    Producer producer;
  };
  Part parts[] = {
      {"stock", files.stock, "stock.json", job.stock, Producer::Stock},
      {"reference", files.reference, "reference.json", job.reference,
       Producer::Reference}};
  for (Part &part : parts) {
    fs::path path =
        part.named.empty() ? folder / part.beside : fs::path(part.named);
    if (!isFile(path))
      return makeError(Error::Code::Invalid,
                       "no " + std::string(part.what) + " plan at '" +
                           path.string() + "'; name one with --" + part.what +
                           "=FILE (.json, or .cu with claw lines), or take a "
                           "region's folder of a run directory");
    auto plan = readPlanFile(path.string(), job.spec);
    if (!plan)
      return std::unexpected(
          plan.error().context(std::string("the ") + part.what + " plan"));
    part.to = std::move(*plan);
    part.to.producer = part.producer;
  }
  // Who names a stock means that one.
  fs::path library = folder / "library-stock.json";
  if (files.stock.empty() && isFile(library)) {
    auto plan = readPlanFile(library.string(), job.spec);
    if (!plan)
      return std::unexpected(plan.error().context("the library stock plan"));
    job.libraryStock = std::move(*plan);
  }
  auto reduced = readReduced(folder / "reduced.json", job);
  if (!reduced)
    return std::unexpected(reduced.error());
  job.reduced = std::move(*reduced);
  return job;
}

/// regions/<hash> by the hash, the beginning of one, or the symbol.
Expected<fs::path> findRegion(const fs::path &run, const std::string &word) {
  fs::path regions = run / "regions";
  if (!isFolder(regions))
    return makeError(Error::Code::Invalid, "'" + run.string() +
                                               "' is no run directory: it has "
                                               "no folder 'regions'");
  std::vector<std::string> fits;
  std::vector<std::string> known;
  for (const std::string &hash : namesIn(regions)) {
    auto json = readJson(regions / hash / "spec.json");
    std::string symbol = json ? json->value("symbol", "") : "";
    known.push_back(hash + (symbol.empty() ? "" : " (" + symbol + ")"));
    if (hash.starts_with(word) || symbol == word)
      fits.push_back(hash);
  }
  if (fits.size() == 1)
    return regions / fits[0];
  return makeError(Error::Code::Invalid,
                   (fits.empty() ? "no region '" : "several regions '") + word +
                       "' in '" + run.string() +
                       "'; there are: " + joined(known));
}

int attemptNumber(const std::string &name) {
  return name.starts_with("attempt-") ? std::atoi(name.c_str() + 8) : 0;
}

Expected<fs::path> findAttempt(const fs::path &region,
                               const std::string &word) {
  std::vector<int> numbers;
  for (const std::string &name : namesIn(region))
    if (attemptNumber(name) > 0 && isFile(region / name / "plan.json"))
      numbers.push_back(attemptNumber(name));
  std::ranges::sort(numbers);
  std::vector<std::string> known;
  for (int number : numbers)
    known.push_back(std::to_string(number));
  int wanted = attemptNumber(word) ? attemptNumber(word)
               : numbers.empty()   ? 0
               : word == "first"   ? numbers.front()
               : word == "last"    ? numbers.back()
                                   : std::atoi(word.c_str());
  if (std::ranges::find(numbers, wanted) == numbers.end())
    return makeError(Error::Code::Invalid,
                     "no attempt '" + word + "' with a plan in '" +
                         region.string() + "'; there are: " + joined(known));
  return region / ("attempt-" + std::to_string(wanted));
}

/// What was judged: the data, whose seed is known once it is judged, and the
/// values of the tunables that the sweep chose.
void replay(const fs::path &attempt, Job &job) {
  auto text = readFile((attempt / "evaluation.json").string());
  auto evaluation =
      text ? parseEvaluation(*text) : Expected<Evaluation>(Evaluation());
  if (!evaluation)
    return;
  job.replaySeed = evaluation->seed;
  for (Tunable &tunable : job.candidate.tunables)
    if (auto chosen = evaluation->chosenTunables.find(tunable.name);
        chosen != evaluation->chosenTunables.end()) {
      tunable.chosen = chosen->second;
      job.maxSweepSeconds = 0;
    }
}

/// What the run asked of its evaluator beside the plans.
Expected<void> readQuestion(const fs::path &attempt, Job &job) {
  fs::path own = attempt / "job.json";
  fs::path run = attempt.parent_path().parent_path().parent_path() / "run.json";
  fs::path file = isFile(own) ? own : run;
  auto json = readJson(file);
  if (!json)
    return std::unexpected(json.error());
  Json whole = Json::parse(toJson(job));
  for (const char *name :
       {"arch", "seed", "deterministic", "timeoutSeconds", "maxTimingSeconds"})
    if (json->contains(name))
      whole[name] = (*json)[name];
  auto read = parsed(file, parseJob(whole.dump()));
  if (!read)
    return std::unexpected(read.error());
  job = std::move(*read);
  return {};
}

} // namespace

Expected<Plan> readPlanFile(const std::string &path, const KernelSpec &spec) {
  auto text = readFile(path);
  if (!text)
    return std::unexpected(text.error());
  if (fs::path(path).extension() == ".cu")
    return planFromSource(*text, path, spec);
  return parsed(path, parsePlan(*text));
}

Expected<Job> readRegionJob(const std::string &folder) {
  return readTask({folder, "", ""});
}

Expected<Job> readTask(const TaskFiles &files) {
  fs::path path = files.spec;
  if (isFolder(path))
    return readRegion(path, files, path / "spec.json");
  auto json = readJson(path);
  if (!json)
    return std::unexpected(json.error());
  if (json->contains("spec"))
    return readJobFile(path, std::move(*json));
  return readRegion(path.parent_path(), files, path);
}

Expected<Job> readAttempt(const std::string &text) {
  fs::path path = text;
  if (isFile(path)) {
    auto json = readJson(path);
    if (!json)
      return std::unexpected(json.error());
    return readJobFile(path, std::move(*json));
  }
  path = path.lexically_normal();
  if (path.filename().empty())
    path = path.parent_path();
  fs::path attempt = path;
  if (!isFile(attempt / "plan.json")) {
    auto region = findRegion(path.parent_path().parent_path(),
                             path.parent_path().filename().string());
    if (!region)
      return std::unexpected(region.error());
    auto found = findAttempt(*region, path.filename().string());
    if (!found)
      return std::unexpected(found.error());
    attempt = *found;
  }
  fs::path region = fs::absolute(attempt).lexically_normal().parent_path();
  auto job = readRegion(region, {}, region / "spec.json");
  if (!job)
    return job;
  auto plan = readPlanFile((attempt / "plan.json").string(), job->spec);
  if (!plan)
    return std::unexpected(plan.error());
  job->candidate = std::move(*plan);
  if (attempt.filename() == "library-stock") // judged beside our own lowering
    job->libraryStock.reset();
  job->id = region.filename().string() + "-" +
            std::to_string(attemptNumber(attempt.filename().string()));
  if (auto done = readQuestion(fs::absolute(attempt).lexically_normal(), *job);
      !done)
    return std::unexpected(done.error());
  replay(attempt, *job);
  return job;
}

} // namespace kclaw
