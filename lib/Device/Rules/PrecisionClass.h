//===- Rules/PrecisionClass.h - The precision that was really met *- C++
//-*-===//
//
// Told from the measured error, whatever was asked for: the arithmetic whose
// rounding would leave an error of that size.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_PRECISIONCLASS_H
#define KERNELCLAW_LIB_DEVICE_RULES_PRECISIONCLASS_H

#include "kernelclaw/Support/DType.h"

#include <string>

namespace kclaw {

class PrecisionClass {
public:
  /// `relativeNorm` of a float result on ordinary data (normal, uniform).
  void add(DType result, double relativeNorm);
  /// "f64", "f32", "tf32" (f16 operands leave the same error), "bf16", "low";
  /// of results narrower than f32 "f16" or "bf16" while only their own rounding
  /// is seen; the worst over the results. "exact" without float results.
  std::string name() const;

private:
  int worst = -1; ///< row of the table
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_PRECISIONCLASS_H
