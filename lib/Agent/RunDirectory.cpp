//===- RunDirectory.cpp - Where everything of a run lies ------------------===//
#include "RunDirectory.h"

#include <cstdio>
#include <random>

namespace kclaw {
namespace {

using json::Json;

/// What must not change between a run and its resumption.
Json describeRun(const AgentOptions &options) {
  return {{"version", 1},
          {"arch", options.arch},
          {"seed", options.seed},
          {"strategy", options.strategy},
          {"compileOnly", options.compileOnly}};
}

Expected<Json> readRun(const std::string &path) {
  auto text = readFile(path);
  if (!text)
    return std::unexpected(text.error());
  Json run = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!run.is_object())
    return makeError(Error::Code::Invalid,
                     "'" + path + "' is not JSON; name another run-dir");
  return run;
}

Expected<void> checkSameRun(const Json &found, const Json &wanted,
                            const std::string &path) {
  for (const auto &[name, value] : wanted.items())
    if (!found.contains(name) || found[name] != value)
      return makeError(Error::Code::Invalid,
                       "run directory '" + path + "' was made with " + name +
                           " = " + json::dump(found.value(name, Json())) +
                           ", not " + json::dump(value) +
                           "; name another run-dir");
  return {};
}

/// 16 hex digits that no other run has.
std::string newRunId() {
  std::random_device device;
  uint64_t bits = uint64_t(device()) << 32 | device();
  char text[20];
  std::snprintf(text, sizeof(text), "%016llx",
                static_cast<unsigned long long>(bits));
  return text;
}

/// What a kill left of files that were being written (writeFileAtomically).
void removeHalfWritten(const std::string &folder) {
  namespace fs = std::filesystem;
  std::error_code code;
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code)) {
    std::string suffix = it->path().extension().string();
    if (suffix.starts_with(".tmp") && suffix.size() > 4 &&
        suffix.find_first_not_of("0123456789", 4) == std::string::npos)
      found.push_back(it->path());
  }
  for (const fs::path &path : found)
    fs::remove(path, code);
}

/// The result of reading a file that may be missing.
template <typename T, typename Parse>
Expected<std::optional<T>> readOptional(const std::string &path, Parse parse) {
  if (!fileExists(path))
    return std::nullopt;
  auto text = readFile(path);
  if (!text)
    return std::unexpected(text.error());
  auto value = parse(*text);
  if (!value)
    return std::unexpected(value.error().context("'" + path + "'"));
  return *value;
}

} // namespace

std::string AttemptFolder::file(const char *name, int call) const {
  std::string suffix = call > 1 ? "-" + std::to_string(call) : "";
  return path + "/" + name + suffix + ".json";
}

