//===- CoreTest.cpp - Parse, load, run, diverge, meet, fault --------------===//
#include "Machine.h"

using namespace kclaw::sim;

namespace {

const char *addSource = R"(
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
})";

TEST(Core, AddsAndGuardsTheTail) {
  std::string ptx = compileCuda(addSource);
  Machine machine(ptx);
  std::vector<float> a(1000), b(1000);
  for (int i = 0; i < 1000; ++i)
    a[i] = float(i), b[i] = 0.5f;
  auto x = machine.upload(a), y = machine.upload(b);
  auto z = machine.allocate<float>(1000);
  Counts counts = machine.run("add", {4}, {256}, x, y, z, 1000);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(z[i], float(i) + 0.5f);
  EXPECT_EQ(counts.globalLoadSectors, 250u);
  EXPECT_EQ(counts.globalStoreBytes, 4000u);
}

TEST(Core, NamesTheThreadThatReadsTooFar) {
  std::string ptx = compileCuda(addSource);
  Machine machine(ptx);
  auto x = machine.upload(std::vector<float>(1000));
  auto z = machine.allocate<float>(1024);
  try {
    machine.run("add", {4}, {256}, x, x, z, 1001);
    FAIL() << "no fault";
  } catch (const FaultError &error) {
    EXPECT_EQ(error.fault.kind, FaultKind::OutOfBounds);
    EXPECT_EQ(error.fault.kernel, "add");
    EXPECT_EQ(error.fault.line, 5u) << error.what();
    EXPECT_EQ(error.fault.thread[0], 1000u - 3 * 256);
  }
}

} // namespace
