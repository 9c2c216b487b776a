//===- Contraction.h - Matmul-like generics ---------------------*- C++ -*-===//
//
// out[b,m,n] = start + sum over k of f(a[b,m,k]) * g(b[b,k,n]), any layout and
// any number of loops in each of b, m, n, k.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_CONTRACTION_H
#define KERNELCLAW_LIB_PLANEXPORT_CONTRACTION_H

#include "GenericBody.h"

namespace kclaw {

/// `value = f(element of one input)`, in the body of the generic.
struct Factor {
  mlir::Value value;
  unsigned input = 0;
};

/// The loops by the operands that they index.
struct Contraction {
  llvm::SmallVector<unsigned> batch, m, n, k;
  Factor left, right; ///< left has m, right has n
};

std::optional<Contraction> matchContraction(const GenericBody &body);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_CONTRACTION_H
