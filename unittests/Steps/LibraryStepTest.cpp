//===- LibraryStepTest.cpp - Matmul and convolution steps -----------------===//
//
// On the simulated driver, through the exports of the runtime: load, choose,
// run, unload.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Steps/kcl_steps.h"

#include <gtest/gtest.h>
#include <vector>

namespace {
struct LibraryStep : testing::Test {
  ~LibraryStep() override {
    for (void *memory : allocated)
      kclConstantUnload(memory, &call);
  }
  void *upload(const std::vector<float> &values) {
    void *memory = nullptr;
    EXPECT_EQ(kclConstantLoad(values.data(), values.size() * 4, &memory, &call),
              KCL_OK)
        << call.error;
    allocated.push_back(memory);
    return memory;
  }
  /// The simulated device's memory is the host's.
  static std::vector<float> read(const void *memory, size_t count) {
    kcl_call wait = {};
    EXPECT_EQ(kclConstantsWait(&wait), KCL_OK);
    auto *values = static_cast<const float *>(memory);
    return {values, values + count};
  }
  static kcl_matrix matrix(void *data, int64_t columns) {
    return {data, columns, 0, KCL_F32, 0};
  }

  kcl_call call = {};
  std::vector<void *> allocated;
};
} // namespace

TEST_F(LibraryStep, MatmulAddsItsBias) {
  kcl_matmul_step step = {};
  step.a = matrix(upload({1, 2, 3, 4}), 2);
  step.b = matrix(upload({1, 0, 1, 1}), 2);
  step.d = matrix(upload({0, 0, 0, 0}), 2);
  step.m = step.n = step.k = 2;
  step.batch = 1;
  step.alpha = 1;
  step.compute = KCL_COMPUTE_F32;
  step.epilogue = KCL_EPILOGUE_BIAS_RELU;
  step.bias = upload({10, -4});
  EXPECT_EQ(kclMatmulLoad(&step, "cuBLASLt 130100: 66,20", &step.handle,
                          &step.algorithm, &call),
            KCL_OK)
      << call.error;
  kcl_library_choice choice;
  EXPECT_EQ(kclMatmulChoose(&step, &choice, &call), KCL_OK) << call.error;
  EXPECT_STREQ(choice.text, "");
  EXPECT_EQ(kclStepMatmul(&step, &call), KCL_OK) << call.error;
  EXPECT_EQ(read(step.d.data, 4), (std::vector<float>{13, 0, 17, 0}));
  EXPECT_EQ(kclMatmulUnload(step.handle, step.algorithm), KCL_OK);
}

TEST_F(LibraryStep, ConvolutionRuns) {
  kcl_convolution_step step = {};
  step.input = upload({1, 2, 3, 4});
  step.weight = upload({1, 10});
  step.bias = upload({100});
  step.output = upload({0, 0, 0});
  step.element = KCL_F32;
  step.spatial = 1;
  step.batch = step.in_channels = step.out_channels = step.groups = 1;
  step.in[0] = 4;
  step.out[0] = 3;
  step.kernel[0] = 2;
  step.stride[0] = step.dilation[0] = 1;
  EXPECT_EQ(kclConvolutionLoad(&step, nullptr, &step.handle, &step.plan, &call),
            KCL_OK)
      << call.error;
  EXPECT_EQ(kclStepConvolution(&step, &call), KCL_OK) << call.error;
  EXPECT_EQ(read(step.output, 3), (std::vector<float>{121, 132, 143}));
  EXPECT_EQ(kclConvolutionUnload(step.handle, step.plan), KCL_OK);
}

TEST_F(LibraryStep, AnEmptyMatmulIsNothingToDo) {
  kcl_matmul_step step = {};
  step.m = 0;
  step.n = step.k = step.batch = 1;
  EXPECT_EQ(kclStepMatmul(&step, &call), KCL_OK) << call.error;
}

TEST_F(LibraryStep, AWrongStepIsToldInWords) {
  kcl_matmul_step step = {};
  step.m = step.n = step.k = step.batch = 1;
  EXPECT_EQ(kclStepMatmul(&step, &call), KCL_INVALID_ARGUMENT);
  EXPECT_NE(std::string(call.error).find("no such product"), std::string::npos)
      << call.error;
}
