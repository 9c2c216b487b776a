//===- CheckTensorsTest.cpp - What a wrong call is told -------------------===//
#include "kernelclaw/Runtime/kcl_entry.h"

#include <gtest/gtest.h>

namespace {

/// An entry f32[3,n] -> f32[3,n] on the CPU and one valid call of it.
struct CheckTensors : testing::Test {
  const int64_t declared[2] = {3, -1};
  kcl_value_info value = {"x", KCL_TENSOR,        2, declared,
                          4,   {kDLFloat, 32, 1}, 0};
  kcl_entry_info info = {KCL_ABI_VERSION, kDLCPU, "main", 1, 1, 1, 0,
                         &value,          &value};
  float data[16] = {};
  int64_t argShape[2] = {3, 4}, resultShape[2] = {3, 4};
  DLTensor arg = {data,     {kDLCPU, 0}, 2, {kDLFloat, 32, 1},
                  argShape, nullptr,     0};
  DLTensor result = {data,        {kDLCPU, 0}, 2, {kDLFloat, 32, 1},
                     resultShape, nullptr,     0};
  DLTensor *args[1] = {&arg}, *results[1] = {&result};
  kcl_call call = {};

  CheckTensors() { call.abi_version = KCL_ABI_VERSION; }
  std::string check() {
    int32_t status = kclCheckTensors(&info, args, results, &call);
    EXPECT_EQ(status == KCL_OK, call.error[0] == '\0');
    return call.error;
  }
};

} // namespace

TEST_F(CheckTensors, ValidCallPassesAndResetsCounters) {
  call.regions_won = 5;
  EXPECT_EQ(check(), "");
  EXPECT_EQ(call.regions_won, 0u);
}

TEST_F(CheckTensors, Shape) {
  argShape[0] = 2;
  EXPECT_EQ(check(), "argument 0 'x' has shape [2,4], [3,?] expected");
}

TEST_F(CheckTensors, Rank) {
  arg.ndim = 1;
  EXPECT_EQ(check(), "argument 0 'x' has shape [3], [3,?] expected");
}

TEST_F(CheckTensors, SymbolMustAgree) {
  resultShape[1] = 5;
  EXPECT_EQ(check(), "result 0 'x' has size 5 in dimension 1; it must equal "
                     "4, the size of dimension 1 of argument 0 'x'");
}

TEST_F(CheckTensors, OnlyArgumentsCouldBeRepeated) {
  argShape[1] = 1;
  EXPECT_EQ(check(), "result 0 'x' has size 4 in dimension 1; it must equal "
                     "1, the size of dimension 1 of argument 0 'x'");
}

TEST_F(CheckTensors, Dtype) {
  arg.dtype = {kDLFloat, 64, 1};
  EXPECT_EQ(check(), "argument 0 'x' has dtype f64, f32 expected");
}

TEST_F(CheckTensors, Device) {
  arg.device.device_type = kDLCUDA;
  EXPECT_EQ(check(), "argument 0 'x' is on a CUDA device, the CPU expected");
}

TEST_F(CheckTensors, ScalarsStayOnTheHost) {
  info.device_type = kDLCUDA;
  value.kind = KCL_SCALAR_FLOAT;
  EXPECT_EQ(check(), "");
}

TEST_F(CheckTensors, Strides) {
  int64_t transposed[2] = {1, 3};
  arg.strides = transposed;
  EXPECT_EQ(check(), "argument 0 'x' has strides [1,3]; a contiguous row-major "
                     "tensor expected");
  int64_t contiguous[2] = {4, 1};
  arg.strides = contiguous;
  EXPECT_EQ(check(), "");
}

TEST_F(CheckTensors, Alignment) {
  value.alignment = 256;
  arg.byte_offset = 256 - reinterpret_cast<uintptr_t>(data) % 256 + 4;
  EXPECT_EQ(check(), "argument 0 'x' is not aligned to 256 bytes");
}

TEST_F(CheckTensors, NullPointers) {
  arg.data = nullptr;
  EXPECT_EQ(check(), "argument 0 'x' has no data (a null pointer)");
  args[0] = nullptr;
  EXPECT_EQ(check(), "argument 0 'x' is missing (a null pointer)");
}

TEST_F(CheckTensors, EmptyTensorsNeedNoData) {
  argShape[1] = resultShape[1] = 0;
  arg.data = result.data = nullptr;
  EXPECT_EQ(check(), "");
}

TEST_F(CheckTensors, AbiVersion) {
  call.abi_version = 0;
  EXPECT_EQ(check(), "call has ABI version 0, 1 expected; set "
                     "kcl_call.abi_version");
}

TEST_F(CheckTensors, ResultSizes) {
  int64_t sizes[1] = {7};
  EXPECT_EQ(kclCheckResultSizes(&info, results, sizes, &call),
            KCL_INVALID_ARGUMENT);
  EXPECT_STREQ(call.error, "result 0 has size 4 in dimension 1, 7 expected");
}

TEST_F(CheckTensors, Workspace) {
  EXPECT_EQ(kclCheckWorkspace(0, &call), KCL_OK);
  EXPECT_EQ(kclCheckWorkspace(512, &call), KCL_NO_MEMORY);
  EXPECT_STREQ(call.error,
               "workspace has 0 bytes, 512 needed; ask NAME_workspace");
}

TEST_F(CheckTensors, Persistent) {
  EXPECT_EQ(kclCheckPersistent(0, &call), KCL_OK);
  alignas(256) char memory[512];
  call.persistent = memory;
  call.persistent_bytes = 256;
  EXPECT_EQ(kclCheckPersistent(256, &call), KCL_OK);
  EXPECT_EQ(kclCheckPersistent(512, &call), KCL_NO_MEMORY);
  EXPECT_STREQ(call.error,
               "persistent has 256 bytes, 512 needed; ask NAME_persistent");
  call.persistent = memory + 16;
  EXPECT_EQ(kclCheckPersistent(256, &call), KCL_INVALID_ARGUMENT);
}

TEST_F(CheckTensors, SizesThatDoNotFitTellTheArgumentsShapes) {
  int64_t sizes[2] = {4, INT64_MAX - 1};
  EXPECT_EQ(kclCheckSizes("too large", &info, args, sizes, 2, &call), KCL_OK);
  sizes[1] = INT64_MAX;
  EXPECT_EQ(kclCheckSizes("too large", &info, args, sizes, 2, &call),
            KCL_INVALID_ARGUMENT);
  EXPECT_STREQ(call.error, "too large with arguments of shape [3,4]");
}
