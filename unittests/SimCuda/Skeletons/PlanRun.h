//===- PlanRun.h - A plan's steps on the simulator --------------*- C++ -*-===//
//
// Runs a plan as it is, with all checks, on samples that follow from the
// position of an element and the number of its argument.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SIMCUDA_SKELETONS_PLANRUN_H
#define KERNELCLAW_UNITTESTS_SIMCUDA_SKELETONS_PLANRUN_H

#include "Expert/KernelTest.h"
#include "SimCuda/Isa/HalfTypes.h"
#include "SimCuda/Machine.h"

namespace kclaw::test {

inline Bindings namesOf(const Plan &plan, const KernelSpec &spec) {
  Bindings names;
  for (const Tunable &tunable : plan.tunables)
    names[tunable.name] = tunable.chosen;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        names[dim.name] = dim.value;
  return names;
}

inline size_t elements(const TensorSpec &tensor) {
  size_t count = 1;
  for (const Dim &dim : tensor.dims)
    count *= size_t(dim.value);
  return count;
}

/// The header in the place of its include.
inline std::string withSpecHeader(std::string source, const KernelSpec &spec) {
  const std::string include = "#include \"claw_spec.h\"\n";
  return source.replace(source.find(include), include.size(),
                        renderSpecHeader(spec));
}

/// An element as it lies in memory.
inline void write(std::byte *to, double value, DType type) {
  uint16_t half = type == DType::bf16 ? sim::BF16::fromFloat(float(value)).bits
                                      : sim::F16::fromFloat(float(value)).bits;
  auto whole = float(value);
  if (info(type).sizeBytes == 2)
    std::memcpy(to, &half, 2);
  else
    std::memcpy(to, &whole, 4);
}

inline double read(const std::byte *from, DType type) {
  uint16_t half = 0;
  float whole = 0;
  if (info(type).sizeBytes == 2) {
    std::memcpy(&half, from, 2);
    return type == DType::bf16 ? sim::BF16{half}.value()
                               : sim::F16{half}.value();
  }
  std::memcpy(&whole, from, 4);
  return whole;
}

/// Element `i` of argument `index` of every run, before it is rounded.
inline double sample(size_t i, size_t index) {
  return double((i * 37 + index * 11) % 101) / 50 - 1;
}

/// Runs the plan's steps on samples; the elements of result 0.
class PlanRun {
public:
  PlanRun(const Plan &plan, const KernelSpec &spec)
      : plan(plan), spec(spec), names(namesOf(plan, spec)) {}

  std::vector<double> run() {
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
    DType type = spec.results[0].dtype;
    std::vector<double> values(elements(spec.results[0]));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = read(result + i * size_t(info(type).sizeBytes), type);
    return values;
  }

private:
  int64_t value(const Expr &expr) const { return *expr.evaluate(names); }

  void place(const PlanBuffer &buffer) {
    size_t bytes = 0;
    bool defined = false;
    DType type = DType::f32;
    if (buffer.kind == PlanBuffer::Kind::Argument ||
        buffer.kind == PlanBuffer::Kind::Result) {
      defined = buffer.kind == PlanBuffer::Kind::Argument;
      const auto &tensors = defined ? spec.arguments : spec.results;
      const TensorSpec &tensor = tensors[size_t(buffer.index)];
      type = tensor.dtype;
      bytes = size_t(info(type).sizeBytes) * elements(tensor);
    } else if (buffer.kind == PlanBuffer::Kind::Constant) {
      bytes = buffer.data.size();
      defined = true;
    } else {
      bytes = size_t(value(buffer.sizeBytes));
    }
    uintptr_t address = memory.allocate(std::max<size_t>(bytes, 1));
    if (defined) {
      auto *to = reinterpret_cast<std::byte *>(address);
      if (buffer.kind == PlanBuffer::Kind::Constant)
        std::memcpy(to, buffer.data.data(), bytes);
      else
        for (size_t size = size_t(info(type).sizeBytes), i = 0;
             i < bytes / size; ++i)
          write(to + i * size, sample(i, size_t(buffer.index)), type);
      memory.find(address)->markWritten(0, bytes);
    }
    addresses[buffer.name] = address;
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
};

} // namespace kclaw::test

#endif // KERNELCLAW_UNITTESTS_SIMCUDA_SKELETONS_PLANRUN_H
