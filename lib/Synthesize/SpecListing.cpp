//===- SpecListing.cpp - The op graph for people and prompts --------------===//
//
// `v3 = aten.softmax.int(v0, -1, None)  # f32[4, 8]`.
//
//===----------------------------------------------------------------------===//
#include "SpecParts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using llvm::raw_ostream;

namespace kclaw::synthesize {

static void print(raw_ostream &os, bool value) {
  os << (value ? "True" : "False");
}
static void print(raw_ostream &os, int64_t value) { os << value; }
static void print(raw_ostream &os, double value) {
  if (std::isinf(value))
    os << (value < 0 ? "-inf" : "inf");
  else
    os << llvm::format("%.17g", value);
}

namespace {
struct LiteralPrinter {
  raw_ostream &os;
  void operator()(std::monostate) { os << "None"; }
  void operator()(const std::string &text) {
    os << '"';
    llvm::printEscapedString(text, os);
    os << '"';
  }
  template <typename T> void operator()(const std::vector<T> &list) {
    os << "[";
    llvm::interleaveComma(list, os, [&](T value) { print(os, value); });
    os << "]";
  }
  template <typename T> void operator()(const T &value) { print(os, value); }
};
} // namespace

static void printValue(raw_ostream &os, int value) {
  if (value < 0)
    os << "None";
  else
    os << "v" << value;
}

static void printOperand(raw_ostream &os, const GraphOperand &operand) {
  if (operand.isLiteral()) {
    std::visit(LiteralPrinter{os}, operand.literal);
    return;
  }
  bool isList = operand.values.size() > 1;
  os << (isList ? "[" : "");
  llvm::interleaveComma(operand.values, os,
                        [&](int value) { printValue(os, value); });
  os << (isList ? "]" : "");
}

static void printType(raw_ostream &os, const GraphValue &value) {
  os << info(value.dtype).name << "[";
  llvm::interleaveComma(value.shape, os, [&](int64_t size) {
    if (size < 0)
      os << "?";
    else
      os << size;
  });
  os << "]";
}

std::string renderListing(const OpGraph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "def region(";
  llvm::interleaveComma(graph.arguments, os, [&](int value) {
    os << "v" << value << ": ";
    printType(os, graph.values[value]);
  });
  os << "):\n";
  for (const GraphOp &op : graph.ops) {
    os << "  ";
    llvm::interleaveComma(op.results, os,
                          [&](int value) { printValue(os, value); });
    os << " = " << op.name << "(";
    llvm::interleaveComma(op.operands, os, [&](const GraphOperand &operand) {
      printOperand(os, operand);
    });
    os << ")  # ";
    llvm::interleaveComma(
        op.results, os, [&](int value) { printType(os, graph.values[value]); });
    os << "\n";
  }
  os << "  return ";
  llvm::interleaveComma(graph.results, os,
                        [&](int value) { printValue(os, value); });
  os << "\n";
  return text;
}

} // namespace kclaw::synthesize
