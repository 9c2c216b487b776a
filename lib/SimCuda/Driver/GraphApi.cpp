//===- GraphApi.cpp - cuGraph*: building, instantiating, launching --------===//
#include "Copy.h"
#include "Launch.h"

namespace kclaw::sim::api {

namespace {

GraphExec &execOf(CUgraphExec handle) {
  return driver().graphExecs.get(handle, CUDA_ERROR_INVALID_VALUE);
}
CUgraph graphHandle(const Graph &graph) {
  return Registry<CUgraph, Graph>::handle(graph);
}

void add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
         size_t count, Work work) {
  require(out && (dependencies || !count));
  std::vector<GraphNode *> before;
  for (size_t i = 0; i < count; ++i)
    before.push_back(&nodeOf(dependencies[i]));
  *out = api::handleOf(graphOf(graph).add(std::move(work), before));
}

template <class P> Work kernelWork(const P *p, Kernel &kernel) {
  KernelLaunch launch =
      makeLaunch(kernel, {p->gridDimX, p->gridDimY, p->gridDimZ},
                 {p->blockDimX, p->blockDimY, p->blockDimZ}, p->sharedMemBytes,
                 p->kernelParams, p->extra);
  checkLaunch(launch);
  return {std::move(launch)};
}
Work kernelWork(const CUDA_KERNEL_NODE_PARAMS_v2 *p) {
  require(p);
  const void *handle = p->func ? static_cast<const void *>(p->func)
                               : static_cast<const void *>(p->kern);
  return kernelWork(p, kernelOf(handle));
}
Work kernelWork(const CUDA_KERNEL_NODE_PARAMS_v1 *p) {
  require(p);
  return kernelWork(p, kernelOf(p->func));
}
Work copyWork(const CUDA_MEMCPY3D *p) {
  require(p);
  checkCopy(*p);
  return {*p};
}
Work setWork(const CUDA_MEMSET_NODE_PARAMS *p) {
  require(p);
  checkSet(*p);
  return {*p};
}
Work hostWork(const CUDA_HOST_NODE_PARAMS *p) {
  require(p && p->fn);
  return {HostCall{p->fn, p->userData}};
}

/// The work of a node that must be of one kind.
template <class T> T &workOf(GraphNode &node) {
  T *work = std::get_if<T>(&node.work.what);
  require(work);
  return *work;
}
/// The node of an executable that was made from `node`.
GraphNode &execNode(CUgraphExec exec, CUgraphNode node) {
  GraphNode *found = execOf(exec).graph->cloneOf(nodeOf(node));
  require(found);
  return *found;
}
void replace(GraphNode &node, Work work) {
  require(node.work.what.index() == work.what.index());
  node.work = std::move(work);
  if (auto *launch = std::get_if<KernelLaunch>(&node.work.what))
    rebindPointers(*launch);
}

template <class P> void kernelParameters(CUgraphNode handle, P *out) {
  require(out);
  KernelLaunch &launch = workOf<KernelLaunch>(nodeOf(handle));
  const LaunchConfig &c = launch.config;
  *out = {};
  out->func = reinterpret_cast<CUfunction>(launch.kernel);
  out->gridDimX = c.grid.x, out->gridDimY = c.grid.y, out->gridDimZ = c.grid.z;
  out->blockDimX = c.block.x, out->blockDimY = c.block.y,
  out->blockDimZ = c.block.z;
  out->sharedMemBytes = c.dynamicSharedBytes;
  rebindPointers(launch);
  out->kernelParams = launch.pointers.data();
}

void instantiate(CUgraphExec *out, CUgraph graph, unsigned long long flags) {
  require(out);
  auto exec = std::make_unique<GraphExec>();
  exec->graph = graphOf(graph).clone();
  exec->flags = flags;
  *out = driver().graphExecs.add(std::move(exec));
}

} // namespace

