//===- ResolveLibrary.cpp - Matmul and convolution steps to structs -------===//
//
// The numbers are Plan's (LibrarySteps.h); this adds addresses and what the
// library needs.
//
//===----------------------------------------------------------------------===//
#include "PlanInstance.h"

#include <algorithm>

namespace kclaw {

static std::unexpected<RunFailure> wrong(const std::string &path,
                                         const Error &error) {
  return failRun(Outcome::Rejected, "plan", path + "." + error.message);
}

// Plan does not see the step ABI.
static_assert(libraryElement(DType::f64) == KCL_F64 &&
              libraryElement(DType::f32) == KCL_F32 &&
              libraryElement(DType::f16) == KCL_F16 &&
              libraryElement(DType::bf16) == KCL_BF16 &&
              libraryElement(DType::i8) == KCL_I8 &&
              libraryElement(DType::i32) == KCL_I32);

/// Addresses of all operands, in their order, and of the workspace.
Run<std::vector<void *>>
PlanInstance::operandAddresses(const std::vector<LibraryOperand> &operands,
                               const std::string &path,
                               const BoundAddresses &addresses) const {
  std::vector<void *> found;
  for (const LibraryOperand &operand : operands) {
    Run<void *> pointer = address(
        addresses, operand.place->buffer, operand.place->offset,
        static_cast<uint64_t>(operand.bytes), path + "." + operand.name);
    if (!pointer)
      return std::unexpected(pointer.error());
    found.push_back(*pointer);
  }
  return found;
}

Run<void> PlanInstance::resolveScratch(const std::string &buffer,
                                       const std::string &path,
                                       const BoundAddresses &addresses,
                                       void *&workspace,
                                       uint64_t &bytes) const {
  if (buffer.empty())
    return {};
  Run<Location> location = find(buffer, path + ".workspace");
  if (!location)
    return std::unexpected(location.error());
  Run<void *> pointer =
      address(addresses, buffer, Expr(0), location->bytes, path + ".workspace");
  if (!pointer)
    return std::unexpected(pointer.error());
  workspace = *pointer;
  bytes = location->bytes;
  return {};
}

Run<void> PlanInstance::resolveMatmul(const MatmulStep &step,
                                      const std::string &path,
                                      const BoundAddresses &addresses,
                                      kcl_matmul_step &resolved) {
  Expected<MatmulNumbers> numbers = kclaw::evaluate(step, names);
  if (!numbers)
    return wrong(path, numbers.error());
  Run<std::vector<void *>> pointers =
      operandAddresses(numbers->operands, path, addresses);
  if (!pointers)
    return std::unexpected(pointers.error());
  struct Side {
    const char *name;
    const PlanMatrix &from;
    const MatmulNumbers::Matrix &sizes;
    kcl_matrix &to;
  };
  Side sides[] = {{"a", step.a, numbers->a, resolved.a},
                  {"b", step.b, numbers->b, resolved.b},
                  {"c", step.c, numbers->c, resolved.c},
                  {"d", step.d, numbers->d, resolved.d}};
  for (size_t i = 0; i < pointers->size(); ++i) {
    std::string operand = numbers->operands[i].name;
    if (operand == "bias")
      resolved.bias = (*pointers)[i];
    for (Side &side : sides)
      if (operand == side.name)
        side.to = {(*pointers)[i], side.sizes.ld, side.sizes.batchStride,
                   libraryElement(side.from.dtype), side.from.transposed};
  }
  resolved.m = numbers->m;
  resolved.n = numbers->n;
  resolved.k = numbers->k;
  resolved.batch = numbers->batch;
  resolved.alpha = step.alpha;
  resolved.beta = step.beta;
  resolved.compute = static_cast<int32_t>(step.compute);
  resolved.epilogue = static_cast<int32_t>(step.epilogue);
  KCLAW_TRY(resolveScratch(step.workspace, path, addresses, resolved.workspace,
                           resolved.workspace_bytes));
  return library.attach(resolved, step.choice);
}

Run<void> PlanInstance::resolveConvolution(const ConvolutionStep &step,
                                           const std::string &path,
                                           const BoundAddresses &addresses,
                                           kcl_convolution_step &resolved) {
  Expected<ConvolutionNumbers> numbers = kclaw::evaluate(step, names);
  if (!numbers)
    return wrong(path, numbers.error());
  Run<std::vector<void *>> pointers =
      operandAddresses(numbers->operands, path, addresses);
  if (!pointers)
    return std::unexpected(pointers.error());
  resolved.input = pointers->front();
  resolved.weight = (*pointers)[1];
  resolved.bias = step.bias.present() ? (*pointers)[2] : nullptr;
  resolved.output = pointers->back();
  resolved.element = libraryElement(step.dtype);
  resolved.tf32 = step.tf32;
  resolved.transposed = step.transposed;
  resolved.channels_last = step.channelsLast;
  resolved.spatial = static_cast<int32_t>(step.in.size());
  resolved.batch = numbers->batch;
  resolved.in_channels = numbers->inChannels;
  resolved.out_channels = numbers->outChannels;
  resolved.groups = numbers->groups;
  const std::pair<const int64_t *, int64_t *> lists[] = {
      {numbers->in, resolved.in},
      {numbers->out, resolved.out},
      {numbers->kernel, resolved.kernel},
      {numbers->stride, resolved.stride},
      {numbers->dilation, resolved.dilation},
      {numbers->padBefore, resolved.pad_before},
      {numbers->padAfter, resolved.pad_after}};
  for (auto [from, to] : lists)
    std::copy_n(from, 3, to);
  KCLAW_TRY(resolveScratch(step.workspace, path, addresses, resolved.workspace,
                           resolved.workspace_bytes));
  return library.attach(resolved, step.choice);
}

bool PlanInstance::hasLibrarySteps() const {
  return std::ranges::any_of(steps, [](const ResolvedStep &step) {
    return step.kind == ResolvedStep::Kind::Matmul ||
           step.kind == ResolvedStep::Kind::Convolution;
  });
}

Run<std::vector<LibraryChoice>> PlanInstance::chooseAlgorithms(void *stream) {
  std::vector<LibraryChoice> choices;
  for (ResolvedStep &step : steps) {
    bool matmul = step.kind == ResolvedStep::Kind::Matmul;
    if (!matmul && step.kind != ResolvedStep::Kind::Convolution)
      continue;
    // The rounds of a repeat are one step.
    if (!choices.empty() && choices.back().path == step.path)
      continue;
    Run<LibraryChoice> made = matmul ? library.choose(step.matmul, stream)
                                     : library.choose(step.convolution, stream);
    if (!made)
      return std::unexpected(made.error());
    if (made->choice.empty())
      continue;
    made->path = step.path;
    choices.push_back(std::move(*made));
  }
  return choices;
}

} // namespace kclaw
