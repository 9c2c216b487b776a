//===- Workload.cpp - Everything a judgement keeps on the device ----------===//
#include "Workload.h"

namespace kclaw {

constexpr int64_t scratchAlignment = 256;

/// Bytes of result i in a plan: the reference's floats are f64.
static uint64_t resultBytes(const ProblemTensor &tensor, bool reference) {
  return reference && isFloat(tensor.dtype) ? tensor.count * 8 : tensor.bytes;
}

static uint64_t rowsOf(const ProblemTensor &tensor) {
  return (tensor.count + tensor.rowLength - 1) / tensor.rowLength;
}

static std::string gib(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GiB",
                static_cast<double>(bytes) / (uint64_t{1} << 30));
  return text;
}

static Run<void> requireFree(DeviceSession &session, uint64_t bytes,
                             const std::string &what) {
  uint64_t free = session.freeBytes();
  if (bytes <= free)
    return {};
  return failRun(Outcome::Rejected, "memory",
                 "not judged: " + what + " need " + gib(bytes) +
                     ", the device has " + gib(free) + " free");
}

Run<Workload> Workload::create(DeviceSession &session, const KernelSpec &spec,
                               const Problem &problem, uint64_t seed,
                               std::function<double()> remaining) {
  Workload load(session, spec, problem, seed, std::move(remaining));
  load.contenders.reserve(3);
  uint64_t needed = 0;
  for (const auto *list : {&problem.arguments, &problem.results})
    for (const ProblemTensor &tensor : *list)
      needed += GuardedBuffer::needed(session, tensor.bytes);
  KCLAW_TRY(requireFree(session, needed, "arguments and results"));
  for (size_t i = 0; i < problem.arguments.size(); ++i) {
    auto buffer = GuardedBuffer::create(
        session, "argument " + std::to_string(i), problem.arguments[i].bytes,
        problem.arguments[i].alignmentBytes);
    if (!buffer)
      return std::unexpected(buffer.error());
    load.arguments.push_back(std::move(*buffer));
  }
  for (size_t i = 0; i < problem.results.size(); ++i) {
    const ProblemTensor &tensor = problem.results[i];
    auto first = GuardedBuffer::create(session, "first result", tensor.bytes,
                                       scratchAlignment);
    if (!first)
      return std::unexpected(first.error());
    load.firstResults.push_back(std::move(*first));
    auto scales = allocate(session.api, rowsOf(tensor) * 8 + 8);
    if (!scales)
      return failRun(Outcome::Rejected, "memory",
                     "not judged: " + scales.error().message);
    load.rowScales.push_back(std::move(*scales));
  }
  return load;
}

Run<void> Workload::add(const std::string &name, const Plan &plan,
                        const std::vector<ModuleImage> &images,
                        bool reference) {
  BorderSizes sizes;
  for (const ProblemTensor &tensor : problem->arguments)
    sizes.arguments.push_back(tensor.bytes);
  for (const ProblemTensor &tensor : problem->results)
    sizes.results.push_back(resultBytes(tensor, reference));
  auto instance = PlanInstance::create(plan, *problem, sizes);
  if (!instance)
    return std::unexpected(instance.error());
  auto program = std::make_unique<PlanInstance>(std::move(*instance));
  PlanInstance *made = program.get();
  KCLAW_TRY(provide({name, std::move(program), made, {}, {}}, sizes.results));
  KCLAW_TRY(made->load(images));
  if (session->isSimulated() && &contenders.back() != &candidate())
    contenders.back().planKey =
        std::to_string(std::hash<std::string>{}(toJson(plan)));
  return bind(contenders.back());
}

Run<void> Workload::add(const std::string &name,
                        std::unique_ptr<Program> program) {
  std::vector<uint64_t> sizes;
  for (const ProblemTensor &tensor : problem->results)
    sizes.push_back(tensor.bytes);
  KCLAW_TRY(provide({name, std::move(program), nullptr, {}, {}}, sizes));
  return bind(contenders.back());
}

