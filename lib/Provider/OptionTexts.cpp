//===- OptionTexts.cpp - Options that are lists ---------------------------===//
#include "Providers.h"

#include <algorithm>
#include <sstream>

namespace kclaw {
namespace {

constexpr std::string_view roles[] = {"generator", "planner",  "optimizer",
                                      "diagnoser", "repairer", "agent"};

std::string trimmed(const std::string &text) {
  size_t start = text.find_first_not_of(" \t");
  if (start == std::string::npos)
    return "";
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

/// The parts that are not empty.
std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, separator);)
    if (std::string inner = trimmed(part); !inner.empty())
      parts.push_back(inner);
  return parts;
}

} // namespace

Expected<std::map<std::string, std::string>>
parseRoleModels(const std::string &text) {
  std::map<std::string, std::string> models;
  for (const std::string &part : split(text, ',')) {
    size_t equals = part.find('=');
    std::string role = trimmed(part.substr(0, equals));
    std::string model =
        equals == std::string::npos ? "" : trimmed(part.substr(equals + 1));
    if (std::ranges::find(roles, role) == std::end(roles)) {
      std::string known;
      for (std::string_view row : roles)
        known += (known.empty() ? "" : ", ") + std::string(row);
      return makeError(Error::Code::Invalid, "role-models: there is no role '" +
                                                 role +
                                                 "'; accepted: " + known);
    }
    if (model.empty())
      return makeError(Error::Code::Invalid, "role-models: role '" + role +
                                                 "' has no model; write " +
                                                 role + "=NAME");
    models[role] = model;
  }
  return models;
}

std::vector<std::string> splitHeaders(const std::string &text) {
  return split(text, ';');
}

} // namespace kclaw
