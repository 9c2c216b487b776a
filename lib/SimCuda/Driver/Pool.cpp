//===- Pool.cpp - cuMemAllocAsync, memory pools ---------------------------===//
//
// Operations run when they are enqueued, so memory is there at once and a pool
// keeps nothing back.
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

namespace kclaw::sim::api {

static Pool &poolOf(CUmemoryPool handle) {
  return driver().pools.get(handle, CUDA_ERROR_INVALID_VALUE);
}

static CUmemoryPool handleOf(const Pool *pool) {
  return Registry<CUmemoryPool, Pool>::handle(*pool);
}

static void allocate(CUdeviceptr *out, size_t bytes, Pool &pool,
                     CUstream handle) {
  require(out && bytes);
  Stream &stream = streamOf(handle);
  // Nodes that allocate would need addresses of their own per graph.
  refuseCapture(stream);
  waitForHost(stream);
  *out = allocateOwned({Owned::Kind::Pool, stream.context, 0, 0, &pool}, bytes);
}

static void attribute(Pool &pool, CUmemPool_attribute attribute, void *value,
                      bool set) {
  require(value);
  auto *count = static_cast<cuuint64_t *>(value);
  auto *flag = static_cast<int *>(value);
  switch (attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: {
    int &mine = pool.reuse[attribute - 1];
    (set ? mine : *flag) = set ? *flag : mine;
    return;
  }
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    (set ? pool.releaseThreshold : *count) =
        set ? *count : pool.releaseThreshold;
    return;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
    require(!set || *count == 0);
    (set ? pool.usedHigh : *count) = set ? pool.used : pool.usedHigh;
    return;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
    require(!set);
    *count = pool.used;
    return;
  default:
    fail(CUDA_ERROR_INVALID_VALUE);
  }
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream) {
  return call(Needs::Context,
              [&] { allocate(out, bytes, *driver().currentPool, stream); });
}
KCL_API cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes,
                                CUmemoryPool pool, CUstream stream) {
  return call(Needs::Context,
              [&] { allocate(out, bytes, poolOf(pool), stream); });
}
KCL_API cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
  return call(Needs::Context, [&] {
    Stream &stream = streamOf(handle);
    refuseCapture(stream);
    waitForHost(stream);
    auto found = driver().owned.find(address);
    require(found != driver().owned.end() &&
            found->second.kind == Owned::Kind::Pool);
    freeOwned(address);
  });
}
KCL_API cuMemPoolCreate(CUmemoryPool *out, const CUmemPoolProps *properties) {
  return call(Needs::Init, [&] {
    require(out && properties &&
            properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
            properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
            properties->location.id == 0);
    auto pool = std::make_unique<Pool>();
    pool->properties = *properties;
    *out = driver().pools.add(std::move(pool));
  });
}
KCL_API cuMemPoolDestroy(CUmemoryPool handle) {
  return call(Needs::Init, [&] {
    Driver &d = driver();
    Pool &pool = poolOf(handle);
    require(!pool.implicit);
    if (d.currentPool == &pool)
      d.currentPool = d.defaultPool;
    for (auto &[base, owned] : d.owned)
      if (owned.pool == &pool)
        owned.pool = nullptr; // outlives its pool
    d.pools.erase(pool);
  });
}
KCL_API cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  return call(Needs::Init, [&] { poolOf(pool); });
}
KCL_API cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which,
                              void *value) {
  return call(Needs::Init,
              [&] { attribute(poolOf(pool), which, value, true); });
}
KCL_API cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which,
                              void *value) {
  return call(Needs::Init,
              [&] { attribute(poolOf(pool), which, value, false); });
}
KCL_API cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access,
                           size_t count) {
  return call(Needs::Init, [&] {
    poolOf(pool);
    require(access || !count);
  });
}
KCL_API cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool,
                           CUmemLocation *location) {
  return call(Needs::Init, [&] {
    poolOf(pool);
    require(flags && location);
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  });
}
KCL_API cuDeviceGetDefaultMemPool(CUmemoryPool *out, CUdevice device) {
  return call(Needs::Init, [&] {
    require(out);
    require(device == 0, CUDA_ERROR_INVALID_DEVICE);
    *out = handleOf(driver().defaultPool);
  });
}
KCL_API cuDeviceGetMemPool(CUmemoryPool *out, CUdevice device) {
  return call(Needs::Init, [&] {
    require(out);
    require(device == 0, CUDA_ERROR_INVALID_DEVICE);
    *out = handleOf(driver().currentPool);
  });
}
KCL_API cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return call(Needs::Init, [&] {
    require(device == 0, CUDA_ERROR_INVALID_DEVICE);
    driver().currentPool = &poolOf(pool);
  });
}
