//===- RoleReplies.h - What roles answer, checked by code -------*- C++ -*-===//
//
// Private. Beyond the schema: a method the gate allows, evidence that quotes
// numbers which were shown, quotes that are in the log, edits that apply. The
// reasons are for the model.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_ROLEREPLIES_H
#define KERNELCLAW_LIB_AGENT_ROLEREPLIES_H

#include "Dialog.h"
#include "Edits.h"
#include "Retrieval.h"

namespace kclaw {

/// How a seed differs from the others: prompts/approaches.json.
struct Approach {
  std::string name, text;
};
/// At least one.
Expected<std::vector<Approach>> readApproaches(const Prompts &prompts);

/// `shown`: the text that the planner had its numbers from.
Answer<json::Json> checkPlanner(json::Json plan, const Retrieved &gate,
                                const std::string &shown);
void notePlanner(Decision &decision, const json::Json &plan);

Answer<json::Json> checkDiagnosis(json::Json diagnosis,
                                  const std::string &evidence);
void noteDiagnosis(Decision &decision, const json::Json &diagnosis);

/// Edits or whole files on `files`; the plan, in parsePlan's form.
Answer<std::string> readPlanEdits(const Reply &reply, const PlanFiles &files);

std::string describeLessons(const std::vector<const Lesson *> &lessons);
/// What failed at this region and the cause that was found, the newest first;
/// what an optimizer must not do again.
std::string describeFailures(const Tree &tree);
/// The failed links, with what each repair tried.
std::string describeChain(const std::vector<const AttemptRecord *> &chain);

/// Whether `text` has a number of at least two digits that is in `shown`.
bool quotesNumber(const std::string &text, const std::string &shown);
/// Whether `quote` is in `text`, white space aside.
bool isQuote(const std::string &quote, const std::string &text);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_ROLEREPLIES_H
