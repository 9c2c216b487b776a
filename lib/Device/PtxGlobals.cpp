//===- PtxGlobals.cpp - What a module may write ---------------------------===//
#include "PtxGlobals.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

namespace kclaw {
namespace {

using Words = std::vector<std::string>;

/// What leaves an address in its first operand.
constexpr std::string_view moving[] = {
    "mov", "cvta", "cvt", "add", "sub",  "mad",  "mul", "selp", "shl",
    "shr", "and",  "or",  "xor", "not",  "min",  "max", "neg",  "abs",
    "bfe", "bfi",  "shf", "sad", "prmt", "slct", "lop3"};
/// What takes an address and neither writes there nor keeps it.
constexpr std::string_view reading[] = {"ld",       "ldu",      "setp",
                                        "isspacep", "prefetch", "prefetchu"};
/// What writes at the address in its first brackets.
constexpr std::string_view storing[] = {"st", "red", "atom"};
/// Functions of the system that read what they are given.
constexpr std::string_view printers[] = {"vprintf", "__assertfail"};

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

std::string withoutComments(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    bool line = text.starts_with("//");
    bool block = text.starts_with("/*");
    if (!line && !block) {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    size_t end = text.find(line ? "\n" : "*/");
    text.remove_prefix(end == text.npos ? text.size() : end + (block ? 2 : 0));
    result += ' ';
  }
  return result;
}

/// Lines that belong to no statement.
bool isDebugLine(std::string_view line) {
  size_t start = line.find_first_not_of(" \t");
  if (start == line.npos)
    return true;
  line.remove_prefix(start);
  return line.starts_with(".loc") || line.starts_with(".file");
}

/// Words and single signs of each statement.
std::vector<Words> statements(std::string_view ptx) {
  std::string text;
  std::string clean = withoutComments(ptx);
  for (size_t start = 0; start < clean.size();) {
    size_t end = std::min(clean.find('\n', start), clean.size());
    std::string_view line(clean.data() + start, end - start);
    if (!isDebugLine(line))
      text.append(line).append("\n");
    start = end + 1;
  }
  std::vector<Words> list(1);
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isWord(text[end]))
      ++end;
    if (end > i) {
      list.back().push_back(text.substr(i, end - i));
      i = end;
      continue;
    }
    if (text[i] == ';')
      list.emplace_back();
    else if (!std::isspace(static_cast<unsigned char>(text[i])))
      list.back().emplace_back(1, text[i]);
    ++i;
  }
  return list;
}

template <typename Table>
bool isOneOf(std::string_view word, const Table &table) {
  return std::ranges::find(table, word) != std::end(table);
}

bool isHeader(const Words &words) {
  return isOneOf(".entry", words) || isOneOf(".func", words);
}

/// Statements; the first one of a body is split from the function's header.
std::vector<Words> splitStatements(std::string_view ptx) {
  std::vector<Words> list;
  for (Words &words : statements(ptx)) {
    auto open = std::ranges::find(words, "{");
    if (!isHeader(words) || open == words.end()) {
      list.push_back(std::move(words));
      continue;
    }
    list.emplace_back(words.begin(), open);
    list.emplace_back(open, words.end());
  }
  return list;
}

/// "ld" of "ld.global.f32".
std::string_view base(std::string_view opcode) {
  return opcode.substr(0, opcode.find('.'));
}

class Scan {
public:
  explicit Scan(std::string_view ptx) : list(splitStatements(ptx)) {
    std::set<std::string> initialisers;
    for (const Words &words : list)
      if (!isHeader(words))
        declare(words, initialisers);
    std::ranges::set_intersection(globals, initialisers,
                                  std::inserter(written, written.end()));
    justPrints = std::ranges::all_of(list, [](const Words &words) {
      bool calls = std::ranges::any_of(
          words, [](const std::string &word) { return base(word) == "call"; });
      return !calls || std::ranges::any_of(words, [](const std::string &word) {
        return isOneOf(word, printers);
      });
    });
  }

  void run() {
    for (size_t before = SIZE_MAX; before != facts();) {
      before = facts();
      function = 0;
      for (const Words &words : list)
        visit(words);
    }
  }

  std::set<std::string> writtenGlobals() const {
    std::set<std::string> names;
    std::ranges::set_intersection(globals, written,
                                  std::inserter(names, names.end()));
    return names;
  }
  std::map<std::string, std::set<size_t>> parameters; ///< written, by entry

private:
  size_t facts() const {
    size_t count = written.size();
    for (const auto &[place, names] : held)
      count += names.size();
    return count;
  }

