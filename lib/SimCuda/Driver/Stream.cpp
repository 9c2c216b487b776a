//===- Stream.cpp - cuStream*, host functions -----------------------------===//
#include "Driver.h"

#include <algorithm>
#include <utility>

namespace kclaw::sim::api {

Stream &streamOf(CUstream handle) {
  if (!handle || handle == CU_STREAM_LEGACY)
    return *currentContext().legacy;
  if (handle == CU_STREAM_PER_THREAD)
    return *currentContext().perThread;
  return driver().streams.get(handle, CUDA_ERROR_INVALID_HANDLE);
}

static void waitFor(std::shared_future<void> host) {
  if (!host.valid())
    return;
  heldLock().unlock();
  host.wait();
  heldLock().lock();
}

void waitForHost(Stream &stream) {
  Context &context = *stream.context;
  bool blocking = !(stream.flags & CU_STREAM_NON_BLOCKING);
  waitFor(std::exchange(stream.host, {}));
  // The legacy stream and blocking streams wait for each other.
  if (&stream == context.legacy)
    return waitForHosts(context);
  if (blocking)
    waitFor(context.legacy->host);
}

void waitForHosts(Context &context) {
  std::vector<std::shared_future<void>> pending;
  driver().streams.each([&](Stream &stream) {
    if (stream.context == &context && stream.host.valid())
      pending.push_back(stream.host);
  });
  for (auto &host : pending)
    waitFor(host);
}

static bool busy(const Stream &stream) {
  return stream.host.valid() && stream.host.wait_for(std::chrono::seconds(0)) !=
                                    std::future_status::ready;
}

void enqueue(Stream &stream, Work work) {
  if (!stream.capture) {
    waitForHost(stream);
    return run(work, stream);
  }
  require(!stream.capture->invalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  stream.tail = {
      &stream.capture->graph->add(std::move(work), std::move(stream.tail))};
}

void refuseCapture(Stream &stream) {
  if (!stream.capture)
    return;
  stream.capture->invalidated = true;
  fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

static void create(CUstream *out, unsigned flags, int priority) {
  require(out && !(flags & ~unsigned(CU_STREAM_NON_BLOCKING)));
  auto stream = std::make_unique<Stream>();
  stream->context = &currentContext();
  stream->id = driver().nextId++;
  stream->flags = flags;
  stream->priority = std::clamp(priority, -5, 0);
  *out = driver().streams.add(std::move(stream));
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuStreamCreate(CUstream *out, unsigned flags) {
  return call(Needs::Context, [&] { create(out, flags, 0); });
}
KCL_API cuStreamCreateWithPriority(CUstream *out, unsigned flags,
                                   int priority) {
  return call(Needs::Context, [&] { create(out, flags, priority); });
}
KCL_API cuStreamDestroy_v2(CUstream handle) {
  return call(Needs::Context, [&] {
    Stream &stream = driver().streams.get(handle);
    require(!stream.implicit, CUDA_ERROR_INVALID_HANDLE);
    std::shared_ptr<Capture> capture = stream.capture;
    if (capture)
      capture->invalidated = true;
    waitForHost(stream);
    driver().streams.erase(stream);
  });
}
KCL_API cuStreamGetPriority(CUstream stream, int *priority) {
  return call(Needs::Context, [&] {
    require(priority);
    *priority = streamOf(stream).priority;
  });
}
KCL_API cuStreamGetFlags(CUstream stream, unsigned *flags) {
  return call(Needs::Context, [&] {
    require(flags);
    *flags = streamOf(stream).flags;
  });
}
KCL_API cuStreamGetId(CUstream stream, unsigned long long *id) {
  return call(Needs::Context, [&] {
    require(id);
    *id = streamOf(stream).id;
  });
}
KCL_API cuStreamGetDevice(CUstream stream, CUdevice *device) {
  return call(Needs::Context, [&] {
    require(device);
    streamOf(stream);
    *device = 0;
  });
}
KCL_API cuStreamGetCtx(CUstream stream, CUcontext *context) {
  return call(Needs::Context, [&] {
    require(context);
    *context = Registry<CUcontext, Context>::handle(*streamOf(stream).context);
  });
}
#if CUDA_VERSION >= 12050
KCL_API cuStreamGetCtx_v2(CUstream stream, CUcontext *context,
                          CUgreenCtx *green) {
  return call(Needs::Context, [&] {
    require(context && green);
    *context = Registry<CUcontext, Context>::handle(*streamOf(stream).context);
    *green = nullptr;
  });
}
#endif
KCL_API cuStreamQuery(CUstream handle) {
  return call(Needs::Context, [&] {
    Stream &stream = streamOf(handle);
    refuseCapture(stream);
    require(!busy(stream), CUDA_ERROR_NOT_READY);
  });
}
KCL_API cuStreamSynchronize(CUstream handle) {
  return call(Needs::Context, [&] {
    Stream &stream = streamOf(handle);
    refuseCapture(stream);
    waitForHost(stream);
    require(currentContext().sticky == CUDA_SUCCESS, currentContext().sticky);
  });
}
KCL_API cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags) {
  return call(Needs::Context, [&] {
    require(!(flags & ~unsigned(CU_EVENT_WAIT_EXTERNAL)));
    Stream &stream = streamOf(handle);
    Event &e = driver().events.get(event);
    if (e.capture && !(flags & CU_EVENT_WAIT_EXTERNAL)) {
      require(!stream.capture || stream.capture == e.capture,
              CUDA_ERROR_STREAM_CAPTURE_MERGE);
      stream.capture = e.capture; // the stream joins
      for (GraphNode *node : e.tail)
        if (std::ranges::find(stream.tail, node) == stream.tail.end())
          stream.tail.push_back(node);
      return;
    }
    require(!stream.capture || (flags & CU_EVENT_WAIT_EXTERNAL),
            CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    enqueue(stream, {EventWait{&e}});
  });
}
KCL_API cuLaunchHostFunc(CUstream stream, CUhostFn function, void *argument) {
  return call(Needs::Context, [&] {
    require(function);
    enqueue(streamOf(stream), {HostCall{function, argument}});
  });
}
KCL_API cuStreamAddCallback(CUstream handle, CUstreamCallback callback,
                            void *argument, unsigned flags) {
  return call(Needs::Context, [&] {
    require(callback && flags == 0);
    Stream &stream = streamOf(handle);
    refuseCapture(stream);
    waitForHost(stream);
    stream.host = std::async(std::launch::async, [=] {
                    callback(handle, CUDA_SUCCESS, argument);
                  }).share();
  });
}
KCL_API cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t,
                               unsigned) {
  return call(Needs::Context, [&] {
    streamOf(stream);
    require(ownerOf(address));
  });
}
KCL_API cuStreamCopyAttributes(CUstream to, CUstream from) {
  return call(Needs::Context, [&] {
    streamOf(to).policy = streamOf(from).policy;
    streamOf(to).priority = streamOf(from).priority;
  });
}
KCL_API cuStreamGetAttribute(CUstream handle, CUstreamAttrID attribute,
                             CUstreamAttrValue *value) {
  return call(Needs::Context, [&] {
    require(value);
    Stream &stream = streamOf(handle);
    *value = {};
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY)
      value->priority = stream.priority;
    else if (attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)
      value->syncPolicy = stream.policy;
    else
      require(attribute == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
              attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP ||
              attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN);
  });
}
KCL_API cuStreamSetAttribute(CUstream handle, CUstreamAttrID attribute,
                             const CUstreamAttrValue *value) {
  return call(Needs::Context, [&] {
    require(value);
    Stream &stream = streamOf(handle);
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY)
      stream.priority = std::clamp(value->priority, -5, 0);
    else if (attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)
      stream.policy = value->syncPolicy;
    else // hints without a meaning here
      require(attribute == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
              attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP ||
              attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN);
  });
}
