// ---- The harness: allocates, draws, runs, compares and times. -------------
//
// repro [options]; exit code 0: right, 1: wrong, 2: could not be run.
//   --draw=NAME        only these data (names are printed)
//   --once             run the candidate once on the first data and stop: for
//                      compute-sanitizer and ncu
//   --exact-alignment  tensors lie at exactly their declared alignment
//   --time=N           N timed runs (default 50; 0: none)
//   --image=FILE       the kernels that this PTX, cubin or fatbin has instead
//                      of those compiled into this program; may be repeated,
//                      the first that has a kernel counts
namespace repro {

inline void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *text = nullptr;
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "%s: %s\n", what, text ? text : "unknown error");
  std::exit(2);
}

struct Tensor {
  const char *name, *dtype;
  int type; // KclType
  std::vector<long long> shape;
  unsigned long long count, bytes, rowLength, alignment;
};

enum class Kind { Argument, Result, Workspace, Persistent, Constant };
struct Buffer {
  const char *name;
  Kind kind;
  int index; // of the tensor
  unsigned long long bytes;
  const unsigned char *data; // of a constant
};

struct Arg {
  int buffer;                // -1: a value
  unsigned long long number; // bytes behind the buffer's start, or the value
};
struct Step {
  enum { Kernel, Memset, Copy } kind;
  // Kernel
  int module;
  const char *entry;
  unsigned grid[3], block[3], cluster[3], sharedBytes;
  bool cooperative;
  std::vector<Arg> args;
  // Memset: to, bytes, value. Copy: from, to, rowBytes, rows, pitches.
  Arg to, from;
  unsigned long long bytes, value, rows, fromPitch, toPitch;
};

struct Kernel {
  const char *entry;
  const void *symbol;
};
struct Module {
  const char *name;
  const Kernel *kernels; // compiled into this program, or null:
  const char *image;     // PTX text, or bytes of a cubin
};

struct Program {
  const char *name;
  bool wide = false; // float results are f64
  std::vector<Buffer> buffers;
  std::vector<Module> modules;
  std::vector<Step> prepare, steps;
  const char *missing = nullptr; // why it cannot be run here, or null
};

struct Draw {
  const char *name;
  std::vector<std::vector<unsigned char>> arguments; // of KclGenerate
  std::vector<bool> follows; // the level is for this argument too
  std::vector<double> bounds; // the family's, one a result
  int level = 0;
  bool special = false; // has NaN and infinities on purpose
};

struct Problem {
  const char *title;
  std::vector<Tensor> arguments, results;
  Program candidate, stock, reference;
  std::vector<Draw> draws;
};
Problem problem(); // below: sizes, launches and data of this kernel

struct Options {
  std::string draw;
  std::vector<std::string> images;
  bool once = false, exactAlignment = false;
  int timed = 50;
};

class Memory {
public:
  Memory() = default;
  Memory(unsigned long long bytes, unsigned long long offset)
      : size(bytes) {
    check(cuMemAlloc(&base, bytes + offset ? bytes + offset : 1),
          "allocating memory");
    start = base + offset;
  }
  CUdeviceptr address() const { return start; }
  unsigned long long bytes() const { return size; }
  void fill(unsigned char value) const {
    if (size)
      check(cuMemsetD8(start, value, size), "filling memory");
  }

private:
  CUdeviceptr base = 0, start = 0;
  unsigned long long size = 0;
};

inline CUfunction functionOf(const std::vector<CUmodule> &images,
                             const void *symbol, const char *entry) {
  CUfunction function = nullptr;
  CUresult result = CUDA_SUCCESS;
  for (CUmodule image : images) {
    result = cuModuleGetFunction(&function, image, entry);
    if (result == CUDA_SUCCESS)
      return function;
    if (result != CUDA_ERROR_NOT_FOUND)
      break;
  }
  if (!symbol || (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_FOUND))
    check(result, entry);
  cudaFunction_t found = nullptr;
  if (cudaError_t error = cudaGetFuncBySymbol(&found, symbol); error) {
    std::fprintf(stderr, "%s: %s\n", entry, cudaGetErrorString(error));
    std::exit(2);
  }
  return reinterpret_cast<CUfunction>(found);
}

