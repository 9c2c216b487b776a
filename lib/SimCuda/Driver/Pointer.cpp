//===- Pointer.cpp - cuPointerGetAttribute(s) -----------------------------===//
#include "Driver.h"

namespace kclaw::sim::api {

namespace {

struct Place {
  uintptr_t address;
  Allocation *allocation; ///< null: not known to the driver
  const Owned *owned;     ///< null: a module's variable, or nothing
  bool host() const {
    return owned && (owned->kind == Owned::Kind::Host ||
                     owned->kind == Owned::Kind::RegisteredHost);
  }
  bool managed() const { return owned && owned->kind == Owned::Kind::Managed; }
};

Place placeOf(uintptr_t address) {
  auto *owner = ownerOf(address);
  return {address, driver().memory->find(address),
          owner ? &owner->second : nullptr};
}

template <class T> void put(void *out, T value) {
  std::memcpy(out, &value, sizeof value);
}

CUcontext contextOf(const Place &place) {
  if (place.owned && place.owned->kind == Owned::Kind::Pool)
    return nullptr;
  const Context *context =
      place.owned ? place.owned->context : driver().primary;
  return context ? Registry<CUcontext, Context>::handle(*context) : nullptr;
}

struct AttributeRow {
  CUpointer_attribute attribute;
  /// Writes what is so for a known pointer, or the default for an unknown.
  void (*get)(void *out, const Place &p);
};

const AttributeRow rows[] = {
    {CU_POINTER_ATTRIBUTE_CONTEXT,
     [](void *out, const Place &p) {
       put(out, p.allocation ? contextOf(p) : nullptr);
     }},
    {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
     [](void *out, const Place &p) {
       put<unsigned>(out, !p.allocation ? 0
                          : p.host()    ? CU_MEMORYTYPE_HOST
                                        : CU_MEMORYTYPE_DEVICE);
     }},
    {CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
     [](void *out, const Place &p) {
       put<CUdeviceptr>(out, p.allocation ? p.address : 0);
     }},
    {CU_POINTER_ATTRIBUTE_HOST_POINTER,
     [](void *out, const Place &p) {
       put<uintptr_t>(out, p.host() || p.managed() ? p.address : 0);
     }},
    {CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
     [](void *out, const Place &p) {
       put<int>(out, p.owned && p.owned->syncMemops);
     }},
    {CU_POINTER_ATTRIBUTE_BUFFER_ID,
     [](void *out, const Place &p) {
       put<unsigned long long>(out, p.owned ? p.owned->id : 0);
     }},
    {CU_POINTER_ATTRIBUTE_IS_MANAGED,
     [](void *out, const Place &p) { put<unsigned char>(out, p.managed()); }},
    {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
     [](void *out, const Place &p) { put<int>(out, p.allocation ? 0 : -2); }},
    {CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
     [](void *out, const Place &) { put<unsigned char>(out, 0); }},
    {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
     [](void *out, const Place &p) {
       put<CUdeviceptr>(out, p.allocation ? p.allocation->base : 0);
     }},
    {CU_POINTER_ATTRIBUTE_RANGE_SIZE,
     [](void *out, const Place &p) {
       put<size_t>(out, p.allocation ? p.allocation->bytes : 0);
     }},
    {CU_POINTER_ATTRIBUTE_MAPPED,
     [](void *out, const Place &p) {
       put<unsigned char>(out, p.allocation != nullptr);
     }},
    {CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
     [](void *out, const Place &) { put<uint64_t>(out, 0); }},
    {CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
     [](void *out, const Place &) { put<unsigned char>(out, 0); }},
    {CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
     [](void *out, const Place &p) {
       put<unsigned>(out, p.allocation
                              ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE
                              : CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE);
     }},
    {CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
     [](void *out, const Place &p) {
       put<CUmemoryPool>(
           out, p.owned && p.owned->pool
                    ? Registry<CUmemoryPool, Pool>::handle(*p.owned->pool)
                    : nullptr);
     }},
    {CU_POINTER_ATTRIBUTE_MAPPING_SIZE,
     [](void *out, const Place &p) {
       put<size_t>(out, p.allocation ? p.allocation->bytes : 0);
     }},
    {CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR,
     [](void *out, const Place &p) {
       put<CUdeviceptr>(out, p.allocation ? p.allocation->base : 0);
     }},
    {CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID,
     [](void *out, const Place &p) {
       put<unsigned long long>(out, p.owned ? p.owned->id : 0);
     }},
};

void get(void *out, CUpointer_attribute attribute, const Place &place) {
  require(out);
  for (const AttributeRow &row : rows)
    if (row.attribute == attribute)
      return row.get(out, place);
  fail(CUDA_ERROR_INVALID_VALUE);
}

} // namespace

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuPointerGetAttribute(void *out, CUpointer_attribute attribute,
                              CUdeviceptr address) {
  return call(Needs::Context, [&] {
    Place place = placeOf(address);
    require(place.allocation);
    get(out, attribute, place);
  });
}
KCL_API cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes,
                               void **out, CUdeviceptr address) {
  return call(Needs::Context, [&] {
    require(count && attributes && out);
    Place place = placeOf(address);
    for (unsigned i = 0; i < count; ++i)
      get(out[i], attributes[i], place);
  });
}
KCL_API cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                              CUdeviceptr address) {
  return call(Needs::Context, [&] {
    auto *owner = ownerOf(address);
    require(value && owner && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
    owner->second.syncMemops = *static_cast<const unsigned *>(value) != 0;
  });
}
KCL_API cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise,
                       CUmemLocation) {
  return call(Needs::Context, [&] { require(covered(address, bytes)); });
}
KCL_API cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation,
                              unsigned flags, CUstream stream) {
  return call(Needs::Context, [&] {
    streamOf(stream);
    require(flags == 0 && covered(address, bytes));
  });
}
