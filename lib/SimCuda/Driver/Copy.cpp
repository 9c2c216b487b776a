//===- Copy.cpp - cuMemcpy*, all kinds but arrays -------------------------===//
//
// Every copy is a CUDA_MEMCPY3D: checked, then run or captured.
//
//===----------------------------------------------------------------------===//
#include "Copy.h"

namespace kclaw::sim::api {

namespace {

struct Side {
  uintptr_t base = 0;
  size_t pitch = 0, slice = 0; ///< bytes from row to row, plane to plane
};

/// Where a side's rows are; device memory must cover them all.
Side sideOf(CUmemorytype type, const void *host, CUdeviceptr device,
            size_t pitch, size_t height, size_t x, size_t y, size_t z,
            const Copy &c) {
  require(type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE ||
              type == CU_MEMORYTYPE_UNIFIED,
          CUDA_ERROR_NOT_SUPPORTED); // arrays
  auto base = type == CU_MEMORYTYPE_HOST ? reinterpret_cast<uintptr_t>(host)
                                         : uintptr_t(device);
  require(base);
  Side side;
  side.pitch = pitch ? pitch : c.WidthInBytes + x;
  require(c.WidthInBytes + x <= side.pitch || c.Height * c.Depth <= 1);
  side.slice = side.pitch * (height ? height : c.Height + y);
  side.base = base + x + y * side.pitch + z * side.slice;
  if (type == CU_MEMORYTYPE_DEVICE) {
    uint64_t span = (c.Depth - 1) * side.slice + (c.Height - 1) * side.pitch +
                    c.WidthInBytes;
    require(covered(side.base, span));
  }
  return side;
}

Side source(const Copy &c) {
  return sideOf(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcPitch,
                c.srcHeight, c.srcXInBytes, c.srcY, c.srcZ, c);
}
Side destination(const Copy &c) {
  return sideOf(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstPitch,
                c.dstHeight, c.dstXInBytes, c.dstY, c.dstZ, c);
}

bool empty(const Copy &c) {
  return c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0;
}

} // namespace

void checkCopy(const Copy &c) {
  require(!c.srcLOD && !c.dstLOD);
  if (empty(c))
    return;
  source(c);
  destination(c);
}

void runCopy(const Copy &c) {
  if (empty(c))
    return;
  Side from = source(c), to = destination(c);
  for (size_t z = 0; z < c.Depth; ++z)
    for (size_t y = 0; y < c.Height; ++y)
      copyBytes(to.base + z * to.slice + y * to.pitch,
                from.base + z * from.slice + y * from.pitch, c.WidthInBytes);
  bool host = !covered(from.base, 1) || !covered(to.base, 1);
  driver().clockNanoseconds += estimateNanoseconds(
      driver().model(), host ? Traffic::Host : Traffic::Device,
      c.WidthInBytes * c.Height * c.Depth);
}

Copy linearCopy(CUmemorytype toType, uintptr_t to, CUmemorytype fromType,
                uintptr_t from, size_t bytes) {
  Copy c = {};
  c.srcMemoryType = fromType;
  c.dstMemoryType = toType;
  c.srcHost = reinterpret_cast<void *>(from);
  c.srcDevice = from;
  c.dstHost = reinterpret_cast<void *>(to);
  c.dstDevice = to;
  c.WidthInBytes = bytes;
  c.Height = c.Depth = 1;
  return c;
}

Copy planarCopy(const CUDA_MEMCPY2D &flat) {
  Copy c = {};
  c.srcXInBytes = flat.srcXInBytes;
  c.srcY = flat.srcY;
  c.srcMemoryType = flat.srcMemoryType;
  c.srcHost = flat.srcHost;
  c.srcDevice = flat.srcDevice;
  c.srcPitch = flat.srcPitch;
  c.dstXInBytes = flat.dstXInBytes;
  c.dstY = flat.dstY;
  c.dstMemoryType = flat.dstMemoryType;
  c.dstHost = flat.dstHost;
  c.dstDevice = flat.dstDevice;
  c.dstPitch = flat.dstPitch;
  c.WidthInBytes = flat.WidthInBytes;
  c.Height = flat.Height;
  c.Depth = 1;
  return c;
}

/// Synchronous: on the legacy stream. Asynchronous: on the one given.
static CUresult copy(const Copy &c, CUstream stream, bool synchronous) {
  return call(Needs::Context, [&] {
    Stream &s = streamOf(stream);
    if (synchronous)
      refuseCapture(s);
    checkCopy(c);
    enqueue(s, {c});
  });
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

constexpr CUmemorytype host = CU_MEMORYTYPE_HOST;
constexpr CUmemorytype device = CU_MEMORYTYPE_DEVICE;
constexpr CUmemorytype unified = CU_MEMORYTYPE_UNIFIED;
static uintptr_t address(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

KCL_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n) {
  return copy(linearCopy(unified, to, unified, from, n), nullptr, true);
}
KCL_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n,
                      CUstream stream) {
  return copy(linearCopy(unified, to, unified, from, n), stream, false);
}
KCL_API cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n) {
  return copy(linearCopy(device, to, host, address(from), n), nullptr, true);
}
KCL_API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n,
                             CUstream stream) {
  return copy(linearCopy(device, to, host, address(from), n), stream, false);
}
KCL_API cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n) {
  return copy(linearCopy(host, address(to), device, from, n), nullptr, true);
}
KCL_API cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n,
                             CUstream stream) {
  return copy(linearCopy(host, address(to), device, from, n), stream, false);
}
KCL_API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t n) {
  return copy(linearCopy(device, to, device, from, n), nullptr, true);
}
KCL_API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n,
                             CUstream stream) {
  return copy(linearCopy(device, to, device, from, n), stream, false);
}
KCL_API cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                     size_t n) {
  return copy(linearCopy(device, to, device, from, n), nullptr, true);
}
KCL_API cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from,
                          CUcontext, size_t n, CUstream stream) {
  return copy(linearCopy(device, to, device, from, n), stream, false);
}
KCL_API cuMemcpy2D_v2(const CUDA_MEMCPY2D *c) {
  return c ? copy(planarCopy(*c), nullptr, true) : CUDA_ERROR_INVALID_VALUE;
}
KCL_API cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *c) {
  return c ? copy(planarCopy(*c), nullptr, true) : CUDA_ERROR_INVALID_VALUE;
}
KCL_API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream stream) {
  return c ? copy(planarCopy(*c), stream, false) : CUDA_ERROR_INVALID_VALUE;
}
KCL_API cuMemcpy3D_v2(const CUDA_MEMCPY3D *c) {
  return c ? copy(*c, nullptr, true) : CUDA_ERROR_INVALID_VALUE;
}
KCL_API cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *c, CUstream stream) {
  return c ? copy(*c, stream, false) : CUDA_ERROR_INVALID_VALUE;
}
