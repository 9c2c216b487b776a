//===- ScriptedRun.cpp - A run that may be killed anywhere ----------------===//
//
// Six regions, a scripted model and an evaluator that takes its time; answers
// follow from the question alone. Every call that reaches the model is a line
// in DIR/invoice, which plays the endpoint's own books. Prints one line per
// region. test/Agent/killed_runs.py kills and resumes it.
//
//===----------------------------------------------------------------------===//
#include "RoleScript.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace kclaw;

namespace {

constexpr int regionCount = 6;

uint64_t mix(const std::string &text) {
  uint64_t hash = 1469598103934665603u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 1099511628211u;
  return hash ^ (hash >> 29);
}

void wait(uint64_t seed, int least, int most) {
  std::this_thread::sleep_for(
      std::chrono::milliseconds(least + int(seed % uint64_t(most - least))));
}

class ScriptedProvider : public Provider {
public:
  explicit ScriptedProvider(const std::string &invoice)
      : file(::open(invoice.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644)) {}
  ~ScriptedProvider() override { ::close(file); }

  Usage bound(const Conversation &) const override {
    return {2000, 1000, 0.05, 0};
  }
  Expected<Reply> complete(const Conversation &conversation) override {
    uint64_t seed = mix(conversation.id);
    Reply reply = answer(conversation);
    if (seed % 5 == 0)
      reply = {.text = "I would rather write a poem."}; // asked again
    reply.finishReason = "stop";
    reply.usage = {int64_t(100 + seed % 900), int64_t(50 + seed % 500), 0.01,
                   0.5, int64_t(seed % 90)};
    reply.model = "scripted-1";
    std::string line = conversation.id + "\n"; // one write: whole or not at all
    (void)!::write(file, line.data(), line.size());
    wait(seed, 1, 12);
    return reply;
  }

private:
  static Reply answer(const Conversation &conversation) {
    std::string title = "plan of " + conversation.id;
    if (conversation.role == "agent")
      return agentsCall(conversation, title);
    if (conversation.role == "generator")
      return planReply(title);
    std::string question = conversation.messages.back().content;
    if (conversation.role == "planner")
      return {.text = plannersAnswer(question)};
    if (conversation.role == "diagnoser")
      return {.text = json::dump({{"rootCause", "elements are not written"},
                                  {"quotes", {"says mismatch"}},
                                  {"location", "main.cu"},
                                  {"fix", "write them"}})};
    size_t at = question.find(" \"title\": \"");
    std::string line = question.substr(at, question.find('\n', at) - at);
    return {.text = "<<<<<<< SEARCH plan.json\n" + line +
                    "\n=======\n \"title\": \"" + title +
                    "\",\n>>>>>>> REPLACE\n"};
  }

  static json::Json faster() {
    json::Json list = json::Json::array();
    list.push_back({{"counter", "time"}, {"change", "down"}});
    return list;
  }

  static std::string plannersAnswer(const std::string &question) {
    size_t card = question.find("\n### ");
    size_t end = question.find(':', card);
    std::string method = card == std::string::npos
                             ? "none"
                             : question.substr(card + 5, end - card - 5);
    return json::dump({{"bottleneck", "memory"},
                       {"method", method},
                       {"evidence", {"time is 100 us"}},
                       {"predicted", faster()},
                       {"plan", "1. change the title"}});
  }

  /// Looks at the history and has a kernel timed, by turns.
  static Reply agentsCall(const Conversation &conversation,
                          const std::string &title) {
    auto said =
        std::ranges::count(conversation.messages, "assistant", &Message::role);
    json::Json arguments{{"attempt", 1}};
    if (said % 2 == 0) {
      Plan plan = samplePlan();
      plan.title = title;
      json::Json files = json::Json::array();
      for (const auto &[file, content] : planFiles(plan))
        files.push_back({{"file", file}, {"content", content}});
      arguments = {{"files", files},
                   {"method", said ? "vector_loads" : ""},
                   {"evidence", {"100 us"}},
                   {"predicted", faster()},
                   {"plan", "the elements are not written"}};
      if (said == 0)
        arguments.erase("method");
    }
    Reply reply;
    reply.toolCalls = {{"c" + std::to_string(said),
                        said % 2 == 0 ? "time" : "history",
                        json::dump(arguments)}};
    return reply;
  }

  int file;
};

class SlowEvaluator : public Evaluator {
public:
  int parallelJobs() const override { return 3; }
  Expected<Evaluation> evaluate(const Job &job) override {
    uint64_t seed = mix(job.candidate.title);
    wait(seed, 2, 20);
    static constexpr Outcome outcomes[] = {
        Outcome::Ok, Outcome::Ok, Outcome::Mismatch, Outcome::CompileError};
    Outcome outcome = outcomes[seed % 4];
    Evaluation evaluation = judged(
        outcome, outcome == Outcome::Ok ? 0.9 + double(seed % 97) / 60 : 0);
    evaluation.jobId = job.id;
    evaluation.incumbentTime = {}; // attempts are compared by their speed-up
    evaluation.incumbentInterval = {};
    return evaluation;
  }
};

std::vector<RegionTask> regions() {
  std::vector<RegionTask> tasks;
  for (int i = 0; i < regionCount; ++i) {
    RegionTask task{sampleSpec(), samplePlan(), samplePlan()};
    task.spec.symbol = "region" + std::to_string(i);
    task.spec.specHash = std::string(1, char('a' + i)) + "0";
    for (GraphOp &op : task.spec.graph.ops)
      op.name = "aten.unheard_of"; // no skeleton fits
    task.spec.bytes *= 1 + i;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s DIR STRATEGY\n", argv[0]);
    return 2;
  }
  std::string folder = argv[1];
  ScriptedProvider provider(folder + "/invoice");
  SlowEvaluator evaluator;
  auto store = openStore(folder + "/store");
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  AgentOptions options;
  options.runDirectory = folder + "/run";
  options.promptDirectory = KCLAW_PROMPTS_DIR;
  options.strategy = argv[2];
  options.memorybank = folder + "/bank";
  // Whole or not at all: this program is killed anywhere.
  if (!std::filesystem::exists(options.memorybank)) {
    std::string fresh = options.memorybank + "-" + std::to_string(getpid());
    writeAgentBank(fresh);
    std::filesystem::rename(fresh, options.memorybank);
  }
  options.progress = ProgressKind::None;
  options.provider = "scripted";
  options.searchId = "scripted";
  options.budget.maxAttempts = 3;
  options.budget.maxTokens = 10'000'000;
  std::vector<RegionTask> tasks = regions();
  auto outcomes =
      optimizeRegions(tasks, provider, evaluator, store->get(), options);
  if (!outcomes) {
    std::fprintf(stderr, "%s\n", outcomes.error().message.c_str());
    return 1;
  }
  for (size_t i = 0; i < tasks.size(); ++i) {
    StoreKey key{tasks[i].spec.specHash, options.arch,
                 name(tasks[i].spec.policy), Evidence::Measured};
    auto entry = (*store)->find(key);
    bool there = entry && *entry;
    std::printf("%s: %s: %s; store: %s %s %s\n", tasks[i].spec.symbol.c_str(),
                (*outcomes)[i].plan.title.c_str(),
                (*outcomes)[i].reason.c_str(),
                !there          ? "nothing"
                : (*entry)->won ? "won"
                                : "kept",
                there ? (*entry)->plan.title.c_str() : "",
                there ? (*entry)->reason.c_str() : "");
  }
  return 0;
}
