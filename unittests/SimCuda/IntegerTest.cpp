//===- IntegerTest.cpp - Integer arithmetic, carries, bit fields, packed --===//
#include "Apply.h"

using namespace kclaw::sim;

namespace {

/// Text, result register, inputs, what it leaves.
struct Case {
  const char *text;
  char result;
  Words in;
  uint64_t out;
};

void check(std::initializer_list<Case> cases) {
  for (const Case &c : cases)
    EXPECT_EQ(apply1(c.text, c.result, c.in), c.out)
        << c.text << " of " << std::hex << c.in[0];
}

constexpr uint64_t minus1 = 0xffffffff, top = 0x80000000;

TEST(Integer, Arithmetic) {
  check({
      {"add.s16 %h0, %h1, %h2;", 'h', {0x7fff, 1}, 0x8000},
      {"add.sat.s32 %r0, %r1, %r2;", 'r', {0x7fffffff, 1}, 0x7fffffff},
      {"sub.sat.s32 %r0, %r1, %r2;", 'r', {top, 1}, top},
      {"mul.hi.s32 %r0, %r1, %r2;", 'r', {minus1, 5}, minus1},
      {"mul.hi.u32 %r0, %r1, %r2;", 'r', {minus1, minus1}, 0xfffffffe},
      {"mul.hi.s64 %l0, %l1, %l2;", 'l', {~0ull, 7}, ~0ull},
      {"mul.hi.u64 %l0, %l1, %l2;", 'l', {~0ull, ~0ull}, ~1ull},
      {"mul.hi.s16 %h0, %h1, %h2;", 'h', {0x8000, 0x8000}, 0x4000},
      {"mul.wide.s16 %r0, %h1, %h2;", 'r', {0xffff, 2}, 0xfffffffe},
      {"mad.wide.s32 %l0, %r1, %r2, %l3;", 'l', {minus1, 3, 5}, uint64_t(2)},
      {"mad.hi.sat.s32 %r0, %r1, %r2, %r3;",
       'r',
       {0x7fffffff, 0x7fffffff, 0x7fffffff},
       0x7fffffff},
      {"mul24.lo.s32 %r0, %r1, %r2;", 'r', {0x00ffffff, 3}, 0xfffffffd},
      {"mul24.hi.u32 %r0, %r1, %r2;", 'r', {0x12ffffff, 0xffffff}, 0xfffffe00},
      {"mad24.lo.u32 %r0, %r1, %r2, %r3;", 'r', {0xff000002, 3, 4}, 10},
      {"sad.u32 %r0, %r1, %r2, %r3;", 'r', {3, 10, 100}, 107},
      {"sad.s32 %r0, %r1, %r2, %r3;", 'r', {minus1, 4, 0}, 5},
      {"div.s32 %r0, %r1, %r2;", 'r', {top, minus1}, top},
      {"div.u32 %r0, %r1, %r2;", 'r', {7, 0}, minus1},
      {"rem.s32 %r0, %r1, %r2;", 'r', {uint64_t(uint32_t(-7)), 3}, minus1},
      {"rem.s64 %l0, %l1, %l2;", 'l', {1ull << 63, ~0ull}, 0},
      {"abs.s32 %r0, %r1;", 'r', {top}, top},
      {"neg.s16 %h0, %h1;", 'h', {1}, 0xffff},
      {"min.s32 %r0, %r1, %r2;", 'r', {minus1, 1}, minus1},
      {"min.u32 %r0, %r1, %r2;", 'r', {minus1, 1}, 1},
      {"max.relu.s32 %r0, %r1, %r2;", 'r', {minus1, top}, 0},
      {"max.s32.relu %r0, %r1, %r2;", 'r', {minus1, top}, 0},
  });
}

// PX-02: the high half is taken before the sum.
TEST(Integer, MultiplyAddHigh) {
  const char *hi = "mad.hi.u32 %r0, %r1, %r2, %r3;";
  check({
      {hi, 'r', {top, 4, 5}, 7},
      {hi, 'r', {minus1, minus1, minus1}, 0xfffffffd},
      {"mad.hi.s32 %r0, %r1, %r2, %r3;", 'r', {minus1, 1, 0}, minus1},
      {"mad.lo.cc.u32 %r4, %r1, %r2, %r3;\nmadc.hi.u32 %r0, %r1, %r2, 0;",
       'r',
       {minus1, minus1, minus1},
       minus1},
      {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", 'r', {minus1, minus1, minus1}, 0},
  });
}

TEST(Integer, CarriesRunThrough128Bits) {
  std::string add = "add.cc.u64 %l4, %l1, %l2;\naddc.cc.u64 %l5, %l1, 0;\n"
                    "addc.u64 %l0, %l3, 0;";
  EXPECT_EQ(apply1(add, 'l', {~0ull, 1, 5}), 6u);
  std::string sub = "sub.cc.u32 %r4, %r1, %r2;\nsubc.cc.u32 %r5, %r3, 0;\n"
                    "subc.u32 %r0, 0, 0;";
  EXPECT_EQ(apply1(sub, 'r', {0, 1, 0}), minus1);
  EXPECT_EQ(apply1(sub, 'r', {0, 1, 1}), 0u);
}

// PX-01: positions beyond the msb, lengths of 0.
TEST(Integer, BitFieldExtract) {
  const char *u = "bfe.u32 %r0, %r1, %r2, %r3;", *s = "bfe.s32 %r0, %r1, %r2, "
                                                      "%r3;";
  check({
      {u, 'r', {minus1, 32, 8}, 0},
      {u, 'r', {minus1, 31, 8}, 1},
      {u, 'r', {minus1, 4, 0}, 0},
      {u, 'r', {0x12345678, 8, 8}, 0x56},
      {u, 'r', {0x12345678, 0x104, 0x108}, 0x67},
      {s, 'r', {top, 40, 4}, minus1},
      {s, 'r', {0x7fffffff, 40, 4}, 0},
      {s, 'r', {0xf0, 4, 4}, minus1},
      {s, 'r', {top, 28, 32}, 0xfffffff8},
      {"bfe.s64 %l0, %l1, %r2, %r3;", 'l', {0xf0, 4, 4}, ~0ull},
      {"bfe.u64 %l0, %l1, %r2, %r3;", 'l', {~0ull, 60, 64}, 15},
      {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", 'r', {0xab, 0, 8, 4}, 0xb00},
      {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", 'r', {0xab, 7, 32, 4}, 7},
      {"bfi.b64 %l0, %l1, %l2, %r3, %r4;", 'l', {3, 0, 62, 9}, 3ull << 62},
  });
}

// PX-05: clz of 64 bits is a u32; bfind.shiftamt.
TEST(Integer, Counts) {
  check({
      {"clz.b64 %r0, %l1;", 'r', {0}, 64},
      {"clz.b64 %r0, %l1;", 'r', {1}, 63},
      {"clz.b64 %r0, %l1;", 'r', {1ull << 63}, 0},
      {"clz.b32 %r0, %r1;", 'r', {0x052d13ab}, 5},
      {"bfind.shiftamt.u32 %r0, %r1;", 'r', {0}, minus1},
      {"bfind.shiftamt.u32 %r0, %r1;", 'r', {minus1}, 0},
      {"bfind.shiftamt.u32 %r0, %r1;", 'r', {0x2cd1a4c1}, 2},
      {"bfind.u32 %r0, %r1;", 'r', {0}, minus1},
      {"bfind.s32 %r0, %r1;", 'r', {0xfffffff0}, 3},
      {"bfind.s64 %r0, %l1;", 'r', {~0ull}, minus1},
      {"popc.b64 %r0, %l1;", 'r', {~0ull}, 64},
      {"brev.b32 %r0, %r1;", 'r', {1}, top},
      {"brev.b64 %l0, %l1;", 'l', {2}, 1ull << 62},
      {"fns.b32 %r0, %r1, %r2, %r3;", 'r', {0xf0, 0, 2}, 5},
      {"fns.b32 %r0, %r1, %r2, %r3;", 'r', {0xf0, 7, minus1}, 7},
      {"fns.b32 %r0, %r1, %r2, %r3;", 'r', {0xf0, 3, 0}, minus1},
      {"bmsk.clamp.b32 %r0, %r1, %r2;", 'r', {4, 8}, 0xff0},
      {"bmsk.wrap.b32 %r0, %r1, %r2;", 'r', {36, 8}, 0xff0},
      {"bmsk.clamp.b32 %r0, %r1, %r2;", 'r', {36, 8}, 0},
      {"szext.wrap.s32 %r0, %r1, %r2;", 'r', {0xff8, 4}, 0xfffffff8},
      {"szext.clamp.u32 %r0, %r1, %r2;", 'r', {minus1, 40}, minus1},
  });
}

TEST(Integer, LogicAndShifts) {
  check({
      {"lop3.b32 %r0, %r1, %r2, %r3, 0xe8;", 'r', {0xc, 0xa, 0x6}, 0xe},
      {"mov.pred %p1, 0;\nlop3.or.b32 %r4|%p0, %r1, %r2, %r3, 0x80, %p1;\n"
       "selp.b32 %r0, 1, 0, %p0;",
       'r',
       {1, 1, 1},
       1},
      {"cnot.b32 %r0, %r1;", 'r', {0}, 1},
      {"not.b16 %h0, %h1;", 'h', {0xff}, 0xff00},
      {"shl.b32 %r0, %r1, %r2;", 'r', {1, 32}, 0},
      {"shr.s32 %r0, %r1, %r2;", 'r', {top, 99}, minus1},
      {"shr.u64 %l0, %l1, %r2;", 'l', {~0ull, 64}, 0},
      {"shr.s16 %h0, %h1, %r2;", 'h', {0x8000, 3}, 0xf000},
      {"shf.l.wrap.b32 %r0, %r1, %r2, %r3;",
       'r',
       {0xabcd0000, 0x1234, 36},
       0x1234a},
      {"shf.l.clamp.b32 %r0, %r1, %r2, %r3;",
       'r',
       {0xabcd0000, 0x1234, 36},
       0xabcd0000},
      {"shf.r.wrap.b32 %r0, %r1, %r2, %r3;",
       'r',
       {0xabcd0000, 0x1234, 4},
       0x4abcd000},
      {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;",
       'r',
       {0xabcd0000, 0x1234, 99},
       0x1234},
  });
}

TEST(Integer, Packed) {
  check({
      {"add.u16x2 %r0, %r1, %r2;", 'r', {0xffffffff, 0x00010002}, 0x00000001},
      {"min.s16x2 %r0, %r1, %r2;", 'r', {0x8000ffff, 0x00010002}, 0x8000ffff},
      {"max.relu.s16x2 %r0, %r1, %r2;", 'r', {0x8000ffff, 0x80010002}, 2},
      {"dp4a.s32.s32 %r0, %r1, %r2, %r3;",
       'r',
       {0xff020304, 0x01010101, 10},
       18},
      {"dp4a.u32.s32 %r0, %r1, %r2, %r3;",
       'r',
       {0xff000000, 0xff000000, 0},
       uint32_t(-255)},
      {"dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;",
       'r',
       {0x00030002, 0x01020304, 0},
       17},
      {"dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;",
       'r',
       {0xffff0002, 0x01020304, 0},
       3},
      {"prmt.b32 %r0, %r1, %r2, %r3;",
       'r',
       {0x33221100, 0x77665544, 0x7531},
       0x77553311},
      {"prmt.b32 %r0, %r1, %r2, 0x8888;", 'r', {0x80, 0}, minus1},
      {"prmt.b32.f4e %r0, %r1, %r2, %r3;",
       'r',
       {0x33221100, 0x77665544, 1},
       0x44332211},
      {"prmt.b32.b4e %r0, %r1, %r2, %r3;",
       'r',
       {0x33221100, 0x77665544, 1},
       0x66770011},
      {"prmt.b32.rc16 %r0, %r1, %r2, %r3;",
       'r',
       {0x33221100, 0, 1},
       0x33223322},
  });
}

TEST(Integer, Video) {
  check({
      {"vadd4.u32.u32.u32 %r0, %r1, %r2, %r3;",
       'r',
       {0xff01fe02, 0x01010303, 0},
       0x00020105},
      {"vadd4.u32.u32.u32.sat %r0, %r1, %r2, %r3;",
       'r',
       {0xff01fe02, 0x01010303, 0},
       0xff02ff05},
      {"vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;",
       'r',
       {0xff000001, 0x00000003, 7},
       264},
      {"vmin2.s32.s32.s32 %r0, %r1, %r2, %r3;",
       'r',
       {0x80000001, 0x00010002, 0},
       0x80000001},
  });
}

} // namespace
