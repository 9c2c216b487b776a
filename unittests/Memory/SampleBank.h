//===- SampleBank.h - A memory bank of a few entries ------------*- C++ -*-===//
//
// Written to a folder, so that tests may spoil one file and load the rest.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_MEMORY_SAMPLEBANK_H
#define KERNELCLAW_UNITTESTS_MEMORY_SAMPLEBANK_H

#include "TemporaryDirectory.h"
#include "kernelclaw/Memory/MemoryBank.h"

#include <fstream>

namespace kclaw {

class SampleBank {
public:
  SampleBank() {
    write("hardware/x.json",
          R"({"name": "X", "arch": "sm_90a", "instructions": [],
              "pitfalls": [], "facts": {"sms": {"value": 132,
              "unit": "multiprocessors", "source": "data sheet"}}})");
    write("diagnosis/derived.json",
          R"([{"name": "rowBytes", "meaning": "bytes of a row",
               "value": "reductionLength * elementBytes"}])");
    write("diagnosis/predicates.json",
          R"([{"name": "dramBound", "meaning": "m", "source": "s",
               "condition": "dramThroughput >= 70"},
              {"name": "longRows", "meaning": "m", "source": "s",
               "condition": "rowBytes > 65536"}])");
    write("diagnosis/headroom.json",
          R"([{"name": "low", "meaning": "m", "condition": "headroom < 2"},
              {"name": "high", "meaning": "m", "condition": "headroom >= 2"}])");
    write("diagnosis/consistency.json",
          R"([{"name": "c", "meaning": "m",
               "condition": "isPointwise + isReduction <= 1"}])");
    write("diagnosis/cases/10-dram.json", cases);
    write("methods/wide/method.json", method("alignedRows", "loadBits < 128"));
    write("methods/wide/example.cu", "// no example\n");
    write("methods/split/method.json", method("rows < sms", "isReduction"));
    write("methods/split/example.cu", "// no example\n");
    write("lessons/compile.json",
          R"([{"name": "undeclared", "outcome": "compile_error",
               "pattern": "identifier \"\\w+\" is undefined",
               "example": "main.cu(3): error: identifier \"x\" is undefined",
               "cause": "c", "fix": "f"},
              {"name": "any-error", "pattern": "error: exp",
               "example": "error: expected a ';'", "cause": "c", "fix": "f"}])");
  }

  void write(const std::string &name, const std::string &text) {
    std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  Expected<MemoryBank> load() const { return loadMemoryBank(folder.str()); }

  static std::string method(const std::string &first,
                            const std::string &second) {
    return R"({"title": "t", "scope": "kernel", "when": "w", "why": "y",
      "how": "h", "expect": {"time": "down", "dramReadBytes": "same"},
      "preconditions": [
        {"name": "first", "condition": ")" +
           first + R"(", "meaning": "m"},
        {"name": "second", "condition": ")" +
           second + R"(", "meaning": "m"}], "hazards": []})";
  }

  static constexpr const char *cases =
      R"([{"name": "long", "bottleneck": "dramBound", "structure": "longRows",
           "headroom": "high", "scope": "kernel", "signature": [],
           "allowed": ["split", "wide"], "advice": "a"},
          {"name": "rest", "bottleneck": "dramBound", "structure": "any",
           "headroom": "any", "scope": "kernel", "signature": [],
           "allowed": ["wide"], "forbidden": {"split": "rows are short"},
           "advice": "a"}])";

  TemporaryDirectory folder;
};

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_MEMORY_SAMPLEBANK_H
