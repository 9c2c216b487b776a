//===- Commands.cpp - explain and check -----------------------------------===//
#include "Files.h"
#include "JudgeForPeople.h"
#include "SourcePlan.h"
#include "SourceTemplate.h"
#include "TaskFiles.h"
#include "kernelclaw/Device/Worker.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace kclaw {

int runExplain(const ExplainOptions &options) {
  if (auto known = checkDevice(options.judge.device); !known)
    return reportError(known.error());
  auto job = readAttempt(options.attempt);
  if (!job)
    return reportError(job.error());
  WorkerProcess worker = makeJudge(options.judge);
  ReportOptions report;
  report.subject =
      job->id +
      (job->candidate.title.empty() ? "" : " (" + job->candidate.title + ")");
  return judgeForPeople(*job, worker, options.judge, report);
}

/// The plan of --plan, with the source in its module.
static Expected<Plan> planAround(const std::string &source,
                                 const CheckOptions &options,
                                 const KernelSpec &spec) {
  auto plan = readPlanFile(options.plan, spec);
  if (!plan)
    return plan;
  std::string stem = std::filesystem::path(options.source).stem().string();
  PlanModule *target = nullptr;
  size_t sources = 0;
  for (PlanModule &module : plan->modules) {
    sources += module.kind == PlanModule::Kind::Cuda;
    if (module.kind == PlanModule::Kind::Cuda &&
        (!target || module.name == stem))
      target = &module;
  }
  if (!target || (sources > 1 && target->name != stem))
    return makeError(Error::Code::Invalid,
                     "'" + options.plan + "' has no CUDA module '" + stem +
                         "' for '" + options.source + "'");
  target->source = source;
  return plan;
}

static Expected<Plan> readCandidate(const CheckOptions &options,
                                    const KernelSpec &spec) {
  auto source = readFile(options.source);
  if (!source)
    return std::unexpected(source.error());
  Expected<Plan> plan = makeError(Error::Code::Internal, "");
  if (!options.plan.empty()) {
    plan = planAround(*source, options, spec);
  } else {
    for (const std::string &line : options.launch)
      *source += "\n// claw: " + line + "\n";
    plan = planFromSource(*source, options.source, spec);
  }
  if (!plan)
    return plan;
  if (auto fits = checkPlan(*plan, spec, /*fromModel=*/false); !fits)
    return std::unexpected(fits.error().context(options.source));
  return plan;
}

static int checkOnce(Job job, WorkerProcess &worker,
                     const CheckOptions &options) {
  auto plan = readCandidate(options, job.spec);
  if (!plan)
    return reportError(plan.error());
  job.candidate = std::move(*plan);
  ReportOptions report;
  report.subject = options.source;
  report.log = options.judge.verbose;
  return judgeForPeople(std::move(job), worker, options.judge, report);
}

/// When the file was changed last; the epoch when it is not there.
static std::filesystem::file_time_type changed(const std::string &file) {
  std::error_code ignored;
  return std::filesystem::last_write_time(file, ignored);
}

static int createSource(const CheckOptions &options, const KernelSpec &spec) {
  std::error_code ignored;
  if (std::filesystem::exists(options.source, ignored))
    return reportError({Error::Code::Invalid, "'" + options.source +
                                                  "' is there already; --new "
                                                  "overwrites nothing"});
  if (auto done = writeFileAtomically(options.source, sourceTemplate(spec));
      !done)
    return reportError(done.error());
  std::string command = "kernelclaw-worker check " + options.source;
  const std::pair<const char *, const std::string &> words[] = {
      {" --spec ", options.spec},
      {" --stock ", options.stock},
      {" --reference ", options.reference},
      {" --device=", options.judge.device}};
  for (const auto &[word, value] : words)
    if (!value.empty() && value != "cuda")
      command += word + value;
  std::printf("wrote %s; judge it with: %s\n", options.source.c_str(),
              command.c_str());
  return JudgedOk;
}

int runCheck(const CheckOptions &options) {
  if (auto known = checkDevice(options.judge.device); !known)
    return reportError(known.error());
  auto job = readTask({options.spec, options.stock, options.reference});
  if (!job)
    return reportError(job.error());
  if (options.create)
    return createSource(options, job->spec);
  job->arch = options.arch.value_or(job->arch);
  job->deterministic |= options.deterministic;
  WorkerProcess worker = makeJudge(options.judge);
  int code = checkOnce(*job, worker, options);
  while (options.watch && code != NoDevice) {
    auto before = changed(options.source);
    std::printf("\nwaiting for %s to change; end with Ctrl-C\n",
                options.source.c_str());
    std::fflush(stdout);
    while (changed(options.source) == before)
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::printf("\n");
    code = checkOnce(*job, worker, options);
  }
  return code;
}

} // namespace kclaw
