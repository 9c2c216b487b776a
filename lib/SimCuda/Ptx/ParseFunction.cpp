//===- ParseFunction.cpp - Functions and their instructions ---------------===//
#include "Parser.h"

#include <algorithm>

namespace kclaw::sim::ptx {

std::string Instruction::text() const {
  std::string all = opcode;
  for (const std::string &modifier : modifiers)
    all += "." + modifier;
  return all;
}

Location parseLocation(Cursor &cursor) {
  Location location;
  location.file = uint32_t(cursor.integer());
  location.line = uint32_t(cursor.integer());
  location.column = uint32_t(cursor.integer());
  while (cursor.accept(",")) {
    std::string what = cursor.word();
    if (what == "function_name") {
      cursor.word();
      if (cursor.accept("+"))
        cursor.integer();
    } else if (what == "inlined_at") {
      for (int i = 0; i < 3; ++i)
        cursor.integer();
    } else {
      cursor.error("unknown part '" + what + "' of .loc");
    }
  }
  return location;
}

namespace {

/// Names of a { } of the body: registers, variables and labels may be declared
/// in it and hide outer ones.
struct Scope {
  int parent = -1;
  std::map<std::string, std::string> names; ///< as written -> unique
};

class FunctionParser {
public:
  FunctionParser(Cursor &cursor, Function &function)
      : cursor(cursor), function(function) {}

  void body() {
    cursor.expect("{");
    scopes.push_back({});
    while (!cursor.peek().is("}") || current != 0)
      statement();
    cursor.expect("}");
    for (size_t i = 0; i < function.body.size(); ++i)
      resolve(function.body[i], scopeOf[i]);
    for (auto &[list, scope] : listScopes)
      for (std::string &name : function.targetLists[list])
        name = lookup(name, scope);
  }

private:
  void statement();
  void directive(const std::string &word);
  void labelled(const std::string &label);
  void prototype(const std::string &label);
  void registers();
  void variables(Space space);
  void instruction();
  std::string declare(const std::string &name) {
    std::string unique = name;
    if (current != 0)
      unique += "#" + std::to_string(current);
    scopes[size_t(current)].names[name] = unique;
    return unique;
  }
  std::string lookup(const std::string &name, int scope) const {
    for (; scope >= 0; scope = scopes[size_t(scope)].parent) {
      auto found = scopes[size_t(scope)].names.find(name);
      if (found != scopes[size_t(scope)].names.end())
        return found->second;
    }
    return name;
  }
  void resolve(Operand &operand, int scope) {
    if (operand.kind == Operand::Kind::Name ||
        operand.kind == Operand::Kind::Special) {
      std::string unique = lookup(operand.name, scope);
      if (function.registers.count(unique))
        operand.kind = Operand::Kind::Name;
      operand.name = unique;
    }
    for (Operand &element : operand.elements)
      resolve(element, scope);
  }
  void resolve(Instruction &instruction, int scope) {
    if (!instruction.guard.empty())
      instruction.guard = lookup(instruction.guard, scope);
    for (Operand &operand : instruction.operands)
      resolve(operand, scope);
  }

