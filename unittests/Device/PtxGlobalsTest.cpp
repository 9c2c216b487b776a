//===- PtxGlobalsTest.cpp - Which globals a module may write --------------===//
#include "PtxGlobals.h"

#include <gtest/gtest.h>

using namespace kclaw;

using Names = std::vector<std::string>;

static std::string module(const std::string &body) {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n"
         ".global .align 4 .u32 state;\n"
         ".global .align 4 .b8 table[8] = {0, 0, 0, 0, 0, 0, 128, 63};\n"
         ".visible .entry k(.param .u64 .ptr .global .align 4 k_param_0)\n{\n" +
         body + "ret;\n}\n";
}

struct GlobalsCase {
  const char *name;
  const char *body;
  Names written;
};

class Globals : public testing::TestWithParam<GlobalsCase> {};

TEST_P(Globals, Written) {
  EXPECT_EQ(writtenGlobals(module(GetParam().body)), GetParam().written);
}

static const GlobalsCase cases[] = {
    {"unused", "", {}},
    {"loaded", "ld.global.u32 %r1, [state];\n", {}},
    {"table_by_index",
     "mov.u64 %rd1, table;\nadd.s64 %rd2, %rd1, %rd9;\n"
     "ld.global.f32 %f1, [%rd2+4];\nst.global.f32 [%rd8], %f1;\n",
     {}},
    {"stored", "st.global.u32 [state], 1;\n", {"state"}},
    {"first_of_the_body_with_label_and_predicate",
     "$L_1: @!%p1 st.global.u32 [state+4], %r1;\n",
     {"state"}},
    {"counted", "atom.global.add.u32 %r1, [state], 1;\n", {"state"}},
    {"through_registers",
     "mov.u64 %rd1, state;\ncvta.global.u64 %rd2, %rd1;\n"
     "add.s64 %rd3, %rd2, 4;\nst.u32 [%rd3], %r1;\n",
     {"state"}},
    {"before_the_move_in_the_text",
     "$L_1:\nst.u32 [%rd2], %r1;\n.loc 1 2 3\nmov.u64 %rd2, state;\n"
     "bra $L_1;\n",
     {"state"}},
    {"in_two_halves",
     "mov.b64 {%r1, %r2}, %rd1;\nmov.u64 %rd1, state;\n"
     "mov.b64 %rd3, {%r5, %r2};\nst.u32 [%rd3], %r9;\n",
     {"state"}},
    {"address_kept",
     "mov.u64 %rd1, table;\nst.global.u64 [%rd9], %rd1;\n",
     {"table"}},
    {"passed_on",
     "mov.u64 %rd1, state;\n{\n.param .b64 param0;\n"
     "st.param.b64 [param0], %rd1;\ncall.uni other, (param0);\n}\n",
     {"state"}},
    {"printed",
     "mov.u64 %rd1, table;\n{\n.param .b64 param0;\n"
     "st.param.b64 [param0], %rd1;\n"
     "call.uni (retval0), vprintf, (param0, param1);\n}\n",
     {}},
    {"commented_out", "// st.global.u32 [state], 1;\n", {}},
};

INSTANTIATE_TEST_SUITE_P(Ptx, Globals, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

TEST(PtxGlobals, RegistersBelongToTheirFunction) {
  std::string ptx =
      module("mov.u64 %rd1, table;\nld.global.u32 %r1, [%rd1];\n");
  ptx += ".visible .entry other()\n{\n.reg .b64 %rd<2>;\n"
         "st.global.u32 [%rd1], 1;\nret;\n}\n";
  EXPECT_EQ(writtenGlobals(ptx), Names());
}

TEST(PtxGlobals, WhatAnInitialiserNamesCanBeReached) {
  EXPECT_EQ(writtenGlobals(".global .align 4 .b8 hidden[64];\n"
                           ".global .align 8 .u64 way = generic(hidden);\n"),
            Names{"hidden"});
}

TEST(PtxGlobals, StoresThroughOneParameterAreFollowed) {
  std::string loads = "ld.param.u64 %rd1, [k_param_0];\n"
                      "ld.param.u64 %rd2, [k_param_1];\n"
                      "cvta.to.global.u64 %rd3, %rd1;\n"
                      "mad.wide.s32 %rd4, %r1, 4, %rd3;\n";
  using Positions = std::map<std::string, std::set<size_t>>;
  EXPECT_EQ(writtenParameters(module(loads + "ld.global.f32 %f1, [%rd4];\n"
                                             "st.global.f32 [%rd2], %f1;\n")),
            (Positions{{"k", {1}}}));
  EXPECT_EQ(writtenParameters(module(loads + "red.global.add.f32 [%rd4+8], "
                                             "%f1;\n")),
            (Positions{{"k", {0}}}));
  // The pointer as data, and one that may be either.
  EXPECT_EQ(writtenParameters(module(loads + "st.global.u64 [%rd9], %rd1;\n")),
            Positions());
  EXPECT_EQ(writtenParameters(module(loads + "selp.b64 %rd5, %rd1, %rd2, %p1;\n"
                                             "st.global.f32 [%rd5], %f1;\n")),
            Positions());
}
