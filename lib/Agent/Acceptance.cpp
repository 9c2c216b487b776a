//===- Acceptance.cpp - Evidence that may be embedded ---------------------===//
#include "Acceptance.h"

#include <algorithm>

namespace kclaw {

static int64_t largestSize(const Dim &dim) {
  if (dim.isStatic())
    return dim.value;
  return dim.samples.empty() ? dim.max : std::ranges::max(dim.samples);
}

static bool isHuge(const KernelSpec &spec) {
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors) {
      double elements = 1;
      for (const Dim &dim : tensor.dims)
        elements *= double(largestSize(dim));
      if (elements >= 2147483648.0)
        return true;
    }
  return false;
}

bool isAccepted(Evidence evidence, const AgentOptions &options,
                const KernelSpec &spec) {
  if (evidence == Evidence::SimulatedReduced && isHuge(spec))
    return false;
  return evidence == Evidence::Measured ||
         (isSimulated(evidence) && options.acceptSimulated);
}

} // namespace kclaw
