//===- Edits.cpp - Search/replace blocks on a plan's files ----------------===//
#include "Edits.h"

#include "Fences.h"
#include "JsonRepair.h"

#include <algorithm>
#include <sstream>

namespace kclaw {
namespace {

using json::Json;

constexpr std::string_view searchMark = "<<<<<<< SEARCH";
constexpr std::string_view middleMark = "=======";
constexpr std::string_view endMark = ">>>>>>> REPLACE";

std::string trim(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return "";
  return std::string(
      text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::string withoutSpace(const std::string &text) {
  std::string result;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      result += c;
  return result;
}

int occurrences(const std::string &text, const std::string &piece) {
  int found = 0;
  for (size_t at = 0; (at = text.find(piece, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

std::string names(const PlanFiles &files) {
  std::string list;
  for (const auto &[name, ignored] : files)
    list += (list.empty() ? "" : ", ") + name;
  return list;
}

Error unusable(const Edit &edit, size_t index, const std::string &why) {
  std::string first = trim(edit.search.substr(0, edit.search.find('\n')));
  return {Error::Code::Invalid, "edit " + std::to_string(index + 1) + " of " +
                                    edit.file + " ('" + first.substr(0, 80) +
                                    "'): " + why};
}

Expected<void> apply(PlanFiles &files, const Edit &edit, size_t index) {
  auto file = files.find(edit.file);
  if (file == files.end())
    return std::unexpected(
        unusable(edit, index, "there is no such file; known: " + names(files)));
  if (edit.search.empty())
    return std::unexpected(unusable(edit, index, "the search text is empty"));
  int count = occurrences(file->second, edit.search);
  if (count == 0) {
    bool spaced =
        occurrences(withoutSpace(file->second), withoutSpace(edit.search)) > 0;
    return std::unexpected(unusable(
        edit, index,
        spaced ? "the search text does not occur: it differs in white space; "
                 "copy the lines exactly"
               : "the search text does not occur in the file; copy the lines "
                 "exactly, or give the whole file"));
  }
  if (count > 1)
    return std::unexpected(
        unusable(edit, index,
                 "the search text occurs " + std::to_string(count) +
                     " times and must occur once; add lines around it"));
  file->second.replace(file->second.find(edit.search), edit.search.size(),
                       edit.replace);
  return {};
}

/// The file that a fence stands for when it names none.
std::string fileOf(const Fence &fence) {
  if (isCudaFence(fence))
    return "main.cu";
  return fence.language == "json" ? "plan.json" : "";
}

std::string oneLine(const Json &value) {
  std::string text;
  auto add = [&](const std::string &part) {
    text += (text.empty() ? "" : ", ") + part;
  };
  if (value.is_object()) {
    for (const auto &[name, inner] : value.items())
      add(json::dump(Json(name)) + ": " + oneLine(inner));
    return "{" + text + "}";
  }
  if (value.is_array()) {
    for (const Json &inner : value)
      add(oneLine(inner));
    return "[" + text + "]";
  }
  return json::dump(value);
}

} // namespace

std::string planText(const Json &document) {
  std::string text;
  for (const auto &[name, value] : document.items()) {
    text += (text.empty() ? "{\n " : ",\n ") + json::dump(Json(name)) + ": ";
    bool rows = value.is_array() && !value.empty() && value[0].is_object();
    if (!rows) {
      text += oneLine(value);
      continue;
    }
    for (size_t i = 0; i < value.size(); ++i)
      text += (i ? ",\n  " : "[\n  ") + oneLine(value[i]);
    text += "\n ]";
  }
  return text + "\n}\n";
}

PlanFiles withoutChoices(PlanFiles files) {
  auto plan = files.find("plan.json");
  if (plan == files.end())
    return files;
  Json document = Json::parse(plan->second, nullptr, false);
  if (!document.is_object() || !document.contains("tunables"))
    return files;
  for (Json &tunable : document["tunables"])
    tunable.erase("chosen");
  plan->second = planText(document);
  return files;
}

PlanFiles planFiles(const Plan &plan) {
  PlanFiles files;
  Json document = Json::parse(toJson(plan));
  for (size_t i = 0; i < plan.modules.size(); ++i) {
    if (plan.modules[i].kind != PlanModule::Kind::Cuda)
      continue;
    std::string name = plan.modules[i].name + ".cu";
    files[name] = plan.modules[i].source;
    document["modules"][i]["source"] = "@" + name;
  }
  document.erase("producer");
  files["plan.json"] = planText(document);
  return files;
}

Expected<std::string> planFromFiles(const PlanFiles &files) {
  auto text = files.find("plan.json");
  if (text == files.end())
    return makeError(Error::Code::Invalid, "there is no plan.json");
  RepairedJson plan = repairJsonObject(text->second);
  if (plan.kind != RepairedJson::Kind::Object)
    return makeError(Error::Code::Invalid, "plan.json: " + plan.reason);
  Json &document = plan.object;
  if (!document.contains("modules") || !document["modules"].is_array())
    return json::dump(document); // parsePlan says what is wrong
  for (Json &module : document["modules"]) {
    if (!module.is_object() || !module.contains("source") ||
        !module["source"].is_string())
      continue;
    std::string source = module["source"];
    if (!source.starts_with("@"))
      continue;
    std::string name = source == "@cuda" ? "main.cu" : source.substr(1);
    auto file = files.find(name);
    if (file == files.end())
      return makeError(Error::Code::Invalid,
                       "plan.json names the source '" + source +
                           "', but the files are: " + names(files));
    module["source"] = file->second;
  }
  return json::dump(document);
}

Edits findEdits(const std::string &text) {
  enum class In { Text, Search, Replace } state = In::Text;
  Edits found;
  std::string outside;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string bare = trim(line);
    if (state == In::Text && bare.starts_with(searchMark)) {
      std::string file = trim(bare.substr(searchMark.size()));
      found.edits.push_back({file.empty() ? "main.cu" : file, "", ""});
      state = In::Search;
    } else if (state == In::Search && bare == middleMark) {
      state = In::Replace;
    } else if (state == In::Replace && bare.starts_with(endMark)) {
      state = In::Text;
    } else if (state == In::Search) {
      found.edits.back().search += line + "\n";
    } else if (state == In::Replace) {
      found.edits.back().replace += line + "\n";
    } else {
      outside += line + "\n";
    }
  }
  found.cut = state != In::Text;
  std::vector<Fence> fences = findFences(outside);
  found.cut |= !fences.empty() && !fences.back().closed;
  for (const Fence &fence : fences)
    if (std::string file = fileOf(fence); fence.closed && !file.empty())
      found.files[file] = fence.content;
  // A fence around edits is empty once they are gone.
  std::erase_if(found.files,
                [](const auto &file) { return trim(file.second).empty(); });
  return found;
}

Edits editsFromJson(const Json &object) {
  Edits found;
  auto text = [](const Json &row, const char *name) {
    return row.is_object() && row.contains(name) && row[name].is_string()
               ? row[name].get<std::string>()
               : std::string();
  };
  auto rows = [&](const char *name) {
    return object.contains(name) && object[name].is_array() ? object[name]
                                                            : Json::array();
  };
  for (const Json &row : rows("files"))
    found.files[text(row, "file")] = text(row, "content");
  for (const Json &row : rows("edits"))
    found.edits.push_back(
        {text(row, "file"), text(row, "search"), text(row, "replace")});
  return found;
}

Expected<PlanFiles> applyEdits(PlanFiles files, const Edits &edits) {
  for (const auto &[name, content] : edits.files) {
    if (name != "plan.json" && !name.ends_with(".cu"))
      return makeError(Error::Code::Invalid,
                       "'" + name +
                           "' is no file of a plan: plan.json and "
                           "NAME.cu are");
    files[name] = content;
  }
  for (size_t i = 0; i < edits.edits.size(); ++i)
    if (auto done = apply(files, edits.edits[i], i); !done)
      return std::unexpected(done.error());
  return files;
}

} // namespace kclaw
