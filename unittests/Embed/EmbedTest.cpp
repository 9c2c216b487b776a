//===- EmbedTest.cpp - Which form of the device code is embedded ----------===//
//
// Fatbin, else cubin, else PTX; the bytes are copied as they are.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Embed/Embed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace kclaw;
using Target = gpu::CompilationTarget;

namespace {

constexpr const char *source = R"mlir(
func.func private @region0(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
)mlir";

struct Embed : testing::Test {
  /// The only object of @region0_stock_m; format and bytes.
  std::pair<Target, std::string> embedded(const ModuleImage &image) {
    RegionPlans plans;
    plans.stock.plan.modules = {{"m", PlanModule::Kind::Cuda, "source"}};
    plans.stock.images = {image};
    KernelStep step;
    step.module = "m";
    step.entry = "k";
    plans.stock.plan.steps = {step};
    DialectRegistry registry;
    registry.insert<func::FuncDialect>();
    registerEmbedDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module || failed(embedPlans(*module, {{"region0", plans}})))
      return {};
    auto binaries = module->getOps<gpu::BinaryOp>();
    if (!llvm::hasSingleElement(binaries))
      return {};
    auto object =
        cast<gpu::ObjectAttr>((*binaries.begin()).getObjectsAttr()[0]);
    chip = cast<NVVM::NVVMTargetAttr>(object.getTarget()).getChip().str();
    return {object.getFormat(), object.getObject().getValue().str()};
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::string chip;
};

} // namespace

TEST_F(Embed, AFatbinIsPreferred) {
  auto [format, bytes] = embedded({"m", "sm_90a", "ptx", {1, 2}, {3, 0, 4}});
  EXPECT_EQ(format, Target::Fatbin);
  EXPECT_EQ(bytes, std::string("\3\0\4", 3));
  EXPECT_EQ(chip, "sm_90a");
}

TEST_F(Embed, ThenACubin) {
  auto [format, bytes] = embedded({"m", "sm_90a", "ptx", {1, 2}, {}});
  EXPECT_EQ(format, Target::Binary);
  EXPECT_EQ(bytes, "\1\2");
}

TEST_F(Embed, ThenPtxAsACString) {
  auto [format, bytes] = embedded({"m", "sm_90", "ptx", {}, {}});
  EXPECT_EQ(format, Target::Assembly);
  EXPECT_EQ(bytes, std::string("ptx\0", 4));
}
