//===- InstructionMix.cpp - What a kernel's machine code is made of -------===//
#include "InstructionMix.h"
#include "ChildProcess.h"
#include "Files.h"
#include "kernelclaw/Cuda/NvrtcApi.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

namespace kclaw {

namespace {

/// Opcodes that begin with `prefix`; the first row that fits counts.
struct KindRow {
  std::string_view prefix;
  std::string_view kind;
};
constexpr KindRow kinds[] = {
    {"LDGSTS", "asyncCopy"},  {"UTMA", "asyncCopy"},    {"UBLK", "asyncCopy"},
    {"LDGDEPBAR", "barrier"}, {"LDG", "globalLoad"},    {"STG", "globalStore"},
    {"LDS", "sharedLoad"},    {"STS", "sharedStore"},   {"STAS", "sharedStore"},
    {"LDL", "localLoad"},     {"STL", "localStore"},    {"LDC", "constantLoad"},
    {"ULDC", "constantLoad"}, {"LD", "genericLoad"},    {"ST", "genericStore"},
    {"SHFL", "shuffle"},      {"VOTE", "shuffle"},      {"MATCH", "shuffle"},
    {"REDUX", "shuffle"},     {"CREDUX", "shuffle"},    {"ATOM", "atomic"},
    {"RED", "atomic"},        {"UATOM", "atomic"},      {"HMMA", "tensor"},
    {"IMMA", "tensor"},       {"DMMA", "tensor"},       {"BMMA", "tensor"},
    {"QMMA", "tensor"},       {"HGMMA", "tensor"},      {"IGMMA", "tensor"},
    {"QGMMA", "tensor"},      {"BGMMA", "tensor"},      {"BAR", "barrier"},
    {"MEMBAR", "barrier"},    {"DEPBAR", "barrier"},    {"SYNCS", "barrier"},
    {"UCGABAR", "barrier"},   {"FENCE", "barrier"},     {"ERRBAR", "barrier"},
    {"CCTL", "barrier"},      {"WARPGROUP", "barrier"}, {"MUFU", "special"},
    {"F2", "convert"},        {"I2", "convert"},        {"FRND", "convert"},
    {"UF2", "convert"},       {"UI2", "convert"},       {"FFMA", "fp32"},
    {"FADD", "fp32"},         {"FMUL", "fp32"},         {"FMNMX", "fp32"},
    {"FSET", "fp32"},         {"FSEL", "fp32"},         {"FCHK", "fp32"},
    {"FSWZADD", "fp32"},      {"DADD", "fp64"},         {"DFMA", "fp64"},
    {"DMUL", "fp64"},         {"DSET", "fp64"},         {"DMNMX", "fp64"},
    {"HADD2", "fp16"},        {"HFMA2", "fp16"},        {"HMUL2", "fp16"},
    {"HSET", "fp16"},         {"HMNMX2", "fp16"},       {"IMAD.MOV", "move"},
    {"MOV", "move"},          {"UMOV", "move"},         {"SEL", "move"},
    {"USEL", "move"},         {"PRMT", "move"},         {"UPRMT", "move"},
    {"S2", "move"},           {"CS2", "move"},          {"R2", "move"},
    {"P2R", "move"},          {"B2R", "move"},          {"ELECT", "move"},
    {"IADD", "integer"},      {"UIADD", "integer"},     {"IMAD", "integer"},
    {"UIMAD", "integer"},     {"IDP", "integer"},       {"LEA", "integer"},
    {"ULEA", "integer"},      {"LOP3", "integer"},      {"ULOP3", "integer"},
    {"PLOP3", "integer"},     {"UPLOP3", "integer"},    {"SHF", "integer"},
    {"USHF", "integer"},      {"ISETP", "integer"},     {"UISETP", "integer"},
    {"IMNMX", "integer"},     {"VIMNMX", "integer"},    {"VIADD", "integer"},
    {"IABS", "integer"},      {"POPC", "integer"},      {"UPOPC", "integer"},
    {"FLO", "integer"},       {"UFLO", "integer"},      {"BMSK", "integer"},
    {"SGXT", "integer"},      {"BREV", "integer"},      {"BR", "control"},
    {"EXIT", "control"},      {"BSSY", "control"},      {"BSYNC", "control"},
    {"CALL", "control"},      {"RET", "control"},       {"WARPSYNC", "control"},
    {"YIELD", "control"},     {"NANOSLEEP", "control"}, {"JM", "control"},
};

std::string trim(const std::string &text) {
  size_t start = text.find_first_not_of(" \t");
  if (start == std::string::npos)
    return "";
  return text.substr(start, text.find_last_not_of(" \t\r") + 1 - start);
}

/// "k" of "Function : k" (cuobjdump) or ".text.k:" (nvdisasm); else empty.
std::string functionName(const std::string &line) {
  std::string text = trim(line);
  static const std::string cuobjdump = "Function : ";
  if (text.starts_with(cuobjdump))
    return trim(text.substr(cuobjdump.size()));
  if (text.starts_with(".text.") && text.ends_with(":"))
    return text.substr(6, text.size() - 7);
  return "";
}

/// The text after the address of "/*0010*/  @!P0 LDG.E R1, ... ;"; empty for
/// other lines.
std::string instructionText(const std::string &line) {
  std::string text = trim(line);
  if (!text.starts_with("/*"))
    return "";
  size_t end = text.find("*/");
  size_t semicolon = text.find(';');
  if (end == std::string::npos || semicolon == std::string::npos ||
      semicolon < end)
    return "";
  text = trim(text.substr(end + 2, semicolon - end - 2));
  if (text.starts_with("{"))
    text = trim(text.substr(1));
  return text;
}

/// The opcode without the predicate before it.
std::string opcodeOf(const std::string &instruction) {
  std::stringstream words(instruction);
  std::string word;
  words >> word;
  if (word.starts_with("@"))
    words >> word;
  return word;
}

/// Where a line "/*0010*/ ..." stands.
uint64_t addressOf(const std::string &line) {
  return std::strtoull(line.c_str() + line.find("/*") + 2, nullptr, 16);
}

/// What stands after a function's end: NOP, and before it a branch to itself,
/// by address (cuobjdump) or by the label right before it (nvdisasm).
bool isPadding(const std::string &line, const std::string &instruction,
               const std::string &label) {
  if (instruction == "NOP")
    return true;
  if (!instruction.starts_with("BRA "))
    return false;
  std::string target = trim(instruction.substr(4));
  if (target.starts_with("0x"))
    return std::strtoull(target.c_str(), nullptr, 16) == addressOf(line);
  return !label.empty() && target == "`(" + label + ")";
}

} // namespace

std::string instructionKind(const std::string &opcode) {
  for (const KindRow &row : kinds)
    if (opcode.starts_with(row.prefix))
      return std::string(row.kind);
  return "other";
}

std::map<std::string, InstructionMix> parseSass(const std::string &text) {
  std::map<std::string, InstructionMix> functions;
  InstructionMix *current = nullptr;
  std::string label;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (std::string name = functionName(line); !name.empty()) {
      current = &functions[name];
      continue;
    }
    if (line.starts_with(".L_") && line.ends_with(":"))
      label = line.substr(0, line.size() - 1);
    std::string instruction = instructionText(line);
    if (!current || instruction.empty())
      continue;
    if (!isPadding(line, instruction, label))
      ++(*current)[instructionKind(opcodeOf(instruction))];
    label.clear();
  }
  return functions;
}

