//===- Layout.cpp ---------------------------------------------------------===//
#include "Layout.h"
#include "Block.h"

#include <algorithm>
#include <set>

namespace kclaw::sim {

namespace {

uint32_t place(uint32_t &end, const ptx::Variable &variable) {
  uint32_t alignment = std::max(variable.alignment, 1u);
  uint32_t offset = (end + alignment - 1) / alignment * alignment;
  end = offset + uint32_t(variable.byteCount);
  return offset;
}

void collectNames(const ptx::Operand &operand, std::set<std::string> &names) {
  if (!operand.name.empty())
    names.insert(operand.name);
  for (const ptx::Operand &element : operand.elements)
    collectNames(element, names);
}

std::set<std::string> namesUsed(const ptx::Function &function) {
  std::set<std::string> names;
  for (const ptx::Instruction &instruction : function.body)
    for (const ptx::Operand &operand : instruction.operands)
      collectNames(operand, names);
  return names;
}

void layOutLocal(Function &function) {
  const ptx::Function &ast = *function.ast;
  uint32_t end = 0, parameterEnd = 0;
  for (const ptx::Variable &parameter : ast.parameters) {
    if (ast.isEntry) {
      function.parameterOffsets[parameter.name] =
          place(parameterEnd, parameter);
      function.parameterSizes.push_back(uint32_t(parameter.byteCount));
    } else if (parameter.space == ptx::Space::Param) {
      function.localOffsets[parameter.name] = place(end, parameter);
    }
  }
  function.parameterBytes = parameterEnd;
  for (const ptx::Variable &result : ast.results)
    if (result.space == ptx::Space::Param)
      function.localOffsets[result.name] = place(end, result);
  for (const ptx::Variable &variable : ast.variables)
    if (variable.space == ptx::Space::Local ||
        variable.space == ptx::Space::Param)
      function.localOffsets[variable.name] = place(end, variable);
  for (const ptx::Variable &variable : ast.variables)
    if (variable.space == ptx::Space::Local)
      function.localAlignment =
          std::max(function.localAlignment, variable.alignment);
  function.localBytes = end;
}

struct SharedVariable {
  const ptx::Variable *variable;
  bool common = false; ///< a called function names it
};

} // namespace

void layOutMemory(const std::vector<ptx::Module> &modules,
                  const FunctionList &functions, const FunctionNames &) {
  std::map<std::string, SharedVariable> shared;
  for (const ptx::Module &module : modules)
    for (const ptx::Variable &variable : module.variables)
      if (variable.space == ptx::Space::Shared)
        shared.try_emplace(variable.name, SharedVariable{&variable});

  std::map<const Function *, std::set<std::string>> used;
  uint32_t commonEnd = sharedSystemBytes;
  for (const auto &function : functions) {
    layOutLocal(*function);
    used[function.get()] = namesUsed(*function->ast);
    if (!function->ast->isEntry)
      for (const std::string &name : used[function.get()])
        if (auto found = shared.find(name); found != shared.end())
          found->second.common = true;
  }
  std::map<std::string, uint32_t> commonOffsets;
  for (auto &[name, entry] : shared)
    if (entry.common && !entry.variable->isExtern)
      commonOffsets[name] = place(commonEnd, *entry.variable);

  // Any kernel may call a function that has variables of its own.
  for (const auto &function : functions)
    if (!function->ast->isEntry)
      for (const ptx::Variable &variable : function->ast->variables)
        if (variable.space == ptx::Space::Shared && variable.byteCount)
          function->sharedOffsets[variable.name] = place(commonEnd, variable);

  for (const auto &function : functions) {
    uint32_t end = commonEnd, alignment = 16;
    std::vector<std::string> dynamic;
    for (const auto &[name, entry] : shared) {
      if (auto common = commonOffsets.find(name);
          common != commonOffsets.end()) {
        function->sharedOffsets[name] = common->second;
      } else if (used[function.get()].count(name)) {
        alignment = std::max(alignment, entry.variable->alignment);
        if (entry.variable->isExtern)
          dynamic.push_back(name);
        else
          function->sharedOffsets[name] = place(end, *entry.variable);
      }
    }
    for (const ptx::Variable &variable : function->ast->variables)
      if (variable.space == ptx::Space::Shared) {
        if (variable.byteCount == 0)
          dynamic.push_back(variable.name);
        else if (function->ast->isEntry)
          function->sharedOffsets[variable.name] = place(end, variable);
      }
    function->sharedBytes = end - sharedSystemBytes;
    function->dynamicSharedOffset =
        (end + alignment - 1) / alignment * alignment;
    for (const std::string &name : dynamic)
      function->sharedOffsets[name] = function->dynamicSharedOffset;
  }
}

unsigned callDepth(const FunctionList &functions, const FunctionNames &names) {
  std::map<const Function *, std::set<const Function *>> calls;
  bool indirect = false;
  for (const auto &function : functions)
    for (const ptx::Instruction &instruction : function->ast->body) {
      if (instruction.opcode != "call")
        continue;
      bool direct = false;
      for (const ptx::Operand &operand : instruction.operands)
        if (auto callee = names.find(operand.name); callee != names.end()) {
          calls[function.get()].insert(callee->second);
          direct = true;
        }
      indirect |= !direct;
    }
  // Longest path by relaxation; a chain longer than all functions is a cycle.
  std::map<const Function *, unsigned> depth;
  unsigned longest = 1;
  for (size_t round = 0; round <= functions.size(); ++round)
    for (const auto &[caller, callees] : calls)
      for (const Function *callee : callees) {
        unsigned through = std::max(depth[callee], 1u) + 1;
        if (through > depth[caller])
          depth[caller] = through;
        longest = std::max(longest, depth[caller]);
      }
  bool recursive = longest > functions.size() + 1;
  return recursive || indirect ? recursionDepth + longest % recursionDepth
                               : longest;
}

} // namespace kclaw::sim
