// Replies against schemas; the schemas that ship use nothing unknown.
#include "Agent/Schema.h"
#include "Agent/Prompts.h"
#include "kernelclaw/Support/Counters.h"

#include <gtest/gtest.h>

#include <set>

using namespace kclaw;
using json::Json;

namespace {

std::string check(const char *value, const char *schema) {
  return schemaViolation(Json::parse(value), Json::parse(schema));
}

TEST(Schema, SaysWhereAndWhat) {
  const char *schema =
      R"({"type": "object", "required": ["a"], "additionalProperties": false,
          "properties": {
            "a": {"type": "array", "minItems": 1, "maxItems": 2,
                  "items": {"type": "string", "maxLength": 3}},
            "b": {"type": ["integer", "null"], "minimum": 1},
            "c": {"enum": ["up", "down"]}}})";
  EXPECT_EQ(check(R"({"a": ["x"], "b": null, "c": "up"})", schema), "");
  EXPECT_EQ(check("[]", schema), "expected an object, got array");
  EXPECT_EQ(check("{}", schema), "member \"a\" is missing");
  EXPECT_EQ(check(R"({"a": []})", schema),
            "a: expected at least 1 items, got 0");
  EXPECT_EQ(check(R"({"a": ["x", 1]})", schema),
            "a[1]: expected a string, got number");
  EXPECT_EQ(check(R"({"a": ["long"]})", schema),
            "a[0]: expected at most 3 characters, got 4");
  EXPECT_EQ(check(R"({"a": ["x"], "b": 0})", schema),
            "b: expected at least 1, got 0");
  EXPECT_EQ(check(R"({"a": ["x"], "b": 1.5})", schema),
            "b: expected an integer or null, got number");
  EXPECT_EQ(check(R"({"a": ["x"], "c": "no"})", schema),
            "c: \"no\" is none of [\"up\",\"down\"]");
  EXPECT_EQ(check(R"({"a": ["x"], "d": 1})", schema),
            "unknown member 'd'; known: a, b, c");
}

TEST(Schema, UnknownKeywordsAreNamed) {
  EXPECT_EQ(unsupportedKeyword(Json::parse(
                R"({"type": "object", "properties": {"a": {"oneOf": []}}})")),
            "oneOf");
  EXPECT_EQ(unsupportedKeyword(Json::parse(R"({"items": {"pattern": "x"}})")),
            "pattern");
}

/// Every list of counters in a schema, however deep.
void collectCounters(const Json &schema, std::vector<Json> &found) {
  if (!schema.is_structured())
    return;
  if (schema.is_object() && schema.contains("counter"))
    found.push_back(schema["counter"]["enum"]);
  for (const Json &inner : schema)
    collectCounters(inner, found);
}

TEST(Schema, ThoseThatShipAreKnownAndNameAllCounters) {
  auto prompts = Prompts::load(KCLAW_PROMPTS_DIR);
  ASSERT_TRUE(prompts) << prompts.error().message;
  std::set<std::string> counters = {"time"};
  for (const CounterRow &row : counterTable)
    counters.insert(std::string(row.name));
  int schemas = 0;
  std::vector<Json> lists;
  for (const auto &[name, text] : prompts->files) {
    if (!name.starts_with("schemas/"))
      continue;
    ++schemas;
    Json schema = Json::parse(text, nullptr, false);
    ASSERT_TRUE(schema.is_object()) << name;
    EXPECT_EQ(unsupportedKeyword(schema), "") << name;
    collectCounters(schema, lists);
  }
  EXPECT_EQ(schemas, 11);
  EXPECT_EQ(lists.size(), 3u);
  for (const Json &list : lists)
    EXPECT_EQ(list.get<std::set<std::string>>(), counters);
}

} // namespace
