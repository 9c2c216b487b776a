//===- TreeJson.cpp - attempt.json ----------------------------------------===//
//
// Schema: docs/schema/attempt.schema.json. Plan and evaluation lie beside it.
//
//===----------------------------------------------------------------------===//
#include "Tree.h"

#include "Support/Json.h"

namespace kclaw {

using json::Json;

static Json numbers(const std::map<std::string, double> &values) {
  Json object = Json::object();
  for (const auto &[name, value] : values)
    object[name] = json::number(value);
  return object;
}

std::string toJson(const AttemptRecord &record) {
  const Decision &decision = record.decision;
  const Evaluation &evaluation = record.evaluation;
  Json document{{"number", record.number},
                {"parent", decision.parent},
                {"phase", name(decision.phase)},
                {"method", decision.method},
                {"approach", decision.approach},
                {"title", record.plan ? record.plan->title : ""},
                {"case", decision.caseName},
                {"headroom", decision.headroom},
                {"features", numbers(decision.context)},
                {"bottleneck", decision.bottleneck},
                {"plan", decision.plan},
                {"evidence", decision.evidence},
                {"predicted", Json(decision.predicted)},
                {"measured", numbers(record.measured)},
                {"rootCause", decision.rootCause},
                {"quotes", decision.quotes},
                {"fix", decision.fix},
                {"outcome", name(evaluation.outcome)},
                {"rule", evaluation.rule},
                {"message", evaluation.message},
                {"evaluationEvidence", name(evaluation.evidence)},
                {"speedup", json::number(evaluation.speedup)},
                {"gain", json::number(record.gain)},
                {"promoted", record.promoted},
                {"inputTokens", record.usage.inputTokens},
                {"cachedInputTokens", record.usage.cachedInputTokens},
                {"outputTokens", record.usage.outputTokens},
                {"dollars", json::number(record.usage.dollars)},
                {"callSeconds", json::number(record.usage.seconds)},
                {"deviceSeconds", json::number(evaluation.deviceSeconds)},
                {"diff", record.diff}};
  return json::dump(document, 1) + "\n";
}

} // namespace kclaw
