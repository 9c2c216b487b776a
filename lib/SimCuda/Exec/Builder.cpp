//===- Builder.cpp - Operands into columns --------------------------------===//
#include "Builder.h"

#include <bit>

namespace kclaw::sim {

using Kind = ptx::Operand::Kind;

void Builder::error(const std::string &what) const {
  throw LoadError(ast->textLine, ast->text() + ": " + what);
}

const ptx::Operand &Builder::operand(size_t index) const {
  if (index >= ast->operands.size())
    error("operand " + std::to_string(index) + " is missing");
  return ast->operands[index];
}

bool Builder::isSink(size_t index) const {
  return operand(index).kind == Kind::Sink;
}

std::optional<Type> Builder::registerType(const ptx::Operand &operand) const {
  auto found = function.ast->registers.find(operand.name);
  if (operand.kind != Kind::Name || found == function.ast->registers.end())
    return std::nullopt;
  return found->second;
}

Ref Builder::readColumn(const std::string &name) {
  if (use)
    use->reads.push_back(name);
  return program.registerColumn(function, name);
}

Ref Builder::writeColumn(const std::string &name) {
  if (use)
    use->writes.push_back(name);
  return program.registerColumn(function, name);
}

static uint64_t literalBits(const ptx::Operand &operand, Type type) {
  if (operand.kind == Kind::Integer) {
    if (!isFloat(type))
      return operand.bits;
    double value = double(int64_t(operand.bits));
    return type == Type::F32   ? std::bit_cast<uint32_t>(float(value))
           : type == Type::F64 ? std::bit_cast<uint64_t>(value)
                               : operand.bits;
  }
  if (operand.floatType == type || !isFloat(type))
    return operand.bits; // mov.b32 %r1, 0f3F800000
  double value = operand.floatType == Type::F32
                     ? double(std::bit_cast<float>(uint32_t(operand.bits)))
                     : std::bit_cast<double>(operand.bits);
  return type == Type::F32 ? std::bit_cast<uint32_t>(float(value))
                           : std::bit_cast<uint64_t>(value);
}

Ref Builder::literalColumn(Type type, uint64_t bits) {
  if (unsigned width = kclaw::sim::bits(type); width < 64)
    bits &= (uint64_t(1) << width) - 1;
  for (const ConstantColumn &column : program.constantList)
    if (column.parameterOffset < 0 && column.bits == bits &&
        FrameLayout::widthClass(column.type) == FrameLayout::widthClass(type) &&
        kclaw::sim::bits(column.type) == kclaw::sim::bits(type))
      return column.ref;
  Ref ref = constantBit | program.constantByteCount;
  program.constantByteCount +=
      FrameLayout::columnBytes[FrameLayout::widthClass(type)];
  program.constantList.push_back({ref, type, bits, -1});
  return ref;
}

Ref Builder::parameterColumn(Type type, int64_t offset) {
  for (const ConstantColumn &column : program.constantList)
    if (column.parameterOffset == offset && bits(column.type) == bits(type))
      return column.ref;
  Ref ref = constantBit | program.constantByteCount;
  program.constantByteCount +=
      FrameLayout::columnBytes[FrameLayout::widthClass(type)];
  program.constantList.push_back({ref, type, 0, offset});
  return ref;
}

Ref Builder::specialColumn(const std::string &name, Type type) {
  for (const SpecialColumn &column : program.specialList)
    if (column.name == name && bits(column.type) == bits(type))
      return column.ref;
  Ref ref = constantBit | program.constantByteCount;
  program.constantByteCount +=
      FrameLayout::columnBytes[FrameLayout::widthClass(type)];
  program.specialList.push_back({name, type, ref});
  return ref;
}

Ref Builder::source(const ptx::Operand &operand, Type type) {
  switch (operand.kind) {
  case Kind::Integer:
  case Kind::Float:
    return literalColumn(type, literalBits(operand, type));
  case Kind::Special:
    return specialColumn(operand.name, type);
  case Kind::Name: {
    auto declared = registerType(operand);
    if (!declared)
      error("'" + operand.name + "' is no register");
    if (bits(*declared) < bits(type))
      error("'" + operand.name + "' is narrower than ." +
            std::string(name(type)));
    return readColumn(operand.name);
  }
  default:
    error("a register or a literal was expected");
  }
}

Ref Builder::destination(const ptx::Operand &operand, Type type,
                         bool mayBeWider) {
  if (operand.kind == Kind::Sink)
    return program.layout().offsets[FrameLayout::widthClass(type)];
  auto declared = registerType(operand);
  if (!declared)
    error("'" + operand.name + "' is no register");
  unsigned have = bits(*declared), want = bits(type);
  if (have != want && !(mayBeWider && have > want))
    error("'" + operand.name + "' is ." + std::string(name(*declared)) +
          ", not ." + std::string(name(type)));
  return writeColumn(operand.name);
}

PredicateRef Builder::predicateSource(const ptx::Operand &operand) {
  if (operand.kind == Kind::Integer)
    return {literalColumn(Type::B32, operand.bits ? allLanes : 0), false};
  if (registerType(operand) != Type::Pred)
    error("'" + operand.name + "' is no predicate");
  return {readColumn(operand.name), operand.negated};
}

Ref Builder::predicateDestination(const ptx::Operand &operand) {
  return destination(operand, Type::Pred);
}

AddressRef Builder::address(const ptx::Operand &operand) {
  if (operand.kind != Kind::Address || operand.elements.empty())
    error("an address was expected");
  const ptx::Operand &base = operand.elements[0];
  AddressRef result;
  result.offset = operand.offset;
  if (auto declared = registerType(base)) {
    result.base = readColumn(base.name);
    result.wide = bits(*declared) == 64;
  } else if (base.kind == Kind::Integer) {
    result.offset += int64_t(base.bits);
  } else if (auto found = symbol(base.name)) {
    result.offset += found->address;
    result.symbolSpace = found->space;
  } else {
    error("unknown symbol '" + base.name + "'");
  }
  return result;
}

int64_t Builder::literal(size_t index) const {
  if (!isLiteral(index))
    error("operand " + std::to_string(index) + " must be an integer literal");
  return int64_t(operand(index).bits);
}

bool Builder::isLiteral(size_t index) const {
  return operand(index).kind == Kind::Integer;
}

uint32_t Builder::addRefs(const std::vector<Ref> &refs) {
  auto first = uint32_t(function.refs.size());
  function.refs.insert(function.refs.end(), refs.begin(), refs.end());
  return first;
}

uint32_t Builder::label(size_t index) const {
  auto found = function.ast->labels.find(operand(index).name);
  if (found == function.ast->labels.end())
    error("unknown label '" + operand(index).name + "'");
  return found->second;
}

std::optional<Builder::Symbol> Builder::symbol(const std::string &name) const {
  if (auto found = function.sharedOffsets.find(name);
      found != function.sharedOffsets.end())
    return Symbol{ptx::Space::Shared, found->second};
  if (auto found = function.parameterOffsets.find(name);
      found != function.parameterOffsets.end())
    return Symbol{ptx::Space::Param, found->second, true};
  if (auto found = function.localOffsets.find(name);
      found != function.localOffsets.end())
    return Symbol{ptx::Space::Local, found->second};
  if (auto found = program.globals().find(name);
      found != program.globals().end())
    return Symbol{found->second.space, int64_t(found->second.address)};
  if (const Function *callee = program.find(name))
    return Symbol{ptx::Space::Global,
                  int64_t(reinterpret_cast<intptr_t>(callee))};
  return std::nullopt;
}

} // namespace kclaw::sim
