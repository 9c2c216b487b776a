//===- Problem.cpp - A spec at concrete sizes -----------------------------===//
#include "Problem.h"
#include "Rules/ResultKind.h"

#include <algorithm>
#include <functional>

namespace kclaw {

constexpr uint64_t shortestRow = 64;
constexpr uint64_t longestRow = 65536;
constexpr uint64_t chunk = 4096;
constexpr uint64_t longestScan = uint64_t{1} << 26;

uint64_t errorRowLength(const std::vector<int64_t> &shape) {
  uint64_t length = 1;
  for (size_t i = shape.size(); i > 0 && length < shortestRow; --i)
    length *= static_cast<uint64_t>(shape[i - 1] > 0 ? shape[i - 1] : 1);
  return length > longestRow ? chunk : length;
}

uint64_t scannedRowLength(const std::vector<int64_t> &shape, int64_t dim) {
  uint64_t length = 1;
  for (size_t i = static_cast<size_t>(dim); i < shape.size(); ++i)
    length *= static_cast<uint64_t>(shape[i] > 0 ? shape[i] : 1);
  return std::max(errorRowLength(shape), std::min(length, longestScan));
}

std::string position(const std::vector<int64_t> &shape, int64_t flatIndex) {
  std::string text;
  for (size_t i = shape.size(); i > 0; --i) {
    int64_t size = shape[i - 1] > 0 ? shape[i - 1] : 1;
    text = std::to_string(flatIndex % size) + (text.empty() ? "" : ", ") + text;
    flatIndex /= size;
  }
  return "[" + text + "]";
}

static int64_t sampleOf(const Dim &dim, size_t sample) {
  return dim.samples.empty()
             ? dim.max
             : dim.samples[std::min(sample, dim.samples.size() - 1)];
}

using SizeOf = std::function<int64_t(const Dim &)>;

static Expected<ProblemTensor> concrete(const TensorSpec &tensor,
                                        const SizeOf &sizeOf, Bindings &dims) {
  ProblemTensor result;
  result.dtype = tensor.dtype;
  result.alignmentBytes = tensor.alignmentBytes;
  uint64_t count = 1;
  for (const Dim &dim : tensor.dims) {
    int64_t size = sizeOf(dim);
    auto [entry, fresh] = dims.emplace(dim.name, size);
    if (!fresh && entry->second != size && !dim.name.empty())
      return makeError(Error::Code::Invalid,
                       "dimension '" + dim.name + "' has two sizes, " +
                           std::to_string(entry->second) + " and " +
                           std::to_string(size));
    if (size < 0 ||
        (size > 0 && count > (uint64_t{1} << 57) / static_cast<uint64_t>(size)))
      return makeError(Error::Code::Invalid,
                       "tensor '" + tensor.name + "' has an impossible size");
    count *= static_cast<uint64_t>(size);
    result.shape.push_back(size);
  }
  result.count = count;
  result.bytes = count * info(tensor.dtype).sizeBytes;
  result.rowLength = errorRowLength(result.shape);
  return result;
}

size_t sampleCount(const KernelSpec &spec) {
  size_t count = 1;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        if (!dim.isStatic())
          count = std::max(count, dim.samples.size());
  return count;
}

static Expected<Problem> instantiateBy(const KernelSpec &spec,
                                       const SizeOf &dynamicSize) {
  auto sizeOf = [&](const Dim &dim) {
    return dim.isStatic() ? dim.value : dynamicSize(dim);
  };
  Problem problem;
  for (auto [from, to] : {std::pair(&spec.arguments, &problem.arguments),
                          std::pair(&spec.results, &problem.results)})
    for (const TensorSpec &tensor : *from) {
      Expected<ProblemTensor> made = concrete(tensor, sizeOf, problem.dims);
      if (!made)
        return std::unexpected(made.error());
      to->push_back(*made);
    }
  for (size_t i = 0; i < problem.results.size(); ++i)
    if (int64_t dim = scannedDim(spec, i); dim >= 0)
      problem.results[i].rowLength =
          scannedRowLength(problem.results[i].shape, dim);
  return problem;
}

Expected<Problem> instantiate(const KernelSpec &spec, size_t sample) {
  return instantiateBy(
      spec, [sample](const Dim &dim) { return sampleOf(dim, sample); });
}

Expected<Problem> instantiateAt(const KernelSpec &spec, const Bindings &sizes) {
  return instantiateBy(spec,
                       [&](const Dim &dim) { return sizes.at(dim.name); });
}

double resultBytes(const Problem &problem) {
  double bytes = 0;
  for (const ProblemTensor &tensor : problem.results)
    bytes += static_cast<double>(tensor.bytes);
  return bytes;
}

} // namespace kclaw
