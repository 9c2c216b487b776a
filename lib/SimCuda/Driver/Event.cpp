//===- Event.cpp - cuEvent*: simulated times ------------------------------===//
#include "Driver.h"

using namespace kclaw::sim::api;

static void record(CUevent event, CUstream handle, unsigned flags) {
  require(!(flags & ~unsigned(CU_EVENT_RECORD_EXTERNAL)));
  Event &e = driver().events.get(event);
  Stream &stream = streamOf(handle);
  if (!stream.capture || (flags & CU_EVENT_RECORD_EXTERNAL)) {
    if (!stream.capture)
      e.capture = nullptr;
    return enqueue(stream, {EventRecord{&e}});
  }
  e.capture = stream.capture;
  e.tail = stream.tail;
}

/// Events of a capture have no time.
static void requireTimed(const Event &event) {
  require(!(event.flags & CU_EVENT_DISABLE_TIMING), CUDA_ERROR_INVALID_HANDLE);
  require(event.recorded, CUDA_ERROR_INVALID_HANDLE);
}

static void elapsed(float *milliseconds, CUevent begin, CUevent end) {
  require(milliseconds);
  Event &b = driver().events.get(begin), &e = driver().events.get(end);
  requireTimed(b);
  requireTimed(e);
  *milliseconds = float(double(int64_t(e.nanoseconds - b.nanoseconds)) / 1e6);
}

KCL_API cuEventCreate(CUevent *out, unsigned flags) {
  return call(Needs::Context, [&] {
    constexpr unsigned known = CU_EVENT_BLOCKING_SYNC |
                               CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    require(out && !(flags & ~known));
    require(!(flags & CU_EVENT_INTERPROCESS) ||
            (flags & CU_EVENT_DISABLE_TIMING));
    auto event = std::make_unique<Event>();
    event->context = &currentContext();
    event->flags = flags;
    *out = driver().events.add(std::move(event));
  });
}
KCL_API cuEventDestroy_v2(CUevent event) {
  return call(Needs::Context,
              [&] { driver().events.erase(driver().events.get(event)); });
}
KCL_API cuEventRecord(CUevent event, CUstream stream) {
  return call(Needs::Context, [&] { record(event, stream, 0); });
}
KCL_API cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return call(Needs::Context, [&] { record(event, stream, flags); });
}
KCL_API cuEventQuery(CUevent event) {
  return call(Needs::Context, [&] {
    require(!driver().events.get(event).capture, CUDA_ERROR_CAPTURED_EVENT);
  });
}
KCL_API cuEventSynchronize(CUevent event) {
  return call(Needs::Context, [&] {
    require(!driver().events.get(event).capture, CUDA_ERROR_CAPTURED_EVENT);
  });
}
extern "C" CUresult cuEventElapsedTime(float *ms, CUevent begin, CUevent end) {
  return call(Needs::Context, [&] { elapsed(ms, begin, end); });
}
KCL_API cuEventElapsedTime_v2(float *ms, CUevent begin, CUevent end) {
  return call(Needs::Context, [&] { elapsed(ms, begin, end); });
}
