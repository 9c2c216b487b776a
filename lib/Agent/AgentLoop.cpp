//===- AgentLoop.cpp - One conversation with tools a region ---------------===//
//
// Append-only, so that providers cache it. Attempts are what time and submit
// have judged; a number of calls without one is a failed attempt. When the
// conversation outgrows its limit, older outputs shrink to their summaries;
// when that does not do, it starts again from the files and the history.
//
//===----------------------------------------------------------------------===//
#include "Compaction.h"
#include "Describe.h"
#include "Dialog.h"
#include "JsonRepair.h"
#include "Tools.h"

#include <deque>

namespace kclaw {
namespace {

using Status = AttemptResult::Status;

constexpr int maxTurns = 30;    ///< replies in one attempt
constexpr int maxIdle = 3;      ///< replies in a row without a call
constexpr int maxRepeats = 2;   ///< equal calls in a row
constexpr size_t maxAtOnce = 8; ///< calls in one reply

class AgentLoop : public Strategy {
public:
  AgentLoop(Run &run, const RegionTask &task, const Tree &tree)
      : run(run), task(task), tree(tree), tools(run, task, tree) {}

  Expected<AttemptResult> next(int attempt) override {
    Dialog dialog(run, task, attempt);
    if (auto done = dialog.attemptFolder().create(); !done)
      return std::unexpected(done.error());
    tools.beginAttempt(attempt);
    if (attempt == 1)
      if (auto plan = startingPoint(*run.knowledge, task.spec, 0,
                                    run.evaluator.sweepsTunables()))
        return judgeExpert(*plan);
    auto result = converse(dialog, attempt);
    if (result)
      result->record.usage = dialog.usage();
    return result;
  }

  std::string whyOver() const override {
    return finished ? "the model has submitted its last"
                    : reasonToStop(run, tree);
  }

private:
  /// The memory bank's own kernel: no call, and files to start from.
  Expected<AttemptResult> judgeExpert(const Plan &plan) {
    auto result = judgePlan(run, task, 1, plan, judgingOf(run, tree));
    if (!result || result->status != Status::Judged)
      return result;
    Decision &decision = result->record.decision;
    decision.approach = "skeleton of the memory bank";
    noteGate(decision, retrieve(run, task, tree, nullptr, 1));
    tools.setFiles(planFiles(result->record.plan ? *result->record.plan : plan),
                   1);
    return result;
  }

  Expected<AttemptResult> converse(Dialog &dialog, int attempt) {
    if (conversation.messages.empty())
      if (auto done = start(dialog); !done)
        return std::unexpected(done.error());
    int idle = 0;
    for (int turn = 0;; ++turn) {
      while (!pending.empty()) {
        auto judged = callNext();
        if (!judged)
          return endOrFail(run, judged.error());
        if (*judged)
          return std::move(**judged);
        if (finished)
          return ended(Status::Exhausted, "the model has submitted its last");
      }
      if (turn == maxTurns)
        return fail(attempt, "calls",
                    std::to_string(maxTurns) + " replies without a candidate");
      if (auto done = makeRoom(dialog); !done)
        return std::unexpected(done.error());
      conversation.attempt = attempt;
      auto reply = dialog.ask(conversation);
      if (!reply)
        return endOrFail(run, reply.error());
      if (reply->exhausted)
        return ended(Status::Exhausted,
                     reply->text.empty() ? "the provider has nothing to offer"
                                         : reply->text);
      if (!reply->refusal.empty())
        return fail(attempt, "refusal", "refused: " + reply->refusal);
      take(*reply, attempt, turn);
      if (!pending.empty()) {
        idle = 0;
        continue;
      }
      auto judged = withoutCall(*reply);
      if (!judged)
        return endOrFail(run, judged.error());
      if (*judged)
        return std::move(**judged);
      if (++idle == maxIdle)
        return fail(attempt, "reply",
                    std::to_string(maxIdle) + " replies without a call");
    }
  }

  Expected<void> start(const Dialog &dialog) {
    PromptValues values{
        {"attempts", std::to_string(run.options.budget.maxAttempts)},
        {"used", std::to_string(tree.records().size())},
        {"calls_at_once", std::to_string(maxAtOnce)},
        {"replies", std::to_string(maxTurns)},
        {"repairs", std::to_string(run.options.repairCap)},
        {"files",
         tools.files().empty() ? "none yet\n" : describeFiles(tools.files())},
        {"history", describeHistory(tree, run.options.historyTokens)},
        {"best", tree.best()
                     ? describeEvidence(tree.best()->evaluation) +
                           describeProfile(tree.best()->evaluation.profile)
                     : "none yet\n"}};
    auto begun = dialog.start("agent", "agent.md", values);
    if (!begun)
      return std::unexpected(begun.error());
    tools.note(values["history"] + values["best"]);
    auto offered = tools.offered();
    if (!offered)
      return std::unexpected(offered.error());
    conversation = std::move(*begun);
    conversation.tools = std::move(*offered);
    summaries.clear();
    return {};
  }

