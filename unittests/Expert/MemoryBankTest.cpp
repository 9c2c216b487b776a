//===- MemoryBankTest.cpp - Bad entries are explained ---------------------===//
//
// Malformed op rows and skeletons: the error names file, key and mistake.
//
//===----------------------------------------------------------------------===//
#include "Expert/OpTable.h"
#include "Expert/Skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kclaw::expert {
namespace {

using testing::HasSubstr;

std::string opError(const std::string &row) {
  Expected<OpTable> table =
      parseOpTable(R"({"rows": [)" + row + "]}", "ops/x.json");
  return table ? "" : table.error().message;
}

TEST(OpTable, ReadsConditionsAndReductions) {
  Expected<OpTable> table = parseOpTable(
      R"({"rows": [{"ops": ["aten.f"], "operands": "x p", "over": "all",
          "body": ["y = @sum {x}", "if p == 1,2: y = {y} / {n}"]}]})",
      "ops/x.json");
  ASSERT_TRUE(table) << table.error().message;
  const OpRow &row = table->at("aten.f");
  EXPECT_EQ(row.body[0].reduction, "sum");
  EXPECT_EQ(row.body[0].text, "{x}");
  EXPECT_EQ(row.body[1].condition.name, "p");
  EXPECT_THAT(row.body[1].condition.values, testing::ElementsAre("1", "2"));
}

struct BadRow {
  const char *row, *message;
};

TEST(OpTable, BadRowsNameFileKeyAndMistake) {
  const BadRow rows[] = {
      {R"({"ops": ["a"], "body": ["y = 1"]})", "rows[0].operands: missing"},
      {R"({"ops": ["a"], "operands": "x", "body": ["y = {z}"]})",
       "reads 'z', which is neither"},
      {R"({"ops": ["a"], "operands": "x", "body": ["y = @sum {x}"]})",
       "needs \"over\""},
      {R"({"ops": ["a"], "operands": "x", "over": "all",
           "body": ["y = @median {x}"]})",
       "unknown reduction '@median'"},
      {R"({"ops": ["a"], "operands": "x", "over": "dims d",
           "body": ["y = {x}"]})",
       "'dims' wants the name of an operand"},
      {R"({"ops": ["a"], "operands": "x", "body": ["{x} + 1"]})",
       "expected 'NAME = EXPRESSION'"},
      {R"({"ops": ["a"], "operands": "x", "body": ["z = {x}"]})",
       "result 'y' is never assigned"},
      {R"({"ops": ["a"], "operands": "x", "body": ["if : y = {x}"]})",
       "'if' wants 'if CONDITION"},
      {R"({"ops": ["a"], "operands": "x", "view": "twist"})",
       "rows[0].view: unknown value"},
      {R"({"ops": ["a"], "operands": "x w", "body": ["y = @dot {x} {w}"]})",
       "'@dot' needs \"contract\""},
      {R"({"ops": ["a"], "operands": "x w", "contract": "mk kn",
           "body": ["y = @dot {x} * {w}"]})",
       "'@dot' wants two operands, got '{x} * {w}'"},
      {R"({"ops": ["a"], "operands": "x w", "contract": "mk mn",
           "body": ["y = @dot {x} {w}"]})",
       "expected mk or km, then kn or nk"},
      {R"({"ops": ["a"], "operands": "x", "bodi": ["y = {x}"]})",
       "unknown member \"bodi\""},
  };
  for (const BadRow &bad : rows) {
    EXPECT_THAT(opError(bad.row), HasSubstr("ops/x.json: ")) << bad.row;
    EXPECT_THAT(opError(bad.row), HasSubstr(bad.message)) << bad.row;
  }
}

TEST(OpTable, TwoRowsForOneOpAreAnError) {
  EXPECT_THAT(opError(R"({"ops": ["a", "a"], "operands": "x",
                          "body": ["y = {x}"]})"),
              HasSubstr("'a' has a row already"));
}

/// A valid skeleton with one piece of text replaced.
std::string skeletonError(const std::string &from, const std::string &to,
                          const std::string &source = "{{body}}") {
  std::string json = R"({"title": "t", "layout": "row",
    "storage": "registers", "walk": {"loop": ""},
    "tunables": {"THREADS": [128]}, "derive": {"items": "cols / THREADS"},
    "when": ["items > 0"], "score": "items", "grid": ["rows"],
    "block": "THREADS"})";
  if (size_t at = json.find(from); at != std::string::npos)
    json.replace(at, from.size(), to);
  Expected<Skeleton> skeleton =
      parseSkeleton(json, source, "s", "s/skeleton.json");
  return skeleton ? "" : skeleton.error().message;
}

TEST(Skeleton, ValidTextParses) { EXPECT_EQ(skeletonError("", ""), ""); }

TEST(Skeleton, BadEntriesNameFileKeyAndMistake) {
  struct Bad {
    const char *from, *to, *message;
  };
  const Bad entries[] = {
      {R"("layout": "row")", R"("layout": "diagonal")", "layout: unknown"},
      {R"("layout": "row")", R"("layout": "product")",
       "layout: product wants storage stream"},
      {R"("items > 0")", R"("itmes > 0")", "unknown name 'itmes'"},
      {R"("cols / THREADS")", R"("cols / ")", "derive.items: "},
      {R"([128])", R"([0])", "tunables.THREADS[0]: 0 is outside"},
      {R"([128])", R"([])", "wants at least one value"},
      {R"("grid": ["rows"])", R"("grid": [])", "grid: wants one to three"},
      {R"("block": "THREADS")", R"("blok": "THREADS")", "unknown member"},
      {R"("title": "t", )", "", "title: missing"},
      {R"("score": "items")", R"("score": "items", "launch": "per phase")",
       "launch: per phase wants a derived number 'splits'"},
      {"{", "[", "not JSON"},
  };
  for (const Bad &bad : entries) {
    std::string error = skeletonError(bad.from, bad.to);
    EXPECT_THAT(error, HasSubstr("s/skeleton.json: ")) << bad.to;
    EXPECT_THAT(error, HasSubstr(bad.message)) << bad.to;
  }
}

TEST(Skeleton, UnknownPlaceholderIsAnError) {
  EXPECT_THAT(skeletonError("", "", "{{bodi}}"),
              HasSubstr("unknown placeholder '{{bodi}}'"));
}

} // namespace
} // namespace kclaw::expert
