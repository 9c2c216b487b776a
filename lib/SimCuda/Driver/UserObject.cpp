//===- UserObject.cpp - cuUserObject*, and graphs that keep them ----------===//
#include "Driver.h"

#include <utility>

namespace kclaw::sim::api {

void retain(UserObject &object, uint64_t count) { object.references += count; }

void release(UserObject &object, uint64_t count) {
  require(count <= object.references);
  object.references -= count;
  if (object.references)
    return;
  pendingCalls().push_back(object.destroy);
  driver().userObjects.erase(object);
}

std::vector<HostCall> &pendingCalls() {
  thread_local std::vector<HostCall> calls;
  return calls;
}

void runPendingCalls() {
  std::vector<HostCall> calls = std::exchange(pendingCalls(), {});
  for (const HostCall &call : calls)
    call.function(call.argument);
}

static UserObject &objectOf(CUuserObject handle) {
  return driver().userObjects.get(handle, CUDA_ERROR_INVALID_VALUE);
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuUserObjectCreate(CUuserObject *out, void *value, CUhostFn destroy,
                           unsigned count, unsigned flags) {
  return call(Needs::Init, [&] {
    require(out && destroy && count &&
            flags == CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    *out = driver().userObjects.add(
        std::make_unique<UserObject>(UserObject{{destroy, value}, count}));
  });
}
KCL_API cuUserObjectRetain(CUuserObject object, unsigned count) {
  return call(Needs::Init, [&] {
    require(count);
    retain(objectOf(object), count);
  });
}
KCL_API cuUserObjectRelease(CUuserObject object, unsigned count) {
  return call(Needs::Init, [&] {
    require(count);
    release(objectOf(object), count);
  });
}
KCL_API cuGraphRetainUserObject(CUgraph graph, CUuserObject handle,
                                unsigned count, unsigned flags) {
  return call(Needs::Init, [&] {
    require(count && (flags & ~unsigned(CU_GRAPH_USER_OBJECT_MOVE)) == 0);
    UserObject &object = objectOf(handle);
    bool moved = flags & CU_GRAPH_USER_OBJECT_MOVE;
    require(!moved || count <= object.references);
    graphOf(graph).kept[&object] += count;
    if (!moved)
      retain(object, count);
  });
}
KCL_API cuGraphReleaseUserObject(CUgraph graph, CUuserObject handle,
                                 unsigned count) {
  return call(Needs::Init, [&] {
    require(count);
    UserObject &object = objectOf(handle);
    Graph &owner = graphOf(graph);
    auto kept = owner.kept.find(&object);
    require(kept != owner.kept.end() && count <= kept->second);
    kept->second -= count;
    if (!kept->second)
      owner.kept.erase(kept);
    release(object, count);
  });
}
