//===- DeviceSession.cpp - The worker's device and its own kernels --------===//
#include "DeviceSession.h"
#include "CompileProtocol.h"
#include "Distributions.h"
#include "JudgeImage.h"
#include "JudgeStructs.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Device/Compiler.h"
#include "kernelclaw/Device/Worker.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <thread>
#include <unistd.h>

namespace kclaw {

namespace {
/// Driver results that destroy the context, with the rule they mean.
struct StickyError {
  CUresult result;
  const char *rule;
};
constexpr StickyError stickyErrors[] = {
    {CUDA_ERROR_ILLEGAL_ADDRESS, "illegal-address"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned-address"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "illegal-instruction"},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, "invalid-address-space"},
    {CUDA_ERROR_INVALID_PC, "invalid-pc"},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, "stack-overflow"},
    {CUDA_ERROR_ASSERT, "device-assert"},
    {CUDA_ERROR_LAUNCH_FAILED, "launch-failed"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "launch-timeout"},
    {CUDA_ERROR_CONTEXT_IS_DESTROYED, "context-destroyed"},
};

/// The device went away or is broken: no candidate can do that, or, where the
/// driver only says "unknown", none is to be blamed for it at once.
constexpr CUresult deviceLosses[] = {CUDA_ERROR_DEVICE_UNAVAILABLE,
                                     CUDA_ERROR_ECC_UNCORRECTABLE,
                                     CUDA_ERROR_NVLINK_UNCORRECTABLE,
                                     CUDA_ERROR_NO_DEVICE,
                                     CUDA_ERROR_INVALID_DEVICE,
                                     CUDA_ERROR_DEVICE_NOT_LICENSED,
                                     CUDA_ERROR_SYSTEM_NOT_READY,
                                     CUDA_ERROR_DEINITIALIZED,
                                     CUDA_ERROR_UNKNOWN};

bool isLoss(CUresult result) {
  return std::ranges::find(deviceLosses, result) != std::end(deviceLosses);
}
} // namespace

/// "endless-loop" of a report "endless loop: kernel k, ...".
static std::string ruleOf(const std::string &report) {
  std::string rule = report.substr(0, report.find(':'));
  std::ranges::replace(rule, ' ', '-');
  return rule;
}

static RunFailure classifySimulated(const std::string &report,
                                    const std::string &who) {
  RunFailure failure{Outcome::Fault, ruleOf(report), who + ": " + report,
                     /*contextLost=*/true};
  if (failure.rule != "endless-loop")
    return failure;
  failure.outcome = Outcome::Timeout;
  failure.rule = "instruction-budget";
  failure.message += "; a job on the simulator has " +
                     std::to_string(jobInstructions) +
                     " warp instructions: use smaller sizes, a plan that is "
                     "resizable, or a GPU";
  return failure;
}

RunFailure classify(const DriverApi &api, CUresult result,
                    const std::string &who) {
  if (isLoss(result))
    return {Outcome::Fault, deviceLostRule,
            "the device was lost: " + who + ": " + api.errorText(result),
            /*contextLost=*/true};
  auto sticky = std::ranges::find(stickyErrors, result, &StickyError::result);
  bool isSticky = sticky != std::end(stickyErrors);
  if (isSticky && api.isSimulated())
    return classifySimulated(api.faultReport(), who);
  std::string message = who + ": " + api.errorText(result);
  if (isSticky)
    return {Outcome::Fault, sticky->rule, message, /*contextLost=*/true};
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return {Outcome::Rejected, "memory", message, false};
  // Anything else on a stream is not expected: do not trust the context.
  return {Outcome::LaunchError, "driver", message, /*contextLost=*/true};
}

Run<double> DeviceSession::lock(double seconds,
                                const std::function<void()> &sayWaiting) {
  Expected<double> waited = deviceLock.hold(seconds, sayWaiting);
  if (waited)
    return *waited;
  if (waited.error().code == Error::Code::Budget)
    return failRun(Outcome::Rejected, deviceBusyRule,
                   "not judged: device " + describe(identity()) +
                       " is in use: " + waited.error().message);
  // No reason not to judge, but the times may be spoiled.
  std::fprintf(stderr, "warning: %s\n", waited.error().message.c_str());
  return 0.0;
}

Run<void> DeviceSession::checkPresent() const {
  size_t free = 0;
  size_t total = 0;
  CUresult result = api.cuMemGetInfo(&free, &total);
  if (result == CUDA_SUCCESS || !isLoss(result))
    return {};
  return check(result, "looking after it");
}

DeviceIdentity DeviceSession::identity() const {
  char host[256] = {};
  (void)gethostname(host, sizeof host - 1);
  int version = facts().driverVersion;
  return {facts().name, facts().uuid, facts().pciBusId, host,
          std::to_string(version / 1000) + "." +
              std::to_string(version % 1000 / 10)};
}

Run<void> DeviceSession::check(CUresult result, const std::string &what) const {
  if (result == CUDA_SUCCESS)
    return {};
  return std::unexpected(classify(api, result, what));
}

Expected<std::unique_ptr<DeviceSession>>
DeviceSession::open(const std::string &workerPath) {
  const Expected<DriverApi> &api = DriverApi::get();
  if (!api)
    return std::unexpected(api.error());
  Expected<PrimaryContext> context = PrimaryContext::retain(*api);
  if (!context)
    return std::unexpected(context.error());
  std::unique_ptr<DeviceSession> session(
      new DeviceSession(*api, std::move(*context)));
  if (!session->isSimulated())
    session->deviceLock = DeviceLock(session->facts().uuid);
  if (auto ok = session->prepare(workerPath); !ok)
    return std::unexpected(ok.error().context("preparing the device"));
  return session;
}

/// Moves an Expected's value into `target`.
template <typename T>
static Expected<void> assign(T &target, Expected<T> value) {
  if (!value)
    return std::unexpected(value.error());
  target = std::move(*value);
  return {};
}

/// What expected results of earlier candidates may take of the device; that of
/// the simulator is the host's memory.
static uint64_t cacheCapacity(uint64_t freeBytes, bool simulated) {
  uint64_t most = uint64_t{1} << (simulated ? 30 : 34);
  return std::min(freeBytes / 4, most);
}

uint64_t DeviceSession::secretSeed(uint64_t jobSeed) const {
  return mixSeed(jobSeed, secret, 0);
}

Expected<void> DeviceSession::prepare(const std::string &workerPath) {
  std::random_device entropy;
  secret = uint64_t{entropy()} << 32 | entropy();
  notHidden = VirtualMemory::whyUnsupported(api, device());
  if (notHidden.empty())
    cache.setCapacity(cacheCapacity(freeBytes(), isSimulated()));
  flushBytes = std::max<uint64_t>(2 * facts().l2Bytes, uint64_t{64} << 20);
  KCLAW_TRY(assign(ownStream, createStream(api)));
  KCLAW_TRY(assign(startEvent, createEvent(api)));
  KCLAW_TRY(assign(endEvent, createEvent(api)));
  KCLAW_TRY(assign(waitEvent, createEvent(api)));
  KCLAW_TRY(
      assign(scratch, allocate(api, 256 + compareBlocks * sizeof(KclPartial))));
  setChecks(false);
  if (isSimulated())
    launchLimit = api.simulator.setBudget(0);
  KCLAW_TRY(loadKernels(workerPath));
  if (isSimulated())
    return {};
  KCLAW_TRY(assign(flushArea, allocate(api, flushBytes)));
  if (Run<void> filled = fill(flushArea.get(), flushBytes, 0x5a); !filled)
    return makeError(Error::Code::Unavailable, filled.error().message);
  return {};
}

static Expected<CUlibrary> loadImage(const DriverApi &api,
                                     const ModuleImage &image) {
  const void *code = api.isSimulated()
                         ? static_cast<const void *>(image.ptx.c_str())
                         : image.cubin.data();
  CUlibrary loaded = nullptr;
  KCLAW_TRY(api.check(api.cuLibraryLoadData(&loaded, code, nullptr, nullptr, 0,
                                            nullptr, nullptr, 0),
                      "loading the judge's own kernels"));
  return loaded;
}

/// What the driver does not take may be an old file: it is compiled anew, once.
static Expected<CUlibrary> loadJudge(const DriverApi &api,
                                     const std::string &arch,
                                     const std::string &workerPath) {
  for (bool fresh : {false, true}) {
    Expected<ModuleImage> image = judgeImage(arch, workerPath, fresh);
    if (!image)
      return std::unexpected(image.error());
    Expected<CUlibrary> loaded = loadImage(api, *image);
    if (loaded || fresh)
      return loaded;
  }
  return nullptr;
}

Expected<void> DeviceSession::loadKernels(const std::string &workerPath) {
  Expected<CUlibrary> found = loadJudge(api, facts().arch, workerPath);
  if (!found)
    return std::unexpected(found.error());
  CUlibrary loaded = *found;
  library = Library(api, loaded);
  const std::pair<const char *, CUkernel *> names[] = {
      {"kcl_generate", &judge.generate},
      {"kcl_check_bytes", &judge.checkBytes},
      {"kcl_count_different", &judge.countDifferent},
      {"kcl_count_poison", &judge.countPoison},
      {"kcl_touch", &judge.touch},
      {"kcl_row_scale", &judge.rowScale},
      {"kcl_row_spread", &judge.rowSpread},
      {"kcl_compare", &judge.compare},
      {"kcl_excuse", &judge.excuse}};
  for (auto [name, kernel] : names)
    KCLAW_TRY(api.check(api.cuLibraryGetKernel(kernel, loaded, name),
                        std::string("looking up ") + name));
  return {};
}

void DeviceSession::setChecks(bool on) {
  if (isSimulated())
    (void)api.simulator.setChecks(on);
}

Run<void> DeviceSession::forget(CUdeviceptr target, uint64_t bytes) {
  if (!isSimulated())
    return {};
  return check(api.simulator.forget(target, bytes), "forgetting what is there");
}

void DeviceSession::startBudget() {
  if (isSimulated())
    budgetStart = api.simulator.instructions();
}

/// A launch may take what the launches before it have left.
void DeviceSession::limitLaunch() {
  if (!isSimulated())
    return;
  uint64_t used = api.simulator.instructions() - budgetStart;
  uint64_t left = used < jobInstructions ? jobInstructions - used : 1;
  (void)api.simulator.setBudget(launchLimit ? std::min(left, launchLimit)
                                            : left);
}

Run<void> DeviceSession::launch(CUkernel kernel, uint64_t items, void **args,
                                uint64_t maxBlocks) {
  if (isSimulated())
    (void)api.simulator.setBudget(0); // what the judge does is bounded
  uint64_t blocks = std::clamp<uint64_t>((items + 255) / 256, 1, maxBlocks);
  CUlaunchConfig config = {};
  config.gridDimX = static_cast<unsigned>(blocks);
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 256;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream();
  return check(api.cuLaunchKernelEx(&config,
                                    reinterpret_cast<CUfunction>(kernel), args,
                                    nullptr),
               "launching one of the judge's kernels");
}

Run<void> DeviceSession::fill(CUdeviceptr target, uint64_t bytes,
                              uint8_t value) {
  if (bytes == 0)
    return {};
  return check(api.cuMemsetD8Async(target, value, bytes, stream()),
               "filling device memory");
}

Run<void> DeviceSession::copy(CUdeviceptr target, CUdeviceptr source,
                              uint64_t bytes) {
  if (bytes == 0)
    return {};
  return check(api.cuMemcpyDtoDAsync(target, source, bytes, stream()),
               "copying device memory");
}

Run<void> DeviceSession::wait(double seconds, const std::string &who) {
  KCLAW_TRY(check(api.cuEventRecord(waitEvent.get(), stream()), who));
  Clock::time_point start = Clock::now();
  for (;;) {
    CUresult result = api.cuEventQuery(waitEvent.get());
    if (result == CUDA_SUCCESS)
      return {};
    if (result != CUDA_ERROR_NOT_READY)
      return check(result, who);
    double passed = secondsSince(start);
    if (passed > seconds)
      return failRun(Outcome::Timeout, "time-limit",
                     who + " did not end within " + std::to_string(seconds) +
                         " seconds",
                     /*contextLost=*/true);
    if (passed > 0.002)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

Run<CUdeviceptr> DeviceSession::resetCounters() {
  KCLAW_TRY(fill(scratch.get(), 8, 0));
  KCLAW_TRY(fill(scratch.get() + 8, 8, 0xff));
  return scratch.get();
}

Run<std::pair<uint64_t, uint64_t>> DeviceSession::readCounters() {
  uint64_t words[2] = {};
  KCLAW_TRY(download(words, scratch.get(), sizeof words));
  return std::pair(words[0], words[1]);
}

Run<void> DeviceSession::download(void *target, CUdeviceptr source,
                                  uint64_t bytes) {
  KCLAW_TRY(wait(60, "one of the judge's kernels"));
  return check(api.cuMemcpyDtoH(target, source, bytes),
               "reading back from the device");
}

Run<void> DeviceSession::upload(CUdeviceptr target, const void *source,
                                uint64_t bytes) {
  if (bytes == 0)
    return {};
  return check(api.cuMemcpyHtoD(target, source, bytes),
               "copying to the device");
}

Run<void> DeviceSession::flushL2() {
  if (isSimulated()) {
    api.simulator.flushCaches();
    return {};
  }
  if (api.cuCtxResetPersistingL2Cache)
    (void)api.cuCtxResetPersistingL2Cache();
  return read(flushArea.get(), flushBytes);
}

Run<void> DeviceSession::read(CUdeviceptr source, uint64_t bytes) {
  uint64_t count = bytes / 16;
  if (count == 0)
    return {};
  CUdeviceptr sink = scratch.get() + 64;
  void *args[] = {&source, &count, &sink};
  return launch(judge.touch, count, args);
}

Run<void> DeviceSession::holdStream() {
  if (isSimulated())
    return {};
  CUdeviceptr area = flushArea.get();
  uint64_t count = (uint64_t{2} << 20) / 16;
  CUdeviceptr sink = scratch.get() + 64;
  void *args[] = {&area, &count, &sink};
  return launch(judge.touch, count, args, /*maxBlocks=*/1);
}

uint64_t DeviceSession::freeBytes() const {
  size_t free = 0;
  size_t total = 0;
  return api.cuMemGetInfo(&free, &total) == CUDA_SUCCESS ? free : 0;
}

Run<void> DeviceSession::mark(bool start) {
  return check(
      api.cuEventRecord((start ? startEvent : endEvent).get(), stream()),
      "recording an event");
}

Run<double> DeviceSession::elapsedMicroseconds() {
  float milliseconds = 0;
  KCLAW_TRY(check(
      api.cuEventElapsedTime(&milliseconds, startEvent.get(), endEvent.get()),
      "reading events"));
  return milliseconds * 1e3;
}

} // namespace kclaw
