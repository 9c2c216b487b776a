//===- Control.cpp - Branches, calls, returns, exits ----------------------===//
#include "../Exec/AsyncState.h"
#include "../Exec/Block.h"
#include "../Exec/Builtins.h"
#include "../Exec/Fault.h"
#include "../Exec/Run.h"
#include "../Exec/Splits.h"
#include "Bind.h"

#include <algorithm>
#include <cstring>

namespace kclaw::sim {

namespace {

void runBranch(Warp &w, const Inst &i) { branch(w, i.target); }

void bindBranch(Builder &b) {
  b.inst.handler = runBranch;
  b.inst.target = b.label(0);
}

/// Keeps the lanes `same` of the active ones in the running split; all others
/// of the split execute this instruction again (a false guard stays false).
void isolateSame(Warp &w, const Inst &i, uint32_t same) {
  uint32_t next = w.nextPc;
  if (same != w.active)
    w.nextPc = uint32_t(&i - w.split().function->code.data());
  w.active = same;
  isolateActive(w);
  w.nextPc = next;
}

void runBranchIndexed(Warp &w, const Inst &i) {
  const uint32_t *index = w.in<uint32_t>(i.a);
  auto first = unsigned(std::countr_zero(w.active));
  uint32_t which = index[first];
  if (which >= i.refCount)
    fail(w, i, FaultKind::IllegalInstruction, first, 0,
         "index " + std::to_string(which) + " of " +
             std::to_string(i.refCount) + " branch targets");
  isolateSame(
      w, i, w.active & laneMask([&](unsigned l) { return index[l] == which; }));
  ++w.block->counts.branches;
  w.split().pc = w.split().function->refs[i.firstRef + which];
  w.stop = true;
}

void bindBranchIndexed(Builder &b) {
  b.inst.handler = runBranchIndexed;
  b.inst.a = b.source(0, Type::U32);
  auto list = b.function.ast->targetLists.find(b.operand(1).name);
  if (list == b.function.ast->targetLists.end())
    b.error("unknown list of targets '" + b.operand(1).name + "'");
  std::vector<Ref> targets;
  for (const std::string &label : list->second)
    targets.push_back(b.function.ast->labels.at(label));
  b.inst.firstRef = b.addRefs(targets);
  b.inst.refCount = uint32_t(targets.size());
}

void runExit(Warp &w, const Inst &) {
  finishAsync(w);
  Cluster &cluster = *w.block->cluster;
  exitLanes(w);
  completeClusterBarrier(cluster);
  for (unsigned id = 0; id < 16; ++id)
    completeBarrier(*w.block, id);
}

std::byte *localOf(Warp &w, unsigned lane, uint32_t depth) {
  const Block &block = *w.block;
  return block.local + size_t(w.index * lanes + lane) * block.localStride +
         size_t(depth) * block.grid->program->maxLocalBytes();
}

/// refs of a call: triples {offset in the caller's frame, offset in the
/// callee's, bytes}; the first `imm` triples are results, copied back by ret.
void copyParameters(Warp &w, const std::vector<Ref> &refs, uint32_t first,
                    uint32_t last, uint32_t callerDepth, bool toCallee) {
  for (uint32_t i = first; i < last; i += 3)
    activeLanes(w, [&](unsigned l) {
      std::byte *outer = localOf(w, l, callerDepth) + refs[i];
      std::byte *inner = localOf(w, l, callerDepth + 1) + refs[i + 1];
      std::memcpy(toCallee ? inner : outer, toCallee ? outer : inner,
                  refs[i + 2]);
    });
}

void enter(Warp &w, const Inst &i, const Function *callee) {
  isolateActive(w);
  Split &now = w.split();
  uint32_t depth = w.depth();
  if (depth + 2 > w.block->grid->program->maxDepth())
    fail(w, i, FaultKind::OutOfBounds, unsigned(std::countr_zero(w.active)), 0,
         "stack overflow: more than " +
             std::to_string(w.block->grid->program->maxDepth()) + " frames");
  copyParameters(w, now.function->refs, i.firstRef + uint32_t(i.imm) * 3,
                 i.firstRef + i.refCount, depth, true);
  now.callers.push_back({now.function, w.nextPc, &i});
  now.function = callee;
  now.pc = 0;
  w.stop = true;
}

void runCall(Warp &w, const Inst &i) {
  enter(w, i, reinterpret_cast<const Function *>(i.imm2));
}

/// Through a function's address: lanes that call the same go together.
void runCallIndirect(Warp &w, const Inst &i) {
  const uint64_t *address = w.in<uint64_t>(i.a);
  uint64_t callee = address[std::countr_zero(w.active)];
  const auto &functions = w.block->grid->program->functions();
  bool known = std::ranges::any_of(functions, [&](const auto &function) {
    return reinterpret_cast<uint64_t>(function.get()) == callee;
  });
  if (!known)
    fail(w, i, FaultKind::OutOfBounds, unsigned(std::countr_zero(w.active)),
         callee, "call of an address that is no function");
  isolateSame(w, i, w.active & laneMask([&](unsigned l) {
                      return address[l] == callee;
                    }));
  enter(w, i, reinterpret_cast<const Function *>(callee));
}

void runReturn(Warp &w, const Inst &i) {
  if (w.split().callers.empty())
    return runExit(w, i);
  isolateActive(w);
  Split &now = w.split();
  CallFrame frame = now.callers.back();
  copyParameters(w, frame.function->refs, frame.call->firstRef,
                 frame.call->firstRef + uint32_t(frame.call->imm) * 3,
                 w.depth() - 1, false);
  now.callers.pop_back();
  now.function = frame.function;
  now.pc = frame.returnTo;
  w.stop = true;
}

struct Signature {
  const std::vector<ptx::Variable> *results = nullptr, *parameters = nullptr;
};

/// The triples of copyParameters, results first.
void bindParameters(Builder &b, const ptx::Operand *results,
                    const ptx::Operand *arguments, Signature signature) {
  std::vector<Ref> refs;
  auto add = [&](const ptx::Operand &operand, const ptx::Variable &formal,
                 uint32_t inner) {
    auto outer = b.function.localOffsets.find(operand.name);
    if (outer == b.function.localOffsets.end())
      b.error("argument '" + operand.name + "' is no .param variable");
    refs.insert(refs.end(), {outer->second, inner, uint32_t(formal.byteCount)});
  };
  uint32_t end = 0; // offsets as Layout gives them: parameters, then results
  auto place = [&](const ptx::Variable &variable) {
    uint32_t alignment = std::max(variable.alignment, 1u);
    uint32_t offset = (end + alignment - 1) / alignment * alignment;
    end = offset + uint32_t(variable.byteCount);
    return offset;
  };
  std::vector<uint32_t> inner;
  for (const ptx::Variable &variable : *signature.parameters)
    inner.push_back(place(variable));
  size_t resultCount = results ? results->elements.size() : 0;
  size_t argumentCount = arguments ? arguments->elements.size() : 0;
  // Declared elsewhere with a result that the definition does not give, which
  // no linker looks at: it stays as it is.
  if (signature.results->empty())
    resultCount = 0;
  if (resultCount != signature.results->size() ||
      argumentCount != signature.parameters->size())
    b.error("the call does not fit the callee's parameters");
  for (size_t i = 0; i < resultCount; ++i)
    add(results->elements[i], (*signature.results)[i],
        place((*signature.results)[i]));
  for (size_t i = 0; i < argumentCount; ++i)
    add(arguments->elements[i], (*signature.parameters)[i], inner[i]);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.refCount = uint32_t(refs.size());
  b.inst.imm = int64_t(resultCount);
}

/// call (results), callee, (arguments), prototype; all but the callee optional.
void bindCall(Builder &b) {
  using Kind = ptx::Operand::Kind;
  const auto &operands = b.ast->operands;
  size_t at = 0;
  const ptx::Operand *results = nullptr, *arguments = nullptr;
  if (at < operands.size() && operands[at].kind == Kind::List)
    results = &operands[at++];
  const ptx::Operand &callee = b.operand(at++);
  if (at < operands.size() && operands[at].kind == Kind::List)
    arguments = &operands[at++];
  if (b.registerType(callee)) {
    const ptx::Operand &list = b.operand(at);
    auto prototype = b.function.ast->prototypes.find(list.name);
    if (prototype == b.function.ast->prototypes.end())
      b.error("an indirect call needs a .callprototype");
    b.inst.handler = runCallIndirect;
    b.inst.a = b.source(callee, Type::B64);
    return bindParameters(
        b, results, arguments,
        {&prototype->second.results, &prototype->second.parameters});
  }
  const Function *function = b.program.find(callee.name);
  if (!function)
    b.error("unknown function '" + callee.name + "'");
  bindParameters(b, results, arguments,
                 {&function->ast->results, &function->ast->parameters});
  if (!function->ast->isDeclaration) {
    b.inst.handler = runCall;
    b.inst.imm2 = reinterpret_cast<uint64_t>(function);
    return;
  }
  b.inst.handler = findBuiltin(callee.name);
  if (!b.inst.handler)
    b.error("function '" + callee.name + "' is declared and nowhere defined");
}

void runTrap(Warp &w, const Inst &i) {
  fail(w, i, FaultKind::Trap, unsigned(std::countr_zero(w.active)), 0,
       "the kernel executed trap");
}

void runNothing(Warp &, const Inst &) {}

constexpr Row rows[] = {
    {"bra.uni?", InstClass::Control, bindBranch},
    {"brx.idx.uni?", InstClass::Control, bindBranchIndexed},
    {"call.uni?", InstClass::Control, bindCall},
    {"ret.uni?", InstClass::Control,
     [](Builder &b) { b.inst.handler = runReturn; }},
    {"exit", InstClass::Control, [](Builder &b) { b.inst.handler = runExit; }},
    {"trap", InstClass::Control, [](Builder &b) { b.inst.handler = runTrap; }},
    {"brkpt", InstClass::Control,
     [](Builder &b) { b.inst.handler = runNothing; }},
    {"nanosleep.u32", InstClass::Control,
     [](Builder &b) { b.inst.handler = runNothing; }},
    {"pmevent.mask?", InstClass::Control,
     [](Builder &b) { b.inst.handler = runNothing; }},
    {"setmaxnreg.{inc,dec}.sync.aligned.u32", InstClass::Control,
     [](Builder &b) { b.inst.handler = runNothing; }},
    {"griddepcontrol.{launch_dependents,wait}", InstClass::Control,
     [](Builder &b) { b.inst.handler = runNothing; }},
};

} // namespace

std::span<const Row> controlRows() { return rows; }

} // namespace kclaw::sim
