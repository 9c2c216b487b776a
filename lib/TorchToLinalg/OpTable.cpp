//===- OpTable.cpp - Which function lowers which Torch op -----------------===//
//
// Joins the rows of the families into one lookup.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "kernelclaw/TorchToLinalg/TorchToLinalg.h"

#include "llvm/ADT/StringMap.h"

namespace kclaw {

static llvm::StringMap<const OpRow *> buildTable() {
  llvm::StringMap<const OpRow *> table;
  for (OpRows (*family)() :
       {pointwiseRows, arithmeticRows,  castRows,      creationRows,
        scalarRows,    viewRows,        sliceRows,     contractionRows,
        einsumRows,    reductionRows,   argRows,       softmaxRows,
        normRows,      convolutionRows, poolingRows,   indexingRows,
        scanRows,      lossRows,        attentionRows, upsampleRows,
        recurrentRows})
    for (const OpRow &row : family())
      table[row.name] = &row;
  return table;
}

const OpRow *findRow(llvm::StringRef opName) {
  static const llvm::StringMap<const OpRow *> table = buildTable();
  return table.lookup(opName);
}

bool canLowerToLinalg(llvm::StringRef opName) {
  return findRow(opName) != nullptr;
}

} // namespace kclaw
