//===- Context.cpp - cuCtx*, cuDevicePrimaryCtx* --------------------------===//
#include "Driver.h"
#include "Link.h"

#include <algorithm>
#include <utility>

namespace kclaw::sim::api {

static Stream *defaultStream(Context &context) {
  auto stream = std::make_unique<Stream>();
  stream->context = &context;
  stream->id = driver().nextId++;
  stream->implicit = true;
  Stream *address = stream.get();
  driver().streams.add(std::move(stream));
  return address;
}

Context &createContext(unsigned flags, bool primary) {
  auto owned = std::make_unique<Context>();
  Context &context = *owned;
  context.id = driver().nextId++;
  context.flags = flags;
  context.primary = primary;
  context.limits[CU_LIMIT_STACK_SIZE] = 1024;
  context.limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20;
  context.limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
  context.limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
  context.limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
  context.limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
  context.legacy = defaultStream(context);
  context.perThread = defaultStream(context);
  driver().contexts.add(std::move(owned));
  return context;
}

void clearContext(Context &context) {
  Driver &d = driver();
  waitForHosts(context);
  for (auto entry = d.owned.begin(); entry != d.owned.end();) {
    auto here = entry++;
    bool mine = here->second.context == &context &&
                here->second.kind != Owned::Kind::Mapped;
    if (mine)
      freeOwned(here->first);
  }
  if (context.gridWorkspace)
    d.memory->release(std::exchange(context.gridWorkspace, 0));
  d.images.eraseIf([&](Image &i) { return i.context == &context; });
  d.events.eraseIf([&](Event &e) { return e.context == &context; });
  d.streams.eraseIf(
      [&](Stream &s) { return s.context == &context && !s.implicit; });
  context.sticky = CUDA_SUCCESS;
}

void destroyContext(Context &context) {
  clearContext(context);
  driver().streams.eraseIf([&](Stream &s) { return s.context == &context; });
  driver().contexts.erase(context);
}

static CUcontext handle(const Context &context) {
  return Registry<CUcontext, Context>::handle(context);
}

static void requireDevice(CUdevice device) {
  require(device == 0, CUDA_ERROR_INVALID_DEVICE);
}

static void createCurrent(CUcontext *out, unsigned flags, CUdevice device) {
  require(out);
  requireDevice(device);
  require(!(flags & ~unsigned(CU_CTX_FLAGS_MASK)));
  *out = handle(createContext(flags, false));
  contextStack().push_back(*out);
}

static Context &contextOf(CUcontext handle) {
  return handle ? driver().contexts.get(handle, CUDA_ERROR_INVALID_CONTEXT)
                : currentContext();
}

} // namespace kclaw::sim::api

using namespace kclaw::sim;
using namespace kclaw::sim::api;

