// docs/schema: every member that our writers emit has its place there, and
// every member that a schema requires is emitted.
#include "SampleEvaluation.h"
#include "SamplePlan.h"
#include "kernelclaw/Plan/ModuleRecord.h"
#include "kernelclaw/Plan/VerifyReport.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

using namespace kclaw;
using nlohmann::json;

namespace {

json readSchema(const std::string &name) {
  std::ifstream file(std::string(KCLAW_SCHEMA_DIR) + "/" + name);
  return json::parse(file);
}

/// Follows "$ref" into $defs or another file of the folder. Returns the schema
/// and the document it lives in.
std::pair<json, json> resolve(json schema, json document) {
  while (schema.contains("$ref")) {
    std::string ref = schema["$ref"];
    size_t hash = ref.find('#');
    if (hash != 0)
      document = readSchema(ref.substr(0, hash));
    std::string inner = hash == std::string::npos ? "" : ref.substr(hash + 1);
    schema = document.at(json::json_pointer(inner));
  }
  return {schema, document};
}

/// The alternative of a oneOf that fits `value`: by "kind", else by member.
json choose(const json &options, const json &value, const json &document) {
  for (const json &option : options) {
    auto [schema, home] = resolve(option, document);
    if (schema.contains("properties") != value.is_object())
      continue;
    if (!value.is_object())
      return option;
    const json &properties = schema["properties"];
    bool fits = true;
    for (const auto &[name, inner] : value.items())
      fits &= properties.contains(name) &&
              (name != "kind" || !properties[name].contains("const") ||
               properties[name]["const"] == inner);
    if (fits)
      return option;
  }
  return nullptr;
}

void compare(const json &value, json schema, json document,
             const std::string &path) {
  std::tie(schema, document) = resolve(schema, document);
  for (const char *word : {"oneOf", "anyOf"}) {
    if (!schema.contains(word))
      continue;
    json option = choose(schema[word], value, document);
    ASSERT_FALSE(option.is_null()) << path << " fits no alternative";
    return compare(value, option, document, path);
  }
  if (value.is_array() && schema.contains("items"))
    for (size_t i = 0; i < value.size(); ++i)
      compare(value[i], schema["items"], document,
              path + "[" + std::to_string(i) + "]");
  if (schema.contains("enum")) {
    EXPECT_NE(std::ranges::find(schema["enum"], value), schema["enum"].end())
        << path << " is " << value;
  }
  if (!value.is_object() || !schema.contains("properties"))
    return;
  for (const auto &[name, inner] : value.items()) {
    ASSERT_TRUE(schema["properties"].contains(name)) << path << "." << name;
    compare(inner, schema["properties"][name], document, path + "." + name);
  }
  for (const json &name : schema.value("required", json::array()))
    EXPECT_TRUE(value.contains(name)) << path << " lacks " << name;
}

void compareWithFile(const std::string &text, const std::string &file) {
  json schema = readSchema(file);
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  compare(json::parse(text), schema, schema, file);
}

TEST(Schema, Spec) {
  compareWithFile(toJson(sampleSpec(false)), "spec.schema.json");
  compareWithFile(toJson(sampleSpec(true)), "spec.schema.json");
}

TEST(Schema, Plan) {
  compareWithFile(toJson(samplePlan()), "plan.schema.json");
}

TEST(Schema, Evaluation) {
  compareWithFile(toJson(sampleEvaluation()), "evaluation.schema.json");
}

TEST(Schema, Job) {
  Job job;
  job.spec = sampleSpec();
  job.candidate = job.stock = job.reference = samplePlan();
  job.images = sampleEvaluation().images;
  compareWithFile(toJson(job), "job.schema.json");
}

TEST(Schema, ModuleRecord) {
  ModuleRecord record;
  record.entries = {{"main", "", {}}, {"other", "random numbers", {}}};
  Job &job = record.entries[0].job;
  job.id = "main";
  job.kind = Job::Kind::Verify;
  job.spec = sampleSpec();
  job.stock = job.reference = samplePlan();
  compareWithFile(toJson(record), "module-record.schema.json");
}

TEST(Schema, VerifyReport) {
  VerifyReport report;
  report.entries = {
      {"main", VerifyStatus::Failed, "budget", "worse", {}, 2, 1}};
  report.entries[0].errors = sampleEvaluation().errors;
  compareWithFile(toJson(report), "verify-report.schema.json");
}

TEST(Schema, LaterStepsHaveTheirPlace) {
  json steps =
      readSchema("plan.schema.json").at("/$defs/step/oneOf"_json_pointer);
  std::string all = steps.dump();
  for (const char *kind : {"repeat", "when", "matmul", "convolution"})
    EXPECT_NE(all.find(kind), std::string::npos) << kind;
}

} // namespace
