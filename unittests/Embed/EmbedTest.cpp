//===- EmbedTest.cpp - Which form of the device code is embedded ----------===//
//
// Fatbin, else cubin, else PTX; the bytes are copied as they are.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Embed/Embed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace kclaw;
using Target = gpu::CompilationTarget;

namespace {

constexpr const char *source = R"mlir(
func.func private @region0(%x: tensor<4xf32>) -> tensor<6xf32> {
  %y = builtin.unrealized_conversion_cast %x : tensor<4xf32> to tensor<6xf32>
  return %y : tensor<6xf32>
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
    step.grid[0] = Expr(grid);
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

  std::string grid = "1";
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

/// The steps of a plan as IR.
struct EmbedSteps : Embed {
  std::string text(const Plan &plan) {
    RegionPlans plans;
    plans.stock.plan = plan;
    plans.stock.plan.modules = {{"m", PlanModule::Kind::Cuda, "source"}};
    plans.stock.images = {{"m", "sm_90a", "ptx", {}, {}}};
    DialectRegistry registry;
    registry.insert<func::FuncDialect>();
    registerEmbedDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module || failed(embedPlans(*module, {{"region0", plans}})) ||
        failed(verify(*module)))
      return "failed";
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    module->print(stream);
    return printed;
  }

  static KernelStep kernel(std::vector<PlanArg> args) {
    KernelStep step;
    step.module = "m";
    step.entry = "k";
    step.args = std::move(args);
    return step;
  }
};

static size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST_F(EmbedSteps, ARepeatIsALoopWhoseIndexIsAName) {
  Plan plan;
  plan.buffers = {{"x", PlanBuffer::Kind::Argument, 0, {}, {}}};
  KernelStep inner = kernel({{PlanArg::Kind::Buffer, "x", Expr("t * 4"), 0},
                             {PlanArg::Kind::I32, "", Expr("t % 2"), 0}});
  plan.steps = {RepeatStep{"t", Expr(4), {inner}}};
  std::string ir = text(plan);
  EXPECT_EQ(countOf(ir, "scf.for"), 1u) << ir;
  EXPECT_EQ(countOf(ir, "claw.kernel_step"), 1u);
  EXPECT_EQ(countOf(ir, "arith.remsi"), 1u);
  EXPECT_EQ(countOf(ir, "{claw.repeated}"), 1u);
}

TEST_F(EmbedSteps, AFlagIsTheLastArgument) {
  Plan plan;
  plan.buffers = {{"x", PlanBuffer::Kind::Argument, 0, {}, {}},
                  {"f", PlanBuffer::Kind::Workspace, -1, Expr(8), {}}};
  WhenStep inner{"f", Expr(4), {kernel({{PlanArg::Kind::Buffer, "x", {}, 0}})}};
  plan.steps = {WhenStep{"f", Expr(0), {inner}}};
  std::string ir = text(plan);
  EXPECT_NE(ir.find(": memref<4xf32>, memref<256xi8>, memref<256xi8>)"),
            std::string::npos)
      << ir;
}

TEST_F(EmbedSteps, ATensorMapStandsInFrontOfItsKernel) {
  Plan plan;
  plan.buffers = {{"x", PlanBuffer::Kind::Argument, 0, {}, {}}};
  PlanTensorMap map;
  map.name = "a";
  map.buffer = "x";
  map.element = TensorMapElement::BF16;
  map.dims = {Expr(8)};
  map.box = {Expr(8)};
  plan.tensorMaps = {map};
  plan.steps = {kernel({{PlanArg::Kind::TensorMap, "a", {}, 0}})};
  std::string ir = text(plan);
  EXPECT_NE(ir.find("claw.tensor_map"), std::string::npos) << ir;
  EXPECT_NE(ir.find("element 9"), std::string::npos);
  EXPECT_NE(ir.find("-> memref<128xi8>"), std::string::npos);
}

TEST_F(EmbedSteps, PersistentBuffersShareOnePlaceAndArePreparedThere) {
  Plan plan;
  plan.buffers = {{"x", PlanBuffer::Kind::Argument, 0, {}, {}},
                  {"p", PlanBuffer::Kind::Persistent, -1, Expr(16), {}},
                  {"q", PlanBuffer::Kind::Persistent, -1, Expr(300), {}}};
  plan.prepare = {kernel({{PlanArg::Kind::Buffer, "p", {}, 0},
                          {PlanArg::Kind::Buffer, "q", {}, 0}})};
  plan.steps = {kernel({{PlanArg::Kind::Buffer, "q", {}, 0}})};
  std::string ir = text(plan);
  EXPECT_EQ(countOf(ir, "claw.persistent %"), 1u) << ir;
  EXPECT_NE(ir.find("memref<768xi8>"), std::string::npos);
  EXPECT_EQ(countOf(ir, "scf.if"), 1u);
  EXPECT_EQ(countOf(ir, "{claw.prepare}"), 1u);
  EXPECT_EQ(countOf(ir, "claw.kernel_step"), 2u);
}

// claw_spec.h has the sizes of results too.
TEST_F(Embed, ASizeThatOnlyAResultHas) {
  grid = "d0 * d1";
  auto [format, bytes] = embedded({"m", "sm_90a", "ptx", {1, 2}, {}});
  EXPECT_EQ(bytes, "\1\2");
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  EXPECT_NE(text.find("24"), text.npos) << text;
}
