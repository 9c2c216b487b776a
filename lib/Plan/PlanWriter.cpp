//===- PlanWriter.cpp - Plan -> JSON --------------------------------------===//
//
// The reader is PlanParser.cpp; the schema docs/schema/plan.schema.json.
//
//===----------------------------------------------------------------------===//
#include "PlanJson.h"
#include "Support/Base64.h"

namespace kclaw::json {
namespace {

using json::write; // the overloads of PlanJson.h beside those below

Json write(const std::array<Expr, 3> &dims) {
  return {write(dims[0]), write(dims[1]), write(dims[2])};
}

Json write(const PlanModule &module) {
  const std::string &source = module.source;
  bool binary = module.kind == PlanModule::Kind::Cubin;
  auto *bytes = reinterpret_cast<const uint8_t *>(source.data());
  return {{"name", module.name},
          {"kind", nameOf(moduleKinds, module.kind)},
          {"source", binary ? encodeBase64({bytes, source.size()}) : source}};
}

Json write(const Tunable &tunable) {
  return {{"name", tunable.name},
          {"values", tunable.values},
          {"chosen", tunable.chosen}};
}

Json write(const PlanBuffer &buffer) {
  Json json{{"name", buffer.name}, {"kind", nameOf(bufferKinds, buffer.kind)}};
  switch (buffer.kind) {
  case PlanBuffer::Kind::Argument:
  case PlanBuffer::Kind::Result:
    json["index"] = buffer.index;
    break;
  case PlanBuffer::Kind::Workspace:
  case PlanBuffer::Kind::Persistent:
    json["sizeBytes"] = write(buffer.sizeBytes);
    break;
  case PlanBuffer::Kind::Constant:
    json["data"] = encodeBase64(buffer.data);
    break;
  }
  return json;
}

Json write(const PlanArg &arg) {
  switch (arg.kind) {
  case PlanArg::Kind::Buffer:
    return {{"buffer", arg.buffer}, {"offset", write(arg.value)}};
  case PlanArg::Kind::TensorMap:
    return {{"tensorMap", arg.buffer}};
  case PlanArg::Kind::I32:
    return {{"i32", write(arg.value)}};
  case PlanArg::Kind::I64:
    return {{"i64", write(arg.value)}};
  case PlanArg::Kind::F32:
    return {{"f32", number(arg.number)}};
  case PlanArg::Kind::F64:
    if (!arg.buffer.empty())
      return {{"f64", arg.buffer}};
    return {{"f64", number(arg.number)}};
  }
  return nullptr;
}

Json writeSteps(const std::vector<Step> &steps);

struct StepWriter {
  Json operator()(const KernelStep &step) const {
    Json args = Json::array();
    for (const PlanArg &arg : step.args)
      args.push_back(write(arg));
    return {{"kind", "kernel"},
            {"module", step.module},
            {"entry", step.entry},
            {"grid", write(step.grid)},
            {"block", write(step.block)},
            {"cluster", write(step.cluster)},
            {"sharedBytes", write(step.sharedBytes)},
            {"cooperative", step.cooperative},
            {"args", args}};
  }
  Json operator()(const MemsetStep &step) const {
    return {{"kind", "memset"},
            {"buffer", step.buffer},
            {"offset", write(step.offset)},
            {"bytes", write(step.bytes)},
            {"value", step.value}};
  }
  Json operator()(const CopyStep &step) const {
    return {{"kind", "copy"},
            {"source", step.source},
            {"sourceOffset", write(step.sourceOffset)},
            {"sourcePitch", write(step.sourcePitch)},
            {"target", step.target},
            {"targetOffset", write(step.targetOffset)},
            {"targetPitch", write(step.targetPitch)},
            {"rowBytes", write(step.rowBytes)},
            {"rows", write(step.rows)}};
  }
  Json operator()(const RepeatStep &step) const {
    return {{"kind", "repeat"},
            {"name", step.name},
            {"count", write(step.count)},
            {"steps", writeSteps(step.steps)}};
  }
  Json operator()(const WhenStep &step) const {
    return {{"kind", "when"},
            {"buffer", step.buffer},
            {"offset", write(step.offset)},
            {"steps", writeSteps(step.steps)}};
  }
  Json operator()(const MatmulStep &step) const { return json::write(step); }
  Json operator()(const ConvolutionStep &step) const {
    return json::write(step);
  }
};

template <typename T> Json writeAll(const std::vector<T> &items) {
  Json list = Json::array();
  for (const T &item : items)
    list.push_back(write(item));
  return list;
}

Json writeSteps(const std::vector<Step> &steps) {
  Json list = Json::array();
  for (const Step &step : steps)
    list.push_back(std::visit(StepWriter(), step));
  return list;
}

} // namespace

Json write(const Expr &expr) {
  const std::string &text = expr.str();
  bool digits = !text.empty() && text.size() < 18 &&
                text.find_first_not_of("0123456789") == std::string::npos;
  if (digits)
    return std::stoll(text);
  return text;
}

Json write(const Plan &plan) {
  return {{"version", plan.version},
          {"producer", nameOf(producerNames, plan.producer)},
          {"title", plan.title},
          {"modules", writeAll(plan.modules)},
          {"tunables", writeAll(plan.tunables)},
          {"constraint", plan.constraint},
          {"buffers", writeAll(plan.buffers)},
          {"tensorMaps", writeAll(plan.tensorMaps)},
          {"steps", writeSteps(plan.steps)},
          {"prepare", writeSteps(plan.prepare)},
          {"resizable", plan.resizable},
          {"requirements", plan.requirements}};
}

} // namespace kclaw::json

std::string kclaw::toJson(const Plan &plan) {
  return json::dump(json::write(plan), 2);
}
