//===- event_loop.cpp - One kernel, timed by events in a plain loop -------===//
//
//   event_loop CUBIN ENTRY GX,GY,GZ BX,BY,BZ SHAREDBYTES REPEATS ARG...
//
// ARG: in:BYTES (normal f32 data), out:BYTES, i64:VALUE. What a C++ programmer
// would write to time a kernel; also what ncu is pointed at. Prints one JSON
// line: microseconds of each launch with a cold L2 (twice its size read before)
// and of back-to-back launches.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Cuda/Resources.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using namespace kclaw;

namespace {

// Reads 16 bytes a thread and stride; the sum is stored so that it is needed.
const char *const touchSource = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry touch(.param .u64 area, .param .u64 count, .param .u64 sink) {
  .reg .pred %p<2>;
  .reg .u32 %r<8>;
  .reg .u64 %d<8>;
  ld.param.u64 %d1, [area];
  ld.param.u64 %d2, [count];
  ld.param.u64 %d3, [sink];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.wide.u32 %d4, %r1, %r2, 0;
  cvt.u64.u32 %d5, %r3;
  add.u64 %d4, %d4, %d5;
  setp.ge.u64 %p1, %d4, %d2;
  @%p1 ret;
  shl.b64 %d5, %d4, 4;
  add.u64 %d5, %d1, %d5;
  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%d5];
  add.u32 %r4, %r4, %r5;
  add.u32 %r6, %r6, %r7;
  add.u32 %r4, %r4, %r6;
  setp.ne.u32 %p1, %r4, 12345;
  @%p1 ret;
  st.global.u32 [%d3], %r4;
  ret;
}
)";

template <typename T> T require(Expected<T> value) {
  if (value)
    return std::move(*value);
  std::fprintf(stderr, "event_loop: %s\n", value.error().message.c_str());
  std::exit(1);
}

class Loop {
public:
  explicit Loop(const DriverApi &api)
      : api(api), context(require(PrimaryContext::retain(api))),
        stream(require(createStream(api))), start(require(createEvent(api))),
        end(require(createEvent(api))) {
    areaBytes = std::max<uint64_t>(2 * context.facts().l2Bytes, 64 << 20);
    area = require(allocate(api, areaBytes + 256));
    check(api.cuMemsetD8Async(area.get(), 0x5a, areaBytes, stream.get()),
          "filling");
    touch = load(touchSource, "touch");
  }

  CUfunction load(const char *image, const char *entry) {
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    check(api.cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr,
                                nullptr, 0),
          "loading the module");
    check(api.cuLibraryGetKernel(&kernel, library, entry), "the kernel");
    return reinterpret_cast<CUfunction>(kernel);
  }

  void limitShared(CUfunction kernel, unsigned bytes) {
    if (bytes > 48 << 10)
      check(api.cuKernelSetAttribute(
                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                static_cast<int>(bytes), reinterpret_cast<CUkernel>(kernel),
                context.device()),
            "raising shared memory");
  }

  void *argument(const std::string &text) {
    std::string kind = text.substr(0, text.find(':'));
    uint64_t value = std::strtoull(text.c_str() + kind.size() + 1, nullptr, 10);
    values.push_back(value);
    if (kind == "i64")
      return &values.back();
    memory.push_back(require(allocate(api, value)));
    values.back() = memory.back().get();
    if (kind == "in")
      upload(memory.back().get(), value);
    return &values.back();
  }

  /// Microseconds of one launch, by events around it.
  double timed(const CUlaunchConfig &config, CUfunction kernel, void **args,
               bool cold) {
    if (cold)
      flush();
    check(api.cuEventRecord(start.get(), stream.get()), "event");
    check(api.cuLaunchKernelEx(&config, kernel, args, nullptr), "launch");
    check(api.cuEventRecord(end.get(), stream.get()), "event");
    check(api.cuEventSynchronize(end.get()), "the kernel");
    float milliseconds = 0;
    check(api.cuEventElapsedTime(&milliseconds, start.get(), end.get()),
          "reading events");
    return milliseconds * 1e3;
  }

  CUstream queue() const { return stream.get(); }

