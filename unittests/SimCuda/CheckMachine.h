//===- CheckMachine.h - A kernel that is reported, and its mended twin ----===//
#ifndef KERNELCLAW_UNITTESTS_SIMCUDA_CHECKMACHINE_H
#define KERNELCLAW_UNITTESTS_SIMCUDA_CHECKMACHINE_H

#include "Machine.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace kclaw::sim {

/// Runs `k` of CUDA source once with 4096 ints in and 4096 ints out.
struct CheckRun {
  std::string source;
  Dim3 grid = {1}, block = {64};
  std::function<void(Machine &)> prepare = [](Machine &) {};

  /// The fault, or nothing.
  std::optional<Fault> operator()() const {
    Machine machine(compileCuda(source));
    machine.options.budget = 2'000'000;
    prepare(machine);
    std::vector<int> counting(4096);
    for (int i = 0; i < 4096; ++i)
      counting[size_t(i)] = i;
    auto in = machine.upload(counting);
    auto out = machine.allocate<int>(4096);
    try {
      machine.run("k", grid, block, in, out);
    } catch (const FaultError &error) {
      return error.fault;
    }
    return std::nullopt;
  }
};

/// The line, 1 for the first, that holds the text.
inline uint32_t lineOf(const std::string &source, const std::string &text) {
  size_t at = source.find(text);
  return 1 + uint32_t(std::count(source.begin(), source.begin() + ptrdiff_t(at),
                                 '\n'));
}

/// `bad` is reported as `kind` at the line with `// HERE`; with `hole` replaced
/// by `mend` it is silent.
inline void expectFault(CheckRun run, FaultKind kind, const std::string &hole,
                        const std::string &mend) {
  auto fault = run();
  ASSERT_TRUE(fault) << "no report";
  EXPECT_EQ(name(fault->kind), std::string(name(kind))) << fault->text();
  EXPECT_EQ(fault->kernel, "k");
  if (run.source.find("// HERE") != std::string::npos) {
    EXPECT_EQ(fault->line, lineOf(run.source, "// HERE")) << fault->text();
  }
  CheckRun mended = run;
  size_t at = mended.source.find(hole);
  ASSERT_NE(at, std::string::npos);
  mended.source.replace(at, hole.size(), mend);
  auto none = mended();
  EXPECT_FALSE(none) << none->text();
  // Without checks nothing is looked for (what a GPU cannot do stays a fault).
  CheckRun off = run;
  off.prepare = [&](Machine &machine) {
    run.prepare(machine);
    machine.options.checks = false;
  };
  if (kind == FaultKind::Race || kind == FaultKind::Uninitialised) {
    EXPECT_FALSE(off());
  }
}

inline void expectSilent(CheckRun run) {
  auto fault = run();
  EXPECT_FALSE(fault) << fault->text();
}

} // namespace kclaw::sim

#endif // KERNELCLAW_UNITTESTS_SIMCUDA_CHECKMACHINE_H