  Cursor &cursor;
  Function &function;
  std::vector<Scope> scopes;
  std::vector<int> scopeOf; ///< per instruction
  std::vector<std::pair<std::string, int>> listScopes;
  int current = 0;
  Location location;
};

void FunctionParser::statement() {
  if (cursor.atEnd())
    cursor.error("function '" + function.name + "' without end");
  if (cursor.accept("{")) {
    scopes.push_back({current, {}});
    current = int(scopes.size()) - 1;
    return;
  }
  if (cursor.accept("}")) {
    current = scopes[size_t(current)].parent;
    return;
  }
  if (cursor.accept(";"))
    return;
  const Token &token = cursor.peek();
  if (token.kind == Token::Kind::Word && token.text.starts_with('.'))
    return directive(cursor.word());
  if (token.kind == Token::Kind::Word && cursor.peek(1).is(":")) {
    std::string label = cursor.word();
    cursor.expect(":");
    return labelled(label);
  }
  instruction();
}

void FunctionParser::labelled(const std::string &label) {
  if (cursor.peek().is(".callprototype")) {
    cursor.take();
    return prototype(declare(label));
  }
  if (cursor.peek().is(".branchtargets") || cursor.peek().is(".calltargets")) {
    cursor.take();
    std::string unique = declare(label);
    do
      function.targetLists[unique].push_back(cursor.word());
    while (cursor.accept(","));
    cursor.expect(";");
    listScopes.emplace_back(unique, current);
    return;
  }
  function.labels[declare(label)] = uint32_t(function.body.size());
}

void FunctionParser::prototype(const std::string &label) {
  Function::Prototype prototype;
  if (cursor.peek().is("("))
    prototype.results = parseParameterList(cursor);
  cursor.word(); // _
  if (cursor.peek().is("("))
    prototype.parameters = parseParameterList(cursor);
  while (!cursor.accept(";"))
    cursor.take(); // .noreturn
  function.prototypes[label] = std::move(prototype);
}

void FunctionParser::directive(const std::string &word) {
  static constexpr std::pair<std::string_view, Space> spaces[] = {
      {".param", Space::Param},
      {".local", Space::Local},
      {".shared", Space::Shared},
      {".global", Space::Global},
      {".const", Space::Const}};
  for (auto [name, space] : spaces)
    if (word == name)
      return variables(space);
  if (word == ".reg")
    return registers();
  if (word == ".loc") {
    location = parseLocation(cursor);
    return;
  }
  if (word == ".pragma") {
    cursor.take();
    cursor.expect(";");
    return;
  }
  cursor.error("unknown directive '" + word + "' in a function");
}

void FunctionParser::registers() {
  std::string word = cursor.word();
  auto type = parseType(std::string_view(word).substr(1));
  if (!word.starts_with('.') || !type)
    cursor.error("unknown register type '" + word + "'");
  do {
    std::string name = cursor.word();
    if (!cursor.accept("<")) {
      function.registers[declare(name)] = *type;
      continue;
    }
    uint64_t count = cursor.integer();
    cursor.expect(">");
    for (uint64_t i = 0; i < count; ++i)
      function.registers[declare(name + std::to_string(i))] = *type;
  } while (cursor.accept(","));
  cursor.expect(";");
}

void FunctionParser::variables(Space space) {
  for (Variable &variable : parseVariables(cursor, space)) {
    variable.name = declare(variable.name);
    function.variables.push_back(std::move(variable));
  }
}

void FunctionParser::instruction() {
  Instruction result;
  result.textLine = cursor.line();
  result.location = location;
  if (cursor.accept("@")) {
    result.guardNegated = cursor.accept("!");
    result.guard = cursor.word();
  }
  std::string word = cursor.word();
  size_t begin = 0;
  for (size_t dot; begin <= word.size(); begin = dot + 1) {
    dot = std::min(word.find('.', begin), word.size());
    std::string part = word.substr(begin, dot - begin);
    if (begin == 0)
      result.opcode = part;
    else
      result.modifiers.push_back(part);
  }
  while (!cursor.accept(";")) {
    result.operands.push_back(parseOperand(cursor));
    if (!cursor.peek().is(";"))
      cursor.expect(",");
  }
  function.body.push_back(std::move(result));
  scopeOf.push_back(current);
}

void parseDirectives(Cursor &cursor, Function &function) {
  while (!cursor.peek().is("{") && !cursor.peek().is(";")) {
    std::string word = cursor.word();
    if (word == ".pragma") {
      cursor.take();
      continue;
    }
    std::vector<uint64_t> &values = function.directives[word];
    while (cursor.peek().kind == Token::Kind::Integer) {
      values.push_back(cursor.integer());
      if (!cursor.accept(","))
        break;
    }
  }
}

} // namespace

Function parseFunction(Cursor &cursor, bool isEntry) {
  Function function;
  function.isEntry = isEntry;
  function.textLine = cursor.line();
  if (cursor.peek().is("("))
    function.results = parseParameterList(cursor);
  function.name = cursor.word();
  if (cursor.peek().is("("))
    function.parameters = parseParameterList(cursor);
  parseDirectives(cursor, function);
  if (cursor.accept(";")) {
    function.isDeclaration = true;
    return function;
  }
  for (const auto *list : {&function.parameters, &function.results})
    for (const Variable &variable : *list)
      if (variable.space == Space::Reg)
        function.registers[variable.name] = variable.type;
  FunctionParser(cursor, function).body();
  return function;
}

} // namespace kclaw::sim::ptx
