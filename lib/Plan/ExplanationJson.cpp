//===- ExplanationJson.cpp - Explanation and ToolCheck <-> JSON -----------===//
#include "ExplanationJson.h"
#include "PlanJson.h"

namespace kclaw::json {
namespace {

constexpr EnumRow<ToolCheck::Outcome> checkNames[] = {
    {"passed", ToolCheck::Outcome::Passed},
    {"finding", ToolCheck::Outcome::Finding},
    {"not run", ToolCheck::Outcome::NotRun},
    {"unfinished", ToolCheck::Outcome::Unfinished}};

Json write(const WrongElement &element) {
  return {{"index", element.index},         {"got", number(element.got)},
          {"want", number(element.want)},   {"stock", number(element.stock)},
          {"error", number(element.error)}, {"unwritten", element.unwritten}};
}

WrongElement readElement(const Cursor &at) {
  return {at.at("index").integer(),  at.find("got").number(),
          at.find("want").number(),  at.find("stock").number(),
          at.find("error").number(), at.find("unwritten").boolean()};
}

ErrorPattern readPattern(const Cursor &at) {
  return {at.at("name").string(), at.find("text").string()};
}

uint64_t readNatural(const Cursor &at) {
  if (!at.present())
    return 0;
  if (at.get()->is_number_unsigned())
    return at.get()->get<uint64_t>();
  at.fail("expected a whole number of 0 or more");
  return 0;
}

} // namespace

Json write(const Explanation &explanation) {
  if (explanation.empty())
    return nullptr;
  Json first = Json::array();
  for (const WrongElement &element : explanation.first)
    first.push_back(write(element));
  Json patterns = Json::array();
  for (const ErrorPattern &pattern : explanation.patterns)
    patterns.push_back({{"name", pattern.name}, {"text", pattern.text}});
  return {{"distribution", explanation.distribution},
          {"level", explanation.level},
          {"draw", explanation.draw},
          {"seed", explanation.seed},
          {"result", explanation.result},
          {"dtype", explanation.dtype},
          {"shape", explanation.shape},
          {"elements", explanation.elements},
          {"wrong", explanation.wrong},
          {"unwritten", explanation.unwritten},
          {"bound", number(explanation.bound)},
          {"first", first},
          {"patterns", patterns},
          {"note", explanation.note}};
}

Explanation readExplanation(const Cursor &at) {
  Explanation explanation;
  if (!at.present())
    return explanation;
  explanation.distribution = at.find("distribution").string();
  explanation.level = int(at.find("level").integer(0, 0, 1000));
  explanation.draw = readNatural(at.find("draw"));
  explanation.seed = readNatural(at.find("seed"));
  explanation.result = int(at.find("result").integer(-1, -1, 100000));
  explanation.dtype = at.find("dtype").string();
  explanation.shape =
      at.find("shape").list([](const Cursor &c) { return c.integer(); });
  explanation.elements = at.find("elements").integer();
  explanation.wrong = at.find("wrong").integer();
  explanation.unwritten = at.find("unwritten").integer();
  explanation.bound = at.find("bound").number();
  explanation.first = at.find("first").list(readElement);
  explanation.patterns = at.find("patterns").list(readPattern);
  explanation.note = at.find("note").string();
  return explanation;
}

Json write(const std::vector<ToolCheck> &checks) {
  Json list = Json::array();
  for (const ToolCheck &check : checks)
    list.push_back({{"tool", check.tool},
                    {"outcome", nameOf(checkNames, check.outcome)},
                    {"seconds", number(check.seconds)},
                    {"message", check.message}});
  return list;
}

ToolCheck readToolCheck(const Cursor &at) {
  return {at.at("tool").string(),
          at.at("outcome").oneOf(checkNames, ToolCheck::Outcome::NotRun),
          at.find("seconds").number(), at.find("message").string()};
}

} // namespace kclaw::json

const char *kclaw::name(ToolCheck::Outcome outcome) {
  for (const auto &[text, row] : json::checkNames)
    if (row == outcome)
      return text.data();
  return "?";
}
