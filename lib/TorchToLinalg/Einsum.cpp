//===- Einsum.cpp - Einstein sums -----------------------------------------===//
//
// einsum(equation, operands): one operand is a sum of its elements, two are one
// contraction; more are folded from the left, as PyTorch does without a path.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace kclaw {

namespace {
struct Term {
  Tensor tensor;
  std::string labels; ///< one letter a dim
};
} // namespace

/// Replaces "..." by labels below the letters, in order: sorted, they come
/// first and keep their order.
static std::string expandDots(StringRef labels, int64_t rank) {
  std::string text = labels.str();
  size_t at = text.find("...");
  if (at == std::string::npos)
    return text;
  std::string batch;
  int64_t count = rank - static_cast<int64_t>(text.size() - 3);
  for (int64_t i = 0; i < count; ++i) // aligned at the right, as broadcasting
    batch.insert(batch.begin(), static_cast<char>('\x1f' - i));
  return text.replace(at, 3, batch);
}

/// Sums products of the terms over every label that is not in `kept`.
static Tensor join(OpContext &c, ArrayRef<Term> terms, StringRef kept) {
  std::string loops = kept.str();
  for (const Term &term : terms)
    for (char label : term.labels)
      if (loops.find(label) == std::string::npos)
        loops.push_back(label);
  Sizes domain(loops.size(), c.fixed(1));
  for (const Term &term : terms)
    for (auto [dim, label] : llvm::enumerate(term.labels))
      if (term.tensor.shape()[dim] != 1)
        domain[loops.find(label)] = c.size(term.tensor, dim);
  SmallVector<Input> inputs;
  for (const Term &term : terms) {
    SmallVector<AffineExpr> exprs;
    for (auto [dim, label] : llvm::enumerate(term.labels)) {
      size_t loop = loops.find(label);
      bool repeated =
          term.tensor.shape()[dim] == 1 && domain[loop] != c.fixed(1);
      exprs.push_back(repeated ? c.c(0) : c.d(loop));
    }
    inputs.emplace_back(term.tensor, c.map(loops.size(), exprs));
  }
  Dims over = dimRange(kept.size(), loops.size());
  if (inputs.size() == 2)
    return c.contract(inputs[0], inputs[1], domain, over, c.dtype());
  return c.sum(inputs, domain, over, c.computeDtype(c.dtype()),
               [](Body, ArrayRef<Num> x) { return x[0]; });
}

static void einsum(OpContext &c) {
  std::string equation = c.text(0).str();
  llvm::erase(equation, ' ');
  SmallVector<Tensor> tensors = c.tensors(1);
  auto [left, right] = StringRef(equation).split("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != tensors.size())
    return c.fail("equation \"" + equation + "\" does not fit its operands");
  SmallVector<Term> terms;
  for (auto [part, tensor] : llvm::zip(parts, tensors)) {
    terms.push_back({tensor, expandDots(part, tensor.rank())});
    if (terms.back().labels.size() != static_cast<size_t>(tensor.rank()))
      return c.fail("equation \"" + equation + "\" does not fit its operands");
  }
  std::string output = expandDots(right, c.resultShape().size());
  if (!StringRef(equation).contains("->")) { // letters that occur once, sorted
    std::string all;
    for (const Term &term : terms)
      all += term.labels;
    for (char label : all)
      if (llvm::count(all, label) == 1 || label < ' ')
        if (output.find(label) == std::string::npos)
          output.push_back(label);
    llvm::sort(output);
  }
  while (terms.size() > 2) {
    std::string kept;
    for (const Term &term : ArrayRef(terms).take_front(2))
      for (char label : term.labels) {
        bool later =
            output.find(label) != std::string::npos ||
            llvm::any_of(ArrayRef(terms).drop_front(2), [&](const Term &other) {
              return other.labels.find(label) != std::string::npos;
            });
        if (later && kept.find(label) == std::string::npos)
          kept.push_back(label);
      }
    Tensor joined = join(c, ArrayRef(terms).take_front(2), kept);
    terms.erase(terms.begin());
    terms[0] = {joined, kept};
  }
  c.set(join(c, terms, output));
}

OpRows einsumRows() {
  static constexpr OpRow rows[] = {{"aten.einsum", einsum}};
  return rows;
}

} // namespace kclaw
