//===- Ask.cpp - One call of the model, paid for once ---------------------===//
#include "Ask.h"

#include "EvaluatorGate.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace kclaw {
namespace {

using json::Json;

constexpr size_t maxUnreadable = 3;
/// Regions, once the provider has given a plan that could be judged.
constexpr size_t maxUnreadableLater = 8;

class Call {
public:
  Call(Run &run, const std::string &specHash, int attempt,
       const AttemptFolder &folder, int number, Conversation &conversation)
      : run(run), specHash(specHash), attempt(attempt), folder(folder),
        number(number), conversation(conversation) {}

  Expected<Reply> go() {
    auto recorded = folder.reply(number);
    if (!recorded)
      return std::unexpected(recorded.error());
    if (*recorded)
      return again(**recorded);
    if (isCancelled(run.options))
      return interrupted();
    auto reserved = reserve();
    if (!reserved)
      return std::unexpected(reserved.error());
    if (auto done = folder.recordPrompt(number, conversation); !done)
      return std::unexpected(done.error());
    if (auto told = append(withUsage("call_started", reserved->bound())); !told)
      return std::unexpected(told.error());
    auto reply = complete(*reserved);
    if (!reply)
      return failed(*reserved, reply.error());
    return book(*reserved, std::move(*reply));
  }

private:
  /// Booked when the run was opened, unless a kill came between the reply and
  /// its event.
  Expected<Reply> again(const Reply &reply) {
    Json event = answered(reply);
    if (run.directory.events().isTold(event))
      return reply;
    run.ledger.book(reply.usage, specHash);
    if (auto told = append(std::move(event)); !told)
      return std::unexpected(told.error());
    return reply;
  }

  /// Waits for what calls under way hold and may not use.
  Expected<Ledger::Reservation> reserve() {
    Usage bound = run.provider.bound(conversation);
    while (run.ledger.mustWait(bound, specHash)) {
      PassedTurn others(run.turn);
      run.ledger.waitForRelease();
    }
    return run.ledger.reserve(bound, specHash);
  }

  Expected<Reply> complete(Ledger::Reservation &reserved) {
    conversation.timeoutSeconds = run.ledger.secondsLeft();
    const Usage once = reserved.bound();
    conversation.mayRepeat = [&](const Usage &wasted) {
      Usage all = wasted;
      all += once;
      return reserved.raise(all);
    };
    if (run.progress)
      conversation.onTokens = [this](int64_t tokens) {
        run.progress->receiving(specHash, tokens);
      };
    auto reply = [&] {
      PassedTurn others(run.turn);
      return run.provider.complete(conversation);
    }();
    // Both refer to this call.
    conversation.mayRepeat = nullptr;
    conversation.onTokens = nullptr;
    if (run.progress)
      run.progress->receiving(specHash, 0);
    if (reply) {
      run.unreadable.clear();
      countIfUncounted(*reply, reserved.bound());
      return reply;
    }
    bool cut = isCancelled(run.options) || run.ledger.secondsLeft() <= 0;
    if (reply.error().code != Error::Code::Invalid || cut)
      return reply;
    if (noneCanBeRead())
      return makeError(Error::Code::Unavailable,
                       "no answer can be read; the last: " +
                           reply.error().message);
    // An answer that cannot be read is an answer without a plan. What it cost
    // is not known.
    Reply unreadable;
    unreadable.refusal = "unreadable reply: " + reply.error().message;
    unreadable.usage = reserved.bound();
    return unreadable;
  }

  /// Several in a row, and from as many regions where there are as many: then
  /// it is the provider, not a question. Regions take turns, and those whose
  /// questions are answered well end first: of a provider that did answer, more
  /// of the regions that are left must have asked in vain, and twice.
  bool noneCanBeRead() const {
    run.unreadable.push_back(specHash);
    std::map<std::string, size_t> inVain;
    for (const std::string &region : run.unreadable)
      ++inVain[region];
    bool answered = std::ranges::any_of(
        run.directory.events().records(), [](const Json &event) {
          return textIn(event, "event") == "evaluated" &&
                 textIn(event, "outcome") != "rejected";
        });
    size_t regions = answered ? maxUnreadableLater : maxUnreadable;
    auto askedTwice = [](const auto &one) { return one.second >= 2; };
    return run.unreadable.size() >= maxUnreadable &&
           inVain.size() >= std::min(regions, run.regions) &&
           (!answered || std::ranges::all_of(inVain, askedTwice));
  }

  /// Who does not count gets the bound of the prompt, and a token for three
  /// bytes of the answer.
  static void countIfUncounted(Reply &reply, const Usage &bound) {
    int64_t most = bound.inputTokens + bound.outputTokens;
    if (most == 0 || reply.usage.inputTokens || reply.usage.outputTokens)
      return;
    size_t bytes = reply.text.size();
    for (const ToolCall &call : reply.toolCalls)
      bytes += call.name.size() + call.arguments.size();
    reply.usage.inputTokens = bound.inputTokens;
    reply.usage.outputTokens =
        std::min(bound.outputTokens, int64_t(bytes / 3 + 1));
    if (reply.usage.dollars == 0)
      reply.usage.dollars =
          bound.dollars *
          double(reply.usage.inputTokens + reply.usage.outputTokens) /
          double(most);
  }

