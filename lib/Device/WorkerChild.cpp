//===- WorkerChild.cpp - The process that holds the context ---------------===//
#include "Judge.h"
#include "kernelclaw/Cuda/DriverChoice.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Device/Worker.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace kclaw {

using Json = nlohmann::ordered_json;

static void say(const std::string &line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
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

static Expected<std::unique_ptr<DeviceSession>>
openDevice(const std::string &device, const std::string &workerPath) {
  if (Expected<DriverChoice> chosen = decideDriver(device); !chosen)
    return std::unexpected(chosen.error());
  return DeviceSession::open(workerPath);
}

int runWorkerChild(const std::string &device, const std::string &workerPath) {
  std::unique_ptr<DeviceSession> session;
  std::string reason = "the worker was started with --device=none";
  if (device != "none") {
    auto opened = openDevice(device, workerPath);
    if (opened)
      session = std::move(*opened);
    else
      reason = opened.error().message;
  }
  say("# ready" + (session ? " on " + session->facts().name : ""));
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    Expected<Job> job = parseJob(line);
    if (!job) {
      say(malformedJobResult(line, job.error().message));
      continue;
    }
    if (!session && job->kind == Job::Kind::Evaluate) {
      say(noDeviceResult(*job, reason));
      continue;
    }
    Judgement result = judge(*job, session.get(), workerPath,
                             [](const std::string &what) { say("# " + what); });
    if (result.contextLost)
      say(std::string("# ") + contextLostPhase);
    say(toJson(result.evaluation));
    if (result.contextLost) {
      std::fflush(stdout);
      // The driver's exit handlers may wait for a kernel that never ends.
      _exit(contextLostExit);
    }
  }
  return 0;
}

static Expected<PrimaryContext> openContext(const std::string &device) {
  if (Expected<DriverChoice> chosen = decideDriver(device); !chosen)
    return std::unexpected(chosen.error());
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
