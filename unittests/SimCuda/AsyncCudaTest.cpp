//===- AsyncCudaTest.cpp - cuda::pipeline, cuda::barrier, cooperative groups -//
//
// What the CUDA headers make of asynchronous copies, through NVRTC.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

using namespace kclaw::sim;

namespace {

const char *copySource = R"(
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void pipe(const float *in, float *out, int steps) {
  __shared__ float s[2][128];
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int fetch = 0, step = 0; step < steps; ++step) {
    for (; fetch < steps && fetch < step + 2; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, s[fetch % 2], in + fetch * 128, sizeof(float) * 128, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += s[step % 2][127 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void thread_pipe(const float *in, float *out, int steps) {
  __shared__ float s[2][128];
  auto pipeline = cuda::make_pipeline();
  float sum = 0;
  for (int fetch = 0, step = 0; step < steps; ++step) {
    for (; fetch < steps && fetch < step + 2; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&s[fetch % 2][threadIdx.x], in + fetch * 128 + threadIdx.x, cuda::aligned_size_t<4>(4), pipeline);
      pipeline.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    if (step + 1 == steps) cuda::pipeline_consumer_wait_prior<0>(pipeline);
    sum += s[step % 2][threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void bar(const float *in, float *out) {
  __shared__ alignas(16) float s[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&b, block.size());
  block.sync();
  cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(512), b);
  auto token = b.arrive();
  b.wait(cuda::std::move(token));
  out[threadIdx.x] = s[127 - threadIdx.x];
  b.arrive_and_wait();
  s[threadIdx.x] = threadIdx.x;
  b.arrive_and_wait();
  out[threadIdx.x] += s[127 - threadIdx.x];
}
extern "C" __global__ void cgcopy(const float *in, float *out) {
  __shared__ float s[128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(float) * 128);
  cg::wait(block);
  out[threadIdx.x] = s[127 - threadIdx.x];
}
)";

const char *clusterSource = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2,1,1) clus(const float *in, float *out) {
  __shared__ float s[128];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  cluster.sync();
  float *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  out[blockIdx.x * 128 + threadIdx.x] = other[threadIdx.x] + cluster.num_blocks() + cluster.query_shared_rank(other);
  atomicAdd(other + threadIdx.x, 1.0f);
  cluster.sync();
  out[blockIdx.x * 128 + threadIdx.x] += s[threadIdx.x] * 1000;
}
)";

std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = float(i);
  return values;
}

std::string compile(const char *source) {
  return compileCuda(source, "compute_90a", {"--std=c++17"});
}

TEST(AsyncCuda, PipelinesAndBarriersOfLibcudacxx) {
  std::string ptx = compile(copySource);
  Machine machine(ptx);
  const int steps = 5;
  auto in = machine.upload(numbers(128 * steps));
  auto out = machine.allocate<float>(128);
  machine.run("pipe", {1}, {128}, in, out, steps);
  for (unsigned i = 0; i < 128; ++i)
    ASSERT_EQ(out[i], float(5 * (127 - i) + 128 * 10)) << "pipe";
  machine.run("thread_pipe", {1}, {128}, in, out, steps);
  for (unsigned i = 0; i < 128; ++i)
    ASSERT_EQ(out[i], float(5 * i + 128 * 10)) << "thread_pipe";
  machine.run("bar", {1}, {128}, in, out);
  for (unsigned i = 0; i < 128; ++i)
    ASSERT_EQ(out[i], float(2 * (127 - i))) << "bar";
  machine.run("cgcopy", {1}, {128}, in, out);
  for (unsigned i = 0; i < 128; ++i)
    ASSERT_EQ(out[i], float(127 - i)) << "cgcopy";
}

TEST(AsyncCuda, ClustersShareMemory) {
  std::string ptx = compile(clusterSource);
  Machine machine(ptx);
  machine.cluster = {2};
  auto in = machine.upload(numbers(512));
  auto out = machine.allocate<float>(512);
  machine.run("clus", {4}, {128}, in, out);
  for (unsigned i = 0; i < 512; ++i) {
    unsigned rank = i / 128 % 2, other = i ^ 128;
    float first = float(other + 2 + (rank ^ 1));
    ASSERT_EQ(out[i], first + float(i + 1) * 1000) << i;
  }
}

} // namespace
