//===- StepStructsTest.cpp - One plan, evaluated by worker and module -----===//
//
// Device fills the structs of kcl_steps.h from a plan; Embed emits code that
// fills them in each call. Each row is one step (or loop) at a dynamic size;
// what both would pass to the step ABI must be the same to the byte. On the
// simulated driver; nothing is launched, and nothing is behind the addresses.
//
//===----------------------------------------------------------------------===//
#include "PlanInstance.h"
#include "StepRecorder.h"

#include "kernelclaw/Cuda/DriverApi.h"
#include "kernelclaw/Cuda/Resources.h"
#include "kernelclaw/Embed/Embed.h"
#include "kernelclaw/Lower/Jit.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Torch/Torch.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

constexpr int64_t rows = 5; ///< d0
constexpr int64_t scratchBytes = 1024;

constexpr const char *source = R"mlir(
func.func @main(%x: !torch.vtensor<[?,64],f32>, %w: !torch.vtensor<[64,64],f32>) -> !torch.vtensor<[?,64],f32> {
  %0 = call @region0(%x, %w) : (!torch.vtensor<[?,64],f32>, !torch.vtensor<[64,64],f32>) -> !torch.vtensor<[?,64],f32>
  return %0 : !torch.vtensor<[?,64],f32>
}
func.func private @region0(%x: !torch.vtensor<[?,64],f32>, %w: !torch.vtensor<[64,64],f32>) -> !torch.vtensor<[?,64],f32> {
  return %x : !torch.vtensor<[?,64],f32>
}
)mlir";

constexpr const char *ptx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 b, .param .u64 c, .param .f32 d,
                  .param .f64 e, .param .align 64 .b8 f[128], .param .u64 g)
{ ret; }
)";

void *fakeAddress(uintptr_t kilobytes) {
  return reinterpret_cast<void *>(kilobytes << 10);
}
const BoundAddresses addresses{{fakeAddress(1024), fakeAddress(2048)},
                               {fakeAddress(3072)},
                               {fakeAddress(4096)}};

Plan planOf(const Step &step) {
  Plan plan;
  plan.modules = {{"m", PlanModule::Kind::Ptx, ptx}};
  plan.buffers = {
      {"x", PlanBuffer::Kind::Argument, 0, {}, {}},
      {"w", PlanBuffer::Kind::Argument, 1, {}, {}},
      {"y", PlanBuffer::Kind::Result, 0, {}, {}},
      {"ws", PlanBuffer::Kind::Workspace, -1, Expr(scratchBytes), {}}};
  PlanTensorMap map;
  map.name = "tiles";
  map.buffer = "x";
  map.offset = Expr("d0 * 0 + 256");
  map.dims = {Expr(64), Expr("d0 - 1")};
  map.box = {Expr(32), Expr(4)};
  map.swizzle = Expr(128);
  plan.tensorMaps = {map};
  plan.steps = {step};
  return plan;
}

struct Row {
  const char *name;
  Step step;
};

std::vector<Row> memoryRows() {
  MemsetStep memset{"y", Expr(64), Expr("d0 * 256 - 64"), 7};
  CopyStep copy{"x",       Expr(32), Expr(256), "y", Expr("d0 * 4"),
                Expr(128), Expr(96), Expr("d0")};
  MemsetStep inLoop{"y", Expr("t * 256"), Expr("256 - t"), 1};
  return {{"memset", memset},
          {"copy", copy},
          {"repeat", RepeatStep{"t", Expr("d0"), {inLoop}}}};
}

std::vector<Row> kernelRows() {
  using Kind = PlanArg::Kind;
  KernelStep kernel;
  kernel.module = "m";
  kernel.entry = "k";
  kernel.grid = {Expr("(d0 + 1) / 2"), Expr(2), Expr(3)};
  kernel.block = {Expr(32), Expr(4), Expr(1)};
  kernel.cluster = {Expr(1), Expr(2), Expr(1)};
  kernel.sharedBytes = Expr(512);
  kernel.cooperative = true;
  kernel.args = {{Kind::Buffer, "x", Expr("d0 * 4"), 0},
                 {Kind::I32, "", Expr("2 - d0"), 0},
                 {Kind::I64, "", Expr("d0 * d0"), 0},
                 {Kind::F32, "", {}, 1.5},
                 {Kind::F64, "", {}, 0.1},
                 {Kind::TensorMap, "tiles", {}, 0}};
  return {{"kernel under a flag", WhenStep{"ws", Expr(8), {kernel}}}};
}

