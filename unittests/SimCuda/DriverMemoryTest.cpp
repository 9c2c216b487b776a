//===- DriverMemoryTest.cpp - Allocation, copies, sets, pointers, mapping -===//
#include "DriverLibrary.h"

#include <cstring>
#include <numeric>
#include <unistd.h>

namespace kclaw::sim {

TEST_F(DriverTest, copiesGoRound) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 3);
  CUdeviceptr a = upload(values), b = allocate(4000), c = allocate(4000);
  EXPECT_CU(CU(cuMemcpyDtoD)(b, a, 4000));
  EXPECT_CU(CU(cuMemcpyAsync)(c, b, 4000, nullptr));
  EXPECT_EQ(download<int>(c, 1000), values);
  EXPECT_EQ(CU(cuMemcpyHtoD)(a, values.data(), 4001), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyHtoD)(0, values.data(), 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, copies2DAnd3D) {
  std::vector<uint8_t> host(16 * 4 * 3);
  std::iota(host.begin(), host.end(), uint8_t(0));
  size_t pitch = 0;
  CUdeviceptr device = 0;
  EXPECT_CU(CU(cuMemAllocPitch)(&device, &pitch, 16, 12, 4));
  EXPECT_EQ(pitch, 512u);
  CUDA_MEMCPY3D up = {};
  up.srcMemoryType = CU_MEMORYTYPE_HOST;
  up.srcHost = host.data();
  up.srcPitch = 16;
  up.srcHeight = 4;
  up.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  up.dstDevice = device;
  up.dstPitch = pitch;
  up.dstHeight = 4;
  up.WidthInBytes = 16;
  up.Height = 4;
  up.Depth = 3;
  EXPECT_CU(CU(cuMemcpy3D)(&up));
  std::vector<uint8_t> part(2 * 3);
  CUDA_MEMCPY2D down = {};
  down.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  down.srcDevice = device;
  down.srcPitch = pitch;
  down.srcXInBytes = 5;
  down.srcY = 6;
  down.dstMemoryType = CU_MEMORYTYPE_HOST;
  down.dstHost = part.data();
  down.dstPitch = 2;
  down.WidthInBytes = 2;
  down.Height = 3;
  EXPECT_CU(CU(cuMemcpy2D)(&down));
  EXPECT_EQ(part, (std::vector<uint8_t>{101, 102, 117, 118, 133, 134}));
  down.srcY = 10; // the last row would be the 13th of 12
  EXPECT_EQ(CU(cuMemcpy2D)(&down), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, sets) {
  CUdeviceptr p = allocate(64);
  EXPECT_CU(CU(cuMemsetD32)(p, 0x01020304, 16));
  EXPECT_CU(CU(cuMemsetD16)(p + 4, 0xabcd, 2));
  EXPECT_CU(CU(cuMemsetD2D8)(p + 8, 16, 0xff, 4, 2));
  auto words = download<uint32_t>(p, 16);
  EXPECT_EQ(words[0], 0x01020304u);
  EXPECT_EQ(words[1], 0xabcdabcdu);
  EXPECT_EQ(words[2], 0xffffffffu);
  EXPECT_EQ(words[3], 0x01020304u);
  EXPECT_EQ(words[6], 0xffffffffu);
  EXPECT_EQ(CU(cuMemsetD32)(p + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemsetD32)(p, 0, 17), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, freeingTwiceIsInvalid) {
  CUdeviceptr p = allocate(100);
  EXPECT_EQ(CU(cuMemFree)(p + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemFree)(p));
  EXPECT_EQ(CU(cuMemFree)(p), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemAlloc)(&p, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemAlloc)(&p, size_t(1) << 50), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(DriverTest, rangeAndPointerAttributes) {
  CUdeviceptr p = allocate(1000), base = 0;
  size_t bytes = 0;
  EXPECT_CU(CU(cuMemGetAddressRange)(&base, &bytes, p + 999));
  EXPECT_EQ(base, p);
  EXPECT_EQ(bytes, 1000u);
  EXPECT_EQ(CU(cuMemGetAddressRange)(&base, &bytes, p + 1000),
            CUDA_ERROR_NOT_FOUND);
  unsigned type = 0;
  EXPECT_CU(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      p + 8));
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  int local = 0;
  EXPECT_EQ(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CUdeviceptr(&local)),
            CUDA_ERROR_INVALID_VALUE);
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
  int ordinal = 5;
  void *out = &ordinal;
  EXPECT_CU(CU(cuPointerGetAttributes)(1, &which, &out, CUdeviceptr(&local)));
  EXPECT_EQ(ordinal, -2);
}

TEST_F(DriverTest, hostMemory) {
  void *host = nullptr;
  EXPECT_CU(CU(cuMemHostAlloc)(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
  std::memset(host, 7, 4096);
  CUdeviceptr mapped = 0;
  EXPECT_CU(CU(cuMemHostGetDevicePointer)(&mapped, host, 0));
  EXPECT_EQ(download<uint8_t>(mapped, 2), (std::vector<uint8_t>{7, 7}));
  EXPECT_CU(CU(cuMemFreeHost)(host));
  EXPECT_EQ(CU(cuMemFreeHost)(host), CUDA_ERROR_INVALID_VALUE);
  std::vector<int> own(1024, 9);
  EXPECT_CU(CU(cuMemHostRegister)(own.data(), 4096, 0));
  EXPECT_EQ(CU(cuMemHostRegister)(own.data(), 4096, 0),
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_CU(CU(cuMemHostGetDevicePointer)(&mapped, own.data(), 0));
  EXPECT_CU(CU(cuMemHostUnregister)(own.data()));
  EXPECT_EQ(CU(cuMemHostUnregister)(own.data()),
            CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(DriverTest, pools) {
  CUmemoryPool pool = nullptr;
  EXPECT_CU(CU(cuDeviceGetDefaultMemPool)(&pool, 0));
  CUdeviceptr p = 0;
  EXPECT_CU(CU(cuMemAllocAsync)(&p, 256, nullptr));
  uint64_t used = 0;
  EXPECT_CU(
      CU(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 256u);
  EXPECT_CU(CU(cuMemFreeAsync)(p, nullptr));
  EXPECT_EQ(CU(cuMemFreeAsync)(p, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemPoolDestroy)(pool), CUDA_ERROR_INVALID_VALUE);
}

// Two mappings of one physical allocation see each other's bytes; unmapped
// memory is out of reach.
TEST_F(DriverTest, virtualMemory) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t grain = 0;
  EXPECT_CU(CU(cuMemGetAllocationGranularity)(
      &grain, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr range = 0;
  EXPECT_CU(CU(cuMemAddressReserve)(&range, 2 * grain, 0, 0, 0));
  CUmemGenericAllocationHandle handle = 0;
  EXPECT_EQ(CU(cuMemCreate)(&handle, grain + 1, &properties, 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemCreate)(&handle, grain, &properties, 0));
  EXPECT_CU(CU(cuMemMap)(range, grain, 0, handle, 0));
  EXPECT_EQ(CU(cuMemMap)(range, grain, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemMap)(range + grain, grain, 0, handle, 0));
  EXPECT_EQ(CU(cuMemsetD32)(range, 1, 1), CUDA_ERROR_INVALID_VALUE);
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  EXPECT_CU(CU(cuMemSetAccess)(range, 2 * grain, &access, 1));
  EXPECT_CU(CU(cuMemsetD32)(range + 4, 77, 1));
  EXPECT_EQ(download<int>(range + grain + 4, 1)[0], 77);
  // One copy over both mappings.
  EXPECT_CU(CU(cuMemsetD8)(range + grain - 8, 1, 16));
  EXPECT_CU(CU(cuMemUnmap)(range, 2 * grain));
  EXPECT_EQ(CU(cuMemsetD32)(range + 4, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemRelease)(handle));
  EXPECT_EQ(CU(cuMemRelease)(handle), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemAddressFree)(range, 2 * grain));
}

} // namespace kclaw::sim
