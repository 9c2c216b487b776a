//===- ReducedSizesTest.cpp - Which sizes may be others, and what becomes -===//
//
// Regions in text; the dimensions that may shrink, and the smaller variants.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Outline/ReducedSizes.h"
#include "kernelclaw/Torch/Torch.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace kclaw;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct ReducedSizes : testing::Test {
  ReducedSizes() {
    context.loadDialect<func::FuncDialect, torch::TorchDialect>();
    context.allowUnregisteredDialects();
  }

  /// `signature` with "T" for "!torch.vtensor<", and the body.
  func::FuncOp parse(std::string text) {
    for (size_t at; (at = text.find("T[")) != std::string::npos;)
      text.replace(at, 2, "!torch.vtensor<[");
    for (size_t at; (at = text.find("]f")) != std::string::npos;)
      text.replace(at, 2, "],f32>");
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return *module->getOps<func::FuncOp>().begin();
  }

  std::vector<std::string> texts(func::FuncOp region, uint64_t elements) {
    std::vector<std::string> all;
    for (OwningOpRef<ModuleOp> &variant : reducedVariants(region, elements)) {
      EXPECT_TRUE(succeeded(verify(*variant)));
      std::string &text = all.emplace_back();
      llvm::raw_string_ostream os(text);
      variant->print(os);
    }
    return all;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
};

constexpr const char *softmax = R"mlir(
func.func private @r(%x: T[8192,4096]f) -> T[8192,4096]f {
  %d = torch.constant.int -1
  %none = torch.constant.none
  %0 = torch.aten.softmax.int %x, %d, %none : T[8192,4096]f, !torch.int, !torch.none -> T[8192,4096]f
  return %0 : T[8192,4096]f
}
)mlir";

TEST_F(ReducedSizes, RowsStayThenOddThenOddMultiplesOfEight) {
  func::FuncOp region = parse(softmax);
  EXPECT_EQ(borderElements(region), uint64_t{2} * 8192 * 4096);
  EXPECT_THAT(shrinkableDims(region), ElementsAre("d0", "d1"));
  std::vector<std::string> all = texts(region, 1 << 18);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0], HasSubstr("vtensor<[32,4096],f32>"));
  EXPECT_THAT(all[1], HasSubstr("vtensor<[31,4093],f32>"));
  EXPECT_THAT(all[2], HasSubstr("vtensor<[24,4072],f32>"));
  for (const std::string &text : all)
    EXPECT_THAT(text, testing::Not(HasSubstr("8192")));
}

TEST_F(ReducedSizes, WhatIsScannedStaysAndHasATail) {
  func::FuncOp region = parse(R"mlir(
func.func private @r(%x: T[8192,8192]f, %m: T[8192,8192]f) -> T[8192,8192]f {
  %d = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.mul.Tensor %x, %m : T[8192,8192]f, T[8192,8192]f -> T[8192,8192]f
  %1 = torch.aten.cumsum %0, %d, %none : T[8192,8192]f, !torch.int, !torch.none -> T[8192,8192]f
  return %1 : T[8192,8192]f
}
)mlir");
  std::vector<std::string> all = texts(region, 1 << 18);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0], HasSubstr("vtensor<[16,8192],f32>"));
  EXPECT_THAT(all[1], HasSubstr("vtensor<[7,8189],f32>"));
  EXPECT_THAT(all[2], HasSubstr("vtensor<[8,8184],f32>"));
}

