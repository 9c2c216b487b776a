//===- Capture.cpp - Stream capture ---------------------------------------===//
#include "Driver.h"

#include <algorithm>

namespace kclaw::sim::api {

static CUgraph handleOf(const Graph *graph) {
  return Registry<CUgraph, Graph>::handle(*graph);
}

static void begin(CUstream handle, CUstreamCaptureMode mode) {
  Stream &stream = streamOf(handle);
  require(unsigned(mode) <= CU_STREAM_CAPTURE_MODE_RELAXED);
  require(&stream != stream.context->legacy,
          CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  require(!stream.capture, CUDA_ERROR_ILLEGAL_STATE);
  auto graph = std::make_unique<Graph>();
  graph->id = driver().nextId++;
  auto capture = std::make_shared<Capture>();
  capture->id = driver().nextId++;
  capture->graph = graph.get();
  capture->origin = &stream;
  driver().graphs.add(std::move(graph));
  stream.capture = capture;
  stream.tail.clear();
}

static void end(CUstream handle, CUgraph *out) {
  Stream &stream = streamOf(handle);
  require(out && stream.capture != nullptr);
  std::shared_ptr<Capture> capture = stream.capture;
  require(capture->origin == &stream, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  *out = nullptr;
  // Other streams that joined must have been joined back: every node is an
  // ancestor of the origin's tail.
  bool unjoined = false;
  std::vector<GraphNode *> reached = stream.tail;
  for (size_t i = 0; i < reached.size(); ++i)
    for (GraphNode *dependency : reached[i]->dependencies)
      if (std::ranges::find(reached, dependency) == reached.end())
        reached.push_back(dependency);
  driver().streams.each([&](Stream &other) {
    if (other.capture != capture)
      return;
    for (GraphNode *node : other.tail)
      unjoined |= std::ranges::find(reached, node) == reached.end();
    other.capture = nullptr;
    other.tail.clear();
  });
  bool bad = capture->invalidated || unjoined;
  if (bad && capture->ownsGraph)
    driver().graphs.erase(*capture->graph);
  require(!capture->invalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  require(!unjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  *out = handleOf(capture->graph);
}

static CUstreamCaptureStatus status(const Stream &stream) {
  return !stream.capture               ? CU_STREAM_CAPTURE_STATUS_NONE
         : stream.capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                       : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

/// Parameters may be null but the status.
static void info(CUstream handle, CUstreamCaptureStatus *statusOut,
                 cuuint64_t *id, CUgraph *graph,
                 const CUgraphNode **dependencies,
                 const CUgraphEdgeData **edges, size_t *count) {
  Stream &stream = streamOf(handle);
  require(statusOut);
  *statusOut = status(stream);
  if (!stream.capture)
    return;
  if (id)
    *id = stream.capture->id;
  if (graph)
    *graph = handleOf(stream.capture->graph);
  if (dependencies) // GraphNode * is its own handle
    *dependencies = reinterpret_cast<const CUgraphNode *>(stream.tail.data());
  if (edges)
    *edges = nullptr;
  if (count)
    *count = stream.tail.size();
}

static void update(CUstream handle, CUgraphNode *dependencies, size_t count,
                   unsigned flags) {
  Stream &stream = streamOf(handle);
  require(stream.capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
  require(dependencies || !count);
  if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
    stream.tail.clear();
  for (size_t i = 0; i < count; ++i)
    stream.tail.push_back(&nodeOf(dependencies[i]));
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return call(Needs::Context, [&] { begin(stream, mode); });
}
KCL_API cuStreamBeginCaptureToGraph(CUstream handle, CUgraph graph,
                                    const CUgraphNode *dependencies,
                                    const CUgraphEdgeData *, size_t count,
                                    CUstreamCaptureMode mode) {
  return call(Needs::Context, [&] {
    Graph &target = graphOf(graph);
    begin(handle, mode);
    Stream &stream = streamOf(handle);
    driver().graphs.erase(*stream.capture->graph);
    stream.capture->graph = &target;
    stream.capture->ownsGraph = false;
    for (size_t i = 0; i < count; ++i)
      stream.tail.push_back(&nodeOf(dependencies[i]));
  });
}
KCL_API cuStreamEndCapture(CUstream stream, CUgraph *out) {
  return call(Needs::Context, [&] { end(stream, out); });
}
KCL_API cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *out) {
  return call(Needs::Context, [&] {
    require(out);
    *out = status(streamOf(stream));
  });
}
KCL_API cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *out,
                                  cuuint64_t *id, CUgraph *graph,
                                  const CUgraphNode **dependencies,
                                  size_t *count) {
  return call(Needs::Context, [&] {
    info(stream, out, id, graph, dependencies, nullptr, count);
  });
}
KCL_API cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *out,
                                  cuuint64_t *id, CUgraph *graph,
                                  const CUgraphNode **dependencies,
                                  const CUgraphEdgeData **edges,
                                  size_t *count) {
  return call(Needs::Context, [&] {
    info(stream, out, id, graph, dependencies, edges, count);
  });
}
KCL_API cuStreamUpdateCaptureDependencies(CUstream stream,
                                          CUgraphNode *dependencies,
                                          size_t count, unsigned flags) {
  return call(Needs::Context,
              [&] { update(stream, dependencies, count, flags); });
}
KCL_API cuStreamUpdateCaptureDependencies_v2(CUstream stream,
                                             CUgraphNode *dependencies,
                                             const CUgraphEdgeData *,
                                             size_t count, unsigned flags) {
  return call(Needs::Context,
              [&] { update(stream, dependencies, count, flags); });
}
KCL_API cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return call(Needs::Init, [&] {
    static thread_local CUstreamCaptureMode current =
        CU_STREAM_CAPTURE_MODE_GLOBAL;
    require(mode && unsigned(*mode) <= CU_STREAM_CAPTURE_MODE_RELAXED);
    std::swap(current, *mode);
  });
}
