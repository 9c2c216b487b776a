//===- Image.h - Loaded modules, libraries and kernels ----------*- C++ -*-===//
//
// A module and a library are the same thing here, and so are a function and a
// kernel: there is one device.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_IMAGE_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_IMAGE_H

#include "../Exec/Block.h"
#include "Registry.h"

#include <string>
#include <vector>

namespace kclaw::sim::api {

struct Context;
struct Image;

struct Kernel {
  Image *image = nullptr;
  std::string name;
  const Function *function = nullptr;
  struct Parameter {
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<Parameter> parameters;
  int registers = 0; ///< a rough estimate: no register allocation happens
  unsigned ptxVersion = 0, binaryVersion = 0;
  // Settable attributes:
  int maxDynamicShared = 0, carveout = -1;
  bool nonPortableCluster = false;
  Dim3 requiredCluster = {0, 0, 0};
  int schedulingPolicy = 0;
  unsigned maxThreads() const;
  bool requiresCluster = false;
};

struct Image {
  Context *context = nullptr; ///< of a module; null: a library
  std::unique_ptr<Program> program;
  std::vector<std::unique_ptr<Kernel>> kernels; ///< in the text's order
  Kernel *find(std::string_view name) const;
  ~Image();
};

/// Buffers of the JIT options of a load or link.
class JitLog {
public:
  JitLog(unsigned count, const CUjit_option *options, void **values);
  void info(const std::string &text) { infoText += text; }
  void error(const std::string &text) { errorText += text; }
  /// Copies the texts out and says how long they are.
  void write();
  /// CU_JIT_MAX_REGISTERS; 0: no limit.
  int maxRegisters() const;

private:
  std::string infoText, errorText;
  std::vector<CUjit_option> names;
  void **values;
};

/// What an image holds.
struct ImageTexts {
  std::vector<std::string> texts; ///< PTX
  int maxRegisters = 0;           ///< that it was linked for; 0: no limit
};
/// The PTX texts in whatever cuModuleLoadData accepts: PTX, a fat binary, what
/// cuLinkComplete made. Throws Failure: NO_BINARY_FOR_GPU for a cubin.
ImageTexts ptxTexts(const void *image, JitLog &log);
std::vector<std::string> fatbinTexts(const void *fatbin, JitLog &log);
/// What cuLinkComplete makes of texts: opaque, self-sized.
std::vector<char> packTexts(const ImageTexts &image);

/// Throws Failure with the text in the log.
Image &loadImage(const ImageTexts &texts, JitLog &log, Context *context);
ptx::Module parseText(const std::string &text, JitLog &log);

Image &imageOf(CUmodule module);
/// Accepts functions and kernels.
Kernel &kernelOf(const void *handle);

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_IMAGE_H
