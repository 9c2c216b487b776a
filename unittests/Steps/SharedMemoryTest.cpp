//===- SharedMemoryTest.cpp - Shared memory at the limits -----------------===//
//
// NV-04: between the default limit and 48 KiB, static plus dynamic, and beyond
// what the device has. On the simulated driver (sm_90: 227 KiB a block), which
// CMake names in the environment; the numbers are those of the hardware.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Runtime/kcl_entry.h"

#include <gtest/gtest.h>

#include <string>

namespace {
struct SharedMemory : testing::Test {
  SharedMemory() { call.abi_version = KCL_ABI_VERSION; }
  ~SharedMemory() override { kclModuleUnload(module, &call); }

  int32_t load(uint32_t staticBytes) {
    std::string ptx = ".version 8.0\n.target sm_90\n.address_size 64\n"
                      ".extern .shared .align 16 .b8 dynamic[];\n"
                      ".visible .entry k()\n{\n";
    if (staticBytes)
      ptx += ".shared .align 4 .b8 fixed[" + std::to_string(staticBytes) +
             "];\n.reg .b32 %r<2>;\nmov.u32 %r1, fixed;\n"
             "st.shared.u32 [%r1], %r1;\n";
    ptx += "ret;\n}\n";
    return kclModuleLoad(ptx.c_str(), ptx.size() + 1, &module, &call);
  }
  /// The status of finding the kernel, and of launching it.
  int32_t launch(uint32_t dynamicBytes) {
    void *function = nullptr;
    if (int32_t status =
            kclModuleFunction(module, "k", dynamicBytes, &function, &call))
      return status;
    kcl_kernel_step step = {.function = function,
                            .grid = {1, 1, 1},
                            .block = {1, 1, 1},
                            .cluster = {1, 1, 1},
                            .shared_bytes = dynamicBytes,
                            .cooperative = 0,
                            .arg_count = 0,
                            .args = nullptr};
    return kclStepKernel(&step, &call);
  }

  kcl_call call = {};
  kcl_module *module = nullptr;
};
} // namespace

TEST_F(SharedMemory, Dynamic48KiBWithAStaticWordLaunches) {
  ASSERT_EQ(load(4), KCL_OK) << call.error;
  EXPECT_EQ(launch(49152), KCL_OK) << call.error;
}

TEST_F(SharedMemory, UpTo227KiBLaunches) {
  ASSERT_EQ(load(0), KCL_OK) << call.error;
  for (uint32_t bytes : {49152u, 100u << 10, 227u << 10})
    EXPECT_EQ(launch(bytes), KCL_OK) << call.error;
}

TEST_F(SharedMemory, MoreThanTheDeviceHasIsToldWithItsLimit) {
  ASSERT_EQ(load(0), KCL_OK) << call.error;
  EXPECT_NE(launch(228 << 10), KCL_OK);
  EXPECT_NE(std::string(call.error)
                .find("asks for 233472 dynamic and 0 static bytes of shared "
                      "memory, the device allows 232448 a block"),
            std::string::npos)
      << call.error;
}

TEST_F(SharedMemory, StaticBytesCountAgainstTheLimit) {
  ASSERT_EQ(load(4), KCL_OK) << call.error;
  EXPECT_NE(launch(227 << 10), KCL_OK);
  EXPECT_NE(std::string(call.error).find("and 4 static bytes"),
            std::string::npos)
      << call.error;
}

// ptxas: "uses too much shared data (0xc001 bytes, 0xc000 max)".
TEST_F(SharedMemory, MoreThan48KiBStaticIsNoModule) {
  EXPECT_NE(load(49153), KCL_OK);
  EXPECT_NE(std::string(call.error).find("CUDA_ERROR_INVALID_PTX"),
            std::string::npos)
      << call.error;
}
