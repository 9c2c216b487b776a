//===- ReplayEvaluator.cpp - Evaluations recorded earlier -----------------===//
//
// DIR (or DIR/results) holds result-NAME.json, named by the content of the
// question, or ID.json for a job's id; or DIR is a run directory.
//
//===----------------------------------------------------------------------===//
#include "Evaluators.h"
#include "Files.h"

#include <filesystem>

namespace kclaw {

namespace fs = std::filesystem;

namespace {

/// Where a run directory keeps the evaluation of job "<specHash>-<attempt>".
fs::path inRunDirectory(const std::string &jobId) {
  size_t dash = jobId.rfind('-');
  if (dash == std::string::npos)
    return {};
  return fs::path("regions") / jobId.substr(0, dash) /
         ("attempt-" + jobId.substr(dash + 1)) / "evaluation.json";
}

class ReplayEvaluator : public Evaluator {
public:
  explicit ReplayEvaluator(std::string directory)
      : directory(std::move(directory)) {}

  Expected<Evaluation> evaluate(const Job &job) override {
    std::string name = "result-" + jobFileName(job);
    for (const fs::path &path :
         {directory / name, directory / "results" / name,
          directory / (job.id + ".json"), directory / inRunDirectory(job.id)}) {
      if (!fs::is_regular_file(path))
        continue;
      Expected<std::string> text = readFile(path.string());
      if (!text)
        return std::unexpected(text.error());
      Expected<Evaluation> evaluation = parseEvaluation(*text);
      if (!evaluation)
        return std::unexpected(evaluation.error().context(path.string()));
      evaluation->jobId = job.id;
      return evaluation;
    }
    return makeError(Error::Code::Unavailable,
                     "no recorded evaluation of job '" + job.id + "' in '" +
                         directory.string() + "': neither " + name + " nor " +
                         job.id + ".json");
  }

private:
  fs::path directory;
};

} // namespace

MadeEvaluator createReplayEvaluator(const EvaluatorOptions &options) {
  if (!fs::is_directory(options.directory))
    return makeError(Error::Code::Unavailable,
                     "evaluator 'replay': no directory '" + options.directory +
                         "'");
  return std::make_unique<ReplayEvaluator>(options.directory);
}

} // namespace kclaw