/// How many there are, or that many of them.
void listNodes(const std::vector<GraphNode *> &all, CUgraphNode *out,
               size_t *count) {
  require(count);
  if (out)
    for (size_t i = 0; i < *count; ++i)
      out[i] = i < all.size() ? api::handleOf(*all[i]) : nullptr;
  if (!out || *count > all.size())
    *count = all.size();
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuGraphCreate(CUgraph *out, unsigned flags) {
  return call(Needs::Init, [&] {
    require(out && flags == 0);
    auto graph = std::make_unique<Graph>();
    graph->id = driver().nextId++;
    *out = driver().graphs.add(std::move(graph));
  });
}
KCL_API cuGraphDestroy(CUgraph graph) {
  return call(Needs::Init, [&] { driver().graphs.erase(graphOf(graph)); });
}
KCL_API cuGraphClone(CUgraph *out, CUgraph graph) {
  return call(Needs::Init, [&] {
    require(out);
    *out = driver().graphs.add(graphOf(graph).clone());
  });
}
KCL_API cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode node,
                               CUgraph clone) {
  return call(Needs::Init, [&] {
    require(out);
    GraphNode *found = graphOf(clone).cloneOf(nodeOf(node));
    require(found);
    *out = kclaw::sim::api::handleOf(*found);
  });
}

#define KCL_ADD_NODE(NAME, PARAMETERS, WORK)                                   \
  KCL_API NAME(CUgraphNode *out, CUgraph graph,                                \
               const CUgraphNode *dependencies, size_t count, PARAMETERS p) {  \
    return call(Needs::Context,                                                \
                [&] { add(out, graph, dependencies, count, WORK); });          \
  }
KCL_ADD_NODE(cuGraphAddKernelNode, const CUDA_KERNEL_NODE_PARAMS_v1 *,
             kernelWork(p))
KCL_ADD_NODE(cuGraphAddKernelNode_v2, const CUDA_KERNEL_NODE_PARAMS_v2 *,
             kernelWork(p))
KCL_ADD_NODE(cuGraphAddHostNode, const CUDA_HOST_NODE_PARAMS *, hostWork(p))
KCL_ADD_NODE(cuGraphAddChildGraphNode, CUgraph,
             (Work{ChildGraph{graphOf(p).clone()}}))
KCL_ADD_NODE(cuGraphAddEventRecordNode, CUevent,
             (Work{EventRecord{&driver().events.get(p)}}))
KCL_ADD_NODE(cuGraphAddEventWaitNode, CUevent,
             (Work{EventWait{&driver().events.get(p)}}))

KCL_API cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph,
                            const CUgraphNode *dependencies, size_t count) {
  return call(Needs::Init,
              [&] { add(out, graph, dependencies, count, {Empty{}}); });
}
KCL_API cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph,
                             const CUgraphNode *dependencies, size_t count,
                             const CUDA_MEMCPY3D *p, CUcontext) {
  return call(Needs::Context,
              [&] { add(out, graph, dependencies, count, copyWork(p)); });
}
KCL_API cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph,
                             const CUgraphNode *dependencies, size_t count,
                             const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  return call(Needs::Context,
              [&] { add(out, graph, dependencies, count, setWork(p)); });
}
KCL_API cuGraphKernelNodeGetParams(CUgraphNode node,
                                   CUDA_KERNEL_NODE_PARAMS_v1 *out) {
  return call(Needs::Init, [&] { kernelParameters(node, out); });
}
KCL_API cuGraphKernelNodeGetParams_v2(CUgraphNode node,
                                      CUDA_KERNEL_NODE_PARAMS_v2 *out) {
  return call(Needs::Init, [&] { kernelParameters(node, out); });
}
KCL_API cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *out) {
  return call(Needs::Init, [&] {
    require(out);
    *out = workOf<Copy>(nodeOf(node));
  });
}
KCL_API cuGraphMemsetNodeGetParams(CUgraphNode node,
                                   CUDA_MEMSET_NODE_PARAMS *out) {
  return call(Needs::Init, [&] {
    require(out);
    *out = workOf<Set>(nodeOf(node));
  });
}
KCL_API cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *out) {
  return call(Needs::Init, [&] {
    require(out);
    HostCall &host = workOf<HostCall>(nodeOf(node));
    *out = {host.function, host.argument};
  });
}
KCL_API cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *out) {
  return call(Needs::Init, [&] {
    require(out);
    *out = graphHandle(*workOf<ChildGraph>(nodeOf(node)).graph);
  });
}

#define KCL_SET_PARAMS(NAME, PARAMETERS, WORK)                                 \
  KCL_API NAME(CUgraphNode node, PARAMETERS p) {                               \
    return call(Needs::Context, [&] { replace(nodeOf(node), WORK); });         \
  }
KCL_SET_PARAMS(cuGraphKernelNodeSetParams, const CUDA_KERNEL_NODE_PARAMS_v1 *,
               kernelWork(p))
