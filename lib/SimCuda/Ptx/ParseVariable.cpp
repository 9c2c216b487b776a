//===- ParseVariable.cpp - Variables, parameters, initialisers ------------===//
#include "Parser.h"

#include <bit>
#include <cstring>

namespace kclaw::sim::ptx {

namespace {

struct Shape {
  uint64_t elements = 1;
  bool open = false; ///< name[]
};

/// `.align 16 .v4 .b8`, `.ptr .global`, `.attribute(.managed)` in any order;
/// true when a type was among them.
bool parseQualifiers(Cursor &cursor, Variable &variable) {
  bool typed = false;
  unsigned vector = 1;
  while (cursor.peek().kind == Token::Kind::Word &&
         cursor.peek().text.starts_with('.')) {
    std::string word = cursor.word();
    if (word == ".align") {
      variable.alignment = unsigned(cursor.integer());
    } else if (word == ".v2" || word == ".v4") {
      vector = word == ".v2" ? 2 : 4;
    } else if (word == ".attribute") {
      while (!cursor.accept(")"))
        cursor.take();
    } else if (auto type = parseType(std::string_view(word).substr(1))) {
      variable.type = *type;
      typed = true;
    } else if (word != ".ptr" && word != ".global" && word != ".shared" &&
               word != ".local" && word != ".const" && word != ".param") {
      cursor.error("unknown qualifier '" + word + "' of a variable");
    }
  }
  variable.byteCount = uint64_t(bytes(variable.type)) * vector;
  if (!variable.alignment)
    variable.alignment = unsigned(variable.byteCount);
  return typed;
}

Shape parseShape(Cursor &cursor) {
  Shape shape;
  while (cursor.accept("[")) {
    if (cursor.accept("]")) {
      shape.open = true;
      continue;
    }
    shape.elements *= cursor.integer();
    cursor.expect("]");
  }
  return shape;
}

class InitialiserParser {
public:
  InitialiserParser(Cursor &cursor, Variable &variable)
      : cursor(cursor), variable(variable), step(bytes(variable.type)) {}

  /// The number of bytes that the initialiser covers.
  uint64_t run() {
    if (cursor.accept("{"))
      list();
    else
      element();
    return offset;
  }

private:
  void list() {
    while (!cursor.accept("}")) {
      if (cursor.accept("{"))
        list();
      else
        element();
      cursor.accept(",");
    }
  }

  void element() {
    Initialiser value;
    value.byteOffset = offset;
    offset += step;
    if (cursor.peek().kind == Token::Kind::Integer &&
        cursor.peek(1).is("(")) { // 0xFF00(symbol)
      value.mask = cursor.integer();
      cursor.expect("(");
      symbol(value);
      cursor.expect(")");
    } else if (cursor.peek().kind == Token::Kind::Word) {
      symbol(value);
    } else {
      literal(value);
    }
    variable.initialisers.push_back(std::move(value));
  }

  void symbol(Initialiser &value) {
    value.symbol = cursor.word();
    if (value.symbol == "generic" && cursor.accept("(")) {
      value.generic = true;
      value.symbol = cursor.word();
      cursor.expect(")");
    }
    if (cursor.accept("+"))
      value.addend = int64_t(cursor.integer());
    else if (cursor.peek().is("-"))
      value.addend = int64_t(cursor.integer());
  }

  void literal(Initialiser &value) {
    bool minus = cursor.accept("-");
    Token token = cursor.take();
    uint64_t bits = token.bits;
    if (token.kind == Token::Kind::Float) {
      double number = token.floatType == Type::F32
                          ? double(std::bit_cast<float>(uint32_t(bits)))
                          : std::bit_cast<double>(bits);
      number = minus ? -number : number;
      bits = variable.type == Type::F32 ? std::bit_cast<uint32_t>(float(number))
                                        : std::bit_cast<uint64_t>(number);
    } else if (token.kind == Token::Kind::Integer) {
      bits = minus ? 0 - bits : bits;
    } else {
      cursor.error("expected an initial value");
    }
    value.value.resize(step);
    std::memcpy(value.value.data(), &bits, std::min<size_t>(step, 8));
  }

  Cursor &cursor;
  Variable &variable;
  unsigned step;
  uint64_t offset = 0;
};

} // namespace

std::vector<Variable> parseVariables(Cursor &cursor, Space space) {
  Variable common;
  common.space = space;
  common.textLine = cursor.line();
  if (!parseQualifiers(cursor, common))
    cursor.error("a variable without a type");
  std::vector<Variable> variables;
  do {
    Variable variable = common;
    variable.name = cursor.word();
    if (cursor.accept("<")) { // name<4>: name0 .. name3
      uint64_t count = cursor.integer();
      cursor.expect(">");
      for (uint64_t i = 0; i < count; ++i) {
        variables.push_back(common);
        variables.back().name = variable.name + std::to_string(i);
      }
      continue;
    }
    Shape shape = parseShape(cursor);
    uint64_t elementBytes = variable.byteCount;
    variable.byteCount *= shape.open ? 0 : shape.elements;
    if (cursor.accept("=")) {
      uint64_t covered = InitialiserParser(cursor, variable).run();
      if (shape.open)
        variable.byteCount = covered;
    }
    (void)elementBytes;
    variables.push_back(std::move(variable));
  } while (cursor.accept(","));
  cursor.expect(";");
  return variables;
}

std::vector<Variable> parseParameterList(Cursor &cursor) {
  std::vector<Variable> parameters;
  cursor.expect("(");
  while (!cursor.accept(")")) {
    Variable parameter;
    std::string space = cursor.word();
    if (space != ".param" && space != ".reg")
      cursor.error("expected .param or .reg, found '" + space + "'");
    parameter.space = space == ".reg" ? Space::Reg : Space::Param;
    parameter.textLine = cursor.line();
    if (!parseQualifiers(cursor, parameter))
      cursor.error("a parameter without a type");
    parameter.name = cursor.word();
    Shape shape = parseShape(cursor);
    parameter.byteCount *= shape.open ? 0 : shape.elements;
    parameters.push_back(std::move(parameter));
    if (!cursor.peek().is(")"))
      cursor.expect(",");
  }
  return parameters;
}

} // namespace kclaw::sim::ptx
