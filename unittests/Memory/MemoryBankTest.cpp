//===- MemoryBankTest.cpp - Each wrong entry is named at load -------------===//
#include "SampleBank.h"

#include <gtest/gtest.h>

namespace kclaw {
namespace {

TEST(MemoryBank, LoadsWhatIsThere) {
  auto bank = SampleBank().load();
  ASSERT_TRUE(bank) << bank.error().message;
  EXPECT_EQ(bank->cases.size(), 2u);
  EXPECT_EQ(bank->methods.size(), 2u);
  ASSERT_TRUE(bank->method("wide"));
  EXPECT_EQ(bank->method("wide")->expect.at("time"), -1);
  EXPECT_EQ(bank->method("narrow"), nullptr);
  ASSERT_TRUE(bank->target("sm_90a"));
  EXPECT_EQ(bank->target("sm_90")->facts.at("sms"), 132);
  EXPECT_EQ(bank->lessons[0].stage, "compile");
}

struct Spoilt {
  const char *file, *from, *to, *error;
};

class SpoiltBank : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltBank, IsRefusedWithFileKeyAndReason) {
  const Spoilt &row = GetParam();
  SampleBank bank;
  std::string path = bank.folder / row.file;
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  size_t at = text.find(row.from);
  ASSERT_NE(at, std::string::npos);
  bank.write(row.file, text.replace(at, std::string(row.from).size(), row.to));
  auto loaded = bank.load();
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find(row.file), std::string::npos)
      << loaded.error().message;
  EXPECT_NE(loaded.error().message.find(row.error), std::string::npos)
      << loaded.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Entries, SpoiltBank,
    testing::Values(
        Spoilt{"diagnosis/derived.json", "elementBytes", "elementByte",
               "[0].value: rowBytes: unknown name 'elementByte'; did you mean "
               "'elementBytes'?"},
        Spoilt{"diagnosis/predicates.json", "rowBytes", "rowByte",
               "[1].condition: longRows: unknown name"},
        Spoilt{"diagnosis/predicates.json", "longRows", "dramBound",
               "[1].name: 'dramBound' is taken"},
        Spoilt{"diagnosis/predicates.json", ">= 70",
               ">= ", "column 19: expected a number"},
        Spoilt{"diagnosis/headroom.json", "meaning", "meanin",
               "unknown member \"meanin\""},
        Spoilt{"diagnosis/cases/10-dram.json", "\"longRows\"", "\"longRow\"",
               "[0].structure: case long: unknown predicate 'longRow'; did "
               "you mean 'longRows'?"},
        Spoilt{"diagnosis/cases/10-dram.json", "\"high\"", "\"hihg\"",
               "unknown tier 'hihg'"},
        Spoilt{"diagnosis/cases/10-dram.json", "\"wide\"", "\"wid\"",
               "[0].allowed[1]: case long: unknown method 'wid'; did you mean "
               "'wide'?"},
        Spoilt{"diagnosis/cases/10-dram.json", "{\"split\"", "{\"wide\"",
               "'wide' is allowed, too"},
        Spoilt{"diagnosis/cases/10-dram.json", "\"rest\"", "\"long\"",
               "a second case 'long'"},
        Spoilt{"methods/wide/method.json", "alignedRows", "alignedRow",
               "preconditions[0].condition: first: unknown name"},
        Spoilt{"methods/wide/method.json", "dramReadBytes", "dramBytes",
               "neither 'time' nor a counter"},
        Spoilt{"methods/wide/method.json", "\"same\"", "\"sam\"",
               "accepted: up, down, same"},
        Spoilt{"methods/wide/method.json", "\"kernel\"", "\"kernels\"",
               "accepted: kernel, graph"},
        Spoilt{"methods/wide/method.json", "\"how\": \"h\"", "\"how\": \"\"",
               "how: is empty"},
        Spoilt{"lessons/compile.json", "is undefined\"", "(is undefined\"",
               "is no ECMAScript regular expression"},
        Spoilt{"lessons/compile.json", "compile_error", "compile_eror",
               "is no outcome"},
        Spoilt{"lessons/compile.json", "any-error", "undeclared",
               "a second lesson 'undeclared'"},
        Spoilt{"hardware/x.json", "\"source\": \"data sheet\"",
               "\"source\": \"\"", "facts.sms.source: is empty"}));

TEST(MemoryBank, AFileThatNothingReadsIsAnError) {
  SampleBank bank;
  bank.write("diagnosis/predicate.json", "[]");
  auto loaded = bank.load();
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("predicate.json: nothing reads"),
            std::string::npos);
}

TEST(MemoryBank, AnUnknownStageIsAnError) {
  SampleBank bank;
  bank.write("lessons/compilation.json", "[]");
  auto loaded = bank.load();
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("'compilation' is no stage"),
            std::string::npos);
}

TEST(MemoryBank, TheRealOneLoads) {
  auto bank = loadMemoryBank(KCLAW_TEST_MEMORYBANK);
  ASSERT_TRUE(bank) << bank.error().message;
  EXPECT_GE(bank->cases.size(), 36u);
  EXPECT_GE(bank->predicates.size(), 31u);
  EXPECT_GE(bank->methods.size(), 45u);
  for (const char *arch :
       {"sm_80", "sm_86", "sm_89", "sm_90a", "sm_100", "sm_120"})
    EXPECT_TRUE(bank->target(arch)) << arch;
}

} // namespace
} // namespace kclaw
