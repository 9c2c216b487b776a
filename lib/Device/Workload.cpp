//===- Workload.cpp - Everything a judgement keeps on the device ----------===//
#include "Workload.h"

namespace kclaw {

constexpr int64_t scratchAlignment = 256;
constexpr uint64_t poolEntries = 32; // what a region keeps, more or less
constexpr double endSeconds = 10; // for what is enqueued when a judgement ends

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

/// What is kept for later candidates leaves first.
Run<void> Workload::requireFree(uint64_t bytes, const std::string &what) {
  while (bytes > session->freeBytes() && session->cache.dropOldest())
    ;
  uint64_t free = session->freeBytes();
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
  load.contenders.reserve(4);
  uint64_t needed = 0;
  for (const auto *list : {&problem.arguments, &problem.results})
    for (const ProblemTensor &tensor : *list)
      needed += GuardedBuffer::needed(session, tensor.bytes);
  KCLAW_TRY(load.requireFree(needed, "arguments and results"));
  for (size_t i = 0; i < problem.arguments.size(); ++i) {
    auto buffer = GuardedBuffer::create(
        session, "argument " + std::to_string(i), problem.arguments[i].bytes,
        problem.arguments[i].alignmentBytes);
    if (!buffer)
      return std::unexpected(buffer.error());
    load.arguments.push_back(std::move(*buffer));
  }
  uint64_t own = 0;
  for (const ProblemTensor &tensor : problem.results)
    own += GuardedBuffer::neededIn(tensor.bytes) +
           HiddenMemory::needed(rowsOf(tensor) * 8 + 8);
  Run<HiddenMemory *> chunk = load.addHidden("the judge's buffers", own);
  if (!chunk)
    return std::unexpected(chunk.error());
  for (const ProblemTensor &tensor : problem.results) {
    load.firstResults.push_back(GuardedBuffer::within(
        **chunk, "first result", tensor.bytes, scratchAlignment));
    load.rowScales.push_back((*chunk)->take(rowsOf(tensor) * 8 + 8));
  }
  return load;
}

Run<HiddenMemory *> Workload::addHidden(const std::string &what,
                                        uint64_t bytes) {
  Run<HiddenMemory> made = HiddenMemory::create(*session, what, bytes);
  if (!made)
    return std::unexpected(made.error());
  hidden.push_back(std::move(*made));
  shown = false;
  return &hidden.back();
}

Run<void> Workload::show() {
  if (shown)
    return {};
  Phase phase(session->phases, "isolation");
  for (HiddenMemory &chunk : hidden)
    KCLAW_TRY(chunk.show());
  shown = true;
  return {};
}

Run<void> Workload::hide() {
  if (!shown)
    return {};
  KCLAW_TRY(session->wait(remaining(), "the judge's own work"));
  Phase phase(session->phases, "isolation");
  for (HiddenMemory &chunk : hidden)
    KCLAW_TRY(chunk.hide());
  shown = false;
  return {};
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
  if (session->whyNotHidden().empty() && !isCandidate(contenders.back()))
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

/// Allocates the contender's results and scratch: the candidate's for
/// themselves, the others' in hidden memory.
Run<void> Workload::provide(Contender made,
                            const std::vector<uint64_t> &resultBytes) {
  bool isHidden = !contenders.empty();
  auto neededFor = [&](uint64_t bytes) {
    return isHidden ? GuardedBuffer::neededIn(bytes)
                    : GuardedBuffer::needed(*session, bytes);
  };
  uint64_t needed = 0;
  for (uint64_t bytes : resultBytes)
    needed += neededFor(bytes);
  for (const ScratchNeed &need : made.program->scratch())
    needed += neededFor(need.bytes);
  std::string what = "the " + made.name + "'s buffers";
  KCLAW_TRY(requireFree(needed, what));
  HiddenMemory *chunk = nullptr;
  if (isHidden) {
    Run<HiddenMemory *> added = addHidden(what, needed);
    if (!added)
      return std::unexpected(added.error());
    chunk = *added;
  }
  auto add = [&](std::vector<GuardedBuffer> &list, const std::string &name,
                 uint64_t bytes, int64_t alignment) -> Run<void> {
    if (chunk) {
      list.push_back(GuardedBuffer::within(*chunk, name, bytes, alignment));
      return {};
    }
    auto buffer = GuardedBuffer::create(*session, name, bytes, alignment);
    if (!buffer)
      return std::unexpected(buffer.error());
    list.push_back(std::move(*buffer));
    return {};
  };
  for (size_t i = 0; i < resultBytes.size(); ++i)
    KCLAW_TRY(add(made.results, "result " + std::to_string(i), resultBytes[i],
                  problem->results[i].alignmentBytes));
  for (const ScratchNeed &need : made.program->scratch())
    KCLAW_TRY(add(made.scratch, need.name, need.bytes, scratchAlignment));
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
  bool redrawn = static_cast<int>(argument) == current.redrawnArgument;
  KclGenerate params = generateParams(
      *spec, argument, tensor.count, tensor.rowLength, *current.distribution,
      current.level,
      mixSeed(redrawn ? ~dataSeed : dataSeed, current.run, argument));
  params.perturb =
      current.perturbation ? current.perturbation + 2 * argument : 0;
  params.epsilon = current.epsilon;
  params.data = arguments[argument].pointer();
  return params;
}

Run<void> Workload::draw(const Draw &what) {
  Phase phase(session->phases, "draw");
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
  Phase phase(session->phases, "check inputs");
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

Run<void> Workload::poison(Contender &who, uint8_t byte, Prepared prepared) {
  if (!isCandidate(who))
    KCLAW_TRY(show());
  Phase phase(session->phases, "poison");
  auto each = [&](const GuardedBuffer &buffer) -> Run<void> {
    KCLAW_TRY(buffer.fill(*session, byte));
    if (!isCandidate(who))
      return {};
    return session->forget(buffer.address(), buffer.bytes());
  };
  for (const GuardedBuffer &buffer : who.results)
    KCLAW_TRY(each(buffer));
  const std::vector<ScratchNeed> &needs = who.program->scratch();
  for (size_t i = 0; i < who.scratch.size(); ++i)
    if (prepared == Prepared::Poison || !needs[i].persistent)
      KCLAW_TRY(each(who.scratch[i]));
  return {};
}

Run<void> Workload::armGuards(Contender &who) {
  Phase phase(session->phases, "guards");
  for (const std::vector<GuardedBuffer> *list :
       {&arguments, &who.results, &who.scratch})
    for (const GuardedBuffer &buffer : *list)
      KCLAW_TRY(buffer.armGuards(*session));
  return {};
}

Run<void> Workload::checkGuards(Contender &who) {
  Phase phase(session->phases, "guards");
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
  KCLAW_TRY(isCandidate(who) ? hide() : show());
  CheckedLaunches checked(*session, isCandidate(who));
  return launched(who, who.program->prepare(session->stream()));
}

Run<void> Workload::enqueue(Contender &who) {
  KCLAW_TRY(isCandidate(who) ? hide() : show());
  CheckedLaunches checked(*session, isCandidate(who));
  return launched(who, who.program->run(session->stream()));
}

/// Its name lives as long as the contender.
static const char *phaseOf(const Contender &who) { return who.name.c_str(); }

Run<void> Workload::runAndWait(Contender &who, Prepared prepared) {
  // What was enqueued before is ours: let its errors not be blamed on `who`.
  {
    Phase phase(session->phases, "draw");
    KCLAW_TRY(session->wait(remaining(), "drawing test data"));
  }
  Phase phase(session->phases, phaseOf(who));
  if (prepared == Prepared::Poison) {
    KCLAW_TRY(prepare(who));
    if (isCandidate(who))
      KCLAW_TRY(
          who.prepared.take(*session, who.program->scratch(), who.scratch));
  }
  KCLAW_TRY(enqueue(who));
  return session->wait(remaining(), label(who));
}

std::string Workload::regionKey() const {
  std::string key = spec->specHash;
  for (const auto &[name, size] : problem->dims)
    key += " " + name + "=" + std::to_string(size);
  return key;
}

/// Data are drawn from all of this and nothing else.
std::string Workload::cacheKey(const Contender &who) const {
  std::string key = who.name + " " + who.planKey + " " + regionKey();
  for (uint64_t number :
       {dataSeed, uint64_t(current.distribution->kind), uint64_t(current.level),
        current.run, current.perturbation,
        uint64_t(current.redrawnArgument + 1)})
    key += " " + std::to_string(number);
  return key;
}

/// Copies what was computed before into the contender's results.
Run<void> Workload::recall(Contender &who, ResultCache::Entry &entry) {
  Phase phase(session->phases, "recall");
  KCLAW_TRY(show());
  KCLAW_TRY(entry.memory.show());
  for (size_t i = 0; i < who.results.size(); ++i)
    KCLAW_TRY(session->copy(who.results[i].address(), entry.results[i],
                            who.results[i].bytes()));
  KCLAW_TRY(session->wait(remaining(), "copying known results"));
  return entry.memory.hide();
}

/// Nothing is remembered where there is no room: it is computed again.
Run<void> Workload::remember(Contender &who, const std::string &key) {
  Phase phase(session->phases, "remember");
  uint64_t bytes = 0;
  for (const GuardedBuffer &buffer : who.results)
    bytes += HiddenMemory::needed(buffer.bytes());
  // Larger ones would be gone before the next candidate comes.
  if (bytes > session->cache.capacity() / poolEntries ||
      !session->cache.reserve(bytes))
    return {};
  Run<HiddenMemory> memory =
      HiddenMemory::create(*session, "known results", bytes);
  if (!memory)
    return {};
  ResultCache::Entry entry{std::move(*memory), {}};
  KCLAW_TRY(entry.memory.show());
  for (const GuardedBuffer &buffer : who.results) {
    entry.results.push_back(entry.memory.take(buffer.bytes()));
    KCLAW_TRY(
        session->copy(entry.results.back(), buffer.address(), buffer.bytes()));
  }
  KCLAW_TRY(session->wait(remaining(), "keeping results"));
  KCLAW_TRY(entry.memory.hide());
  session->cache.put(key, std::move(entry));
  return {};
}

Run<void> Workload::computeResults(Contender &who, uint8_t poisonByte) {
  bool kept =
      !who.planKey.empty() && current.pooled && current.perturbation == 0;
  std::string key = kept ? cacheKey(who) : "";
  if (ResultCache::Entry *known = kept ? session->cache.find(key) : nullptr)
    return recall(who, *known);
  KCLAW_TRY(poison(who, poisonByte));
  KCLAW_TRY(runAndWait(who));
  return kept ? remember(who, key) : Run<void>();
}

Run<void> withWorkload(const Job &job, DeviceSession &session,
                       const Problem &problem,
                       std::function<double()> remaining,
                       const std::function<Run<void>(Workload &)> &work) {
  uint64_t seed =
      job.replaySeed ? job.replaySeed : session.secretSeed(job.seed);
  Run<Workload> made =
      Workload::create(session, job.spec, problem, seed, std::move(remaining));
  if (!made)
    return std::unexpected(made.error());
  auto load = std::make_unique<Workload>(std::move(*made));
  Run<void> done = work(*load);
  // Memory must not be unmapped under what still runs.
  if (done || !done.error().contextLost)
    if (Run<void> idle = session.wait(endSeconds, "the end of a judgement");
        !idle)
      done = idle;
  if (!done && done.error().contextLost)
    (void)load.release();
  return done;
}

} // namespace kclaw
