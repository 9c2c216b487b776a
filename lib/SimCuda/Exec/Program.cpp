//===- Program.cpp - Linking and decoding ---------------------------------===//
#include "Program.h"
#include "../Check/Accumulators.h"
#include "../Isa/Table.h"
#include "CriticalPath.h"
#include "DeviceRuntime.h"
#include "Layout.h"
#include "Ranks.h"

#include <algorithm>
#include <cstring>

namespace kclaw::sim {

void FrameLayout::finish() {
  bytes = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    offsets[i] = bytes;
    bytes += counts[i] * columnBytes[i];
  }
}

unsigned FrameLayout::widthClass(Type type) {
  switch (bits(type)) {
  case 1:
    return 0;
  case 8:
  case 16:
    return 1;
  case 32:
    return 2;
  case 64:
    return 3;
  default:
    return 4;
  }
}

/// Makes the tables of a Program from its modules.
class Linker {
public:
  explicit Linker(Program &program) : program(program) {}

  void run() {
    takeFunctions();
    placeGlobals();
    for (auto &function : program.functionList)
      countRegisters(*function);
    program.frameLayout.finish();
    layOutMemory(program.modules, program.functionList, program.byName);
    initialiseGlobals();
    shareColumns();
    for (auto &function : program.functionList)
      if (!function->ast->isDeclaration) {
        std::vector<RegisterUse> uses;
        decode(*function, uses);
        guardAccumulators(*function, uses);
        function->rank = rankBlocks(*function);
      }
    program.depth = callDepth(program.functionList, program.byName);
  }

private:
  void takeFunctions();
  void takeFunction(const ptx::Function &ast);
  void placeGlobals();
  void initialiseGlobals();
  void countRegisters(Function &function);
  void shareColumns();
  void decode(Function &function, std::vector<RegisterUse> &uses);
  void decodeOne(Function &function, const ptx::Instruction &ast,
                 std::vector<RegisterUse> &uses);

  Program &program;
};

void Linker::takeFunctions() {
  for (const ptx::Module &module : program.modules) {
    program.files.insert(module.files.begin(), module.files.end());
    for (const ptx::Function &ast : module.functions)
      takeFunction(ast);
  }
  program.targetName = program.modules.front().target;
}

void Linker::takeFunction(const ptx::Function &ast) {
  Function *&known = program.byName[ast.name];
  if (!known) {
    program.functionList.push_back(std::make_unique<Function>());
    known = program.functionList.back().get();
    known->ast = &ast;
  } else if (known->ast->isDeclaration) {
    known->ast = &ast;
  }
}

void Linker::placeGlobals() {
  for (const ptx::Module &module : program.modules)
    for (const ptx::Variable &variable : module.variables) {
      if (variable.space == ptx::Space::Shared || variable.isExtern ||
          program.globalMap.count(variable.name))
        continue;
      // Not readOnly: the host may write .const, kernels cannot.
      uintptr_t address =
          program.memory.allocate(std::max<uint64_t>(variable.byteCount, 1));
      if (!address)
        throw LoadError(variable.textLine,
                        "no device memory for '" + variable.name + "'");
      program.memory.find(address)->readOnly =
          variable.space == ptx::Space::Const;
      program.memory.find(address)->markWritten(0, variable.byteCount);
      program.globalMap[variable.name] = {address, variable.byteCount,
                                          variable.space};
    }
}

void Linker::initialiseGlobals() {
  for (const ptx::Module &module : program.modules)
    for (const ptx::Variable &variable : module.variables) {
      auto place = program.globalMap.find(variable.name);
      if (place == program.globalMap.end())
        continue;
      auto *bytes = reinterpret_cast<std::byte *>(place->second.address);
      for (const ptx::Initialiser &value : variable.initialisers) {
        if (value.symbol.empty()) {
          std::memcpy(bytes + value.byteOffset, value.value.data(),
                      value.value.size());
          continue;
        }
        auto target = program.globalMap.find(value.symbol);
        const Function *function = program.find(value.symbol);
        if (target == program.globalMap.end() && !function)
          throw LoadError(variable.textLine, "unknown symbol '" + value.symbol +
                                                 "' in '" + variable.name +
                                                 "'");
        uint64_t address = target != program.globalMap.end()
                               ? target->second.address
                               : reinterpret_cast<uintptr_t>(function);
        address += uint64_t(value.addend);
        size_t size = kclaw::sim::bytes(variable.type);
        if (value.mask) { // 0xFF00(symbol): one byte of the address
          address = (address & value.mask) >> std::countr_zero(value.mask);
          size = 1;
        }
        std::memcpy(bytes + value.byteOffset, &address, size);
      }
    }
}

