//===- Selftest.cpp - The judge judged ------------------------------------===//
#include "kernelclaw/Device/Selftest.h"
#include "Files.h"
#include "SelftestFolder.h"
#include "SelftestJob.h"
#include "WorkerProcess.h"
#include "kernelclaw/Cuda/DriverApi.h"
#include "kernelclaw/Cuda/DriverChoice.h"
#include "kernelclaw/Device/Worker.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace kclaw {

using Json = nlohmann::ordered_json;

/// What a plan that ends may take there; endless ones meet it soon.
constexpr const char *simulatedBudget = "4M";
constexpr double compileSeconds = 60;
/// Faster than this much times stock, a trick has gained something.
constexpr double gainsNothing = 1.15;

namespace {
struct Row {
  const SelftestPlan *plan = nullptr;
  Prediction predicted;
  Evaluation found;
  std::string verdict; ///< "as predicted", ...
  bool right = false;
  bool skipped = false;
};

class Selftest {
public:
  Selftest(const SelftestOptions &options, SelftestDevice device,
           std::span<const SelftestFile> files)
      : device(std::move(device)), files(files),
        worker(WorkerCommand{options.workerPath,
                             {"--child", "--device=" + options.device}},
               options.verbose) {}

  Expected<Row> judge(const SelftestPlan &plan);

private:
  /// The answer to a compile job, made once.
  Expected<std::string> compiled(const std::string &job);

  SelftestDevice device;
  std::span<const SelftestFile> files;
  WorkerProcess worker;
  std::map<std::string, std::string> answers;
};
} // namespace

Expected<std::string> Selftest::compiled(const std::string &job) {
  auto found = answers.find(job);
  if (found != answers.end())
    return found->second;
  Expected<std::string> answer =
      worker.judgeLine(job, "compile", compileSeconds);
  if (!answer)
    return answer;
  Expected<Evaluation> evaluation = parseEvaluation(*answer);
  if (!evaluation)
    return std::unexpected(evaluation.error());
  if (evaluation->outcome != Outcome::Ok)
    return makeError(Error::Code::Internal,
                     "stock or reference: " + evaluation->message + "\n" +
                         evaluation->log);
  answers[job] = *answer;
  return answer;
}

/// `rules` has one, or several with | between: which of them comes first is
/// chance.
static bool isOneOf(const std::string &rule, const std::string &rules) {
  return ("|" + rules + "|").find("|" + rule + "|") != std::string::npos;
}

/// An outcome and a rule, in words that say what went wrong.
static std::string verdictOf(const Prediction &predicted,
                             const Evaluation &found, bool cheat) {
  bool ok = found.outcome == Outcome::Ok;
  if (predicted.outcome == "harmless")
    return ok && found.speedup < gainsNothing ? "as predicted"
           : ok                               ? "GAINS"
                                              : "OTHER RULE";
  if (!cheat)
    return ok ? "as predicted" : "REFUSED";
  if (ok)
    return "NOT CAUGHT";
  bool same = predicted.outcome == name(found.outcome) &&
              (predicted.rule.empty() || isOneOf(found.rule, predicted.rule));
  return same ? "as predicted" : "OTHER RULE";
}

/// No plan is predicted to take the worker with it.
static Evaluation workerCrash(const std::string &lastWords) {
  Evaluation evaluation;
  evaluation.outcome = Outcome::Fault;
  evaluation.rule = "worker-crash";
  evaluation.message = lastWords;
  return evaluation;
}

Expected<Row> Selftest::judge(const SelftestPlan &plan) {
  Row row;
  row.plan = &plan;
  row.predicted = plan.predicted(device.simulated);
  if (const std::string &why = plan.skipped(device.simulated); !why.empty()) {
    row.skipped = true;
    row.verdict =
        (device.simulated ? "needs a GPU: " : "simulator only: ") + why;
    return row;
  }
  Expected<SelftestJob> job = makeSelftestJob(plan, files, device);
  if (!job)
    return std::unexpected(job.error());
  Expected<std::string> stock = compiled(job->stock);
  if (!stock)
    return std::unexpected(stock.error().context(plan.name));
  Expected<std::string> reference = compiled(job->reference);
  if (!reference)
    return std::unexpected(reference.error().context(plan.name));
  Expected<std::string> answer = worker.judgeLine(
      withImages(*job, *stock, *reference), job->id, job->timeoutSeconds);
  if (!answer && answer.error().code != Error::Code::Io)
    return std::unexpected(answer.error());
  Expected<Evaluation> found =
      answer ? parseEvaluation(*answer) : workerCrash(answer.error().message);
  if (!found)
    return std::unexpected(found.error().context(plan.name));
  row.found = std::move(*found);
  row.verdict = verdictOf(row.predicted, row.found, plan.cheat);
  row.right = row.verdict == "as predicted";
  return row;
}

static std::string foundText(const Evaluation &found) {
  return name(found.outcome) + (found.rule.empty() ? "" : " " + found.rule);
}

