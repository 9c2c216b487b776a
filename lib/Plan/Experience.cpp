//===- Experience.cpp - Experience <-> JSON -------------------------------===//
//
// Schema: docs/schema/experience.schema.json. What would poison an average (no
// method, a gain that is no number, a negative weight) is refused on reading.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/Experience.h"

#include "PlanJson.h"

namespace kclaw {
namespace {

using json::Cursor;
using json::Json;

std::string readName(const Cursor &at) {
  std::string text = at.string();
  if (at.present() && text.empty())
    at.fail("is empty");
  return text;
}

/// A number from `low` on that is finite.
double readFinite(const Cursor &at, double fallback, double low) {
  double value = at.number(fallback);
  if (std::isfinite(value) && value >= low)
    return value;
  at.fail("must be a finite number of at least " + std::to_string(int(low)));
  return fallback;
}

std::map<std::string, int> readSigns(const Cursor &at) {
  std::map<std::string, int> signs;
  if (at.present())
    at.members([&signs](const std::string &name, const Cursor &value) {
      signs[name] = int(value.integer(0, -1, 1));
    });
  return signs;
}

Experience readExperience(const Cursor &at) {
  Experience e;
  e.id = readName(at.at("id"));
  e.specHash = at.find("specHash").string();
  e.family = at.find("family").string();
  e.arch = readName(at.at("arch"));
  e.policy = at.find("policy").string();
  e.context = json::readNumbers(at.find("context"));
  e.caseName = at.find("case").string();
  e.method = readName(at.at("method"));
  e.predicted = readSigns(at.find("predicted"));
  e.measured = json::readNumbers(at.find("measured"));
  e.outcome = at.at("outcome").oneOf(json::outcomeNames, Outcome::Rejected);
  e.rule = at.find("rule").string();
  e.evidence = at.at("evidence").oneOf(json::evidenceNames, Evidence::None);
  e.gain = readFinite(at.find("gain"), 0, 0);
  e.mends = at.find("mends").string();
  e.device = at.find("device").string();
  e.weight = readFinite(at.find("weight"), 1, 0);
  e.unixSeconds = at.find("unixSeconds").integer();
  return e;
}

} // namespace

std::string toJson(const Experience &e) {
  return json::dump(Json{{"id", e.id},
                         {"specHash", e.specHash},
                         {"family", e.family},
                         {"arch", e.arch},
                         {"policy", e.policy},
                         {"context", json::writeNumbers(e.context)},
                         {"case", e.caseName},
                         {"method", e.method},
                         {"predicted", Json(e.predicted)},
                         {"measured", json::writeNumbers(e.measured)},
                         {"outcome", name(e.outcome)},
                         {"rule", e.rule},
                         {"evidence", name(e.evidence)},
                         {"gain", json::number(e.gain)},
                         {"mends", e.mends},
                         {"device", e.device},
                         {"weight", json::number(e.weight)},
                         {"unixSeconds", e.unixSeconds}});
}

Expected<Experience> parseExperience(const std::string &text) {
  return json::parseDocument(text, "experience", readExperience);
}

} // namespace kclaw
