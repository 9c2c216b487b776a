//===- WitnessFile.cpp - diagnosis/witnesses.json -------------------------===//
#include "kernelclaw/Memory/CheckBank.h"

#include "Names.h"
#include "Support/Files.h"
#include "Support/Json.h"

namespace kclaw {

using json::Cursor;
using json::Json;

static std::string path(const std::string &directory) {
  return directory + "/diagnosis/witnesses.json";
}

static std::map<std::string, double> readFeatures(const Cursor &at) {
  static const NameSet known = featureNames();
  std::map<std::string, double> features;
  at.members([&](const std::string &name, const Cursor &value) {
    if (!known.contains(name))
      value.fail(unknownName("feature", name, known));
    features[name] = value.number();
  });
  return features;
}

Expected<Witnesses> loadWitnesses(const std::string &directory) {
  Expected<std::string> text = readFile(path(directory));
  if (!text)
    return std::unexpected(text.error());
  auto read = json::parseDocument(*text, "witnesses", [](Cursor all) {
    all.only({"about", "base", "witnesses"});
    Witnesses witnesses;
    witnesses.base = readFeatures(all.at("base"));
    for (const std::string &name : featureNames())
      if (!witnesses.base.contains(name))
        all.at("base").fail("wants a value of every feature; '" + name +
                            "' has none");
    witnesses.list = all.at("witnesses").list([](Cursor at) {
      at.only(
          {"case", "without", "method", "precondition", "level", "features"});
      return Witness{
          at.at("case").string(),     at.find("without").string(),
          at.find("method").string(), at.find("precondition").string(),
          at.at("level").string(),    readFeatures(at.at("features"))};
    });
    return witnesses;
  });
  if (!read)
    return std::unexpected(read.error().context(path(directory)));
  return read;
}

static Json toJson(const std::map<std::string, double> &features) {
  Json json = Json::object();
  for (const auto &[name, value] : features)
    if (value == double(int64_t(value)))
      json[name] = int64_t(value);
    else
      json[name] = value;
  return json;
}

Expected<void> saveWitnesses(const std::string &directory,
                             const Witnesses &witnesses) {
  std::string text =
      "{\n \"about\": \"What kernelclaw-memory check shows by example; "
      "--write renews it. Features of a witness are the base's, as far as its "
      "level knows them, with these changes.\",\n \"base\": " +
      toJson(witnesses.base).dump() + ",\n \"witnesses\": [";
  bool first = true;
  for (const Witness &witness : witnesses.list) {
    Json json = Json::object();
    json["case"] = witness.caseName;
    for (auto [key, value] : {std::pair("without", &witness.without),
                              std::pair("method", &witness.method),
                              std::pair("precondition", &witness.precondition)})
      if (!value->empty())
        json[key] = *value;
    json["level"] = witness.level;
    json["features"] = toJson(witness.changes);
    text += (first ? "\n  " : ",\n  ") + json.dump();
    first = false;
  }
  return writeFileAtomically(path(directory), text + "\n ]\n}\n");
}

} // namespace kclaw
