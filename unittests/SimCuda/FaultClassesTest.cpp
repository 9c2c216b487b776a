//===- FaultClassesTest.cpp - Each class is reported, its mended twin not -===//
#include "FaultClasses.h"
#include "CheckMachine.h"

using namespace kclaw::sim;

namespace {

class Faults : public testing::TestWithParam<FaultClass> {};

TEST_P(Faults, AreReportedAndMendedOnesAreNot) {
  const FaultClass &row = GetParam();
  CheckRun run{row.source, row.grid, row.block, [&](Machine &machine) {
                 machine.cluster = row.cluster;
                 machine.options.hostThreads = 1;
               }};
  std::optional<Fault> fault = run();
  ASSERT_TRUE(fault) << "no report";
  EXPECT_EQ(name(fault->kind), std::string(name(row.kind))) << fault->text();
  EXPECT_EQ(fault->kernel, "k");
  EXPECT_TRUE(fault->file.ends_with("test.cu")) << fault->file;
  EXPECT_EQ(fault->line, lineOf(run.source, "// HERE")) << fault->text();
  EXPECT_EQ(fault->address != 0, row.hasAddress) << fault->text();
  EXPECT_LT(fault->thread[0], row.block.x);
  EXPECT_LT(fault->block[0], row.grid.x);
  EXPECT_FALSE(fault->instruction.empty());

  size_t at = run.source.find(row.hole);
  ASSERT_NE(at, std::string::npos);
  run.source.replace(at, std::string(row.hole).size(), row.mend);
  std::optional<Fault> none = run();
  EXPECT_FALSE(none) << none->text();
}

INSTANTIATE_TEST_SUITE_P(Classes, Faults, testing::ValuesIn(faultClasses()),
                         [](const auto &info) { return info.param.name; });

// Every kind that there is has a class.
TEST(FaultKinds, EachHasAClass) {
  for (int kind = 0; kind <= int(FaultKind::IllegalInstruction); ++kind)
    EXPECT_TRUE(std::ranges::any_of(faultClasses(), [&](const auto &row) {
      return int(row.kind) == kind;
    })) << name(FaultKind(kind));
}

TEST(FaultReport, NamesTheThread) {
  CheckRun run{R"(extern "C" __global__ void k(const int *in, int *out) {
  if (blockIdx.x == 2 && threadIdx.x == 37)
    out[4096 + threadIdx.x] = in[0]; // HERE
})",
               {4},
               {64}};
  std::optional<Fault> fault = run();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->block[0], 2u);
  EXPECT_EQ(fault->thread[0], 37u);
  std::string text = fault->text();
  EXPECT_TRUE(text.starts_with("out of bounds: kernel k, ")) << text;
  EXPECT_NE(text.find("test.cu:3 (st.global"), std::string::npos) << text;
  EXPECT_NE(text.find("block (2,0,0), thread (37,0,0), address 0x"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("at byte 16532 of an allocation of 16384 bytes"),
            std::string::npos)
      << text;
}

} // namespace
