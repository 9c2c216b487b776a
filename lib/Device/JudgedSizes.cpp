//===- JudgedSizes.cpp - The sizes that a plan is judged at ---------------===//
#include "JudgedSizes.h"
#include "PlanInstance.h"

#include <algorithm>
#include <map>

namespace kclaw {

uint64_t elementCount(const Problem &problem) {
  uint64_t count = 0;
  for (const auto *tensors : {&problem.arguments, &problem.results})
    for (const ProblemTensor &tensor : *tensors)
      count += tensor.count;
  return count;
}

/// The dynamic dimensions of the arguments, by name.
static std::map<std::string, const Dim *> dynamicDims(const KernelSpec &spec) {
  std::map<std::string, const Dim *> dims;
  for (const TensorSpec &tensor : spec.arguments)
    for (const Dim &dim : tensor.dims)
      if (!dim.isStatic())
        dims[dim.name] = &dim;
  return dims;
}

/// A size of a result that no argument has (a product, a sum) is only known at
/// the samples.
static bool canShrink(const Job &job,
                      const std::map<std::string, const Dim *> &dims) {
  for (const TensorSpec &tensor : job.spec.results)
    for (const Dim &dim : tensor.dims)
      if (!dim.isStatic() && !dims.contains(dim.name))
        return false;
  return !dims.empty() && job.candidate.resizable && job.stock.resizable &&
         job.reference.resizable;
}

/// False: nothing is left to halve.
static bool halveLargest(const std::map<std::string, const Dim *> &dims,
                         Bindings &sizes) {
  int64_t *largest = nullptr;
  for (const auto &[name, dim] : dims) {
    int64_t &size = sizes.at(name);
    if (size >= 2 && size / 2 >= dim->min && (!largest || size > *largest))
      largest = &size;
  }
  if (largest)
    *largest /= 2;
  return largest != nullptr;
}

static Bindings makeOdd(const std::map<std::string, const Dim *> &dims,
                        Bindings sizes) {
  for (const auto &[name, dim] : dims)
    if (int64_t &size = sizes.at(name); size % 2 == 0 && size > dim->min)
      --size;
  return sizes;
}

/// The plan's requirements may rule a size out.
static bool fits(const Job &job, const Problem &problem) {
  return PlanInstance::requirementsHold(job.candidate, problem) &&
         PlanInstance::requirementsHold(job.stock, problem) &&
         PlanInstance::requirementsHold(job.reference, problem);
}

/// Halves `sizes` until the elements fit or nothing is left to halve.
static Expected<Problem> shrink(const KernelSpec &spec,
                                const std::map<std::string, const Dim *> &dims,
                                Problem problem, Bindings &sizes) {
  while (elementCount(problem) > reduceAboveElements &&
         halveLargest(dims, sizes)) {
    Expected<Problem> smaller = instantiateAt(spec, sizes);
    if (!smaller)
      return smaller;
    problem = std::move(*smaller);
  }
  return problem;
}

/// "d0=4, d1=8192"
static std::string namedSizes(const Problem &problem) {
  std::string text;
  for (const auto &[name, size] : problem.dims)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(size);
  return text;
}

/// Of the plan, where the region could be judged.
static std::string whyNotHere(const Job &job, const Problem &problem) {
  std::string text = "the plan is judged at " + namedSizes(problem) +
                     " alone, which has " +
                     describeLimit(elementCount(problem));
  if (!job.candidate.resizable)
    return text + "; write a resizable plan (sizes by their names)";
  if (!job.reduced.empty()) {
    text += "; its requirements admit none of the smaller sizes";
    for (const ReducedProblem &reduced : job.reduced)
      if (Expected<Problem> smaller = instantiate(reduced.spec))
        text += " (" + namedSizes(*smaller) + ")";
    return text + ": write a plan that is right at one of them";
  }
  return text + "; export the model with smaller or dynamic sizes, or use a "
                "GPU";
}

static RunFailure tooLarge(const Job &job, const Problem &problem) {
  std::string why = whyNotSimulated(job.spec, job.reduced);
  return {Outcome::Rejected, "simulation-size",
          "not judged: " + (why.empty() ? whyNotHere(job, problem) : why)};
}

static Run<void> addSimulated(const Job &job, Problem problem,
                              JudgedSizes &result) {
  auto dims = dynamicDims(job.spec);
  Bindings own, sizes;
  for (const auto &[name, dim] : dims)
    own[name] = problem.dims.at(name);
  sizes = own;
  if (canShrink(job, dims)) {
    Expected<Problem> smaller =
        shrink(job.spec, dims, std::move(problem), sizes);
    if (!smaller)
      return failRun(Outcome::Rejected, "spec", smaller.error().message);
    problem = std::move(*smaller);
  }
  if (elementCount(problem) > simulatedElements)
    return std::unexpected(tooLarge(job, problem));
  result.problems.push_back(std::move(problem));
  if (sizes == own)
    return {};
  result.reduced = true;
  Expected<Problem> odd = instantiateAt(job.spec, makeOdd(dims, sizes));
  if (odd && fits(job, *odd))
    result.problems.push_back(std::move(*odd));
  return {};
}

std::vector<Job> reducedJobs(const Job &job) {
  std::vector<Job> jobs;
  Expected<Problem> own = instantiate(job.spec);
  if (!job.candidate.resizable || !own ||
      elementCount(*own) <= reduceAboveElements)
    return jobs;
  for (const ReducedProblem &reduced : job.reduced) {
    Expected<Problem> problem = instantiate(reduced.spec);
    if (!problem || elementCount(*problem) > simulatedElements ||
        !PlanInstance::requirementsHold(job.candidate, *problem))
      continue;
    Job other = job;
    other.spec = reduced.spec;
    other.stock = reduced.stock;
    other.reference = reduced.reference;
    other.reduced.clear();
    other.images.clear();
    other.stockImages.clear();
    other.referenceImages.clear();
    other.incumbent.reset(); // it need not be resizable
    jobs.push_back(std::move(other));
  }
  return jobs;
}

/// About a third, and twice an odd number: even, but no multiple of the four
/// that a vector load takes.
static Bindings makeSmallEven(const std::map<std::string, const Dim *> &dims,
                              Bindings sizes) {
  for (const auto &[name, dim] : dims) {
    int64_t &size = sizes.at(name);
    int64_t small = std::max(dim->min, size / 3);
    small += (6 - small % 4) % 4;
    if (small <= dim->max && small < size)
      size = small;
  }
  return sizes;
}

/// The first once more with every dynamic dimension odd, and much smaller and
/// even, until there are two sizes besides it.
static void addOthers(const Job &job, JudgedSizes &result) {
  constexpr size_t enough = 3;
  auto dims = dynamicDims(job.spec);
  if (!canShrink(job, dims) || result.problems.empty())
    return;
  Bindings own;
  for (const auto &[name, dim] : dims)
    own[name] = result.problems.front().dims.at(name);
  for (bool small : {false, true}) {
    if (small && result.problems.size() >= enough)
      return;
    Bindings sizes = small ? makeSmallEven(dims, own) : makeOdd(dims, own);
    Expected<Problem> other = instantiateAt(job.spec, sizes);
    bool known = other && std::ranges::any_of(
                              result.problems, [&](const Problem &problem) {
                                return problem.dims == other->dims;
                              });
    if (other && !known && fits(job, *other))
      result.problems.push_back(std::move(*other));
  }
}

Run<JudgedSizes> chooseSizes(const Job &job, bool simulated) {
  JudgedSizes result;
  size_t samples = job.candidate.resizable ? sampleCount(job.spec) : 1;
  for (size_t sample = 0; sample < samples; ++sample) {
    Expected<Problem> problem = instantiate(job.spec, sample);
    if (!problem)
      return failRun(Outcome::Rejected, "spec", problem.error().message);
    if (!simulated)
      result.problems.push_back(std::move(*problem));
    else
      KCLAW_TRY(addSimulated(job, std::move(*problem), result));
  }
  if (!result.reduced)
    addOthers(job, result);
  return result;
}

} // namespace kclaw
