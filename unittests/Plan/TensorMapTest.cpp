// evaluateTensorMap: each rule of the hardware refuses one edit of a good map.
#include "kernelclaw/Plan/TensorMap.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

/// bf16 [m][k] in tiles of 64 x 64, swizzled by 128 bytes.
PlanTensorMap goodMap() {
  PlanTensorMap map;
  map.name = "a";
  map.buffer = "x";
  map.element = TensorMapElement::BF16;
  map.dims = {Expr("k"), Expr("m")};
  map.box = {Expr(64), Expr(64)};
  map.swizzle = Expr(128);
  return map;
}

const Bindings sizes{{"k", 256}, {"m", 32}};

std::string errorOf(const PlanTensorMap &map, int64_t bufferBytes = 16384) {
  auto values = evaluateTensorMap(map, sizes, bufferBytes);
  return values ? "no error" : values.error().message;
}

TEST(TensorMap, GoodMap) {
  auto values = evaluateTensorMap(goodMap(), sizes, 16384);
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->dims, (std::vector<int64_t>{256, 32}));
  EXPECT_EQ(values->strides, std::vector<int64_t>{512});
  EXPECT_EQ(values->elementStrides, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(values->swizzle, 128);
}

TEST(TensorMap, NothingIsReadOfAnEmptyOne) {
  EXPECT_TRUE(evaluateTensorMap(goodMap(), {{"k", 256}, {"m", 0}}, 0));
}

TEST(TensorMap, EachRule) {
  struct Case {
    void (*edit)(PlanTensorMap &);
    const char *message;
  };
  const Case cases[] = {
      {[](PlanTensorMap &m) { m.dims.clear(); },
       "dims: a tensor map has one to five dimensions, not 0"},
      {[](PlanTensorMap &m) { m.box.pop_back(); },
       "box: 1 entries; the map has 2 dimensions and needs 2"},
      {[](PlanTensorMap &m) { m.dims[1] = Expr("n"); },
       "dims[1]: unknown name 'n'; known: k, m in 'n'"},
      {[](PlanTensorMap &m) { m.strides = {Expr("k * 2 + 8")}; },
       "strides[0]: 520 is no multiple of 16 bytes, which the hardware wants; "
       "pad the rows, or load them without a map"},
      {[](PlanTensorMap &m) { m.offset = Expr(8); },
       "offset: 8 is no multiple of 16 bytes, which the hardware wants"},
      {[](PlanTensorMap &m) { m.box[0] = Expr(65); },
       "box[0]: 130 bytes of a row of the tile are no multiple of 16"},
      {[](PlanTensorMap &m) { m.box[0] = Expr(128); },
       "box[0]: 256 bytes of a row of the tile do not fit a swizzle of 128 "
       "bytes; use a narrower box, or no swizzle"},
      {[](PlanTensorMap &m) { m.swizzle = Expr(96); },
       "swizzle: 96; accepted: 0, 32, 64, 128"},
      {[](PlanTensorMap &m) { m.interleave = Expr(16); },
       "interleave: needs at least three dimensions"},
      {[](PlanTensorMap &m) { m.elementStrides = {Expr(1), Expr(9)}; },
       "elementStrides[1]: 9 is outside [1, 8]"},
      {[](PlanTensorMap &m) {
         m.element = TensorMapElement::U16;
         m.nanFill = Expr(1);
       },
       "nanFill: integers have no NaN"},
      {[](PlanTensorMap &m) { m.dims[1] = Expr("m + 1"); },
       "dims: the map reaches beyond 'x', which has 16384 bytes"},
  };
  for (const Case &row : cases) {
    PlanTensorMap map = goodMap();
    row.edit(map);
    EXPECT_EQ(errorOf(map), row.message);
  }
}

} // namespace
