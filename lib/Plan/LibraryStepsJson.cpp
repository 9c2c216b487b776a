//===- LibraryStepsJson.cpp - Matmul and convolution steps <-> JSON -------===//
//
// Schema: docs/schema/plan.schema.json, "matmul" and "convolution".
//
//===----------------------------------------------------------------------===//
#include "PlanJson.h"

namespace kclaw::json {
namespace {

constexpr EnumRow<MatmulCompute> computeNames[] = {
    {"f32", MatmulCompute::F32},
    {"tf32", MatmulCompute::Tf32},
    {"f64", MatmulCompute::F64},
    {"i32", MatmulCompute::I32}};
constexpr EnumRow<MatmulEpilogue> epilogueNames[] = {
    {"none", MatmulEpilogue::None},
    {"bias", MatmulEpilogue::Bias},
    {"relu", MatmulEpilogue::Relu},
    {"gelu", MatmulEpilogue::Gelu},
    {"bias_relu", MatmulEpilogue::BiasRelu},
    {"bias_gelu", MatmulEpilogue::BiasGelu}};

struct ListRow {
  const char *name;
  std::vector<Expr> ConvolutionStep::*list;
  int64_t fallback;
};
constexpr ListRow lists[] = {{"in", &ConvolutionStep::in, -1},
                             {"out", &ConvolutionStep::out, -1},
                             {"kernel", &ConvolutionStep::kernel, -1},
                             {"stride", &ConvolutionStep::stride, 1},
                             {"dilation", &ConvolutionStep::dilation, 1},
                             {"padBefore", &ConvolutionStep::padBefore, 0},
                             {"padAfter", &ConvolutionStep::padAfter, 0}};

Json write(const PlanPlace &place) {
  return {{"buffer", place.buffer}, {"offset", json::write(place.offset)}};
}

PlanPlace readPlace(const Cursor &at) {
  PlanPlace place;
  if (!at.present())
    return place;
  at.only({"buffer", "offset"});
  place.buffer = at.at("buffer").string();
  place.offset = readExpr(at.find("offset"));
  return place;
}

DType readDType(const Cursor &at) {
  std::string name = at.string("f32");
  std::optional<DType> type = parseDType(name);
  if (!type)
    at.fail("unknown dtype '" + name + "'");
  return type.value_or(DType::f32);
}

Json write(const PlanMatrix &matrix) {
  return {{"buffer", matrix.place.buffer},
          {"offset", json::write(matrix.place.offset)},
          {"ld", json::write(matrix.ld)},
          {"batchStride", json::write(matrix.batchStride)},
          {"dtype", info(matrix.dtype).name},
          {"transposed", matrix.transposed}};
}

PlanMatrix readMatrix(const Cursor &at) {
  PlanMatrix matrix;
  if (!at.present())
    return matrix;
  at.only({"buffer", "offset", "ld", "batchStride", "dtype", "transposed"});
  matrix.place.buffer = at.at("buffer").string();
  matrix.place.offset = readExpr(at.find("offset"));
  matrix.ld = readExpr(at.at("ld"));
  matrix.batchStride = readExpr(at.find("batchStride"));
  matrix.dtype = readDType(at.find("dtype"));
  matrix.transposed = at.find("transposed").boolean();
  return matrix;
}

} // namespace

Json write(const MatmulStep &step) {
  Json json{{"kind", "matmul"},
            {"a", write(step.a)},
            {"b", write(step.b)},
            {"d", write(step.d)},
            {"m", write(step.m)},
            {"n", write(step.n)},
            {"k", write(step.k)},
            {"batch", write(step.batch)},
            {"alpha", number(step.alpha)},
            {"beta", number(step.beta)},
            {"compute", nameOf(computeNames, step.compute)},
            {"epilogue", nameOf(epilogueNames, step.epilogue)},
            {"workspace", step.workspace},
            {"choice", step.choice}};
  if (step.c.place.present())
    json["c"] = write(step.c);
  if (step.bias.present())
    json["bias"] = write(step.bias);
  return json;
}

MatmulStep readMatmul(const Cursor &at) {
  at.only({"kind", "a", "b", "c", "d", "m", "n", "k", "batch", "alpha", "beta",
           "compute", "epilogue", "bias", "workspace", "choice"});
  MatmulStep step;
  step.a = readMatrix(at.at("a"));
  step.b = readMatrix(at.at("b"));
  step.c = readMatrix(at.find("c"));
  step.d = readMatrix(at.at("d"));
  step.m = readExpr(at.at("m"));
  step.n = readExpr(at.at("n"));
  step.k = readExpr(at.at("k"));
  step.batch = readExpr(at.find("batch"), 1);
  step.alpha = at.find("alpha").number(1);
  step.beta = at.find("beta").number(0);
  step.compute = at.find("compute").oneOf(computeNames, MatmulCompute::F32);
  step.epilogue =
      at.find("epilogue").oneOf(epilogueNames, MatmulEpilogue::None);
  step.bias = readPlace(at.find("bias"));
  step.workspace = at.find("workspace").string();
  step.choice = at.find("choice").string();
  return step;
}

Json write(const ConvolutionStep &step) {
  Json json{{"kind", "convolution"},
            {"input", write(step.input)},
            {"weight", write(step.weight)},
            {"output", write(step.output)},
            {"dtype", info(step.dtype).name},
            {"tf32", step.tf32},
            {"transposed", step.transposed},
            {"channelsLast", step.channelsLast},
            {"batch", write(step.batch)},
            {"inChannels", write(step.inChannels)},
            {"outChannels", write(step.outChannels)},
            {"groups", write(step.groups)},
            {"workspace", step.workspace},
            {"choice", step.choice}};
  if (step.bias.present())
    json["bias"] = write(step.bias);
  for (const ListRow &row : lists) {
    Json list = Json::array();
    for (const Expr &expr : step.*row.list)
      list.push_back(write(expr));
    json[row.name] = list;
  }
  return json;
}

ConvolutionStep readConvolution(const Cursor &at) {
  at.only({"kind",         "input",    "weight",     "bias",
           "output",       "dtype",    "tf32",       "transposed",
           "channelsLast", "batch",    "inChannels", "outChannels",
           "groups",       "in",       "out",        "kernel",
           "stride",       "dilation", "padBefore",  "padAfter",
           "workspace",    "choice"});
  ConvolutionStep step;
  step.input = readPlace(at.at("input"));
  step.weight = readPlace(at.at("weight"));
  step.bias = readPlace(at.find("bias"));
  step.output = readPlace(at.at("output"));
  step.dtype = readDType(at.find("dtype"));
  step.tf32 = at.find("tf32").boolean();
  step.transposed = at.find("transposed").boolean();
  step.channelsLast = at.find("channelsLast").boolean();
  step.batch = readExpr(at.at("batch"));
  step.inChannels = readExpr(at.at("inChannels"));
  step.outChannels = readExpr(at.at("outChannels"));
  step.groups = readExpr(at.find("groups"), 1);
  for (const ListRow &row : lists) {
    Cursor list = row.fallback < 0 ? at.at(row.name) : at.find(row.name);
    step.*row.list = list.list([](const Cursor &c) { return readExpr(c); });
    if (!list.present() && row.fallback >= 0)
      (step.*row.list).assign(step.in.size(), Expr(row.fallback));
  }
  step.workspace = at.find("workspace").string();
  step.choice = at.find("choice").string();
  return step;
}

Json write(const LibraryChoice &choice) {
  return {{"path", choice.path},
          {"choice", choice.choice},
          {"microseconds", number(choice.microseconds)},
          {"workspaceBytes", choice.workspaceBytes}};
}

LibraryChoice readChoice(const Cursor &at) {
  return {at.at("path").string(), at.at("choice").string(),
          at.find("microseconds").number(),
          readUnsigned(at.find("workspaceBytes"))};
}

Json write(const StockReport &report) {
  if (!report.library && report.why.empty())
    return nullptr;
  Json choices = Json::array();
  for (const LibraryChoice &choice : report.choices)
    choices.push_back(write(choice));
  return {{"library", report.library},
          {"why", report.why},
          {"ownMicroseconds", number(report.ownMicroseconds)},
          {"libraryMicroseconds", number(report.libraryMicroseconds)},
          {"choices", choices}};
}

StockReport readStockReport(const Cursor &at) {
  if (!at.present())
    return {};
  return {at.find("library").boolean(), at.find("why").string(),
          at.find("ownMicroseconds").number(),
          at.find("libraryMicroseconds").number(),
          at.find("choices").list(readChoice)};
}

} // namespace kclaw::json
