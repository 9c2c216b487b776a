//===- Expect.cpp - Results against expected ones -------------------------===//
//
// Maxima are taken over finite elements; everything else must be equal.
//
//===----------------------------------------------------------------------===//
#include "Expect.h"

#include "kernelclaw/Device/ModuleCheck.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace kclaw {

/// Bound relative to max|res| without an eager reference.
static double relativeBound(DType dtype) {
  switch (dtype) {
  case DType::f64:
    return 1e-12;
  case DType::f16:
    return 1e-3;
  case DType::bf16:
    return 8e-3;
  default:
    return 1e-5;
  }
}

/// What a policy adds.
static double policyShare(RunPolicy policy) {
  switch (policy) {
  case RunPolicy::Strict:
    return 0;
  case RunPolicy::Torch:
  case RunPolicy::Tf32:
    return tf32Bound();
  case RunPolicy::Loose:
    return 1e-2;
  }
  return 0;
}

static std::string at(const Array &array, size_t index) {
  std::string text = "]";
  for (size_t dim = array.shape.size(); dim-- > 0;) {
    text = (dim ? "," : "") + std::to_string(index % array.shape[dim]) + text;
    index /= array.shape[dim];
  }
  return "[" + text;
}

static std::string format(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

static double boundFor(const Array &got, const Array &expected,
                       const Array *eager, RunPolicy policy) {
  double maxExpected = 0, maxEager = 0;
  for (size_t i = 0; i < expected.count(); ++i) {
    double value = expected.number(i);
    if (!std::isfinite(value))
      continue;
    maxExpected = std::max(maxExpected, std::fabs(value));
    double error = eager ? std::fabs(eager->number(i) - value) : 0;
    if (std::isfinite(error))
      maxEager = std::max(maxEager, error);
  }
  double share = policyShare(policy) * maxExpected;
  if (eager)
    return share + 4 * maxEager + 1e-6 * std::max(1.0, maxExpected);
  return share + relativeBound(got.dtype) * maxExpected;
}

static ArrayComparison compareIntegers(const Array &got,
                                       const Array &expected) {
  ArrayComparison result;
  result.passed = true;
  for (size_t i = 0; i < got.count(); ++i) {
    int64_t a = got.integer(i), b = expected.integer(i);
    if (a == b)
      continue;
    result.largestError =
        std::max(result.largestError,
                 std::fabs(static_cast<double>(a) - static_cast<double>(b)));
    if (result.passed)
      result.reason = at(got, i) + " is " + std::to_string(a) + ", " +
                      std::to_string(b) + " expected";
    result.passed = false;
  }
  return result;
}

static ArrayComparison compareFloats(const Array &got, const Array &expected,
                                     double bound) {
  ArrayComparison result;
  result.passed = true;
  result.bound = bound;
  for (size_t i = 0; i < got.count(); ++i) {
    double a = got.number(i), b = expected.number(i);
    double error = std::fabs(a - b);
    bool same = a == b || (std::isnan(a) && std::isnan(b));
    if (std::isfinite(error))
      result.largestError = std::max(result.largestError, error);
    if (same || error <= bound)
      continue;
    if (result.passed)
      result.reason =
          at(got, i) + " is " + format(a) + ", " + format(b) + " expected";
    result.passed = false;
  }
  return result;
}

ArrayComparison compare(const Array &got, const Array &expected,
                        const Array *eager, RunPolicy policy) {
  if (got.shape != expected.shape)
    return {.reason = "is " + describe(got.dtype, got.shape) + ", " +
                      describe(expected.dtype, expected.shape) + " expected"};
  if (!isFloat(got.dtype) && !isFloat(expected.dtype))
    return compareIntegers(got, expected);
  if (eager && eager->shape != expected.shape)
    eager = nullptr;
  return compareFloats(got, expected, boundFor(got, expected, eager, policy));
}

static const Array *find(const Arrays &arrays, const std::string &key) {
  auto found = arrays.find(key);
  return found == arrays.end() ? nullptr : &found->second;
}

Expected<bool> compareAll(const std::vector<Array> &results,
                          const Arrays &expected, RunPolicy policy) {
  size_t count = 0;
  while (find(expected, "res" + std::to_string(count)))
    ++count;
  if (count != results.size())
    return makeError(Error::Code::Invalid,
                     "the module has " + std::to_string(results.size()) +
                         " results, the file of expected ones " +
                         std::to_string(count) + " (res0, res1, ...)");
  bool passed = true;
  for (size_t i = 0; i < count; ++i) {
    std::string key = "res" + std::to_string(i);
    ArrayComparison one = compare(results[i], *find(expected, key),
                                  find(expected, "eager32_" + key), policy);
    std::printf("%s: %s, largest error %.3g, bound %.3g%s%s\n", key.c_str(),
                one.passed ? "PASS" : "FAIL", one.largestError, one.bound,
                one.passed ? "" : ": ", one.reason.c_str());
    passed &= one.passed;
  }
  return passed;
}

} // namespace kclaw
