// Files of a plan, blocks that change them, and what changed.
#include "Agent/Edits.h"

#include "Plan/SamplePlan.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

std::string why(const PlanFiles &files, const std::string &text) {
  auto changed = applyEdits(files, findEdits(text));
  return changed ? "" : changed.error().message;
}

const PlanFiles files = {{"main.cu", "int a;\nint b;\nint a;\nfloat c;\n"}};

TEST(Edits, APlanSurvivesItsFiles) {
  Plan plan = samplePlan();
  plan.producer = Producer::Model;
  PlanFiles made = planFiles(plan);
  EXPECT_EQ(made.at("main.cu"), plan.modules[0].source);
  EXPECT_NE(made.at("plan.json").find("\"source\": \"@main.cu\""),
            std::string::npos);
  auto text = planFromFiles(made);
  ASSERT_TRUE(text) << text.error().message;
  auto again = parsePlan(*text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), toJson(plan));
}

TEST(Edits, AMissingSourceIsNamed) {
  PlanFiles made = planFiles(samplePlan());
  made.erase("main.cu");
  EXPECT_EQ(planFromFiles(made).error().message,
            "plan.json names the source '@main.cu', but the files are: "
            "plan.json");
}

TEST(Edits, BlocksAreAppliedInOrder) {
  auto changed = applyEdits(files, findEdits("I change it.\n"
                                             "```\n"
                                             "<<<<<<< SEARCH main.cu\n"
                                             "int b;\n"
                                             "=======\n"
                                             "int d;\n"
                                             "int e;\n"
                                             ">>>>>>> REPLACE\n"
                                             "```\n"
                                             "<<<<<<< SEARCH\n"
                                             "int e;\n"
                                             "=======\n"
                                             ">>>>>>> REPLACE\n"));
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->at("main.cu"), "int a;\nint d;\nint a;\nfloat c;\n");
}

TEST(Edits, SearchTextsOccurExactlyOnce) {
  auto block = [](const std::string &search) {
    return "<<<<<<< SEARCH main.cu\n" + search + "=======\nx\n>>>>>>> REPLACE";
  };
  EXPECT_NE(why(files, block("int a;\n")).find("occurs 2 times"),
            std::string::npos);
  EXPECT_NE(why(files, block("int z;\n")).find("does not occur in the file"),
            std::string::npos);
  EXPECT_NE(why(files, block("float  c;\n")).find("differs in white space"),
            std::string::npos);
  EXPECT_NE(why(files, block("")).find("is empty"), std::string::npos);
  EXPECT_NE(why(files, "<<<<<<< SEARCH x.cu\na\n=======\n>>>>>>> REPLACE")
                .find("no such file; known: main.cu"),
            std::string::npos);
}

TEST(Edits, WholeFilesComeInFences) {
  Edits found = findEdits("```cuda\nint x;\n```\n```json\n{\"a\": 1}\n```\n");
  EXPECT_EQ(found.files.at("main.cu"), "int x;\n");
  EXPECT_EQ(found.files.at("plan.json"), "{\"a\": 1}\n");
  EXPECT_FALSE(found.cut);
  EXPECT_TRUE(findEdits("```cuda\nint x;\n").cut);
  EXPECT_TRUE(findEdits("<<<<<<< SEARCH main.cu\nint x;\n=======\n").cut);
  EXPECT_TRUE(findEdits("only words").empty());
}

TEST(Edits, OnlyFilesOfAPlanAreWritten) {
  Edits edits = editsFromJson(json::Json::parse(
      R"({"files": [{"file": "../evil.sh", "content": "x"}]})"));
  EXPECT_NE(applyEdits({}, edits).error().message.find("no file of a plan"),
            std::string::npos);
}

TEST(Edits, TheDiffIsUnifiedAndBounded) {
  std::string before, after;
  for (int i = 0; i < 20; ++i) {
    before += "line " + std::to_string(i) + "\n";
    after += i == 10 ? "changed\n" : "line " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(unifiedDiff({{"a.cu", before}}, {{"a.cu", after}}),
            "--- a/a.cu\n+++ b/a.cu\n@@ -8,7 +8,7 @@\n line 7\n line 8\n "
            "line 9\n-line 10\n+changed\n line 11\n line 12\n line 13\n");
  EXPECT_EQ(unifiedDiff({{"a.cu", before}}, {{"a.cu", before}}), "");
  std::string bounded = unifiedDiff({{"a.cu", before}}, {{"a.cu", ""}}, 100);
  EXPECT_LT(bounded.size(), 140u);
  EXPECT_NE(bounded.find("bytes in all"), std::string::npos);
}

} // namespace