// One of candidate, stock and reference with its memory.
class Runner {
public:
  Runner(const Program &program, const Problem &problem,
         const std::vector<Memory> &arguments, const Options &options,
         const std::vector<CUmodule> &candidateImages)
      : program(program) {
    for (const Buffer &buffer : program.buffers) {
      switch (buffer.kind) {
      case Kind::Argument:
        memory.push_back(arguments[buffer.index]);
        break;
      case Kind::Result: {
        const Tensor &tensor = problem.results[buffer.index];
        unsigned long long bytes = program.wide && kclIsFloat(tensor.type)
                                       ? tensor.count * 8
                                       : tensor.bytes;
        memory.push_back(Memory(
            bytes, options.exactAlignment ? tensor.alignment : 0));
        results[buffer.index] = memory.size() - 1;
        break;
      }
      default:
        memory.push_back(Memory(buffer.bytes, 0));
        if (buffer.kind == Kind::Constant && buffer.bytes)
          check(cuMemcpyHtoD(memory.back().address(), buffer.data,
                             buffer.bytes),
                "copying a constant");
      }
    }
    for (const Module &module : program.modules) {
      if (module.kernels) {
        images.push_back(candidateImages);
        continue;
      }
      CUmodule loaded = nullptr;
      check(cuModuleLoadData(&loaded, module.image), module.name);
      images.push_back({loaded});
    }
  }

  CUdeviceptr result(size_t index) {
    return memory[results.at(static_cast<int>(index))].address();
  }
  void poison(unsigned char value) {
    for (size_t i = 0; i < memory.size(); ++i)
      if (program.buffers[i].kind != Kind::Argument &&
          program.buffers[i].kind != Kind::Constant)
        memory[i].fill(value);
  }
  void run() {
    for (const std::vector<Step> *list : {&program.prepare, &program.steps})
      for (const Step &step : *list)
        enqueue(step);
  }
  void runSteps() {
    for (const Step &step : program.steps)
      enqueue(step);
  }

private:
  CUdeviceptr at(const Arg &arg) const {
    return memory[arg.buffer].address() + arg.number;
  }

  void enqueue(const Step &step) {
    if (step.kind == Step::Memset) {
      check(cuMemsetD8Async(at(step.to), static_cast<unsigned char>(step.value),
                            step.bytes, 0),
            "memset step");
      return;
    }
    if (step.kind == Step::Copy) {
      CUDA_MEMCPY2D copy = {};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = at(step.from);
      copy.dstDevice = at(step.to);
      copy.srcPitch = step.rows > 1 ? step.fromPitch : step.bytes;
      copy.dstPitch = step.rows > 1 ? step.toPitch : step.bytes;
      copy.WidthInBytes = step.bytes;
      copy.Height = step.rows;
      check(cuMemcpy2DUnaligned(&copy), "copy step");
      return;
    }
    launch(step);
  }

  void launch(const Step &step) {
    const Module &module = program.modules[step.module];
    const void *symbol = nullptr;
    for (const Kernel *kernel = module.kernels; kernel && kernel->entry;
         ++kernel)
      if (!std::strcmp(kernel->entry, step.entry))
        symbol = kernel->symbol;
    CUfunction function = functionOf(images[step.module], symbol, step.entry);
    if (step.sharedBytes > 48 * 1024)
      check(cuFuncSetAttribute(
                function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                static_cast<int>(step.sharedBytes)),
            "raising the limit of dynamic shared memory");
    std::vector<unsigned long long> values;
    std::vector<void *> pointers;
    for (const Arg &arg : step.args)
      values.push_back(arg.buffer >= 0 ? at(arg) : arg.number);
    for (unsigned long long &value : values)
      pointers.push_back(&value);
    CUlaunchAttribute attributes[2] = {};
    CUlaunchConfig config = {};
    config.gridDimX = step.grid[0];
    config.gridDimY = step.grid[1];
    config.gridDimZ = step.grid[2];
    config.blockDimX = step.block[0];
    config.blockDimY = step.block[1];
    config.blockDimZ = step.block[2];
    config.sharedMemBytes = step.sharedBytes;
    config.attrs = attributes;
    if (step.cluster[0] * step.cluster[1] * step.cluster[2] > 1) {
      CUlaunchAttribute &cluster = attributes[config.numAttrs++];
      cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      cluster.value.clusterDim.x = step.cluster[0];
      cluster.value.clusterDim.y = step.cluster[1];
      cluster.value.clusterDim.z = step.cluster[2];
    }
    if (step.cooperative) {
      CUlaunchAttribute &cooperative = attributes[config.numAttrs++];
      cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      cooperative.value.cooperative = 1;
    }
    check(cuLaunchKernelEx(&config, function, pointers.data(), nullptr),
          step.entry);
  }

