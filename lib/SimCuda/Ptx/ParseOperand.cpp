//===- ParseOperand.cpp - Operands of an instruction ----------------------===//
#include "Parser.h"

namespace kclaw::sim::ptx {

using Kind = Operand::Kind;

static Operand parseNumber(Cursor &cursor) {
  bool minus = cursor.accept("-");
  Token token = cursor.take();
  Operand operand;
  operand.bits = token.bits;
  if (token.kind == Token::Kind::Integer) {
    operand.kind = Kind::Integer;
    operand.bits = minus ? 0 - token.bits : token.bits;
  } else if (token.kind == Token::Kind::Float) {
    operand.kind = Kind::Float;
    operand.floatType = token.floatType;
    if (minus)
      operand.bits ^= uint64_t(1) << (token.floatType == Type::F32 ? 31 : 63);
  } else {
    cursor.error("expected an operand, found '" + std::string(token.text) +
                 "'");
  }
  return operand;
}

static Operand parseName(Cursor &cursor) {
  Operand operand;
  operand.name = cursor.word();
  if (operand.name == "_") {
    operand.kind = Kind::Sink;
  } else if (operand.name == "WARP_SZ") {
    operand.kind = Kind::Integer;
    operand.bits = 32;
  } else {
    // Registers begin with % too: the function knows which names it declared.
    operand.kind = operand.name.starts_with('%') ? Kind::Special : Kind::Name;
  }
  return operand;
}

/// [base], [base+8], [base+-8], [8], [map, {x, y}]
static Operand parseAddress(Cursor &cursor) {
  Operand address;
  address.kind = Kind::Address;
  cursor.expect("[");
  if (cursor.peek().kind == Token::Kind::Word)
    address.elements.push_back(parseName(cursor));
  else
    address.elements.push_back(parseNumber(cursor));
  if (cursor.accept("+"))
    address.offset = int64_t(cursor.integer());
  else if (cursor.peek().is("-"))
    address.offset = int64_t(cursor.integer());
  while (cursor.accept(","))
    address.elements.push_back(parseOperand(cursor));
  cursor.expect("]");
  return address;
}

static Operand parseSequence(Cursor &cursor, Kind kind, std::string_view open,
                             std::string_view close) {
  Operand operand;
  operand.kind = kind;
  cursor.expect(open);
  while (!cursor.accept(close)) {
    operand.elements.push_back(parseOperand(cursor));
    if (!cursor.peek().is(close))
      cursor.expect(",");
  }
  return operand;
}

static Operand parseSingle(Cursor &cursor) {
  if (cursor.peek().is("["))
    return parseAddress(cursor);
  if (cursor.peek().is("{"))
    return parseSequence(cursor, Kind::Vector, "{", "}");
  if (cursor.peek().is("("))
    return parseSequence(cursor, Kind::List, "(", ")");
  if (cursor.accept("!")) {
    Operand operand = parseName(cursor);
    operand.negated = true;
    return operand;
  }
  if (cursor.peek().kind != Token::Kind::Word)
    return parseNumber(cursor);
  Operand operand = parseName(cursor);
  if (operand.kind == Kind::Name || operand.kind == Kind::Special) {
    if (cursor.accept("+")) // mov.u64 %rd1, symbol+8
      operand.offset = int64_t(cursor.integer());
    else if (cursor.peek().is("-"))
      operand.offset = int64_t(cursor.integer());
  }
  return operand;
}

Operand parseOperand(Cursor &cursor) {
  Operand first = parseSingle(cursor);
  if (!cursor.accept("|"))
    return first;
  Operand pair;
  pair.kind = Kind::Pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(parseSingle(cursor));
  return pair;
}

} // namespace kclaw::sim::ptx
