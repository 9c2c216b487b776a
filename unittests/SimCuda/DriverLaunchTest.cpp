//===- DriverLaunchTest.cpp - Modules, launches, faults, streams, graphs --===//
#include "DriverLibrary.h"

#include <atomic>
#include <fstream>
#include <thread>

namespace kclaw::sim {

TEST_F(DriverTest, launch) {
  CUfunction add = function(load(addPtx), "add");
  CUdeviceptr p = upload(std::vector<int>(128, 5));
  EXPECT_CU(launch(add, 4, 32, nullptr, p, 10));
  EXPECT_EQ(download<int>(p, 128), std::vector<int>(128, 15));
  // The buffer form.
  struct {
    CUdeviceptr p;
    int v;
  } arguments = {p, 1};
  size_t bytes = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  EXPECT_CU(
      CU(cuLaunchKernel)(add, 4, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT_EQ(download<int>(p, 128), std::vector<int>(128, 16));
  bytes = 8;
  EXPECT_EQ(
      CU(cuLaunchKernel)(add, 4, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra),
      CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, launchLimits) {
  CUmodule module = load(addPtx);
  CUfunction add = function(module, "add"), small = function(module, "small");
  CUdeviceptr p = allocate(4);
  int v = 0;
  void *parameters[] = {&p, &v};
  auto run = [&](CUfunction f, unsigned grid, unsigned block, unsigned shared,
                 void **arguments) {
    return CU(cuLaunchKernel)(f, grid, 1, 1, block, 1, 1, shared, nullptr,
                              arguments, nullptr);
  };
  EXPECT_EQ(run(add, 0, 1, 0, parameters), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(add, 1, 1025, 0, parameters), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(small, 1, 65, 0, parameters), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(add, 1, 1, 49153, parameters), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(add, 1, 1, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(nullptr, 1, 1, 0, parameters), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(reinterpret_cast<CUfunction>(&v), 1, 1, 0, parameters),
            CUDA_ERROR_INVALID_HANDLE);
  constexpr auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(CU(cuFuncSetAttribute)(add, dynamic, 232449),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuFuncSetAttribute)(add, dynamic, 232448));
  EXPECT_CU(CU(cuMemsetD32)(p, 1, 1));
  EXPECT_CU(run(add, 1, 1, 232448, parameters));
}

TEST_F(DriverTest, attributes) {
  CUmodule module = load(addPtx);
  CUfunction small = function(module, "small");
  int value = 0;
  auto get = [&](CUfunction_attribute attribute) {
    EXPECT_CU(CU(cuFuncGetAttribute)(&value, attribute, small));
    return value;
  };
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 256);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 64);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PTX_VERSION), 80);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_BINARY_VERSION), 90);
  EXPECT_EQ(CU(cuFuncGetAttribute)(&value, CUfunction_attribute(99), small),
            CUDA_ERROR_INVALID_VALUE);
  const char *name = nullptr;
  EXPECT_CU(CU(cuFuncGetName)(&name, small));
  EXPECT_STREQ(name, "small");
  size_t offset = 9, bytes = 0;
  CUfunction add = function(module, "add");
  EXPECT_CU(CU(cuFuncGetParamInfo)(add, 1, &offset, &bytes));
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(CU(cuFuncGetParamInfo)(add, 2, &offset, &bytes),
            CUDA_ERROR_INVALID_VALUE);
  int blocks = 0;
  EXPECT_CU(
      CU(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, add, 1024, 0));
  EXPECT_EQ(blocks, 2);
}