std::vector<Row> matmulRows() {
  MatmulStep plain;
  plain.a = {{"x"}, Expr(64)};
  plain.b = {{"w"}, Expr(64)};
  plain.d = {{"y"}, Expr(64)};
  plain.m = Expr("d0");
  plain.n = plain.k = Expr(64);
  plain.compute = MatmulCompute::Tf32;
  plain.workspace = "ws";

  MatmulStep all;
  all.a = {{"x", Expr("d0 * 32")}, Expr(16), Expr(32), DType::f16};
  all.b = {{"w", Expr(64)}, Expr(16), Expr(128), DType::f16, true};
  all.c = {{"w", Expr(4096)}, Expr(8), Expr(0), DType::f16};
  all.d = {{"y", Expr(16)}, Expr(8), Expr("d0 * 8"), DType::f16};
  all.m = Expr(2);
  all.n = Expr(8);
  all.k = Expr(16);
  all.batch = Expr("d0 - 3");
  all.alpha = 0.5;
  all.beta = 2;
  all.epilogue = MatmulEpilogue::BiasGelu;
  all.bias = {"w", Expr(8192)};

  MatmulStep integers = plain;
  integers.a.dtype = integers.b.dtype = DType::i8;
  integers.d.dtype = DType::i32;
  integers.compute = MatmulCompute::I32;
  integers.m = Expr(3);
  integers.workspace.clear();
  return {{"matmul", plain},
          {"matmul with all operands", all},
          {"matmul of integers", integers}};
}

std::vector<Row> convolutionRows() {
  ConvolutionStep one; // 2 x 4 x 9, every second of three taps
  one.input = {"x"};
  one.weight = {"w", Expr(256)};
  one.bias = {"w", Expr(4096)};
  one.output = {"y", Expr(16)};
  one.tf32 = true;
  one.batch = Expr(2);
  one.inChannels = Expr(4);
  one.outChannels = Expr(6);
  one.groups = Expr(2);
  one.in = {Expr(9)};
  one.kernel = {Expr(3)};
  one.stride = {Expr(2)};
  one.dilation = {Expr(1)};
  one.padBefore = {Expr(1)};
  one.padAfter = {Expr(0)};
  one.out = {Expr(4)};
  one.workspace = "ws";

  ConvolutionStep three;
  three.input = {"x"};
  three.weight = {"w"};
  three.output = {"y"};
  three.dtype = DType::bf16;
  three.transposed = three.channelsLast = true;
  three.batch = three.inChannels = three.outChannels = Expr(2);
  three.in = {Expr(2), Expr(3), Expr(4)};
  three.kernel = {Expr(1), Expr(2), Expr(3)};
  three.stride = {Expr(1), Expr(2), Expr(1)};
  three.dilation = {Expr(1), Expr(1), Expr(2)};
  three.padBefore = {Expr(0), Expr(1), Expr(2)};
  three.padAfter = {Expr(0), Expr(0), Expr(1)};
  three.out = {Expr(2), Expr(5), Expr(5)};
  return {{"convolution", one},
          {"transposed convolution in three dims", three}};
}

