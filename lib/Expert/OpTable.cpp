//===- OpTable.cpp - What each Torch op computes, as data -----------------===//
//
// Reads the rows and checks that every name a statement uses is an operand or
// was assigned before, so that a bad row fails when it is loaded, not when a
// region first needs it.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "Files.h"
#include "Support/Json.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace kclaw::expert {
namespace {

using json::Cursor;

constexpr json::EnumRow<ViewKind> viewNames[] = {
    {"same", ViewKind::Same},
    {"reshape", ViewKind::Reshape},
    {"expand", ViewKind::Expand},
    {"permute", ViewKind::Permute},
    {"transpose", ViewKind::Transpose}};

struct OverRow {
  const char *name;
  ReduceOver::Kind kind;
  enum Wants { Nothing, Operand, Number } wants;
};
constexpr OverRow overRows[] = {
    {"all", ReduceOver::Kind::All, OverRow::Nothing},
    {"dims", ReduceOver::Kind::Dims, OverRow::Operand},
    {"trailing", ReduceOver::Kind::Trailing, OverRow::Operand},
    {"groups", ReduceOver::Kind::Groups, OverRow::Operand},
    {"from", ReduceOver::Kind::From, OverRow::Number},
    {"except", ReduceOver::Kind::Except, OverRow::Number},
};

constexpr const char *reductionNames[] = {
    "sum", "prod", "max", "min", "any", "all", "argmax", "argmin", "dot"};
/// How the two operands of a contraction may lie.
constexpr const char *firstOrders[] = {"mk", "km"};
constexpr const char *secondOrders[] = {"kn", "nk"};

std::vector<std::string> words(const std::string &text, char separator) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) {
    size_t first = word.find_first_not_of(' ');
    size_t last = word.find_last_not_of(' ');
    if (first != std::string::npos)
      result.push_back(word.substr(first, last - first + 1));
  }
  return result;
}

bool contains(const std::vector<std::string> &list, const std::string &name) {
  return std::ranges::find(list, name) != list.end();
}

std::string first(const std::vector<std::string> &list) {
  return list.empty() ? "" : list.front();
}

Condition parseCondition(const std::string &text) {
  Condition condition;
  for (auto [sign, kind] : {std::pair("==", Condition::Kind::AnyOf),
                            std::pair("!=", Condition::Kind::NoneOf)}) {
    size_t at = text.find(sign);
    if (at == std::string::npos)
      continue;
    condition.kind = kind;
    condition.name = first(words(text.substr(0, at), ' '));
    condition.values = words(text.substr(at + 2), ',');
    return condition;
  }
  condition.kind = Condition::Kind::Present;
  condition.name = first(words(text, ' '));
  return condition;
}

Statement parseStatement(const Cursor &at) {
  Statement statement;
  std::string text = at.string();
  if (text.starts_with("if ")) {
    size_t colon = text.find(':');
    if (colon == std::string::npos || colon <= 3) {
      at.fail("'if' wants 'if CONDITION: NAME = EXPRESSION'");
      return statement;
    }
    statement.condition = parseCondition(text.substr(3, colon - 3));
    text = text.substr(colon + 1);
  }
  size_t equals = text.find('=');
  std::vector<std::string> target = words(text.substr(0, equals), ' ');
  if (equals == std::string::npos || target.size() != 1) {
    at.fail("expected 'NAME = EXPRESSION', got '" + text + "'");
    return statement;
  }
  statement.target = target[0];
  text = text.substr(text.find_first_not_of(' ', equals + 1));
  if (text.starts_with('@')) {
    size_t space = text.find(' ');
    statement.reduction = text.substr(1, space - 1);
    if (std::ranges::find(reductionNames, statement.reduction) ==
        std::end(reductionNames))
      at.fail("unknown reduction '@" + statement.reduction +
              "'; known: sum, prod, max, min, any, all, argmax, argmin, dot");
    text = space == std::string::npos ? "" : text.substr(space + 1);
  }
  statement.text = text;
  return statement;
}

ReduceOver parseOver(const Cursor &at, const OpRow &row) {
  ReduceOver over;
  std::vector<std::string> parts = words(at.string(), ' ');
  std::string known;
  for (const OverRow &kind : overRows) {
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
    if (parts.empty() || parts[0] != kind.name)
      continue;
    over.kind = kind.kind;
    bool sized = parts.size() == (kind.wants == OverRow::Nothing ? 1u : 2u);
    if (!sized || (kind.wants == OverRow::Operand &&
                   !contains(row.operands, parts.back())))
      at.fail("'" + std::string(kind.name) + "' wants " +
              (kind.wants == OverRow::Nothing   ? "nothing after it"
               : kind.wants == OverRow::Operand ? "the name of an operand"
                                                : "a dimension number"));
    else if (kind.wants == OverRow::Operand)
      over.operand = parts[1];
    else if (kind.wants == OverRow::Number)
      over.number = std::atoi(parts[1].c_str());
    return over;
  }
  at.fail("expected one of " + known + ", got '" + at.string() + "'");
  return over;
}

