//===- JudgeForPeople.cpp - One job judged and reported -------------------===//
#include "JudgeForPeople.h"
#include "Advice.h"
#include "Files.h"
#include "Repro.h"

#include <cstdio>

namespace kclaw {

/// The simulator works for seconds at what a GPU does at once.
constexpr double simulatorSeconds = 300;

int reportError(const Error &error) {
  std::fprintf(stderr, "kernelclaw-worker: error: %s\n", error.message.c_str());
  return error.code == Error::Code::Unavailable ? NoDevice : BadInput;
}

WorkerProcess makeJudge(const JudgeOptions &options) {
  return WorkerProcess(WorkerCommand{options.workerPath,
                                     {"--child", "--device=" + options.device}},
                       options.verbose);
}

static Expected<Evaluation> evaluate(const Job &job, WorkerProcess &worker) {
  auto line = worker.judgeLine(toJson(job), job.id, job.timeoutSeconds);
  if (!line)
    return std::unexpected(line.error());
  auto evaluation = parseEvaluation(*line);
  if (evaluation && evaluation->rule == "unavailable")
    return makeError(Error::Code::Unavailable,
                     evaluation->message +
                         "; --device=sim judges without a GPU");
  return evaluation;
}

static Expected<void> writeExtras(const Job &job, const Evaluation &evaluation,
                                  const JudgeOptions &options) {
  if (!options.json.empty())
    if (auto done =
            writeFileAtomically(options.json, toJson(evaluation) + "\n");
        !done)
      return done;
  if (options.repro.empty())
    return {};
  auto leftOut =
      writeRepro(job, evaluation,
                 {options.repro, options.workerPath, options.commandLine});
  if (!leftOut)
    return std::unexpected(leftOut.error());
  std::printf("\nrepro: %s/repro.cu; %s/run.sh builds and runs it\n",
              options.repro.c_str(), options.repro.c_str());
  for (const std::string &each : *leftOut)
    std::printf("  left out: %s\n", each.c_str());
  return {};
}

int judgeForPeople(Job job, WorkerProcess &worker, const JudgeOptions &options,
                   const ReportOptions &report) {
  job.kind = Job::Kind::Evaluate;
  job.explain = true;
  job.profile = options.profile;
  job.profileAboveSpeedup = 0;
  job.checks = options.checks;
  job.replaySeed = options.seed.value_or(job.replaySeed);
  if (!options.device.starts_with("cuda"))
    job.timeoutSeconds = std::max(job.timeoutSeconds, simulatorSeconds);
  job.timeoutSeconds = options.timeoutSeconds.value_or(job.timeoutSeconds);
  auto evaluation = evaluate(job, worker);
  if (!evaluation)
    return reportError(evaluation.error());
  auto table = adviceTable();
  auto advice =
      table
          ? adviceFor(*evaluation, *table)
          : Expected<std::vector<std::string>>(std::unexpected(table.error()));
  if (!advice) // the verdict stands without it
    std::fprintf(stderr, "warning: %s\n", advice.error().message.c_str());
  std::fputs(renderReport(*evaluation,
                          advice ? *advice : std::vector<std::string>(), report)
                 .c_str(),
             stdout);
  auto written = writeExtras(job, *evaluation, options);
  std::fflush(stdout);
  if (!written)
    return reportError(written.error());
  return evaluation->outcome == Outcome::Ok ? JudgedOk : JudgedNotOk;
}

} // namespace kclaw
