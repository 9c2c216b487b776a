//===- DriverLibrary.h - The simulated driver through dlopen ----*- C++ -*-===//
//
// Entry points are found by name, as programs find those of a real driver. All
// tests share one process and one device: each makes its own context.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SIMCUDA_DRIVERLIBRARY_H
#define KERNELCLAW_UNITTESTS_SIMCUDA_DRIVERLIBRARY_H

#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kclaw::sim {

inline void *driverSymbol(const char *name) {
  static void *library = dlopen(KCLAW_SIMCUDA_PATH, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library ? dlsym(library, name) : nullptr;
}

#define KCL_TEXT_OF(NAME) #NAME
#define KCL_NAME_OF(NAME) KCL_TEXT_OF(NAME)
/// The entry point that cuda.h's name stands for: CU(cuMemAlloc)(&p, 4).
#define CU(NAME)                                                               \
  reinterpret_cast<decltype(&::NAME)>(                                         \
      ::kclaw::sim::driverSymbol(KCL_NAME_OF(NAME)))
#define EXPECT_CU(CALL) EXPECT_EQ(CALL, CUDA_SUCCESS)

class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(CU(cuInit)(0), CUDA_SUCCESS);
    CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
    ASSERT_EQ(CU(cuCtxCreate)(&context, nullptr, 0, 0), CUDA_SUCCESS);
#else
    ASSERT_EQ(CU(cuCtxCreate)(&context, 0, 0), CUDA_SUCCESS);
#endif
  }
  void TearDown() override {
    CUcontext context = nullptr;
    CU(cuCtxGetCurrent)(&context);
    if (context)
      EXPECT_CU(CU(cuCtxDestroy)(context));
  }

  CUmodule load(const std::string &ptx) {
    CUmodule module = nullptr;
    EXPECT_CU(CU(cuModuleLoadData)(&module, ptx.c_str()));
    return module;
  }
  CUfunction function(CUmodule module, const char *name) {
    CUfunction f = nullptr;
    EXPECT_CU(CU(cuModuleGetFunction)(&f, module, name));
    return f;
  }
  CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_CU(CU(cuMemAlloc)(&address, bytes));
    return address;
  }
  template <class T> CUdeviceptr upload(const std::vector<T> &values) {
    CUdeviceptr address = allocate(values.size() * sizeof(T));
    EXPECT_CU(
        CU(cuMemcpyHtoD)(address, values.data(), values.size() * sizeof(T)));
    return address;
  }
  template <class T> std::vector<T> download(CUdeviceptr from, size_t count) {
    std::vector<T> values(count);
    EXPECT_CU(CU(cuMemcpyDtoH)(values.data(), from, count * sizeof(T)));
    return values;
  }
  template <class... Args>
  CUresult launch(CUfunction f, unsigned grid, unsigned block, CUstream stream,
                  Args... args) {
    void *parameters[] = {&args..., nullptr};
    return CU(cuLaunchKernel)(f, grid, 1, 1, block, 1, 1, 0, stream, parameters,
                              nullptr);
  }

  /// p[i] += v for each thread; `bad` stores far out of bounds.
  static constexpr const char *addPtx = R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b32 counter = 7;
.visible .entry add(.param .u64 p, .param .u32 v) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [v];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3];
  add.s32 %r7, %r6, %r1;
  st.global.u32 [%rd3], %r7;
  ret;
}
.visible .entry bad(.param .u64 p) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, 1;
  st.global.u32 [%rd1+1073741824], %r1;
  ret;
}
.visible .entry small(.param .u64 p) .maxntid 64, 1, 1 {
  .shared .align 4 .b8 tile[256];
  ret;
}
)";
};

} // namespace kclaw::sim

#endif // KERNELCLAW_UNITTESTS_SIMCUDA_DRIVERLIBRARY_H
