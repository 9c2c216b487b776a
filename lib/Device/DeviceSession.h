//===- DeviceSession.h - Device and kernels of the judge --------*- C++ -*-===//
//
// Owns the context, one stream, the judge's kernels (NVRTC, compiled at start)
// and the buffer that flushes the L2. Everything is enqueued on the stream;
// only the functions that return numbers wait. One thread.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_DEVICESESSION_H
#define KERNELCLAW_LIB_DEVICE_DEVICESESSION_H

#include "ChildProcess.h"
#include "DeviceLock.h"
#include "PhaseClock.h"
#include "PlanImages.h"
#include "ResultCache.h"
#include "RunFailure.h"
#include "kernelclaw/Cuda/Resources.h"
#include "kernelclaw/Runtime/kernelclaw.h"

#include <map>
#include <memory>

namespace kclaw {

struct JudgeKernels {
  CUkernel generate = nullptr;
  CUkernel checkBytes = nullptr;
  CUkernel countDifferent = nullptr;
  CUkernel countPoison = nullptr;
  CUkernel touch = nullptr;
  CUkernel rowScale = nullptr;
  CUkernel rowSpread = nullptr;
  CUkernel compare = nullptr;
  CUkernel excuse = nullptr;
};

class DeviceSession {
public:
  static Expected<std::unique_ptr<DeviceSession>>
  open(const std::string &workerPath);

  const DriverApi &api;
  const DeviceFacts &facts() const { return context.facts(); }
  CUdevice device() const { return context.device(); }
  DeviceIdentity identity() const;
  bool isSimulated() const { return api.isSimulated(); }
  /// Why HiddenMemory cannot be hidden on this device; empty: it can.
  const std::string &whyNotHidden() const { return notHidden; }
  /// Seeds of a job: its own, mixed with a secret that this process drew, so
  /// that no plan can have been written for the data that judges it.
  uint64_t secretSeed(uint64_t jobSeed) const;
  /// No other worker judges on the device until unlock(); waits for that at
  /// most so long, and returns how long. Rejected, rule device-busy, at the
  /// limit. The simulator's devices are each process's own.
  Run<double> lock(double seconds, const std::function<void()> &sayWaiting);
  /// A Fault of rule device-lost when the device is not there any more.
  Run<void> checkPresent() const;
  void unlock() { deviceLock.release(); }
  /// What a device of this kind can prove at most.
  Evidence evidence() const {
    return isSimulated() ? Evidence::Simulated : Evidence::Measured;
  }
  /// Nothing with a real device. On the simulator launches are looked into by
  /// its checks, or not; at first they are not.
  void setChecks(bool on);
  /// Nothing with a real device. The simulator's checks take the bytes as never
  /// written.
  Run<void> forget(CUdeviceptr target, uint64_t bytes);
  /// The simulator's instruction budget of a job begins anew.
  void startBudget();
  /// ... and each launch gets what is left of it.
  void limitLaunch();
  CUstream stream() const { return ownStream.get(); }
  const JudgeKernels &kernels() const { return judge; }

  /// Launches one of the judge's kernels: 256 threads a block, enough blocks
  /// for `items`, at most `maxBlocks`.
  Run<void> launch(CUkernel kernel, uint64_t items, void **args,
                   uint64_t maxBlocks = 2048);
  Run<void> fill(CUdeviceptr target, uint64_t bytes, uint8_t value);
  Run<void> copy(CUdeviceptr target, CUdeviceptr source, uint64_t bytes);
  /// Reads whole packets of 16 bytes and keeps nothing.
  Run<void> read(CUdeviceptr source, uint64_t bytes);

  /// Waits for the stream at most `seconds`. A sticky error is a Fault, the
  /// limit a Timeout; both lose the context. `who` begins the message.
  Run<void> wait(double seconds, const std::string &who);
  /// Counters of the judge's kernels, zeroed (the second to all ones).
  Run<CUdeviceptr> resetCounters();
  Run<std::pair<uint64_t, uint64_t>> readCounters();
  /// Space for one partial a block.
  CUdeviceptr partials() const { return scratch.get() + 256; }
  Run<void> download(void *target, CUdeviceptr source, uint64_t bytes);
  Run<void> upload(CUdeviceptr target, const void *source, uint64_t bytes);
  /// Of stock and reference.
  ResultCache cache;
  /// Arguments that matter to no result, by Workload::regionKey.
  std::map<std::string, std::vector<int>> withoutEffect;
  /// Spreads of results (Conditioning.h), by region and draw.
  std::map<std::string, std::vector<std::vector<double>>> spreads;
  ImageCache images;
  /// Where the present job's time goes.
  PhaseClock phases;

  /// Evicts the L2 (reads twice its size) after dropping persisting lines.
  /// The simulator empties its model of the L2.
  Run<void> flushL2();
  /// Keeps the device busy for about a tenth of a millisecond, on a few lines
  /// of the L2, so that what is enqueued next is there when it may start.
  Run<void> holdStream();
  uint64_t freeBytes() const;
  /// Time between the two marks, after both are reached.
  Run<void> mark(bool start);
  Run<double> elapsedMicroseconds();

private:
  explicit DeviceSession(const DriverApi &api, PrimaryContext context)
      : api(api), context(std::move(context)) {}
  Expected<void> prepare(const std::string &workerPath);
  Expected<void> loadKernels(const std::string &workerPath);
  Run<void> check(CUresult result, const std::string &what) const;

  PrimaryContext context;
  DeviceLock deviceLock;
  Stream ownStream;
  std::string notHidden;
  uint64_t secret = 0;
  Event startEvent, endEvent, waitEvent;
  Library library;
  JudgeKernels judge;
  DeviceMemory scratch;
  DeviceMemory flushArea;
  uint64_t flushBytes = 0;
  uint64_t budgetStart = 0; ///< simulator: instructions before the job
  uint64_t launchLimit = 0; ///< simulator: KERNELCLAW_SIM_BUDGET; 0: none
};

constexpr uint64_t compareBlocks = 1024;

/// Warp instructions that all launches of a job may take on the simulator.
constexpr uint64_t jobInstructions = uint64_t{2} << 30;

/// Outcome and rule of a driver error that appears while `who` runs. On the
/// simulator the message ends with its report (kind, kernel, line, thread,
/// address), and the rule is the report's kind.
RunFailure classify(const DriverApi &api, CUresult result,
                    const std::string &who);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_DEVICESESSION_H
