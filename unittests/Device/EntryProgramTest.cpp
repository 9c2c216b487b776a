// An entry of a module as a program of the judge: what it is called with, and
// what is refused. The entry is played by functions here; no GPU.
#include "EntryProgram.h"

#include <gmock/gmock.h>

using namespace kclaw;
using testing::HasSubstr;

namespace {

struct Seen {
  std::vector<void *> arguments, results;
  std::vector<int64_t> shape;
  void *workspace = nullptr;
  uint64_t workspaceBytes = 0;
  void *stream = nullptr;
  int loads = 0;
};
Seen seen;
int32_t loadStatus, runStatus;

int32_t fakeRun(DLTensor *const *args, DLTensor *const *results,
                kcl_call *call) {
  seen.arguments = {args[0]->data};
  seen.results = {results[0]->data};
  seen.shape.assign(args[0]->shape, args[0]->shape + args[0]->ndim);
  seen.workspace = call->workspace;
  seen.workspaceBytes = call->workspace_bytes;
  seen.stream = call->stream;
  ++call->regions_won;
  if (runStatus)
    std::snprintf(call->error, sizeof(call->error), "it broke");
  return runStatus;
}
int32_t fakeWorkspace(DLTensor *const *, uint64_t *bytes, kcl_call *) {
  *bytes = 4096;
  return KCL_OK;
}
int32_t fakeLoad(kcl_call *call) {
  if (loadStatus)
    std::snprintf(call->error, sizeof(call->error), "wrong device");
  seen.loads += loadStatus == KCL_OK;
  return loadStatus;
}
int32_t fakeUnload(kcl_call *) {
  --seen.loads;
  return KCL_OK;
}

struct EntryProgramTest : testing::Test {
  EntryProgramTest() {
    seen = {};
    loadStatus = runStatus = KCL_OK;
    problem.arguments = {{DType::f32, {3, 5}, 15, 60, 1, 16}};
    problem.results = {{DType::f32, {3}, 3, 12, 1, 16}};
  }
  ModuleEntry entry() {
    return {"main", fakeRun, fakeWorkspace, fakeLoad, fakeUnload, &info};
  }
  std::string difference() { return describeDifference(info, problem); }

  int64_t shape[2] = {3, 5};
  kcl_value_info argument{"x", KCL_TENSOR, 2, shape, 16, {kDLFloat, 32, 1}, 0};
  kcl_value_info result{"y", KCL_TENSOR, 1, shape, 16, {kDLFloat, 32, 1}, 0};
  kcl_entry_info info{KCL_ABI_VERSION, kDLCUDA, "main", 1, 1, 0, 0,
                      &argument,       &result};
  Problem problem;
};

} // namespace

TEST_F(EntryProgramTest, IsCalledWithWhatItIsBoundTo) {
  void *stream = &seen;
  {
    auto program = EntryProgram::create(entry(), problem, stream);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(seen.loads, 1);
    ASSERT_EQ((*program)->scratch().size(), 1u);
    EXPECT_EQ((*program)->scratch()[0].bytes, 4096u);
    char a, b, c;
    ASSERT_TRUE((*program)->bind({{&a}, {&b}, {&c}}));
    ASSERT_TRUE((*program)->run(stream));
    EXPECT_EQ(seen.arguments, std::vector<void *>{&a});
    EXPECT_EQ(seen.results, std::vector<void *>{&b});
    EXPECT_EQ(seen.shape, (std::vector<int64_t>{3, 5}));
    EXPECT_EQ(seen.workspace, &c);
    EXPECT_EQ(seen.workspaceBytes, 4096u);
    EXPECT_EQ(seen.stream, stream);
    EXPECT_EQ((*program)->regionsWon(), 1u);
  }
  EXPECT_EQ(seen.loads, 0) << "unloaded at the end";
}

TEST_F(EntryProgramTest, ErrorsOfTheEntryAreLaunchErrors) {
  auto program = EntryProgram::create(entry(), problem, nullptr);
  ASSERT_TRUE(program);
  runStatus = KCL_DEVICE_ERROR;
  char a;
  ASSERT_TRUE((*program)->bind({{&a}, {&a}, {&a}}));
  auto done = (*program)->run(nullptr);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().outcome, Outcome::LaunchError);
  EXPECT_EQ(done.error().message, "main failed: it broke");
  loadStatus = KCL_UNAVAILABLE;
  auto other = EntryProgram::create(entry(), problem, nullptr);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "main_load failed: wrong device");
}

TEST_F(EntryProgramTest, ARecordOfAnotherModuleIsRefused) {
  EXPECT_EQ(difference(), "");
  problem.arguments[0].shape = {3, 6};
  EXPECT_EQ(difference(), "argument 0 has another shape than the record's");
  auto program = EntryProgram::create(entry(), problem, nullptr);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().outcome, Outcome::Rejected);
  EXPECT_EQ(seen.loads, 0);
  problem.arguments[0].shape = {3, 5};
  problem.results[0].dtype = DType::bf16;
  EXPECT_THAT(difference(), HasSubstr("result 0 has another element type"));
  problem.results.clear();
  EXPECT_EQ(difference(), "1 results in the module, 0 in the record");
}

TEST_F(EntryProgramTest, AHostEntryIsRefused) {
  info.device_type = kDLCPU;
  EXPECT_THAT(difference(), HasSubstr("runs on the host"));
}

TEST_F(EntryProgramTest, ADynamicSizeFitsAnyRecord) {
  shape[0] = -1;
  EXPECT_EQ(difference(), "");
}