bool AttemptFolder::exists() const {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Expected<std::optional<Reply>> AttemptFolder::reply(int call) const {
  return readOptional<Reply>(file("reply", call), parseReply);
}

Expected<void> AttemptFolder::recordPrompt(int call,
                                           const Conversation &prompt) const {
  Json messages = Json::array();
  for (const Message &message : prompt.messages) {
    messages.push_back({{"role", message.role}, {"content", message.content}});
    for (const ToolCall &call : message.toolCalls)
      messages.back()["toolCalls"].push_back({{"id", call.id},
                                              {"name", call.name},
                                              {"arguments", call.arguments}});
    if (!message.toolCallId.empty())
      messages.back()["toolCallId"] = message.toolCallId;
  }
  Json document{{"id", prompt.id},
                {"role", prompt.role},
                {"maxTokens", prompt.maxTokens},
                {"messages", messages}};
  return writeFileAtomically(file("prompt", call),
                             json::dump(document, 2) + "\n");
}

Expected<void> AttemptFolder::recordReply(int call, const Reply &reply) const {
  return writeFileAtomically(file("reply", call), toJson(reply));
}

Expected<void> AttemptFolder::recordPlan(const Plan &plan) const {
  for (const PlanModule &module : plan.modules)
    if (module.kind == PlanModule::Kind::Cuda)
      if (auto done = writeFileAtomically(path + "/" + module.name + ".cu",
                                          module.source);
          !done)
        return done;
  return writeFileAtomically(path + "/plan.json", toJson(plan) + "\n");
}

Expected<void> AttemptFolder::recordJob(const Job &job) const {
  Json question{{"id", job.id},
                {"arch", job.arch},
                {"seed", job.seed},
                {"timeoutSeconds", json::number(job.timeoutSeconds)},
                {"maxTimingSeconds", json::number(job.maxTimingSeconds)},
                {"deterministic", job.deterministic}};
  return writeFileAtomically(path + "/job.json",
                             json::dump(question, 2) + "\n");
}

Expected<std::optional<Evaluation>> AttemptFolder::evaluation() const {
  return readOptional<Evaluation>(path + "/evaluation.json", parseEvaluation);
}

Expected<void>
AttemptFolder::recordEvaluation(const Evaluation &evaluation) const {
  return writeFileAtomically(path + "/evaluation.json",
                             toJson(evaluation) + "\n");
}

Expected<std::optional<std::string>>
AttemptFolder::read(const std::string &name) const {
  return readOptional<std::string>(
      path + "/" + name,
      [](const std::string &text) -> Expected<std::string> { return text; });
}

Expected<void> AttemptFolder::record(const std::string &name,
                                     const std::string &text) const {
  return writeFileAtomically(path + "/" + name, text);
}

Expected<RunDirectory> RunDirectory::open(const AgentOptions &options) {
  RunDirectory directory;
  directory.path = options.runDirectory;
  directory.run = describeRun(options);
  if (auto done = makeDirectory(directory.path + "/regions"); !done)
    return std::unexpected(done.error().context("run directory"));
  std::string file = directory.path + "/run.json";
  bool resumed = fileExists(file);
  if (resumed) {
    auto found = readRun(file);
    if (!found)
      return std::unexpected(found.error());
    auto same = checkSameRun(*found, directory.run, directory.path);
    if (!same)
      return std::unexpected(same.error());
    if (found->contains("regions") && (*found)["regions"].is_array())
      directory.run["regions"] = (*found)["regions"];
    if (found->contains("id") && (*found)["id"].is_string())
      directory.runId = (*found)["id"];
  }
  if (directory.runId.empty())
    directory.runId = newRunId();
  directory.run["id"] = directory.runId;
  directory.run["provider"] = options.provider;
  auto log = EventLog::open(directory.path + "/events.jsonl");
  if (!log)
    return std::unexpected(log.error());
  directory.log = std::move(*log);
  removeHalfWritten(directory.path);
  for (const Damage &damage : directory.log.damages())
    std::fprintf(stderr,
                 "warning: events.jsonl: damage at byte %zu, %zu bytes "
                 "%s\n",
                 damage.offset, damage.bytes,
                 damage.cutOff ? "cut off" : "ignored");
  if (!resumed)
    if (auto done = directory.recordRegions(Json::array()); !done)
      return std::unexpected(done.error());
  auto done = directory.log.append(
      {{"event", resumed ? "run_resumed" : "run_started"}});
  if (!done)
    return std::unexpected(done.error());
  return directory;
}

AttemptFolder RunDirectory::attempt(const std::string &specHash,
                                    int attempt) const {
  return AttemptFolder(path + "/regions/" + specHash + "/attempt-" +
                       std::to_string(attempt));
}

AttemptFolder RunDirectory::libraryStock(const std::string &specHash) const {
  return AttemptFolder(path + "/regions/" + specHash + "/library-stock");
}

Expected<void> RunDirectory::recordTask(const RegionTask &task) const {
  std::string folder = path + "/regions/" + task.spec.specHash;
  if (auto done = makeDirectory(folder); !done)
    return done;
  const std::pair<const char *, std::string> files[] = {
      {"/spec.json", toJson(task.spec)},
      {"/stock.json", toJson(task.stock)},
      {"/reference.json", toJson(task.reference)}};
  for (const auto &[name, text] : files)
    if (auto done = writeFileAtomically(folder + name, text + "\n"); !done)
      return done;
  if (task.libraryStock)
    if (auto done = writeFileAtomically(folder + "/library-stock.json",
                                        toJson(*task.libraryStock) + "\n");
        !done)
      return done;
  if (task.reduced.empty())
    return {};
  Json reduced = Json::array();
  for (const ReducedProblem &problem : task.reduced)
    reduced.push_back({{"spec", Json::parse(toJson(problem.spec))},
                       {"stock", Json::parse(toJson(problem.stock))},
                       {"reference", Json::parse(toJson(problem.reference))}});
  return writeFileAtomically(folder + "/reduced.json",
                             json::dump(reduced) + "\n");
}

Expected<void> RunDirectory::recordRegions(const Json &regions) {
  run["regions"] = regions;
  return writeFileAtomically(path + "/run.json", json::dump(run, 2) + "\n");
}

Expected<void> RunDirectory::nameRegions(const Json &regions) {
  if (!run.value("regions", Json::array()).empty())
    return {};
  return recordRegions(regions);
}

std::string recordedStrategy(const std::string &runDirectory) {
  auto run = readRun(runDirectory + "/run.json");
  if (!run || !run->contains("strategy") || !(*run)["strategy"].is_string())
    return "greedy";
  return (*run)["strategy"];
}

Expected<void> RunDirectory::recordSummary(const Json &summary) {
  return writeFileAtomically(path + "/summary.json",
                             json::dump(summary, 1) + "\n");
}

} // namespace kclaw
