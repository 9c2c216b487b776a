//===- WorkerPlan.cpp - Which workers a run starts ------------------------===//
#include "WorkerPlan.h"
#include "DeviceOrdinal.h"
#include "Launcher.h"
#include "kernelclaw/Cuda/DriverChoice.h"

#include <algorithm>
#include <cstdio>

namespace kclaw {

/// Each worker a simulated or real device of its own: "cuda:1".
static std::vector<std::string> numbered(const std::string &kind, int count) {
  std::vector<std::string> devices;
  for (int i = 0; i < count; ++i)
    devices.push_back(count == 1 ? kind : kind + ":" + std::to_string(i));
  return devices;
}

/// Numbers of the devices that are of the first one's model: their times and
/// their winners speak of one kind of machine.
static std::vector<int> sameModel(const std::vector<std::string> &names) {
  std::vector<int> ordinals;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == names[0])
      ordinals.push_back(static_cast<int>(i));
  if (ordinals.size() < names.size())
    std::fprintf(stderr,
                 "warning: %zu of %zu GPUs are no %s and are left out; "
                 "CUDA_VISIBLE_DEVICES chooses others\n",
                 names.size() - ordinals.size(), names.size(),
                 names[0].c_str());
  return ordinals;
}

static Expected<std::vector<std::string>>
realDevices(const std::vector<std::string> &names, int workers) {
  // Nothing to be seen: one worker, whose answer says why.
  if (names.empty())
    return numbered("cuda", 1);
  if (workers > static_cast<int>(names.size()))
    return makeError(Error::Code::Invalid,
                     std::to_string(workers) + " workers are asked for, but " +
                         std::to_string(names.size()) +
                         " GPUs can be seen; each worker needs its own (check "
                         "CUDA_VISIBLE_DEVICES)");
  std::vector<std::string> devices;
  if (names.size() == 1)
    return numbered("cuda", 1);
  for (int ordinal : sameModel(names))
    if (workers == 0 || static_cast<int>(devices.size()) < workers)
      devices.push_back("cuda:" + std::to_string(ordinal));
  return devices;
}

static Expected<WorkerPlan> planLaunched(const WorkerOptions &options) {
  Expected<std::vector<std::string>> words = parseLauncher(options.launcher);
  if (!words)
    return std::unexpected(words.error());
  bool simulated = options.device == "sim";
  int count = std::max(options.workers, 1);
  WorkerPlan plan{{}, simulated};
  // Where the launcher puts a worker, the scheduler has chosen its GPU.
  for (const std::string &device :
       simulated ? numbered("sim", count)
                 : std::vector<std::string>(count, options.device)) {
    WorkerCommand command{words->front(), {}, /*isLauncher=*/true};
    command.args.assign(words->begin() + 1, words->end());
    for (const std::string &word :
         {options.workerPath, std::string("--child"), "--device=" + device})
      command.args.push_back(word);
    plan.commands.push_back(std::move(command));
  }
  return plan;
}

Expected<WorkerPlan> planWorkers(const WorkerOptions &options) {
  if (!options.launcher.empty())
    return planLaunched(options);
  Expected<DeviceChoice> asked = parseDevice(options.device);
  if (!asked)
    return std::unexpected(asked.error());
  WorkerPlan plan;
  Expected<std::vector<std::string>> devices =
      std::vector<std::string>{options.device};
  if (asked->kind == "none") {
    devices = std::vector<std::string>(std::max(options.workers, 1), "none");
  } else if (asked->ordinal) {
    plan.simulated = asked->kind == "sim";
  } else {
    Expected<DriverSurvey> survey = surveyDriver(options.device);
    if (!survey)
      return std::unexpected(survey.error());
    plan.simulated = survey->choice.simulated;
    devices = plan.simulated
                  ? numbered(options.device == "cuda" ? "cuda" : "sim",
                             std::max(options.workers, 1))
                  : realDevices(survey->devices, options.workers);
  }
  if (!devices)
    return std::unexpected(devices.error());
  for (const std::string &device : *devices)
    plan.commands.push_back(
        {options.workerPath, {"--child", "--device=" + device}});
  return plan;
}

std::vector<WorkerProcess> makeWorkers(const WorkerPlan &plan, bool verbose) {
  std::vector<WorkerProcess> workers;
  for (const WorkerCommand &command : plan.commands)
    workers.emplace_back(command, verbose,
                         plan.commands.size() == 1
                             ? "worker"
                             : "worker " + std::to_string(workers.size()));
  return workers;
}

} // namespace kclaw
