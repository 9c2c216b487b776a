// The CPU entry lowered in a thread is the one lowered here; what the thread
// has to say is said once, here; a thread that nobody asks ends by itself.
#include "CpuFallback.h"

#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Torch/Torch.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace kclaw;
using mlir::ModuleOp;

namespace {

// A helper and a literal besides the entry, and two entries.
constexpr const char *source = R"mlir(
func.func private @region(%x: !torch.vtensor<[4],bf16>) -> !torch.vtensor<[4],bf16> {
  %0 = torch.aten.relu %x : !torch.vtensor<[4],bf16> -> !torch.vtensor<[4],bf16>
  return %0 : !torch.vtensor<[4],bf16>
}
func.func @main(%x: !torch.vtensor<[4],bf16> {claw.name = "x"}) -> !torch.vtensor<[4],bf16> {
  %0 = call @region(%x) : (!torch.vtensor<[4],bf16>) -> !torch.vtensor<[4],bf16>
  return %0 : !torch.vtensor<[4],bf16>
}
func.func @other(%x: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %0 = torch.aten.sigmoid %x : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %0 : !torch.vtensor<[?,3],f32>
}
)mlir";

// No lowering knows this op.
constexpr const char *unknown = R"mlir(
func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.no_such_op %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
)mlir";

class CpuFallbackTest : public ::testing::TestWithParam<bool> {
protected:
  CpuFallbackTest() : context(makeRegistry(), threading()) {
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &said) { diagnostics.push_back(said.str()); });
  }
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registry.insert<torch::TorchDialect>();
    registerLowerDialects(registry);
    return registry;
  }
  mlir::MLIRContext::Threading threading() const {
    return GetParam() ? mlir::MLIRContext::Threading::ENABLED
                      : mlir::MLIRContext::Threading::DISABLED;
  }
  mlir::OwningOpRef<ModuleOp> parse(const char *text) {
    return mlir::parseSourceString<ModuleOp>(text, &context, "input.mlir");
  }

  /// What addTo makes of an empty module, with locations; "" on failure.
  std::string lower(const char *text, bool inThread) {
    mlir::OwningOpRef<ModuleOp> imported = parse(text), into = parse("");
    CpuFallback cpu;
    if (inThread)
      cpu.start(*imported);
    if (failed(cpu.addTo(*into, std::move(imported))))
      return "";
    EXPECT_EQ(cpu.usedThread(), inThread);
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    into->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
    return printed;
  }

  mlir::MLIRContext context;
  std::vector<std::string> diagnostics;
};

TEST_P(CpuFallbackTest, TheThreadMakesTheSame) {
  std::string expected = lower(source, false);
  EXPECT_NE(expected.find("@main_cpu("), std::string::npos) << expected;
  EXPECT_NE(expected.find("@other_cpu("), std::string::npos);
  EXPECT_NE(expected.find("input.mlir"), std::string::npos) << "locations";
  EXPECT_EQ(lower(source, true), expected);
  EXPECT_TRUE(diagnostics.empty());
}

TEST_P(CpuFallbackTest, ErrorsAreToldOnceAndAsBefore) {
  EXPECT_EQ(lower(unknown, false), "");
  std::vector<std::string> expected = diagnostics;
  ASSERT_FALSE(expected.empty());
  diagnostics.clear();
  EXPECT_EQ(lower(unknown, true), "");
  EXPECT_EQ(diagnostics, expected);
}

TEST_P(CpuFallbackTest, NobodyWaitsForTheResult) {
  mlir::OwningOpRef<ModuleOp> imported = parse(unknown);
  {
    CpuFallback cpu;
    cpu.start(*imported);
  }
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.front();
}

INSTANTIATE_TEST_SUITE_P(HostThreading, CpuFallbackTest, ::testing::Bool());

} // namespace
