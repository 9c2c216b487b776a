// ModuleRecord <-> JSON: what travels beside a module, and what is refused.
#include "kernelclaw/Plan/ModuleRecord.h"
#include "SamplePlan.h"

#include <gmock/gmock.h>

using namespace kclaw;

namespace {

ModuleRecord sampleRecord() {
  EntryRecord main{"main", "", {}};
  main.job.id = "main";
  main.job.kind = Job::Kind::Verify;
  main.job.spec = sampleSpec();
  main.job.stock = main.job.reference = samplePlan();
  main.job.seed = 7;
  return {{main, {"draw", "the op aten.rand draws random numbers", {}}}};
}

std::string errorOf(const std::string &text) {
  auto record = parseModuleRecord(text);
  return record ? "no error" : record.error().message;
}

TEST(ModuleRecord, RoundTrip) {
  std::string text = toJson(sampleRecord());
  auto again = parseModuleRecord(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), text);
  ASSERT_EQ(again->entries.size(), 2u);
  EXPECT_EQ(again->entries[0].job.seed, 7u);
  EXPECT_EQ(again->entries[0].job.kind, Job::Kind::Verify);
  EXPECT_EQ(again->entries[1].unverified,
            "the op aten.rand draws random numbers");
}

TEST(ModuleRecord, HoldsNoCandidate) {
  EXPECT_EQ(toJson(sampleRecord()).find("candidate"), std::string::npos);
}

TEST(ModuleRecord, MistakesNameThePath) {
  EXPECT_THAT(errorOf("{"), testing::HasSubstr("module record: not JSON"));
  EXPECT_EQ(errorOf(R"({"entries": []})"), "version: missing");
  EXPECT_EQ(errorOf(R"({"version": 1, "entries": []})"), "no entries");
  EXPECT_EQ(errorOf(R"({"version": 9, "entries": [{"entry": "a"}]})"),
            "version 9 of the record is not known; this program reads version "
            "1");
  EXPECT_EQ(errorOf(R"({"version": 1, "entries": [{"entry": "a"}]})"),
            "entries[0].job: missing");
  EXPECT_EQ(errorOf(R"({"version": 1, "entries": [{"job": {}}]})"),
            "entries[0].entry: missing");
}

TEST(ModuleRecord, AJobOfAnotherKindIsRefused) {
  ModuleRecord record = sampleRecord();
  record.entries[0].job.kind = Job::Kind::Evaluate;
  record.entries[0].job.candidate = samplePlan();
  EXPECT_EQ(errorOf(toJson(record)),
            "entries[0].job: expected kind \"verify\"");
}

} // namespace
