// checkPlan: each rule refuses one edit of a plan that passes.
#include "kernelclaw/Plan/CheckPlan.h"
#include "SamplePlan.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

KernelStep &kernel(Plan &plan) { return std::get<KernelStep>(plan.steps[1]); }
MemsetStep &memset(Plan &plan) { return std::get<MemsetStep>(plan.steps[0]); }
CopyStep &copy(Plan &plan) { return std::get<CopyStep>(plan.steps[2]); }

TEST(CheckPlan, SampleFits) {
  for (bool dynamic : {false, true}) {
    auto done = checkPlan(samplePlan(), sampleSpec(dynamic), true);
    EXPECT_TRUE(done) << done.error().message;
  }
}

TEST(CheckPlan, EachRule) {
  struct Case {
    void (*edit)(Plan &);
    const char *message;
  };
  const Case cases[] = {
      {[](Plan &p) { p.modules[0].name = "a b"; },
       "modules[0].name: 'a b' is not a C identifier"},
      {[](Plan &p) { p.modules[0].source.clear(); },
       "modules[0].source: empty"},
      {[](Plan &p) { p.modules[0].kind = PlanModule::Kind::Ptx; },
       "modules[0].kind: only CUDA C++ is accepted here"},
      {[](Plan &p) { p.tunables[0].name = "rows"; },
       "tunables[0].name: 'rows' is already a dimension or a tunable"},
      {[](Plan &p) { p.tunables[0].chosen = 64; },
       "tunables[0].chosen: 64 is not among the values"},
      {[](Plan &p) { p.buffers[1].index = 2; },
       "buffers[1]: index: 2 is out of range; the spec has 2 arguments"},
      {[](Plan &p) { p.buffers[1].index = 0; },
       "buffers[1].index: this tensor has a buffer already"},
      {[](Plan &p) { p.buffers[1].name = "x"; },
       "buffers[1].name: 'x' is used twice"},
      {[](Plan &p) { p.buffers[3].sizeBytes = Expr("rowz"); },
       "buffers[3]: sizeBytes: unknown name 'rowz'; known: BLOCK, cols, rows "
       "in 'rowz'"},
      {[](Plan &p) { p.buffers[3].sizeBytes = Expr("0 - rows"); },
       "buffers[3].sizeBytes: -4096 bytes are out of range"},
      {[](Plan &p) { p.steps.clear(); }, "steps: empty"},
      {[](Plan &p) { kernel(p).module = "other"; },
       "steps[1].module: no module is called 'other'"},
      {[](Plan &p) { kernel(p).entry = "k<int>"; },
       "steps[1].entry: 'k<int>' is not a C identifier; declare the kernel "
       "extern \"C\""},
      {[](Plan &p) { kernel(p).grid[0] = Expr("rowz"); },
       "steps[1].grid[0]: unknown name 'rowz'; known: BLOCK, cols, rows in "
       "'rowz'"},
      {[](Plan &p) { kernel(p).grid[1] = Expr(65536); },
       "steps[1].grid[1]: 65536 is outside [1, 65535]"},
      {[](Plan &p) { kernel(p).grid[0] = Expr(0); },
       "steps[1].grid[0]: 0 is outside [1, 2147483647]"},
      {[](Plan &p) { kernel(p).block[1] = Expr(16); },
       "steps[1].block: 2048 threads; at most 1024 fit a block"},
      {[](Plan &p) { kernel(p).block[2] = Expr(65); },
       "steps[1].block[2]: 65 is outside [1, 64]"},
      {[](Plan &p) { kernel(p).cluster[1] = Expr(2); },
       "steps[1].grid[1]: 1 is not a multiple of the cluster's 2"},
      {[](Plan &p) { kernel(p).sharedBytes = Expr(228 * 1024); },
       "steps[1].sharedBytes: 233472 is outside [0, 232448]"},
      {[](Plan &p) { kernel(p).args[0].buffer = "z"; },
       "steps[1].args[0].buffer: no buffer is called 'z'; known: x, w, y, "
       "sums, table"},
      {[](Plan &p) { kernel(p).args[0].value = Expr("rows * cols * 4 + 1"); },
       "steps[1].args[0].offset: 16777217 is outside [0, 16777216]"},
      {[](Plan &p) { kernel(p).args[3].value = Expr("rows * 1000000"); },
       "steps[1].args[3]: 4096000000 is outside [-2147483648, 2147483647]"},
      {[](Plan &p) { memset(p).bytes = Expr("rows * 4 + 1"); },
       "steps[0].bytes: bytes 0 to 16385 are outside 'sums', which has 16384"},
      {[](Plan &p) { memset(p).buffer = "x"; },
       "steps[0].buffer: 'x' may not be written; only results and workspaces "
       "may"},
      {[](Plan &p) { copy(p).target = "table"; },
       "steps[2].target: 'table' may not be written; only results and "
       "workspaces may"},
      {[](Plan &p) { copy(p).sourceOffset = Expr("cols * 4"); },
       "steps[2].source: bytes 4096 to 16777220 are outside 'x', which has "
       "16777216"},
      {[](Plan &p) { copy(p).targetPitch = Expr(3); },
       "steps[2].targetPitch: smaller than rowBytes"},
      {[](Plan &p) { kernel(p).args.erase(kernel(p).args.begin() + 2); },
       "steps: no step writes result 0 ('y')"},
      {[](Plan &p) {
         p.buffers.erase(p.buffers.begin() + 2);
         kernel(p).args.erase(kernel(p).args.begin() + 2);
       },
       "buffers: result 0 has no buffer"},
      {[](Plan &p) { p.constraint = "BLOCK > cols"; },
       "constraint: 'BLOCK > cols' does not hold"},
      {[](Plan &p) { p.requirements.push_back("cols % 3 == 0"); },
       "requirements[1]: 'cols % 3 == 0' does not hold"},
  };
  for (const Case &row : cases) {
    Plan plan = samplePlan();
    row.edit(plan);
    auto done = checkPlan(plan, sampleSpec(), true);
    EXPECT_EQ(done ? "no error" : done.error().message, row.message);
  }
}

TEST(CheckPlan, EverySampleSizeCounts) {
  Plan plan = samplePlan();
  // 128 rows give 1024 threads, 4096 rows too many.
  std::get<KernelStep>(plan.steps[1]).block[0] = Expr("rows * 8");
  auto done = checkPlan(plan, sampleSpec(true), true);
  EXPECT_EQ(done ? "no error" : done.error().message,
            "steps[1].block[0]: 32768 is outside [1, 1024]");
}

TEST(CheckPlan, OurOwnProducersMaySubmitPtx) {
  Plan plan = samplePlan();
  plan.modules[0].kind = PlanModule::Kind::Ptx;
  EXPECT_TRUE(checkPlan(plan, sampleSpec(), false));
}

TEST(CheckPlan, Bindings) {
  Plan plan = samplePlan();
  plan.tunables[0].chosen = 256;
  EXPECT_EQ(planBindings(sampleSpec(), plan),
            (Bindings{{"BLOCK", 256}, {"cols", 1024}, {"rows", 4096}}));
  EXPECT_EQ(planBindings(sampleSpec(true), plan).at("rows"), 128);
  EXPECT_EQ(planBindings(sampleSpec(true), plan, {{"rows", 9}}).at("rows"), 9);
}

} // namespace