TEST_F(ReducedSizes, ReducedDimensionsThatDoNotFitTogetherStayInTurn) {
  func::FuncOp region = parse(R"mlir(
func.func private @r(%x: T[16384,4096]f, %t: !torch.vtensor<[16384],si64>) -> !torch.vtensor<[],f32> {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %ignored = torch.constant.int -100
  %zero = torch.constant.float 0.000000e+00
  %0 = torch.aten.cross_entropy_loss %x, %t, %none, %one, %ignored, %zero : T[16384,4096]f, !torch.vtensor<[16384],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}
)mlir");
  EXPECT_THAT(shrinkableDims(region), ElementsAre("d0", "d1", "d2"));
  std::vector<std::string> all = texts(region, 1 << 18);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0], HasSubstr("vtensor<[128,4096],f32>"));
  EXPECT_THAT(all[0], HasSubstr("vtensor<[128],si64>"));
  EXPECT_THAT(all[1], HasSubstr(",4093],f32>"));
  EXPECT_THAT(all[2], HasSubstr("vtensor<[16376,8],f32>"));
}

TEST_F(ReducedSizes, WhatPoolsMakeFollowsFromTheImage) {
  func::FuncOp region = parse(R"mlir(
func.func private @r(%x: T[16,64,256,256]f) -> T[16,64,255,255]f {
  %four = torch.constant.int 4
  %one = torch.constant.int 1
  %k = torch.prim.ListConstruct %four, %four : (!torch.int, !torch.int) -> !torch.list<int>
  %s = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %0 = torch.aten.max_pool2d %x, %k, %s, %s, %s, %false : T[16,64,256,256]f, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> T[16,64,255,255]f
  return %0 : T[16,64,255,255]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(region), ElementsAre("d0", "d1", "d2", "d3"));
  std::vector<std::string> all = texts(region, 1 << 18);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0], HasSubstr("vtensor<[8,8,64,64],f32>"));
  EXPECT_THAT(all[0], HasSubstr("vtensor<[8,8,63,63],f32>"));
  EXPECT_THAT(all[1], HasSubstr("vtensor<[3,5,59,57],f32>"));
  EXPECT_THAT(all[1], HasSubstr("vtensor<[3,5,58,56],f32>"));
  EXPECT_THAT(all[2], HasSubstr("vtensor<[4,8,56,40],f32>"));
}

