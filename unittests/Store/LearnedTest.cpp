// What was learned: the same attempt is one row, rows of different evidence or
// device are never mixed, filters mean what they say, signatures of failures
// of one kind are equal.
#include "SampleStore.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kclaw;

namespace {

Experience row(const std::string &id, Evidence evidence,
               const std::string &device) {
  Experience e = sampleExperience(id);
  e.evidence = evidence;
  e.device = device;
  e.weight = 1;
  return e;
}

std::vector<std::string> ids(Store &store, const ExperienceFilter &filter) {
  std::vector<std::string> found;
  auto rows = store.experiences(filter);
  for (const Experience &e : *rows)
    found.push_back(e.id);
  return found;
}

ExperienceFilter any() {
  ExperienceFilter filter;
  filter.evidence = std::nullopt;
  return filter;
}

using testing::ElementsAre;

TEST(Learned, TheSameAttemptIsOneRow) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  Experience e = row("r/abc/1", Evidence::Measured, "NVIDIA H200");
  ASSERT_TRUE((*store)->learn(e));
  e.gain = 2;
  ASSERT_TRUE((*store)->learn(e));
  auto rows = *openStore(folder.str()).value()->experiences({});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(toJson(rows[0]), toJson(e));
  // An import does not push out one's own row, however it comes in.
  Experience imported = e;
  imported.weight = 0.5;
  imported.gain = 3;
  ASSERT_TRUE((*store)->learn(imported));
  EXPECT_EQ((*store)->experiences({})->at(0).gain, 2);
}

TEST(Learned, EvidenceAndDeviceAreNeverMixed) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  for (const Experience &e :
       {row("r/a/1", Evidence::Measured, "NVIDIA H200"),
        row("r/a/2", Evidence::Simulated, "simulated sm_90a"),
        row("r/a/3", Evidence::SimulatedReduced, "simulated sm_90a"),
        row("r/a/4", Evidence::Measured, "NVIDIA H100"),
        row("r/a/5", Evidence::None, "")})
    ASSERT_TRUE((*store)->learn(e));
  auto teaching = ExperienceFilter::teaching;
  EXPECT_THAT(
      ids(**store, teaching("sm_90a", Evidence::Measured, "NVIDIA H200")),
      ElementsAre("r/a/1", "r/a/5"));
  EXPECT_THAT(
      ids(**store, teaching("sm_90a", Evidence::Simulated, "simulated sm_90a")),
      ElementsAre("r/a/2", "r/a/5"));
  EXPECT_THAT(ids(**store, teaching("sm_100a", Evidence::Measured, "")),
              ElementsAre());
  // Without being asked, only what was measured.
  EXPECT_THAT(ids(**store, {}), ElementsAre("r/a/1", "r/a/4"));
  EXPECT_EQ(ids(**store, any()).size(), 5u);
}

TEST(Learned, EachPartOfTheFilterCounts) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  Experience e = row("run/abc/1", Evidence::Measured, "NVIDIA H200");
  ASSERT_TRUE((*store)->learn(e));
  struct {
    std::string ExperienceFilter::*part;
    std::string fits, fails;
  } rows[] = {{&ExperienceFilter::arch, "sm_90a", "sm_90"},
              {&ExperienceFilter::family, "reduction", "reduc"},
              {&ExperienceFilter::method, "vectorize-loads", "%"},
              {&ExperienceFilter::device, "NVIDIA H200", "NVIDIA"},
              {&ExperienceFilter::specHash, "abc", "ab"},
              {&ExperienceFilter::run, "run", "ru"}};
  for (const auto &[part, fits, fails] : rows) {
    ExperienceFilter filter;
    filter.*part = fails;
    EXPECT_EQ(ids(**store, filter).size(), 0u) << fails;
    EXPECT_EQ(*(*store)->forget(filter), 0) << fails;
    filter.*part = fits;
    EXPECT_EQ(ids(**store, filter).size(), 1u) << fits;
  }
  ExperienceFilter filter;
  filter.evidence = Evidence::Simulated;
  EXPECT_EQ(*(*store)->forget(filter), 0);
  EXPECT_EQ(*(*store)->forget({}), 1);
  EXPECT_EQ(ids(**store, any()).size(), 0u);
}

TEST(Learned, SeveralProcessesLearn) {
  TemporaryDirectory folder;
  for (int child = 0; child < 4; ++child)
    if (fork() == 0) {
      auto store = openStore(folder.str());
      bool ok = store.has_value();
      for (int i = 0; ok && i < 20; ++i)
        ok = (*store)
                 ->learn(row("r" + std::to_string(child) + "/a/" +
                                 std::to_string(i),
                             Evidence::Measured, "d"))
                 .has_value();
      _exit(ok ? 0 : 1);
    }
  for (int child = 0; child < 4; ++child) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(ids(**openStore(folder.str()), any()).size(), 80u);
}

TEST(Learned, LessonCandidatesComeBackAndGo) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  for (const char *id : {"r/b/1", "r/a/1", "r/a/1"})
    ASSERT_TRUE((*store)->propose(sampleLesson(id)));
  auto lessons = *(*store)->lessonCandidates();
  ASSERT_EQ(lessons.size(), 2u);
  EXPECT_EQ(toJson(lessons[0]), toJson(sampleLesson("r/a/1")));
  EXPECT_FALSE(*(*store)->dismiss("r/c/1"));
  EXPECT_TRUE(*(*store)->dismiss("r/a/1"));
  EXPECT_EQ((*store)->lessonCandidates()->size(), 1u);
}

TEST(Learned, FailuresOfOneKindHaveOneSignature) {
  Evaluation a;
  a.outcome = Outcome::CompileError;
  a.rule = "nvrtc";
  a.log = "compiling main.cu\n/tmp/x1/main.cu(12): error: identifier "
          "\"blockSum\" is undefined\n1 error detected\n";
  Evaluation b = a;
  b.log = "compiling main.cu\n/var/tmp/other/main.cu(7): error: identifier "
          "\"x\" is undefined\n";
  EXPECT_EQ(failureSignature(a),
            "compile_error (nvrtc): main.cu(#): error: identifier * is "
            "undefined");
  EXPECT_EQ(failureSignature(a), failureSignature(b));
  Evaluation c;
  c.outcome = Outcome::Mismatch;
  c.rule = "budget";
  c.message = "result 0 is wrong at 17: 1.5 for 0x1p3\nmore";
  EXPECT_EQ(failureSignature(c),
            "mismatch (budget): result # is wrong at #: # for #");
  EXPECT_NE(failureSignature(a), failureSignature(c));
}

} // namespace
