//===- IsolationTest.cpp - What a candidate cannot reach ------------------===//
//
// On the simulated device, which CMake names in the environment. Needs NVRTC
// for the judge's own kernels, no GPU.
//
//===----------------------------------------------------------------------===//
#include "Workload.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

KernelSpec vectorSpec(int64_t elements) {
  KernelSpec spec;
  TensorSpec tensor;
  tensor.name = "x";
  tensor.dims = {Dim{"d0", elements, 0, 0, {}}};
  spec.arguments = spec.results = {tensor};
  return spec;
}

/// Counts its runs and does nothing else.
class CountingProgram : public Program {
public:
  explicit CountingProgram(int *runs) : runs(runs) {}
  const std::vector<ScratchNeed> &scratch() const override { return none; }
  kclaw::Run<void> bind(const BoundAddresses &) override { return {}; }
  kclaw::Run<void> prepare(void *) override { return {}; }
  kclaw::Run<void> run(void *) override {
    ++*runs;
    return {};
  }

private:
  int *runs;
  std::vector<ScratchNeed> none;
};

class Isolation : public testing::Test {
protected:
  void SetUp() override {
    auto opened = DeviceSession::open(KCLAW_WORKER);
    ASSERT_TRUE(opened) << opened.error().message;
    session = std::move(*opened);
    ASSERT_TRUE(session->isSimulated());
    ASSERT_EQ(session->whyNotHidden(), "");
  }

  /// Whether a kernel that reads there faults.
  bool faults(CUdeviceptr address) {
    auto counters = session->resetCounters();
    EXPECT_TRUE(counters);
    uint64_t bytes = 64;
    int value = 0;
    void *args[] = {&address, &bytes, &value, &*counters};
    return !session->launch(session->kernels().checkBytes, bytes, args) ||
           !session->wait(60, "the test");
  }

  std::unique_ptr<DeviceSession> session;
};

TEST_F(Isolation, HiddenMemoryKeepsItsBytesAndFaults) {
  auto memory = HiddenMemory::create(*session, "test", 4096);
  ASSERT_TRUE(memory) << memory.error().message;
  EXPECT_FALSE(memory->isShown());
  CUdeviceptr first = memory->take(100), second = memory->take(100);
  EXPECT_EQ(second - first, HiddenMemory::needed(100));
  ASSERT_TRUE(memory->show());
  uint32_t wrote = 0x12345678, read = 0;
  ASSERT_TRUE(session->upload(second, &wrote, sizeof wrote));
  ASSERT_TRUE(memory->hide());
  ASSERT_TRUE(memory->show());
  EXPECT_FALSE(faults(second));
  ASSERT_TRUE(session->download(&read, second, sizeof read));
  EXPECT_EQ(read, wrote);
  ASSERT_TRUE(memory->hide());
  EXPECT_TRUE(faults(second));
}

TEST_F(Isolation, OnlyTheCandidatesBuffersAreThereWhenItRuns) {
  KernelSpec spec = vectorSpec(1024);
  Expected<Problem> problem = instantiate(spec);
  ASSERT_TRUE(problem);
  auto load =
      Workload::create(*session, spec, *problem, 7, [] { return 60.0; });
  ASSERT_TRUE(load) << load.error().message;
  int runs = 0;
  for (const char *name : {"candidate", "stock", "reference"})
    ASSERT_TRUE(load->add(name, std::make_unique<CountingProgram>(&runs)));
  ASSERT_TRUE(load->draw({&distributions[0], 0, 1}));
  ASSERT_TRUE(load->runAndWait(load->stock()));
  EXPECT_FALSE(faults(load->stock().results[0].address()));
  ASSERT_TRUE(load->runAndWait(load->candidate()));
  EXPECT_EQ(runs, 2);
  EXPECT_FALSE(faults(load->candidate().results[0].address()));
  // Each is looked at alone: the first fault ends the context.
  EXPECT_TRUE(faults(load->stock().results[0].address()));
}

TEST_F(Isolation, TheReferenceAndTheFirstResultsAreHiddenToo) {
  KernelSpec spec = vectorSpec(1024);
  Expected<Problem> problem = instantiate(spec);
  ASSERT_TRUE(problem);
  auto load =
      Workload::create(*session, spec, *problem, 7, [] { return 60.0; });
  ASSERT_TRUE(load) << load.error().message;
  int runs = 0;
  for (const char *name : {"candidate", "stock", "reference"})
    ASSERT_TRUE(load->add(name, std::make_unique<CountingProgram>(&runs)));
  ASSERT_TRUE(load->show());
  ASSERT_TRUE(load->prepare(load->candidate()));
  DriverApi api = session->api;
  // Host copies are refused as well: nothing is mapped there.
  uint32_t word = 0;
  for (CUdeviceptr address :
       {load->reference().results[0].address(), load->firstResults[0].address(),
        load->rowScales[0]})
    EXPECT_NE(api.cuMemcpyDtoH(&word, address, 4), CUDA_SUCCESS);
  ASSERT_TRUE(load->show());
  for (CUdeviceptr address :
       {load->reference().results[0].address(), load->firstResults[0].address(),
        load->rowScales[0]})
    EXPECT_EQ(api.cuMemcpyDtoH(&word, address, 4), CUDA_SUCCESS);
}

TEST_F(Isolation, SeedsAreTheProcesssSecret) {
  EXPECT_EQ(session->secretSeed(7), session->secretSeed(7));
  EXPECT_NE(session->secretSeed(7), session->secretSeed(8));
  auto other = DeviceSession::open(KCLAW_WORKER);
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_NE(session->secretSeed(7), (*other)->secretSeed(7));
}

TEST_F(Isolation, KnownResultsAreHiddenAndTheOldestLeave) {
  ResultCache cache;
  EXPECT_FALSE(cache.reserve(1)) << "it keeps nothing until it may";
  auto make = [&] {
    auto memory = HiddenMemory::create(*session, "known", 4096);
    EXPECT_TRUE(memory);
    CUdeviceptr start = memory->take(4096);
    return ResultCache::Entry{std::move(*memory), {start}};
  };
  ResultCache::Entry first = make();
  cache.setCapacity(2 * first.memory.bytes());
  ASSERT_TRUE(cache.reserve(first.memory.bytes()));
  cache.put("a", std::move(first));
  for (const char *key : {"b", "c"}) {
    ResultCache::Entry entry = make();
    ASSERT_TRUE(cache.reserve(entry.memory.bytes()));
    EXPECT_FALSE(cache.put(key, std::move(entry)).memory.isShown());
  }
  EXPECT_EQ(cache.find("a"), nullptr);
  EXPECT_NE(cache.find("b"), nullptr);
  EXPECT_NE(cache.find("c"), nullptr);
  EXPECT_TRUE(cache.dropOldest());
  EXPECT_EQ(cache.find("b"), nullptr);
}

} // namespace