  const Program &program;
  std::vector<Memory> memory;
  std::vector<std::vector<CUmodule>> images; // of each module
  std::map<int, size_t> results;
};

struct Verdict {
  double norm = 0, largest = 0;
  unsigned long long wrong = 0, unwritten = 0, nonFinite = 0;
  std::vector<std::string> lines;
};

inline std::vector<unsigned char> download(CUdeviceptr from,
                                           unsigned long long bytes) {
  std::vector<unsigned char> to(bytes);
  if (bytes)
    check(cuMemcpyDtoH(to.data(), from, bytes), "reading back");
  return to;
}

inline double unitRoundoff(int type) {
  const double units[] = {0x1p-53, 0x1p-24, 0x1p-11, 0x1p-8};
  return type <= KclBf16 ? units[type] : 0;
}

// The error of each element in units of its scale: the larger of |want|, the
// RMS of its row of the reference where that is not zero, and u times the RMS of
// the whole. The judge allows more behind a clamp or sigmoid of products.
inline Verdict compare(const Tensor &tensor, CUdeviceptr got, CUdeviceptr want,
                       double bound) {
  bool floating = kclIsFloat(tensor.type);
  std::vector<unsigned char> gotBytes = download(got, tensor.bytes);
  std::vector<unsigned char> wantBytes =
      download(want, floating ? tensor.count * 8 : tensor.bytes);
  Verdict verdict;
  std::vector<double> wants(tensor.count), gots(tensor.count);
  double total = 0, error2 = 0;
  for (unsigned long long i = 0; i < tensor.count; ++i) {
    gots[i] = kclDecode(kclLoad(gotBytes.data(), i, tensor.type), tensor.type);
    double exact = floating
                       ? kclDecode(kclLoad(wantBytes.data(), i, KclF64), KclF64)
                       : kclDecode(kclLoad(wantBytes.data(), i, tensor.type),
                                   tensor.type);
    wants[i] = floating ? kclRound(exact, tensor.type) : exact;
    verdict.nonFinite += !kclFinite(exact);
    if (kclFinite(wants[i]))
      total += wants[i] * wants[i];
  }
  double floor = unitRoundoff(tensor.type) *
                 std::sqrt(total / static_cast<double>(tensor.count));
  for (unsigned long long row = 0; row < tensor.count;
       row += tensor.rowLength) {
    unsigned long long end = std::min(row + tensor.rowLength, tensor.count);
    double sum = 0;
    unsigned long long nonZero = 0;
    for (unsigned long long i = row; i < end; ++i)
      if (kclFinite(wants[i])) {
        sum += wants[i] * wants[i];
        nonZero += wants[i] != 0;
      }
    double scale = std::max(
        nonZero ? std::sqrt(sum / static_cast<double>(nonZero)) : 0.0, floor);
    for (unsigned long long i = row; i < end; ++i) {
      double error = 0;
      if (!floating)
        error = gots[i] != wants[i];
      else if (kclFinite(gots[i]) && kclFinite(wants[i])) {
        double off = std::fabs(gots[i] - wants[i]);
        double own = std::max(scale, std::fabs(wants[i]));
        error = off == 0 ? 0 : own > 0 ? off / own : INFINITY;
        error2 += off * off;
      } else if (!(gots[i] == wants[i] ||
                   (kclNan(gots[i]) && kclNan(wants[i]))))
        error = INFINITY;
      verdict.largest = std::max(verdict.largest, error);
      if (error <= bound)
        continue;
      bool poison = true;
      for (int b = 0; b < kclSize(tensor.type); ++b)
        poison &= gotBytes[i * kclSize(tensor.type) + b] == 0xff;
      verdict.unwritten += poison;
      if (verdict.wrong++ >= 10)
        continue;
      char line[160];
      std::snprintf(line, sizeof line, "    %-12llu %14.7g %14.7g %10.3g%s", i,
                    gots[i], wants[i], error, poison ? "  never written" : "");
      verdict.lines.push_back(line);
    }
  }
  verdict.norm = total > 0 ? std::sqrt(error2 / total) : error2 > 0;
  return verdict;
}

