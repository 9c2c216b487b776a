//===- ArraysTest.cpp - Bytes of shapes -----------------------------------===//
#include "Arrays.h"
#include "DeviceBuffers.h"

#include <gtest/gtest.h>

using namespace kclaw;

TEST(Arrays, BytesThatWrapRoundAreAnErrorWithTheShape) {
  constexpr int64_t large = int64_t{1} << 40;
  EXPECT_EQ(arrayBytes(DType::f32, {large, 3}), uint64_t(large) * 12);
  Expected<uint64_t> bytes = arrayBytes(DType::f32, {large, large});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "f32[1099511627776,1099511627776] has more "
                                   "than 2^63-1 bytes");
}

TEST(Arrays, AnEmptyArrayHasNoBytesWhateverTheOtherSizes) {
  constexpr int64_t large = int64_t{1} << 40;
  EXPECT_EQ(arrayBytes(DType::f64, {large, large, 0}), 0u);
}

// Not Unavailable: kernelclaw-run's exit code 3 says that there is no device.
TEST(DeviceBuffers, HostMemoryThatIsNotThereIsNoMissingDevice) {
  for (uint64_t bytes : {uint64_t{1} << 62, UINT64_MAX}) {
    Expected<void *> memory = makeHostBuffers()->place(nullptr, bytes);
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().code, Error::Code::Budget);
    EXPECT_EQ(memory.error().message,
              "no host memory for " + std::to_string(bytes) + " bytes");
  }
}
