//===- Tools.cpp - Calls of the agent: checked, done, on record -----------===//
#include "Tools.h"

#include "Describe.h"
#include "JsonRepair.h"
#include "Schema.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace kclaw {
namespace {

using json::Json;

constexpr size_t defaultBytes = 6000;

} // namespace

ToolAnswer refuse(const std::string &why) {
  return {"not done: " + why + "\n",
          "not done: " + firstBytes(why, 160),
          {},
          /*finished=*/false,
          /*refused=*/true};
}

const Tools::Row Tools::table[] = {{"compile", &Tools::compile},
                                   {"check", &Tools::check},
                                   {"time", &Tools::time},
                                   {"profile", &Tools::profile},
                                   {"disassemble", &Tools::disassemble},
                                   {"card", &Tools::card},
                                   {"skeleton", &Tools::skeleton},
                                   {"history", &Tools::history},
                                   {"submit", &Tools::submit}};

std::string filterOutput(const std::string &text, const std::string &grep,
                         size_t maxBytes) {
  std::string kept = text;
  if (!grep.empty()) {
    std::optional<std::regex> pattern;
    try {
      pattern.emplace(grep);
    } catch (const std::regex_error &) {
      // Not an expression: a text.
    }
    size_t lineCount = 0;
    constexpr size_t maxLine = 2000; // std::regex recurses
    kept.clear();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++lineCount;
      std::string head = line.substr(0, maxLine);
      bool found = pattern ? std::regex_search(head, *pattern)
                           : head.find(grep) != std::string::npos;
      if (found)
        kept += line + "\n";
    }
    if (kept.empty())
      kept = "none of " + std::to_string(lineCount) + " lines matches '" +
             grep + "'" +
             (pattern ? "" : " (no regular expression: searched as text)") +
             "\n";
  }
  if (kept.size() <= maxBytes)
    return kept;
  size_t half = maxBytes / 2;
  return kept.substr(0, half) + "\n... " +
         std::to_string(kept.size() - 2 * half) +
         " bytes left out; ask with grep, or a larger maxBytes ...\n" +
         kept.substr(kept.size() - half);
}

Tools::Tools(Run &run, const RegionTask &task, const Tree &tree)
    : run(run), task(task), tree(tree) {}

Expected<std::vector<Tool>> Tools::offered() const {
  std::vector<Tool> tools;
  bool hasSkeletons = startingPoint(*run.knowledge, task.spec, 0,
                                    run.evaluator.sweepsTunables())
                          .has_value();
  for (const Row &row : table) {
    std::string name = row.name;
    if (name == "skeleton" && !hasSkeletons)
      continue;
    auto description = run.prompts.text("tools/" + name + ".md");
    auto schema = run.prompts.text("schemas/tools/" + name + ".json");
    if (!description)
      return std::unexpected(description.error());
    if (!schema)
      return std::unexpected(schema.error());
    tools.push_back({name, *description, *schema});
  }
  return tools;
}

void Tools::beginAttempt(int number) {
  attempt = number;
  calls = checks = 0;
}

void Tools::setFiles(PlanFiles files, int from) {
  working = std::move(files);
  origin = from;
}

