//===- Graph.cpp - Graphs as data: order, copies, execution ---------------===//
#include "Copy.h"
#include "Launch.h"
#include "LibrarySteps.h"

#include <algorithm>

namespace kclaw::sim::api {

CUgraphNodeType Work::type() const {
  constexpr CUgraphNodeType types[] = {
      CU_GRAPH_NODE_TYPE_EMPTY,      CU_GRAPH_NODE_TYPE_KERNEL,
      CU_GRAPH_NODE_TYPE_MEMCPY,     CU_GRAPH_NODE_TYPE_MEMSET,
      CU_GRAPH_NODE_TYPE_HOST,       CU_GRAPH_NODE_TYPE_EVENT_RECORD,
      CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_GRAPH,
      CU_GRAPH_NODE_TYPE_KERNEL,     CU_GRAPH_NODE_TYPE_KERNEL};
  return types[what.index()];
}

namespace {

struct Runner {
  Stream &stream;
  void operator()(Empty &) {}
  void operator()(EventWait &) {} // all before it has run
  void operator()(KernelLaunch &launch) { runLaunch(launch, stream); }
  void operator()(Copy &copy) { runCopy(copy); }
  void operator()(Set &set) { runSet(set); }
  void operator()(Matmul &step) { runStep(step, stream); }
  void operator()(Convolution &step) { runStep(step, stream); }
  void operator()(HostCall &host) {
    stream.host =
        std::async(std::launch::async, host.function, host.argument).share();
  }
  void operator()(EventRecord &record) {
    record.event->recorded = true;
    record.event->nanoseconds = driver().clockNanoseconds;
  }
  void operator()(ChildGraph &child) {
    for (GraphNode *node : child.graph->inOrder())
      if (node->enabled) {
        waitForHost(stream);
        run(node->work, stream);
      }
  }
};

} // namespace

void run(Work &work, Stream &stream) { std::visit(Runner{stream}, work.what); }

Graph::~Graph() {
  for (const auto &node : nodes)
    driver().nodes.erase(node.get());
  for (const auto &[object, count] : kept)
    release(*object, count);
}

GraphNode &Graph::add(Work work, std::vector<GraphNode *> dependencies) {
  for (GraphNode *dependency : dependencies)
    require(dependency->graph == this);
  nodes.push_back(std::make_unique<GraphNode>());
  GraphNode &node = *nodes.back();
  node.graph = this;
  node.work = std::move(work);
  node.dependencies = std::move(dependencies);
  driver().nodes[&node] = &node;
  return node;
}

void Graph::remove(GraphNode &node) {
  for (auto &other : nodes)
    std::erase(other->dependencies, &node);
  driver().nodes.erase(&node);
  std::erase_if(nodes, [&](const auto &other) { return other.get() == &node; });
}

std::vector<GraphNode *> Graph::inOrder() const {
  std::vector<GraphNode *> order;
  std::unordered_map<const GraphNode *, int> state; // 1: open, 2: done
  std::function<void(GraphNode *)> visit = [&](GraphNode *node) {
    if (state[node] == 2)
      return;
    require(state[node] == 0);
    state[node] = 1;
    for (GraphNode *dependency : node->dependencies)
      visit(dependency);
    state[node] = 2;
    order.push_back(node);
  };
  for (const auto &node : nodes)
    visit(node.get());
  return order;
}

GraphNode *Graph::cloneOf(const GraphNode &original) const {
  for (const auto &node : nodes)
    if (node->original == &original)
      return node.get();
  return nullptr;
}

std::unique_ptr<Graph> Graph::clone() const {
  auto copy = std::make_unique<Graph>();
  copy->id = driver().nextId++;
  for (GraphNode *node : inOrder()) {
    std::vector<GraphNode *> dependencies;
    for (GraphNode *dependency : node->dependencies)
      dependencies.push_back(copy->cloneOf(*dependency));
    Work work = node->work;
    if (auto *launch = std::get_if<KernelLaunch>(&work.what))
      rebindPointers(*launch);
    if (auto *child = std::get_if<ChildGraph>(&work.what))
      child->graph = child->graph->clone();
    GraphNode &made = copy->add(std::move(work), std::move(dependencies));
    made.original = node;
    made.enabled = node->enabled;
  }
  copy->kept = kept;
  for (const auto &[object, count] : kept)
    retain(*object, count);
  return copy;
}

Graph &graphOf(CUgraph handle) {
  return driver().graphs.get(handle, CUDA_ERROR_INVALID_VALUE);
}
GraphNode &nodeOf(CUgraphNode handle) {
  auto found = driver().nodes.find(handle);
  require(found != driver().nodes.end(), CUDA_ERROR_INVALID_VALUE);
  return *found->second;
}

} // namespace kclaw::sim::api
