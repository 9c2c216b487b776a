//===- BuildKernelSpec.cpp - Region functions to specs --------------------===//
//
// Everything the agent half knows about a region comes from here.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Synthesize/Synthesize.h"

#include "SpecParts.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace kclaw;
using namespace kclaw::synthesize;

static std::optional<Role> parseRole(StringRef text) {
  static const std::pair<StringLiteral, Role> table[] = {
      {"input", Role::Input},
      {"param", Role::Param},
      {"buffer", Role::Buffer},
      {"constant", Role::Constant}};
  for (auto &[name, role] : table)
    if (name == text)
      return role;
  return std::nullopt;
}

/// A C identifier that no other tensor of the spec has.
static std::string uniqueName(StringRef wanted, std::set<std::string> &taken) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name[0]))
    name = "t_" + name;
  std::string candidate = name;
  for (unsigned i = 1; !taken.insert(candidate).second; ++i)
    candidate = name + "_" + std::to_string(i);
  return candidate;
}

static double bytesOf(const TensorSpec &tensor) {
  double bytes = info(tensor.dtype).sizeBytes;
  for (const Dim &dim : tensor.dims)
    bytes *= dim.isStatic() ? double(dim.value) : 1;
  return bytes;
}

std::string kclaw::whyStock(func::FuncOp region) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (BlockArgument argument : region.getArguments())
    if (isa<torch::IntType, torch::FloatType, torch::BoolType>(
            argument.getType())) {
      os << "argument " << argument.getArgNumber() << " is a scalar of type '"
         << argument.getType() << "'; winners take tensors only";
      return text;
    }
  if (Value value = DimNames(region).findUntied(region))
    os << "a dynamic size of '" << value.getType()
       << "' is not the size of one of its arguments";
  return text;
}

static FailureOr<KernelSpec> addTensors(func::FuncOp region, KernelSpec spec);

FailureOr<KernelSpec> kclaw::buildKernelSpec(func::FuncOp region,
                                             Policy policy) {
  auto mark = region->getAttrOfType<claw::RegionAttr>(claw::regionAttrName);
  if (!mark)
    return region.emitError() << "'" << region.getName() << "' is no region: "
                              << "claw.region is missing; run kclaw-outline";
  if (std::string reason = whyStock(region); !reason.empty())
    return emitRemark(region.getLoc())
           << "region '" << region.getName() << "' stays stock: " << reason;
  FailureOr<GraphBuild> built = buildGraph(region);
  if (failed(built))
    return failure();

  KernelSpec spec;
  spec.symbol = region.getName().str();
  spec.graph = std::move(built->graph);
  spec.canonicalText = canonicalText(region);
  spec.listing = renderListing(spec.graph);
  spec.policy = policy;
  spec.family = mark.getFamily().str();
  return addTensors(region, std::move(spec));
}

FailureOr<KernelSpec> kclaw::buildModuleSpec(func::FuncOp function,
                                             Policy policy) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("has control flow between blocks");
  if (std::string reason = whyStock(function); !reason.empty())
    return emitRemark(function.getLoc()) << reason;
  FailureOr<GraphBuild> built = buildBorder(function);
  if (failed(built))
    return failure();
  OpClass heaviest = OpClass::Pointwise;
  for (Operation &op : function.front())
    if (OpClass opClass = classifyOp(torch::opName(&op)); isCompute(opClass))
      heaviest = std::max(heaviest, opClass);
  KernelSpec spec;
  spec.symbol = function.getName().str();
  spec.graph = std::move(built->graph);
  spec.policy = policy;
  spec.family = familyName(heaviest).str();
  return addTensors(function, std::move(spec));
}

/// Arguments, results, costs and hash of a spec whose graph is there.
static FailureOr<KernelSpec> addTensors(func::FuncOp region, KernelSpec spec) {
  spec.flops = countFlops(region);
  DimNames dimNames(region);
  std::set<std::string> taken;
  for (BlockArgument argument : region.getArguments()) {
    unsigned i = argument.getArgNumber();
    TensorSpec tensor;
    auto name = region.getArgAttrOfType<StringAttr>(i, "claw.name");
    tensor.name = uniqueName(
        name ? name.getValue().str() : "arg" + std::to_string(i), taken);
    tensor.dtype = spec.graph.values[spec.graph.arguments[i]].dtype;
    tensor.dims = specDims(dimNames, argument);
    if (auto role = region.getArgAttrOfType<StringAttr>(i, "claw.role")) {
      std::optional<Role> parsed = parseRole(role.getValue());
      if (!parsed)
        return region.emitError()
               << "argument " << i << " has claw.role " << role
               << "; input, param, buffer or constant expected";
      tensor.role = *parsed;
    }
    tensor.domain = inferDomain(region, i);
    spec.bytes += bytesOf(tensor);
    spec.arguments.push_back(std::move(tensor));
  }
  Operation *terminator = region.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    TensorSpec tensor;
    tensor.name = uniqueName("out" + std::to_string(i), taken);
    tensor.dtype = spec.graph.values[spec.graph.results[i]].dtype;
    tensor.dims = specDims(dimNames, value);
    spec.bytes += bytesOf(tensor);
    spec.results.push_back(std::move(tensor));
  }
  spec.specHash = computeSpecHash(spec);
  return spec;
}
