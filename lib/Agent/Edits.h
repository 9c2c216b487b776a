//===- Edits.h - Search/replace blocks on a plan's files --------*- C++ -*-===//
//
// Private. A plan as files (plan.json and one .cu per CUDA module), and what a
// model wants changed in them: blocks
//   <<<<<<< SEARCH main.cu
//   old lines
//   =======
//   new lines
//   >>>>>>> REPLACE
// or, as a fall-back, whole files in ```cuda and ```json fences.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_EDITS_H
#define KERNELCLAW_LIB_AGENT_EDITS_H

#include "Support/Json.h"
#include "kernelclaw/Plan/Plan.h"

#include <map>

namespace kclaw {

/// By name. In plan.json the source of module "main" is "@main.cu".
using PlanFiles = std::map<std::string, std::string>;

PlanFiles planFiles(const Plan &plan);

/// A plan document with one member a line, and one line for each element of
/// its lists: few tokens, and lines that an edit can name.
std::string planText(const json::Json &document);

/// The same without what the judge wrote into it (chosen tunables): what a
/// change is compared on.
PlanFiles withoutChoices(PlanFiles files);
/// For parsePlan. An error says what is missing or malformed, for the model.
Expected<std::string> planFromFiles(const PlanFiles &files);

struct Edit {
  std::string file, search, replace;
};

/// What a reply wants: whole files first, then edits on them.
struct Edits {
  PlanFiles files;
  std::vector<Edit> edits;
  bool cut = false; ///< the text ends inside a block
  bool empty() const { return files.empty() && edits.empty(); }
};

Edits findEdits(const std::string &text);
/// {"edits": [{file, search, replace}], "files": [{file, content}]}.
Edits editsFromJson(const json::Json &object);

/// A search text that does not occur exactly once is an error that says how
/// often it does, and whether white space is all that differs.
Expected<PlanFiles> applyEdits(PlanFiles files, const Edits &edits);

/// A unified diff with three lines of context, cut off at `maxBytes`.
std::string unifiedDiff(const PlanFiles &before, const PlanFiles &after,
                        size_t maxBytes = 16384);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_EDITS_H
