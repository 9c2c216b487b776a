//===- CheckPlan.cpp - Does a plan fit a spec? ----------------------------===//
//
// One class goes through the plan for one binding of names, with StepChecker
// for its steps; checkPlan runs it for every sample of the dynamic dimensions.
//
//===----------------------------------------------------------------------===//
#include "CheckSteps.h"

#include <algorithm>

namespace kclaw {
namespace {

class Checker {
public:
  Checker(const Plan &plan, const KernelSpec &spec, bool fromModel,
          Bindings bindings)
      : plan(plan), spec(spec), fromModel(fromModel),
        bindings(std::move(bindings)) {}

  Expected<void> run() {
    for (auto check :
         {&Checker::modules, &Checker::tunables, &Checker::buffers,
          &Checker::steps, &Checker::results, &Checker::conditions})
      if (auto done = (this->*check)(); !done)
        return done;
    return {};
  }

private:
  Expected<void> modules() {
    std::set<std::string> names;
    for (size_t i = 0; i < plan.modules.size(); ++i) {
      const PlanModule &module = plan.modules[i];
      std::string path = indexed("modules", i);
      if (!isIdentifier(module.name))
        return invalid(path + ".name",
                       "'" + module.name + "' is not a C identifier");
      if (!names.insert(module.name).second)
        return invalid(path + ".name", "'" + module.name + "' is used twice");
      if (module.source.empty())
        return invalid(path + ".source", "empty");
      if (fromModel && module.kind != PlanModule::Kind::Cuda)
        return invalid(path + ".kind", "only CUDA C++ is accepted here");
    }
    return {};
  }

  Expected<void> tunables() {
    std::set<std::string> names;
    int64_t combinations = 1;
    for (const auto *tensors : {&spec.arguments, &spec.results})
      for (const TensorSpec &tensor : *tensors)
        for (const Dim &dim : tensor.dims)
          names.insert(dim.name);
    for (size_t i = 0; i < plan.tunables.size(); ++i) {
      const Tunable &tunable = plan.tunables[i];
      std::string path = indexed("tunables", i);
      if (!isIdentifier(tunable.name))
        return invalid(path + ".name",
                       "'" + tunable.name + "' is not a C identifier");
      if (!names.insert(tunable.name).second)
        return invalid(path + ".name", "'" + tunable.name +
                                           "' is already a dimension or a "
                                           "tunable");
      if (std::ranges::find(tunable.values, tunable.chosen) ==
          tunable.values.end())
        return invalid(path + ".chosen", std::to_string(tunable.chosen) +
                                             " is not among the values");
      combinations *= int64_t(tunable.values.size());
      if (combinations > maxTunableCombinations)
        return invalid(path + ".values",
                       "more than " + std::to_string(maxTunableCombinations) +
                           " combinations of all tunables; leave values out");
    }
    return {};
  }

  Expected<void> buffers() {
    std::set<std::pair<PlanBuffer::Kind, int>> borders;
    for (size_t i = 0; i < plan.buffers.size(); ++i) {
      const PlanBuffer &buffer = plan.buffers[i];
      std::string path = indexed("buffers", i);
      if (buffer.name.empty())
        return invalid(path + ".name", "empty");
      bool border = buffer.kind == PlanBuffer::Kind::Argument ||
                    buffer.kind == PlanBuffer::Kind::Result;
      if (border && !borders.insert({buffer.kind, buffer.index}).second)
        return invalid(path + ".index", "this tensor has a buffer already");
      auto size = bufferSizeBytes(buffer, spec, bindings);
      if (!size)
        return std::unexpected(size.error().context(path));
      if (*size < 0 || *size > maxWorkspaceBytes)
        return invalid(path + ".sizeBytes",
                       std::to_string(*size) + " bytes are out of range");
      if (!sizes.try_emplace(buffer.name, *size).second)
        return invalid(path + ".name", "'" + buffer.name + "' is used twice");
    }
    return {};
  }

  Expected<void> steps() {
    StepChecker steps(plan, spec, bindings, sizes);
    for (auto check :
         {&StepChecker::tensorMaps, &StepChecker::steps, &StepChecker::prepare})
      if (auto done = (steps.*check)(); !done)
        return done;
    referenced = steps.used();
    return {};
  }

