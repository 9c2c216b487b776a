//===- DeviceBuffers.cpp - Memory where an entry runs ---------------------===//
//
// CUDA goes through the driver's table; nothing of CUDA is linked.
//
//===----------------------------------------------------------------------===//
#include "DeviceBuffers.h"

#include "kernelclaw/Cuda/Resources.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace kclaw {
namespace {

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

class HostBuffers : public DeviceBuffers {
public:
  Expected<void *> place(const void *source, uint64_t bytes) override {
    // What rounding up could wrap is more than any machine has.
    void *memory =
        bytes > INT64_MAX
            ? nullptr
            : std::aligned_alloc(
                  256, std::max<uint64_t>((bytes + 255) / 256, 1) * 256);
    if (!memory)
      return makeError(Error::Code::Budget, "no host memory for " +
                                                std::to_string(bytes) +
                                                " bytes");
    owned.emplace_back(memory);
    if (source)
      std::memcpy(memory, source, bytes);
    return memory;
  }
  Expected<void> fetch(void *target, const void *source,
                       uint64_t bytes) override {
    std::memcpy(target, source, bytes);
    return {};
  }
  void *stream() override { return nullptr; }
  Expected<std::function<Expected<void>()>>
  capture(const std::function<Expected<void>()> &) override {
    return makeError(Error::Code::Invalid,
                     "a CUDA graph needs an entry that runs on cuda; leave "
                     "--graph out");
  }
  Expected<double> time(const std::function<Expected<void>()> &call) override {
    auto start = std::chrono::steady_clock::now();
    Expected<void> done = call();
    std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    if (!done)
      return std::unexpected(done.error());
    return taken.count();
  }

private:
  std::vector<std::unique_ptr<void, Free>> owned;
};

class CudaBuffers : public DeviceBuffers {
public:
  CudaBuffers(const DriverApi &api, PrimaryContext context, Stream stream,
              Event begin, Event end)
      : api(api), context(std::move(context)), queue(std::move(stream)),
        begin(std::move(begin)), end(std::move(end)) {}

  Expected<void *> place(const void *source, uint64_t bytes) override {
    Expected<DeviceMemory> memory = allocate(api, bytes ? bytes : 1);
    if (!memory)
      return std::unexpected(memory.error());
    CUdeviceptr address = memory->get();
    owned.push_back(std::move(*memory));
    if (source && bytes)
      if (auto done = upload(address, source, bytes); !done)
        return std::unexpected(done.error());
    return reinterpret_cast<void *>(address);
  }
  Expected<void> fetch(void *target, const void *source,
                       uint64_t bytes) override {
    if (auto done = api.check(api.cuStreamSynchronize(queue.get()),
                              "waiting for the module");
        !done)
      return done;
    if (bytes == 0)
      return {};
    return api.check(
        api.cuMemcpyDtoH(target, reinterpret_cast<CUdeviceptr>(source), bytes),
        "copying a result from the device");
  }
  void *stream() override { return queue.get(); }
  Expected<std::function<Expected<void>()>>
  capture(const std::function<Expected<void>()> &call) override;
  Expected<double> time(const std::function<Expected<void>()> &call) override {
    float milliseconds = 0;
    Expected<void> done =
        api.check(api.cuEventRecord(begin.get(), queue.get()), "timing");
    if (done)
      done = call();
    if (done)
      done = api.check(api.cuEventRecord(end.get(), queue.get()), "timing");
    if (done)
      done = api.check(api.cuEventSynchronize(end.get()),
                       "waiting for the module");
    if (done)
      done = api.check(
          api.cuEventElapsedTime(&milliseconds, begin.get(), end.get()),
          "timing");
    if (!done)
      return std::unexpected(done.error());
    return milliseconds;
  }

private:
  /// A copy from pageable memory may return before it has arrived, and the
  /// stream does not wait for the default one; this does.
  Expected<void> upload(CUdeviceptr target, const void *source,
                        uint64_t bytes) {
    const std::string what = "copying an argument to the device";
    if (auto copied = api.check(api.cuMemcpyHtoD(target, source, bytes), what);
        !copied)
      return copied;
    return api.check(api.cuStreamSynchronize(nullptr), what);
  }

  const DriverApi &api;
  PrimaryContext context;
  Stream queue;
  Event begin, end;
  std::vector<DeviceMemory> owned;
  std::vector<GraphExec> graphs;
};

Expected<std::function<Expected<void>()>>
CudaBuffers::capture(const std::function<Expected<void>()> &call) {
  const std::string what = "capturing the call as a CUDA graph";
  if (auto begun =
          api.check(api.cuStreamBeginCapture(
                        queue.get(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                    what);
      !begun)
    return std::unexpected(begun.error());
  // The capture ends in any case, or the stream stays unusable.
  Expected<void> done = call();
  CUgraph captured = nullptr;
  Expected<void> ended =
      api.check(api.cuStreamEndCapture(queue.get(), &captured), what);
  Graph graph(api, captured);
  if (!done || !ended)
    return std::unexpected(!done ? done.error().context(what) : ended.error());
  CUgraphExec made = nullptr;
  if (auto ready = api.check(api.cuGraphInstantiate(&made, captured, 0),
                             "instantiating the CUDA graph");
      !ready)
    return std::unexpected(ready.error());
  graphs.emplace_back(api, made);
  return [this, made] {
    return api.check(api.cuGraphLaunch(made, queue.get()),
                     "launching the CUDA graph");
  };
}

} // namespace

std::unique_ptr<DeviceBuffers> makeHostBuffers() {
  return std::make_unique<HostBuffers>();
}

Expected<std::unique_ptr<DeviceBuffers>> makeCudaBuffers() {
  const Expected<DriverApi> &api = DriverApi::get();
  if (!api)
    return std::unexpected(api.error());
  Expected<PrimaryContext> context = PrimaryContext::retain(*api);
  if (!context)
    return std::unexpected(context.error());
  Expected<Stream> stream = createStream(*api);
  Expected<Event> begin = createEvent(*api);
  Expected<Event> end = createEvent(*api);
  if (!stream || !begin || !end)
    return std::unexpected(!stream  ? stream.error()
                           : !begin ? begin.error()
                                    : end.error());
  return std::make_unique<CudaBuffers>(*api, std::move(*context),
                                       std::move(*stream), std::move(*begin),
                                       std::move(*end));
}

bool hasCudaDevice() {
  const Expected<DriverApi> &api = DriverApi::get();
  int count = 0;
  return api && !api->isSimulated() &&
         api->cuDeviceGetCount(&count) == CUDA_SUCCESS && count > 0;
}

bool isDeviceSimulated() {
  const Expected<DriverApi> &api = DriverApi::get();
  return api && api->isSimulated();
}

} // namespace kclaw
