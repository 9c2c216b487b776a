//===- CuptiActivity.cpp - Kernel records ---------------------------------===//
//
// CUPTI asks for buffers and hands them back filled, on a thread of its own,
// through two functions that have no argument of ours: what they fill is the
// process's one trace.
//
//===----------------------------------------------------------------------===//
#include "CuptiApi.h"
#include "kernelclaw/Cuda/Cupti.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace kclaw {

// The record of the headers' version. The fields read here stand at the same
// place in the records of all libraries since CUDA 9.
#if CUPTI_API_VERSION >= 130000
using ActivityKernel = CUpti_ActivityKernel10;
#else
using ActivityKernel = CUpti_ActivityKernel9;
#endif

namespace {

constexpr size_t bufferBytes = 256 << 10;

struct Trace {
  std::mutex lock;
  std::vector<KernelRecord> records;
};

Trace &trace() {
  static Trace one;
  return one;
}

void CUPTIAPI giveBuffer(uint8_t **buffer, size_t *bytes, size_t *maxRecords) {
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(8, bufferBytes));
  *bytes = *buffer ? bufferBytes : 0;
  *maxRecords = 0; // as many as fit
}

KernelRecord read(const ActivityKernel &kernel) {
  return {kernel.name ? kernel.name : "",
          kernel.start,
          kernel.end,
          {kernel.gridX, kernel.gridY, kernel.gridZ},
          {kernel.blockX, kernel.blockY, kernel.blockZ},
          kernel.registersPerThread,
          kernel.staticSharedMemory,
          kernel.dynamicSharedMemory,
          kernel.localMemoryPerThread};
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t *buffer, size_t,
                         size_t validBytes) {
  const CuptiApi &api = *CuptiApi::get();
  std::lock_guard<std::mutex> guard(trace().lock);
  CUpti_Activity *record = nullptr;
  while (validBytes > 0 && api.cuptiActivityGetNextRecord(
                               buffer, validBytes, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      trace().records.push_back(
          read(*reinterpret_cast<const ActivityKernel *>(record)));
  std::free(buffer);
}

/// Kernel records are kept while it lives.
class Recording {
public:
  static Expected<Recording> start(const CuptiApi &api) {
    if (auto ok = api.check(
            api.cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer),
            "cuptiActivityRegisterCallbacks");
        !ok)
      return std::unexpected(ok.error());
    {
      std::lock_guard<std::mutex> guard(trace().lock);
      trace().records.clear();
    }
    if (auto ok = api.check(
            api.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
            "cuptiActivityEnable");
        !ok)
      return std::unexpected(ok.error());
    return Recording(api);
  }
  Recording(Recording &&other) noexcept
      : api(std::exchange(other.api, nullptr)) {}
  Recording &operator=(Recording &&) = delete;
  ~Recording() {
    if (api)
      (void)api->cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  }

  Expected<std::vector<KernelRecord>> finish() {
    if (auto ok = api->check(
            api->cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
            "cuptiActivityFlushAll");
        !ok)
      return std::unexpected(ok.error());
    std::lock_guard<std::mutex> guard(trace().lock);
    return std::exchange(trace().records, {});
  }

private:
  explicit Recording(const CuptiApi &api) : api(&api) {}
  const CuptiApi *api;
};

} // namespace

Expected<std::vector<KernelRecord>> traceKernels(const ObservedWork &work) {
  const Expected<CuptiApi> &api = CuptiApi::get();
  if (!api)
    return std::unexpected(api.error());
  Expected<Recording> recording = Recording::start(*api);
  if (!recording)
    return std::unexpected(recording.error());
  if (Expected<void> done = work(); !done)
    return std::unexpected(done.error());
  Expected<std::vector<KernelRecord>> records = recording->finish();
  if (records)
    std::ranges::sort(*records, {}, &KernelRecord::startNanoseconds);
  return records;
}

} // namespace kclaw
