//===- EvaluationJson.cpp - Evaluation <-> JSON ---------------------------===//
//
// Schema: docs/schema/evaluation.schema.json. Unknown members are left alone:
// a newer worker may know more than this loop.
//
//===----------------------------------------------------------------------===//
#include "ExplanationJson.h"
#include "PlanJson.h"
#include "Support/Base64.h"

namespace kclaw::json {
namespace {

using json::write; // the overloads of PlanJson.h beside those below

Json write(const ResourceReport &report) {
  return {{"kernel", report.kernel},
          {"registers", report.registers},
          {"spillBytes", report.spillBytes},
          {"staticSharedBytes", report.staticSharedBytes},
          {"stackBytes", report.stackBytes}};
}

ResourceReport readReport(const Cursor &at) {
  return {at.at("kernel").string(), int(at.find("registers").integer()),
          int(at.find("spillBytes").integer()),
          int(at.find("staticSharedBytes").integer()),
          int(at.find("stackBytes").integer())};
}

Json write(const TunableRow &row) {
  return {{"values", row.values},
          {"outcome", nameOf(outcomeNames, row.outcome)},
          {"medianMicroseconds", number(row.medianMicroseconds)},
          {"reason", row.reason},
          {"rung", row.rung}};
}

TunableRow readRow(const Cursor &at) {
  return {readIntegers(at.at("values")),
          at.at("outcome").oneOf(outcomeNames, Outcome::Ok),
          at.find("medianMicroseconds").number(), at.find("reason").string(),
          int(at.find("rung").integer(0, 0, 1000))};
}

Json write(const Undiscriminating &item) {
  return {{"result", item.result},
          {"distribution", item.distribution},
          {"passes", item.passes}};
}

Undiscriminating readUndiscriminating(const Cursor &at) {
  return {int(at.at("result").integer(0, 0, 100000)),
          at.find("distribution").string(), at.find("passes").string()};
}

int readIndex(const Cursor &at) { return int(at.integer(0, 0, 100000)); }

template <typename T> Json writeAll(const std::vector<T> &items) {
  Json list = Json::array();
  for (const T &item : items)
    list.push_back(write(item));
  return list;
}

Json writeEvaluation(const Evaluation &evaluation) {
  return {{"jobId", evaluation.jobId},
          {"outcome", nameOf(outcomeNames, evaluation.outcome)},
          {"rule", evaluation.rule},
          {"message", evaluation.message},
          {"evidence", nameOf(evidenceNames, evaluation.evidence)},
          {"log", evaluation.log},
          {"errors", writeAll(evaluation.errors)},
          {"precisionClass", evaluation.precisionClass},
          {"undiscriminating", writeAll(evaluation.undiscriminating)},
          {"inputsWithoutEffect", evaluation.inputsWithoutEffect},
          {"time", write(evaluation.time)},
          {"stockTime", write(evaluation.stockTime)},
          {"copyTime", write(evaluation.copyTime)},
          {"prepareTime", write(evaluation.prepareTime)},
          {"speedup", number(evaluation.speedup)},
          {"speedupInterval", write(evaluation.speedupInterval)},
          {"incumbentTime", write(evaluation.incumbentTime)},
          {"incumbentInterval", write(evaluation.incumbentInterval)},
          {"confirmation", write(evaluation.confirmation)},
          {"energy", write(evaluation.energy)},
          {"resources", writeAll(evaluation.resources)},
          {"images", writeAll(evaluation.images)},
          {"stockImages", writeAll(evaluation.stockImages)},
          {"counters", writeNumbers(evaluation.counters)},
          {"tunableTable", writeAll(evaluation.tunableTable)},
          {"chosenTunables", Json(evaluation.chosenTunables)},
          {"deviceSeconds", number(evaluation.deviceSeconds)},
          {"phases", writeNumbers(evaluation.phases)},
          {"seed", evaluation.seed},
          {"isolation", evaluation.isolation},
          {"driverVersion", evaluation.driverVersion},
          {"nvrtcVersion", evaluation.nvrtcVersion},
          {"arch", evaluation.arch},
          {"bitwiseRepeatable", evaluation.bitwiseRepeatable},
          {"device", write(evaluation.device)},
          {"lostWorkers", evaluation.lostWorkers},
          {"stock", write(evaluation.stock)},
          {"choices", writeAll(evaluation.choices)},
          {"profile", write(evaluation.profile)},
          {"explanation", write(evaluation.explanation)},
          {"checks", write(evaluation.checks)}};
}

Evaluation readEvaluation(const Cursor &at) {
  Evaluation e;
  e.jobId = at.at("jobId").string();
  e.outcome = at.at("outcome").oneOf(outcomeNames, Outcome::Rejected);
  e.rule = at.find("rule").string();
  e.message = at.find("message").string();
  e.evidence = at.at("evidence").oneOf(evidenceNames, Evidence::None);
  e.log = at.find("log").string();
  e.errors = at.find("errors").list(readResultError);
  e.precisionClass = at.find("precisionClass").string();
  e.undiscriminating = at.find("undiscriminating").list(readUndiscriminating);
  e.inputsWithoutEffect = at.find("inputsWithoutEffect").list(readIndex);
  e.time = readTiming(at.find("time"));
  e.stockTime = readTiming(at.find("stockTime"));
  e.copyTime = readTiming(at.find("copyTime"));
  e.prepareTime = readTiming(at.find("prepareTime"));
  e.speedup = at.find("speedup").number();
  e.speedupInterval = readInterval(at.find("speedupInterval"));
  e.incumbentTime = readTiming(at.find("incumbentTime"));
  e.incumbentInterval = readInterval(at.find("incumbentInterval"));
  e.confirmation = readConfirmation(at.find("confirmation"));
  e.energy = readEnergy(at.find("energy"));
  e.resources = at.find("resources").list(readReport);
  e.images = at.find("images").list(readImage);
  e.stockImages = at.find("stockImages").list(readImage);
  e.counters = readNumbers(at.find("counters"));
  e.tunableTable = at.find("tunableTable").list(readRow);
  e.chosenTunables = readIntegers(at.find("chosenTunables"));
  e.deviceSeconds = at.find("deviceSeconds").number();
  e.phases = readNumbers(at.find("phases"));
  e.seed = readUnsigned(at.find("seed"));
  e.isolation = at.find("isolation").string();
  e.driverVersion = at.find("driverVersion").string();
  e.nvrtcVersion = at.find("nvrtcVersion").string();
  e.arch = at.find("arch").string();
  e.bitwiseRepeatable = at.find("bitwiseRepeatable").boolean(true);
  e.device = readDevice(at.find("device"));
  e.lostWorkers = at.find("lostWorkers").list(readString);
  e.stock = readStockReport(at.find("stock"));
  e.choices = at.find("choices").list(readChoice);
  e.profile = readProfile(at.find("profile"));
  e.explanation = readExplanation(at.find("explanation"));
  e.checks = at.find("checks").list(readToolCheck);
  return e;
}

template <typename E, size_t N>
const char *staticName(const EnumRow<E> (&table)[N], E value) {
  for (const auto &[name, row] : table)
    if (row == value)
      return name.data();
  return "?";
}

} // namespace

Json writeNumbers(const std::vector<double> &numbers) {
  Json list = Json::array();
  for (double each : numbers)
    list.push_back(number(each));
  return list;
}

Json writeNumbers(const std::map<std::string, double> &numbers) {
  Json json = Json::object();
  for (const auto &[name, value] : numbers)
    json[name] = number(value);
  return json;
}

std::map<std::string, double> readNumbers(const Cursor &at) {
  std::map<std::string, double> numbers;
  if (at.present())
    at.members([&numbers](const std::string &name, const Cursor &value) {
      numbers[name] = value.number();
    });
  return numbers;
}

std::map<std::string, int64_t> readIntegers(const Cursor &at) {
  std::map<std::string, int64_t> values;
  if (at.present())
    at.members([&values](const std::string &name, const Cursor &value) {
      values[name] = value.integer();
    });
  return values;
}

Json write(const ResultError &error) {
  return {{"result", error.result},
          {"distribution", error.distribution},
          {"relativeNorm", number(error.relativeNorm)},
          {"maxScaled", number(error.maxScaled)},
          {"stockRelativeNorm", number(error.stockRelativeNorm)},
          {"stockMaxScaled", number(error.stockMaxScaled)},
          {"bound", number(error.bound)},
          {"worstIndex", error.worstIndex},
          {"got", number(error.got)},
          {"want", number(error.want)},
          {"ok", error.ok},
          {"rule", error.rule},
          {"wrong", error.wrong},
          {"excused", error.excused},
          {"saturated", error.saturated}};
}

ResultError readResultError(const Cursor &at) {
  ResultError error;
  error.result = int(at.at("result").integer(0, 0, 100000));
  error.distribution = at.find("distribution").string();
  error.relativeNorm = at.find("relativeNorm").number();
  error.maxScaled = at.find("maxScaled").number();
  error.stockRelativeNorm = at.find("stockRelativeNorm").number();
  error.stockMaxScaled = at.find("stockMaxScaled").number();
  error.bound = at.find("bound").number();
  error.worstIndex = at.find("worstIndex").integer(-1);
  error.got = at.find("got").number();
  error.want = at.find("want").number();
  error.ok = at.find("ok").boolean(true);
  error.rule = at.find("rule").string();
  error.wrong = at.find("wrong").integer();
  error.excused = at.find("excused").integer();
  error.saturated = at.find("saturated").integer();
  return error;
}

Json write(const ModuleImage &image) {
  return {{"module", image.module},
          {"arch", image.arch},
          {"ptx", image.ptx},
          {"cubin", encodeBase64(image.cubin)},
          {"fatbin", encodeBase64(image.fatbin)}};
}

ModuleImage readImage(const Cursor &at) {
  return {at.at("module").string(), at.find("arch").string(),
          at.find("ptx").string(), readBytes(at.find("cubin")),
          readBytes(at.find("fatbin"))};
}

} // namespace kclaw::json

namespace kclaw {

std::string toJson(const Evaluation &evaluation) {
  return json::dump(json::writeEvaluation(evaluation));
}

Expected<Evaluation> parseEvaluation(const std::string &text) {
  return json::parseDocument(text, "evaluation", json::readEvaluation);
}

const char *name(Outcome outcome) {
  return json::staticName(json::outcomeNames, outcome);
}

const char *name(Evidence evidence) {
  return json::staticName(json::evidenceNames, evidence);
}

} // namespace kclaw
