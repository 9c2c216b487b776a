//===- ElfFileTest.cpp - Files that end too early -------------------------===//
//
// On a copy of a real shared library: the runtime that this test is linked to.
//
//===----------------------------------------------------------------------===//
#include "ElfFile.h"
#include "../TemporaryDirectory.h"

#include "kernelclaw/Runtime/kcl_entry.h"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace kclaw;

namespace {
struct ElfFile : testing::Test {
  ElfFile() {
    Dl_info info = {};
    EXPECT_TRUE(dladdr(reinterpret_cast<void *>(&kclCheckTensors), &info));
    std::ifstream file(info.dli_fname, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), {});
    std::memcpy(&header, whole.data(), sizeof(header));
  }
  Expected<void> check(const std::string &content) {
    std::ofstream(path, std::ios::binary) << content;
    return checkElfSize(path);
  }

  TemporaryDirectory directory;
  std::string path = directory / "copy.so";
  std::string whole;
  Elf64_Ehdr header = {};
};
} // namespace

TEST_F(ElfFile, AWholeFilePasses) {
  EXPECT_TRUE(check(whole));
  EXPECT_TRUE(check(whole + "signature")); // more than it says is no harm
}

TEST_F(ElfFile, AnyCutIsTold) {
  size_t step = whole.size() / 50 + 1;
  for (size_t size = 4; size < whole.size(); size += step) {
    Expected<void> checked = check(whole.substr(0, size));
    ASSERT_FALSE(checked) << size;
    EXPECT_NE(checked.error().message.find("the file is truncated: it has " +
                                           std::to_string(size) + " bytes"),
              std::string::npos)
        << checked.error().message;
  }
  EXPECT_FALSE(check(whole.substr(0, whole.size() - 1)));
}

TEST_F(ElfFile, AnOffsetThatWrapsRoundIsNoWholeFile) {
  header.e_shoff = UINT64_MAX - 8;
  std::memcpy(whole.data(), &header, sizeof(header));
  EXPECT_FALSE(check(whole));
}
