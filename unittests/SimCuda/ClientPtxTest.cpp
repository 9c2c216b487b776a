//===- ClientPtxTest.cpp - What the compilers of clients emit -------------===//
#include "Machine.h"

using namespace kclaw::sim;

namespace {

const char *head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

// cuda_bf16.hpp converts to 8-bit integers so.
TEST(ClientPtx, EightBitRegistersAreParts) {
  Machine machine(std::string(head) + R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b8 %b<8>;
  .reg .b16 %rs<8>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.u16 %rs1, [%rd1];
  cvt.rzi.s8.bf16 %b1, %rs1;
  mov.b16 %rs2, {%b1, 0};
  st.u16 [%rd2], %rs2;
  ld.u32 %r1, [%rd1+4];
  mov.b32 {%b2, %b3, %b4, %b5}, %r1;
  mov.b32 %r2, {%b5, %b4, %b3, %b2};
  st.u32 [%rd2+4], %r2;
  mov.b16 {%b6, %b7}, %rs1;
  mov.b16 %rs3, {%b7, 7};
  st.u16 [%rd2+2], %rs3;
  ld.b8 %b1, [%rd1+5];
  st.b8 [%rd2+8], %b1;
  ld.v2.b8 {%b2, %b3}, [%rd1+6];
  st.v2.b8 [%rd2+10], {%b3, %b2};
  ret;
})");
  // bf16 -5 is 0xc0a0.
  auto in = machine.upload(std::vector<uint32_t>{0xc0a0, 0x44332211});
  auto out = machine.upload(std::vector<uint32_t>(4));
  machine.run("k", {1}, {1}, in, out);
  EXPECT_EQ(out[0], 0x07c000fbu);
  EXPECT_EQ(out[1], 0x11223344u);
  EXPECT_EQ(out[2], 0x33440022u);
}

const char *addresses = R"(
.visible .entry k(.param .u64 out) {
  .local .align 256 .b8 stack[16];
  .local .align 4 .b8 small[4];
  .shared .align 4 .b8 first[4];
  .shared .align 512 .b8 tile[16];
  .reg .b32 %r<3>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, stack;
  cvta.local.u64 %rd2, %rd2;
  mov.u64 %rd3, tile;
  cvta.shared.u64 %rd3, %rd3;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 16;
  add.u64 %rd5, %rd1, %rd4;
  st.v2.u64 [%rd5], {%rd2, %rd3};
  st.shared.u32 [first], 7;
  st.local.u32 [small], %r1;
  ret;
})";

TEST(ClientPtx, GenericAddressesAreAsAlignedAsTheVariables) {
  Machine machine(std::string(head) + addresses);
  auto out = machine.allocate<uint64_t>(128);
  machine.run("k", {1}, {64}, out);
  for (size_t t = 0; t < 64; ++t) {
    EXPECT_EQ(out[2 * t] % 256, 0u) << t;
    EXPECT_EQ(out[2 * t + 1] % 512, 0u) << t;
  }
  EXPECT_NE(out[0], out[2]);
}

// Declared here with a result that the other module's definition lacks.
TEST(ClientPtx, AFunctionMayLackTheDeclaredResult) {
  Machine machine(std::string(head) + R"(
.visible .func consume(.param .b64 p) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  st.u32 [%rd1], 42;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  {
    .param .b64 argument;
    .param .b64 result;
    st.param.b64 [argument], %rd1;
    call.uni (result), consume, (argument);
  }
  ret;
})");
  auto out = machine.allocate<int>(1);
  machine.run("k", {1}, {1}, out);
  EXPECT_EQ(out[0], 42);
}

// What numba gives for grid.sync(): functions of libcudadevrt.
TEST(ClientPtx, DeviceRuntimeSynchronisesTheGrid) {
  Machine machine(std::string(head) + R"(
.extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle,
                                                     .param .b32 flags);
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 expected) {
  .reg .pred %p;
  .reg .b32 %r<9>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r4;
  {
    .param .b32 scope;
    .param .b64 handle;
    st.param.b32 [scope], 1;
    call (handle), cudaCGGetIntrinsicHandle, (scope);
    ld.param.b64 %rd5, [handle];
  }
  {
    .param .b64 handle;
    .param .b32 flags;
    .param .b32 status;
    st.param.b64 [handle], %rd5;
    st.param.b32 [flags], 0;
    call (status), cudaCGSynchronize, (handle, flags);
    ld.param.b32 %r5, [status];
  }
  mov.u32 %r6, %nctaid.x;
  mul.lo.u32 %r6, %r6, %r2;
  sub.u32 %r7, %r6, 1;
  sub.u32 %r7, %r7, %r4;
  ld.param.u32 %r8, [expected];
  setp.ne.u32 %p, %r5, %r8;
  @%p trap;
  setp.ne.u32 %p, %r5, 0;
  @%p ret;
  mul.wide.u32 %rd6, %r7, 4;
  add.u64 %rd6, %rd1, %rd6;
  ld.global.u32 %r8, [%rd6];
  add.u64 %rd7, %rd2, %rd3;
  st.global.u32 [%rd7], %r8;
  ret;
})");
  auto in = machine.allocate<int>(256), out = machine.allocate<int>(256);
  machine.cooperative = true;
  for (int times = 0; times < 2; ++times)
    machine.run("k", {4}, {64}, in, out, 0);
  for (int i = 0; i < 256; ++i)
    ASSERT_EQ(out[size_t(i)], 255 - i);
  machine.cooperative = false; // no handle: cudaErrorInvalidValue
  machine.run("k", {4}, {64}, in, out, 1);
}

