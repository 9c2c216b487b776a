// docs/schema: every member that our writers emit has its place there, and
// every member that a schema requires is emitted.
#include "SampleEvaluation.h"
#include "SampleExperience.h"
#include "SamplePlan.h"
#include "SchemaCompare.h"
#include "kernelclaw/Plan/ModuleRecord.h"
#include "kernelclaw/Plan/VerifyReport.h"

using namespace kclaw;

namespace {

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

TEST(Schema, Experience) {
  compareWithFile(toJson(sampleExperience()), "experience.schema.json");
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
