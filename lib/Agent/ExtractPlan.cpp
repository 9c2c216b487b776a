//===- ExtractPlan.cpp - The plan inside a reply --------------------------===//
#include "ExtractPlan.h"

#include "Fences.h"
#include "JsonRepair.h"

#include <optional>

namespace kclaw {
namespace {

using json::Json;
using Kind = Extraction::Kind;

Extraction malformed(const std::string &message) {
  return {Kind::Malformed, "", message};
}

Extraction truncated(const std::string &message) {
  return {Kind::Truncated, "", message};
}

/// One kernel over all arguments and results, in the order of the spec.
Json planFromCode(const Json &call, const KernelSpec &spec) {
  Json buffers = Json::array(), args = Json::array();
  auto add = [&](const char *prefix, const char *kind, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      std::string name = prefix + std::to_string(i);
      buffers.push_back({{"name", name}, {"kind", kind}, {"index", i}});
      args.push_back(name);
    }
  };
  add("arg", "argument", spec.arguments.size());
  add("res", "result", spec.results.size());
  Json step{{"kind", "kernel"}, {"module", "main"}, {"args", args}};
  for (const char *name :
       {"entry", "grid", "block", "cluster", "sharedBytes", "args"})
    if (call.contains(name))
      step[name] = call[name];
  Json plan{{"title", call.value("title", Json(""))},
            {"modules", {{{"name", "main"}, {"source", call["code"]}}}},
            {"buffers", buffers},
            {"steps", {step}}};
  if (call.contains("workspaces") && call["workspaces"].is_array())
    for (const Json &workspace : call["workspaces"])
      plan["buffers"].push_back(workspace);
  return plan;
}

Extraction fromCall(const ToolCall &call, const KernelSpec &spec) {
  if (call.name != "submit_kernel")
    return malformed("there is no tool '" + call.name +
                     "'; call submit_kernel");
  RepairedJson arguments = repairJsonObject(call.arguments);
  if (arguments.kind == RepairedJson::Kind::Cut)
    return truncated(arguments.reason);
  if (arguments.kind == RepairedJson::Kind::Bad)
    return malformed(arguments.reason);
  Json &object = arguments.object;
  if (object.contains("plan") && object["plan"].is_string()) {
    RepairedJson inner = repairJsonObject(object["plan"].get<std::string>());
    if (inner.kind != RepairedJson::Kind::Object)
      return malformed("plan: " + inner.reason);
    object["plan"] = inner.object;
  }
  if (object.contains("plan"))
    return {Kind::Plan, json::dump(object["plan"]), ""};
  if (object.contains("steps"))
    return {Kind::Plan, json::dump(object), ""};
  if (object.contains("code") && object["code"].is_string())
    return {Kind::Plan, json::dump(planFromCode(object, spec)), ""};
  return malformed("submit_kernel needs a plan, or code with entry, grid and "
                   "block");
}

/// Fills in module sources that are "@cuda"; false when there is no code.
bool fillSources(Json &plan, const std::vector<Fence> &fences) {
  if (!plan.contains("modules") || !plan["modules"].is_array())
    return true;
  for (Json &module : plan["modules"]) {
    if (!module.is_object() || module.value("source", Json()) != "@cuda")
      continue;
    const Fence *code = nullptr;
    for (const Fence &fence : fences)
      if (fence.closed && isCudaFence(fence))
        code = &fence;
    if (!code)
      return false;
    module["source"] = code->content;
  }
  return true;
}

Extraction fromObject(Json object, const std::vector<Fence> &fences, bool cut) {
  if (object.contains("plan") && object["plan"].is_object())
    object = Json(object["plan"]);
  if (fillSources(object, fences))
    return {Kind::Plan, json::dump(object), ""};
  std::string message = "the plan's source is \"@cuda\", but no complete cuda "
                        "block is there";
  return cut ? truncated(message) : malformed(message);
}

bool looksLikePlan(const Json &object) {
  return object.contains("steps") || object.contains("plan");
}

Extraction fromText(const Reply &reply) {
  const std::string &text = reply.text;
  std::vector<Fence> fences = findFences(text);
  bool cut = reply.finishReason == "length" ||
             (!fences.empty() && !fences.back().closed);
  std::string reason;
  for (auto fence = fences.rbegin(); fence != fences.rend(); ++fence) {
    if (!fence->closed || isCudaFence(*fence))
      continue;
    RepairedJson object = repairJsonObject(fence->content);
    bool whole = object.kind == RepairedJson::Kind::Object;
    if (whole && looksLikePlan(object.object))
      return fromObject(object.object, fences, cut);
    if (reason.empty() && fence->language == "json")
      reason = whole ? "the json block has no steps" : object.reason;
  }
  RepairedJson whole = repairJsonObject(text);
  if (whole.kind == RepairedJson::Kind::Object && looksLikePlan(whole.object))
    return fromObject(whole.object, fences, cut);
  if (cut || (whole.kind == RepairedJson::Kind::Cut && fences.empty()))
    return truncated("the reply ends before its plan is complete");
  if (!reason.empty())
    return malformed("the json block is no plan: " + reason);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return malformed("the reply is empty");
  return malformed("the reply holds no plan: call submit_kernel, or give a "
                   "json block with the plan");
}

} // namespace

Extraction extractPlan(const Reply &reply, const KernelSpec &spec) {
  if (!reply.refusal.empty())
    return {Kind::Refused, "", "refused: " + reply.refusal};
  if (!reply.toolCalls.empty())
    return fromCall(reply.toolCalls.front(), spec);
  return fromText(reply);
}

Tool submitKernelTool() {
  return {"submit_kernel",
          "Submit a kernel for judgement: a whole plan, or CUDA C++ code with "
          "the launch of its one kernel.",
          R"({"type": "object", "properties": {
  "plan": {"type": "object", "description": "a plan as in the instructions"},
  "code": {"type": "string", "description": "CUDA C++ for NVRTC; the kernel is extern \"C\" and takes all arguments, then all results, as pointers unless args says otherwise"},
  "entry": {"type": "string"},
  "grid": {"type": "array", "items": {"type": ["integer", "string"]}},
  "block": {"type": "array", "items": {"type": ["integer", "string"]}},
  "sharedBytes": {"type": ["integer", "string"]},
  "args": {"type": "array"},
  "title": {"type": "string"}}})"};
}

} // namespace kclaw
