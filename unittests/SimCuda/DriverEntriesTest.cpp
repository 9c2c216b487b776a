//===- DriverEntriesTest.cpp - Exported names, cuGetProcAddress -----------===//
#include "DriverLibrary.h"

#include <set>
#include <sstream>

namespace kclaw::sim {

static std::vector<std::vector<std::string>> table() {
  auto entry =
      reinterpret_cast<const char *(*)(size_t)>(driverSymbol("kclSimEntry"));
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; const char *line = entry(i); ++i) {
    std::stringstream stream(line);
    rows.emplace_back();
    for (std::string part; std::getline(stream, part, '\t');)
      rows.back().push_back(part);
  }
  return rows;
}

// What the table calls implemented is exported, what it calls absent is not.
TEST_F(DriverTest, tableSaysWhatIsExported) {
  std::set<std::string> symbols;
  for (const auto &row : table()) {
    ASSERT_EQ(row.size(), 5u);
    EXPECT_EQ(driverSymbol(row[2].c_str()) != nullptr, row[4] != "absent")
        << row[2];
    symbols.insert(row[2]);
  }
  EXPECT_GT(symbols.size(), 390u);
}

TEST_F(DriverTest, procAddressPicksTheVersion) {
  void *address = nullptr;
  CUdriverProcAddressQueryResult status;
  auto get = CU(cuGetProcAddress);
  EXPECT_CU(get("cuCtxCreate", &address, 12000, 0, &status));
  EXPECT_EQ(address, driverSymbol("cuCtxCreate_v3"));
  EXPECT_CU(get("cuCtxCreate", &address, 4000, 0, &status));
  EXPECT_EQ(address, driverSymbol("cuCtxCreate_v2"));
  EXPECT_CU(get("cuMemcpyHtoDAsync", &address, 12000,
                CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  EXPECT_EQ(address, driverSymbol("cuMemcpyHtoDAsync_v2_ptsz"));
  EXPECT_CU(get("cuLaunchKernelEx", &address, 11000, 0, &status));
  EXPECT_EQ(address, nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT_CU(get("cuNothing", &address, 12000, 0, &status));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(get("cuNothing", &address, 12000, 0, nullptr),
            CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(get(nullptr, &address, 12000, 0, nullptr),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, perThreadVariantIsTheSameCall) {
  CUdeviceptr p = allocate(16);
  auto set = reinterpret_cast<decltype(&::cuMemsetD8Async)>(
      driverSymbol("cuMemsetD8Async_ptsz"));
  ASSERT_NE(set, nullptr);
  EXPECT_CU(set(p, 0x5a, 16, nullptr));
  EXPECT_EQ(download<uint8_t>(p, 16), std::vector<uint8_t>(16, 0x5a));
}

TEST_F(DriverTest, errorNames) {
  const char *text = nullptr;
  EXPECT_CU(CU(cuGetErrorName)(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_CU(CU(cuGetErrorString)(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ(text, "out of memory");
  EXPECT_EQ(CU(cuGetErrorName)(CUresult(12345), &text),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, device) {
  int count = 0, value = 0, version = 0;
  EXPECT_CU(CU(cuDriverGetVersion)(&version));
  EXPECT_EQ(version, CUDA_VERSION);
  EXPECT_CU(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(count, 1);
  CUdevice device = -1;
  EXPECT_CU(CU(cuDeviceGet)(&device, 0));
  EXPECT_EQ(CU(cuDeviceGet)(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_CU(CU(cuDeviceGetAttribute)(
      &value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT_EQ(value, 132);
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CUdevice_attribute(9999), 0),
            CUDA_ERROR_INVALID_VALUE);
  char name[64];
  EXPECT_CU(CU(cuDeviceGetName)(name, 64, 0));
  EXPECT_NE(std::string(name).find("H200"), std::string::npos);
}

} // namespace kclaw::sim
