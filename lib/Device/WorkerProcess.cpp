//===- WorkerProcess.cpp - A worker's child and its restarts --------------===//
#include "WorkerProcess.h"
#include "kernelclaw/Device/Worker.h"

#include <cstdio>

namespace kclaw {

/// Opening a device and compiling the judge's kernels.
constexpr double startSeconds = 120;
/// The child ends hung jobs itself, with a better message; this is for when it
/// cannot.
constexpr double graceSeconds = 15;

Expected<void> WorkerProcess::start() {
  Expected<ChildProcess> spawned =
      ChildProcess::spawn(executable, args, nullptr);
  if (!spawned)
    return std::unexpected(spawned.error());
  child.emplace(std::move(*spawned));
  ++starts;
  Expected<std::string> ready = child->readLine(after(startSeconds));
  if (ready && ready->starts_with("# ready")) {
    if (verbose)
      std::fprintf(stderr, "worker: %s\n", ready->c_str() + 2);
    return {};
  }
  std::string how = child->end(/*killFirst=*/true);
  child.reset();
  return makeError(Error::Code::Unavailable,
                   "the worker '" + commandLine() + "' does not start: " +
                       (ready ? "it said '" + *ready + "'"
                              : ready.error().message + ", " + how));
}

std::string WorkerProcess::commandLine() const {
  std::string line = executable;
  for (const std::string &arg : args)
    line += " " + arg;
  return line;
}

Expected<std::string> WorkerProcess::readAnswer(Clock::time_point deadline) {
  for (;;) {
    Expected<std::string> line = child->readLine(deadline);
    if (!line || !line->starts_with("#"))
      return line;
    phase = line->substr(line->find_first_not_of("# "));
    if (verbose)
      std::fprintf(stderr, "worker: %s\n", phase.c_str());
  }
}

std::string WorkerProcess::lost(const std::string &jobId, Outcome outcome,
                                const std::string &rule,
                                const std::string &message) {
  Evaluation evaluation;
  evaluation.jobId = jobId;
  evaluation.outcome = outcome;
  evaluation.rule = rule;
  evaluation.message = message;
  return toJson(evaluation);
}

Expected<std::string> WorkerProcess::judgeLine(const std::string &jobLine,
                                               const std::string &jobId,
                                               double timeoutSeconds) {
  if (!child)
    if (auto ok = start(); !ok)
      return std::unexpected(ok.error());
  phase = "reading the job";
  Clock::time_point deadline = after(timeoutSeconds + graceSeconds);
  if (Expected<void> sent = child->write(jobLine + "\n", deadline); !sent) {
    // It ended after its last answer: this job is not to blame.
    child.reset();
    if (auto ok = start(); !ok)
      return std::unexpected(ok.error());
    (void)child->write(jobLine + "\n", deadline);
  }
  Expected<std::string> answer = readAnswer(deadline);
  if (answer) {
    if (phase == contextLostPhase) {
      child->end(/*killFirst=*/true);
      child.reset();
    }
    return *answer;
  }
  bool late = answer.error().code == Error::Code::Budget;
  std::string how = child->end(/*killFirst=*/late);
  child.reset();
  if (late)
    return lost(jobId, Outcome::Timeout, "job-time-limit",
                "the job took longer than " + std::to_string(timeoutSeconds) +
                    " seconds, while " + phase);
  return lost(jobId, Outcome::Fault, "worker-crash",
              "the worker ended while " + phase + ": " + how);
}

} // namespace kclaw
