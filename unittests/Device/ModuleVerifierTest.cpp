// The other process that verifies a module, played by shell scripts: what it
// says, and what its crash, hang or silence is taken for.
#include "kernelclaw/Device/ModuleVerifier.h"
#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

using namespace kclaw;
using testing::HasSubstr;

namespace {

VerifyReport reportOf(VerifyStatus status) {
  VerifyReport report;
  report.entries.resize(1);
  report.entries[0].entry = "main";
  report.entries[0].status = status;
  return report;
}

class Verifier : public testing::Test {
protected:
  Expected<VerifyReport> run(const std::string &script, double seconds = 60) {
    std::string tool = folder / "tool";
    std::ofstream(tool) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    return verifyModule({.module = "m.mlir",
                         .records = {"a.json", "b.json"},
                         .report = folder / "report.json",
                         .timeoutSeconds = seconds,
                         .runPath = tool});
  }
  /// A script that writes this report and ends with `code`.
  std::string answer(VerifyStatus status, int code) {
    std::ofstream(folder / "answer.json") << toJson(reportOf(status));
    return "for a; do case $a in --json=*) cp \"$(dirname \"$0\")/answer.json\""
           " \"${a#--json=}\";; esac; done; exit " +
           std::to_string(code);
  }
  EntryReport only(const Expected<VerifyReport> &report) {
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_EQ(report ? report->entries.size() : 0, 1u);
    return report && !report->entries.empty() ? report->entries[0]
                                              : EntryReport();
  }
  TemporaryDirectory folder;
};

} // namespace

TEST_F(Verifier, ReportsPassThrough) {
  using enum VerifyStatus;
  EXPECT_EQ(only(run(answer(Passed, 0))).status, Passed);
  EXPECT_EQ(only(run(answer(Failed, 1))).status, Failed);
  EXPECT_EQ(only(run(answer(Unverified, 4))).status, Unverified);
}

TEST_F(Verifier, ItIsToldModuleDeviceAndRecords) {
  EntryReport report = only(run("echo \"$*\"; exit 1"));
  EXPECT_EQ(report.rule, "no-report");
  EXPECT_THAT(report.message, HasSubstr("m.mlir --device=cuda --json="));
  EXPECT_THAT(report.message, HasSubstr("--verify=a.json --verify=b.json"));
}

TEST_F(Verifier, ACrashIsAFailureWithItsLastWords) {
  EntryReport report = only(run("echo on the way >&2; kill -SEGV $$"));
  EXPECT_EQ(report.status, VerifyStatus::Failed);
  EXPECT_EQ(report.rule, "crash");
  EXPECT_THAT(report.message, HasSubstr("signal 11"));
  EXPECT_THAT(report.message, HasSubstr("on the way"));
}

TEST_F(Verifier, ACrashAfterTheReportIsOneToo) {
  std::string script = answer(VerifyStatus::Passed, 0);
  script.replace(script.rfind("exit 0"), 6, "kill -ABRT $$");
  EXPECT_EQ(only(run(script)).rule, "crash");
}

TEST_F(Verifier, AHangIsAFailure) {
  EntryReport report = only(run("exec sleep 600", /*seconds=*/0.2));
  EXPECT_EQ(report.status, VerifyStatus::Failed);
  EXPECT_EQ(report.rule, "time-limit");
}

TEST_F(Verifier, AnOldReportIsNoAnswer) {
  std::ofstream(folder / "report.json")
      << toJson(reportOf(VerifyStatus::Passed));
  EXPECT_EQ(only(run("exit 0")).rule, "no-report");
}

TEST_F(Verifier, AReportThatDoesNotParseIsNoAnswer) {
  std::string script = answer(VerifyStatus::Passed, 0);
  std::ofstream(folder / "answer.json") << "{\"status\": \"passed\"}";
  EntryReport report = only(run(script));
  EXPECT_EQ(report.rule, "no-report");
  EXPECT_THAT(report.message, HasSubstr("entries: missing"));
}

TEST_F(Verifier, WithoutADeviceItIsUnavailable) {
  auto report = run("echo no driver; exit 3");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Error::Code::Unavailable);
  EXPECT_THAT(report.error().message, HasSubstr("no driver"));
}

TEST_F(Verifier, AMissingToolIsUnavailable) {
  VerifyRequest request;
  request.runPath = folder / "none";
  auto report = verifyModule(request);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Error::Code::Unavailable);
  EXPECT_THAT(report.error().message,
              HasSubstr("no executable kernelclaw-run"));
}
