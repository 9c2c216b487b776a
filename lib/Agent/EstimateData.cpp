//===- EstimateData.cpp - memorybank/estimate.json ------------------------===//
#include "kernelclaw/Agent/Estimate.h"

#include "Support/Files.h"
#include "Support/Json.h"

namespace kclaw {
namespace {

using json::Json;

/// A positive number at `path`; `fallback` where there is none.
double positive(const Json &object, const char *name, double fallback,
                std::string &error) {
  auto it = object.find(name);
  if (it == object.end())
    return fallback;
  if (!it->is_number() || !(it->get<double>() > 0)) {
    error = std::string(name) + ": expected a positive number";
    return fallback;
  }
  return it->get<double>();
}

void range(const Json &object, const char *name, double &low, double &high,
           std::string &error) {
  auto it = object.find(name);
  if (it == object.end())
    return;
  bool good = it->is_array() && it->size() == 2 && (*it)[0].is_number() &&
              (*it)[1].is_number() && (*it)[0] > 0 && (*it)[0] <= (*it)[1];
  if (!good) {
    error = std::string(name) + ": expected [low, high]";
    return;
  }
  low = (*it)[0];
  high = (*it)[1];
}

Json member(const Json &document, const char *group, const std::string &name) {
  auto it = document.find(group);
  if (it == document.end() || !it->is_object() || !it->contains(name))
    return Json::object();
  return (*it)[name].is_object() ? (*it)[name] : Json::object();
}

/// Of the same device: sm_90 and sm_90a name one.
Json ratesOf(const Json &document, const std::string &arch) {
  Json rates = member(document, "rates", arch);
  if (!rates.empty() || arch.empty())
    return rates;
  return member(document, "rates",
                arch.ends_with('a') ? arch.substr(0, arch.size() - 1)
                                    : arch + "a");
}

} // namespace

Expected<EstimateData> loadEstimateData(const std::string &file,
                                        const std::string &strategy,
                                        const std::string &arch) {
  auto text = readFile(file);
  if (!text)
    return std::unexpected(text.error());
  Json document = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    return makeError(Error::Code::Invalid, "'" + file + "' is not JSON");
  EstimateData data;
  std::string error;
  CallHabits &habits = data.habits;
  habits.bytesPerToken =
      positive(document, "bytesPerToken", habits.bytesPerToken, error);
  Json own = member(document, "strategies", strategy);
  habits.attempts = positive(own, "attempts", habits.attempts, error);
  habits.outputLow =
      int64_t(positive(own, "output", double(habits.outputLow), error));
  range(own, "calls", habits.callsLow, habits.callsHigh, error);
  range(own, "input", habits.inputLow, habits.inputHigh, error);

  RooflineRates &rates = data.rates;
  Json peaks = ratesOf(document, arch);
  rates.bytesPerSecond =
      positive(peaks, "bytesPerSecond", rates.bytesPerSecond, error);
  rates.flopsPerSecond = positive(peaks, "f32", rates.flopsPerSecond, error);
  rates.tf32FlopsPerSecond =
      positive(peaks, "tf32", rates.tf32FlopsPerSecond, error);
  rates.halfFlopsPerSecond =
      positive(peaks, "half", rates.halfFlopsPerSecond, error);
  rates.launchSeconds =
      positive(document, "launchSeconds", rates.launchSeconds, error);
  if (!error.empty())
    return makeError(Error::Code::Invalid, "'" + file + "': " + error);
  return data;
}

} // namespace kclaw