  /// What failed tries cost is booked, and a call that this side cut short by
  /// its bound: it may be on the bill all the same.
  Expected<Reply> failed(Ledger::Reservation &reserved, const Error &error) {
    bool parked = error.code == Error::Code::Parked;
    bool timeIsOver = !parked && run.ledger.secondsLeft() <= 0;
    bool cut = !parked && (timeIsOver || isCancelled(run.options));
    Usage wasted = run.provider.takeUnbooked(conversation.id);
    if (cut)
      wasted = reserved.bound();
    bool paid = wasted.inputTokens || wasted.outputTokens || wasted.dollars > 0;
    Json event = paid ? withUsage("call_lost", reserved.settle(wasted))
                      : describe("call_ended");
    event["message"] = error.message;
    reserved.release();
    if (auto told = append(std::move(event)); !told)
      return std::unexpected(told.error());
    if (timeIsOver)
      return makeError(Error::Code::Budget,
                       error.message + ": " + run.ledger.timeIsOver());
    if (cut)
      return interrupted();
    return std::unexpected(error);
  }

  Expected<Reply> book(Ledger::Reservation &reserved, Reply reply) {
    Usage claimed = reply.usage;
    reply.usage = reserved.settle(claimed);
    if (auto done = folder.recordReply(number, reply); !done)
      return std::unexpected(done.error());
    Json event = answered(reply);
    if (claimed.inputTokens != reply.usage.inputTokens ||
        claimed.outputTokens != reply.usage.outputTokens ||
        claimed.dollars != reply.usage.dollars)
      event["message"] = "the usage that was claimed cannot be: " +
                         std::to_string(claimed.inputTokens) + " tokens in, " +
                         std::to_string(claimed.outputTokens) + " out, $" +
                         json::dump(json::number(claimed.dollars)) +
                         "; booked by the call's upper bound";
    if (auto told = append(std::move(event)); !told)
      return std::unexpected(told.error());
    return reply;
  }

  Json describe(const char *event) const {
    return {{"event", event},
            {"specHash", specHash},
            {"attempt", attempt},
            {"call", number},
            {"role", conversation.role}};
  }

  Json withUsage(const char *what, const Usage &usage) const {
    Json event = describe(what);
    event["inputTokens"] = usage.inputTokens;
    event["outputTokens"] = usage.outputTokens;
    event["dollars"] = json::number(usage.dollars);
    return event;
  }

  Json answered(const Reply &reply) const {
    const Usage &usage = reply.usage;
    Json event = describe("reply");
    event["model"] = reply.model;
    event["inputTokens"] = usage.inputTokens;
    event["outputTokens"] = usage.outputTokens;
    event["cachedInputTokens"] = usage.cachedInputTokens;
    event["dollars"] = json::number(usage.dollars);
    event["seconds"] = json::number(usage.seconds);
    return event;
  }

  Expected<void> append(Json event) {
    return run.directory.events().append(std::move(event));
  }

  Run &run;
  const std::string &specHash;
  int attempt;
  const AttemptFolder &folder;
  int number;
  Conversation &conversation;
};

/// What an event says was used.
Usage usageOf(const Json &event) {
  Usage usage;
  usage.inputTokens = integerIn(event, "inputTokens");
  usage.outputTokens = integerIn(event, "outputTokens");
  usage.cachedInputTokens = integerIn(event, "cachedInputTokens");
  usage.dollars = numberIn(event, "dollars");
  usage.seconds = numberIn(event, "seconds");
  return usage;
}

} // namespace

Expected<Reply> ask(Run &run, const std::string &specHash, int attempt,
                    const AttemptFolder &folder, int call,
                    Conversation &conversation) {
  return Call(run, specHash, attempt, folder, call, conversation).go();
}

Expected<void> bookEarlierCalls(Run &run) {
  EventLog &log = run.directory.events();
  std::map<std::tuple<std::string, int, int>, Json> underWay;
  for (const Json &event : log.records()) {
    std::string what = textIn(event, "event");
    if (what == "reply" || what == "call_lost")
      run.ledger.book(usageOf(event), textIn(event, "specHash"));
    if (what == "evaluated" || what == "tool_evaluated")
      run.ledger.bookDevice(numberIn(event, "deviceSeconds"));
    std::tuple call(textIn(event, "specHash"), int(integerIn(event, "attempt")),
                    int(integerIn(event, "call")));
    if (what == "call_started")
      underWay[call] = event;
    else if (what == "reply" || what == "call_ended" || what == "call_lost")
      underWay.erase(call);
  }
  for (auto &[call, started] : underWay) {
    const auto &[specHash, attempt, number] = call;
    auto reply = run.directory.attempt(specHash, attempt).reply(number);
    if (reply && *reply)
      continue; // ask() books it
    run.ledger.book(usageOf(started), specHash);
    Json event = std::move(started);
    for (const char *own : {"seq", "time"})
      event.erase(own);
    event["event"] = "call_lost";
    event["message"] = "the process ended while the call was under way; booked "
                       "by its upper bound";
    if (auto told = log.append(std::move(event)); !told)
      return told;
  }
  return {};
}

} // namespace kclaw
