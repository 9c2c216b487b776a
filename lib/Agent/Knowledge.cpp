//===- Knowledge.cpp - Long-term memory, as a run has it ------------------===//
#include "Knowledge.h"

#include "ExtractPlan.h"
#include "kernelclaw/Expert/ExpertProvider.h"

#include <ctime>

namespace kclaw {

Expected<std::shared_ptr<const Knowledge>>
loadKnowledge(const AgentOptions &options, const Evaluator &evaluator,
              Store *store, const std::string &run) {
  auto knowledge = std::make_shared<Knowledge>();
  auto bank = loadMemoryBank(options.memorybank);
  if (!bank)
    return std::unexpected(bank.error().context("memory bank"));
  knowledge->bank = std::move(*bank);
  knowledge->hardware = knowledge->bank.target(options.arch);
  auto expert = createExpertProvider(options.memorybank);
  if (!expert)
    return std::unexpected(expert.error());
  knowledge->expert = std::move(*expert);
  knowledge->startedSeconds = int64_t(std::time(nullptr));
  if (!store)
    return knowledge;
  ExperienceFilter filter =
      ExperienceFilter::teaching(options.arch, evaluator.evidence(), "");
  auto rows = store->experiences(filter);
  if (!rows)
    return std::unexpected(rows.error().context("experience"));
  for (Experience &row : *rows)
    if (!row.id.starts_with(run + "/"))
      knowledge->experiences.push_back(std::move(row));
  return knowledge;
}

std::optional<Plan> startingPoint(const Knowledge &knowledge,
                                  const KernelSpec &spec, int index,
                                  bool sweepsTunables) {
  Conversation question;
  question.spec = &spec;
  question.sweepsTunables = sweepsTunables;
  for (int i = 0; i < index; ++i)
    question.history.push_back({i + 1, name(Outcome::Ok), ""});
  auto reply = knowledge.expert->complete(question);
  if (!reply || reply->exhausted)
    return std::nullopt;
  Extraction found = extractPlan(*reply, spec);
  if (found.kind != Extraction::Kind::Plan)
    return std::nullopt;
  auto plan = parsePlan(found.planJson);
  return plan ? std::optional(std::move(*plan)) : std::nullopt;
}

} // namespace kclaw
