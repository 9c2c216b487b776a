// claw_spec.h: its text, and that names from outside cannot break it.
#include "SampleSpec.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

TEST(SpecHeader, Text) {
  EXPECT_EQ(renderSpecHeader(sampleSpec()),
            "// claw_spec.h: generated from the region's spec\n"
            "#ifndef CLAW_SPEC_H\n"
            "#define CLAW_SPEC_H\n"
            "#include <cuda_bf16.h>\n"
            "namespace claw {\n"
            "constexpr long long rows = 4096;\n"
            "constexpr long long cols = 1024;\n"
            "// x [rows=4096, cols=1024], row-major\n"
            "using arg0_t = float;\n"
            "constexpr int arg0_alignment = 16;\n"
            "constexpr long long arg0_elements = 4194304;\n"
            "// w [cols=1024], row-major\n"
            "using arg1_t = __nv_bfloat16;\n"
            "constexpr int arg1_alignment = 2;\n"
            "constexpr long long arg1_elements = 1024;\n"
            "// y [rows=4096, cols=1024], row-major\n"
            "using res0_t = float;\n"
            "constexpr int res0_alignment = 16;\n"
            "constexpr long long res0_elements = 4194304;\n"
            "} // namespace claw\n"
            "#endif // CLAW_SPEC_H\n");
}

TEST(SpecHeader, DynamicDimensionsAreComments) {
  std::string text = renderSpecHeader(sampleSpec(true));
  EXPECT_NE(text.find("// rows: dynamic, 1 to 8192;"), std::string::npos);
  EXPECT_EQ(text.find("constexpr long long rows"), std::string::npos);
  EXPECT_EQ(text.find("arg0_elements"), std::string::npos);
}

TEST(SpecHeader, NamesCannotEndAComment) {
  KernelSpec spec = sampleSpec();
  spec.arguments[0].name = "x\n#error injected\\";
  std::string text = renderSpecHeader(spec);
  EXPECT_EQ(text.find("\n#error"), std::string::npos);
  EXPECT_EQ(text.find('\\'), std::string::npos);
}

} // namespace
