// The hash changes with what decides whether a kernel fits, and with nothing
// else.
#include "SampleSpec.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

TEST(SpecHash, Is32HexDigits) {
  std::string hash = computeSpecHash(sampleSpec());
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(SpecHash, IgnoresNamesScalesAndSamples) {
  KernelSpec spec = sampleSpec(true);
  std::string hash = computeSpecHash(spec);
  spec.symbol = "other";
  spec.listing = "other";
  for (auto *tensors : {&spec.arguments, &spec.results})
    for (TensorSpec &tensor : *tensors) {
      tensor.name += "_renamed";
      tensor.domain.scale = 9;
      for (Dim &dim : tensor.dims) {
        dim.name += "_renamed";
        if (!dim.isStatic())
          dim.samples = {17};
      }
    }
  EXPECT_EQ(computeSpecHash(spec), hash);
}

TEST(SpecHash, SeesEverythingThatMatters) {
  using Edit = void (*)(KernelSpec &);
  const Edit edits[] = {
      [](KernelSpec &s) { s.canonicalText += " "; },
      [](KernelSpec &s) { s.policy = Policy::Tf32; },
      [](KernelSpec &s) { s.arguments[1].dtype = DType::f16; },
      [](KernelSpec &s) { s.arguments[1].role = Role::Input; },
      [](KernelSpec &s) { s.arguments[1].alignmentBytes = 4; },
      [](KernelSpec &s) { s.arguments[1].domain.kind = Domain::Kind::Unit; },
      [](KernelSpec &s) { s.arguments[1].domain.limit = 8; },
      [](KernelSpec &s) { s.arguments[0].dims[0].max = 9000; },
      [](KernelSpec &s) { s.arguments[0].dims[1].value = 1025; },
      [](KernelSpec &s) { s.results[0].dims[0].name = "unrelated"; },
      [](KernelSpec &s) { std::swap(s.arguments[0], s.arguments[1]); },
  };
  std::string hash = computeSpecHash(sampleSpec(true));
  for (size_t i = 0; i < std::size(edits); ++i) {
    KernelSpec spec = sampleSpec(true);
    edits[i](spec);
    EXPECT_NE(computeSpecHash(spec), hash) << "edit " << i;
  }
}

} // namespace
