//===- CanonicalText.cpp - The text that names a computation --------------===//
//
// One line an op, values numbered as they appear. Nothing in it depends on how
// the module was written: no SSA names, locations, symbols or resource keys.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Outline/Outline.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {
class CanonicalPrinter {
public:
  std::string print(func::FuncOp function) {
    os << function.getFunctionType() << "\n";
    printRegion(function.getBody());
    return std::move(text);
  }

private:
  void printRegion(Region &region) {
    for (Block &block : region) {
      os << "^(";
      llvm::interleaveComma(block.getArguments(), os, [&](BlockArgument value) {
        os << "%" << number(value) << ": " << value.getType();
      });
      os << ")\n";
      for (Operation &op : block)
        printOp(op);
    }
  }

  void printOp(Operation &op) {
    StringRef name = kclaw::torch::opName(&op);
    llvm::interleaveComma(op.getResults(), os,
                          [&](Value value) { os << "%" << number(value); });
    os << (op.getNumResults() ? " = " : "")
       << (name.empty() ? op.getName().getStringRef() : name) << "(";
    llvm::interleaveComma(op.getOperands(), os,
                          [&](Value value) { os << "%" << number(value); });
    os << ")";
    printAttributes(op);
    os << " : ";
    llvm::interleaveComma(op.getResultTypes(), os);
    os << "\n";
    for (Region &region : op.getRegions())
      printRegion(region);
  }

  /// Sorted by name. The name attribute of torch.operator is the op's name.
  void printAttributes(Operation &op) {
    bool isOperator = op.getName().getStringRef() == "torch.operator";
    for (NamedAttribute attribute : op.getAttrDictionary()) {
      if (isOperator && attribute.getName() == "name")
        continue;
      os << " " << attribute.getName().strref() << "=";
      if (auto resource =
              dyn_cast<DenseResourceElementsAttr>(attribute.getValue()))
        os << "resource : " << resource.getType();
      else
        os << attribute.getValue();
    }
  }

  unsigned number(Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  }

  std::string text;
  llvm::raw_string_ostream os{text};
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

std::string kclaw::canonicalText(func::FuncOp function) {
  return CanonicalPrinter().print(function);
}
