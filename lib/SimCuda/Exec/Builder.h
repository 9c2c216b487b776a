//===- Builder.h - One instruction from text to Inst ------------*- C++ -*-===//
//
// What a row's binder works with: the form that matched, and operands turned
// into columns. Every method throws LoadError with the instruction's text and
// line when the operand does not fit.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_BUILDER_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_BUILDER_H

#include "../Ptx/Parse.h"
#include "Program.h"
#include "Registers.h"
#include "Warp.h"

namespace kclaw::sim {

/// Which alternatives of a row's pattern the instruction has.
struct Form {
  std::vector<std::string_view> chosen; ///< per part of the pattern; "" absent
  bool has(std::string_view modifier) const;
  /// The first of `options` that is present, else "".
  std::string_view oneOf(std::initializer_list<std::string_view> options) const;
  Type type(unsigned n = 0) const; ///< the n-th part that is a type
  unsigned typeCount() const;
};

struct PredicateRef {
  Ref ref = noRef;
  bool negated = false;
};

struct AddressRef {
  Ref base = noRef;   ///< column of addresses; noRef: `offset` is all
  bool wide = true;   ///< the column is 64-bit, else 32-bit
  int64_t offset = 0; ///< includes a symbol's address
  /// Space of the symbol in the address, if there is one.
  std::optional<ptx::Space> symbolSpace;
};

class Builder {
public:
  Builder(Program &program, Function &function) // NOLINT
      : program(program), function(function) {}

  Form form;
  Inst inst;
  const ptx::Instruction *ast = nullptr;

  size_t operandCount() const { return ast->operands.size(); }
  const ptx::Operand &operand(size_t index) const;
  bool isSink(size_t index) const;

  /// A register, literal or special register as a column to read. Literals
  /// take the bits of `type`.
  Ref source(size_t index, Type type) { return source(operand(index), type); }
  Ref source(const ptx::Operand &operand, Type type);
  /// A register to write; its width must be that of `type`, or wider where
  /// `mayBeWider`. Sink (_) gives a scratch column of that width.
  Ref destination(size_t index, Type type, bool mayBeWider = false) {
    return destination(operand(index), type, mayBeWider);
  }
  Ref destination(const ptx::Operand &operand, Type type,
                  bool mayBeWider = false);
  PredicateRef predicateSource(size_t index) {
    return predicateSource(operand(index));
  }
  PredicateRef predicateSource(const ptx::Operand &operand);
  Ref predicateDestination(const ptx::Operand &operand);
  AddressRef address(size_t index) { return address(operand(index)); }
  AddressRef address(const ptx::Operand &operand);

  /// Declared type of a register operand; nothing for literals and specials.
  std::optional<Type> registerType(const ptx::Operand &operand) const;
  /// Literal value of an operand.
  int64_t literal(size_t index) const;
  bool isLiteral(size_t index) const;
  Ref literalColumn(Type type, uint64_t bits);
  /// A kernel parameter's value, filled at launch.
  Ref parameterColumn(Type type, int64_t offset);
  Ref specialColumn(const std::string &name, Type type);
  /// Appends columns to Function::refs; sets nothing in `inst`.
  uint32_t addRefs(const std::vector<Ref> &refs);
  uint32_t label(size_t index) const; ///< index into Function::code
  [[noreturn]] void error(const std::string &what) const;

  /// A symbol's address: of a global, const or function, absolute; of shared,
  /// from the window's start (system bytes included); of local and function
  /// parameters, from the frame's start; of a kernel's parameter, its offset.
  struct Symbol {
    ptx::Space space = ptx::Space::Global;
    int64_t address = 0;
    bool kernelParameter = false;
  };
  std::optional<Symbol> symbol(const std::string &name) const;

  Program &program;
  Function &function;
  /// Receives the registers that the binder asks for; may be null.
  RegisterUse *use = nullptr;

private:
  Ref readColumn(const std::string &name);
  Ref writeColumn(const std::string &name);
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_BUILDER_H