static void print(const Row &row) {
  const char *kind = row.plan->cheat ? "cheat" : "honest";
  std::string found = row.skipped ? "-" : foundText(row.found);
  std::string speedup = "-";
  if (row.found.speedup > 0) {
    char text[16];
    std::snprintf(text, sizeof text, "%.2fx", row.found.speedup);
    speedup = text;
  }
  std::printf("%-6s %-34s %-30s %-30s %7s  %s\n", kind, row.plan->name.c_str(),
              row.predicted.text().c_str(), found.c_str(), speedup.c_str(),
              row.verdict.c_str());
  if (!row.right && !row.skipped)
    std::printf("       %s\n%s", row.found.message.c_str(),
                row.found.log.c_str());
  std::fflush(stdout);
}

static Json toJson(const Row &row) {
  Json json{{"plan", row.plan->name},
            {"kind", row.plan->cheat ? "cheat" : "honest"},
            {"about", row.plan->header.about},
            {"problem", row.plan->header.first("problem")},
            {"predicted", row.predicted.text()},
            {"verdict", row.verdict}};
  if (row.skipped)
    return json;
  json.update({{"outcome", name(row.found.outcome)},
               {"rule", row.found.rule},
               {"message", row.found.message},
               {"speedup", row.found.speedup},
               {"microseconds", row.found.time.medianMicroseconds},
               {"stockMicroseconds", row.found.stockTime.medianMicroseconds},
               {"deviceSeconds", row.found.deviceSeconds}});
  return json;
}

static int printJobs(const std::vector<SelftestPlan> &plans,
                     std::span<const SelftestFile> files, bool simulated) {
  for (const SelftestPlan &plan : plans) {
    Expected<SelftestJob> job =
        makeSelftestJob(plan, files, {simulated, "sm_90a"});
    if (!job) {
      std::fprintf(stderr, "kernelclaw-worker: %s\n",
                   job.error().message.c_str());
      return 1;
    }
    std::printf("%s\n", job->job.c_str());
  }
  return 0;
}

/// What the jobs run on, by the way of --probe.
static Expected<SelftestDevice> deviceOf(const std::string &choice) {
  ProbeReport report = probe(choice);
  if (!report.deviceError.empty())
    return makeError(Error::Code::Unavailable,
                     "no usable device: " + report.deviceError);
  Json json = Json::parse(report.json);
  std::string arch = json["device"]["arch"].get<std::string>();
  if (arch == "sm_90") // as jobs are: wgmma and setmaxnreg are sm_90a's alone
    arch = "sm_90a";
  return SelftestDevice{json["driver"]["simulated"].get<bool>(), arch};
}

/// Counts by kind of plan and what became of it.
static int summarise(const std::vector<Row> &rows) {
  size_t counts[2][3] = {};
  for (const Row &row : rows)
    ++counts[row.plan->cheat][row.skipped ? 2 : row.right ? 1 : 0];
  for (bool cheat : {true, false})
    std::printf("%s: %zu of %zu %s, %zu not run on this device\n",
                cheat ? "cheats" : "honest plans", counts[cheat][1],
                counts[cheat][0] + counts[cheat][1],
                cheat ? "caught by the rule meant for them" : "passed",
                counts[cheat][2]);
  return counts[0][0] + counts[1][0] == 0 ? 0 : 1;
}

static int fail(const std::string &why, int code = 1) {
  std::fprintf(stderr, "kernelclaw-worker: --selftest: %s\n", why.c_str());
  return code;
}

int runSelftest(const SelftestOptions &options) {
  SelftestFolder folder;
  std::span<const SelftestFile> files = selftestFiles();
  if (!options.plans.empty()) {
    auto read = readSelftestFolder(options.plans);
    if (!read)
      return fail(read.error().message, 2);
    folder = std::move(*read);
    files = folder.files;
  }
  auto plans = parseSelftestPlans(files);
  if (!plans)
    return fail(plans.error().message);
  if (!options.only.empty())
    std::erase_if(*plans, [&](const SelftestPlan &plan) {
      return plan.name != options.only;
    });
  if (plans->empty())
    return fail("no plan is called '" + options.only + "'", 2);
  if (options.jobsOnly)
    return printJobs(*plans, files, options.device == "sim");
  Expected<SelftestDevice> device = deviceOf(options.device);
  if (!device)
    return fail(device.error().message);
  if (device->simulated)
    setenv("KERNELCLAW_SIM_BUDGET", simulatedBudget, /*overwrite=*/0);
  Selftest selftest(options, *device, files);
  std::vector<Row> rows;
  for (const SelftestPlan &plan : *plans) {
    Expected<Row> row = selftest.judge(plan);
    if (!row)
      return fail(row.error().message);
    print(*row);
    rows.push_back(std::move(*row));
  }
  if (!options.json.empty()) {
    Json table = Json::array();
    for (const Row &row : rows)
      table.push_back(toJson(row));
    if (auto ok = writeFileAtomically(options.json, table.dump(1) + "\n"); !ok)
      return fail(ok.error().message);
  }
  return summarise(rows);
}

} // namespace kclaw
