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

/// Where a run directory keeps the evaluation of job "<specHash>-<attempt>", or
/// of the library stock, "<specHash>-stock".
fs::path inRunDirectory(const std::string &jobId) {
  size_t dash = jobId.rfind('-');
  if (dash == std::string::npos)
    return {};
  std::string attempt = jobId.substr(dash + 1);
  return fs::path("regions") / jobId.substr(0, dash) /
         (attempt == "stock" ? "library-stock" : "attempt-" + attempt) /
         "evaluation.json";
}

/// Whether a list of objects follows `key`; the files are large.
bool hasRows(const std::string &text, const std::string &key) {
  size_t at = text.find(key);
  if (at == std::string::npos)
    return false;
  at = text.find_first_not_of(": \n", at + key.size());
  if (at == std::string::npos || text[at] != '[')
    return false;
  at = text.find_first_not_of(" \n", at + 1);
  return at != std::string::npos && text[at] == '{';
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

  /// As whoever was recorded: a provider that offers a choice must be answered
  /// by one that made it.
  bool sweepsTunables() const override {
    std::error_code failed;
    for (fs::recursive_directory_iterator at(directory, failed), end;
         !failed && at != end; at.increment(failed)) {
      if (!at->is_regular_file(failed) || at->path().extension() != ".json")
        continue;
      Expected<std::string> text = readFile(at->path().string());
      if (text && hasRows(*text, "\"tunableTable\""))
        return true;
    }
    return false;
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
