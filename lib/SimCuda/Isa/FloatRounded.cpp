//===- FloatRounded.cpp - Float arithmetic in rz, rm and rp ---------------===//
//
// Compiled with -frounding-math: the mode is set around each instruction.
//
//===----------------------------------------------------------------------===//
#include "FloatOps.h"

namespace kclaw::sim {

Handler roundedFloat(FloatForm form, Rounding mode) {
  switch (mode) {
  case Rounding::Down:
    return floatops::chooseOp<Rounding::Down>(form);
  case Rounding::Up:
    return floatops::chooseOp<Rounding::Up>(form);
  default:
    return floatops::chooseOp<Rounding::Zero>(form);
  }
}

} // namespace kclaw::sim