  /// ".visible .global .align 4 .b8 name[8] = {...}": the name is the first
  /// word that is neither a directive nor a number. What stands in the
  /// initialiser can be reached through the variable.
  void declare(const Words &words, std::set<std::string> &initialisers) {
    std::string own;
    for (auto at = std::ranges::find(words, ".global"); at != words.end();
         ++at) {
      if (at->front() == '.' || !isWord(at->front()) ||
          std::isdigit(static_cast<unsigned char>(at->front())))
        continue;
      (own.empty() ? globals : initialisers).insert(*at);
      own = *at;
    }
  }

  /// Globals and parameters whose address the word may be.
  std::set<std::string> addressOf(const std::string &word) const {
    if (globals.contains(word))
      return {word};
    auto found = held.find({function, word});
    return found == held.end() ? std::set<std::string>() : found->second;
  }

  /// Past scopes, labels and the predicate.
  static Words::const_iterator opcodeOf(const Words &words) {
    auto at = words.begin();
    while (at != words.end()) {
      if (*at == "{" || *at == "}")
        ++at;
      else if (at + 1 != words.end() && at[1] == ":")
        at += 2;
      else if (*at == "@")
        at += at + 1 != words.end() && at[1] == "!" ? 3 : 2;
      else
        break;
      if (at > words.end())
        return words.end();
    }
    return at;
  }

  /// Position of "NAME_param_2"; nothing of another word.
  static std::optional<size_t> parameterOf(std::string_view word,
                                           std::string_view entry) {
    constexpr std::string_view infix = "_param_";
    if (!word.starts_with(entry) ||
        !word.substr(entry.size()).starts_with(infix))
      return std::nullopt;
    std::string digits(word.substr(entry.size() + infix.size()));
    bool number = !digits.empty() && digits.size() < 6 &&
                  std::ranges::all_of(
                      digits, [](unsigned char c) { return std::isdigit(c); });
    return number ? std::optional<size_t>(std::stoul(digits)) : std::nullopt;
  }

  /// A pointer comes in: "ld.param.u64 %rd1, [k_param_0]".
  void load(Words::const_iterator opcode, Words::const_iterator end) {
    if (opcode->starts_with("ld.param") && end - opcode == 6 &&
        parameterOf(opcode[4], entry))
      held[{function, opcode[1]}].insert(opcode[4]);
  }

  /// A store through one parameter and nothing else.
  void store(Words::const_iterator opcode, Words::const_iterator end) {
    auto open = std::find(opcode, end, "[");
    std::set<std::string> origins;
    for (auto word = open; word != end && *word != "]"; ++word)
      origins.merge(addressOf(*word));
    if (origins.size() == 1)
      if (auto position = parameterOf(*origins.begin(), entry))
        parameters[entry].insert(*position);
  }

  void visit(const Words &words) {
    if (isHeader(words)) {
      ++function;
      auto at = std::ranges::find(words, ".entry");
      entry = at != words.end() && at + 1 != words.end() ? at[1] : "";
    }
    auto opcode = opcodeOf(words);
    if (isHeader(words) || opcode == words.end() || opcode->front() == '.')
      return;
    std::set<std::string> seen;
    std::vector<std::string> targets;
    bool inTarget = true;
    for (auto word = opcode + 1; word != words.end(); ++word) {
      bool first = word == opcode + 1;
      bool grouped = opcode + 1 != words.end() && opcode[1] == "{";
      if (inTarget && isWord(word->front()))
        targets.push_back(*word);
      if (grouped ? *word == "}" : !first || isWord(word->front()))
        inTarget = false;
      seen.merge(addressOf(*word));
    }
    if (!entry.empty())
      load(opcode, words.end());
    if (seen.empty() || isOneOf(base(*opcode), reading))
      return;
    if (!entry.empty() && isOneOf(base(*opcode), storing))
      store(opcode, words.end());
    if (isOneOf(base(*opcode), moving)) {
      for (const std::string &target : targets)
        held[{function, target}].insert(seen.begin(), seen.end());
      return;
    }
    if (!(justPrints && opcode->starts_with("st.param")))
      written.merge(seen);
  }

  std::vector<Words> list;
  std::set<std::string> globals, written;
  /// Registers, by function, and the globals whose addresses they may hold.
  std::map<std::pair<int, std::string>, std::set<std::string>> held;
  std::string entry;       ///< whose body it is in; empty: another function's
  bool justPrints = false; ///< all that the module calls are printers
  int function = 0;
};

} // namespace

std::vector<std::string> writtenGlobals(std::string_view ptx) {
  Scan scan(ptx);
  scan.run();
  std::set<std::string> names = scan.writtenGlobals();
  return {names.begin(), names.end()};
}

std::map<std::string, std::set<size_t>>
writtenParameters(std::string_view ptx) {
  Scan scan(ptx);
  scan.run();
  return scan.parameters;
}

} // namespace kclaw
