//===- DriverLibraryStepsTest.cpp - kclSimMatmul, kclSimConvolution -------===//
#include "DriverLibrary.h"
#include "kernelclaw/Steps/kcl_steps.h"

namespace kclaw::sim {
namespace {

using MatmulFn = int32_t (*)(const kcl_matmul_step *, kcl_call *);
using ConvolutionFn = int32_t (*)(const kcl_convolution_step *, kcl_call *);

class LibraryStepsTest : public DriverTest {
protected:
  static int32_t matmul(const kcl_matmul_step &step, kcl_call &call) {
    return reinterpret_cast<MatmulFn>(driverSymbol("kclSimMatmul"))(&step,
                                                                    &call);
  }
  static kcl_matrix matrix(CUdeviceptr at, int64_t columns) {
    return {reinterpret_cast<void *>(at), columns, 0, KCL_F32, 0};
  }
  /// D (2 x 2) = A (2 x 3) * B (3 x 2)
  kcl_matmul_step small() {
    kcl_matmul_step step = {};
    step.a = matrix(upload<float>({1, 2, 3, 4, 5, 6}), 3);
    step.b = matrix(upload<float>({1, 0, 0, 1, 1, 1}), 2);
    step.d = matrix(allocate(16), 2);
    step.m = step.n = 2;
    step.k = 3;
    step.batch = 1;
    step.alpha = 1;
    step.compute = KCL_COMPUTE_F32;
    return step;
  }
  static CUdeviceptr addressOf(const kcl_matrix &matrix) {
    return reinterpret_cast<CUdeviceptr>(matrix.data);
  }
  kcl_call call = {};
};

const std::vector<float> product = {4, 5, 10, 11};

TEST_F(LibraryStepsTest, MatmulRunsOnTheStreamAndItsResultIsDefined) {
  kcl_matmul_step step = small();
  EXPECT_EQ(matmul(step, call), KCL_OK) << call.error;
  EXPECT_EQ(download<float>(addressOf(step.d), 4), product);
  // A kernel may read it: `add` loads what nobody else wrote.
  EXPECT_CU(launch(function(load(addPtx), "add"), 1, 4, nullptr,
                   addressOf(step.d), 0u));
  EXPECT_CU(CU(cuCtxSynchronize)());
}
TEST_F(LibraryStepsTest, ConvolutionRuns) {
  kcl_convolution_step step = {};
  step.input = reinterpret_cast<void *>(upload<float>({1, 2, 3, 4}));
  step.weight = reinterpret_cast<void *>(upload<float>({1, 10}));
  CUdeviceptr out = allocate(12);
  step.output = reinterpret_cast<void *>(out);
  step.element = KCL_F32;
  step.spatial = 1;
  step.batch = step.in_channels = step.out_channels = step.groups = 1;
  step.in[0] = 4;
  step.kernel[0] = 2;
  step.out[0] = 3;
  step.stride[0] = step.dilation[0] = 1;
  auto run = reinterpret_cast<ConvolutionFn>(driverSymbol("kclSimConvolution"));
  EXPECT_EQ(run(&step, &call), KCL_OK) << call.error;
  EXPECT_EQ(download<float>(out, 3), (std::vector<float>{21, 32, 43}));
  step.stride[0] = 2;
  EXPECT_EQ(run(&step, &call), KCL_INVALID_ARGUMENT);
  EXPECT_NE(std::string(call.error).find("spatial dim 0"), std::string::npos);
}
TEST_F(LibraryStepsTest, ACaptureRunsItAtEachLaunch) {
  kcl_matmul_step step = small();
  CUstream stream = nullptr;
  EXPECT_CU(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  EXPECT_CU(CU(cuStreamBeginCapture)(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  call.stream = stream;
  EXPECT_EQ(matmul(step, call), KCL_OK) << call.error;
  CUgraph graph = nullptr;
  EXPECT_CU(CU(cuStreamEndCapture)(stream, &graph));
  CUgraphExec exec = nullptr;
  EXPECT_CU(CU(cuGraphInstantiateWithFlags)(&exec, graph, 0));
  EXPECT_CU(CU(cuMemsetD32)(addressOf(step.d), 0, 4));
  EXPECT_CU(CU(cuGraphLaunch)(exec, stream));
  EXPECT_EQ(download<float>(addressOf(step.d), 4), product);
}
TEST_F(LibraryStepsTest, SmallBuffersAreAFault) {
  kcl_matmul_step step = small();
  step.d.ld = 3;
  EXPECT_EQ(matmul(step, call), KCL_OK);
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(matmul(step, call), KCL_DEVICE_ERROR);
  EXPECT_NE(std::string(call.error).find("ILLEGAL_ADDRESS"), std::string::npos);
}
TEST_F(LibraryStepsTest, OperandsThatNothingWroteAreAFault) {
  kcl_matmul_step step = small();
  step.a.data = reinterpret_cast<void *>(allocate(24));
  EXPECT_EQ(matmul(step, call), KCL_OK);
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_FAILED);
  auto report = reinterpret_cast<size_t (*)(char *, size_t)>(
      driverSymbol("kclSimLastReport"));
  char text[256];
  report(text, sizeof text);
  EXPECT_NE(std::string(text).find("byte 0 of A"), std::string::npos) << text;
}
TEST_F(LibraryStepsTest, BadNumbersRunNothing) {
  kcl_matmul_step step = small();
  step.b.element = KCL_F16;
  EXPECT_EQ(matmul(step, call), KCL_INVALID_ARGUMENT);
  EXPECT_NE(std::string(call.error).find("no such product"), std::string::npos);
  EXPECT_CU(CU(cuCtxSynchronize)());
}

} // namespace
} // namespace kclaw::sim
