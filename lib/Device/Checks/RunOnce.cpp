//===- RunOnce.cpp - The candidate, once, on drawn data -------------------===//
#include "RunOnce.h"
#include "Distributions.h"
#include "PlanInstance.h"

namespace kclaw {
namespace {

class Buffers {
public:
  explicit Buffers(DeviceSession &session) : session(session) {}

  /// An address of `bytes` that nothing has written yet.
  Run<void *> add(uint64_t bytes) {
    Expected<DeviceMemory> made = allocate(session.api, bytes ? bytes : 1);
    if (!made)
      return failRun(Outcome::Rejected, "memory",
                     "not run: " + made.error().message);
    memory.push_back(std::move(*made));
    KCLAW_TRY(session.forget(memory.back().get(), bytes));
    return reinterpret_cast<void *>(memory.back().get());
  }
  /// A launch that hangs still uses them: they stay until the process ends.
  void leave() { (void)new std::vector<DeviceMemory>(std::move(memory)); }

private:
  DeviceSession &session;
  std::vector<DeviceMemory> memory;
};

Run<void> draw(const Job &job, DeviceSession &session, const Problem &problem,
               size_t argument, void *data) {
  const ProblemTensor &tensor = problem.arguments[argument];
  uint64_t seed =
      job.replaySeed ? job.replaySeed : session.secretSeed(job.seed);
  KclGenerate params = generateParams(
      job.spec, argument, tensor.count, tensor.rowLength, distributions[0],
      /*level=*/0, mixSeed(seed, /*run=*/1, argument));
  params.data = data;
  void *args[] = {&params};
  return session.launch(session.kernels().generate, params.count, args);
}

Run<void> bindAll(const Job &job, DeviceSession &session,
                  const Problem &problem, PlanInstance &plan,
                  Buffers &buffers) {
  BoundAddresses addresses;
  for (size_t i = 0; i < problem.arguments.size(); ++i) {
    Run<void *> made = buffers.add(problem.arguments[i].bytes);
    if (!made)
      return std::unexpected(made.error());
    KCLAW_TRY(draw(job, session, problem, i, *made));
    addresses.arguments.push_back(*made);
  }
  auto add = [&buffers](std::vector<void *> &to, uint64_t bytes) -> Run<void> {
    Run<void *> made = buffers.add(bytes);
    if (!made)
      return std::unexpected(made.error());
    to.push_back(*made);
    return {};
  };
  for (const ProblemTensor &tensor : problem.results)
    KCLAW_TRY(add(addresses.results, tensor.bytes));
  for (const ScratchNeed &need : plan.scratch())
    KCLAW_TRY(add(addresses.scratch, need.bytes));
  return plan.bind(addresses);
}

Run<void> launch(DeviceSession &session, PlanInstance &plan, double seconds) {
  KCLAW_TRY(session.wait(seconds, "drawing test data"));
  session.setChecks(true);
  session.limitLaunch();
  Run<void> done = plan.prepare(session.stream());
  if (done)
    done = plan.run(session.stream());
  // The driver reports a kernel's fault at whichever call comes next.
  Run<void> waited = session.wait(seconds, "candidate on 'normal' data");
  session.setChecks(false);
  KCLAW_TRY(std::move(waited));
  return done;
}

} // namespace

Run<void> runOnce(const Job &job, DeviceSession &session,
                  const Problem &problem,
                  const std::vector<ModuleImage> &images, double seconds) {
  BorderSizes sizes;
  for (const ProblemTensor &tensor : problem.arguments)
    sizes.arguments.push_back(tensor.bytes);
  for (const ProblemTensor &tensor : problem.results)
    sizes.results.push_back(tensor.bytes);
  Run<PlanInstance> plan =
      PlanInstance::create(job.candidate, problem, std::move(sizes));
  if (!plan)
    return std::unexpected(plan.error());
  KCLAW_TRY(plan->load(images));
  Buffers buffers(session);
  KCLAW_TRY(bindAll(job, session, problem, *plan, buffers));
  Run<void> done = launch(session, *plan, seconds);
  if (!done && done.error().contextLost)
    buffers.leave();
  return done;
}

} // namespace kclaw