void checkDot(const Cursor &at, const OpRow &row, const Statement &statement) {
  if (row.contract.size() != 2)
    at.fail("'@dot' needs \"contract\"");
  std::vector<std::string> names = bracedNames(statement.text);
  bool two = names.size() == 2 &&
             statement.text == "{" + names[0] + "} {" + names[1] + "}";
  if (!two || !std::ranges::all_of(names, [&](const std::string &name) {
        return contains(row.operands, name);
      }))
    at.fail("'@dot' wants two operands, got '" + statement.text + "'");
}

std::vector<std::string> parseContract(const Cursor &at) {
  std::vector<std::string> orders = words(at.string(), ' ');
  auto among = [](const auto &known, const std::string &order) {
    return std::ranges::find(known, order) != std::end(known);
  };
  if (orders.size() != 2 || !among(firstOrders, orders[0]) ||
      !among(secondOrders, orders[1]))
    at.fail("expected mk or km, then kn or nk, got '" + at.string() + "'");
  return orders;
}

/// Every name a statement reads must be known by then.
void checkNames(const Cursor &at, const OpRow &row) {
  std::set<std::string> known(row.operands.begin(), row.operands.end());
  known.insert({"C", "kind", "index"});
  if (row.over.kind != ReduceOver::Kind::None)
    known.insert("n");
  for (const Statement &statement : row.body) {
    std::vector<std::string> used = bracedNames(statement.text);
    if (statement.condition.kind != Condition::Kind::Always)
      used.push_back(statement.condition.name);
    for (const std::string &name : used)
      if (!known.contains(name))
        at.fail("'" + statement.target + " = ...' reads '" + name +
                "', which is neither an operand nor assigned before");
    if (statement.reduction == "dot")
      checkDot(at, row, statement);
    else if (!statement.reduction.empty() &&
             row.over.kind == ReduceOver::Kind::None)
      at.fail("'@" + statement.reduction + "' needs \"over\"");
    known.insert(statement.target);
  }
  for (const std::string &result : row.results)
    if (row.view == ViewKind::None && !known.contains(result))
      at.fail("result '" + result + "' is never assigned");
}

std::vector<OpRow> parseRow(const Cursor &at, const std::string &file) {
  at.only({"ops", "operands", "view", "compute", "over", "align", "contract",
           "body", "results"});
  OpRow row;
  row.file = file;
  row.operands = words(at.at("operands").string(), ' ');
  if (Cursor view = at.find("view"); view.present())
    row.view = view.oneOf(viewNames, ViewKind::Same);
  row.compute = at.find("compute").string("result");
  if (row.compute != "result" && row.compute != "promote" &&
      !contains(row.operands, row.compute))
    at.find("compute").fail("expected result, promote or an operand, got '" +
                            row.compute + "'");
  if (Cursor over = at.find("over"); over.present())
    row.over = parseOver(over, row);
  if (Cursor align = at.find("align"); align.present())
    align.members([&](const std::string &name, const Cursor &value) {
      if (!contains(row.operands, name))
        value.fail("no operand of this name");
      row.align[name] = int(value.integer());
    });
  if (Cursor contract = at.find("contract"); contract.present())
    row.contract = parseContract(contract);
  if (row.view == ViewKind::None)
    row.body = at.at("body").list(parseStatement);
  row.results = words(at.find("results").string("y"), ' ');
  checkNames(at, row);
  std::vector<OpRow> rows;
  for (const std::string &name :
       at.at("ops").list([](const Cursor &op) { return op.string(); })) {
    row.name = name;
    rows.push_back(row);
  }
  return rows;
}

} // namespace

std::vector<std::string> bracedNames(const std::string &text) {
  std::vector<std::string> names;
  for (size_t at = text.find('{'); at != std::string::npos;
       at = text.find('{', at + 1)) {
    size_t end = text.find('}', at);
    if (end == std::string::npos)
      return names;
    names.push_back(text.substr(at + 1, end - at - 1));
  }
  return names;
}

Expected<OpTable> parseOpTable(const std::string &text,
                               const std::string &file) {
  OpTable table;
  Expected<bool> read = json::parseDocument(text, "op table", [&](Cursor at) {
    at.only({"about", "rows"});
    at.at("rows").list([&](const Cursor &row) {
      for (OpRow &parsed : parseRow(row, file))
        if (!table.emplace(parsed.name, parsed).second)
          row.fail("'" + parsed.name + "' has a row already");
      return 0;
    });
    return true;
  });
  if (!read)
    return std::unexpected(read.error().context(file));
  return table;
}

Expected<OpTable> loadOpTable(const std::string &folder) {
  Expected<std::vector<std::string>> files = listFiles(folder, ".json");
  if (!files)
    return std::unexpected(files.error());
  OpTable table;
  for (const std::string &file : *files) {
    Expected<std::string> text = readFile(file);
    if (!text)
      return std::unexpected(text.error());
    Expected<OpTable> rows = parseOpTable(*text, file);
    if (!rows)
      return rows;
    for (auto &[name, row] : *rows)
      if (auto [it, fresh] = table.emplace(name, row); !fresh)
        return makeError(Error::Code::Invalid,
                         file + ": '" + name + "' has a row in " +
                             it->second.file + " already");
  }
  return table;
}

} // namespace kclaw::expert
