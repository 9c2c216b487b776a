//===- Graph.h - Work, graphs and their nodes -------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_GRAPH_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_GRAPH_H

#include "../Exec/Block.h"
#include "../Library/Steps.h"
#include "Registry.h"

#include <functional>
#include <map>
#include <optional>
#include <variant>
#include <vector>

namespace kclaw::sim::api {

struct Kernel;
struct Event;
struct Graph;
struct Stream;

struct KernelLaunch {
  Kernel *kernel = nullptr;
  LaunchConfig config;
  std::vector<void *> pointers; ///< into config.parameters, for GetParams
};
struct HostCall {
  CUhostFn function = nullptr;
  void *argument = nullptr;
};
struct EventRecord {
  Event *event = nullptr;
};
struct EventWait {
  Event *event = nullptr;
};
struct ChildGraph {
  std::shared_ptr<Graph> graph;
};
struct Empty {};
/// A copy with all its parameters, in the device's or the host's memory.
using Copy = CUDA_MEMCPY3D;
using Set = CUDA_MEMSET_NODE_PARAMS;
/// Steps of kclSimMatmul and kclSimConvolution.
using Matmul = kcl_matmul_step;
using Convolution = kcl_convolution_step;

/// One operation of a stream or node of a graph.
struct Work {
  std::variant<Empty, KernelLaunch, Copy, Set, HostCall, EventRecord, EventWait,
               ChildGraph, Matmul, Convolution>
      what;
  CUgraphNodeType type() const;
};

/// Executes it; host functions on a thread of their own. Faults end the
/// context of the stream.
void run(Work &work, Stream &stream);

struct GraphNode {
  Graph *graph = nullptr;
  Work work;
  std::vector<GraphNode *> dependencies;
  bool enabled = true;
  const GraphNode *original = nullptr; ///< of a clone or an executable
};

/// What graphs keep alive for their owner: `destroy(value)` when nobody refers
/// to it any more.
struct UserObject {
  HostCall destroy;
  uint64_t references = 0;
};
void retain(UserObject &object, uint64_t count);
/// More than there are: INVALID_VALUE.
void release(UserObject &object, uint64_t count);

struct Graph {
  uint64_t id = 0;
  std::map<UserObject *, uint64_t> kept;         ///< references of this graph
  std::vector<std::unique_ptr<GraphNode>> nodes; ///< in order of creation
  ~Graph();
  GraphNode &add(Work work, std::vector<GraphNode *> dependencies);
  void remove(GraphNode &node);
  /// Dependencies before dependents; throws INVALID_VALUE on a cycle.
  std::vector<GraphNode *> inOrder() const;
  std::unique_ptr<Graph> clone() const;
  GraphNode *cloneOf(const GraphNode &original) const;
};

struct GraphExec {
  std::unique_ptr<Graph> graph; ///< a copy
  uint64_t flags = 0;
};

Graph &graphOf(CUgraph handle);
GraphNode &nodeOf(CUgraphNode handle);
inline CUgraphNode handleOf(const GraphNode &node) {
  return reinterpret_cast<CUgraphNode>(const_cast<GraphNode *>(&node));
}

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_GRAPH_H
