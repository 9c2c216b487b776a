//===- SkeletonTest.cpp - No report on any expert skeleton ----------------===//
//
// Small regions through every skeleton that serves them, on the simulator with
// all checks. All plans of a region must agree on its results.
//
//===----------------------------------------------------------------------===//
#include "Expert/KernelTest.h"
#include "SimCuda/Machine.h"

#include <set>

namespace kclaw::test {
namespace {

std::set<std::string> &skeletonsRun() {
  static std::set<std::string> names;
  return names;
}

Bindings namesOf(const Plan &plan, const KernelSpec &spec) {
  Bindings names;
  for (const Tunable &tunable : plan.tunables)
    names[tunable.name] = tunable.chosen;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        names[dim.name] = dim.value;
  return names;
}

size_t elements(const TensorSpec &tensor) {
  size_t count = 1;
  for (const Dim &dim : tensor.dims)
    count *= size_t(dim.value);
  return count;
}

/// The header in the place of its include.
std::string withSpecHeader(std::string source, const KernelSpec &spec) {
  const std::string include = "#include \"claw_spec.h\"\n";
  return source.replace(source.find(include), include.size(),
                        renderSpecHeader(spec));
}

/// Runs the plan's steps; the bytes of result 0.
class PlanRun {
public:
  PlanRun(const Plan &plan, const KernelSpec &spec)
      : plan(plan), spec(spec), names(namesOf(plan, spec)) {}

  std::vector<std::byte> run() {
    std::vector<sim::ptx::Module> modules;
    for (const PlanModule &module : plan.modules)
      modules.push_back(sim::ptx::parse(
          sim::compileCuda(withSpecHeader(module.source, spec), "compute_90a",
                           {"-default-device", "-std=c++20"})));
    program = sim::Program::build(std::move(modules), memory);
    for (const PlanBuffer &buffer : plan.buffers)
      place(buffer);
    for (const Step &step : plan.steps)
      if (const auto *kernel = std::get_if<KernelStep>(&step))
        launch(*kernel);
      else if (const auto *set = std::get_if<MemsetStep>(&step))
        fill(*set);
    const auto *result = reinterpret_cast<const std::byte *>(addresses["res0"]);
    return {result, result + bytesOf["res0"]};
  }

private:
  int64_t value(const Expr &expr) const { return *expr.evaluate(names); }

  void place(const PlanBuffer &buffer) {
    size_t bytes = 0;
    bool defined = false;
    if (buffer.kind == PlanBuffer::Kind::Argument ||
        buffer.kind == PlanBuffer::Kind::Result) {
      defined = buffer.kind == PlanBuffer::Kind::Argument;
      const auto &tensors = defined ? spec.arguments : spec.results;
      bytes = 4 * elements(tensors[size_t(buffer.index)]);
    } else if (buffer.kind == PlanBuffer::Kind::Constant) {
      bytes = buffer.data.size();
      defined = true;
    } else {
      bytes = size_t(value(buffer.sizeBytes));
    }
    uintptr_t address = memory.allocate(std::max<size_t>(bytes, 1));
    if (defined) {
      auto *to = reinterpret_cast<float *>(address);
      if (buffer.kind == PlanBuffer::Kind::Constant)
        std::memcpy(to, buffer.data.data(), bytes);
      else
        for (size_t i = 0; i < bytes / 4; ++i)
          to[i] = float((i * 37 + size_t(buffer.index) * 11) % 101) / 50 - 1;
      memory.find(address)->markWritten(0, bytes);
    }
    addresses[buffer.name] = address;
    bytesOf[buffer.name] = bytes;
  }

  void fill(const MemsetStep &step) {
    uintptr_t address = addresses[step.buffer];
    auto offset = uint64_t(value(step.offset)),
         bytes = uint64_t(value(step.bytes));
    std::memset(reinterpret_cast<std::byte *>(address) + offset, step.value,
                bytes);
    memory.find(address)->markWritten(offset, bytes);
  }

  sim::Dim3 dim(const std::array<Expr, 3> &expr) const {
    return {uint32_t(value(expr[0])), uint32_t(value(expr[1])),
            uint32_t(value(expr[2]))};
  }

