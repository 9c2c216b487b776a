//===- Arrays.cpp - Tensors on the host -----------------------------------===//
//
// Elements as numbers; the 16-bit floats are decoded here.
//
//===----------------------------------------------------------------------===//
#include "Arrays.h"

#include "kernelclaw/Support/ByteSize.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace kclaw {

template <typename T> static T element(const Array &array, size_t index) {
  T value;
  std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

static double halfToDouble(uint16_t bits) {
  double sign = bits & 0x8000 ? -1.0 : 1.0;
  int exponent = bits >> 10 & 0x1f;
  int mantissa = bits & 0x3ff;
  if (exponent == 31)
    return mantissa ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

size_t Array::count() const {
  size_t total = 1;
  for (int64_t size : shape)
    total *= static_cast<size_t>(size);
  return total;
}

double Array::number(size_t index) const {
  switch (dtype) {
  case DType::f64:
    return element<double>(*this, index);
  case DType::f32:
    return element<float>(*this, index);
  case DType::f16:
    return halfToDouble(element<uint16_t>(*this, index));
  case DType::bf16:
    return std::bit_cast<float>(
        static_cast<uint32_t>(element<uint16_t>(*this, index)) << 16);
  default:
    return static_cast<double>(integer(index));
  }
}

int64_t Array::integer(size_t index) const {
  switch (dtype) {
  case DType::i64:
    return element<int64_t>(*this, index);
  case DType::i32:
    return element<int32_t>(*this, index);
  case DType::i16:
    return element<int16_t>(*this, index);
  case DType::i8:
    return element<int8_t>(*this, index);
  default:
    return element<uint8_t>(*this, index);
  }
}

Expected<uint64_t> arrayBytes(DType dtype, const std::vector<int64_t> &shape) {
  if (std::optional<int64_t> bytes = byteSize(shape, info(dtype).sizeBytes))
    return static_cast<uint64_t>(*bytes);
  return makeError(Error::Code::Invalid,
                   describe(dtype, shape) + " has more than 2^63-1 bytes");
}

std::string describe(DType dtype, const std::vector<int64_t> &shape) {
  std::string text(info(dtype).name);
  text += "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

} // namespace kclaw
