//===- Launch.cpp - cuLaunchKernel* ---------------------------------------===//
#include "Launch.h"

#include <algorithm>
#include <cstdio>

namespace kclaw::sim::api {

namespace {

/// Bytes of parameters since PTX 8.1 on sm_70 and newer.
constexpr size_t maxParameterBytes = 32764;
constexpr size_t gridWorkspaceBytes = 64;

/// The buffer of the `extra` form.
std::pair<const std::byte *, size_t> bufferOf(void **extra) {
  const std::byte *buffer = nullptr;
  const size_t *bytes = nullptr;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<const std::byte *>(extra[1]);
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = static_cast<const size_t *>(extra[1]);
    else
      fail(CUDA_ERROR_INVALID_VALUE);
  }
  require(bytes && (buffer || !*bytes));
  return {buffer, *bytes};
}

uint32_t launchCount(const Dim3 &d) { return d.x * d.y * d.z; }

/// cooperative_groups reads the address of its grid barrier from %envreg.
uintptr_t workspaceOf(Context &context) {
  DeviceMemory &memory = *driver().memory;
  if (!context.gridWorkspace) {
    context.gridWorkspace = memory.allocate(gridWorkspaceBytes);
    require(context.gridWorkspace, CUDA_ERROR_OUT_OF_MEMORY);
    auto *words = reinterpret_cast<uint32_t *>(context.gridWorkspace);
    std::memset(words, 0, gridWorkspaceBytes);
    words[0] = gridWorkspaceBytes;
    memory.find(context.gridWorkspace)->markWritten(0, gridWorkspaceBytes);
  }
  return context.gridWorkspace;
}

LaunchFacts factsOf(const KernelLaunch &launch) {
  const LaunchConfig &c = launch.config;
  LaunchFacts facts;
  facts.blocks = c.grid.count();
  facts.threads = uint32_t(c.block.count());
  facts.sharedBytes =
      launch.kernel->function->sharedBytes + c.dynamicSharedBytes;
  facts.registers = launch.kernel->registers;
  facts.residentBlocks =
      uint32_t(std::max(1, activeBlocks(*launch.kernel, int(facts.threads),
                                        c.dynamicSharedBytes)));
  return facts;
}

/// What shared memory leaves of the L1, for each block that is there.
uint64_t l1Share(const DeviceModel &device, const LaunchFacts &facts) {
  uint64_t perSm =
      (facts.blocks + uint64_t(device.smCount) - 1) / uint64_t(device.smCount);
  uint64_t blocks = std::min<uint64_t>(facts.residentBlocks, perSm);
  uint64_t shared = blocks * (facts.sharedBytes + 1024);
  uint64_t rest =
      uint64_t(device.l1Bytes) - std::min(uint64_t(device.l1Bytes), shared);
  return std::max<uint64_t>(rest / blocks, 4096);
}

} // namespace

void report(const std::string &text) {
  driver().lastReport = text;
  std::fprintf(stderr, "simulated CUDA driver: %s\n", text.c_str());
}

void rebindPointers(KernelLaunch &launch) {
  launch.pointers.clear();
  for (const Kernel::Parameter &parameter : launch.kernel->parameters)
    launch.pointers.push_back(launch.config.parameters.data() +
                              parameter.offset);
}

KernelLaunch makeLaunch(Kernel &kernel, Dim3 grid, Dim3 block,
                        uint32_t dynamicShared, void **parameters,
                        void **extra) {
  KernelLaunch launch;
  launch.kernel = &kernel;
  launch.config.grid = grid;
  launch.config.block = block;
  launch.config.cluster =
      kernel.requiredCluster.x ? kernel.requiredCluster : Dim3{1, 1, 1};
  launch.config.clustered = kernel.requiredCluster.x != 0;
  launch.config.dynamicSharedBytes = dynamicShared;
  auto &bytes = launch.config.parameters;
  bytes.resize(kernel.function->parameterBytes);
  require(!(parameters && extra));
  if (extra) {
    auto [buffer, size] = bufferOf(extra);
    require(size >= bytes.size());
    std::copy_n(buffer, bytes.size(), bytes.data());
  } else {
    require(parameters || kernel.parameters.empty());
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      require(parameters[i]);
      std::memcpy(bytes.data() + kernel.parameters[i].offset, parameters[i],
                  kernel.parameters[i].bytes);
    }
  }
  rebindPointers(launch);
  return launch;
}

