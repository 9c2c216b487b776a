//===- Dialog.h - The questions of one attempt ------------------*- C++ -*-===//
//
// Private. Numbers the calls of an attempt, books their usage on it, and asks
// once more, with the reason, when an answer cannot be used.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_DIALOG_H
#define KERNELCLAW_LIB_AGENT_DIALOG_H

#include "Ask.h"
#include "Attempt.h"

#include <functional>

namespace kclaw {

/// Why an answer cannot be used: a rule for the record and a text for people
/// and for the model.
struct Unusable {
  std::string rule, why;
};
template <typename T> using Answer = std::expected<T, Unusable>;

/// Appends the reply and why it could not be used; one that was cut off is
/// asked for anew, with twice the room.
void askAgain(Conversation &conversation, const Reply &reply, bool cutOff,
              const std::string &why);

class Dialog {
public:
  Dialog(Run &run, const RegionTask &task, int attempt)
      : run(run), task(task), attempt(attempt),
        folder(run.directory.attempt(task.spec.specHash, attempt)) {}

  /// What every role is shown first, then the role's own text.
  Expected<Conversation> start(const std::string &role,
                               const std::string &promptFile,
                               const PromptValues &values) const;

  /// The next call. Errors as of ask().
  Expected<Reply> ask(Conversation &conversation);

  /// `read` turns a reply into what is wanted. An Error ends the region.
  template <typename T>
  Expected<Answer<T>> question(Conversation conversation,
                               std::function<Answer<T>(const Reply &)> read) {
    constexpr int tries = 2;
    for (int i = 1;; ++i) {
      auto reply = ask(conversation);
      if (!reply)
        return std::unexpected(reply.error());
      if (reply->exhausted)
        return Answer<T>(std::unexpected(Unusable{exhausted, reply->text}));
      if (!reply->refusal.empty())
        return Answer<T>(
            std::unexpected(Unusable{"refusal", "refused: " + reply->refusal}));
      Answer<T> answer = read(*reply);
      if (!answer && reply->finishReason == "length")
        answer.error().rule = "truncated";
      if (answer || i == tries)
        return answer;
      kclaw::askAgain(conversation, *reply, reply->finishReason == "length",
                      answer.error().why);
    }
  }

  const AttemptFolder &attemptFolder() const { return folder; }
  const Usage &usage() const { return used; }
  /// Rule of an answer from a provider that has nothing to offer.
  static constexpr const char *exhausted = "exhausted";

private:
  Run &run;
  const RegionTask &task;
  int attempt;
  AttemptFolder folder;
  int calls = 0;
  Usage used;
};

/// The JSON object of a reply: its whole text, or its last ```json block.
Answer<json::Json> readJson(const Reply &reply, const std::string &schema);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_DIALOG_H
