//===- ShippedHeaders.cpp - Standard headers that NVRTC lacks -------------===//
//
// The 64-bit types are `long long`, as in CCCL's <cuda/std/cstdint>, so that a
// source may include both.
//
//===----------------------------------------------------------------------===//
#include "ShippedHeaders.h"

namespace kclaw {

static const char stdintText[] = R"(#ifndef KCLAW_STDINT
#define KCLAW_STDINT
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
#ifndef INT8_MAX
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807ll - 1)
#define INT64_MAX 9223372036854775807ll
#define UINT64_MAX 18446744073709551615ull
#endif
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
}
#endif
)";

static const char mathText[] = R"(#ifndef KCLAW_MATH
#define KCLAW_MATH
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#ifndef HUGE_VALF
#define HUGE_VALF INFINITY
#endif
#endif
)";

static const char limitsText[] = R"(#ifndef KCLAW_LIMITS
#define KCLAW_LIMITS
#ifndef CHAR_BIT
#define CHAR_BIT 8
#endif
#ifndef SCHAR_MIN
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#endif
#ifndef SHRT_MIN
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#endif
#ifndef INT_MIN
#define INT_MIN (-2147483647 - 1)
#endif
#ifndef INT_MAX
#define INT_MAX 2147483647
#endif
#ifndef UINT_MAX
#define UINT_MAX 4294967295u
#endif
#ifndef LLONG_MAX
#define LLONG_MIN (-9223372036854775807ll - 1)
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#endif
#endif
)";

static const char floatText[] = R"(#ifndef KCLAW_FLOAT
#define KCLAW_FLOAT
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#endif
#ifndef DBL_MAX
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
#endif
)";

static const char stddefText[] = R"(#ifndef KCLAW_STDDEF
#define KCLAW_STDDEF
typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
#ifndef NULL
#define NULL 0
#endif
#endif
)";

// cuda.h, which declares CUtensorMap, includes it.
static const char stdlibText[] = R"(#ifndef KCLAW_STDLIB
#define KCLAW_STDLIB
#include <stddef.h>
#endif
)";

std::vector<NamedText> shippedHeaders() {
  return {{"cstdint", stdintText}, {"stdint.h", stdintText},
          {"cmath", mathText},     {"math.h", mathText},
          {"climits", limitsText}, {"limits.h", limitsText},
          {"cfloat", floatText},   {"float.h", floatText},
          {"cstddef", stddefText}, {"stddef.h", stddefText},
          {"cstdlib", stdlibText}, {"stdlib.h", stdlibText}};
}

} // namespace kclaw