class Session {
public:
  Session(const Problem &problem, const Options &options)
      : problem(problem), options(options) {
    check(cuInit(0), "cuInit");
    CUdevice device = 0;
    CUcontext context = nullptr;
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "opening the device");
    check(cuCtxSetCurrent(context), "opening the device");
    check(cuDeviceGetAttribute(&l2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
                               device),
          "the size of the L2");
    for (const std::string &file : options.images) {
      images.push_back(nullptr);
      check(cuModuleLoad(&images.back(), file.c_str()), file.c_str());
    }
    for (const Tensor &tensor : problem.arguments)
      arguments.push_back(Memory(
          tensor.bytes, options.exactAlignment ? tensor.alignment : 0));
  }

  int run() {
    Runner candidate(problem.candidate, problem, arguments, options, images);
    bool right = true;
    for (const Draw &draw : problem.draws) {
      if (!options.draw.empty() && options.draw != draw.name)
        continue;
      if (options.once)
        return runOnce(candidate, draw);
      right &= judge(candidate, draw);
    }
    if (options.timed > 0)
      time("candidate", candidate);
    if (options.timed > 0 && !problem.stock.missing) {
      Runner stock(problem.stock, problem, arguments, options, images);
      stock.run();
      time("stock", stock);
    }
    return right ? 0 : 1;
  }

