//===- TensorTest.cpp - TMA tensor copies ---------------------------------===//
#include "Machine.h"
#include "TensorMaps.h"

using namespace kclaw::sim;

namespace {

/// load: box to shared memory, its bytes to out. store: in to the box.
std::string source(unsigned rank, const std::string &reduce = "") {
  std::string coordinates = "{%3", dims = std::to_string(rank) + "d";
  for (unsigned d = 1; d < rank; ++d)
    coordinates += ", %" + std::to_string(3 + d);
  coordinates += "}";
  std::string stored = "{%2";
  for (unsigned d = 1; d < rank; ++d)
    stored += ", %" + std::to_string(2 + d);
  stored += "}";
  return R"(
struct __align__(64) Map { unsigned char bytes[128]; };
extern "C" __global__ void load(const __grid_constant__ Map map, unsigned *out,
                                int words, int x, int y, int z, int u, int v) {
  __shared__ __align__(1024) unsigned s[4096];
  __shared__ __align__(8) unsigned long long bar;
  unsigned base = (unsigned)__cvta_generic_to_shared(s);
  unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(b));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(b), "r"(words * 4) : "memory");
    asm volatile("cp.async.bulk.tensor.)" +
         dims +
         R"(.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, )" +
         coordinates + R"(], [%2];"
        :: "r"(base), "l"(&map), "r"(b), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
  }
  __syncthreads();
  asm volatile("{ .reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
               "@!p bra W; }" :: "r"(b) : "memory");
  for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = s[i];
}
extern "C" __global__ void store(const __grid_constant__ Map map,
                                 const unsigned *in, int words, int x, int y,
                                 int z, int u, int v) {
  __shared__ __align__(1024) unsigned s[4096];
  unsigned base = (unsigned)__cvta_generic_to_shared(s);
  for (int i = threadIdx.x; i < words; i += blockDim.x) s[i] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.)" +
         (reduce.empty() ? "async.bulk.tensor." : "reduce.async.bulk.tensor.") +
         dims + ".global.shared::cta" + reduce + R"(.tile.bulk_group [%0, )" +
         stored + R"(], [%1];"
        :: "l"(&map), "r"(base), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
})";
}

std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = float(i + 1);
  return values;
}

template <class F> void expectIllegal(F &&launch) {
  try {
    launch();
    ADD_FAILURE() << "no fault";
  } catch (const FaultError &error) {
    EXPECT_EQ(error.fault.kind, FaultKind::IllegalInstruction) << error.what();
  }
}

class Tensor : public testing::Test {
protected:
  void compile(unsigned rank, const std::string &reduce = "") {
    std::string ptx = compileCuda(source(rank, reduce));
    machine = std::make_unique<Machine>(ptx);
  }
  std::unique_ptr<Machine> machine;
};

TEST_F(Tensor, FillsWhatIsOutsideWithZeros) {
  compile(2);
  auto in = machine->upload(numbers(20 * 10));
  auto out = machine->allocate<float>(8 * 4);
  TensorMap map = mapOf(in.address, {20, 10}, {8, 4});
  Counts counts = machine->run("load", {1}, {32}, map, out, 32, -4, 8, 0, 0, 0);
  EXPECT_EQ(counts.asyncBytes, 128u);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) {
      bool inside = x - 4 >= 0 && y + 8 < 10;
      EXPECT_EQ(out[size_t(y * 8 + x)],
                inside ? float((y + 8) * 20 + x - 4 + 1) : 0.0f);
    }
}

TEST_F(Tensor, ExchangesChunksByTheSwizzle) {
  compile(2);
  auto in = machine->upload(numbers(64 * 16));
  for (auto [swizzle, width] :
       {std::pair(TensorMap::Swizzle::Bytes32, 32u),
        std::pair(TensorMap::Swizzle::Bytes64, 64u),
        std::pair(TensorMap::Swizzle::Bytes128, 128u)}) {
    auto words = uint16_t(width / 4);
    auto out = machine->allocate<float>(words * 16);
    TensorMap map = mapOf(in.address, {64, 16}, {words, 16}, swizzle);
    machine->run("load", {1}, {32}, map, out, words * 16, 0, 0, 0, 0, 0);
    for (unsigned y = 0; y < 16; ++y)
      for (unsigned x = 0; x < words; ++x) {
        // Chunk c of 128-byte line r moves to chunk c xor (r mod W / 16).
        unsigned byte = y * width + x * 4, line = byte / 128;
        unsigned to = byte ^ (line % 8 % (width / 16) * 16);
        EXPECT_EQ(out[to / 4], float(y * 64 + x + 1)) << width;
      }
    // And back.
    auto copy = machine->upload(std::vector<float>(64 * 16));
    TensorMap target = mapOf(copy.address, {64, 16}, {words, 16}, swizzle);
    machine->run("store", {1}, {32}, target, out, words * 16, 0, 0, 0, 0, 0);
    for (unsigned y = 0; y < 16; ++y)
      for (unsigned x = 0; x < 64; ++x)
        EXPECT_EQ(copy[y * 64 + x], x < words ? float(y * 64 + x + 1) : 0.0f);
  }
}

