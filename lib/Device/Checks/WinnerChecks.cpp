//===- WinnerChecks.cpp - Tools that look at a winner ---------------------===//
#include "WinnerChecks.h"
#include "ChildProcess.h"
#include "Files.h"
#include "SanitizerLog.h"
#include "kernelclaw/Cuda/NvrtcApi.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace kclaw {
namespace {

/// Of each tool: a run under compute-sanitizer takes seconds to start.
constexpr double toolSeconds = 60;
/// What stays of the job's time for its answer.
constexpr double reserveSeconds = 2;

constexpr const char *sanitizerTools[] = {"memcheck", "racecheck", "initcheck",
                                          "synccheck"};

using CheckOutcome = ToolCheck::Outcome;

ToolCheck notRun(const std::string &tool, const std::string &why) {
  return {tool, CheckOutcome::NotRun, 0, why};
}

/// An empty file that is removed again.
class ScratchFile {
public:
  ScratchFile() {
    std::string pattern = "/tmp/kernelclaw-check-XXXXXX";
    int file = mkstemp(pattern.data());
    if (file >= 0) {
      close(file);
      name = pattern;
    }
  }
  ~ScratchFile() {
    if (!name.empty())
      unlink(name.c_str());
  }
  const std::string &path() const { return name; }

private:
  std::string name;
};

struct Answer {
  std::optional<Evaluation> evaluation; ///< of the run-once job
  std::string exitText;
  bool late = false;
};

/// The last line that is no remark.
std::optional<Evaluation> lastAnswer(const std::string &output) {
  std::optional<Evaluation> found;
  for (size_t start = 0; start < output.size();) {
    size_t end = std::min(output.find('\n', start), output.size());
    std::string line = output.substr(start, end - start);
    start = end + 1;
    if (line.empty() || line[0] != '{')
      continue;
    if (auto evaluation = parseEvaluation(line))
      found = std::move(*evaluation);
  }
  return found;
}

/// Runs a command that serves one job from standard input. A tool that starts
/// the worker takes it down with it (ChildProcess's launcher).
Expected<Answer> ask(const std::vector<std::string> &command, const Job &job,
                     double seconds, bool isTool) {
  auto child = ChildProcess::spawn(
      command[0], {command.begin() + 1, command.end()}, nullptr, isTool);
  if (!child)
    return std::unexpected(child.error());
  Clock::time_point deadline = after(seconds);
  // A child that cannot start ends without reading: its exit says why.
  (void)child->write(toJson(job) + "\n", deadline);
  child->closeInput();
  auto output = child->readAll(deadline);
  Answer answer;
  answer.late = !output && output.error().code == Error::Code::Budget;
  answer.exitText = child->end(/*killFirst=*/answer.late);
  if (output)
    answer.evaluation = lastAnswer(*output);
  return answer;
}

class WinnerChecks {
public:
  WinnerChecks(const Job &job, const std::vector<ModuleImage> &images,
               const CheckPlace &place)
      : job(job), place(place) {
    this->job.kind = Job::Kind::RunOnce;
    this->job.images = images;
    this->job.stockImages.clear();
    this->job.referenceImages.clear();
    this->job.profile = this->job.checks = this->job.explain = false;
  }

  ToolCheck simulator() {
    const std::string tool = "simulator";
    if (place.simulated)
      return {tool, CheckOutcome::Passed, 0,
              "the judgement itself ran under its checks"};
    return timed(tool, [this, &tool](double seconds) {
      auto answer = ask({place.workerPath, "--child", "--device=sim"},
                        within(seconds), seconds, /*isTool=*/false);
      if (!answer)
        return notRun(tool, answer.error().message);
      if (answer->late)
        return unfinished(tool, seconds);
      if (!answer->evaluation)
        return ToolCheck{tool, CheckOutcome::Unfinished, 0,
                         "no answer, " + answer->exitText};
      return readSimulatorAnswer(*answer->evaluation);
    });
  }

