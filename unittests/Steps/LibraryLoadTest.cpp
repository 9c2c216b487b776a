//===- LibraryLoadTest.cpp - Library steps without a library --------------===//
//
// On the recording driver, which is not simulated: a step needs the library.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Steps/kcl_steps.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

TEST(LibraryLoad, AStepThatWasNotLoadedIsRefused) {
  kcl_call call = {};
  kcl_matmul_step matmul = {};
  matmul.m = matmul.n = matmul.k = matmul.batch = 1;
  EXPECT_EQ(kclStepMatmul(&matmul, &call), KCL_NOT_LOADED);
  kcl_convolution_step convolution = {};
  convolution.batch = 1;
  EXPECT_EQ(kclStepConvolution(&convolution, &call), KCL_NOT_LOADED);
}

/// The environment names files that do not exist (CMakeLists.txt).
TEST(LibraryLoad, AMissingLibraryIsNamed) {
  kcl_call call = {};
  void *handle = nullptr;
  const void *object = nullptr;
  EXPECT_EQ(kclMatmulLoad(nullptr, nullptr, &handle, &object, &call),
            KCL_UNAVAILABLE);
  EXPECT_NE(std::string(call.error).find("cuBLASLt"), std::string::npos)
      << call.error;
  kcl_convolution_step step = {};
  EXPECT_EQ(kclConvolutionLoad(&step, nullptr, &handle, &object, &call),
            KCL_UNAVAILABLE);
  EXPECT_NE(std::string(call.error).find("cuDNN"), std::string::npos)
      << call.error;
}
