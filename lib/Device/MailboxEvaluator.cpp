//===- MailboxEvaluator.cpp - Jobs for a worker elsewhere -----------------===//
//
// DIR/jobs/job-NAME.json is posted, DIR/results/result-NAME.json awaited. The
// candidate is compiled here, so that device time goes into running; one that
// does not compile, or shall only be compiled, is answered at once.
//
//===----------------------------------------------------------------------===//
#include "Evaluators.h"
#include "Files.h"
#include "JobClaims.h"

#include <filesystem>

namespace kclaw {

namespace fs = std::filesystem;

namespace {

/// As a shell reads it, where it has to be quoted.
std::string quoted(const std::string &path) {
  bool plain = path.find_first_not_of(
                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                   "0123456789/._-+:@%") == std::string::npos;
  if (plain)
    return path;
  std::string text = "\"";
  for (char c : path) {
    if (std::string_view("\"\\$`").contains(c))
      text += '\\';
    text += c;
  }
  return text + "\"";
}

class MailboxEvaluator : public Evaluator {
public:
  MailboxEvaluator(std::string directory, std::string worker,
                   std::string device)
      : directory(std::move(directory)), worker(std::move(worker)),
        device(std::move(device)) {}

  Expected<Evaluation> evaluate(const Job &job) override {
    Expected<Evaluation> compiled = compileOnly(job, worker);
    if (!compiled || compiled->outcome != Outcome::Ok ||
        job.kind == Job::Kind::Compile)
      return compiled;
    fs::path result = directory / "results" / ("result-" + jobFileName(job));
    if (fs::exists(result))
      return read(result, *compiled);
    return post(job, *compiled);
  }

  bool sweepsTunables() const override { return true; }

private:
  Expected<Evaluation> read(const fs::path &path, const Evaluation &compiled) {
    Expected<std::string> text = readFile(path.string());
    if (!text)
      return std::unexpected(text.error());
    Expected<Evaluation> evaluation = parseEvaluation(*text);
    if (!evaluation)
      return std::unexpected(evaluation.error().context(path.string()));
    if (evaluation->rule == "unavailable")
      return makeError(Error::Code::Unavailable,
                       path.string() + ": " + evaluation->message +
                           "; remove that file to have the job judged");
    // The worker got images and knows nothing of their compilation.
    evaluation->log = compiled.log;
    evaluation->nvrtcVersion = compiled.nvrtcVersion;
    if (evaluation->resources.empty())
      evaluation->resources = compiled.resources;
    return evaluation;
  }

  Expected<Evaluation> post(Job job, const Evaluation &compiled) {
    fs::path path = directory / "jobs" / ("job-" + jobFileName(job));
    job.images = compiled.images;
    if (!fs::exists(path) && !isClaimed(directory, jobFileName(job)))
      if (auto ok = writeFileAtomically(path.string(), toJson(job) + "\n"); !ok)
        return std::unexpected(ok.error());
    return makeError(
        Error::Code::Parked,
        "waiting for a worker: run 'kernelclaw-worker --device=" + device +
            " --mailbox " + quoted(directory.string()) + "', then resume");
  }

  fs::path directory;
  std::string worker;
  std::string device; ///< what was asked for
};

} // namespace

MadeEvaluator createMailboxEvaluator(const EvaluatorOptions &options) {
  if (options.directory.empty())
    return makeError(Error::Code::Invalid,
                     "evaluator 'mailbox' needs a directory");
  Expected<std::string> worker = findWorker(options.workerPath);
  if (!worker)
    return std::unexpected(worker.error());
  std::error_code failed;
  for (const char *folder : {"jobs", "claims", "results"}) {
    fs::create_directories(fs::path(options.directory) / folder, failed);
    if (failed)
      return makeError(Error::Code::Io, "cannot create '" + options.directory +
                                            "/" + folder +
                                            "': " + failed.message());
  }
  return std::make_unique<MailboxEvaluator>(options.directory, *worker,
                                            options.device);
}

} // namespace kclaw