KCL_SET_PARAMS(cuGraphKernelNodeSetParams_v2,
               const CUDA_KERNEL_NODE_PARAMS_v2 *, kernelWork(p))
KCL_SET_PARAMS(cuGraphMemcpyNodeSetParams, const CUDA_MEMCPY3D *, copyWork(p))
KCL_SET_PARAMS(cuGraphMemsetNodeSetParams, const CUDA_MEMSET_NODE_PARAMS *,
               setWork(p))
KCL_SET_PARAMS(cuGraphHostNodeSetParams, const CUDA_HOST_NODE_PARAMS *,
               hostWork(p))

#define KCL_EXEC_SET_PARAMS(NAME, PARAMETERS, WORK)                            \
  KCL_API NAME(CUgraphExec exec, CUgraphNode node, PARAMETERS p) {             \
    return call(Needs::Context, [&] { replace(execNode(exec, node), WORK); }); \
  }
KCL_EXEC_SET_PARAMS(cuGraphExecKernelNodeSetParams,
                    const CUDA_KERNEL_NODE_PARAMS_v1 *, kernelWork(p))
KCL_EXEC_SET_PARAMS(cuGraphExecKernelNodeSetParams_v2,
                    const CUDA_KERNEL_NODE_PARAMS_v2 *, kernelWork(p))
KCL_EXEC_SET_PARAMS(cuGraphExecHostNodeSetParams, const CUDA_HOST_NODE_PARAMS *,
                    hostWork(p))
KCL_API cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                       const CUDA_MEMCPY3D *p, CUcontext) {
  return call(Needs::Context,
              [&] { replace(execNode(exec, node), copyWork(p)); });
}
KCL_API cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                       const CUDA_MEMSET_NODE_PARAMS *p,
                                       CUcontext) {
  return call(Needs::Context,
              [&] { replace(execNode(exec, node), setWork(p)); });
}
KCL_API cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node,
                              unsigned enabled) {
  return call(Needs::Init,
              [&] { execNode(exec, node).enabled = enabled != 0; });
}
KCL_API cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node,
                              unsigned *enabled) {
  return call(Needs::Init, [&] {
    require(enabled);
    *enabled = execNode(exec, node).enabled;
  });
}

extern "C" CUresult cuGraphInstantiate_v2(CUgraphExec *out, CUgraph graph,
                                          CUgraphNode *, char *, size_t) {
  return call(Needs::Context, [&] { instantiate(out, graph, 0); });
}
KCL_API cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph,
                                    unsigned long long flags) {
  return call(Needs::Context, [&] { instantiate(out, graph, flags); });
}
KCL_API cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph graph,
                                     CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
  return call(Needs::Context, [&] {
    require(p);
    instantiate(out, graph, p->flags);
    p->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    p->hErrNode_out = nullptr;
  });
}
KCL_API cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags) {
  return call(Needs::Init, [&] {
    require(flags);
    *flags = execOf(exec).flags;
  });
}
KCL_API cuGraphExecDestroy(CUgraphExec exec) {
  return call(Needs::Init, [&] { driver().graphExecs.erase(execOf(exec)); });
}
KCL_API cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return call(Needs::Context, [&] {
    execOf(exec);
    streamOf(stream);
  });
}
KCL_API cuGraphLaunch(CUgraphExec exec, CUstream handle) {
  return call(Needs::Context, [&] {
    Stream &stream = streamOf(handle);
    // The executable may go before a captured launch of it runs.
    std::shared_ptr<Graph> graph = execOf(exec).graph->clone();
    enqueue(stream, {ChildGraph{graph}});
    if (!stream.capture)
      waitForHost(stream);
  });
}
/// The new graph must have the old one's shape.
KCL_API cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                             CUgraphExecUpdateResultInfo *info) {
  return call(Needs::Context, [&] {
    require(info);
    *info = {};
    std::unique_ptr<Graph> fresh = graphOf(graph).clone();
    const auto &old = execOf(exec).graph->nodes;
    info->result = fresh->nodes.size() == old.size()
                       ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                       : CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (size_t i = 0; i < std::min(old.size(), fresh->nodes.size()); ++i)
      if (fresh->nodes[i]->work.type() != old[i]->work.type())
        info->result = CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    require(info->result == CU_GRAPH_EXEC_UPDATE_SUCCESS,
            CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    execOf(exec).graph = std::move(fresh);
  });
}
