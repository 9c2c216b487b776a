//===- PtxFeatures.cpp - What a kernel's PTX says -------------------------===//
//
// Opcodes of one entry, read line by line; NVRTC writes one instruction a line.
//
//===----------------------------------------------------------------------===//
#include "Extractors.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace kclaw {
namespace {

/// The text from `.entry NAME` to the brace that closes it.
std::string_view bodyOf(std::string_view ptx, const std::string &kernel) {
  for (size_t at = ptx.find(".entry "); at != ptx.npos;
       at = ptx.find(".entry ", at + 1)) {
    std::string_view rest = ptx.substr(at + 7);
    size_t end = rest.find_first_of(" (\n\t");
    if (rest.substr(0, end) != kernel)
      continue;
    size_t open = rest.find('{');
    if (open == rest.npos)
      return "";
    int depth = 0;
    for (size_t i = open; i < rest.size(); ++i) {
      depth += rest[i] == '{' ? 1 : rest[i] == '}' ? -1 : 0;
      if (depth == 0)
        return rest.substr(open, i - open);
    }
  }
  return "";
}

/// Opcodes that begin with `prefix` and have `part` add one to `feature`.
struct OpcodeRow {
  const char *feature, *prefix, *part;
  bool flag; ///< 0 or 1 instead of a count
};
constexpr OpcodeRow rows[] = {
    {"asyncCopy", "cp.async", "", true},
    {"tensorCoreCode", "mma.", "", true},
    {"tensorCoreCode", "wmma.mma", "", true},
    {"tensorCoreCode", "wgmma.mma", "", true},
    {"tensorCoreCode", "tcgen05.mma", "", true},
    {"wgmma", "wgmma.mma", "", true},
    {"fp64Code", "", ".f64", false},
    {"integerDivisions", "div.s", "", false},
    {"integerDivisions", "div.u", "", false},
    {"integerDivisions", "rem.", "", false},
    {"approximateMath", "", ".approx", true},
    {"atomics", "atom.", "global", false},
    {"atomics", "red.", "global", false},
    {"barriers", "bar.sync", "", false},
    {"barriers", "barrier.sync", "", false},
    {"shuffles", "shfl", "", false},
    {"sharedAccesses", "ld.shared", "", false},
    {"sharedAccesses", "st.shared", "", false},
    {"sharedAccesses", "ld.volatile.shared", "", false},
    {"sharedAccesses", "st.volatile.shared", "", false},
    {"sinkLoads", "ld.global", ".nc", true},
    {"sinkLoads", "ld.global", ".L1::", true},
    {"sinkLoads", "ld.global", ".L2::", true},
    {"sinkLoads", "ld.global", ".cs", true},
    {"sinkLoads", "ld.global", ".cg", true},
    {"sinkLoads", "ld.global", ".lu", true},
};

/// Bits that "ld.global.v4.f32" moves for a thread.
double widthOf(std::string_view opcode) {
  size_t dot = opcode.rfind('.');
  double bits = 0, lanes = 1;
  for (char c : opcode.substr(dot + 1))
    if (c >= '0' && c <= '9')
      bits = bits * 10 + (c - '0');
  for (auto [part, count] :
       {std::pair(".v2", 2), std::pair(".v4", 4), std::pair(".v8", 8)})
    if (opcode.find(part) != opcode.npos)
      lanes = count;
  return bits * lanes;
}

bool isGlobal(std::string_view opcode, std::string_view verb) {
  return opcode.starts_with(verb) && opcode.find("global") != opcode.npos;
}

/// The opcode of a line: "@%p1 bra" is "bra"; empty for others.
std::string opcodeOf(const std::string &line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word.starts_with('@'))
    words >> word;
  bool instruction = !word.empty() && std::islower(word[0]);
  if (word.ends_with(';'))
    word.pop_back();
  return instruction ? word : "";
}

} // namespace

void addPtxFeatures(const std::string &ptx, const std::string &kernel,
                    FeatureMap &features) {
  std::string_view body = bodyOf(ptx, kernel);
  if (body.empty())
    return;
  for (const OpcodeRow &row : rows)
    features[row.feature] = 0;
  double instructions = 0, loads = 0, stores = 0, loops = 0;
  std::set<std::string> labels;
  std::istringstream lines{std::string(body)};
  for (std::string line; std::getline(lines, line);) {
    size_t colon = line.find(':');
    if (line.starts_with('$') && colon != line.npos)
      labels.insert(line.substr(0, colon));
    std::string opcode = opcodeOf(line);
    if (opcode.empty())
      continue;
    ++instructions;
    for (const OpcodeRow &row : rows)
      if (opcode.starts_with(row.prefix) &&
          opcode.find(row.part) != opcode.npos)
        features[row.feature] = row.flag ? 1 : features[row.feature] + 1;
    if (isGlobal(opcode, "ld."))
      loads = std::max(loads, widthOf(opcode));
    if (isGlobal(opcode, "st."))
      stores = std::max(stores, widthOf(opcode));
    size_t target = line.find('$');
    if (opcode.starts_with("bra") && target != line.npos)
      loops += labels.contains(
          line.substr(target, line.find_first_of("; \t", target) - target));
  }
  features["ptxInstructions"] = instructions;
  features["loadBits"] = loads;
  features["storeBits"] = stores;
  features["loops"] = loops;
}

} // namespace kclaw
