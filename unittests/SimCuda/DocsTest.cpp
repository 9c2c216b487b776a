//===- DocsTest.cpp - docs/SimulatedDriver.md says what the tables say ----===//
//
// The part of the page between its markers is made of the tables of counters,
// of instructions and of the driver's entry points. Run with KCLAW_WRITE_DOCS=1
// to write it.
//
//===----------------------------------------------------------------------===//
#include "FaultClasses.h"
#include "SimCuda/Isa/Table.h"
#include "SimCuda/Model/Counters.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace kclaw::sim;

namespace {

const char *beginMark = "<!-- made from the tables: begin -->\n";
const char *endMark = "<!-- made from the tables: end -->\n";

const char *className(InstClass kind) {
  static constexpr const char *names[] = {"integer",
                                          "f16 and bf16",
                                          "f32",
                                          "f64",
                                          "special functions",
                                          "conversion",
                                          "moves and comparisons",
                                          "loads",
                                          "stores",
                                          "atomics",
                                          "warp",
                                          "barriers",
                                          "matrix",
                                          "asynchronous copies",
                                          "control"};
  static_assert(std::size(names) == size_t(InstClass::Count));
  return names[size_t(kind)];
}

std::string instructionTable() {
  std::map<size_t, std::map<std::string, std::string>> byClass;
  for (std::span<const Row> rows : allRows())
    for (const Row &row : rows)
      byClass[size_t(row.kind)][row.pattern] = row.precision;
  std::ostringstream text;
  text << "### Instructions\n\n"
          "`{a,b}`: one of them; `?`: may be missing. Without a remark the "
          "result is exact: bit-equal to hardware where PTX defines it.\n\n";
  for (const auto &[kind, patterns] : byClass) {
    text << "**" << className(InstClass(kind)) << "**\n\n";
    for (const auto &[pattern, precision] : patterns)
      text << "* `" << pattern << "`"
           << (precision.empty() ? "" : " (" + precision + ")") << "\n";
    text << "\n";
  }
  return text.str();
}

/// "family name symbol status" lines of the driver, grouped.
std::string entryTable() {
  void *library = dlopen(KCLAW_SIMCUDA_PATH, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return dlerror();
  using EntryText = const char *(*)(int);
  auto entry = reinterpret_cast<EntryText>(dlsym(library, "kclSimEntry"));
  std::ostringstream text;
  text << "### Entry points of the driver API\n\n";
  for (int i = 0; const char *line = entry(i); ++i)
    text << "* " << line << "\n";
  return text.str() + "\n";
}

const char *onHardware(FaultKind kind) {
  switch (kind) {
  case FaultKind::Uninitialised:
  case FaultKind::Race:
  case FaultKind::MissingWait:
    return "goes on with wrong values";
  case FaultKind::DivergentBarrier:
  case FaultKind::Deadlock:
  case FaultKind::EndlessLoop:
    return "hangs, or goes on";
  case FaultKind::OutOfBounds:
    return "goes on where the page is mapped, else error 700";
  default:
    return "stops with an error";
  }
}

/// What the checks find, from the kernels that have it (FaultClasses.cpp).
std::string faultTable() {
  std::ostringstream text;
  text << "### Faults\n\n"
          "Each names the kernel, the source line, the block, the thread and, "
          "where there is one, the address.\n\n"
          "| class | reported as | a GPU |\n|---|---|---|\n";
  for (const FaultClass &row : faultClasses())
    text << "| " << row.title << " | " << name(row.kind) << " | "
         << onHardware(row.kind) << " |\n";
  return text.str() + "\n";
}

std::string counterTable() {
  std::ostringstream text;
  text << "### Counters of a launch\n\n"
          "Unit, meaning, and the counter of a real profile that is the same "
          "where there is one.\n\n";
  for (const CounterRow &row : counterRows())
    text << "* `" << row.name << "` (" << row.unit << "): " << row.meaning
         << (*row.real ? "; `" + std::string(row.real) + "`" : "") << "\n";
  return text.str() + "\n";
}

TEST(Docs, PageMatchesTheTables) {
  std::ifstream in(KCLAW_SIM_DOCS);
  std::string page((std::istreambuf_iterator<char>(in)), {});
  size_t begin = page.find(beginMark), end = page.find(endMark);
  ASSERT_NE(begin, std::string::npos) << KCLAW_SIM_DOCS;
  ASSERT_NE(end, std::string::npos) << KCLAW_SIM_DOCS;
  begin += std::string(beginMark).size();
  std::string made =
      "\n" + faultTable() + counterTable() + instructionTable() + entryTable();
  if (std::getenv("KCLAW_WRITE_DOCS")) {
    std::ofstream out(KCLAW_SIM_DOCS);
    out << page.substr(0, begin) << made << page.substr(end);
    return;
  }
  EXPECT_TRUE(page.substr(begin, end - begin) == made)
      << "the tables changed: run SimCudaTests --gtest_filter=Docs.* with "
         "KCLAW_WRITE_DOCS=1 and commit the page";
}

} // namespace
