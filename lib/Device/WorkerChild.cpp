//===- WorkerChild.cpp - The process that holds the context ---------------===//
#include "DeviceOrdinal.h"
#include "Judge.h"
#include "kernelclaw/Cuda/DriverChoice.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Device/Worker.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace kclaw {

using Json = nlohmann::ordered_json;

/// Where answers go. Standard output is printf's of the kernels that are
/// judged: what they write must not be read as an answer.
static std::FILE *answers = stdout;

/// Moves the answers off standard output, which becomes standard error.
static Expected<void> claimAnswers() {
  std::fflush(stdout);
  int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  std::FILE *stream = own < 0 ? nullptr : fdopen(own, "w");
  if (!stream || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return makeError(Error::Code::Io, "cannot keep kernels' output apart: " +
                                          std::string(std::strerror(errno)));
  answers = stream;
  return {};
}

static void say(const std::string &line) {
  std::fwrite(line.data(), 1, line.size(), answers);
  std::fputc('\n', answers);
  std::fflush(answers);
}

std::string malformedJobResult(const std::string &line,
                               const std::string &reason) {
  Evaluation evaluation;
  Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (json.is_object() && json.contains("id") && json["id"].is_string())
    evaluation.jobId = json["id"].get<std::string>();
  evaluation.outcome = Outcome::Rejected;
  evaluation.rule = "job";
  evaluation.message = reason;
  return toJson(evaluation);
}

static std::string noDeviceResult(const Job &job, const std::string &reason) {
  Evaluation evaluation;
  evaluation.jobId = job.id;
  evaluation.outcome = Outcome::Rejected;
  evaluation.rule = "unavailable";
  evaluation.message = "not judged: " + reason;
  return toJson(evaluation);
}

/// Settles driver and device for this process.
static Expected<void> decideDevice(const std::string &text) {
  Expected<DeviceChoice> device = parseDevice(text);
  if (!device)
    return std::unexpected(device.error());
  if (auto shown = showOnly(*device); !shown)
    return shown;
  if (Expected<DriverChoice> chosen = decideDriver(device->kind); !chosen)
    return std::unexpected(chosen.error());
  return {};
}

static Expected<std::unique_ptr<DeviceSession>>
openDevice(const std::string &device, const std::string &workerPath) {
  if (auto decided = decideDevice(device); !decided)
    return std::unexpected(decided.error());
  return DeviceSession::open(workerPath);
}

int runWorkerChild(const std::string &device, const std::string &workerPath) {
  if (auto apart = claimAnswers(); !apart) {
    std::fprintf(stderr, "error: %s\n", apart.error().message.c_str());
    return 1;
  }
  std::unique_ptr<DeviceSession> session;
  std::string reason = "the worker was started with --device=none";
  if (device != "none") {
    auto opened = openDevice(device, workerPath);
    if (opened)
      session = std::move(*opened);
    else
      reason = opened.error().message;
  }
  say("# ready" + (session ? " on " + describe(session->identity()) : ""));
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    Expected<Job> job = parseJob(line);
    if (!job) {
      say(malformedJobResult(line, job.error().message));
      continue;
    }
    bool needsDevice =
        job->kind == Job::Kind::Evaluate || job->kind == Job::Kind::RunOnce;
    if (!session && needsDevice) {
      say(noDeviceResult(*job, reason));
      continue;
    }
    Judgement result = judge(*job, session.get(), workerPath,
                             [](const std::string &what) { say("# " + what); });
    if (result.contextLost)
      say(std::string("# ") + contextLostPhase);
    say(toJson(result.evaluation));
    if (result.contextLost) {
      // The driver's exit handlers may wait for a kernel that never ends.
      _exit(contextLostExit);
    }
  }
  return 0;
}

static Expected<PrimaryContext> openContext(const std::string &device) {
  if (auto decided = decideDevice(device); !decided)
    return std::unexpected(decided.error());
  const Expected<DriverApi> &api = DriverApi::get();
  if (!api)
    return std::unexpected(api.error());
  return PrimaryContext::retain(*api);
}

ProbeReport probe(const std::string &device) {
  ProbeReport report;
  Json json;
  Expected<PrimaryContext> context =
      openContext(device == "none" ? "cuda" : device);
  if (!context) {
    report.deviceError = context.error().message;
    json["driver"] = {{"available", false}, {"reason", report.deviceError}};
  } else {
    const DeviceFacts &facts = context->facts();
    json["driver"] = {{"available", true},
                      {"version", facts.driverVersion},
                      {"simulated", DriverApi::get()->isSimulated()}};
    json["device"] = {{"name", facts.name},
                      {"arch", facts.arch},
                      {"pciBusId", facts.pciBusId},
                      {"uuid", facts.uuid},
                      {"multiprocessors", facts.multiprocessors},
                      {"memoryBytes", facts.memoryBytes},
                      {"l2Bytes", facts.l2Bytes},
                      {"sharedBytesPerBlock", facts.sharedBytesPerBlockOptin},
                      {"pinBytesPerSecond", facts.pinBytesPerSecond}};
  }
  const Expected<NvrtcApi> &nvrtc = NvrtcApi::get();
  if (nvrtc)
    json["nvrtc"] = {{"available", true},
                     {"version", nvrtc->version},
                     {"path", nvrtc->path}};
  else
    json["nvrtc"] = {{"available", false}, {"reason", nvrtc.error().message}};
  json["includeRoots"] = findIncludeRoots();
  report.json = json.dump(2);
  return report;
}

} // namespace kclaw
