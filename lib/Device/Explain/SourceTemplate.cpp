//===- SourceTemplate.cpp - A .cu to start from ---------------------------===//
#include "SourceTemplate.h"

#include <set>
#include <sstream>

namespace kclaw {

static std::string comment(const std::string &text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    result += "//   " + line + "\n";
  return result;
}

static std::string elements(const TensorSpec &tensor) {
  std::string text;
  for (const Dim &dim : tensor.dims)
    text += (text.empty() ? "" : " * ") + dim.name;
  return text.empty() ? "1" : text;
}

std::string sourceTemplate(const KernelSpec &spec) {
  std::string parameters;
  auto add = [&](const std::string &text) {
    parameters += (parameters.empty() ? "" : ", ") + text;
  };
  for (size_t i = 0; i < spec.arguments.size(); ++i)
    add("const claw::arg" + std::to_string(i) + "_t *arg" + std::to_string(i));
  for (size_t i = 0; i < spec.results.size(); ++i)
    add("claw::res" + std::to_string(i) + "_t *res" + std::to_string(i));
  std::set<std::string> dynamic;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        if (!dim.isStatic() && dynamic.insert(dim.name).second)
          add("long long " + dim.name);
  std::string count = spec.results.empty() ? "1" : elements(spec.results[0]);
  std::string sizes = dynamic.empty() ? "  using namespace claw;\n" : "";
  return "// " + spec.symbol + ", family " + spec.family + "; it computes:\n" +
         comment(spec.listing.empty() ? spec.canonicalText : spec.listing) +
         "//\n// claw: title=" +
         (spec.symbol.empty() ? "kernel" : spec.symbol) +
         "\n// claw: grid=ceildiv(" + count + ", 256), block=256\n" +
         "#include \"claw_spec.h\" // sizes, types and alignments as "
         "constants\n"
         "\nextern \"C\" __global__ void kernel(" +
         parameters + ") {\n" + sizes +
         "  long long i = blockIdx.x * (long "
         "long)blockDim.x + threadIdx.x;\n  if (i >= " +
         count + ")\n    return;\n  // res0[i] = ...;\n}\n";
}

} // namespace kclaw
