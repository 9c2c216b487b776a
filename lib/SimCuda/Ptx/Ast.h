//===- Ast.h - A PTX module as text says it ---------------------*- C++ -*-===//
//
// What the parser yields: declarations and instructions with their operands,
// nothing resolved. Strings own their text.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_PTX_AST_H
#define KERNELCLAW_LIB_SIMCUDA_PTX_AST_H

#include "Types.h"

#include <map>
#include <string>
#include <vector>

namespace kclaw::sim::ptx {

struct Operand {
  enum class Kind {
    Name,    ///< register, variable, label or function; `name`
    Special, ///< "%tid.x", "%laneid"; `name` keeps the percent sign
    Integer, ///< `bits`
    Float,   ///< `bits` of `floatType` (F32 for 0f..., else F64)
    Address, ///< [elements[0] + offset]; further elements: coordinates
    Vector,  ///< {a, b, c, d}
    Pair,    ///< a|b
    List,    ///< (a, b): arguments and results of call
    Sink     ///< _
  } kind = Kind::Name;
  std::string name;
  uint64_t bits = 0;
  Type floatType = Type::F64;
  int64_t offset = 0;
  bool negated = false; ///< !p
  std::vector<Operand> elements;
};

struct Location {
  uint32_t file = 0, line = 0, column = 0; ///< of .loc; line 0: unknown
};

struct Instruction {
  std::string opcode;                 ///< "add"
  std::vector<std::string> modifiers; ///< {"rn", "f32"}
  std::vector<Operand> operands;
  std::string guard; ///< register of @p; empty: none
  bool guardNegated = false;
  uint32_t textLine = 0;    ///< in the PTX
  Location location;        ///< in the source
  std::string text() const; ///< "add.rn.f32"
};

enum class Space { Reg, Param, Local, Shared, Global, Const };

/// One element of an initialiser: bytes, or the address of a symbol.
struct Initialiser {
  uint64_t byteOffset = 0;
  std::string symbol; ///< empty: `value`
  int64_t addend = 0;
  bool generic = false; ///< generic(symbol)
  uint64_t mask = 0;    ///< 0xFF.. byte selection operators; 0: whole
  std::vector<uint8_t> value;
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::B8;
  unsigned alignment = 0; ///< bytes; 0: natural
  uint64_t byteCount = 0; ///< of the whole variable
  bool isExtern = false;  ///< with an empty array in .shared: dynamic
  bool isVisible = false;
  std::vector<Initialiser> initialisers;
  uint32_t textLine = 0;
};

struct Function {
  std::string name;
  bool isEntry = false;
  bool isDeclaration = false;
  bool isVisible = false;
  std::vector<Variable> parameters; ///< in order; Space::Param (or Reg)
  std::vector<Variable> results;
  /// ".maxntid" -> {256, 1, 1}; ".reqnctapercluster", ".maxnreg", ...
  std::map<std::string, std::vector<uint64_t>> directives;
  std::map<std::string, Type> registers; ///< %r<7> is expanded
  std::vector<Variable> variables; ///< .local, .shared, .param of the body
  std::vector<Instruction> body;
  std::map<std::string, uint32_t> labels; ///< name -> index into body
  /// .branchtargets / .calltargets lists and .callprototype, by label.
  std::map<std::string, std::vector<std::string>> targetLists;
  struct Prototype {
    std::vector<Variable> results, parameters;
  };
  std::map<std::string, Prototype> prototypes;
  uint32_t textLine = 0;
};

struct Module {
  unsigned versionMajor = 0, versionMinor = 0;
  std::string target; ///< "sm_90a"
  unsigned addressBits = 64;
  std::map<uint32_t, std::string> files; ///< .file index -> path
  std::vector<Variable> variables;       ///< .global, .const, module .shared
  std::vector<Function> functions;
};

} // namespace kclaw::sim::ptx

#endif // KERNELCLAW_LIB_SIMCUDA_PTX_AST_H
