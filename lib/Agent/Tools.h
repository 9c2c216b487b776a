//===- Tools.h - What the agent may call ------------------------*- C++ -*-===//
//
// Private. Working files, and the tools that look at them and have them
// judged. Each tool has a description (prompts/tools/NAME.md) and a schema of
// its arguments (prompts/schemas/tools/NAME.json); calls are held to it.
// Outputs are cut to the bytes asked for; whole, they are on record as
// attempt-<k>/tool-<n>.json, from which a resumed run answers.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_TOOLS_H
#define KERNELCLAW_LIB_AGENT_TOOLS_H

#include "Edits.h"
#include "Retrieval.h"
#include "Strategy.h"

namespace kclaw {

struct ToolAnswer {
  std::string text;                    ///< whole; not yet cut
  std::string summary;                 ///< one line, that stands for it later
  std::optional<AttemptResult> judged; ///< it was an attempt
  bool finished = false;               ///< the model wants no more
  bool refused = false;                ///< nothing of what was asked was done
};

/// The answer to a call that cannot be done as asked.
ToolAnswer refuse(const std::string &why);

class Tools {
public:
  Tools(Run &run, const RegionTask &task, const Tree &tree);

  /// What the model is offered.
  Expected<std::vector<Tool>> offered() const;

  void beginAttempt(int number);
  /// Everything wrong with a call is an answer. An Error ends the region; a
  /// judged attempt that ends it is in `judged`.
  Expected<ToolAnswer> call(const ToolCall &call);
  /// An answer without a call, whose blocks or fences are meant as submit.
  Expected<ToolAnswer> submitText(const std::string &text);

  const PlanFiles &files() const { return working; }
  void setFiles(PlanFiles files, int origin);
  /// Text outside of outputs that evidence may quote, too.
  void note(const std::string &text) { shown += text; }
  /// What is allowed to be tried on what the files come from.
  Retrieved gate() const;

private:
  using Json = json::Json;
  using Work = Expected<ToolAnswer> (Tools::*)(const Json &);
  struct Row {
    const char *name;
    Work work;
  };
  static const Row table[];

  Expected<ToolAnswer> compile(const Json &arguments);
  Expected<ToolAnswer> check(const Json &arguments);
  Expected<ToolAnswer> time(const Json &arguments);
  Expected<ToolAnswer> submit(const Json &arguments);
  Expected<ToolAnswer> profile(const Json &arguments);
  Expected<ToolAnswer> disassemble(const Json &arguments);
  Expected<ToolAnswer> card(const Json &arguments);
  Expected<ToolAnswer> skeleton(const Json &arguments);
  Expected<ToolAnswer> history(const Json &arguments);

  /// Edits of the call on the working files; empty when they were applied.
  std::string change(const Json &arguments);
  /// The plan that the files make, checked against the region.
  std::expected<Plan, std::string> plan() const;
  Expected<ToolAnswer> judge(const Json &arguments, bool final);
  /// What the call declares; a text: why the gate refuses it.
  std::expected<Decision, std::string> declare(const Json &arguments) const;
  /// An evaluation that is no attempt, from the record where it is there.
  Expected<Evaluation> aside(Job job);
  Expected<void> record(const ToolCall &call, const ToolAnswer &answer);
  AttemptFolder folder() const {
    return run.directory.attempt(task.spec.specHash, attempt);
  }
  /// The right kernel that the files come from; null: none.
  const AttemptRecord *rightParent() const;

  Run &run;
  const RegionTask &task;
  const Tree &tree;
  int attempt = 0;
  int calls = 0, checks = 0; ///< in this attempt
  PlanFiles working;
  int origin = 0; ///< attempt that the files come from; 0: none
  PlanFiles judgedFiles;
  std::optional<Evaluation> compiled; ///< last compile or verdict, for PTX
  std::optional<Evaluation> asideNow; ///< of the call under way, to record
  std::string shown; ///< all outputs so far, for evidence that quotes them
};

/// Lines of `text` with a match of `grep` (a regular expression; text that is
/// none is searched for as it is), then at most `maxBytes` of the start and the
/// end together.
std::string filterOutput(const std::string &text, const std::string &grep,
                         size_t maxBytes);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_TOOLS_H
