//===- Device.cpp - cuDevice*: the one device -----------------------------===//
#include "Driver.h"

#include <cstdio>
#include <strings.h>

namespace kclaw::sim::api {

namespace {

std::string busId() {
  char text[16];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", driver().options.ordinal);
  return text;
}

void requireDevice(CUdevice device) {
  require(device == 0, CUDA_ERROR_INVALID_DEVICE);
}

/// Made up, but fixed: "KernelClaw", the architecture, the ordinal.
void fillUuid(CUuuid *out) {
  std::memset(out->bytes, 0, sizeof out->bytes);
  std::snprintf(out->bytes, sizeof out->bytes, "KernelClaw%s",
                driver().model().key + 2);
  out->bytes[15] = char(driver().options.ordinal);
}

} // namespace

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuDeviceGetCount(int *count) {
  return call(Needs::Init, [&] {
    require(count);
    *count = 1;
  });
}
KCL_API cuDeviceGet(CUdevice *device, int ordinal) {
  return call(Needs::Init, [&] {
    require(device);
    requireDevice(ordinal);
    *device = 0;
  });
}
KCL_API cuDeviceGetName(char *name, int length, CUdevice device) {
  return call(Needs::Init, [&] {
    require(name && length > 0);
    requireDevice(device);
    std::snprintf(name, size_t(length), "%s", driver().model().name);
  });
}
KCL_API cuDeviceGetUuid(CUuuid *out, CUdevice device) {
  return call(Needs::Init, [&] {
    require(out);
    requireDevice(device);
    fillUuid(out);
  });
}
KCL_API cuDeviceGetUuid_v2(CUuuid *out, CUdevice device) {
  return cuDeviceGetUuid(out, device);
}
KCL_API cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device) {
  return call(Needs::Init, [&] {
    require(luid && mask);
    requireDevice(device);
    fail(CUDA_ERROR_NOT_SUPPORTED); // as on Linux
  });
}
KCL_API cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  return call(Needs::Init, [&] {
    require(bytes);
    requireDevice(device);
    *bytes = driver().memory->total();
  });
}
KCL_API cuDeviceGetPCIBusId(char *out, int length, CUdevice device) {
  return call(Needs::Init, [&] {
    require(out && length > 0);
    requireDevice(device);
    std::snprintf(out, size_t(length), "%s", busId().c_str());
  });
}
KCL_API cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  return call(Needs::Init, [&] {
    require(device && id);
    const std::string own = busId();
    require(!strcasecmp(id, own.c_str()) || !strcasecmp(id, own.c_str() + 5),
            CUDA_ERROR_INVALID_DEVICE);
    *device = 0;
  });
}
KCL_API cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  return call(Needs::Init, [&] {
    require(major && minor);
    requireDevice(device);
    *major = driver().model().major;
    *minor = driver().model().minor;
  });
}
KCL_API cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return call(Needs::Init, [&] {
    require(can);
    requireDevice(device);
    requireDevice(peer);
    *can = 0;
  });
}
KCL_API cuDeviceGetP2PAttribute(int *, CUdevice_P2PAttribute, CUdevice device,
                                CUdevice peer) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    requireDevice(peer);
    fail(CUDA_ERROR_INVALID_DEVICE); // a device is no peer of itself
  });
}
KCL_API cuDeviceGetExecAffinitySupport(int *out, CUexecAffinityType type,
                                       CUdevice device) {
  return call(Needs::Init, [&] {
    require(out && unsigned(type) < CU_EXEC_AFFINITY_TYPE_MAX);
    requireDevice(device);
    *out = 0;
  });
}