  /// Calls without an id get one; calls beyond the most are answered at once.
  void take(const Reply &reply, int attempt, int turn) {
    Message said{"assistant", reply.text};
    std::vector<ToolCall> calls = reply.toolCalls;
    if (calls.empty())
      if (auto written = writtenCall(reply.text)) {
        // A provider without tools: its text is the call.
        conversation.messages.push_back(said);
        written->id = "";
        pending.push_back(*written);
        return;
      }
    for (size_t i = 0; i < calls.size(); ++i)
      if (calls[i].id.empty())
        calls[i].id = "call-" + std::to_string(attempt) + "-" +
                      std::to_string(turn) + "-" + std::to_string(i);
    said.toolCalls = calls;
    if (said.content.empty() && calls.empty())
      said.content = "(an empty answer)";
    conversation.messages.push_back(said);
    for (size_t i = 0; i < calls.size(); ++i)
      if (i < maxAtOnce)
        pending.push_back(calls[i]);
      else
        answer(calls[i],
               "not done: at most " + std::to_string(maxAtOnce) +
                   " calls at once",
               "not done");
  }

  /// {"tool": NAME, "arguments": {...}} in a text.
  static std::optional<ToolCall> writtenCall(const std::string &text) {
    Reply reply;
    reply.text = text;
    auto found = readJson(reply, "{}");
    if (!found || !found->contains("tool") || !(*found)["tool"].is_string())
      return std::nullopt;
    return ToolCall{
        "", (*found)["tool"],
        json::dump(found->value("arguments", json::Json::object()))};
  }

  /// A judged attempt, when the call was one.
  Expected<std::optional<AttemptResult>> callNext() {
    ToolCall call = pending.front();
    pending.pop_front();
    repeats = call.name == last.name && call.arguments == last.arguments
                  ? repeats + 1
                  : 0;
    last = call;
    if (repeats >= maxRepeats) {
      answer(call,
             "not done: the same call was answered " + std::to_string(repeats) +
                 " times; do something else",
             "not done");
      return std::nullopt;
    }
    auto result = tools.call(call);
    if (!result)
      return std::unexpected(result.error());
    answer(call, result->text, result->summary);
    finished |= result->finished;
    return std::move(result->judged);
  }

  void answer(const ToolCall &call, const std::string &text,
              const std::string &summary) {
    Message message{call.id.empty() ? "user" : "tool", text};
    message.toolCallId = call.id;
    conversation.messages.push_back(message);
    summaries[conversation.messages.size() - 1] = call.name + ": " + summary;
  }

  /// Files in the text of a reply are a submission; else the model is told to
  /// call.
  Expected<std::optional<AttemptResult>> withoutCall(const Reply &reply) {
    auto result = tools.submitText(reply.text);
    if (!result)
      return std::unexpected(result.error());
    std::string text = result->text;
    if (text.empty())
      text = reply.finishReason == "length"
                 ? "Your answer was cut off by the length limit. Be briefer, "
                   "and call a tool."
             : reply.text.find("\"tool\"") != std::string::npos
                 ? "A call in JSON has to stand alone in the answer, as one "
                   "object: {\"tool\": NAME, \"arguments\": {...}}."
                 : "Call a tool: time or submit has your files judged.";
    conversation.messages.push_back({"user", text});
    return std::move(result->judged);
  }

  /// A failed attempt. The next one begins a conversation of its own.
  Expected<AttemptResult> fail(int attempt, const std::string &rule,
                               const std::string &why) {
    conversation.messages.clear();
    pending.clear();
    return rejectAttempt(run, task, attempt, rule, why);
  }

  Expected<void> makeRoom(const Dialog &dialog) {
    int64_t limit = run.options.contextTokens;
    if (conversationTokens(conversation) <= limit)
      return {};
    compact(conversation, summaries);
    if (conversationTokens(conversation) <= limit * 3 / 4)
      return {};
    return start(dialog);
  }

  Run &run;
  const RegionTask &task;
  const Tree &tree;
  Tools tools;
  Conversation conversation;               ///< no messages: not begun
  std::map<size_t, std::string> summaries; ///< of messages, by their index
  std::deque<ToolCall> pending;
  ToolCall last;
  int repeats = 0;
  bool finished = false;
};

} // namespace

std::unique_ptr<Strategy> createAgent(Run &run, const RegionTask &task,
                                      const Tree &tree) {
  return std::make_unique<AgentLoop>(run, task, tree);
}

} // namespace kclaw
