//===- DriverFatbinTest.cpp - PTX out of fat binaries ---------------------===//
//
// Containers as nvcc 13 writes them, built here; the compressors are the
// system's own.
//
//===----------------------------------------------------------------------===//
#include "DriverLibrary.h"

namespace kclaw::sim {

namespace {

struct Entry {
  std::string payload;
  unsigned arch = 80;
  uint64_t flags = 0x11, uncompressed = 0;
  uint16_t kind = 1; ///< 1: PTX, 2: machine code
};

template <class T> void put(std::string &to, size_t at, T value) {
  to.replace(at, sizeof value, reinterpret_cast<const char *>(&value),
             sizeof value);
}

std::string fatbin(const std::vector<Entry> &entries) {
  std::string body;
  for (const Entry &e : entries) {
    std::string header(64, '\0');
    std::string payload = e.payload;
    payload.resize((payload.size() + 8) / 8 * 8);
    put(header, 0, e.kind);
    put(header, 2, uint16_t(0x0101));
    put(header, 4, uint32_t(64));
    put(header, 8, uint64_t(payload.size()));
    put(header, 16, uint32_t(e.uncompressed ? e.payload.size() : 0));
    put(header, 28, uint32_t(e.arch));
    put(header, 40, e.flags);
    put(header, 56, e.uncompressed);
    body += header + payload;
  }
  std::string image(16, '\0');
  put(image, 0, uint32_t(0xba55ed50));
  put(image, 4, uint16_t(1));
  put(image, 6, uint16_t(16));
  put(image, 8, uint64_t(body.size()));
  return image + body;
}

std::string ptx(const std::string &target, const std::string &kernel) {
  return ".version 8.0\n.target " + target +
         "\n.address_size 64\n.visible .entry " + kernel + "() {\n  ret;\n}\n";
}

template <class F> F systemFunction(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW);
  return handle ? reinterpret_cast<F>(dlsym(handle, name)) : nullptr;
}

class DriverFatbinTest : public DriverTest {
protected:
  CUresult tryLoad(const std::string &image, const char *kernel) {
    CUmodule module = nullptr;
    CUresult result = CU(cuModuleLoadData)(&module, image.data());
    CUfunction f = nullptr;
    if (result == CUDA_SUCCESS)
      result = CU(cuModuleGetFunction)(&f, module, kernel);
    return result;
  }
};

} // namespace

TEST_F(DriverFatbinTest, newestThatRunsHere) {
  std::string image = fatbin({{ptx("sm_80", "old"), 80},
                              {ptx("sm_90a", "mine"), 90},
                              {ptx("sm_100", "newer"), 100},
                              {"machine code", 90, 0x11, 0, 2}});
  EXPECT_CU(tryLoad(image, "mine"));
  EXPECT_EQ(tryLoad(image, "old"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverFatbinTest, machineCodeOnly) {
  EXPECT_EQ(tryLoad(fatbin({{"code", 90, 0x11, 0, 2}}), "k"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(tryLoad(fatbin({{ptx("sm_100a", "k"), 100}}), "k"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(DriverFatbinTest, lz4) {
  auto compress = systemFunction<int (*)(const char *, char *, int, int)>(
      "liblz4.so.1", "LZ4_compress_default");
  ASSERT_TRUE(compress) << "no liblz4.so.1";
  std::string text = ptx("sm_80", "packed"), small(1000, '\0');
  small.resize(
      size_t(compress(text.data(), small.data(), int(text.size()) + 1, 1000)));
  EXPECT_CU(tryLoad(fatbin({{small, 80, 0x2011, text.size() + 1}}), "packed"));
  small[0] ^= 0x70; // a broken stream is refused
  EXPECT_EQ(tryLoad(fatbin({{small, 80, 0x2011, text.size() + 1}}), "packed"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(DriverFatbinTest, zstd) {
  auto compress =
      systemFunction<size_t (*)(void *, size_t, const void *, size_t, int)>(
          "libzstd.so.1", "ZSTD_compress");
  ASSERT_TRUE(compress) << "no libzstd.so.1";
  std::string text = ptx("sm_80", "packed"), small(1000, '\0');
  small.resize(compress(small.data(), 1000, text.data(), text.size() + 1, 3));
  EXPECT_CU(tryLoad(fatbin({{small, 80, 0x8011, text.size() + 1}}), "packed"));
}

TEST_F(DriverFatbinTest, wrapper) {
  std::string image = fatbin({{ptx("sm_80", "k"), 80}});
  struct {
    uint32_t magic = 0x466243b1, version = 1;
    const void *data;
    void *unused = nullptr;
  } wrapper;
  wrapper.data = image.data();
  CUmodule module = nullptr;
  EXPECT_CU(CU(cuModuleLoadFatBinary)(&module, &wrapper));
}

} // namespace kclaw::sim