void checkLaunch(const KernelLaunch &launch) {
  const LaunchConfig &c = launch.config;
  const Kernel &kernel = *launch.kernel;
  const DeviceModel &model = driver().model();
  require(c.grid.count() && c.block.count());
  require(c.grid.x <= 0x7fffffff && c.grid.y <= 65535 && c.grid.z <= 65535);
  require(c.block.x <= 1024 && c.block.y <= 1024 && c.block.z <= 64);
  require(c.block.count() <= 1024);
  require(c.block.count() <= kernel.maxThreads());
  require(c.parameters.size() <= maxParameterBytes);
  require(c.dynamicSharedBytes <= uint64_t(kernel.maxDynamicShared));
  uint64_t blocks = c.cluster.count();
  if (blocks > 1 || kernel.requiresCluster) {
    require(model.clusters, CUDA_ERROR_NOT_SUPPORTED);
    require(blocks <= (kernel.nonPortableCluster ? 16u : 8u),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
    require(c.grid.x % c.cluster.x == 0 && c.grid.y % c.cluster.y == 0 &&
                c.grid.z % c.cluster.z == 0,
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  }
  if (c.cooperative) {
    uint64_t resident = uint64_t(activeBlocks(kernel, int(c.block.count()),
                                              c.dynamicSharedBytes)) *
                        uint64_t(model.smCount);
    require(c.grid.count() <= resident,
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  }
}

void runLaunch(const KernelLaunch &launch, Stream &stream) {
  Driver &d = driver();
  Grid grid;
  grid.program = launch.kernel->image->program.get();
  grid.kernel = launch.kernel->function;
  grid.config = &launch.config;
  grid.options = {d.options.checks, d.options.threads, d.options.budget};
  grid.memory = d.memory.get();
  grid.launchId = ++d.launches;
  grid.smCount = d.model().smCount;
  grid.parameterMemory = launch.config.parameters;
  if (!d.l2)
    d.l2 = std::make_unique<L2Cache>(
        uint64_t(d.model().l2Bytes * d.model().l2Share));
  d.l2->clean();
  LaunchRecord &record = d.records[d.launches % d.records.size()];
  record = {&d.model(), factsOf(launch), {}};
  grid.l2 = d.l2.get();
  grid.l1Bytes = l1Share(d.model(), record.facts);
  if (launch.config.cooperative)
    grid.workspace = workspaceOf(*stream.context);
  try {
    record.facts.counts = runGrid(grid);
    record.time = estimate(d.model(), record.facts);
    d.clockNanoseconds += uint64_t(record.time.total);
  } catch (const FaultError &error) {
    // Seen by the next call, as with the asynchronous launch of a real device.
    stream.context->sticky = code(error.fault.kind);
    report(error.message);
  }
  d.warpInstructions += grid.instructions.load();
  std::fflush(stdout);
}

static void launch(CUfunction function, Dim3 grid, Dim3 block, uint32_t shared,
                   CUstream handle, void **parameters, void **extra,
                   bool cooperative) {
  Stream &stream = streamOf(handle);
  KernelLaunch what =
      makeLaunch(kernelOf(function), grid, block, shared, parameters, extra);
  what.config.cooperative = cooperative;
  checkLaunch(what);
  enqueue(stream, {std::move(what)});
}

/// Attributes that change what happens; hints are accepted, others are not.
static void apply(const CUlaunchAttribute &attribute, LaunchConfig &config) {
  const CUlaunchAttributeValue &value = attribute.value;
  switch (attribute.id) {
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    config.cluster = {value.clusterDim.x, value.clusterDim.y,
                      value.clusterDim.z};
    require(launchCount(config.cluster), CUDA_ERROR_INVALID_VALUE);
    config.clustered = true;
    return;
  case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    config.cooperative = value.cooperative != 0;
    return;
  default:
    require(int(attribute.id) >= 0 &&
            int(attribute.id) < int(CU_LAUNCH_ATTRIBUTE_MAX));
  }
}

} // namespace kclaw::sim::api

using namespace kclaw::sim;
using namespace kclaw::sim::api;

KCL_API cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                       unsigned bx, unsigned by, unsigned bz, unsigned shared,
                       CUstream stream, void **parameters, void **extra) {
  return call(Needs::Context, [&] {
    launch(f, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters, extra,
           false);
  });
}
KCL_API cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy,
                                  unsigned gz, unsigned bx, unsigned by,
                                  unsigned bz, unsigned shared, CUstream stream,
                                  void **parameters) {
  return call(Needs::Context, [&] {
    launch(f, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters, nullptr,
           true);
  });
}
KCL_API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f,
                         void **parameters, void **extra) {
  return call(Needs::Context, [&] {
    require(config && (config->attrs || !config->numAttrs));
    Stream &stream = streamOf(config->hStream);
    KernelLaunch what = makeLaunch(
        kernelOf(f), {config->gridDimX, config->gridDimY, config->gridDimZ},
        {config->blockDimX, config->blockDimY, config->blockDimZ},
        config->sharedMemBytes, parameters, extra);
    for (unsigned i = 0; i < config->numAttrs; ++i)
      apply(config->attrs[i], what.config);
    checkLaunch(what);
    enqueue(stream, {std::move(what)});
  });
}
