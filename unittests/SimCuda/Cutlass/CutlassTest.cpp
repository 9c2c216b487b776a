//===- CutlassTest.cpp - GEMMs of CUTLASS's templates ---------------------===//
//
// Kernels that nobody here wrote, compiled by NVRTC, on small sizes with all
// checks on, against the host's product. CUTLASS's headers come from
// utils/setup_cutlass.sh; without them the tests fail.
//
//===----------------------------------------------------------------------===//
#include "../Machine.h"
#include "../TensorMaps.h"

#include "SimCuda/Exec/Fault.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace kclaw::sim;

namespace {

std::string includeRoot() {
  const char *root = std::getenv("KERNELCLAW_CUTLASS_ROOT");
  return root ? root : KCLAW_CUTLASS_ROOT;
}

class Cutlass : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(std::filesystem::exists(includeRoot() + "/cutlass/cutlass.h"))
        << "no CUTLASS headers in " << includeRoot()
        << ": run utils/setup_cutlass.sh";
  }

  /// Of unittests/SimCuda/Cutlass.
  void compile(const std::string &file, const std::string &arch) {
    std::ifstream in(std::string(KCLAW_CUTLASS_KERNELS) + "/" + file);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    machine = std::make_unique<Machine>(compileCuda(
        text, arch,
        {"--std=c++17", "-default-device", "-DNDEBUG", "-I" + includeRoot()}));
    auto numbers = machine->allocate<int>(3);
    machine->run("info", {1}, {1}, numbers);
    info = numbers.values();
  }

  /// Small numbers with all bits of a float; columns of B for a row-major B.
  void makeOperands(size_t m, size_t n, size_t k) {
    uint32_t state = 1;
    auto next = [&] {
      state = state * 1664525u + 1013904223u;
      return float(int32_t(state)) / float(1u << 30);
    };
    a.resize(m * k), b.resize(k * n);
    for (float &v : a)
      v = next();
    for (float &v : b)
      v = next();
  }

  /// c = a b within `tolerance` of the sum of the products' magnitudes.
  void expectProduct(const Buffer<float> &c, size_t m, size_t n, size_t k,
                     bool columnMajorB, double tolerance) {
    double worst = 0;
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < n; ++j) {
        double sum = 0, scale = 0;
        for (size_t l = 0; l < k; ++l) {
          double product =
              double(a[i * k + l]) * b[columnMajorB ? j * k + l : l * n + j];
          sum += product, scale += std::fabs(product);
        }
        worst = std::max(worst, std::fabs(c[i * n + j] - sum) / scale);
      }
    EXPECT_LT(worst, tolerance);
    RecordProperty("relativeError", std::to_string(worst));
  }

  std::unique_ptr<Machine> machine;
  std::vector<int> info;
  std::vector<float> a, b;
};

TEST_F(Cutlass, Sm80FullPrecision) {
  compile("Sm80.cu", "compute_80");
  machine->dynamicShared = uint32_t(info[0]);
  auto multiply = [&](int m, int n, int k) {
    makeOperands(size_t(m), size_t(n), size_t(k));
    auto c = machine->allocate<float>(size_t(m) * size_t(n));
    machine->run("gemm", {uint32_t(m + 127) / 128, uint32_t(n + 127) / 128},
                 {uint32_t(info[1])}, machine->upload(a), machine->upload(b), c,
                 m, n, k);
    expectProduct(c, size_t(m), size_t(n), size_t(k), false, 1e-6);
  };
  multiply(256, 128, 100); // whole tiles, a rest of the reduction
  // Of tiles that hang over the edge the kernel multiplies rows that it never
  // loads, and throws them away.
  EXPECT_THROW(multiply(200, 136, 100), FaultError);
  machine->options.checks = false;
  multiply(200, 136, 100);
}

// Two clusters; the blocks of one share the tile of B.
TEST_F(Cutlass, Sm90PingPong) {
  const int m = 256, n = 232, k = 196;
  compile("Sm90.cu", "compute_90a");
  makeOperands(m, n, k);
  auto c = machine->allocate<float>(m * n);
  auto tf32Map = [&](const std::vector<float> &matrix, uint32_t rows,
                     uint16_t boxRows) {
    TensorMap map = mapOf(machine->upload(matrix).address, {k, rows, 1},
                          {32, boxRows, 1}, TensorMap::Swizzle::Bytes128);
    map.type = TensorMap::DataType::TF32;
    return map;
  };
  auto maps = machine->upload(
      std::vector<TensorMap>{tf32Map(a, m, 128), tf32Map(b, n, 64)});
  auto params = machine->upload(std::vector<std::byte>(size_t(info[0])));
  auto grid = machine->allocate<uint32_t>(3);
  machine->run("params", {1}, {1}, params, maps, c, m, n, k, 4, grid);
  machine->cluster = {2};
  machine->dynamicShared = uint32_t(info[1]);
  machine->runWithBytes("gemm", {grid[0], grid[1], grid[2]},
                        {uint32_t(info[2])}, params.values());
  // The tensor cores read ten bits of the mantissa.
  expectProduct(c, m, n, k, true, 2e-3);
}

} // namespace