TEST_F(ReducedSizes, TheNormalisedShapeFollows) {
  func::FuncOp region = parse(R"mlir(
func.func private @r(%x: T[8192,8192]f, %w: T[8192]f) -> T[8192,8192]f {
  %n = torch.constant.int 8192
  %list = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  %none = torch.constant.none
  %eps = torch.constant.float 1.000000e-05
  %false = torch.constant.bool false
  %0 = torch.aten.layer_norm %x, %list, %w, %none, %eps, %false : T[8192,8192]f, !torch.list<int>, T[8192]f, !torch.none, !torch.float, !torch.bool -> T[8192,8192]f
  return %0 : T[8192,8192]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(region), ElementsAre("d0", "d1"));
  std::string text = texts(region, 1 << 18).front();
  EXPECT_THAT(text, HasSubstr("vtensor<[16,8192],f32>"));
  text = texts(region, 1 << 18)[1];
  EXPECT_THAT(text, HasSubstr("torch.constant.int 8189"));
  EXPECT_THAT(text, HasSubstr("torch.prim.ListConstruct %int8189"));
}

TEST_F(ReducedSizes, WhatAViewRegroupsStays) {
  func::FuncOp region = parse(R"mlir(
func.func private @r(%x: T[4096,8192]f) -> T[4096,64,128]f {
  %a = torch.constant.int 4096
  %b = torch.constant.int 64
  %c = torch.constant.int 128
  %list = torch.prim.ListConstruct %a, %b, %c : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.view %x, %list : T[4096,8192]f, !torch.list<int> -> T[4096,64,128]f
  %1 = torch.aten.relu %0 : T[4096,64,128]f -> T[4096,64,128]f
  return %1 : T[4096,64,128]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(region), ElementsAre("d0"));
  std::string text = texts(region, 1 << 18).front();
  EXPECT_THAT(text, HasSubstr("ListConstruct %int16, %int64, %int128"));
  EXPECT_THAT(text, HasSubstr("vtensor<[16,64,128],f32>"));
}

TEST_F(ReducedSizes, ASizeWrittenAsANumberStays) {
  func::FuncOp region = parse(R"mlir(
func.func private @r(%x: T[4096,8192]f) -> T[4096]f {
  %one = torch.constant.int 1
  %list = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.sum.dim_IntList %x, %list, %false, %none : T[4096,8192]f, !torch.list<int>, !torch.bool, !torch.none -> T[4096]f
  %n = torch.constant.float 8.192000e+03
  %1 = torch.aten.div.Scalar %0, %n : T[4096]f, !torch.float -> T[4096]f
  return %1 : T[4096]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(region), ElementsAre("d0"));
}

TEST_F(ReducedSizes, MatmulShrinksInAllThreeConvolutionNotInChannels) {
  func::FuncOp matmul = parse(R"mlir(
func.func private @r(%a: T[4096,2048]f, %b: T[2048,1024]f, %c: T[1024]f) -> T[4096,1024]f {
  %one = torch.constant.int 1
  %0 = torch.aten.mm %a, %b : T[4096,2048]f, T[2048,1024]f -> T[4096,1024]f
  %1 = torch.aten.add.Tensor %0, %c, %one : T[4096,1024]f, T[1024]f, !torch.int -> T[4096,1024]f
  return %1 : T[4096,1024]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(matmul), ElementsAre("d0", "d1", "d2"));
  EXPECT_THAT(texts(matmul, 1 << 18).front(),
              testing::AllOf(HasSubstr("vtensor<[128,512],f32>"),
                             HasSubstr("vtensor<[512,256],f32>")));
  func::FuncOp convolution = parse(R"mlir(
func.func private @r(%x: T[512,64,32,32]f, %w: T[64,64,3,3]f) -> T[512,64,32,32]f {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %list = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.conv2d %x, %w, %none, %list, %list, %list, %one : T[512,64,32,32]f, T[64,64,3,3]f, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> T[512,64,32,32]f
  return %0 : T[512,64,32,32]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(convolution), ElementsAre("d0", "d2", "d3"));
  EXPECT_THAT(texts(convolution, 1 << 18).front(),
              HasSubstr("vtensor<[4,64,32,32],f32>"));
}

TEST_F(ReducedSizes, OpsWithoutARuleAndDynamicSizesKeepAll) {
  func::FuncOp joined = parse(R"mlir(
func.func private @r(%x: T[4096,4096]f, %y: T[4096,4096]f) -> T[8192,4096]f {
  %d = torch.constant.int 0
  %list = torch.prim.ListConstruct %x, %y : (T[4096,4096]f, T[4096,4096]f) -> !torch.list<vtensor<[4096,4096],f32>>
  %0 = torch.aten.cat %list, %d : !torch.list<vtensor<[4096,4096],f32>>, !torch.int -> T[8192,4096]f
  return %0 : T[8192,4096]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(joined), IsEmpty());
  EXPECT_THAT(texts(joined, 1 << 18), IsEmpty());
  func::FuncOp dynamic = parse(R"mlir(
func.func private @r(%x: T[?,4096]f) -> T[?,4096]f {
  %0 = torch.aten.relu %x : T[?,4096]f -> T[?,4096]f
  return %0 : T[?,4096]f
}
)mlir");
  EXPECT_THAT(shrinkableDims(dynamic), IsEmpty());
}

TEST_F(ReducedSizes, SplatsFollow) {
  func::FuncOp region = parse(R"mlir(
func.func private @r(%x: T[4096,4096]f) -> T[4096,4096]f {
  %one = torch.constant.int 1
  %c = torch.vtensor.literal(dense<2.0> : tensor<4096x4096xf32>) : T[4096,4096]f
  %0 = torch.aten.add.Tensor %x, %c, %one : T[4096,4096]f, T[4096,4096]f, !torch.int -> T[4096,4096]f
  return %0 : T[4096,4096]f
}
)mlir");
  std::string text = texts(region, 1 << 18).front();
  EXPECT_THAT(text, HasSubstr("dense<2.000000e+00> : tensor<256x512xf32>"));
}

} // namespace
