//===- OpTable.h - Which function lowers which Torch op ---------*- C++ -*-===//
//
// Each family file exports its rows. A row's function reads operands from the
// context and sets the op's results.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_TORCHTOLINALG_OPTABLE_H
#define KERNELCLAW_LIB_TORCHTOLINALG_OPTABLE_H

#include "OpContext.h"

namespace kclaw {

struct OpRow {
  llvm::StringLiteral name; ///< "aten.relu"
  void (*lower)(OpContext &);
};
using OpRows = llvm::ArrayRef<OpRow>;

OpRows pointwiseRows();   ///< Pointwise.cpp: unary functions
OpRows arithmeticRows();  ///< Arithmetic.cpp: binary, scalar, compare, where
OpRows castRows();        ///< Casts.cpp: conversions, copies that are views
OpRows creationRows();    ///< Creation.cpp: full, arange, literals
OpRows scalarRows();      ///< Scalars.cpp: ops on !torch.int, float, bool
OpRows viewRows();        ///< Views.cpp: reshape, permute, expand, squeeze
OpRows sliceRows();       ///< Slices.cpp: slice, select, split, cat, pad, flip
OpRows contractionRows(); ///< Contractions.cpp: mm, bmm, matmul, linear
OpRows einsumRows();      ///< Einsum.cpp
OpRows reductionRows();   ///< Reductions.cpp: sum, mean, max, var, norm, any
OpRows argRows();         ///< ArgReductions.cpp: argmax, max.dim, topk, sort
OpRows softmaxRows();     ///< Softmax.cpp: softmax, log_softmax, logsumexp
OpRows normRows();        ///< Norms.cpp: layer, group, batch, instance, RMS
OpRows convolutionRows(); ///< Convolution.cpp
OpRows poolingRows();     ///< Pooling.cpp: max, avg, adaptive
OpRows indexingRows();    ///< Indexing.cpp: gather, index, embedding, scatter
OpRows scanRows();        ///< Scans.cpp: cumsum, cumprod
OpRows lossRows();        ///< Losses.cpp
OpRows attentionRows();   ///< Attention.cpp
OpRows upsampleRows();    ///< Upsample.cpp
OpRows recurrentRows();   ///< Recurrent.cpp: LSTM, GRU

/// The row of an op, or null.
const OpRow *findRow(llvm::StringRef opName);

} // namespace kclaw

#endif // KERNELCLAW_LIB_TORCHTOLINALG_OPTABLE_H
