//===- WorkerProcess.cpp - A worker's child and its restarts --------------===//
#include "WorkerProcess.h"
#include "kernelclaw/Device/Worker.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace kclaw {

/// What a candidate can drive a process into. Any other end (killed from
/// outside, a launcher or a node that failed) is not the candidate's doing.
constexpr int crashSignals[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,
                                SIGILL,  SIGTRAP, SIGSYS};

Expected<void> WorkerProcess::start() {
  Expected<ChildProcess> spawned = ChildProcess::spawn(
      command.executable, command.args, nullptr, command.isLauncher);
  if (!spawned)
    return makeError(Error::Code::Unavailable, spawned.error().message);
  child.emplace(std::move(*spawned));
  ++starts;
  Expected<std::string> ready = child->readLine(after(limits.startSeconds));
  if (ready && ready->starts_with("# ready")) {
    if (verbose)
      std::fprintf(stderr, "%s: %s\n", name.c_str(), ready->c_str() + 2);
    return {};
  }
  std::string how = child->end(/*killFirst=*/true);
  child.reset();
  return makeError(Error::Code::Unavailable,
                   "the worker '" + commandLine() + "' does not start: " +
                       (ready ? "it said '" + ready->substr(0, 200) + "'"
                              : ready.error().message + ", " + how));
}

std::string WorkerProcess::commandLine() const {
  std::string line = command.executable;
  for (const std::string &arg : command.args)
    line += " " + arg;
  return line;
}

void WorkerProcess::drop() {
  if (child)
    (void)child->end(/*killFirst=*/true);
  child.reset();
}

/// Time in which the child waits for its device is not the job's.
Expected<std::string> WorkerProcess::readAnswer(Clock::time_point deadline,
                                                double deviceWaitSeconds) {
  Clock::time_point waiting;
  for (;;) {
    bool waits = phase.starts_with(deviceWaitPhase);
    Expected<std::string> line = child->readLine(
        waits ? deadline + (after(deviceWaitSeconds) - Clock::now())
              : deadline);
    if (!line || !line->starts_with("#"))
      return line;
    if (waits)
      deadline += Clock::now() - waiting;
    phase = line->substr(std::min(line->find_first_not_of("# "), line->size()));
    if (verbose)
      std::fprintf(stderr, "%s: %s\n", name.c_str(), phase.c_str());
    waiting = Clock::now();
  }
}

static std::string verdict(const std::string &jobId, Outcome outcome,
                           const std::string &rule,
                           const std::string &message) {
  Evaluation evaluation;
  evaluation.jobId = jobId;
  evaluation.outcome = outcome;
  evaluation.rule = rule;
  evaluation.message = message;
  return toJson(evaluation);
}

std::unexpected<Error> WorkerProcess::lostWorker(const std::string &how) {
  return makeError(Error::Code::Io,
                   name + " ended while " + phase + ": " + how);
}

Expected<std::string> WorkerProcess::judgeLine(const std::string &jobLine,
                                               const std::string &jobId,
                                               double timeoutSeconds) {
  if (!child)
    if (auto ok = start(); !ok)
      return std::unexpected(ok.error());
  phase = "reading the job";
  Clock::time_point deadline = after(timeoutSeconds + limits.graceSeconds);
  if (Expected<void> sent = child->write(jobLine + "\n", deadline); !sent) {
    // It ended after its last answer: this job is not to blame.
    drop();
    if (auto ok = start(); !ok)
      return std::unexpected(ok.error());
    (void)child->write(jobLine + "\n", deadline);
  }
  Expected<std::string> answer = readAnswer(deadline, timeoutSeconds);
  if (answer) {
    if (phase == contextLostPhase)
      drop();
    return *answer;
  }
  bool ended = answer.error().code == Error::Code::Io;
  ProcessEnd end = child->finish(/*killFirst=*/!ended);
  child.reset();
  if (answer.error().code == Error::Code::Budget)
    return verdict(jobId, Outcome::Timeout, "job-time-limit",
                   "the job took longer than " +
                       std::to_string(timeoutSeconds) + " seconds, while " +
                       phase);
  if (!ended)
    return lostWorker(answer.error().message);
  if (std::ranges::find(crashSignals, end.signal) == std::end(crashSignals))
    return lostWorker(end.text);
  return verdict(jobId, Outcome::Fault, "worker-crash",
                 "the worker ended while " + phase + ": " + end.text);
}

} // namespace kclaw
