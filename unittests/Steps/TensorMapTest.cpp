//===- TensorMapTest.cpp - Encoding tensor maps ---------------------------===//
//
// On the simulated driver, which has the rules of cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Steps/kcl_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace {

struct alignas(64) Encoded {
  std::array<unsigned char, 128> bytes;
};

/// f32 [16][64] in tiles of 8 x 32; nothing reads its memory.
kcl_tensor_map goodMap() {
  kcl_tensor_map map = {};
  map.address = reinterpret_cast<void *>(uintptr_t{1} << 20);
  map.element = 7;
  map.rank = 2;
  map.dims[0] = 64;
  map.dims[1] = 16;
  map.strides[0] = 256;
  map.box[0] = 32;
  map.box[1] = 8;
  map.element_strides[0] = map.element_strides[1] = 1;
  map.swizzle = 128;
  return map;
}

struct TensorMap : testing::Test {
  int32_t encode(const kcl_tensor_map &map) {
    encoded.bytes.fill(0xee);
    return kclTensorMapEncode(&map, encoded.bytes.data(), &call);
  }
  bool allAre(unsigned char byte) const {
    return std::ranges::all_of(
        encoded.bytes, [byte](unsigned char each) { return each == byte; });
  }
  Encoded encoded;
  kcl_call call = {};
};

} // namespace

TEST_F(TensorMap, IsEncoded) {
  EXPECT_EQ(encode(goodMap()), KCL_OK) << call.error;
  EXPECT_FALSE(allAre(0xee) || allAre(0));
}

TEST_F(TensorMap, OfAnEmptyTensorIsZero) {
  kcl_tensor_map map = goodMap();
  map.dims[1] = 0;
  EXPECT_EQ(encode(map), KCL_OK) << call.error;
  EXPECT_TRUE(allAre(0));
}

TEST_F(TensorMap, BytesThatNoModeHasAreNamed) {
  kcl_tensor_map map = goodMap();
  map.swizzle = 96;
  EXPECT_EQ(encode(map), KCL_INVALID_ARGUMENT);
  EXPECT_NE(std::string(call.error).find("swizzle 96"), std::string::npos);
}

TEST_F(TensorMap, WhatTheDriverRefusesIsToldWithItsSizes) {
  kcl_tensor_map map = goodMap();
  map.strides[0] = 250;
  EXPECT_EQ(encode(map), KCL_DEVICE_ERROR);
  EXPECT_NE(std::string(call.error)
                .find("encoding a tensor map of 64 x 16 elements, tiles of 32 "
                      "x 8"),
            std::string::npos)
      << call.error;
}
