//===- WgmmaTest.cpp - wgmma over all layouts of shared memory ------------===//
//
// The host packs operands into an image of shared memory atom by atom, the
// kernel copies it there and multiplies with the descriptors that it is given.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include "SimCuda/Exec/Fault.h"
#include "SimCuda/Isa/Small.h"

#include <functional>
#include <optional>
#include <random>

using namespace kclaw::sim;

namespace {

struct Operand {
  std::vector<std::byte> image;
  uint64_t descriptor = 0; ///< at address 0
};

constexpr uint64_t modeOf(unsigned width) {
  return width == 128 ? 1 : width == 64 ? 2 : width == 32 ? 3 : 0;
}
uint64_t descriptor(unsigned width, unsigned leading, unsigned stride) {
  return uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
         modeOf(width) << 62;
}

/// Chunks of 16 bytes change places within an atom of 8 rows.
unsigned exchange(unsigned row, unsigned byte, unsigned width) {
  if (width == 16)
    return row * 16 + byte;
  unsigned linear = row * width + byte;
  unsigned phase = linear / 128 % 8 % (width / 16);
  return linear ^ (phase * 16);
}

/// `count` rows (of A, or columns of B) by 32 bytes of k.
/// put(byte address, row, k) writes an element.
Operand pack(unsigned count, unsigned elementBytes, unsigned width, bool kMajor,
             const std::function<void(std::byte *, unsigned, unsigned)> &put) {
  Operand operand;
  unsigned depth = 32 / elementBytes;
  operand.image.resize(64 * 1024);
  auto place = [&](unsigned atom, unsigned row, unsigned byte) {
    return operand.image.data() + atom * 8 * width + exchange(row, byte, width);
  };
  for (unsigned r = 0; r < count; ++r)
    for (unsigned k = 0; k < depth; ++k) {
      unsigned byte = (kMajor ? k : r) * elementBytes;
      unsigned other = kMajor ? r : k;
      // Atoms along the major dimension come first where there are several.
      unsigned majorAtoms = (kMajor ? 32 : count * elementBytes) / width;
      majorAtoms = std::max(majorAtoms, 1u);
      put(place(other / 8 * majorAtoms + byte / width, other % 8, byte % width),
          r, k);
    }
  unsigned majorAtoms =
      std::max((kMajor ? 32 : count * elementBytes) / width, 1u);
  unsigned alongMajor = 8 * width, alongOther = majorAtoms * 8 * width;
  bool plain = width == 16;
  // Without swizzle an MN-major descriptor has its strides the other way.
  operand.descriptor = plain && !kMajor
                           ? descriptor(width, alongOther, alongMajor)
                           : descriptor(width, alongMajor, alongOther);
  return operand;
}

/// d[32] = A B, for m64n64, per thread, to out[thread][32].
std::string source(const std::string &shape, const std::string &types,
                   const std::string &options) {
  std::string list, constraints;
  for (int i = 0; i < 32; ++i) {
    list += (i ? ", %" : "%") + std::to_string(i);
    constraints +=
        std::string(i ? ", " : "") + "\"+r\"(d[" + std::to_string(i) + "])";
  }
  return R"(
extern "C" __global__ void k(const uint4 *a, const uint4 *b, unsigned *out,
                             unsigned long long da, unsigned long long db,
                             int accumulate) {
  extern __shared__ __align__(1024) unsigned char shared[];
  unsigned start = (unsigned)__cvta_generic_to_shared(shared);
  unsigned base = (start + 1023) & ~1023u;
  uint4 *s = (uint4 *)(shared + (base - start));
  for (int i = threadIdx.x; i < 4096; i += 128) { s[i] = a[i]; s[4096 + i] = b[i]; }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  da |= (base & 0x3ffff) >> 4;
  db |= ((base + 65536) & 0x3ffff) >> 4;
  unsigned d[32];
  for (int i = 0; i < 32; ++i) d[i] = out[threadIdx.x * 32 + i];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
    "wgmma.mma_async.sync.aligned.)" +
         shape + "." + types + " {" + list + "}, %32, %33, p" + options +
         R"(; }" : )" + constraints + R"( : "l"(da), "l"(db), "r"(accumulate));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 32; ++i) out[threadIdx.x * 32 + i] = d[i];
})";
}

struct Format {
  const char *shape, *types;
  unsigned bytes;
  std::function<void(std::byte *, int)> put;
  bool transposes; ///< 16-bit types
};

template <class T> void put(std::byte *at, T value) {
  std::memcpy(at, &value, sizeof value);
}

