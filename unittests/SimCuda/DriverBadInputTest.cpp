//===- DriverBadInputTest.cpp - The error codes of a real driver ----------===//
#include "DriverLibrary.h"

#include <sys/wait.h>
#include <unistd.h>

namespace kclaw::sim {

TEST_F(DriverTest, badPtx) {
  struct Row {
    const char *text;
    CUresult code;
  } const rows[] = {
      {"rubbish", CUDA_ERROR_INVALID_PTX},
      {".version 8.0\n.target sm_80\n.visible .entry k() { ret; ",
       CUDA_ERROR_INVALID_PTX},
      {".version 8.0\n.target sm_80\n.visible .entry k() { bra nowhere; }\n",
       CUDA_ERROR_INVALID_PTX},
      {".version 8.0\n.target sm_80\n.visible .entry k() { add.u32 %r1, %r2, "
       "%r3; ret; }\n",
       CUDA_ERROR_INVALID_PTX},
      {".version 8.0\n.target sm_100a\n.visible .entry k() { ret; }\n",
       CUDA_ERROR_INVALID_PTX},
      {".version 99.0\n.target sm_80\n.visible .entry k() { ret; }\n",
       CUDA_ERROR_UNSUPPORTED_PTX_VERSION},
  };
  for (const Row &row : rows) {
    CUmodule module = nullptr;
    EXPECT_EQ(CU(cuModuleLoadData)(&module, row.text), row.code) << row.text;
    CUlibrary library = nullptr;
    EXPECT_EQ(CU(cuLibraryLoadData)(&library, row.text, nullptr, nullptr, 0,
                                    nullptr, nullptr, 0),
              row.code)
        << row.text;
  }
  EXPECT_CU(CU(cuCtxSynchronize)()); // none of it ends the context
}

// Machine code alone: there is nothing here that could run it.
TEST_F(DriverTest, cubinOnly) {
  std::string cubin = "\x7f"
                      "ELF";
  cubin.resize(64);
  CUmodule module = nullptr;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, cubin.c_str()),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  CUlibrary library = nullptr;
  EXPECT_EQ(CU(cuLibraryLoadData)(&library, cubin.c_str(), nullptr, nullptr, 0,
                                  nullptr, nullptr, 0),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  CUlinkState link = nullptr;
  EXPECT_CU(CU(cuLinkCreate)(0, nullptr, nullptr, &link));
  EXPECT_EQ(CU(cuLinkAddData)(link, CU_JIT_INPUT_CUBIN, cubin.data(),
                              cubin.size(), "k.cubin", 0, nullptr, nullptr),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_CU(CU(cuLinkDestroy)(link));
}

// `extra` says how many bytes there are: too few or too many are refused.
TEST_F(DriverTest, argumentSizes) {
  CUfunction add = function(load(addPtx), "add");
  struct Arguments {
    CUdeviceptr p;
    int v = 1, more = 0;
  } arguments{allocate(4)};
  EXPECT_CU(CU(cuMemsetD32)(arguments.p, 1, 1));
  auto launchWith = [&](size_t bytes) {
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    return CU(cuLaunchKernel)(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                              extra);
  };
  EXPECT_EQ(launchWith(8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launchWith(0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(launchWith(12));
  void *parameters[] = {&arguments.p, &arguments.v};
  size_t bytes = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  EXPECT_EQ(
      CU(cuLaunchKernel)(add, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, extra),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      CU(cuLaunchKernel)(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(download<int>(arguments.p, 1)[0], 2);
}

TEST_F(DriverTest, tooMuchSharedMemory) {
  CUfunction add = function(load(addPtx), "add");
  CUdeviceptr p = allocate(4);
  int v = 0;
  void *parameters[] = {&p, &v};
  auto run = [&](unsigned shared) {
    return CU(cuLaunchKernel)(add, 1, 1, 1, 1, 1, 1, shared, nullptr,
                              parameters, nullptr);
  };
  EXPECT_CU(CU(cuMemsetD32)(p, 1, 1));
  EXPECT_CU(run(49152));
  EXPECT_EQ(run(49153), CUDA_ERROR_INVALID_VALUE); // without opting in
  int most = 0;
  EXPECT_CU(CU(cuDeviceGetAttribute)(
      &most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  constexpr auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(CU(cuFuncSetAttribute)(add, dynamic, most + 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuFuncSetAttribute)(add, dynamic, most));
  EXPECT_CU(run(unsigned(most)));
  EXPECT_EQ(run(unsigned(most) + 1), CUDA_ERROR_INVALID_VALUE);
}

// After a fault everything that needs the context gives its code, until the
// context goes.
TEST_F(DriverTest, everythingAfterAFault) {
  CUmodule module = load(addPtx);
  CUfunction bad = function(module, "bad"), add = function(module, "add");
  CUdeviceptr p = allocate(4), other = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  EXPECT_CU(CU(cuStreamCreate)(&stream, 0));
  EXPECT_CU(CU(cuEventCreate)(&event, 0));
  testing::internal::CaptureStderr();
  EXPECT_CU(launch(bad, 1, 1, stream, p));
  testing::internal::GetCapturedStderr();
  constexpr auto sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
  int host = 0;
  EXPECT_EQ(CU(cuStreamSynchronize)(stream), sticky);
  EXPECT_EQ(CU(cuStreamQuery)(stream), sticky);
  EXPECT_EQ(CU(cuEventRecord)(event, stream), sticky);
  EXPECT_EQ(CU(cuMemAlloc)(&other, 4), sticky);
  EXPECT_EQ(CU(cuMemFree)(p), sticky);
  EXPECT_EQ(CU(cuMemcpyDtoH)(&host, p, 4), sticky);
  EXPECT_EQ(CU(cuMemcpyHtoD)(p, &host, 4), sticky);
  EXPECT_EQ(CU(cuMemsetD32)(p, 0, 1), sticky);
  EXPECT_EQ(launch(add, 1, 1, stream, p, 1), sticky);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, addPtx), sticky);
  // What asks only for the device goes on.
  CUdevice device = 0;
  EXPECT_CU(CU(cuDeviceGet)(&device, 0));
}

TEST_F(DriverTest, everyFaultHasItsCode) {
  struct Row {
    const char *body;
    CUresult code;
  } const rows[] = {
      {"st.global.u32 [%rd1+4096], 1;", CUDA_ERROR_ILLEGAL_ADDRESS},
      {"st.shared.u32 [bar+4096], 1;", CUDA_ERROR_ILLEGAL_ADDRESS},
      {"st.global.u32 [%rd1+1], 1;", CUDA_ERROR_MISALIGNED_ADDRESS},
      {"trap;", CUDA_ERROR_LAUNCH_FAILED},
      {"mbarrier.init.shared.b64 [bar], 0;", CUDA_ERROR_ILLEGAL_INSTRUCTION},
  };
  for (const Row &row : rows) {
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n"
                       ".visible .entry k(.param .u64 p) {\n"
                       ".shared .align 8 .b64 bar;\n.reg .b64 %rd<2>;\n"
                       "ld.param.u64 %rd1, [p];\n" +
                       std::string(row.body) + "\nret;\n}\n";
    CUdeviceptr p = allocate(16);
    testing::internal::CaptureStderr();
    EXPECT_CU(launch(function(load(text), "k"), 1, 1, nullptr, p));
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(CU(cuCtxSynchronize)(), row.code) << row.body;
    TearDown();
    SetUp();
  }
}

TEST_F(DriverTest, unknownAttributesAndHandles) {
  int value = 0;
  CUfunction add = function(load(addPtx), "add");
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CUdevice_attribute(100000), 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE,
                                     CUdevice(7)),
            CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuFuncGetAttribute)(&value, CUfunction_attribute(1000), add),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuFuncSetAttribute)(add, CUfunction_attribute(1000), 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuFuncSetAttribute)(add, CU_FUNC_ATTRIBUTE_NUM_REGS, 1),
            CUDA_ERROR_INVALID_VALUE); // read only
  EXPECT_EQ(
      CU(cuPointerGetAttribute)(&value, CUpointer_attribute(1000), allocate(4)),
      CUDA_ERROR_INVALID_VALUE);
  CUdevice device = 0;
  EXPECT_EQ(CU(cuDeviceGet)(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuDeviceGet)(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  const char *text = nullptr;
  EXPECT_EQ(CU(cuGetErrorName)(CUresult(54321), &text),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(DriverTest, freeingAndDestroyingTwice) {
  CUdeviceptr p = allocate(16);
  EXPECT_CU(CU(cuMemFree)(p));
  EXPECT_EQ(CU(cuMemFree)(p), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyDtoD)(p, p, 4), CUDA_ERROR_INVALID_VALUE);
  void *host = nullptr;
  EXPECT_CU(CU(cuMemAllocHost)(&host, 16));
  EXPECT_CU(CU(cuMemFreeHost)(host));
  EXPECT_EQ(CU(cuMemFreeHost)(host), CUDA_ERROR_INVALID_VALUE);
  CUstream stream = nullptr;
  EXPECT_CU(CU(cuStreamCreate)(&stream, 0));
  EXPECT_CU(CU(cuStreamDestroy)(stream));
  EXPECT_EQ(CU(cuStreamDestroy)(stream), CUDA_ERROR_INVALID_HANDLE);
  CUevent event = nullptr;
  EXPECT_CU(CU(cuEventCreate)(&event, 0));
  EXPECT_CU(CU(cuEventDestroy)(event));
  EXPECT_EQ(CU(cuEventDestroy)(event), CUDA_ERROR_INVALID_HANDLE);
}

// A fork of a process that has called cuInit.
TEST_F(DriverTest, nothingWorksAfterFork) {
  pid_t child = fork();
  if (child == 0) {
    CUdeviceptr p = 0;
    bool right = CU(cuMemAlloc)(&p, 4) == CUDA_ERROR_NOT_INITIALIZED &&
                 CU(cuInit)(0) == CUDA_ERROR_NOT_INITIALIZED;
    _exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_CU(CU(cuCtxSynchronize)());
}

} // namespace kclaw::sim