// The function's variable and the kernel's are both there.
TEST(ClientPtx, FunctionsHaveSharedVariablesOfTheirOwn) {
  Machine machine(std::string(head) + R"(
.func (.param .b32 old) swap(.param .b32 value) {
  .shared .align 4 .b8 kept[4];
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [value];
  atom.shared.exch.b32 %r2, [kept], %r1;
  st.param.b32 [old], %r2;
  ret;
}
.func (.param .b32 old) set(.param .b32 value) {
  .shared .align 4 .b8 other[4];
  .reg .b32 %r<2>;
  ld.param.u32 %r1, [value];
  st.shared.u32 [other], %r1;
  st.param.b32 [old], %r1;
  ret;
}
.visible .entry k(.param .u64 out) {
  .shared .align 4 .b8 own[4];
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  .param .b32 value;
  .param .b32 old;
  ld.param.u64 %rd1, [out];
  st.shared.u32 [own], 5;
  st.param.b32 [value], 6;
  call (old), set, (value);
  call (old), swap, (value);
  st.param.b32 [value], 7;
  call (old), set, (value);
  call (old), swap, (value);
  ld.param.b32 %r1, [old];
  ld.shared.u32 %r2, [own];
  st.v2.u32 [%rd1], {%r1, %r2};
  ret;
})");
  machine.options.checks = false; // the first exchange finds nothing
  auto out = machine.allocate<int>(2);
  machine.run("k", {1}, {1}, out);
  EXPECT_EQ(out[0], 6);
  EXPECT_EQ(out[1], 5);
}

/// Stores 7 at out + offset, generic.
const char *store = R"(
.visible .entry k(.param .u64 out, .param .u64 offset) {
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [offset];
  add.u64 %rd1, %rd1, %rd2;
  st.u32 [%rd1], 7;
  ret;
})";

// A GPU does not know where allocations end; the checks do.
TEST(ClientPtx, WithoutChecksAllocationsReachToTheirGranularity) {
  Machine machine(std::string(head) + store);
  machine.memory.setGranularity(512);
  auto out = machine.allocate<int>(10);
  machine.options.checks = false;
  machine.run("k", {1}, {1}, out, uint64_t(40));
  machine.run("k", {1}, {1}, out, uint64_t(508));
  EXPECT_THROW(machine.run("k", {1}, {1}, out, uint64_t(512)), FaultError);
  Machine checked(std::string(head) + store);
  out = checked.allocate<int>(10);
  checked.run("k", {1}, {1}, out, uint64_t(36));
  EXPECT_THROW(checked.run("k", {1}, {1}, out, uint64_t(40)), FaultError);
}

TEST(ClientPtx, SharedMemoryEndsWhereItWasAskedTo) {
  std::string text = std::string(head) + R"(
.visible .entry k(.param .u32 offset) {
  .shared .align 4 .b8 one[4];
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [offset];
  mov.u32 %r2, one;
  add.u32 %r1, %r1, %r2;
  st.shared.u32 [%r1], 7;
  ret;
})";
  Machine machine(text);
  machine.run("k", {1}, {1}, 0);
  EXPECT_THROW(machine.run("k", {1}, {1}, 4), FaultError);
  machine.options.checks = false; // as a GPU allocates it
  machine.run("k", {1}, {1}, 124);
  EXPECT_THROW(machine.run("k", {1}, {1}, 128), FaultError);
}

TEST(ClientPtx, TensorMapsAreEditedBlindlyWithoutChecks) {
  Machine machine(std::string(head) + R"(
.visible .entry k() {
  .shared .align 128 .b8 map[128];
  tensormap.replace.tile.rank.shared::cta.b1024.b32 [map], 2;
  ret;
})");
  EXPECT_THROW(machine.run("k", {1}, {1}), FaultError);
  machine.options.checks = false;
  machine.run("k", {1}, {1});
}

} // namespace
