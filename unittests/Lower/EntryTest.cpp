//===- EntryTest.cpp - Loading and guarding without a GPU -----------------===//
#include "kernelclaw/Runtime/kcl_entry.h"

#include <gtest/gtest.h>

namespace {
struct Entry : testing::Test {
  uint32_t loads = 0;
  kcl_load_table table = {&loads,  0,       0,       0,      0,
                          nullptr, nullptr, nullptr, nullptr};
  kcl_call call = {};
};
} // namespace

TEST_F(Entry, CallBeforeLoadIsTold) {
  EXPECT_EQ(kclCheckLoaded(&table, &call), KCL_NOT_LOADED);
  EXPECT_STREQ(call.error, "the module is not loaded; call NAME_load first");
}

TEST_F(Entry, LoadsAreCounted) {
  EXPECT_EQ(kclLoad(&table, &call), KCL_OK);
  EXPECT_EQ(kclLoad(&table, &call), KCL_OK);
  EXPECT_EQ(kclUnload(&table, &call), KCL_OK);
  EXPECT_EQ(kclCheckLoaded(&table, &call), KCL_OK);
  EXPECT_EQ(kclUnload(&table, &call), KCL_OK);
  EXPECT_EQ(kclCheckLoaded(&table, &call), KCL_NOT_LOADED);
  EXPECT_EQ(kclUnload(&table, &call), KCL_NOT_LOADED);
}

TEST_F(Entry, GuardNeedsArchitectureAndAlignment) {
  EXPECT_EQ(kclGuard(1, 16, 0x1230, &call), 1);
  EXPECT_EQ(kclGuard(1, 16, 0x1234, &call), 0);
  EXPECT_EQ(kclGuard(0, 16, 0x1230, &call), 0);
  EXPECT_EQ(call.regions_won, 1u);
  EXPECT_EQ(call.regions_stock, 2u);
}

TEST_F(Entry, AssertionTextIsCutAtTheCall) {
  std::string longText(1000, 'x');
  EXPECT_EQ(kclAssertFailed(longText.c_str(), &call), KCL_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(call.error), longText.substr(0, 511));
}

TEST_F(Entry, RequirementTextHasItsValues) {
  int64_t values[] = {-3, 5};
  EXPECT_EQ(kclRequireFailed("index {0} of {1}, {2}", values, 2, &call),
            KCL_INVALID_ARGUMENT);
  EXPECT_STREQ(call.error, "index -3 of 5, {2}");
}
