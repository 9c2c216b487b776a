// KernelSpec <-> JSON: nothing is lost, and a mistake is named by its path.
#include "SampleSpec.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace kclaw;

namespace {

/// The sample's JSON with one piece of text replaced.
std::string edited(const std::string &from, const std::string &to,
                   bool dynamic = false) {
  std::string text = toJson(sampleSpec(dynamic));
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string errorOf(const std::string &text) {
  auto spec = parseKernelSpec(text);
  return spec ? "no error" : spec.error().message;
}

TEST(KernelSpecJson, RoundTrip) {
  for (bool dynamic : {false, true}) {
    KernelSpec spec = sampleSpec(dynamic);
    auto again = parseKernelSpec(toJson(spec));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(toJson(*again), toJson(spec));
    EXPECT_EQ(computeSpecHash(*again), spec.specHash);
    EXPECT_EQ(again->arguments[0].dims[0].isStatic(), !dynamic);
    EXPECT_EQ(again->arguments[1].domain.limit, 7);
  }
}

TEST(KernelSpecJson, LiteralsKeepTheirKind) {
  const Literal literals[] = {std::monostate(),
                              true,
                              int64_t(1),
                              1.0,
                              -INFINITY,
                              std::string("NaN"),
                              std::vector<int64_t>{},
                              std::vector<double>{1, INFINITY},
                              std::vector<bool>{true, false}};
  for (const Literal &literal : literals) {
    KernelSpec spec = sampleSpec();
    spec.graph.ops[0].operands[1] = {{}, literal};
    auto again = parseKernelSpec(toJson(spec));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->graph.ops[0].operands[1].literal, literal);
  }
}

TEST(KernelSpecJson, ErrorsNameThePath) {
  EXPECT_EQ(errorOf(edited("\"value\": 4096", "\"value\": -4")),
            "arguments[0].dims[0].value: -4 is outside [0, "
            "9223372036854775807]");
  EXPECT_EQ(errorOf(edited("\"dtype\": \"bf16\"", "\"dtype\": \"f8\"")),
            "arguments[1].dtype: unknown dtype 'f8'; accepted: f64, f32, f16, "
            "bf16, i64, i32, i16, i8, u8, bool");
  EXPECT_EQ(errorOf(edited("\"role\": \"param\"", "\"role\": \"weight\"")),
            "arguments[1].role: unknown value \"weight\"; accepted: input, "
            "param, buffer, constant");
  EXPECT_EQ(errorOf(edited("\"alignmentBytes\": 16", "\"alignment\": 16")),
            "arguments[0]: unknown member \"alignment\"; known: name, dtype, "
            "dims, alignmentBytes, role, domain");
  EXPECT_EQ(errorOf("{\"arguments\": []}"), "results: missing");
  EXPECT_EQ(errorOf("[1]"), "expected an object, got array");
  EXPECT_TRUE(errorOf("{\"arguments\": [").starts_with("spec: not JSON: "));
}

TEST(KernelSpecJson, DimensionsAgree) {
  EXPECT_EQ(errorOf(edited("\"value\": 4096", "\"value\": 4095")),
            "dimension 'rows' has two sizes, 4095 and 4096");
  EXPECT_EQ(errorOf(edited("\"name\": \"rows\"", "\"name\": \"2x\"")),
            "arguments[0].dims[0]: dimension name '2x' is not a C identifier");
  EXPECT_EQ(errorOf(edited("128,", "9000,", true)),
            "arguments[0].dims[0]: sample 9000 is outside [min, max]");
}

} // namespace
