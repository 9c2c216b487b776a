//===- SpecHeader.cpp - claw_spec.h, what a kernel may rely on ------------===//
//
// Generated for NVRTC: dimensions, element types and alignments of one spec.
// Dynamic dimensions are comments: their values arrive as kernel arguments.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Spec/KernelSpec.h"

#include <algorithm>
#include <set>

namespace kclaw {
namespace {

bool usesType(const KernelSpec &spec, DType type) {
  auto has = [type](const std::vector<TensorSpec> &tensors) {
    return std::ranges::any_of(
        tensors, [type](const TensorSpec &t) { return t.dtype == type; });
  };
  return has(spec.arguments) || has(spec.results);
}

std::string renderShape(const TensorSpec &tensor) {
  std::string text;
  for (const Dim &dim : tensor.dims) {
    text += (text.empty() ? "" : ", ") + dim.name;
    if (dim.isStatic())
      text += "=" + std::to_string(dim.value);
  }
  return "[" + text + "]";
}

std::string renderDim(const Dim &dim) {
  if (dim.isStatic())
    return "constexpr long long " + dim.name + " = " +
           std::to_string(dim.value) + ";\n";
  return "// " + dim.name + ": dynamic, " + std::to_string(dim.min) + " to " +
         std::to_string(dim.max) + "; pass it as a kernel argument\n";
}

/// A comment must not end early or run on, whatever the tensor is called.
std::string commentText(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\r' || c == '\\')
      c = ' ';
  return text;
}

std::string renderTensor(const TensorSpec &tensor, const std::string &prefix) {
  std::string text = "// " + commentText(tensor.name) + " " +
                     renderShape(tensor) + ", row-major\n";
  text += "using " + prefix +
          "_t = " + std::string(info(tensor.dtype).cudaName) + ";\n";
  text += "constexpr int " + prefix +
          "_alignment = " + std::to_string(tensor.alignmentBytes) + ";\n";
  int64_t elements = 1;
  for (const Dim &dim : tensor.dims) {
    if (!dim.isStatic())
      return text;
    elements *= dim.value;
  }
  return text + "constexpr long long " + prefix +
         "_elements = " + std::to_string(elements) + ";\n";
}

} // namespace

std::string renderSpecHeader(const KernelSpec &spec) {
  std::string text = "// claw_spec.h: generated from the region's spec\n"
                     "#ifndef CLAW_SPEC_H\n#define CLAW_SPEC_H\n";
  if (usesType(spec, DType::f16))
    text += "#include <cuda_fp16.h>\n";
  if (usesType(spec, DType::bf16))
    text += "#include <cuda_bf16.h>\n";
  text += "namespace claw {\n";
  std::set<std::string> done;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        if (done.insert(dim.name).second)
          text += renderDim(dim);
  for (size_t i = 0; i < spec.arguments.size(); ++i)
    text += renderTensor(spec.arguments[i], "arg" + std::to_string(i));
  for (size_t i = 0; i < spec.results.size(); ++i)
    text += renderTensor(spec.results[i], "res" + std::to_string(i));
  return text + "} // namespace claw\n#endif // CLAW_SPEC_H\n";
}

} // namespace kclaw