TEST_F(Tensor, CopiesBoxesOfFiveDimensions) {
  compile(5);
  auto in = machine->upload(numbers(8 * 3 * 4 * 2 * 5));
  auto out = machine->allocate<float>(4 * 2 * 2 * 2 * 2);
  TensorMap map = mapOf(in.address, {8, 3, 4, 2, 5}, {4, 2, 2, 2, 2});
  machine->run("load", {1}, {32}, map, out, 64, 4, 1, 2, 0, 3);
  for (unsigned i = 0; i < 64; ++i) {
    unsigned x = i % 4, y = i / 4 % 2, z = i / 8 % 2, u = i / 16 % 2,
             v = i / 32;
    unsigned from = 4 + x + 8 * (1 + y + 3 * (2 + z + 4 * (u + 2 * (3 + v))));
    EXPECT_EQ(out[i], float(from + 1)) << i;
  }
}

TEST_F(Tensor, StoresAddOnlyInsideOfTheTensor) {
  compile(2, ".add");
  auto in = machine->upload(numbers(32));
  auto out = machine->upload(std::vector<float>(20 * 10, 100.0f));
  TensorMap map = mapOf(out.address, {20, 10}, {8, 4});
  machine->run("store", {1}, {32}, map, in, 32, 16, 7, 0, 0, 0);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x) {
      bool inside = x >= 16 && y >= 7;
      float added = inside ? float((y - 7) * 8 + x - 16 + 1) : 0.0f;
      EXPECT_EQ(out[size_t(y * 20 + x)], 100.0f + added);
    }
}