void check(const Format &format, unsigned widthA, bool kMajorA, unsigned widthB,
           bool kMajorB, bool accumulate) {
  SCOPED_TRACE(std::string(format.types) + " A " + std::to_string(widthA) +
               (kMajorA ? " K" : " M") + " B " + std::to_string(widthB) +
               (kMajorB ? " K" : " N"));
  unsigned depth = 32 / format.bytes;
  std::mt19937 random(11);
  std::vector<int> a(64 * depth), b(64 * depth);
  for (auto *matrix : {&a, &b})
    for (int &x : *matrix)
      x = int(random() % 5) - 2;
  bool integer = std::string_view(format.types).starts_with("s32");
  std::string options = integer             ? ""
                        : format.transposes ? std::string(", 1, 1, ") +
                                                  (kMajorA ? "0, " : "1, ") +
                                                  (kMajorB ? "0" : "1")
                                            : ", 1, -1";
  int sign = !integer && !format.transposes ? -1 : 1;
  static std::map<std::string, std::string> compiled;
  std::string text = source(format.shape, format.types, options);
  std::string &ptx = compiled[text];
  if (ptx.empty())
    ptx = compileCuda(text);
  Operand x = pack(64, format.bytes, widthA, kMajorA,
                   [&](std::byte *at, unsigned r, unsigned k) {
                     format.put(at, a[r * depth + k]);
                   });
  Operand y = pack(64, format.bytes, widthB, kMajorB,
                   [&](std::byte *at, unsigned r, unsigned k) {
                     format.put(at, b[r * depth + k]);
                   });
  Machine machine(ptx);
  machine.dynamicShared = 130 * 1024;
  std::vector<uint32_t> before(128 * 32);
  for (unsigned i = 0; i < before.size(); ++i)
    before[i] = integer ? i % 7 : std::bit_cast<uint32_t>(float(i % 7));
  auto bufferA = machine.upload(x.image), bufferB = machine.upload(y.image);
  auto out = machine.upload(before);
  Counts counts = machine.run("k", {1}, {128}, bufferA, bufferB, out,
                              x.descriptor, y.descriptor, int(accumulate));
  EXPECT_EQ(counts.tensorMultiplyAdds, 64u * 64 * depth);
  for (unsigned t = 0; t < 128; ++t)
    for (unsigned i = 0; i < 32; ++i) {
      unsigned row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8;
      unsigned column = i / 4 * 8 + t % 4 * 2 + i % 2;
      int sum = 0;
      for (unsigned k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[column * depth + k];
      sum = sign * sum + (accumulate ? int((t * 32 + i) % 7) : 0);
      uint32_t want =
          integer ? uint32_t(sum) : std::bit_cast<uint32_t>(float(sum) + 0.0f);
      ASSERT_EQ(out[t * 32 + i], want) << row << ", " << column;
    }
}

const Format half = {
    "m64n64k16", "f32.f16.f16", 2,
    [](std::byte *at, int x) { put(at, F16::fromFloat(float(x)).bits); }, true};
const Format others[] = {
    {"m64n64k16", "f32.bf16.bf16", 2,
     [](std::byte *at, int x) { put(at, BF16::fromFloat(float(x)).bits); },
     true},
    {"m64n64k8", "f32.tf32.tf32", 4,
     [](std::byte *at, int x) { put(at, float(x)); }, false},
    {"m64n64k32", "s32.s8.s8", 1,
     [](std::byte *at, int x) { put(at, int8_t(x)); }, false},
    {"m64n64k32", "f32.e4m3.e4m3", 1,
     [](std::byte *at, int x) {
       // 0, 1 and 2 as e4m3.
       static constexpr uint8_t magnitude[] = {0x00, 0x38, 0x40};
       put(at, uint8_t(magnitude[std::abs(x)] | (x < 0 ? 0x80 : 0)));
     },
     false},
    {"m64n64k32", "f32.e5m2.e5m2", 1,
     [](std::byte *at, int x) {
       static constexpr uint8_t magnitude[] = {0x00, 0x3c, 0x40};
       put(at, uint8_t(magnitude[std::abs(x)] | (x < 0 ? 0x80 : 0)));
     },
     false},
    {"m64n64k32", "s32.s8.s8.satfinite", 1,
     [](std::byte *at, int x) { put(at, int8_t(x)); }, false},
};

/// Its wait is replaced by `wait`.
std::optional<Fault> faultOf(const std::string &wait, bool checks) {
  std::string text = source("m64n64k16", "f32.f16.f16", ", 1, 1, 0, 0");
  std::string hole = R"(asm volatile("wgmma.wait_group.sync.aligned 0;")";
  text.replace(text.find(hole), hole.size(), "asm volatile(\"" + wait + "\"");
  Machine machine(compileCuda(text));
  machine.options.checks = checks;
  machine.dynamicShared = 130 * 1024;
  Operand x = pack(64, 2, 128, true, [](std::byte *, unsigned, unsigned) {});
  auto a = machine.upload(x.image), b = machine.upload(x.image);
  auto out = machine.upload(std::vector<uint32_t>(128 * 32));
  try {
    machine.run("k", {1}, {128}, a, b, out, x.descriptor, x.descriptor, 0);
  } catch (const FaultError &error) {
    return error.fault;
  }
  return std::nullopt;
}

TEST(Wgmma, AReadBeforeTheWaitIsReported) {
  for (const char *wait : {"", "wgmma.wait_group.sync.aligned 1;"}) {
    std::optional<Fault> fault = faultOf(wait, true);
    ASSERT_TRUE(fault) << wait;
    EXPECT_EQ(fault->kind, FaultKind::MissingWait) << fault->text();
    EXPECT_FALSE(faultOf(wait, false)) << wait;
  }
  EXPECT_FALSE(faultOf("wgmma.wait_group.sync.aligned 0;", true));
}

TEST(Wgmma, ReadsEveryLayoutOfSharedMemory) {
  for (unsigned width : {16u, 32u, 64u, 128u})
    for (bool kMajor : {true, false}) {
      check(half, width, kMajor, 128, true, false);
      check(half, 64, false, width, kMajor, true);
    }
}

TEST(Wgmma, MultipliesEveryElementType) {
  for (const Format &format : others)
    check(format, 128, true, 32, true, true);
  check(others[0], 128, false, 128, false, false);
}

} // namespace