private:
  void check(CUresult result, const char *what) {
    if (Expected<void> ok = api.check(result, what); !ok) {
      std::fprintf(stderr, "event_loop: %s\n", ok.error().message.c_str());
      std::exit(1);
    }
  }

  /// Normal data; more than `drawn` of them repeat, from a place of their own.
  void upload(CUdeviceptr target, uint64_t bytes) {
    constexpr size_t drawn = size_t{1} << 22;
    std::vector<float> data(bytes / sizeof(float));
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    for (size_t i = 0; i < std::min(drawn, data.size()); ++i)
      data[i] = normal(random);
    for (size_t i = drawn; i < data.size(); ++i)
      data[i] = data[(i + i / drawn * 977) % drawn];
    check(api.cuMemcpyHtoD(target, data.data(), bytes), "upload");
  }

  void flush() {
    CUdeviceptr from = area.get();
    uint64_t count = areaBytes / 16;
    CUdeviceptr sink = from + areaBytes;
    void *args[] = {&from, &count, &sink};
    CUlaunchConfig config = {};
    config.gridDimX = static_cast<unsigned>((count + 255) / 256);
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 256;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream.get();
    check(api.cuLaunchKernelEx(&config, touch, args, nullptr), "flush");
  }

  const DriverApi &api;
  PrimaryContext context;
  Stream stream;
  Event start, end;
  uint64_t areaBytes = 0;
  DeviceMemory area;
  CUfunction touch = nullptr;
  std::deque<uint64_t> values; // whose addresses are handed out
  std::vector<DeviceMemory> memory;
};

void readSizes(const char *text, unsigned (&sizes)[3]) {
  std::sscanf(text, "%u,%u,%u", &sizes[0], &sizes[1], &sizes[2]);
}

void print(const char *name, const std::vector<double> &samples) {
  std::printf("\"%s\": [", name);
  for (size_t i = 0; i < samples.size(); ++i)
    std::printf("%s%.3f", i ? ", " : "", samples[i]);
  std::printf("]");
}

} // namespace

int main(int count, char **words) {
  if (count < 7) {
    std::fprintf(stderr, "usage: event_loop CUBIN ENTRY GX,GY,GZ BX,BY,BZ "
                         "SHAREDBYTES REPEATS ARG...\n");
    return 2;
  }
  const Expected<DriverApi> &api = DriverApi::get();
  if (!api) {
    std::fprintf(stderr, "event_loop: %s\n", api.error().message.c_str());
    return 1;
  }
  Loop loop(*api);
  std::ifstream file(words[1], std::ios::binary);
  std::string image((std::istreambuf_iterator<char>(file)), {});
  CUfunction kernel = loop.load(image.data(), words[2]);
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  readSizes(words[3], grid);
  readSizes(words[4], block);
  CUlaunchConfig config = {};
  config.gridDimX = grid[0];
  config.gridDimY = grid[1];
  config.gridDimZ = grid[2];
  config.blockDimX = block[0];
  config.blockDimY = block[1];
  config.blockDimZ = block[2];
  config.sharedMemBytes = static_cast<unsigned>(std::atoi(words[5]));
  config.hStream = loop.queue();
  loop.limitShared(kernel, config.sharedMemBytes);
  std::vector<void *> args;
  for (int i = 7; i < count; ++i)
    args.push_back(loop.argument(words[i]));
  std::vector<double> cold, warm;
  int repeats = std::atoi(words[6]);
  for (int i = -3; i < repeats; ++i) {
    double taken = loop.timed(config, kernel, args.data(), /*cold=*/true);
    if (i >= 0)
      cold.push_back(taken);
  }
  for (int i = 0; i < repeats; ++i)
    warm.push_back(loop.timed(config, kernel, args.data(), /*cold=*/false));
  std::printf("{");
  print("cold", cold);
  std::printf(", ");
  print("warm", warm);
  std::printf("}\n");
}
