//===- AbsentRegions.cpp - What provider=none did not find ----------------===//
#include "AbsentRegions.h"

namespace kclaw {
namespace {

constexpr size_t listedOps = 8;

std::string shapeOf(const GraphValue &value) {
  std::string text;
  for (int64_t size : value.shape)
    text += (text.empty() ? "" : ",") +
            (size < 0 ? std::string("?") : std::to_string(size));
  return std::string(info(value.dtype).name) + "[" + text + "]";
}

/// The ops in order, and what they give.
std::string listOps(const OpGraph &graph) {
  std::string text;
  for (size_t i = 0; i < graph.ops.size() && i < listedOps; ++i)
    text += (i ? ", " : "") + graph.ops[i].name;
  if (graph.ops.size() > listedOps)
    text += ", and " + std::to_string(graph.ops.size() - listedOps) + " more";
  const char *before = " -> ";
  for (int result : graph.results) {
    text += before + shapeOf(graph.values[size_t(result)]);
    before = ", ";
  }
  return text;
}

} // namespace

bool isSettledAsStock(Store &store, const KernelSpec &spec,
                      const AgentOptions &options) {
  StoreKey key{spec.specHash, options.arch, name(spec.policy)};
  if (options.deterministic)
    key = key.deterministic();
  for (Evidence evidence : {Evidence::Measured, Evidence::Simulated}) {
    if (evidence == Evidence::Simulated && !options.acceptSimulated)
      continue;
    key.evidence = evidence;
    auto entry = store.find(key);
    // A search that did not settle the question leaves no provenance.
    if (entry && *entry && !(*entry)->won && !(*entry)->provenance.empty())
      return true;
  }
  return false;
}

std::string nameRegion(const KernelSpec &spec) {
  return spec.symbol + " (" + spec.specHash.substr(0, 8) + ": " +
         listOps(spec.graph) + ")";
}

} // namespace kclaw
