//===- NpzTest.cpp - NumPy files, both ways -------------------------------===//
#include "Npz.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

using namespace kclaw;

static std::string temporary(const std::string &name) {
  return testing::TempDir() + "kernelclaw_" + std::to_string(::getpid()) + name;
}

TEST(Npz, EveryDtypeComesBack) {
  Arrays arrays;
  for (const DTypeInfo &row : dtypeTable) {
    Array array{row.type, {2, 3}, {}};
    for (int i = 0; i < 6 * row.sizeBytes; ++i)
      array.bytes.push_back(std::byte(row.type == DType::boolean ? i % 2 : i));
    arrays["x_" + std::string(row.name)] = array;
  }
  arrays["scalar"] = Array{DType::u8, {}, {std::byte(9)}};
  arrays["empty"] = Array{DType::f32, {0, 4}, {}};
  std::string path = temporary(".npz");
  ASSERT_TRUE(writeArrays(path, arrays));
  Expected<Arrays> read = readArrays(path, "arg0");
  std::remove(path.c_str());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), arrays.size());
  for (const auto &[key, array] : arrays) {
    EXPECT_EQ((*read)[key].dtype, array.dtype) << key;
    EXPECT_EQ((*read)[key].shape, array.shape) << key;
    EXPECT_EQ((*read)[key].bytes, array.bytes) << key;
  }
}

TEST(Npz, SingleNpy) {
  std::string path = temporary(".npy");
  Array array{DType::i16, {2}, {std::byte(1), {}, std::byte(2), {}}};
  ASSERT_TRUE(writeArrays(path, {{"res0", array}}));
  Expected<Arrays> read = readArrays(path, "arg0");
  std::remove(path.c_str());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)["arg0"].integer(1), 2);
}

TEST(Npz, CutFileIsTold) {
  std::string path = temporary("cut.npy");
  Array array{DType::f64, {4}, std::vector<std::byte>(32)};
  ASSERT_TRUE(writeArrays(path, {{"res0", array}}));
  std::ifstream file(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(file)), {});
  std::ofstream(path, std::ios::binary)
      << content.substr(0, content.size() - 8);
  Expected<Arrays> read = readArrays(path, "arg0");
  std::remove(path.c_str());
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("holds 24 bytes of data, 32 expected"),
            std::string::npos)
      << read.error().message;
}

TEST(Arrays, SixteenBitFloats) {
  auto value = [](DType dtype, uint16_t bits) {
    Array array{dtype, {}, std::vector<std::byte>(2)};
    std::memcpy(array.bytes.data(), &bits, 2);
    return array.number(0);
  };
  EXPECT_EQ(value(DType::f16, 0x3c00), 1.0);
  EXPECT_EQ(value(DType::f16, 0xc500), -5.0);
  EXPECT_EQ(value(DType::f16, 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(value(DType::f16, 0x7c00), HUGE_VAL);
  EXPECT_TRUE(std::isnan(value(DType::f16, 0x7e00)));
  EXPECT_EQ(value(DType::bf16, 0x3fc0), 1.5);
}