/// Allocates the contender's results and scratch.
Run<void> Workload::provide(Contender made,
                            const std::vector<uint64_t> &resultBytes) {
  uint64_t needed = 0;
  for (uint64_t bytes : resultBytes)
    needed += GuardedBuffer::needed(*session, bytes);
  for (const ScratchNeed &need : made.program->scratch())
    needed += GuardedBuffer::needed(*session, need.bytes);
  KCLAW_TRY(requireFree(*session, needed, "the " + made.name + "'s buffers"));
  for (size_t i = 0; i < resultBytes.size(); ++i) {
    auto buffer = GuardedBuffer::create(*session, "result " + std::to_string(i),
                                        resultBytes[i],
                                        problem->results[i].alignmentBytes);
    if (!buffer)
      return std::unexpected(buffer.error());
    made.results.push_back(std::move(*buffer));
  }
  for (const ScratchNeed &need : made.program->scratch()) {
    auto buffer = GuardedBuffer::create(*session, need.name, need.bytes,
                                        scratchAlignment);
    if (!buffer)
      return std::unexpected(buffer.error());
    made.scratch.push_back(std::move(*buffer));
  }
  contenders.push_back(std::move(made));
  return {};
}

static std::vector<void *> pointers(const std::vector<GuardedBuffer> &buffers) {
  std::vector<void *> result;
  for (const GuardedBuffer &buffer : buffers)
    result.push_back(buffer.pointer());
  return result;
}

Run<void> Workload::bind(Contender &who) {
  return who.program->bind(
      {pointers(arguments), pointers(who.results), pointers(who.scratch)});
}

KclGenerate Workload::params(size_t argument) const {
  const ProblemTensor &tensor = problem->arguments[argument];
  KclGenerate params =
      generateParams(spec->arguments[argument], tensor.count, tensor.rowLength,
                     *current.distribution, current.level,
                     mixSeed(seed, current.run, argument));
  params.data = arguments[argument].pointer();
  return params;
}

Run<void> Workload::draw(const Draw &what) {
  current = what;
  for (size_t i = 0; i < arguments.size(); ++i) {
    KclGenerate argument = params(i);
    void *args[] = {&argument};
    KCLAW_TRY(
        session->launch(session->kernels().generate, argument.count, args));
  }
  return {};
}

Run<void> Workload::checkInputs(const std::string &who) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    Run<CUdeviceptr> counters = session->resetCounters();
    if (!counters)
      return std::unexpected(counters.error());
    KclGenerate argument = params(i);
    argument.verify = 1;
    argument.mismatches = reinterpret_cast<kcl_u64 *>(*counters);
    void *args[] = {&argument};
    KCLAW_TRY(
        session->launch(session->kernels().generate, argument.count, args));
    auto changed = session->readCounters();
    if (!changed)
      return std::unexpected(changed.error());
    if (changed->first)
      return failRun(Outcome::Mismatch, "input-written",
                     who + " changed " + std::to_string(changed->first) +
                         " elements of argument " + std::to_string(i) +
                         "; arguments are read-only");
  }
  return {};
}

Run<void> Workload::place(Placement placement) {
  for (GuardedBuffer &buffer : arguments)
    buffer.place(placement);
  for (Contender *who : {&candidate(), &stock()})
    for (GuardedBuffer &buffer : who->results)
      buffer.place(placement);
  for (Contender &who : contenders)
    KCLAW_TRY(bind(who));
  return {};
}

Run<void> Workload::poison(Contender &who, uint8_t byte) {
  for (const std::vector<GuardedBuffer> *list : {&who.results, &who.scratch})
    for (const GuardedBuffer &buffer : *list) {
      KCLAW_TRY(buffer.fill(*session, byte));
      KCLAW_TRY(session->forget(buffer.address(), buffer.bytes()));
    }
  return {};
}

Run<void> Workload::armGuards(Contender &who) {
  for (const std::vector<GuardedBuffer> *list :
       {&arguments, &who.results, &who.scratch})
    for (const GuardedBuffer &buffer : *list)
      KCLAW_TRY(buffer.armGuards(*session));
  return {};
}