  void launch(const KernelStep &step) {
    const sim::Function *kernel = program->find(step.entry);
    ASSERT_NE(kernel, nullptr) << step.entry;
    sim::LaunchConfig config;
    config.grid = dim(step.grid);
    config.block = dim(step.block);
    config.cluster = dim(step.cluster);
    config.cooperative = step.cooperative;
    config.dynamicSharedBytes = uint32_t(value(step.sharedBytes));
    config.parameters.resize(kernel->parameterBytes);
    for (size_t i = 0; i < step.args.size(); ++i) {
      const PlanArg &arg = step.args[i];
      uint64_t bits = uint64_t(value(arg.value));
      if (arg.kind == PlanArg::Kind::Buffer)
        bits += addresses.at(arg.buffer);
      const std::string &name = kernel->ast->parameters[i].name;
      std::memcpy(config.parameters.data() + kernel->parameterOffsets.at(name),
                  &bits, kernel->parameterSizes[i]);
    }
    sim::Grid grid;
    grid.program = program.get();
    grid.kernel = kernel;
    grid.config = &config;
    grid.memory = &memory;
    grid.smCount = 132;
    grid.parameterMemory = config.parameters;
    sim::runGrid(grid);
  }

  const Plan &plan;
  const KernelSpec &spec;
  Bindings names;
  sim::DeviceMemory memory{uint64_t(1) << 30};
  std::unique_ptr<sim::Program> program;
  std::map<std::string, uintptr_t> addresses;
  std::map<std::string, size_t> bytesOf;
};

/// `bound`: plans add up in different orders, in f32.
void expectSilent(const KernelSpec &spec, double bound = 1e-4) {
  std::vector<float> first;
  for (const Plan &plan : plansOf(spec)) {
    try {
      std::vector<std::byte> bytes = PlanRun(plan, spec).run();
      std::vector<float> result(bytes.size() / 4);
      std::memcpy(result.data(), bytes.data(), bytes.size());
      if (first.empty())
        first = result;
      for (size_t i = 0; i < result.size(); ++i)
        ASSERT_NEAR(result[i], first[i], bound) << plan.title << ", " << i;
      skeletonsRun().insert(plan.title.substr(0, plan.title.find(':')));
    } catch (const std::exception &error) {
      ADD_FAILURE() << plan.title << ": " << error.what();
    }
  }
}

TEST(Skeletons, Pointwise) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {96, 67}), b = s.arg(DType::f32, {67});
  auto h = s.op("aten.add.Tensor", {x, b, 1}, DType::f32, {96, 67});
  s.result(s.op("aten.gelu", {h, "tanh"}, DType::f32, {96, 67}));
  expectSilent(s.spec);
}

TEST(Skeletons, SoftmaxOfRows) {
  for (int64_t columns : {65, 1024, 16384}) {
    SpecBuilder s;
    auto x = s.arg(DType::f32, {9, columns});
    s.result(s.op("aten.softmax.int", {x, -1, none}, DType::f32, {9, columns}));
    expectSilent(s.spec);
  }
}

TEST(Skeletons, SoftmaxOverTheMiddle) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {3, 70, 96});
  s.result(s.op("aten.softmax.int", {x, 1, none}, DType::f32, {3, 70, 96}));
  expectSilent(s.spec);
}

TEST(Skeletons, LayerNorm) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {17, 512});
  auto w = s.arg(DType::f32, {512}), b = s.arg(DType::f32, {512});
  s.result(s.op("aten.layer_norm", {x, IntList{512}, w, b, 1e-5, false},
                DType::f32, {17, 512}));
  expectSilent(s.spec);
}

TEST(Skeletons, SumsOfEverythingAndOfColumns) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {64, 1000});
  s.result(s.op("aten.sum", {x, none}, DType::f32, {}));
  expectSilent(s.spec, 1e-3); // of 64,000 elements
  SpecBuilder t;
  auto y = t.arg(DType::f32, {4096, 32});
  t.result(
      t.op("aten.mean.dim", {y, IntList{0}, false, none}, DType::f32, {32}));
  expectSilent(t.spec);
}

} // namespace
} // namespace kclaw::test
