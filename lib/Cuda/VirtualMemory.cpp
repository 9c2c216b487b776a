//===- VirtualMemory.cpp - Device memory that can be unmapped -------------===//
#include "kernelclaw/Cuda/VirtualMemory.h"

#include <utility>

namespace kclaw {

static CUmemAllocationProp propertiesOn(CUdevice device) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  return properties;
}

std::string VirtualMemory::whyUnsupported(const DriverApi &api,
                                          CUdevice device) {
  if (!api.cuMemAddressReserve || !api.cuMemAddressFree || !api.cuMemCreate ||
      !api.cuMemRelease || !api.cuMemMap || !api.cuMemUnmap ||
      !api.cuMemSetAccess || !api.cuMemGetAllocationGranularity)
    return "the driver has no virtual memory management";
  int supported = 0;
  if (api.cuDeviceGetAttribute(
          &supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
          device) != CUDA_SUCCESS ||
      !supported)
    return "the device has no virtual memory management";
  return "";
}

Expected<VirtualMemory> VirtualMemory::create(const DriverApi &api,
                                              CUdevice device, uint64_t bytes) {
  VirtualMemory memory(api, device);
  CUmemAllocationProp properties = propertiesOn(device);
  size_t unit = 0;
  if (auto ok = api.check(
          api.cuMemGetAllocationGranularity(
              &unit, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
          "reading the granularity of device memory");
      !ok)
    return std::unexpected(ok.error());
  memory.sizeBytes = (bytes + unit) / unit * unit;
  std::string what = std::to_string(memory.sizeBytes) + " device bytes";
  CUresult made =
      api.cuMemCreate(&memory.physical, memory.sizeBytes, &properties, 0);
  if (auto ok = api.check(made, "allocating " + what); !ok) {
    Error error = ok.error();
    if (made == CUDA_ERROR_OUT_OF_MEMORY)
      error.code = Error::Code::Budget;
    return std::unexpected(error);
  }
  memory.owned = true;
  if (auto ok = api.check(
          api.cuMemAddressReserve(&memory.range, memory.sizeBytes, 0, 0, 0),
          "reserving addresses for " + what);
      !ok)
    return std::unexpected(ok.error());
  return memory;
}

VirtualMemory::~VirtualMemory() {
  if (mapped)
    (void)api->cuMemUnmap(range, sizeBytes);
  if (range)
    (void)api->cuMemAddressFree(range, sizeBytes);
  if (owned)
    (void)api->cuMemRelease(physical);
}

void VirtualMemory::swap(VirtualMemory &other) noexcept {
  std::swap(api, other.api);
  std::swap(device, other.device);
  std::swap(range, other.range);
  std::swap(sizeBytes, other.sizeBytes);
  std::swap(physical, other.physical);
  std::swap(owned, other.owned);
  std::swap(mapped, other.mapped);
}

Expected<void> VirtualMemory::map() {
  if (mapped)
    return {};
  if (auto ok = api->check(api->cuMemMap(range, sizeBytes, 0, physical, 0),
                           "mapping device memory");
      !ok)
    return ok;
  mapped = true;
  CUmemAccessDesc access = {};
  access.location = propertiesOn(device).location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return api->check(api->cuMemSetAccess(range, sizeBytes, &access, 1),
                    "allowing access to device memory");
}

Expected<void> VirtualMemory::unmap() {
  if (!mapped)
    return {};
  mapped = false;
  return api->check(api->cuMemUnmap(range, sizeBytes),
                    "unmapping device memory");
}

} // namespace kclaw
