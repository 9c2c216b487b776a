//===- Arrays.h - Tensors on the host ---------------------------*- C++ -*-===//
//
// Row-major arrays with their elements as bytes: what npz files hold and what
// calls read and write.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_ARRAYS_H
#define KERNELCLAW_TOOLS_RUN_ARRAYS_H

#include "kernelclaw/Support/DType.h"
#include "kernelclaw/Support/Error.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace kclaw {

struct Array {
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;

  size_t count() const;
  /// Element as a double; exact for everything but large i64.
  double number(size_t index) const;
  /// Element of an integer or boolean array.
  int64_t integer(size_t index) const;
};

/// By key, in npz files' naming without the "_bf16" ending.
using Arrays = std::map<std::string, Array>;

/// Bytes of an array; an error tells the shape.
Expected<uint64_t> arrayBytes(DType dtype, const std::vector<int64_t> &shape);

/// "f32[3,4]"
std::string describe(DType dtype, const std::vector<int64_t> &shape);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_ARRAYS_H
