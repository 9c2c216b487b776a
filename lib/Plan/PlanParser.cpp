//===- PlanParser.cpp - JSON -> Plan --------------------------------------===//
//
// Holds a document to docs/schema/plan.schema.json. Expressions are checked
// for syntax here and for names and values in CheckPlan.cpp, which knows the
// spec.
//
//===----------------------------------------------------------------------===//
#include "PlanJson.h"
#include "Support/Base64.h"

#include <algorithm>

namespace kclaw::json {
namespace {

/// One to three sizes; a single one need not be a list.
std::array<Expr, 3> readDims(const Cursor &at) {
  std::array<Expr, 3> dims{Expr(1), Expr(1), Expr(1)};
  if (!at.present())
    return dims;
  if (!at.get()->is_array()) {
    dims[0] = readExpr(at);
    return dims;
  }
  auto list = at.list([](const Cursor &c) { return readExpr(c); });
  if (list.empty() || list.size() > 3)
    at.fail("expected one to three sizes, got " + std::to_string(list.size()));
  std::copy_n(list.begin(), std::min<size_t>(3, list.size()), dims.begin());
  return dims;
}

PlanModule readModule(const Cursor &at) {
  at.only({"name", "kind", "source"});
  PlanModule module;
  module.name = at.at("name").string();
  module.kind = at.find("kind").oneOf(moduleKinds, PlanModule::Kind::Cuda);
  module.source = at.at("source").string();
  if (module.kind == PlanModule::Kind::Cubin) {
    std::vector<uint8_t> bytes = readBytes(at.at("source"));
    module.source.assign(bytes.begin(), bytes.end());
  }
  return module;
}

Tunable readTunable(const Cursor &at) {
  at.only({"name", "values", "chosen"});
  Tunable tunable;
  tunable.name = at.at("name").string();
  tunable.values =
      at.at("values").list([](const Cursor &c) { return c.integer(); });
  if (tunable.values.empty())
    at.fail("a tunable needs at least one value");
  else
    tunable.chosen = at.find("chosen").integer(tunable.values.front());
  return tunable;
}

PlanBuffer readBuffer(const Cursor &at) {
  at.only({"name", "kind", "index", "sizeBytes", "data"});
  PlanBuffer buffer;
  buffer.name = at.at("name").string();
  buffer.kind = at.at("kind").oneOf(bufferKinds, PlanBuffer::Kind::Workspace);
  switch (buffer.kind) {
  case PlanBuffer::Kind::Argument:
  case PlanBuffer::Kind::Result:
    buffer.index = int(at.at("index").integer(0, 0, 100000));
    break;
  case PlanBuffer::Kind::Persistent:
  case PlanBuffer::Kind::Workspace:
    buffer.sizeBytes = readExpr(at.at("sizeBytes"));
    break;
  case PlanBuffer::Kind::Constant:
    buffer.data = readBytes(at.at("data"));
    break;
  }
  return buffer;
}

constexpr EnumRow<PlanArg::Kind> numberKinds[] = {{"i32", PlanArg::Kind::I32},
                                                  {"i64", PlanArg::Kind::I64},
                                                  {"f32", PlanArg::Kind::F32},
                                                  {"f64", PlanArg::Kind::F64}};

/// {"buffer": name, "offset": expr}, a bare buffer name, {"tensorMap": name},
/// or one typed number.
PlanArg readArg(const Cursor &at) {
  PlanArg arg;
  if (at.get()->is_string()) {
    arg.buffer = at.string();
    return arg;
  }
  at.only({"buffer", "offset", "i32", "i64", "f32", "f64", "tensorMap"});
  if (Cursor map = at.find("tensorMap"); map.present()) {
    arg.kind = PlanArg::Kind::TensorMap;
    arg.buffer = map.string();
    return arg;
  }
  if (Cursor buffer = at.find("buffer"); buffer.present()) {
    arg.buffer = buffer.string();
    arg.value = readExpr(at.find("offset"));
    return arg;
  }
  for (const auto &[name, kind] : numberKinds) {
    Cursor value = at.find(name);
    if (!value.present())
      continue;
    arg.kind = kind;
    if (kind == PlanArg::Kind::F64 && value.get()->is_string())
      arg.buffer = value.string();
    else if (kind == PlanArg::Kind::F32 || kind == PlanArg::Kind::F64)
      arg.number = value.number();
    else
      arg.value = readExpr(value);
    return arg;
  }
  at.fail("an argument needs one of buffer, tensorMap, i32, i64, f32, f64");
  return arg;
}

KernelStep readKernel(const Cursor &at) {
  at.only({"kind", "module", "entry", "grid", "block", "cluster", "sharedBytes",
           "cooperative", "args"});
  KernelStep step;
  step.module = at.at("module").string();
  step.entry = at.at("entry").string();
  step.grid = readDims(at.at("grid"));
  step.block = readDims(at.at("block"));
  step.cluster = readDims(at.find("cluster"));
  step.sharedBytes = readExpr(at.find("sharedBytes"));
  step.cooperative = at.find("cooperative").boolean();
  step.args = at.at("args").list(readArg);
  return step;
}

MemsetStep readMemset(const Cursor &at) {
  at.only({"kind", "buffer", "offset", "bytes", "value"});
  MemsetStep step;
  step.buffer = at.at("buffer").string();
  step.offset = readExpr(at.find("offset"));
  step.bytes = readExpr(at.at("bytes"));
  step.value = uint8_t(at.find("value").integer(0, 0, 255));
  return step;
}

CopyStep readCopy(const Cursor &at) {
  at.only({"kind", "source", "sourceOffset", "sourcePitch", "target",
           "targetOffset", "targetPitch", "rowBytes", "rows"});
  CopyStep step;
  step.source = at.at("source").string();
  step.sourceOffset = readExpr(at.find("sourceOffset"));
  step.sourcePitch = readExpr(at.find("sourcePitch"));
  step.target = at.at("target").string();
  step.targetOffset = readExpr(at.find("targetOffset"));
  step.targetPitch = readExpr(at.find("targetPitch"));
  step.rowBytes = readExpr(at.at("rowBytes"));
  step.rows = readExpr(at.find("rows"), 1);
  return step;
}

/// Steps in steps; deeper text would overflow the stack of every later walk.
constexpr int maxStepDepth = 4;

std::vector<Step> readSteps(const Cursor &at, int depth);

RepeatStep readRepeat(const Cursor &at, int depth) {
  at.only({"kind", "name", "count", "steps"});
  RepeatStep step;
  step.name = at.at("name").string();
  step.count = readExpr(at.at("count"));
  step.steps = readSteps(at.at("steps"), depth + 1);
  return step;
}

WhenStep readWhen(const Cursor &at, int depth) {
  at.only({"kind", "buffer", "offset", "steps"});
  WhenStep step;
  step.buffer = at.at("buffer").string();
  step.offset = readExpr(at.find("offset"));
  step.steps = readSteps(at.at("steps"), depth + 1);
  return step;
}

struct StepReader {
  std::string_view kind;
  Step (*read)(const Cursor &at, int depth);
};
constexpr StepReader stepReaders[] = {
    {"kernel", [](const Cursor &at, int) -> Step { return readKernel(at); }},
    {"memset", [](const Cursor &at, int) -> Step { return readMemset(at); }},
    {"copy", [](const Cursor &at, int) -> Step { return readCopy(at); }},
    {"repeat",
     [](const Cursor &at, int depth) -> Step { return readRepeat(at, depth); }},
    {"when",
     [](const Cursor &at, int depth) -> Step { return readWhen(at, depth); }},
    {"matmul", [](const Cursor &at, int) -> Step { return readMatmul(at); }},
    {"convolution",
     [](const Cursor &at, int) -> Step { return readConvolution(at); }},
};

Step readStep(const Cursor &at, int depth) {
  std::string kind = at.at("kind").string();
  std::string accepted;
  for (const StepReader &row : stepReaders) {
    if (row.kind == kind)
      return row.read(at, depth);
    accepted += (accepted.empty() ? "" : ", ") + std::string(row.kind);
  }
  at.fail("step kind '" + kind + "' is unknown; accepted: " + accepted);
  return MemsetStep();
}

std::vector<Step> readSteps(const Cursor &at, int depth) {
  if (depth > maxStepDepth) {
    at.fail("steps are nested more than " + std::to_string(maxStepDepth) +
            " deep");
    return {};
  }
  return at.list([depth](const Cursor &each) { return readStep(each, depth); });
}

std::string readCondition(const Cursor &at) {
  std::string text = at.string();
  return text.empty() ? text : readExpr(at).str();
}

} // namespace

Expr readExpr(const Cursor &at, int64_t fallback) {
  if (!at.present())
    return Expr(fallback);
  if (at.get()->is_number_integer())
    return Expr(at.integer());
  if (!at.get()->is_string()) {
    at.fail("expected an integer or an expression, got " +
            std::string(at.get()->type_name()));
    return Expr(fallback);
  }
  Expr expr(at.string());
  if (auto names = expr.names(); !names)
    at.fail(names.error().message);
  return expr;
}

std::vector<uint8_t> readBytes(const Cursor &at) {
  auto bytes = decodeBase64(at.string());
  if (!bytes)
    at.fail("not base64");
  return bytes.value_or(std::vector<uint8_t>());
}

Plan readPlan(const Cursor &at) {
  at.only({"version", "producer", "title", "modules", "tunables", "constraint",
           "buffers", "tensorMaps", "steps", "prepare", "resizable",
           "requirements"});
  Plan plan;
  plan.version = int(at.find("version").integer(1, 1, 1));
  plan.producer = at.find("producer").oneOf(producerNames, Producer::Model);
  plan.title = at.find("title").string();
  plan.modules = at.find("modules").list(readModule);
  plan.tunables = at.find("tunables").list(readTunable);
  plan.constraint = readCondition(at.find("constraint"));
  plan.buffers = at.at("buffers").list(readBuffer);
  plan.tensorMaps = at.find("tensorMaps").list(readTensorMap);
  plan.steps = readSteps(at.at("steps"), 0);
  plan.prepare = readSteps(at.find("prepare"), 0);
  plan.resizable = at.find("resizable").boolean();
  plan.requirements = at.find("requirements").list(readCondition);
  return plan;
}

} // namespace kclaw::json

kclaw::Expected<kclaw::Plan> kclaw::parsePlan(const std::string &text) {
  return json::parseDocument(text, "plan", json::readPlan);
}
