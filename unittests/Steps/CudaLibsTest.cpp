//===- CudaLibsTest.cpp - The tables of cuBLASLt and cuDNN ----------------===//
//
// No device is needed to open a library and find its entry points. Built where
// the headers are, which come with the libraries.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/CudaLibs/CublasLtApi.h"
#include "kernelclaw/CudaLibs/CudnnApi.h"

#include <gtest/gtest.h>

TEST(CudaLibs, CublasLtHasEveryEntry) {
  const auto &api = kclaw::CublasLtApi::get();
  ASSERT_TRUE(api) << api.error().message;
  EXPECT_GE(api->version, 120000u);
}

TEST(CudaLibs, CudnnHasEveryEntry) {
  const auto &api = kclaw::CudnnApi::get();
  ASSERT_TRUE(api) << api.error().message;
  EXPECT_GE(api->version, 90000u);
}