TEST_F(Tensor, WalksPixelsInTheBoundingBox) {
  // 4 x 4 pixels of 4 channels, two images; a filter of 3 x 3 without padding
  // has 2 x 2 positions in each. Offset (1, 2) of the filter.
  std::string ptx = compileCuda(R"(
struct __align__(64) Map { unsigned char bytes[128]; };
extern "C" __global__ void load(const __grid_constant__ Map map, unsigned *out, int words) {
  __shared__ __align__(128) unsigned s[64];
  __shared__ __align__(8) unsigned long long bar;
  unsigned base = (unsigned)__cvta_generic_to_shared(s);
  unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(b));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(words * 4) : "memory");
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %3, %4, %3}], [%2], {%5, %6};"
      :: "r"(base), "l"(&map), "r"(b), "r"(0), "r"(1), "h"((short)1), "h"((short)2) : "memory");
  }
  __syncthreads();
  asm volatile("{ .reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W; }" :: "r"(b) : "memory");
  for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = s[i];
})");
  Machine device(ptx);
  auto in = device.upload(numbers(4 * 4 * 4 * 2));
  auto out = device.allocate<float>(24);
  TensorMap map = mapOf(in.address, {4, 4, 4, 2}, {1, 1, 1, 1});
  map.mode = TensorMap::Mode::Im2col;
  map.upperCorner[0] = map.upperCorner[1] = -2;
  map.channelsPerPixel = 4;
  map.pixelsPerColumn = 6;
  device.run("load", {1}, {32}, map, out, 24);
  // Positions (w, h, n) from (0, 1, 0) on.
  const unsigned positions[][3] = {{0, 1, 0}, {1, 1, 0}, {0, 0, 1},
                                   {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  for (unsigned p = 0; p < 6; ++p)
    for (unsigned c = 0; c < 4; ++c) {
      auto [w, h, n] = positions[p];
      unsigned from = c + 4 * (w + 1 + 4 * (h + 2 + 4 * n));
      EXPECT_EQ(out[p * 4 + c], float(from + 1)) << p;
    }
}

TEST_F(Tensor, AMapThatNobodyEncodedIsAFault) {
  compile(2);
  auto out = machine->allocate<float>(32);
  expectIllegal([&] {
    machine->run("load", {1}, {32}, TensorMap(), out, 32, 0, 0, 0, 0, 0);
  });
}

TEST_F(Tensor, AStoreDoesNotBeginBeforeTheTensor) {
  for (const char *reduce : {"", ".add"}) {
    compile(2, reduce);
    auto data = machine->upload(numbers(20 * 10));
    auto box = machine->upload(numbers(32));
    TensorMap map = mapOf(data.address, {20, 10}, {8, 4});
    for (auto [x, y] : {std::pair(-4, 1), std::pair(4, -1)})
      expectIllegal([&] {
        machine->run("store", {1}, {32}, map, box, 32, x, y, 0, 0, 0);
      });
  }
}

TEST_F(Tensor, ABoxBeginsAtAWholeChunkOfItsLine) {
  compile(2);
  auto data = machine->upload(numbers(20 * 10));
  auto box = machine->upload(numbers(32));
  TensorMap map = mapOf(data.address, {20, 10}, {8, 4});
  for (int x : {-4, 4, 16, 20, -40}) {
    machine->run("load", {1}, {32}, map, box, 32, x, 1, 0, 0, 0);
    if (x >= 0)
      machine->run("store", {1}, {32}, map, box, 32, x, 1, 0, 0, 0);
  }
  for (int x : {-3, -2, 1, 2, 3, 21})
    for (const char *kernel : {"load", "store"})
      expectIllegal([&] {
        machine->run(kernel, {1}, {32}, map, box, 32, x, 1, 0, 0, 0);
      });
}

// What an H200 gives: bench/sim/h200.json.
TEST_F(Tensor, FillsFloatsWithItsNan) {
  compile(2);
  auto in = machine->upload(numbers(20 * 10));
  auto out = machine->allocate<uint32_t>(8 * 4);
  TensorMap map = mapOf(in.address, {20, 10}, {8, 4});
  map.outOfBounds = TensorMap::Fill::NanRequestZeroFma;
  machine->run("load", {1}, {32}, map, out, 32, -4, 0, 0, 0, 0);
  EXPECT_EQ(out[0], 0x7ff77ff7u);
  EXPECT_EQ(out[4], 0x3f800000u);
}

TEST_F(Tensor, RoundsWhatItReadsToTf32) {
  compile(2);
  auto in = machine->upload(
      std::vector<uint32_t>{0x4327f863, 0xbf801001, 0x3f800fff, 0x00000001,
                            0x807fffff, 0x7f800000, 0x7fc00000, 0xff812345});
  auto out = machine->allocate<uint32_t>(8);
  TensorMap map = mapOf(in.address, {8, 1}, {8, 1});
  const std::vector<uint32_t> rounded = {0x43280000, 0xbf802000, 0x3f800000,
                                         0,          0x80800000, 0x7f800000,
                                         0x7fffe000, 0x7fffe000};
  for (auto type : {TensorMap::DataType::TF32, TensorMap::DataType::TF32Ftz}) {
    map.type = type;
    machine->run("load", {1}, {32}, map, out, 8, 0, 0, 0, 0, 0);
    EXPECT_EQ(out.values(), rounded);
  }
  map.type = TensorMap::DataType::F32Ftz; // flushes nothing
  machine->run("load", {1}, {32}, map, out, 8, 0, 0, 0, 0, 0);
  EXPECT_EQ(out.values(), in.values());
}

TEST_F(Tensor, PrefetchNeedsAWholeChunkToo) {
  Machine device(R"(.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u32 x) {
.reg .b64 %l<2>; .reg .b32 %r<2>;
mov.b64 %l0, map; cvta.param.u64 %l1, %l0; ld.param.u32 %r0, [x];
cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%l1, {%r0, %r0}];
ret; })");
  auto data = device.upload(numbers(20 * 10));
  TensorMap map = mapOf(data.address, {20, 10}, {8, 4});
  device.run("k", {1}, {1}, map, 4);
  expectIllegal([&] { device.run("k", {1}, {1}, map, 2); });
}

} // namespace