Run<void> Workload::checkGuards(Contender &who) {
  for (const std::vector<GuardedBuffer> *list :
       {&arguments, &who.results, &who.scratch})
    for (const GuardedBuffer &buffer : *list)
      if (Run<void> kept = buffer.checkGuards(*session); !kept) {
        RunFailure failure = kept.error();
        failure.message = label(who) + ": " + failure.message;
        return std::unexpected(failure);
      }
  return {};
}

std::string Workload::label(const Contender &who) const {
  return who.name +
         (current.distribution
              ? std::string(" on '") + current.distribution->name + "' data"
              : "");
}

/// The driver reports a kernel's fault at whichever call comes next.
Run<void> Workload::launched(Contender &who, Run<void> result) {
  if (result)
    return result;
  KCLAW_TRY(session->wait(remaining(), label(who)));
  RunFailure failure = result.error();
  failure.message = label(who) + ": " + failure.message;
  return std::unexpected(failure);
}

namespace {
/// While it lives, launches are looked into if they are the candidate's: stock
/// and reference are ours and run faster without.
class CheckedLaunches {
public:
  CheckedLaunches(DeviceSession &session, bool on) : session(session) {
    session.setChecks(on);
    session.limitLaunch();
  }
  ~CheckedLaunches() { session.setChecks(false); }

private:
  DeviceSession &session;
};
} // namespace

Run<void> Workload::prepare(Contender &who) {
  CheckedLaunches checked(*session, &who == &candidate());
  return launched(who, who.program->prepare(session->stream()));
}

Run<void> Workload::enqueue(Contender &who) {
  CheckedLaunches checked(*session, &who == &candidate());
  return launched(who, who.program->run(session->stream()));
}

Run<void> Workload::runAndWait(Contender &who) {
  // What was enqueued before is ours: let its errors not be blamed on `who`.
  KCLAW_TRY(session->wait(remaining(), "drawing test data"));
  KCLAW_TRY(prepare(who));
  KCLAW_TRY(enqueue(who));
  return session->wait(remaining(), label(who));
}

/// Data are drawn from all of this and nothing else.
std::string Workload::cacheKey(const Contender &who) const {
  std::string key = who.name + " " + who.planKey + " " + spec->specHash;
  for (const auto &[name, size] : problem->dims)
    key += " " + name + "=" + std::to_string(size);
  for (uint64_t number : {seed, uint64_t(current.distribution->kind),
                          uint64_t(current.level), current.run})
    key += " " + std::to_string(number);
  return key;
}

Run<void> Workload::computeResults(Contender &who, uint8_t poisonByte) {
  bool cached = !who.planKey.empty();
  std::string key = cached ? cacheKey(who) : "";
  if (const ResultCache::Results *known =
          cached ? session->cache.find(key) : nullptr) {
    for (size_t i = 0; i < who.results.size(); ++i)
      KCLAW_TRY(session->upload(who.results[i].address(), (*known)[i].data(),
                                (*known)[i].size()));
    return {};
  }
  KCLAW_TRY(poison(who, poisonByte));
  KCLAW_TRY(runAndWait(who));
  if (!cached)
    return {};
  ResultCache::Results results;
  for (const GuardedBuffer &buffer : who.results) {
    results.emplace_back(buffer.bytes());
    if (buffer.bytes() > 0)
      KCLAW_TRY(session->download(results.back().data(), buffer.address(),
                                  buffer.bytes()));
  }
  session->cache.put(key, std::move(results));
  return {};
}

Run<void> withWorkload(const Job &job, DeviceSession &session,
                       const Problem &problem,
                       std::function<double()> remaining,
                       const std::function<Run<void>(Workload &)> &work) {
  Run<Workload> made = Workload::create(session, job.spec, problem, job.seed,
                                        std::move(remaining));
  if (!made)
    return std::unexpected(made.error());
  auto load = std::make_unique<Workload>(std::move(*made));
  Run<void> done = work(*load);
  if (!done && done.error().contextLost)
    (void)load.release();
  return done;
}

} // namespace kclaw
