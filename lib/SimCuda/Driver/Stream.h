//===- Stream.h - Streams and events ----------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_STREAM_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_STREAM_H

#include "Registry.h"

#include <future>
#include <vector>

namespace kclaw::sim::api {

struct Context;
struct Graph;
struct GraphNode;
struct Work;

/// A capture in progress; all streams that joined it share it.
struct Capture {
  uint64_t id = 0;
  Graph *graph = nullptr;
  struct Stream *origin = nullptr;
  bool ownsGraph = true;
  bool invalidated = false;
};

struct Stream {
  Context *context = nullptr;
  uint64_t id = 0;
  unsigned flags = 0;
  int priority = 0;
  bool implicit = false; ///< one of the two default streams
  CUsynchronizationPolicy policy = CU_SYNC_POLICY_AUTO;
  /// A host function that still runs.
  std::shared_future<void> host;
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode *> tail; ///< what the next captured node depends on
};

struct Event {
  Context *context = nullptr;
  unsigned flags = 0;
  bool recorded = false;
  uint64_t nanoseconds = 0; ///< of the device's clock
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode *> tail;
};

/// Handles null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD included.
Stream &streamOf(CUstream handle);
/// Waits for the stream's host function, with the driver's lock released.
void waitForHost(Stream &stream);
void waitForHosts(Context &context);
/// Runs the work now, or adds it to the graph that the stream captures into.
void enqueue(Stream &stream, Work work);
/// What may not be captured (synchronous calls on a capturing stream).
void refuseCapture(Stream &stream);

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_STREAM_H
