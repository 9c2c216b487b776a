//===- DeviceRuntime.cpp - Synchronisation of a cooperative grid ----------===//
//
// A handle is the address of the grid's two words (%envreg1 and 2, Block.h): 0
// in a launch that is not cooperative. The barrier is that of
// cooperative_groups: each block adds 1 to the second word, the first block as
// much as flips the top bit, and all wait until it has flipped.
//
//===----------------------------------------------------------------------===//
#include "DeviceRuntime.h"
#include "../Ptx/Parse.h"

#include <set>
#include <string>

namespace kclaw::sim {

namespace {

constexpr const char *text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .pred %grid;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.b32 %r1, [scope];
  mov.u32 %r2, %envreg1;
  mov.u32 %r3, %envreg2;
  mov.b64 %rd1, {%r3, %r2};
  setp.eq.u32 %grid, %r1, 1;
  selp.b64 %rd2, %rd1, 0, %grid;
  st.param.b64 [handle], %rd2;
  ret;
}
.visible .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle,
                                                      .param .b32 flags)
{
  .reg .pred %none, %first, %firstBlock, %same;
  .reg .b32 %r<14>;
  .reg .b64 %rd<2>;
  ld.param.b64 %rd1, [handle];
  setp.eq.u64 %none, %rd1, 0;
  @%none bra Invalid;
  barrier.sync 0;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %tid.z;
  or.b32 %r1, %r1, %r2;
  or.b32 %r1, %r1, %r3;
  setp.eq.u32 %first, %r1, 0;
  @!%first bra Met;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ctaid.y;
  mov.u32 %r6, %ctaid.z;
  or.b32 %r4, %r4, %r5;
  or.b32 %r4, %r4, %r6;
  setp.eq.u32 %firstBlock, %r4, 0;
  mov.u32 %r7, %nctaid.x;
  mov.u32 %r8, %nctaid.y;
  mov.u32 %r9, %nctaid.z;
  mul.lo.u32 %r7, %r7, %r8;
  mul.lo.u32 %r7, %r7, %r9;
  sub.u32 %r7, 0x80000001, %r7;
  selp.b32 %r10, %r7, 1, %firstBlock;
  atom.add.release.gpu.u32 %r11, [%rd1+4], %r10;
Wait:
  ld.acquire.gpu.u32 %r12, [%rd1+4];
  xor.b32 %r13, %r12, %r11;
  setp.ge.s32 %same, %r13, 0;
  @%same bra Wait;
Met:
  barrier.sync 0;
  st.param.b32 [status], 0;
  ret;
Invalid:
  st.param.b32 [status], 1;
  ret;
}
)";

} // namespace

std::optional<ptx::Module>
deviceRuntimeFor(const std::vector<ptx::Module> &modules) {
  std::set<std::string> declared, defined;
  for (const ptx::Module &module : modules)
    for (const ptx::Function &function : module.functions)
      (function.isDeclaration ? declared : defined).insert(function.name);
  bool wanted = false, given = false;
  for (const char *name : {"cudaCGGetIntrinsicHandle", "cudaCGSynchronize"}) {
    wanted |= declared.contains(name);
    given |= defined.contains(name);
  }
  if (!wanted || given)
    return std::nullopt;
  return ptx::parse(text);
}

} // namespace kclaw::sim