struct StepStructs : testing::TestWithParam<Row> {
  StepStructs() {
    registerLowerDialects(registry);
    registerEmbedDialects(registry);
    registry.insert<mlir::DLTIDialect, torch::TorchDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// What the worker would pass.
  RecordedSteps ofWorker(const Plan &plan) {
    Problem problem;
    problem.dims = {{"d0", rows}};
    kclaw::Run<PlanInstance> instance = PlanInstance::create(
        plan, problem, {{rows * 256, 64 * 256}, {rows * 256}});
    if (!instance)
      return {instance.error().message};
    if (auto done = instance->load(images); !done)
      return {done.error().message};
    if (auto done = instance->bind(addresses); !done)
      return {done.error().message};
    RecordedSteps recorded;
    for (const ResolvedStep &step : instance->boundSteps())
      recorded.push_back(textOf(step));
    return recorded;
  }

  /// The module with its step calls going to the recorder.
  mlir::FailureOr<std::unique_ptr<JitModule>> compile(const Plan &plan) {
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    RegionPlans plans;
    plans.stock = {plan, images};
    plans.resultDims = {{Expr("d0"), Expr(64)}};
    if (!module || failed(embedPlans(*module, {{"region0", plans}})))
      return mlir::failure();
    mlir::PassManager passes(&context);
    buildLowerPipeline(passes, TargetDevice::Cuda);
    if (failed(passes.run(*module)))
      return mlir::failure();
    for (auto [step, recorder] : recorders)
      if (auto declared = module->lookupSymbol<mlir::LLVM::LLVMFuncOp>(step)) {
        auto name = mlir::StringAttr::get(&context, recorder);
        if (failed(mlir::SymbolTable::replaceAllSymbolUses(declared, name,
                                                           *module)))
          return mlir::failure();
        declared.setSymName(name);
      }
    return JitModule::compile(*module);
  }

  /// What a call of the module passes.
  RecordedSteps ofModule(const Plan &plan) {
    auto code = compile(plan);
    if (failed(code))
      return {"not compiled"};
    using Load = int32_t (*)(kcl_call *);
    using Entry = int32_t (*)(DLTensor *const *, DLTensor *const *, kcl_call *);
    auto load = reinterpret_cast<Load>((*code)->lookup("main_load"));
    auto entry = reinterpret_cast<Entry>((*code)->lookup("main"));
    auto unload = reinterpret_cast<Load>((*code)->lookup("main_unload"));
    kcl_call call = {};
    call.abi_version = KCL_ABI_VERSION;
    call.workspace = addresses.scratch[0];
    call.workspace_bytes = scratchBytes;
    int64_t shape[] = {rows, 64}, square[] = {64, 64};
    auto tensor = [](void *data, int64_t *sizes) {
      return DLTensor{data,  {kDLCUDA, 0}, 2, {kDLFloat, 32, 1},
                      sizes, nullptr,      0};
    };
    DLTensor x = tensor(addresses.arguments[0], shape),
             w = tensor(addresses.arguments[1], square),
             y = tensor(addresses.results[0], shape);
    DLTensor *arguments[] = {&x, &w}, *results[] = {&y};
    if (load(&call) != KCL_OK)
      return {call.error};
    startRecording();
    int32_t status = entry(arguments, results, &call);
    RecordedSteps recorded = takeRecorded();
    unload(&call);
    if (status != KCL_OK)
      return {call.error};
    return recorded;
  }

  std::vector<ModuleImage> images = {{"m", "sm_90a", ptx, {}, {}}};
  mlir::DialectRegistry registry;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

std::vector<Row> allRows() {
  std::vector<Row> all;
  for (auto part : {memoryRows, kernelRows, matmulRows, convolutionRows})
    for (Row &row : part())
      all.push_back(std::move(row));
  return all;
}

} // namespace

TEST_P(StepStructs, WorkerAndModulePassTheSame) {
  auto driver = DriverApi::get();
  ASSERT_TRUE(driver) << driver.error().message;
  auto device = PrimaryContext::retain(*driver);
  ASSERT_TRUE(device) << device.error().message;
  Plan plan = planOf(GetParam().step);
  RecordedSteps worker = ofWorker(plan);
  EXPECT_EQ(ofModule(plan), worker);
  size_t count = std::holds_alternative<RepeatStep>(GetParam().step) ? rows : 1;
  EXPECT_EQ(worker.size(), count);
  EXPECT_TRUE(llvm::StringRef(worker.front()).starts_with("kclStep"))
      << worker.front();
}

INSTANTIATE_TEST_SUITE_P(Rows, StepStructs, testing::ValuesIn(allRows()),
                         [](const testing::TestParamInfo<Row> &row) {
                           std::string name = row.param.name;
                           llvm::replace(name, ' ', '_');
                           return name;
                         });