  ToolCheck sanitizer(const std::string &program, const std::string &tool) {
    return timed(tool, [&](double seconds) {
      ScratchFile log;
      auto answer =
          ask({program, "--tool", tool, "--log-file", log.path(),
               "--error-exitcode", std::to_string(sanitizerFindingExit),
               "--target-processes", "application-only", "--report-api-errors",
               "no", place.workerPath, "--child", "--device=cuda"},
              within(seconds), seconds, /*isTool=*/true);
      if (!answer)
        return notRun(tool, answer.error().message);
      if (answer->late)
        return unfinished(tool, seconds);
      auto text = readFile(log.path());
      ToolCheck check =
          readSanitizerLog(tool, text ? *text : "", answer->exitText);
      bool ran =
          answer->evaluation && answer->evaluation->outcome == Outcome::Ok;
      if (check.outcome == CheckOutcome::Passed && !ran) {
        check.outcome = CheckOutcome::Unfinished;
        check.message = "the kernel did not run: " +
                        (answer->evaluation ? answer->evaluation->message
                                            : answer->exitText);
      }
      return check;
    });
  }

private:
  static ToolCheck unfinished(const std::string &tool, double seconds) {
    return {tool, CheckOutcome::Unfinished, 0,
            "did not end within " + std::to_string(int(seconds)) + " seconds"};
  }

  Job within(double seconds) const {
    Job limited = job;
    limited.timeoutSeconds = seconds;
    return limited;
  }

  template <typename Check>
  ToolCheck timed(const std::string &tool, const Check &check) {
    double seconds = std::min(toolSeconds, place.remaining() - reserveSeconds);
    if (seconds < 1)
      return notRun(tool, "the job's time is used up");
    place.progress("checking with " + tool);
    Clock::time_point start = Clock::now();
    ToolCheck row = check(seconds);
    row.seconds = secondsSince(start);
    return row;
  }

  Job job;
  const CheckPlace &place;
};

} // namespace

ToolCheck readSimulatorAnswer(const Evaluation &answer) {
  ToolCheck check{"simulator", CheckOutcome::NotRun, 0, answer.message};
  switch (answer.outcome) {
  case Outcome::Ok:
    check.outcome = CheckOutcome::Passed;
    break;
  case Outcome::Fault:
    check.outcome = CheckOutcome::Finding;
    break;
  case Outcome::Timeout:
    check.outcome = CheckOutcome::Unfinished;
    break;
  default: // cannot be simulated: sizes, instructions, machine code only
    break;
  }
  return check;
}

Expected<std::string> findComputeSanitizer() {
  if (const char *named = std::getenv("KERNELCLAW_COMPUTE_SANITIZER");
      named && *named)
    return std::string(named);
  std::vector<std::string> folders = pathFolders();
  for (const std::string &root : cudaRoots())
    for (const char *inner : {"/bin", "/compute-sanitizer"})
      folders.push_back(root + inner);
  for (const std::string &folder : folders)
    if (std::string program = folder + "/compute-sanitizer";
        access(program.c_str(), X_OK) == 0)
      return program;
  return makeError(Error::Code::Unavailable,
                   "not installed: not on PATH, in no toolkit, and "
                   "KERNELCLAW_COMPUTE_SANITIZER names none");
}

Run<void> checkWinner(const Job &job, const std::vector<ModuleImage> &images,
                      const CheckPlace &place, std::vector<ToolCheck> &checks) {
  WinnerChecks winner(job, images, place);
  auto keep = [&checks](ToolCheck row) -> Run<void> {
    checks.push_back(std::move(row));
    const ToolCheck &kept = checks.back();
    if (kept.outcome != CheckOutcome::Finding)
      return {};
    return failRun(Outcome::Fault, kept.tool,
                   kept.tool + " reports: " + kept.message);
  };
  KCLAW_TRY(keep(winner.simulator()));
  if (place.simulated)
    return keep(notRun("compute-sanitizer", "the device is simulated"));
  auto program = findComputeSanitizer();
  if (!program)
    return keep(notRun("compute-sanitizer", program.error().message));
  for (const char *tool : sanitizerTools)
    KCLAW_TRY(keep(winner.sanitizer(*program, tool)));
  return {};
}

} // namespace kclaw