private:
  void generate(const Draw &draw, int level) {
    for (size_t i = 0; i < problem.arguments.size(); ++i) {
      KclGenerate params;
      std::memcpy(&params, draw.arguments[i].data(), sizeof params);
      params.data = reinterpret_cast<void *>(arguments[i].address());
      if (draw.follows[i])
        params.level = level;
      void *args[] = {&params};
      unsigned long long blocks =
          std::min((params.count + 255) / 256, 2048ull);
      check(cuLaunchKernel(
                functionOf(images, reinterpret_cast<const void *>(repro_generate),
                           "repro_generate"),
                blocks ? blocks : 1, 1, 1, 256, 1, 1, 0, 0, args, nullptr),
            "drawing data");
    }
    check(cuCtxSynchronize(), "drawing data");
  }

  int runOnce(Runner &candidate, const Draw &draw) {
    generate(draw, draw.level);
    candidate.run();
    check(cuCtxSynchronize(), "the candidate");
    std::printf("ran once on '%s'\n", draw.name);
    return 0;
  }

  bool judge(Runner &candidate, const Draw &draw) {
    if (problem.reference.missing) {
      std::printf("'%s': not compared: %s\n", draw.name,
                  problem.reference.missing);
      generate(draw, draw.level);
      candidate.run();
      check(cuCtxSynchronize(), "the candidate");
      return true;
    }
    if (!reference)
      reference.reset(new Runner(problem.reference, problem, arguments, options,
                                 images));
    if (!stock && !problem.stock.missing)
      stock.reset(
          new Runner(problem.stock, problem, arguments, options, images));
    for (int level = draw.level; level < 3; ++level) {
      generate(draw, level);
      reference->poison(0xff);
      reference->run();
      candidate.poison(0xff);
      candidate.run();
      check(cuCtxSynchronize(), "the candidate");
      if (stock) {
        stock->poison(0xff);
        stock->run();
        check(cuCtxSynchronize(), "stock");
      }
      bool finite = true;
      bool right = true;
      std::string text;
      for (size_t i = 0; i < problem.results.size(); ++i)
        right &= judgeResult(candidate, draw, level, i, finite, text);
      if (!finite && level < 2 && !draw.special)
        continue; // as the judge does: milder data
      std::printf("%s", text.c_str());
      return right;
    }
    return true;
  }

  bool judgeResult(Runner &candidate, const Draw &draw, int level, size_t i,
                   bool &finite, std::string &text) {
    const Tensor &tensor = problem.results[i];
    if (!tensor.count)
      return true;
    double bound = draw.bounds[i];
    char line[256];
    Verdict own;
    if (stock)
      own = compare(tensor, stock->result(i), reference->result(i), bound);
    double stockError = std::max(own.norm, own.largest);
    if (stock && kclIsFloat(tensor.type) && stockError <= bound)
      bound = std::max(bound, 2 * stockError);
    Verdict found =
        compare(tensor, candidate.result(i), reference->result(i), bound);
    finite &= found.nonFinite == 0;
    bool right = found.wrong == 0 && found.norm <= bound;
    std::snprintf(line, sizeof line,
                  "'%s' level %d, result %zu (%s): norm %.3g, largest %.3g, "
                  "allowed %.3g, stock %.3g: %s\n",
                  draw.name, level, i, tensor.dtype, found.norm, found.largest,
                  bound, stockError, right ? "right" : "WRONG");
    text += line;
    if (right)
      return true;
    std::snprintf(line, sizeof line,
                  "    %llu of %llu elements wrong, %llu never written\n"
                  "    %-12s %14s %14s %10s\n",
                  found.wrong, tensor.count, found.unwritten, "element", "got",
                  "want", "error");
    text += line;
    for (const std::string &each : found.lines)
      text += each + "\n";
    return false;
  }

  // Events around the whole program, the L2 overwritten before each run.
  void time(const char *who, Runner &runner) {
    Memory flush(2ull * l2Bytes + (64ull << 20), 0);
    CUevent start, end;
    check(cuEventCreate(&start, CU_EVENT_DEFAULT), "an event");
    check(cuEventCreate(&end, CU_EVENT_DEFAULT), "an event");
    std::vector<float> samples;
    for (int i = 0; i < options.timed + 3; ++i) {
      flush.fill(static_cast<unsigned char>(i));
      check(cuEventRecord(start, 0), "an event");
      runner.runSteps();
      check(cuEventRecord(end, 0), "an event");
      check(cuEventSynchronize(end), who);
      float milliseconds = 0;
      check(cuEventElapsedTime(&milliseconds, start, end), "an event");
      if (i >= 3)
        samples.push_back(milliseconds * 1000);
    }
    std::sort(samples.begin(), samples.end());
    std::printf("%-9s %.2f us, median of %zu runs with a cold L2 (%.2f to "
                "%.2f)\n",
                who, samples[samples.size() / 2], samples.size(),
                samples.front(), samples.back());
  }

  const Problem &problem;
  const Options &options;
  int l2Bytes = 0;
  std::vector<CUmodule> images; // of --image
  std::vector<Memory> arguments;
  std::unique_ptr<Runner> stock, reference;
};

} // namespace repro

int main(int argc, char **argv) {
  repro::Options options;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    auto value = [&](const char *name) {
      return word.rfind(name, 0) == 0 ? word.c_str() + std::strlen(name)
                                      : nullptr;
    };
    if (const char *draw = value("--draw="))
      options.draw = draw;
    else if (const char *file = value("--image="))
      options.images.push_back(file);
    else if (const char *count = value("--time="))
      options.timed = std::atoi(count);
    else if (word == "--once")
      options.once = true;
    else if (word == "--exact-alignment")
      options.exactAlignment = true;
    else {
      std::fprintf(stderr, "unknown option '%s'; the source lists them\n",
                   word.c_str());
      return 2;
    }
  }
  repro::Problem problem = repro::problem();
  std::printf("%s\n", problem.title);
  return repro::Session(problem, options).run();
}