void Linker::countRegisters(Function &function) {
  std::array<uint32_t, 5> counts = {1, 1, 1, 1, 1}; // 0: the sink
  auto &index = program.registerIndex[&function];
  for (const auto &[name, type] : function.ast->registers)
    index[name] = counts[FrameLayout::widthClass(type)]++;
  for (size_t i = 0; i < counts.size(); ++i)
    program.frameLayout.counts[i] =
        std::max(program.frameLayout.counts[i], counts[i]);
}

/// Decodes once to learn which registers each instruction names.
void Linker::shareColumns() {
  std::array<uint32_t, 5> counts = {1, 1, 1, 1, 1};
  for (auto &function : program.functionList) {
    if (function->ast->isDeclaration)
      continue;
    std::vector<RegisterUse> uses;
    decode(*function, uses);
    RegisterPlan plan = planRegisters(*function, uses);
    function->paths = criticalPaths(*function, uses);
    program.registerIndex[function.get()] = plan.index;
    for (size_t i = 0; i < counts.size(); ++i)
      counts[i] = std::max(counts[i], plan.counts[i]);
    function->code.clear();
    function->refs.clear();
  }
  program.frameLayout.counts = counts;
  program.frameLayout.finish();
}

void Linker::decode(Function &function, std::vector<RegisterUse> &uses) {
  for (const ptx::Instruction &ast : function.ast->body)
    decodeOne(function, ast, uses);
  static const ptx::Instruction last = [] {
    ptx::Instruction ret;
    ret.opcode = "ret";
    return ret;
  }();
  decodeOne(function, last, uses);
  for (const auto &[label, index] : function.ast->labels)
    function.code[index].startsBlock = true;
}

void Linker::decodeOne(Function &function, const ptx::Instruction &ast,
                       std::vector<RegisterUse> &uses) {
  Builder builder(program, function);
  builder.use = &uses.emplace_back();
  builder.ast = &ast;
  const Row *row = findRow(ast, builder.form);
  if (!row)
    throw LoadError(ast.textLine,
                    "the simulator has no instruction '" + ast.text() + "'");
  builder.inst.kind = row->kind;
  builder.inst.source = uint32_t(function.code.size());
  if (!ast.guard.empty()) {
    ptx::Operand guard;
    guard.name = ast.guard;
    builder.inst.guard = builder.predicateSource(guard).ref;
    builder.inst.guardNegated = ast.guardNegated;
  }
  row->bind(builder);
  if (size_t at = function.code.size(); at < function.paths.size())
    builder.inst.path = function.paths[at];
  function.code.push_back(builder.inst);
}

std::unique_ptr<Program> Program::build(std::vector<ptx::Module> modules,
                                        DeviceMemory &memory) {
  std::unique_ptr<Program> program(new Program(memory));
  program->modules = std::move(modules);
  if (auto runtime = deviceRuntimeFor(program->modules))
    program->modules.push_back(std::move(*runtime));
  Linker(*program).run();
  return program;
}

Program::~Program() {
  for (const auto &[name, global] : globalMap)
    memory.release(global.address);
}

const Function *Program::find(std::string_view name) const {
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

const std::string &Program::file(uint32_t index) const {
  static const std::string none;
  auto found = files.find(index);
  return found == files.end() ? none : found->second;
}

uint32_t Program::maxLocalBytes() const {
  uint32_t most = 0, alignment = 1;
  for (const auto &function : functionList) {
    most = std::max(most, function->localBytes);
    alignment = std::max(alignment, function->localAlignment);
  }
  return (most + alignment - 1) / alignment * alignment;
}

Ref Program::registerColumn(const Function &function,
                            const std::string &name) const {
  unsigned width = FrameLayout::widthClass(function.ast->registers.at(name));
  uint32_t index = registerIndex.at(&function).at(name);
  return frameLayout.offsets[width] + index * FrameLayout::columnBytes[width];
}

} // namespace kclaw::sim
