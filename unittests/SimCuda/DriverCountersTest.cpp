//===- DriverCountersTest.cpp - kclSimCounter, kclSimCounts ---------------===//
#include "DriverLibrary.h"

#include <map>

namespace kclaw::sim {
namespace {

class CountersTest : public DriverTest {
protected:
  static std::map<std::string, double> counts(uint64_t launch = 0) {
    auto name = reinterpret_cast<const char *(*)(size_t)>(
        driverSymbol("kclSimCounter"));
    auto read = reinterpret_cast<size_t (*)(uint64_t, double *, size_t)>(
        driverSymbol("kclSimCounts"));
    std::vector<double> values(read(launch, nullptr, 0));
    read(launch, values.data(), values.size());
    std::map<std::string, double> all;
    for (size_t i = 0; i < values.size(); ++i) {
      std::string line = name(i);
      all[line.substr(0, line.find('\t'))] = values[i];
    }
    EXPECT_EQ(name(values.size()) == nullptr, !values.empty());
    return all;
  }
  static const char *bound(uint64_t launch) {
    return reinterpret_cast<const char *(*)(uint64_t)>(
        driverSymbol("kclSimBound"))(launch);
  }
  static uint64_t launches() {
    return reinterpret_cast<uint64_t (*)()>(driverSymbol("kclSimLaunches"))();
  }
};

TEST_F(CountersTest, OfTheLastLaunchAndEarlierOnes) {
  CUfunction add = function(load(addPtx), "add");
  CUdeviceptr buffer = upload(std::vector<unsigned>(1024));
  EXPECT_CU(launch(add, 8, 128, nullptr, buffer, 1u));
  uint64_t first = launches();
  EXPECT_CU(launch(add, 1, 32, nullptr, buffer, 1u));
  auto last = counts();
  EXPECT_EQ(last["inst.warp"], 12);
  EXPECT_EQ(last["inst.thread"], 12 * 32);
  EXPECT_EQ(last["global.load.sectors"], 4);
  EXPECT_EQ(last["launch.blocks"], 1);
  auto before = counts(first);
  EXPECT_EQ(before["inst.warp"], 12 * 32);
  EXPECT_EQ(before["global.load.sectors"], 4 * 32);
  EXPECT_EQ(before["launch.threads"], 128);
  EXPECT_EQ(before["occupancy"], 1);
  EXPECT_GT(before["time"], 0);
  // The resource that bounds it is the largest of its times.
  for (uint64_t which : {first, uint64_t(0)}) {
    ASSERT_NE(bound(which), nullptr);
    auto all = counts(which);
    double most = all.at(std::string("time.") + bound(which));
    for (const auto &[name, value] : all)
      if (name.starts_with("time.") && name != "time.launch")
        EXPECT_LE(value, most) << name;
  }
}
TEST_F(CountersTest, TheTimeIsWhatEventsSay) {
  CUfunction add = function(load(addPtx), "add");
  CUdeviceptr buffer = upload(std::vector<unsigned>(1024));
  CUevent begin = nullptr, end = nullptr;
  EXPECT_CU(CU(cuEventCreate)(&begin, 0));
  EXPECT_CU(CU(cuEventCreate)(&end, 0));
  EXPECT_CU(CU(cuEventRecord)(begin, nullptr));
  EXPECT_CU(launch(add, 8, 128, nullptr, buffer, 1u));
  EXPECT_CU(CU(cuEventRecord)(end, nullptr));
  float milliseconds = 0;
  EXPECT_CU(CU(cuEventElapsedTime)(&milliseconds, begin, end));
  EXPECT_NEAR(milliseconds * 1e6, counts()["time"], 1.5);
}
TEST_F(CountersTest, LaunchesThatAreNotKeptHaveNone) {
  EXPECT_TRUE(counts(launches() + 1).empty());
  EXPECT_EQ(bound(launches() + 1), nullptr);
  CUfunction add = function(load(addPtx), "add");
  CUdeviceptr buffer = upload(std::vector<unsigned>(32));
  uint64_t first = launches() + 1;
  for (int i = 0; i < 64; ++i)
    EXPECT_CU(launch(add, 1, 32, nullptr, buffer, 1u));
  EXPECT_FALSE(counts(first).empty());
  EXPECT_CU(launch(add, 1, 32, nullptr, buffer, 1u));
  EXPECT_TRUE(counts(first).empty());
  EXPECT_EQ(bound(first), nullptr);
}

} // namespace
} // namespace kclaw::sim