KCL_API cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice device) {
  return call(Needs::Init, [&] { createCurrent(out, flags, device); });
}
KCL_API cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *, int affinities,
                       unsigned flags, CUdevice device) {
  return call(Needs::Init, [&] {
    require(affinities == 0, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
    createCurrent(out, flags, device);
  });
}
#if CUDA_VERSION >= 12050
KCL_API cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *parameters,
                       unsigned flags, CUdevice device) {
  return call(Needs::Init, [&] {
    require(!parameters ||
                (!parameters->numExecAffinityParams && !parameters->cigParams),
            CUDA_ERROR_NOT_SUPPORTED);
    createCurrent(out, flags, device);
  });
}
#endif
KCL_API cuCtxDestroy_v2(CUcontext context) {
  return call(Needs::Init, [&] {
    Context &c = driver().contexts.get(context, CUDA_ERROR_INVALID_CONTEXT);
    require(!c.primary, CUDA_ERROR_INVALID_CONTEXT);
    destroyContext(c);
    auto &stack = contextStack();
    if (!stack.empty() && stack.back() == context)
      stack.pop_back();
  });
}
KCL_API cuCtxPushCurrent_v2(CUcontext context) {
  return call(Needs::Init, [&] {
    driver().contexts.get(context, CUDA_ERROR_INVALID_CONTEXT);
    contextStack().push_back(context);
  });
}
KCL_API cuCtxPopCurrent_v2(CUcontext *out) {
  return call(Needs::Init, [&] {
    auto &stack = contextStack();
    require(!stack.empty() && stack.back(), CUDA_ERROR_INVALID_CONTEXT);
    if (out)
      *out = stack.back();
    stack.pop_back();
  });
}
KCL_API cuCtxSetCurrent(CUcontext context) {
  return call(Needs::Init, [&] {
    if (context)
      driver().contexts.get(context, CUDA_ERROR_INVALID_CONTEXT);
    auto &stack = contextStack();
    if (!stack.empty())
      stack.pop_back();
    if (context)
      stack.push_back(context);
  });
}
KCL_API cuCtxGetCurrent(CUcontext *out) {
  return call(Needs::Init, [&] {
    require(out);
    auto &stack = contextStack();
    *out = stack.empty() ? nullptr : stack.back();
  });
}
KCL_API cuCtxGetDevice(CUdevice *device) {
  return call(Needs::Init, [&] {
    require(device);
    currentContext();
    *device = 0;
  });
}
KCL_API cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
  return call(Needs::Init, [&] {
    require(device);
    contextOf(context);
    *device = 0;
  });
}
KCL_API cuCtxGetFlags(unsigned *flags) {
  return call(Needs::Init, [&] {
    require(flags);
    *flags = currentContext().flags;
  });
}
KCL_API cuCtxSetFlags(unsigned flags) {
  return call(Needs::Context, [&] {
    require(!(flags & ~unsigned(CU_CTX_FLAGS_MASK)));
    currentContext().flags = flags;
  });
}
KCL_API cuCtxGetId(CUcontext context, unsigned long long *id) {
  return call(Needs::Init, [&] {
    require(id);
    *id = contextOf(context).id;
  });
}
KCL_API cuCtxSynchronize() {
  return call(Needs::Context, [] { waitForHosts(currentContext()); });
}
KCL_API cuCtxSynchronize_v2(CUcontext context) {
  return call(Needs::Init, [&] {
    Context &c = contextOf(context);
    require(c.sticky == CUDA_SUCCESS, c.sticky);
    waitForHosts(c);
  });
}
KCL_API cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  return call(Needs::Init, [&] {
    require(version);
    contextOf(context);
    *version = 3020;
  });
}
KCL_API cuCtxSetLimit(CUlimit limit, size_t value) {
  return call(Needs::Context, [&] {
    require(unsigned(limit) < CU_LIMIT_MAX);
    if (limit == CU_LIMIT_MALLOC_HEAP_SIZE)
      driver().memory->heap().setBytes(value);
    currentContext().limits[limit] = value;
  });
}
KCL_API cuCtxGetLimit(size_t *value, CUlimit limit) {
  return call(Needs::Context, [&] {
    require(value && unsigned(limit) < CU_LIMIT_MAX);
    *value = currentContext().limits[limit];
  });
}
KCL_API cuCtxGetCacheConfig(CUfunc_cache *config) {
  return call(Needs::Context, [&] {
    require(config);
    *config = currentContext().cacheConfig;
  });
}
KCL_API cuCtxSetCacheConfig(CUfunc_cache config) {
  return call(Needs::Context, [&] {
    require(unsigned(config) <= CU_FUNC_CACHE_PREFER_EQUAL);
    currentContext().cacheConfig = config;
  });
}
KCL_API cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  return call(Needs::Context, [&] {
    require(config);
    *config = currentContext().sharedConfig;
  });
}
KCL_API cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return call(Needs::Context, [&] {
    require(unsigned(config) <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
    currentContext().sharedConfig = config;
  });
}
KCL_API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return call(Needs::Context, [&] {
    if (least)
      *least = 0;
    if (greatest)
      *greatest = -5;
  });
}
KCL_API cuCtxResetPersistingL2Cache() {
  return call(Needs::Context, [] {});
}
KCL_API cuCtxEnablePeerAccess(CUcontext, unsigned) {
  return call(Needs::Context, [] { fail(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED); });
}
KCL_API cuCtxDisablePeerAccess(CUcontext) {
  return call(Needs::Context, [] { fail(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED); });
}

KCL_API cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device) {
  return call(Needs::Init, [&] {
    require(out);
    requireDevice(device);
    Driver &d = driver();
    if (!d.primary)
      d.primary = &createContext(d.primaryFlags, true);
    ++d.primary->references;
    *out = Registry<CUcontext, Context>::handle(*d.primary);
  });
}
static void resetPrimary() {
  if (Context *primary = std::exchange(driver().primary, nullptr))
    destroyContext(*primary);
}
KCL_API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    Driver &d = driver();
    require(d.primary && d.primary->references, CUDA_ERROR_INVALID_CONTEXT);
    if (--d.primary->references == 0)
      resetPrimary();
  });
}
KCL_API cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    Driver &d = driver();
    if (!d.primary)
      return;
    // The handle lives on for those who retained it; what it owned does not.
    clearContext(*d.primary);
  });
}
KCL_API cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    require(!(flags & ~unsigned(CU_CTX_FLAGS_MASK)));
    driver().primaryFlags = flags;
    if (driver().primary)
      driver().primary->flags = flags;
  });
}
KCL_API cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                   int *active) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    require(flags && active);
    *flags = driver().primaryFlags;
    *active = driver().primary != nullptr;
  });
}
