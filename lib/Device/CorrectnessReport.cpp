//===- CorrectnessReport.cpp - What a check found, for people -------------===//
#include "Correctness.h"

namespace kclaw {

std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string describeRefusal(const ProblemTensor &tensor,
                            const ResultError &error, const ResultRule &rule,
                            const ResultCase &refused) {
  const Comparison &found = refused.found;
  std::string text = "result " + std::to_string(error.result) + " on '" +
                     error.distribution + "' data: " + rule.explain(refused);
  if (isFloat(tensor.dtype))
    text += "; relative error " + shortNumber(found.relativeNorm) +
            ", largest " + shortNumber(found.maxScaled) +
            " of its row's scale, allowed " + shortNumber(error.bound) +
            " (stock has " + shortNumber(error.stockRelativeNorm) + " and " +
            shortNumber(error.stockMaxScaled) + ")";
  if (found.worst >= 0)
    text += "; worst at " + position(tensor.shape, found.worst) + ": got " +
            shortNumber(found.got) + ", want " + shortNumber(found.want);
  return text;
}

void CorrectnessCheck::note(const std::string &text) {
  noteText += (noteText.empty() ? "" : "; ") + text;
}

void CorrectnessCheck::report(Evaluation &evaluation) const {
  evaluation.errors = errors;
  evaluation.undiscriminating = undiscriminating;
  evaluation.precisionClass = used > 0 ? precision.name() : "";
  evaluation.bitwiseRepeatable = repeatable;
  evaluation.message = noteText;
  const std::pair<const char *, double> counters[] = {
      {"distributions", used},
      {"saturated", static_cast<double>(saturated)},
      {"excused", static_cast<double>(excused)},
      {"stockNonFinite", static_cast<double>(stockDiffers)}};
  for (auto [name, value] : counters)
    evaluation.counters[name] = value;
}

} // namespace kclaw
