//===- AgentBank.h - A memory bank with three methods -----------*- C++ -*-===//
//
// For tests of the strategies: skeletons and hardware that ship, and a decision
// table that allows two methods everywhere and forbids one.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_AGENT_AGENTBANK_H
#define KERNELCLAW_UNITTESTS_AGENT_AGENTBANK_H

#include <filesystem>
#include <fstream>
#include <string>

namespace kclaw {

inline void writeAgentBank(const std::filesystem::path &folder) {
  namespace fs = std::filesystem;
  auto write = [&](const std::string &name, const std::string &text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  };
  fs::create_directories(folder);
  for (const char *part : {"skeletons", "hardware"})
    fs::create_directory_symlink(fs::path(KCLAW_MEMORYBANK) / part,
                                 folder / part);
  write("diagnosis/derived.json", "[]");
  write("diagnosis/consistency.json", "[]");
  write("diagnosis/predicates.json",
        R"([{"name": "movesBytes", "meaning": "m", "source": "s",
             "condition": "minimalBytes > 0"}])");
  write("diagnosis/headroom.json",
        R"([{"name": "low", "meaning": "m", "condition": "headroom < 1.1"},
            {"name": "high", "meaning": "m", "condition": "minimalBytes > 0"}])");
  write("diagnosis/cases/10-any.json",
        R"([{"name": "any", "bottleneck": "movesBytes", "structure": "any",
             "headroom": "any", "scope": "kernel", "signature": [],
             "allowed": ["vector_loads", "work_per_thread"],
             "forbidden": {"row_in_registers": "rows do not fit"},
             "advice": "move each byte once"}])");
  for (const char *method :
       {"vector_loads", "work_per_thread", "row_in_registers"}) {
    std::string path = std::string("methods/") + method;
    write(path + "/method.json",
          R"({"title": "t", "scope": "kernel", "when": "w", "why": "y",
              "how": "h", "expect": {"time": "down", "dramReadBytes": "same"},
              "preconditions": [{"name": "bytes", "meaning": "m",
                                 "condition": "minimalBytes > 0"}],
              "hazards": ["tails"]})");
    write(path + "/example.cu", "// an example\n");
  }
  write("lessons/numerics.json",
        R"([{"name": "tail", "outcome": "mismatch", "pattern": "says mismatch",
             "example": "says mismatch", "cause": "a tail", "fix": "handle it"}])");
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_AGENT_AGENTBANK_H
