//===- DriverControlTest.cpp - kclSim*: what programs may ask for ---------===//
#include "DriverLibrary.h"

using namespace kclaw::sim;

namespace {

constexpr const char *controlPtx = R"(
.version 8.3
.target sm_80
.address_size 64
.visible .entry read(.param .u64 p, .param .u64 out) {
  .reg .b64 %p, %o;
  .reg .b32 %v;
  ld.param.u64 %p, [p];
  ld.param.u64 %o, [out];
  ld.global.u32 %v, [%p];
  st.global.u32 [%o], %v;
  ret;
}
.visible .entry lines(.param .u64 p) {
  .reg .b64 %p, %o;
  .reg .b32 %t, %v;
  ld.param.u64 %p, [p];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 128;
  add.u64 %p, %p, %o;
  ld.global.u32 %v, [%p];
  ret;
}
.visible .entry spin() {
again:
  bra.uni again;
}
)";

class ControlTest : public DriverTest {
protected:
  template <class F> F *control(const char *name) {
    return reinterpret_cast<F *>(driverSymbol(name));
  }
  CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr p = 0;
    EXPECT_CU(CU(cuMemAlloc)(&p, bytes));
    return p;
  }
  void launch(CUfunction f, std::vector<CUdeviceptr> values,
              unsigned threads = 32) {
    std::vector<void *> parameters;
    for (CUdeviceptr &value : values)
      parameters.push_back(&value);
    testing::internal::CaptureStderr();
    EXPECT_CU(CU(cuLaunchKernel)(f, 1, 1, 1, threads, 1, 1, 0, nullptr,
                                 parameters.data(), nullptr));
    testing::internal::GetCapturedStderr();
  }
  std::string report() {
    char text[32] = {};
    control<size_t(char *, size_t)>("kclSimLastReport")(text, sizeof text);
    return text;
  }
};

TEST_F(ControlTest, checksCanBeSwitched) {
  auto *setChecks = control<int(int)>("kclSimSetChecks");
  CUfunction read = function(load(controlPtx), "read");
  CUdeviceptr from = allocate(4), to = allocate(4);
  EXPECT_EQ(setChecks(0), 1);
  launch(read, {from, to});
  EXPECT_CU(CU(cuCtxSynchronize)());
  EXPECT_EQ(setChecks(1), 0);
  launch(read, {from, to});
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(report().substr(0, 19), "uninitialised read:");
}

TEST_F(ControlTest, bytesAreForgotten) {
  auto *forget = control<CUresult(CUdeviceptr, size_t)>("kclSimForget");
  CUfunction read = function(load(controlPtx), "read");
  CUdeviceptr from = allocate(8), to = allocate(4);
  EXPECT_CU(CU(cuMemsetD8)(from, 7, 8));
  EXPECT_CU(forget(from + 4, 4));
  EXPECT_EQ(forget(from + 4, 5), CUDA_ERROR_INVALID_VALUE);
  launch(read, {from, to});
  EXPECT_CU(CU(cuCtxSynchronize)());
  int value = 0;
  EXPECT_CU(CU(cuMemcpyDtoH)(&value, from + 4, 4));
  EXPECT_EQ(value, 0x07070707) << "what is there stays";
  launch(read, {from + 4, to});
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(ControlTest, aFlushedCacheMissesAgain) {
  auto *time = control<size_t(uint64_t, double *, size_t)>("kclSimCounts");
  auto *name = control<const char *(size_t)>("kclSimCounter");
  auto *flush = control<void()>("kclSimFlushCaches");
  size_t misses = 0;
  while (name(misses) && std::string(name(misses)).find("dram__bytes_read") ==
                             std::string::npos)
    ++misses;
  ASSERT_NE(name(misses), nullptr);
  CUfunction lines = function(load(controlPtx), "lines");
  CUdeviceptr from = allocate(1024 * 128);
  EXPECT_CU(CU(cuMemsetD8)(from, 7, 1024 * 128));
  auto bytesRead = [&] {
    std::vector<double> values(misses + 1);
    launch(lines, {from}, 1024);
    time(0, values.data(), values.size());
    return values[misses];
  };
  flush();
  EXPECT_GT(bytesRead(), 0);
  EXPECT_EQ(bytesRead(), 0) << "all is there";
  flush();
  EXPECT_GT(bytesRead(), 0);
}

TEST_F(ControlTest, theBudgetEndsALaunchAndIsCounted) {
  auto *setBudget = control<uint64_t(uint64_t)>("kclSimSetBudget");
  auto *instructions = control<uint64_t()>("kclSimInstructions");
  CUfunction spin = function(load(controlPtx), "spin");
  uint64_t before = instructions(), held = setBudget(10000);
  launch(spin, {});
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_EQ(report().substr(0, 13), "endless loop:");
  EXPECT_GE(instructions() - before, 10000u);
  EXPECT_EQ(setBudget(held), 10000u);
}

} // namespace
