//===- RoleScript.h - A model that answers by role --------------*- C++ -*-===//
//
// Each attempt's plan has the title "plan <k>"; what becomes of it is in
// `results`, else a mismatch. Answers follow from the question alone.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_AGENT_ROLESCRIPT_H
#define KERNELCLAW_UNITTESTS_AGENT_ROLESCRIPT_H

#include "Agent/Edits.h"
#include "AgentBank.h"
#include "Fakes.h"
#include "Support/Files.h"

#include <algorithm>
#include <filesystem>

namespace kclaw {

struct RolesBench : Bench {
  std::map<int, Evaluation> results;
  std::string plannedMethod; ///< empty: the first that is allowed
  std::string evidence = "stock takes 21 us";
  std::string quote = "says mismatch";
  int badEdits = 0;   ///< so many answers of the optimizer do not apply
  std::string method; ///< that the planner chose last

  RolesBench() {
    options.strategy = "roles";
    options.memorybank = folder / "bank";
    writeAgentBank(options.memorybank);
    // No skeleton fits a region of ops that nobody knows.
    for (GraphOp &op : task.spec.graph.ops)
      op.name = "aten.unheard_of";
    provider.answer = [this](const Conversation &c) { return answer(c); };
  }

  RegionOutcome run() {
    for (int k = 1; k <= 20; ++k)
      evaluator.byTitle.insert_or_assign(
          "plan " + std::to_string(k),
          results.contains(k) ? results.at(k) : judged(Outcome::Mismatch));
    return Bench::run();
  }

  /// Who was asked, in order.
  std::string roles() const {
    std::string text;
    for (const Conversation &each : provider.asked)
      text += (text.empty() ? "" : " ") + each.role;
    return text;
  }
  std::string region() const {
    return options.runDirectory + "/regions/" + task.spec.specHash;
  }
  json::Json record(int number) const {
    auto text = readFile(attempt(number, "attempt.json"));
    return text ? json::Json::parse(*text, nullptr, false) : json::Json();
  }

  Reply answer(const Conversation &c) {
    Reply reply;
    reply.finishReason = "stop";
    reply.usage = {100, 50, 0.25, 1};
    const std::string &question = c.messages[2].content;
    std::string title = "plan " + std::to_string(c.attempt);
    if (c.role == "generator")
      reply.text = wholePlan(title);
    else if (c.role == "planner")
      reply.text = plannerAnswer(question);
    else if (c.role == "diagnoser")
      reply.text = json::dump({{"rootCause", "elements are not written"},
                               {"quotes", {quote}},
                               {"location", "main.cu"},
                               {"fix", "write them"}});
    else if (c.role != "agent")
      reply.text = editOf(question, title);
    return reply;
  }

private:
  static std::string wholePlan(const std::string &title) {
    Plan plan = samplePlan();
    plan.title = title;
    PlanFiles files = planFiles(plan);
    return "Bound by memory.\n```cuda\n" + files["main.cu"] + "```\n```json\n" +
           files["plan.json"] + "```\n";
  }

  std::string plannerAnswer(const std::string &question) {
    size_t card = question.find("\n### ");
    size_t end = question.find(':', card);
    method = card == std::string::npos
                 ? "none"
                 : question.substr(card + 5, end - card - 5);
    if (!plannedMethod.empty())
      method = plannedMethod;
    json::Json predicted = json::Json::array();
    predicted.push_back({{"counter", "time"}, {"change", "down"}});
    return json::dump({{"bottleneck", "memory"},
                       {"method", method},
                       {"evidence", {evidence}},
                       {"predicted", predicted},
                       {"plan", "1. change the title"}});
  }

  std::string editOf(const std::string &question, const std::string &title) {
    size_t at = question.find(" \"title\": \"");
    std::string line = question.substr(at, question.find('\n', at) - at);
    if (badEdits-- > 0)
      line = "no such line";
    return "<<<<<<< SEARCH plan.json\n" + line + "\n=======\n \"title\": \"" +
           title + "\",\n>>>>>>> REPLACE\n";
  }
};

/// Files that a run leaves in a region, in the order they are written.
inline std::vector<std::string> filesInOrder(const std::string &region) {
  std::vector<std::pair<std::filesystem::file_time_type, std::string>> found;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(region))
    if (entry.is_regular_file() &&
        entry.path().string().find("attempt-") != std::string::npos)
      found.push_back({entry.last_write_time(), entry.path().string()});
  std::ranges::sort(found);
  std::vector<std::string> paths;
  for (const auto &[time, path] : found)
    paths.push_back(path);
  return paths;
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_AGENT_ROLESCRIPT_H