  Expected<void> results() {
    for (size_t i = 0; i < spec.results.size(); ++i) {
      auto isIt = [i](const PlanBuffer &buffer) {
        return buffer.kind == PlanBuffer::Kind::Result &&
               buffer.index == int(i);
      };
      auto it = std::ranges::find_if(plan.buffers, isIt);
      if (it == plan.buffers.end())
        return invalid("buffers",
                       "result " + std::to_string(i) + " has no buffer");
      if (!referenced.contains(it->name) && sizes.at(it->name) > 0)
        return invalid("steps", "no step writes result " + std::to_string(i) +
                                    " ('" + it->name + "')");
    }
    return {};
  }

  Expected<void> conditions() {
    auto holds = [this](const std::string &path,
                        const std::string &text) -> Expected<void> {
      auto value = Expr(text).evaluate(bindings);
      if (!value)
        return invalid(path, value.error().message);
      if (*value == 0)
        return invalid(path, "'" + text + "' does not hold");
      return {};
    };
    if (!plan.constraint.empty())
      if (auto done = holds("constraint", plan.constraint); !done)
        return done;
    for (size_t i = 0; i < plan.requirements.size(); ++i)
      if (auto done = holds(indexed("requirements", i), plan.requirements[i]);
          !done)
        return done;
    return {};
  }

  const Plan &plan;
  const KernelSpec &spec;
  bool fromModel;
  Bindings bindings;
  std::map<std::string, int64_t> sizes;
  std::set<std::string> referenced;
};

template <typename Each> void forEachDim(const KernelSpec &spec, Each each) {
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        each(dim);
}

/// The sizes under which a plan is checked: the i-th sample of every dynamic
/// dimension together, the last one where a list is shorter.
std::vector<Bindings> sampleSizes(const KernelSpec &spec) {
  size_t count = 1;
  forEachDim(spec, [&count](const Dim &dim) {
    count = std::max(count, dim.samples.size());
  });
  std::vector<Bindings> all(count);
  for (size_t i = 0; i < count; ++i)
    forEachDim(spec, [&](const Dim &dim) {
      if (!dim.isStatic() && !dim.samples.empty())
        all[i][dim.name] = dim.samples[std::min(i, dim.samples.size() - 1)];
    });
  return all;
}

Expected<int64_t> tensorSizeBytes(const TensorSpec &tensor,
                                  const Bindings &bindings) {
  int64_t bytes = info(tensor.dtype).sizeBytes;
  for (const Dim &dim : tensor.dims) {
    auto it = bindings.find(dim.name);
    int64_t size = dim.isStatic()         ? dim.value
                   : it != bindings.end() ? it->second
                                          : dim.max;
    if (__builtin_mul_overflow(bytes, size, &bytes))
      return makeError(Error::Code::Invalid,
                       "tensor '" + tensor.name + "' exceeds 64-bit sizes");
  }
  return bytes;
}

} // namespace

Bindings planBindings(const KernelSpec &spec, const Plan &plan,
                      const Bindings &sizes) {
  Bindings bindings = sizes;
  forEachDim(spec, [&bindings](const Dim &dim) {
    int64_t sample = dim.samples.empty() ? dim.max : dim.samples.front();
    bindings.try_emplace(dim.name, dim.isStatic() ? dim.value : sample);
  });
  for (const Tunable &tunable : plan.tunables)
    bindings.try_emplace(tunable.name, tunable.chosen);
  return bindings;
}

Expected<int64_t> bufferSizeBytes(const PlanBuffer &buffer,
                                  const KernelSpec &spec,
                                  const Bindings &bindings) {
  if (buffer.kind == PlanBuffer::Kind::Constant)
    return int64_t(buffer.data.size());
  bool argument = buffer.kind == PlanBuffer::Kind::Argument;
  if (!argument && buffer.kind != PlanBuffer::Kind::Result) {
    auto size = buffer.sizeBytes.evaluate(bindings);
    return size ? size : std::unexpected(size.error().context("sizeBytes"));
  }
  const auto &tensors = argument ? spec.arguments : spec.results;
  if (buffer.index < 0 || size_t(buffer.index) >= tensors.size())
    return makeError(Error::Code::Invalid,
                     "index: " + std::to_string(buffer.index) +
                         " is out of range; the spec has " +
                         std::to_string(tensors.size()) +
                         (argument ? " arguments" : " results"));
  return tensorSizeBytes(tensors[buffer.index], bindings);
}

Expected<void> checkPlan(const Plan &plan, const KernelSpec &spec,
                         bool fromModel) {
  for (const Bindings &sizes : sampleSizes(spec)) {
    Checker checker(plan, spec, fromModel, planBindings(spec, plan, sizes));
    if (auto done = checker.run(); !done)
      return done;
  }
  return {};
}

} // namespace kclaw