Expected<ToolAnswer> Tools::call(const ToolCall &call) {
  ++calls;
  asideNow.reset();
  auto row = std::ranges::find_if(
      table, [&](const Row &each) { return each.name == call.name; });
  RepairedJson arguments = repairJsonObject(
      call.arguments.empty() ? std::string("{}") : call.arguments);
  size_t maxBytes = defaultBytes;
  std::string grep;
  PlanFiles before = working;
  Expected<ToolAnswer> answer = ToolAnswer();
  if (row == std::end(table)) {
    std::string names;
    for (const Row &each : table)
      names += std::string(names.empty() ? "" : ", ") + each.name;
    answer = refuse("there is no tool '" + call.name + "'; there are " + names);
  } else if (arguments.kind != RepairedJson::Kind::Object) {
    answer = refuse("the arguments are no JSON object: " + arguments.reason);
  } else {
    auto schema =
        run.prompts.text("schemas/tools/" + std::string(row->name) + ".json");
    if (!schema)
      return std::unexpected(schema.error());
    std::string violation =
        schemaViolation(arguments.object, Json::parse(*schema, nullptr, false));
    maxBytes = arguments.object.value("maxBytes", Json(defaultBytes))
                       .is_number_integer()
                   ? arguments.object.value("maxBytes", defaultBytes)
                   : defaultBytes;
    if (violation.empty())
      grep = arguments.object.value("grep", "");
    answer = violation.empty() ? (this->*row->work)(arguments.object)
                               : refuse("arguments: " + violation);
  }
  if (!answer)
    return answer;
  if (answer->refused && !editsFromJson(arguments.object).empty())
    answer->text += working == before ? "None of the edits was applied.\n"
                                      : "The edits were applied all the same: "
                                        "the files are changed.\n";
  if (auto done = record(call, *answer); !done)
    return std::unexpected(done.error());
  answer->text =
      filterOutput(answer->text, answer->refused ? "" : grep, maxBytes);
  shown += answer->text;
  if (answer->summary.empty())
    answer->summary = firstBytes(answer->text, 200);
  return answer;
}

Expected<void> Tools::record(const ToolCall &call, const ToolAnswer &answer) {
  Json document{{"tool", call.name},
                {"id", call.id},
                {"arguments", call.arguments},
                {"output", answer.text}};
  if (asideNow) {
    for (ModuleImage &image : asideNow->images) {
      image.cubin.clear();
      image.fatbin.clear();
    }
    document["evaluation"] = Json::parse(toJson(*asideNow));
  }
  return folder().record("tool-" + std::to_string(calls) + ".json",
                         json::dump(document, 1) + "\n");
}

Expected<Evaluation> Tools::aside(Job job) {
  auto text = folder().read("tool-" + std::to_string(calls) + ".json");
  if (!text)
    return std::unexpected(text.error());
  if (*text) {
    Json known = Json::parse(**text, nullptr, false);
    if (known.is_object() && known.contains("evaluation"))
      if (auto evaluation = parseEvaluation(known["evaluation"].dump());
          evaluation) {
        asideNow = *evaluation;
        return evaluation;
      }
  }
  job.id += "-tool-" + std::to_string(calls);
  auto evaluation = evaluateAside(run, std::move(job));
  if (!evaluation)
    return evaluation;
  auto told = run.directory.events().append(
      {{"event", "tool_evaluated"},
       {"specHash", task.spec.specHash},
       {"attempt", attempt},
       {"call", calls},
       {"outcome", name(evaluation->outcome)},
       {"deviceSeconds", json::number(evaluation->deviceSeconds)}});
  if (!told)
    return std::unexpected(told.error());
  asideNow = *evaluation;
  return evaluation;
}

std::string Tools::change(const Json &arguments) {
  Edits edits = editsFromJson(arguments);
  if (edits.empty())
    return working.empty() ? "there are no files yet: give them in `files`"
                           : "";
  auto changed = applyEdits(working, edits);
  if (!changed)
    return changed.error().message;
  working = std::move(*changed);
  return "";
}

const AttemptRecord *Tools::rightParent() const {
  const AttemptRecord *record = tree.find(origin);
  while (record && !record->right())
    record =
        record->decision.parent ? tree.find(record->decision.parent) : nullptr;
  return record && record->plan ? record : nullptr;
}

Retrieved Tools::gate() const {
  const AttemptRecord *parent = rightParent();
  // What was decided stays so, though memory bank or rules be others now.
  auto recorded = readRetrieved(run, folder());
  if (recorded && *recorded && parent && (*recorded)->parent == parent->number)
    return **recorded;
  return retrieve(run, task, tree, parent, attempt);
}

Expected<ToolAnswer> Tools::submitText(const std::string &text) {
  Edits edits = findEdits(text);
  if (edits.cut || edits.empty())
    return ToolAnswer();
  auto changed = applyEdits(working, edits);
  if (!changed)
    return refuse(changed.error().message);
  working = std::move(*changed);
  ++calls;
  return judge(Json::object(), false);
}

} // namespace kclaw