TEST_F(DriverTest, moduleErrors) {
  CUmodule module = nullptr;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, "rubbish"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, "\x7f"
                                          "ELF............"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(CU(cuModuleLoad)(&module, "/nowhere"), CUDA_ERROR_FILE_NOT_FOUND);
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  const char *bad = ".version 8.0\n.target sm_80\n.address_size 64\n"
                    ".visible .entry k() {\n  frobnicate.u32;\n  ret;\n}\n";
  EXPECT_EQ(CU(cuModuleLoadDataEx)(&module, bad, 2, options, values),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_NE(std::string(log).find("frobnicate"), std::string::npos) << log;
  EXPECT_NE(std::string(log).find("line 5"), std::string::npos) << log;
  module = load(addPtx);
  CUfunction f = nullptr;
  EXPECT_EQ(CU(cuModuleGetFunction)(&f, module, "nothing"),
            CUDA_ERROR_NOT_FOUND);
  CUdeviceptr counter = 0;
  size_t bytes = 0;
  EXPECT_CU(CU(cuModuleGetGlobal)(&counter, &bytes, module, "counter"));
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(download<int>(counter, 1)[0], 7);
  EXPECT_CU(CU(cuModuleUnload)(module));
  EXPECT_EQ(CU(cuModuleUnload)(module), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverTest, library) {
  CUlibrary library = nullptr;
  EXPECT_CU(CU(cuLibraryLoadData)(&library, addPtx, nullptr, nullptr, 0,
                                  nullptr, nullptr, 0));
  CUkernel kernel = nullptr;
  EXPECT_CU(CU(cuLibraryGetKernel)(&kernel, library, "add"));
  CUdeviceptr p = upload(std::vector<int>(32, 1));
  int v = 2;
  void *parameters[] = {&p, &v};
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32, config.blockDimY = config.blockDimZ = 1;
  EXPECT_CU(CU(cuLaunchKernelEx)(&config, reinterpret_cast<CUfunction>(kernel),
                                 parameters, nullptr));
  EXPECT_EQ(download<int>(p, 32), std::vector<int>(32, 3));
  CUlaunchAttribute cluster = {};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {3, 1, 1};
  config.attrs = &cluster;
  config.numAttrs = 1;
  config.gridDimX = 4;
  EXPECT_EQ(CU(cuLaunchKernelEx)(&config, reinterpret_cast<CUfunction>(kernel),
                                 parameters, nullptr),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_CU(CU(cuLibraryUnload)(library));
}

TEST_F(DriverTest, link) {
  const char *callee = ".version 8.0\n.target sm_80\n.address_size 64\n"
                       ".visible .func (.param .b32 r) seven() {\n"
                       "  st.param.b32 [r], 7;\n  ret;\n}\n";
  const char *caller =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".extern .func (.param .b32 r) seven();\n"
      ".visible .entry k(.param .u64 p) {\n  .reg .b32 %r<2>;\n"
      "  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [p];\n  {\n"
      "  .param .b32 back;\n  call.uni (back), seven, ();\n"
      "  ld.param.b32 %r1, [back];\n  }\n  st.global.u32 [%rd1], %r1;\n"
      "  ret;\n}\n";
  CUlinkState state = nullptr;
  auto add = [&](const char *text, const char *name) {
    return CU(cuLinkAddData)(state, CU_JIT_INPUT_PTX, const_cast<char *>(text),
                             strlen(text) + 1, name, 0, nullptr, nullptr);
  };
  void *image = nullptr;
  size_t bytes = 0;
  EXPECT_CU(CU(cuLinkCreate)(0, nullptr, nullptr, &state));
  EXPECT_CU(add(caller, "caller"));
  EXPECT_EQ(CU(cuLinkComplete)(state, &image, &bytes), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(add("rubbish", "bad"), CUDA_ERROR_INVALID_PTX);
  EXPECT_CU(add(callee, "callee"));
  EXPECT_CU(CU(cuLinkComplete)(state, &image, &bytes));
  CUmodule module = nullptr;
  EXPECT_CU(CU(cuModuleLoadData)(&module, image));
  EXPECT_CU(CU(cuLinkDestroy)(state));
  CUdeviceptr p = allocate(4);
  EXPECT_CU(launch(function(module, "k"), 1, 1, nullptr, p));
  EXPECT_EQ(download<int>(p, 1)[0], 7);
}

// As the real driver does: at the input that defines it again.
TEST_F(DriverTest, linkRefusesASecondDefinition) {
  std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
  std::string function = ".func twice() { ret; }\n";
  std::string variable = ".global .u32 count = 1;\n";
  CUlinkState state = nullptr;
  EXPECT_CU(CU(cuLinkCreate)(0, nullptr, nullptr, &state));
  auto add = [&](const std::string &text) {
    std::string input = head + text;
    return CU(cuLinkAddData)(state, CU_JIT_INPUT_PTX, input.data(),
                             input.size() + 1, "input", 0, nullptr, nullptr);
  };
  EXPECT_CU(add(".visible " + function + ".visible " + variable));
  EXPECT_CU(add(".weak " + function + ".extern .global .u32 count;\n"));
  EXPECT_EQ(add(".visible " + function), CUDA_ERROR_INVALID_SOURCE);
  EXPECT_EQ(add(".visible " + variable), CUDA_ERROR_INVALID_SOURCE);
  EXPECT_CU(CU(cuLinkDestroy)(state));
}

// A fault is seen by the next call, and by every one until the context goes.
TEST_F(DriverTest, faultsStick) {
  CUfunction bad = function(load(addPtx), "bad");
  CUdeviceptr p = allocate(4);
  testing::internal::CaptureStderr();
  EXPECT_CU(launch(bad, 1, 1, nullptr, p));
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("out of bounds: kernel bad"), std::string::npos) << text;
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(CU(cuMemFree)(p), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(launch(bad, 1, 1, nullptr, p), CUDA_ERROR_ILLEGAL_ADDRESS);
  char report[64];
  auto last = reinterpret_cast<size_t (*)(char *, size_t)>(
      driverSymbol("kclSimLastReport"));
  EXPECT_GT(last(report, sizeof report), sizeof report);
  EXPECT_EQ(std::string(report).substr(0, 13), "out of bounds");
  CUcontext context = nullptr;
  EXPECT_CU(CU(cuCtxGetCurrent)(&context));
  EXPECT_CU(CU(cuCtxDestroy)(context));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_INVALID_CONTEXT);
  SetUp();
  EXPECT_CU(CU(cuCtxSynchronize)());
}

TEST_F(DriverTest, primaryContextResets) {
  CUcontext primary = nullptr;
  EXPECT_CU(CU(cuDevicePrimaryCtxRetain)(&primary, 0));
  EXPECT_CU(CU(cuCtxPushCurrent)(primary));
  CUfunction bad = function(load(addPtx), "bad");
  CUdeviceptr p = allocate(4);
  testing::internal::CaptureStderr();
  EXPECT_CU(launch(bad, 1, 1, nullptr, p));
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_CU(CU(cuDevicePrimaryCtxReset)(0));
  EXPECT_CU(CU(cuCtxSynchronize)());
  EXPECT_EQ(CU(cuMemFree)(p), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuCtxPopCurrent)(&primary));
  EXPECT_CU(CU(cuDevicePrimaryCtxRelease)(0));
  EXPECT_EQ(CU(cuDevicePrimaryCtxRelease)(0), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverTest, eventsHaveSimulatedTimes) {
  CUevent begin = nullptr, end = nullptr;
  EXPECT_CU(CU(cuEventCreate)(&begin, 0));
  EXPECT_CU(CU(cuEventCreate)(&end, 0));
  float ms = -1;
  EXPECT_EQ(CU(cuEventElapsedTime)(&ms, begin, end),
            CUDA_ERROR_INVALID_HANDLE); // not recorded
  CUdeviceptr p = allocate(1 << 20);
  EXPECT_CU(CU(cuEventRecord)(begin, nullptr));
  EXPECT_CU(CU(cuMemsetD8)(p, 0, 1 << 20));
  EXPECT_CU(CU(cuEventRecord)(end, nullptr));
  EXPECT_CU(CU(cuEventSynchronize)(end));
  EXPECT_CU(CU(cuEventElapsedTime)(&ms, begin, end));
  EXPECT_GT(ms, 0);
  EXPECT_LT(ms, 1);
  EXPECT_CU(CU(cuEventDestroy)(begin));
  EXPECT_EQ(CU(cuEventDestroy)(begin), CUDA_ERROR_INVALID_HANDLE);
}

// The next operation of the stream waits for the host function.
TEST_F(DriverTest, hostFunctionsKeepTheOrder) {
  CUstream stream = nullptr;
  EXPECT_CU(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  static std::atomic<bool> go{false};
  static std::atomic<int> ran{0};
  go = false, ran = 0;
  EXPECT_CU(CU(cuLaunchHostFunc)(
      stream,
      [](void *) {
        while (!go)
          std::this_thread::yield();
        ++ran;
      },
      nullptr));
  EXPECT_EQ(CU(cuStreamQuery)(stream), CUDA_ERROR_NOT_READY);
  go = true;
  EXPECT_CU(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(ran, 1);
  EXPECT_CU(CU(cuStreamQuery)(stream));
  EXPECT_CU(CU(cuStreamDestroy)(stream));
}

TEST_F(DriverTest, capturedGraph) {
  CUfunction add = function(load(addPtx), "add");
  CUdeviceptr p = upload(std::vector<int>(32, 0));
  CUstream stream = nullptr;
  EXPECT_CU(CU(cuStreamCreate)(&stream, 0));
  EXPECT_EQ(CU(cuStreamBeginCapture)(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_CU(CU(cuStreamBeginCapture)(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_CU(CU(cuMemsetD32Async)(p, 4, 32, stream));
  EXPECT_CU(launch(add, 1, 32, stream, p, 3));
  CUgraph graph = nullptr;
  EXPECT_CU(CU(cuStreamEndCapture)(stream, &graph));
  EXPECT_EQ(download<int>(p, 1)[0], 0); // nothing ran
  size_t count = 0;
  EXPECT_CU(CU(cuGraphGetNodes)(graph, nullptr, &count));
  EXPECT_EQ(count, 2u);
  CUgraphExec exec = nullptr;
  EXPECT_CU(CU(cuGraphInstantiate)(&exec, graph, 0));
  EXPECT_CU(CU(cuGraphDestroy)(graph));
  EXPECT_CU(CU(cuGraphLaunch)(exec, stream));
  EXPECT_CU(CU(cuGraphLaunch)(exec, stream));
  EXPECT_EQ(download<int>(p, 32), std::vector<int>(32, 7));
  EXPECT_CU(CU(cuGraphExecDestroy)(exec));
  EXPECT_EQ(CU(cuGraphLaunch)(exec, stream), CUDA_ERROR_INVALID_VALUE);
}

// A second stream joins through an event; leaving it out is an error.
TEST_F(DriverTest, captureForksAndJoins) {
  CUdeviceptr p = upload(std::vector<int>(2, 0));
  CUstream a = nullptr, b = nullptr;
  CUevent fork = nullptr, join = nullptr;
  EXPECT_CU(CU(cuStreamCreate)(&a, 0));
  EXPECT_CU(CU(cuStreamCreate)(&b, 0));
  EXPECT_CU(CU(cuEventCreate)(&fork, CU_EVENT_DISABLE_TIMING));
  EXPECT_CU(CU(cuEventCreate)(&join, CU_EVENT_DISABLE_TIMING));
  for (bool joined : {true, false}) {
    EXPECT_CU(CU(cuStreamBeginCapture)(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
    EXPECT_CU(CU(cuMemsetD32Async)(p, 1, 1, a));
    EXPECT_CU(CU(cuEventRecord)(fork, a));
    EXPECT_CU(CU(cuStreamWaitEvent)(b, fork, 0));
    EXPECT_CU(CU(cuMemcpyDtoDAsync)(p + 4, p, 4, b));
    EXPECT_CU(CU(cuEventRecord)(join, b));
    if (joined)
      EXPECT_CU(CU(cuStreamWaitEvent)(a, join, 0));
    CUgraph graph = nullptr;
    EXPECT_EQ(CU(cuStreamEndCapture)(a, &graph),
              joined ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    if (!joined)
      break;
    CUgraphExec exec = nullptr;
    EXPECT_CU(CU(cuGraphInstantiate)(&exec, graph, 0));
    EXPECT_CU(CU(cuGraphLaunch)(exec, a));
    EXPECT_EQ(download<int>(p, 2), (std::vector<int>{1, 1}));
  }
}

TEST_F(DriverTest, tensorMaps) {
  CUdeviceptr p = allocate(64 * 64 * 2);
  alignas(64) CUtensorMap map;
  cuuint64_t dims[] = {64, 64}, strides[] = {128};
  cuuint32_t box[] = {64, 16}, ones[] = {1, 1};
  auto encode = [&](CUtensorMapSwizzle swizzle) {
    return CU(cuTensorMapEncodeTiled)(
        &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, reinterpret_cast<void *>(p),
        dims, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  EXPECT_CU(encode(CU_TENSOR_MAP_SWIZZLE_128B));
  EXPECT_EQ(encode(CU_TENSOR_MAP_SWIZZLE_64B), CUDA_ERROR_INVALID_VALUE);
  box[1] = 257;
  EXPECT_EQ(encode(CU_TENSOR_MAP_SWIZZLE_128B), CUDA_ERROR_INVALID_VALUE);
  box[1] = 16, strides[0] = 120;
  EXPECT_EQ(encode(CU_TENSOR_MAP_SWIZZLE_128B), CUDA_ERROR_INVALID_VALUE);
}

} // namespace kclaw::sim
