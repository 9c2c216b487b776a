//===- Rules/Undefined.h - Operands that give no defined result -*- C++ -*-===//
//
// PyTorch, C and PTX leave open what an integer quotient by zero is, and what a
// NaN, an infinity or a value out of range becomes as an integer: each device
// and each compiler has another answer, and honest candidates another than
// stock. So such operands are not drawn, as far as the region's graph tells: a
// divisor that is an argument (moved or negated), and a float argument from
// which an integer is made, whatever is computed on the way.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_UNDEFINED_H
#define KERNELCLAW_LIB_DEVICE_RULES_UNDEFINED_H

#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

/// What is not drawn for one argument.
struct DrawLimits {
  bool nonZero = false;     ///< an integer divisor
  bool finite = false;      ///< becomes an integer
  bool nonNegative = false; ///< ... without sign
  int64_t largest = 0;      ///< ... of few bits: this magnitude; 0: any
};

DrawLimits drawLimits(const KernelSpec &spec, size_t argument);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_UNDEFINED_H
