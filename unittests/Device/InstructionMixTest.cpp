// What the disassemblers print, as instruction kinds.
#include "InstructionMix.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace kclaw;

namespace {

const char *const cuobjdumpText = R"(
	code for sm_90a
		Function : first
	.headerflags	@"EF_CUDA_ACCELERATORS EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;      /* 0x00000a00ff017b82 */
                                                               /* 0x000fe20000000800 */
        /*0010*/              @!P1 LDG.E.128 R8, desc[UR6][R8.64] ; /* 0x0000000608089981 */
        /*0020*/              @!P1 FFMA.SAT R0, R8, R7, 0.5 ;  /* 0x3f00000008009423 */
        /*0030*/                   IMAD.MOV.U32 R0, RZ, RZ, RZ ; /* 0x000000ffff007224 */
        /*0040*/                   IMAD.WIDE R2, R3, 0x100, R6 ; /* 0x0000010003027825 */
        /*0050*/               @P0 BRA 0x20 ;                  /* 0x0000000400000947 */
        /*0060*/                   EXIT ;                      /* 0x000000000000794d */
        /*0070*/                   BRA 0x70;                   /* 0xfffffffc00fc7947 */
        /*0080*/                   NOP;                        /* 0x0000000000007918 */
		..........

		Function : _Z6secondv
        /*0000*/                   HGMMA.64x64x16.F32 R24, gdesc[UR4], R24 ; /* 0x0 */
)";

const char *const nvdisasmText = R"(
	.target	sm_90a
//--------------------- .text.k                   --------------------------
	.section	.text.k,"ax",@progbits
k:
.text.k:
        /*0000*/                   MUFU.EX2 R10, R11 ;
        /*0010*/                   STS [R9], R0 ;
.L_x_1:
        /*0020*/              @!P0 BRA `(.L_x_1) ;
        /*0030*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
.L_x_7:
        /*0770*/                   BRA `(.L_x_7);
        /*0780*/                   NOP;
.L_x_10:
)";

TEST(InstructionMix, ReadsCuobjdump) {
  auto functions = parseSass(cuobjdumpText);
  ASSERT_EQ(functions.size(), 2u);
  InstructionMix first = {{"constantLoad", 1}, {"globalLoad", 1},
                          {"fp32", 1},         {"move", 1},
                          {"integer", 1},      {"control", 2}};
  EXPECT_EQ(functions["first"], first);
  EXPECT_EQ(functions["_Z6secondv"], (InstructionMix{{"tensor", 1}}));
}

TEST(InstructionMix, ReadsNvdisasm) {
  auto functions = parseSass(nvdisasmText);
  ASSERT_EQ(functions.size(), 1u);
  InstructionMix mix = {
      {"special", 1}, {"sharedStore", 1}, {"control", 1}, {"barrier", 1}};
  EXPECT_EQ(functions["k"], mix);
}

TEST(InstructionMix, SimilarOpcodesDiffer) {
  const std::pair<const char *, const char *> rows[] = {
      {"LDG.E", "globalLoad"},
      {"LDGSTS.E.BYPASS", "asyncCopy"},
      {"LDGDEPBAR", "barrier"},
      {"LDSM.16.M88.4", "sharedLoad"},
      {"LD.E", "genericLoad"},
      {"REDUX.SUM", "shuffle"},
      {"RED.E.ADD", "atomic"},
      {"RET.REL.NODEC", "control"},
      {"BREV", "integer"},
      {"BRX", "control"},
      {"SHFL.BFLY", "shuffle"},
      {"SHF.R.U32.HI", "integer"},
      {"F2FP.BF16.F32", "convert"},
      {"FADD", "fp32"},
      {"HMMA.16816.F32", "tensor"},
      {"HADD2.F32", "fp16"},
      {"UTMALDG.2D", "asyncCopy"},
      {"SYNCS.PHASECHK", "barrier"},
      {"S2R", "move"},
      {"SOMETHING.NEW", "other"}};
  for (auto [opcode, kind] : rows)
    EXPECT_EQ(instructionKind(opcode), kind) << opcode;
}

TEST(InstructionMix, OtherTextIsNoCode) {
  EXPECT_TRUE(parseSass("").empty());
  EXPECT_TRUE(parseSass("cuobjdump fatal   : File 'x' is not there\n").empty());
}

TEST(InstructionMix, NoDisassemblerIsAReason) {
  setenv("KERNELCLAW_DISASSEMBLER", "/nonexistent/cuobjdump", 1);
  auto mix = disassemble({1, 2, 3});
  unsetenv("KERNELCLAW_DISASSEMBLER");
  ASSERT_FALSE(mix);
  EXPECT_NE(mix.error().message.find("no disassembler"), std::string::npos);
  EXPECT_EQ(disassemble({}).error().message, "no machine code");
}

} // namespace
