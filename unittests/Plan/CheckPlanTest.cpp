// checkPlan: each rule refuses one edit of a plan that passes.
#include "kernelclaw/Plan/CheckPlan.h"
#include "SamplePlan.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

KernelStep &kernel(Plan &plan) { return std::get<KernelStep>(plan.steps[1]); }
MemsetStep &memset(Plan &plan) { return std::get<MemsetStep>(plan.steps[0]); }
CopyStep &copy(Plan &plan) { return std::get<CopyStep>(plan.steps[2]); }
RepeatStep &repeat(Plan &plan) { return std::get<RepeatStep>(plan.steps[3]); }
WhenStep &when(Plan &plan) { return std::get<WhenStep>(repeat(plan).steps[0]); }
KernelStep &part(Plan &plan) {
  return std::get<KernelStep>(when(plan).steps[0]);
}
KernelStep &pack(Plan &plan) { return std::get<KernelStep>(plan.prepare[0]); }
PlanTensorMap &tiles(Plan &plan) { return plan.tensorMaps[0]; }

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
       "sums, table, packed, wide, library"},
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
      {[](Plan &p) {
         p.steps.resize(4);
         kernel(p).args.erase(kernel(p).args.begin() + 2);
       },
       "steps: no step writes result 0 ('y')"},
      {[](Plan &p) {
         p.steps.resize(4);
         p.buffers.erase(p.buffers.begin() + 2);
         kernel(p).args.erase(kernel(p).args.begin() + 2);
       },
       "buffers: result 0 has no buffer"},
      {[](Plan &p) { p.tunables[0].values.assign(4097, 128); },
       "tunables[0].values: more than 4096 combinations of all tunables; leave "
       "values out"},
      {[](Plan &p) { repeat(p).name = "rows"; },
       "steps[3].name: 'rows' is already a dimension, a tunable or the index "
       "of a loop around"},
      {[](Plan &p) { repeat(p).name = "2t"; },
       "steps[3].name: '2t' is not a C identifier"},
      {[](Plan &p) { repeat(p).steps.clear(); }, "steps[3].steps: empty"},
      {[](Plan &p) { repeat(p).count = Expr("0 - 1"); },
       "steps[3].count: -1 is outside [0, 16384]"},
      {[](Plan &p) { part(p).grid[0] = Expr("2 - t"); },
       "steps[3].steps[0].steps[0].grid[0]: 0 is outside [1, 2147483647] "
       "(where t is 2 of 3)"},
      {[](Plan &p) {
         repeat(p).count = Expr(200);
         part(p).args[1].value = Expr("min(t, 199) / 199 * 5000");
       },
       "steps[3].steps[0].steps[0].args[1].offset: 5000 is outside [0, 4096] "
       "(where t is 199 of 200)"},
      {[](Plan &p) {
         repeat(p).count = Expr(9000);
         when(p).steps.push_back(when(p).steps[0]);
         when(p).offset = Expr(0);
         part(p).args[1].value = Expr(0);
       },
       "steps[3].steps[0].steps[1]: more than 16384 launches a call; put the "
       "loop into a kernel (where t is 0 of 9000)"},
      {[](Plan &p) { when(p).offset = Expr(2); },
       "steps[3].steps[0].offset: 2 is no multiple of 4; the flag is a 32-bit "
       "integer (where t is 0 of 3)"},
      {[](Plan &p) { when(p).offset = Expr("rows * 4"); },
       "steps[3].steps[0].offset: bytes 16384 to 16388 are outside 'sums', "
       "which has 16384 (where t is 0 of 3)"},
      {[](Plan &p) { when(p).buffer = "flag"; },
       "steps[3].steps[0].buffer: no buffer is called 'flag'; known: x, w, y, "
       "sums, table, packed, wide, library (where t is 0 of 3)"},
      {[](Plan &p) { when(p).steps[0] = memset(p); },
       "steps[3].steps[0].steps[0]: only kernels can look at the flag of a "
       "'when'; write this step as a kernel, or move it out (where t is 0 of "
       "3)"},
      {[](Plan &p) { part(p).args[0].buffer = "tile"; },
       "steps[3].steps[0].steps[0].args[0].tensorMap: no tensor map is called "
       "'tile'; known: tiles (where t is 0 of 3)"},
      {[](Plan &p) { tiles(p).buffer = "z"; },
       "tensorMaps[0].buffer: no buffer is called 'z'; known: x, w, y, sums, "
       "table, packed, wide, library"},
      {[](Plan &p) { tiles(p).box[0] = Expr(257); },
       "tensorMaps[0].box[0]: 257 is outside [1, 256]: as "
       "steps[3].steps[0].steps[0].args[0] uses it (where t is 0 of 3)"},
      {[](Plan &p) { pack(p).args[0].buffer = "x"; },
       "prepare[0].args[0].buffer: 'x' may not be used by a prepare step; only "
       "parameters, buffers and constants of the region, and constant and "
       "persistent buffers may"},
      {[](Plan &p) { p.prepare[0] = memset(p); },
       "prepare[0].buffer: 'sums' may not be used by a prepare step; only "
       "parameters, buffers and constants of the region, and constant and "
       "persistent buffers may"},
      {[](Plan &p) { p.prepare.clear(); },
       "prepare: no step writes the persistent buffer 'packed'; make it a "
       "workspace, or fill it"},
      {[](Plan &p) { memset(p).buffer = "packed"; },
       "steps[0].buffer: 'packed' may not be written; only results and "
       "workspaces may"},
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
