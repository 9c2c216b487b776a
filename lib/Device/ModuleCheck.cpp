//===- ModuleCheck.cpp - A lowered module against its record --------------===//
#include "kernelclaw/Device/ModuleCheck.h"

#include "Correctness.h"
#include "EntryProgram.h"
#include "Evaluators.h"
#include "PtxLink.h"
#include "kernelclaw/Device/Compiler.h"

namespace kclaw {
namespace {

/// One entry on an open device.
class EntryCheck {
public:
  EntryCheck(const EntryRecord &record, const FindEntry &find,
             DeviceSession &session, const std::string &workerPath)
      : job(record.job), find(find), session(session), workerPath(workerPath) {
    report.entry = record.entry;
  }

  /// True: the context is lost.
  bool go() {
    Run<void> done = run();
    report.status = VerifyStatus::Passed;
    if (done)
      return false;
    const RunFailure &failure = done.error();
    // Rejected says nothing about the module: it was not judged.
    report.status = failure.outcome == Outcome::Rejected
                        ? VerifyStatus::Unverified
                        : VerifyStatus::Failed;
    report.rule = failure.rule;
    report.message =
        failure.message + (report.message.empty() ? "" : "; " + report.message);
    return failure.contextLost;
  }

  EntryReport report;

private:
  Run<void> run();
  Run<void> judge(Workload &load, const ModuleEntry &entry);
  Run<std::vector<ModuleImage>> images(const Plan &plan,
                                       const std::string &who);

  const Job &job;
  const FindEntry &find;
  DeviceSession &session;
  const std::string &workerPath;
};

} // namespace

Run<std::vector<ModuleImage>> EntryCheck::images(const Plan &plan,
                                                 const std::string &who) {
  CompileOptions options{session.facts().arch, job.timeoutSeconds, workerPath};
  Expected<CompiledPlan> compiled = compilePlan(plan, job.spec, options);
  if (!compiled)
    return failRun(Outcome::Rejected, "compiler",
                   "not judged: " + compiled.error().message);
  std::vector<ResourceReport> unused;
  Run<void> done;
  if (compiled->outcome != Outcome::Ok)
    done = failRun(compiled->outcome, compiled->rule,
                   compiled->message + "\n" + compiled->log);
  for (ModuleImage &image : compiled->images)
    if (done)
      done = assemble(session.api, image, unused);
  if (!done)
    return failRun(Outcome::Rejected, who + "-compile",
                   "not judged: the " + who + "'s " + done.error().message,
                   done.error().contextLost);
  return std::move(compiled->images);
}

Run<void> EntryCheck::judge(Workload &load, const ModuleEntry &entry) {
  auto program = EntryProgram::create(entry, *load.problem, session.stream());
  if (!program)
    return std::unexpected(program.error());
  const EntryProgram &module = **program;
  KCLAW_TRY(load.add("module", std::move(*program)));
  for (auto [who, plan] : {std::pair{"stock", &job.stock},
                           std::pair{"reference", &job.reference}}) {
    auto ready = images(*plan, who);
    if (!ready)
      return std::unexpected(ready.error());
    KCLAW_TRY(load.add(who, *plan, *ready, plan == &job.reference));
  }
  CorrectnessCheck check(load, /*deterministic=*/false, Scope::Module);
  Run<void> right = check.run();
  report.errors = check.resultErrors();
  report.message = check.notes();
  report.regionsWon = module.regionsWon();
  report.regionsStock = module.regionsStock();
  return right;
}

/// The module may rely on more alignment than the record's spec asks for.
static void raiseAlignment(std::vector<ProblemTensor> &tensors,
                           const kcl_value_info *values, int32_t count) {
  for (size_t i = 0; i < tensors.size() && i < size_t(count); ++i)
    tensors[i].alignmentBytes = std::max(
        tensors[i].alignmentBytes, static_cast<int64_t>(values[i].alignment));
}

Run<void> EntryCheck::run() {
  Clock::time_point start = Clock::now();
  Expected<ModuleEntry> entry = find(report.entry);
  if (!entry)
    return failRun(Outcome::LaunchError, "entry", entry.error().message);
  Expected<Problem> problem = instantiate(job.spec);
  if (!problem)
    return failRun(Outcome::Rejected, "spec", problem.error().message);
  raiseAlignment(problem->arguments, entry->info->args, entry->info->num_args);
  raiseAlignment(problem->results, entry->info->results,
                 entry->info->num_results);
  auto remaining = [&] {
    return std::max(0.0, job.timeoutSeconds - secondsSince(start));
  };
  return withWorkload(job, session, *problem, remaining,
                      [&](Workload &load) { return judge(load, *entry); });
}

Expected<VerifyReport> checkModule(const ModuleRecord &record,
                                   const FindEntry &find) {
  Expected<std::string> worker = findTool(workerTool, "");
  if (!worker)
    return std::unexpected(worker.error());
  auto session = DeviceSession::open(*worker);
  if (!session)
    return makeError(Error::Code::Unavailable, session.error().message);
  VerifyReport report;
  report.device = (*session)->facts().name;
  for (const EntryRecord &entry : record.entries) {
    if (!entry.unverified.empty() || report.contextLost) {
      EntryReport skipped;
      skipped.entry = entry.entry;
      skipped.message =
          report.contextLost ? "the device was lost before" : entry.unverified;
      report.entries.push_back(skipped);
      continue;
    }
    EntryCheck check(entry, find, **session, *worker);
    report.contextLost = check.go();
    report.entries.push_back(std::move(check.report));
  }
  if (report.contextLost)
    (void)session->release();
  return report;
}

} // namespace kclaw
