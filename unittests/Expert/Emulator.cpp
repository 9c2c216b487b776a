//===- Emulator.cpp - Runs a plan's kernels on the CPU --------------------===//
//
// Buffers are 256-byte aligned, as the spec promises; unaligned access traps.
//
//===----------------------------------------------------------------------===//
#include "Emulator.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <unistd.h>

#include "emulation/cuda_bf16.h"
#include "emulation/cuda_fp16.h"

namespace kclaw::test {
namespace {

template <typename Visit> void withType(DType type, Visit visit) {
  switch (type) {
  case DType::f64:
    return visit(double());
  case DType::f32:
    return visit(float());
  case DType::f16:
    return visit(__half());
  case DType::bf16:
    return visit(__nv_bfloat16());
  case DType::i64:
    return visit(int64_t());
  case DType::i32:
    return visit(int32_t());
  case DType::i16:
    return visit(int16_t());
  case DType::i8:
    return visit(int8_t());
  case DType::u8:
    return visit(uint8_t());
  case DType::boolean:
    return visit(uint8_t());
  }
}

constexpr size_t guardBytes = 256;

/// Memory with guard bytes on both sides.
class Buffer {
public:
  explicit Buffer(size_t size)
      : size(size), memory(static_cast<uint8_t *>(std::aligned_alloc(
                        256, (size + 2 * guardBytes + 255) / 256 * 256))) {
    std::memset(memory.get(), 0xA5, size + 2 * guardBytes);
  }
  uint8_t *data() { return memory.get() + guardBytes; }
  bool intact() const {
    for (size_t i = 0; i < guardBytes; ++i)
      if (memory.get()[i] != 0xA5 ||
          memory.get()[guardBytes + size + i] != 0xA5)
        return false;
    return true;
  }
  size_t size;

private:
  struct Free {
    void operator()(uint8_t *p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t, Free> memory;
};

size_t bytesOf(const TensorSpec &tensor) {
  size_t bytes = info(tensor.dtype).sizeBytes;
  for (const Dim &dim : tensor.dims)
    bytes *= size_t(dim.value);
  return bytes;
}

/// Compiles and loads `source`; null with `error` set on failure.
void *load(const std::string &source, const KernelSpec &spec,
           std::string &error) {
  char folder[] = "/tmp/kclaw-emulate-XXXXXX";
  if (!mkdtemp(folder)) {
    error = "cannot make a folder under /tmp";
    return nullptr;
  }
  std::string base = std::string(folder) + "/kernel";
  std::ofstream(std::string(folder) + "/claw_spec.h") << renderSpecHeader(spec);
  std::ofstream(base + ".cpp") << "#include \"cuda_emulation.h\"\n" << source;
  std::string command =
      std::string(KCLAW_TEST_CXX) +
      " -std=c++20 -O0 -w -shared -fPIC -fvisibility=hidden "
      "-fsanitize=alignment "
      "-fsanitize-undefined-trap-on-error -I " KCLAW_TEST_EMULATION " " +
      base + ".cpp -o " + base + ".so > " + base + ".log 2>&1";
  void *library = nullptr;
  if (std::system(command.c_str()) != 0) {
    std::ifstream log(base + ".log");
    error = std::string(std::istreambuf_iterator<char>(log), {}) + source;
  } else if (library = dlopen((base + ".so").c_str(), RTLD_NOW); !library) {
    error = dlerror();
  }
  std::filesystem::remove_all(folder);
  return library;
}

Bindings bindingsOf(const Plan &plan, const KernelSpec &spec) {
  Bindings names;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        names[dim.name] = dim.value;
  for (const Tunable &tunable : plan.tunables)
    names[tunable.name] = tunable.chosen;
  return names;
}

} // namespace

Bytes encode(const std::vector<double> &values, DType type) {
  Bytes bytes(values.size() * info(type).sizeBytes);
  withType(type, [&](auto zero) {
    for (size_t i = 0; i < values.size(); ++i) {
      using T = decltype(zero);
      T element = std::is_class_v<T> ? T(float(values[i])) : T(values[i]);
      std::memcpy(&bytes[i * sizeof(T)], &element, sizeof(T));
    }
  });
  return bytes;
}

std::vector<double> decode(const Bytes &bytes, DType type) {
  std::vector<double> values(bytes.size() / info(type).sizeBytes);
  withType(type, [&](auto zero) {
    for (size_t i = 0; i < values.size(); ++i) {
      decltype(zero) element;
      std::memcpy(&element, &bytes[i * sizeof(element)], sizeof(element));
      values[i] = double(element);
    }
  });
  return values;
}

EmulationResult emulate(const Plan &plan, const KernelSpec &spec,
                        const std::vector<std::vector<double>> &arguments) {
  EmulationResult out;
  Bindings names = bindingsOf(plan, spec);
  std::map<std::string, std::unique_ptr<Buffer>> buffers;
  for (const PlanBuffer &buffer : plan.buffers) {
    size_t size = 0;
    if (buffer.kind == PlanBuffer::Kind::Argument)
      size = bytesOf(spec.arguments[size_t(buffer.index)]);
    else if (buffer.kind == PlanBuffer::Kind::Result)
      size = bytesOf(spec.results[size_t(buffer.index)]);
    else
      size = size_t(buffer.sizeBytes.evaluate(names).value_or(0));
    auto memory = std::make_unique<Buffer>(size);
    if (buffer.kind == PlanBuffer::Kind::Argument) {
      size_t index = size_t(buffer.index);
      Bytes bytes = encode(arguments[index], spec.arguments[index].dtype);
      std::memcpy(memory->data(), bytes.data(), bytes.size());
    }
    buffers[buffer.name] = std::move(memory);
  }
  for (const Step &step : plan.steps) {
    const KernelStep &kernel = std::get<KernelStep>(step);
    std::string source;
    for (const PlanModule &module : plan.modules)
      if (module.name == kernel.module)
        source = module.source;
    void *library = load(source, spec, out.error);
    if (!library)
      return out;
    auto *launch =
        reinterpret_cast<int (*)(void *, void **, unsigned, unsigned,
                                 unsigned)>(dlsym(library, "emulateLaunch"));
    std::vector<void *> args;
    for (const PlanArg &arg : kernel.args)
      args.push_back(buffers.at(arg.buffer)->data() +
                     arg.value.evaluate(names).value_or(0));
    args.resize(32); // as many as the emulated call passes
    auto number = [&](const Expr &expr) {
      return unsigned(expr.evaluate(names).value_or(0));
    };
    int status = launch(dlsym(library, kernel.entry.c_str()), args.data(),
                        number(kernel.grid[0]), number(kernel.grid[1]),
                        number(kernel.block[0]));
    if (status != 0)
      out.error = "deadlock in " + kernel.entry;
    dlclose(library);
  }
  for (const auto &[name, buffer] : buffers)
    if (!buffer->intact())
      out.error = "wrote outside of " + name;
  for (size_t i = 0; i < spec.results.size(); ++i)
    for (const PlanBuffer &buffer : plan.buffers)
      if (buffer.kind == PlanBuffer::Kind::Result && buffer.index == int(i)) {
        Buffer &memory = *buffers.at(buffer.name);
        out.results.push_back(
            decode(Bytes(memory.data(), memory.data() + memory.size),
                   spec.results[i].dtype));
      }
  return out;
}

} // namespace kclaw::test
