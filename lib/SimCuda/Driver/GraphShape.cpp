//===- GraphShape.cpp - cuGraph*: nodes, edges, dependencies --------------===//
#include "Driver.h"

#include <algorithm>

namespace kclaw::sim::api {

void listNodes(const std::vector<GraphNode *> &all, CUgraphNode *out,
               size_t *count); // GraphApi.cpp

namespace {

std::vector<GraphNode *> dependents(const GraphNode &node) {
  std::vector<GraphNode *> found;
  for (const auto &other : node.graph->nodes)
    if (std::ranges::count(other->dependencies, &node))
      found.push_back(other.get());
  return found;
}

void edges(const Graph &graph, CUgraphNode *from, CUgraphNode *to,
           CUgraphEdgeData *data, size_t *count) {
  require(count && !from == !to);
  size_t n = 0;
  for (const auto &node : graph.nodes)
    for (GraphNode *before : node->dependencies) {
      if (from && n < *count) {
        from[n] = handleOf(*before);
        to[n] = handleOf(*node);
        if (data)
          data[n] = {};
      }
      ++n;
    }
  if (!from || *count > n)
    *count = n;
}

void connect(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
             size_t count, bool join) {
  Graph &g = graphOf(graph);
  require((from && to) || !count);
  for (size_t i = 0; i < count; ++i) {
    GraphNode &before = nodeOf(from[i]), &after = nodeOf(to[i]);
    require(before.graph == &g && after.graph == &g && &before != &after);
    bool known = std::ranges::count(after.dependencies, &before) > 0;
    require(known != join);
    if (join)
      after.dependencies.push_back(&before);
    else
      std::erase(after.dependencies, &before);
  }
}

} // namespace

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  return call(Needs::Init, [&] {
    require(type);
    *type = nodeOf(node).work.type();
  });
}
KCL_API cuGraphGetNodes(CUgraph graph, CUgraphNode *out, size_t *count) {
  return call(Needs::Init, [&] {
    std::vector<GraphNode *> all;
    for (const auto &node : graphOf(graph).nodes)
      all.push_back(node.get());
    listNodes(all, out, count);
  });
}
KCL_API cuGraphGetRootNodes(CUgraph graph, CUgraphNode *out, size_t *count) {
  return call(Needs::Init, [&] {
    std::vector<GraphNode *> all;
    for (const auto &node : graphOf(graph).nodes)
      if (node->dependencies.empty())
        all.push_back(node.get());
    listNodes(all, out, count);
  });
}
extern "C" CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from,
                                    CUgraphNode *to, size_t *count) {
  return call(Needs::Init,
              [&] { edges(graphOf(graph), from, to, nullptr, count); });
}
KCL_API cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                           CUgraphEdgeData *data, size_t *count) {
  return call(Needs::Init,
              [&] { edges(graphOf(graph), from, to, data, count); });
}
extern "C" CUresult
cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *out, size_t *count) {
  return call(Needs::Init,
              [&] { listNodes(nodeOf(node).dependencies, out, count); });
}
KCL_API cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *out,
                                      CUgraphEdgeData *, size_t *count) {
  return call(Needs::Init,
              [&] { listNodes(nodeOf(node).dependencies, out, count); });
}
extern "C" CUresult cuGraphNodeGetDependentNodes(CUgraphNode node,
                                                 CUgraphNode *out,
                                                 size_t *count) {
  return call(Needs::Init,
              [&] { listNodes(dependents(nodeOf(node)), out, count); });
}
KCL_API cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *out,
                                        CUgraphEdgeData *, size_t *count) {
  return call(Needs::Init,
              [&] { listNodes(dependents(nodeOf(node)), out, count); });
}
extern "C" CUresult cuGraphAddDependencies(CUgraph graph,
                                           const CUgraphNode *from,
                                           const CUgraphNode *to,
                                           size_t count) {
  return call(Needs::Init, [&] { connect(graph, from, to, count, true); });
}
KCL_API cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                  const CUgraphNode *to,
                                  const CUgraphEdgeData *, size_t count) {
  return call(Needs::Init, [&] { connect(graph, from, to, count, true); });
}
extern "C" CUresult cuGraphRemoveDependencies(CUgraph graph,
                                              const CUgraphNode *from,
                                              const CUgraphNode *to,
                                              size_t count) {
  return call(Needs::Init, [&] { connect(graph, from, to, count, false); });
}
KCL_API cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                     const CUgraphNode *to,
                                     const CUgraphEdgeData *, size_t count) {
  return call(Needs::Init, [&] { connect(graph, from, to, count, false); });
}
KCL_API cuGraphDestroyNode(CUgraphNode handle) {
  return call(Needs::Init, [&] {
    GraphNode &node = nodeOf(handle);
    node.graph->remove(node);
  });
}