static std::vector<std::string> disassemblers() {
  if (const char *named = std::getenv("KERNELCLAW_DISASSEMBLER"))
    return {named};
  std::vector<std::string> programs;
  std::vector<std::string> folders = pathFolders();
  for (const std::string &root : cudaRoots())
    folders.push_back(root + "/bin");
  for (const char *name : {"cuobjdump", "nvdisasm"})
    for (const std::string &folder : folders)
      programs.push_back(folder + "/" + name);
  return programs;
}

/// A file in memory, under a name that a child process can open.
class MemoryFile {
public:
  static Expected<MemoryFile> make(const std::vector<uint8_t> &bytes) {
    MemoryFile file(memfd_create("cubin", MFD_CLOEXEC));
    size_t done = 0;
    while (file.descriptor >= 0 && done < bytes.size()) {
      ssize_t wrote =
          write(file.descriptor, bytes.data() + done, bytes.size() - done);
      if (wrote <= 0)
        break;
      done += static_cast<size_t>(wrote);
    }
    if (done < bytes.size())
      return makeError(Error::Code::Io, "no file in memory for the cubin: " +
                                            std::string(std::strerror(errno)));
    return file;
  }
  MemoryFile(MemoryFile &&other) noexcept
      : descriptor(std::exchange(other.descriptor, -1)) {}
  ~MemoryFile() {
    if (descriptor >= 0)
      close(descriptor);
  }
  std::string path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" +
           std::to_string(descriptor);
  }

private:
  explicit MemoryFile(int descriptor) : descriptor(descriptor) {}
  int descriptor;
};

static Expected<std::string> output(const std::string &program,
                                    const std::string &file,
                                    double timeoutSeconds) {
  bool dump = program.find("cuobjdump") != std::string::npos;
  std::vector<std::string> args = dump ? std::vector<std::string>{"-sass", file}
                                       : std::vector<std::string>{"-c", file};
  Expected<ChildProcess> child = ChildProcess::spawn(program, args, nullptr);
  if (!child)
    return std::unexpected(child.error());
  Expected<std::string> text = child->readAll(after(timeoutSeconds));
  if (!text)
    return std::unexpected(text.error().context(program));
  std::string end = child->end(/*killFirst=*/false);
  if (end != "exit code 0")
    return makeError(Error::Code::Unavailable, program + ": " + end);
  return text;
}

Expected<std::map<std::string, InstructionMix>>
disassemble(const std::vector<uint8_t> &cubin, double timeoutSeconds) {
  if (cubin.empty())
    return makeError(Error::Code::Unavailable, "no machine code");
  Expected<MemoryFile> file = MemoryFile::make(cubin);
  if (!file)
    return std::unexpected(file.error());
  std::string failures;
  for (const std::string &program : disassemblers()) {
    if (access(program.c_str(), X_OK) != 0)
      continue;
    Expected<std::string> text = output(program, file->path(), timeoutSeconds);
    if (!text) {
      failures += (failures.empty() ? "" : "; ") + text.error().message;
      continue;
    }
    std::map<std::string, InstructionMix> found = parseSass(*text);
    if (!found.empty())
      return found;
    failures += (failures.empty() ? "" : "; ") + program + " printed no code";
  }
  return makeError(Error::Code::Unavailable,
                   failures.empty()
                       ? "no disassembler: install cuobjdump or nvdisasm, or "
                         "name one in KERNELCLAW_DISASSEMBLER"
                       : failures);
}

} // namespace kclaw
