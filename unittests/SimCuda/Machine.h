//===- Machine.h - A simulated device for tests -----------------*- C++ -*-===//
//
// PTX text (or CUDA source, through NVRTC) in, kernels to run. Arguments are
// values or Buffers, in the order of the kernel's parameters.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SIMCUDA_MACHINE_H
#define KERNELCLAW_UNITTESTS_SIMCUDA_MACHINE_H

#include "SimCuda/Exec/Block.h"
#include "SimCuda/Exec/Fault.h"
#include "SimCuda/Ptx/Parse.h"
#include "kernelclaw/Cuda/NvrtcApi.h"

#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>

namespace kclaw::sim {

template <class T> struct Buffer {
  uintptr_t address = 0;
  size_t count = 0;
  T *data() const { return reinterpret_cast<T *>(address); }
  T &operator[](size_t i) const { return data()[i]; }
  std::vector<T> values() const { return {data(), data() + count}; }
};

class Machine {
public:
  explicit Machine(const std::string &ptx) {
    std::vector<ptx::Module> modules;
    modules.push_back(ptx::parse(ptx));
    program = Program::build(std::move(modules), memory);
  }

  /// Defined bytes: the host wrote them.
  template <class T> Buffer<T> upload(const std::vector<T> &values) {
    Buffer<T> buffer = allocate<T>(values.size());
    std::memcpy(buffer.data(), values.data(), values.size() * sizeof(T));
    memory.find(buffer.address)->markWritten(0, values.size() * sizeof(T));
    return buffer;
  }
  /// Bytes that nothing has written.
  template <class T> Buffer<T> allocate(size_t count) {
    return {memory.allocate(count * sizeof(T)), count};
  }

  template <class... Args>
  Counts run(const std::string &kernel, Dim3 grid, Dim3 block, Args... args) {
    const Function &function = find(kernel);
    std::vector<std::byte> parameters(function.parameterBytes);
    size_t index = 0;
    (put(function, parameters, index++, args), ...);
    return runWithBytes(kernel, grid, block, parameters);
  }

  /// `parameters`: all of the kernel's, as they lie in memory.
  Counts runWithBytes(const std::string &kernel, Dim3 grid, Dim3 block,
                      const std::vector<std::byte> &parameters) {
    LaunchConfig config;
    config.grid = grid;
    config.block = block;
    config.cluster = cluster;
    config.clustered = clustered || cluster.count() > 1;
    config.cooperative = cooperative;
    config.dynamicSharedBytes = dynamicShared;
    config.parameters = parameters;
    Grid launch;
    launch.program = program.get();
    launch.kernel = &find(kernel);
    launch.config = &config;
    launch.options = options;
    launch.memory = &memory;
    launch.smCount = 132;
    launch.l2 = l2;
    launch.l1Bytes = l1Bytes;
    launch.parameterMemory = config.parameters;
    return runGrid(launch);
  }

  DeviceMemory memory{uint64_t(4) << 30};
  std::unique_ptr<Program> program;
  ExecOptions options;
  Dim3 cluster;
  bool cooperative = false;
  bool clustered = false; ///< by a cluster of one block too
  uint32_t dynamicShared = 0;
  L2Cache *l2 = nullptr; ///< null: caches are not modelled
  uint64_t l1Bytes = 0;

private:
  const Function &find(const std::string &kernel) const {
    const Function *function = program->find(kernel);
    if (!function)
      throw std::runtime_error("no kernel " + kernel);
    return *function;
  }
  template <class T> static T raw(T value) { return value; }
  template <class T> static uintptr_t raw(Buffer<T> buffer) {
    return buffer.address;
  }
  template <class T>
  static void put(const Function &function, std::vector<std::byte> &parameters,
                  size_t index, T argument) {
    auto value = raw(argument);
    const std::string &name = function.ast->parameters[index].name;
    std::memcpy(parameters.data() + function.parameterOffsets.at(name), &value,
                sizeof value);
  }
};

/// CUDA source to PTX. Throws, which fails the test, without NVRTC and when
/// the source does not compile.
inline std::string compileCuda(const std::string &source,
                               const std::string &arch = "compute_90a",
                               std::vector<std::string> options = {}) {
  const Expected<NvrtcApi> &nvrtc = NvrtcApi::get();
  if (!nvrtc)
    throw std::runtime_error("this test needs NVRTC (utils/setup.sh): " +
                             nvrtc.error().message);
  nvrtcProgram program = nullptr;
  nvrtc->nvrtcCreateProgram(&program, source.c_str(), "test.cu", 0, nullptr,
                            nullptr);
  options.push_back("--gpu-architecture=" + arch);
  options.push_back("-lineinfo");
  for (const std::string &root : findIncludeRoots())
    options.push_back("-I" + root);
  std::vector<const char *> flags;
  for (const std::string &option : options)
    flags.push_back(option.c_str());
  nvrtcResult result =
      nvrtc->nvrtcCompileProgram(program, int(flags.size()), flags.data());
  size_t size = 0;
  nvrtc->nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtc->nvrtcGetProgramLog(program, log.data());
  if (result != NVRTC_SUCCESS) {
    nvrtc->nvrtcDestroyProgram(&program);
    throw std::runtime_error("NVRTC refuses the source:\n" + log);
  }
  nvrtc->nvrtcGetPTXSize(program, &size);
  std::string ptx(size, '\0');
  nvrtc->nvrtcGetPTX(program, ptx.data());
  nvrtc->nvrtcDestroyProgram(&program);
  return ptx;
}

} // namespace kclaw::sim

#endif // KERNELCLAW_UNITTESTS_SIMCUDA_MACHINE_H
