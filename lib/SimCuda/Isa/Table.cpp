//===- Table.cpp - Matching an instruction against the rows ---------------===//
#include "Table.h"

#include <algorithm>
#include <unordered_map>

namespace kclaw::sim {

std::vector<std::span<const Row>> allRows() {
  return {integerRows(),       integerCarryRows(),  integerBitRows(),
          integerPackedRows(), integerVideoRows(),  compareRows(),
          floatRows(),         halfRows(),          specialRows(),
          convertRows(),       convertPackedRows(), moveRows(),
          memoryRows(),        atomicRows(),        warpRows(),
          reduxRows(),         addressRows(),       barrierRows(),
          controlRows(),       clusterRows(),       mbarrierRows(),
          asyncRows(),         bulkRows(),          asyncStoreRows(),
          matrixRows(),        matrixMoveRows(),    wmmaRows(),
          wgmmaRows(),         tensorRows(),        tensorMapRows()};
}

namespace {

struct Part {
  std::vector<std::string_view> choices;
  bool optional = false;
};

struct ParsedRow {
  const Row *row;
  std::vector<Part> parts; ///< after the opcode
};

Part parsePart(std::string_view text) {
  Part part;
  if (text.ends_with('?')) {
    part.optional = true;
    text.remove_suffix(1);
  }
  if (!text.starts_with('{')) {
    part.choices.push_back(text);
    return part;
  }
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    size_t comma = std::min(text.find(','), text.size());
    part.choices.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return part;
}

using Index = std::unordered_map<std::string, std::vector<ParsedRow>>;

Index buildIndex() {
  Index index;
  for (std::span<const Row> rows : allRows())
    for (const Row &row : rows) {
      std::string_view text = row.pattern;
      size_t dot = std::min(text.find('.'), text.size());
      std::string opcode(text.substr(0, dot));
      ParsedRow parsed{&row, {}};
      while (dot < text.size()) {
        size_t next = std::min(text.find('.', dot + 1), text.size());
        parsed.parts.push_back(parsePart(text.substr(dot + 1, next - dot - 1)));
        dot = next;
      }
      index[opcode].push_back(std::move(parsed));
    }
  return index;
}

bool match(const std::vector<Part> &parts, size_t part,
           const std::vector<std::string> &modifiers, size_t at, Form &form) {
  if (part == parts.size())
    return at == modifiers.size();
  const Part &wanted = parts[part];
  if (at < modifiers.size() &&
      std::ranges::find(wanted.choices, modifiers[at]) !=
          wanted.choices.end()) {
    form.chosen[part] = modifiers[at];
    if (match(parts, part + 1, modifiers, at + 1, form))
      return true;
  }
  form.chosen[part] = {};
  return wanted.optional && match(parts, part + 1, modifiers, at, form);
}

} // namespace

const Row *findRow(const ptx::Instruction &instruction, Form &form) {
  static const Index index = buildIndex();
  auto found = index.find(instruction.opcode);
  if (found == index.end())
    return nullptr;
  for (const ParsedRow &parsed : found->second) {
    form.chosen.assign(parsed.parts.size(), {});
    if (match(parsed.parts, 0, instruction.modifiers, 0, form))
      return parsed.row;
  }
  return nullptr;
}

bool Form::has(std::string_view modifier) const {
  return std::ranges::find(chosen, modifier) != chosen.end();
}

std::string_view
Form::oneOf(std::initializer_list<std::string_view> options) const {
  for (std::string_view option : options)
    if (has(option))
      return option;
  return {};
}

Type Form::type(unsigned n) const {
  for (std::string_view part : chosen)
    if (auto type = parseType(part))
      if (n-- == 0)
        return *type;
  throw std::logic_error("row without the type that its binder asks for");
}

unsigned Form::typeCount() const {
  return unsigned(std::ranges::count_if(chosen, [](std::string_view part) {
    return parseType(part).has_value();
  }));
}

} // namespace kclaw::sim
