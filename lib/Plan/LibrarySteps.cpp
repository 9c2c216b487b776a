//===- LibrarySteps.cpp - Library steps at concrete sizes -----------------===//
//
// What kcl_steps.h demands of the numbers, said of a plan's fields.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/LibrarySteps.h"
#include "kernelclaw/Plan/Evaluation.h"

#include <algorithm>
#include <map>

namespace kclaw {
namespace {

constexpr int64_t largest = int64_t{1} << 40;

std::unexpected<Error> invalid(const std::string &field,
                               const std::string &why) {
  return makeError(Error::Code::Invalid, field + ": " + why);
}

/// Evaluates one field after another; keeps the first mistake.
class Numbers {
public:
  explicit Numbers(const Bindings &bindings) : bindings(bindings) {}

  int64_t at(const std::string &field, const Expr &expr, int64_t low) {
    Expected<int64_t> value = expr.evaluate(bindings);
    if (!value)
      return fail(field, value.error().message);
    if (*value < low || *value > largest)
      return fail(field, std::to_string(*value) + " is outside [" +
                             std::to_string(low) + ", " +
                             std::to_string(largest) + "]");
    return *value;
  }
  int64_t fail(const std::string &field, const std::string &why) {
    if (failure.message.empty())
      failure = {Error::Code::Invalid, field + ": " + why};
    return 0;
  }
  bool failed() const { return !failure.message.empty(); }
  std::unexpected<Error> error() const {
    return std::unexpected<Error>(failure);
  }

private:
  const Bindings &bindings;
  Error failure;
};

/// Of rows x columns as stored; -1: more than 2^62 bytes.
int64_t matrixBytes(int64_t rows, int64_t columns, int64_t batch,
                    const MatmulNumbers::Matrix &matrix, DType dtype) {
  if (rows == 0 || columns == 0 || batch == 0)
    return 0;
  __int128 elements = static_cast<__int128>(rows - 1) * matrix.ld + columns +
                      static_cast<__int128>(batch - 1) * matrix.batchStride;
  __int128 bytes = elements * info(dtype).sizeBytes;
  return bytes > (__int128{1} << 62) ? -1 : static_cast<int64_t>(bytes);
}

struct ProductRow {
  MatmulCompute compute;
  DType operand, result;
};
constexpr ProductRow products[] = {
    {MatmulCompute::F32, DType::f32, DType::f32},
    {MatmulCompute::F32, DType::f16, DType::f16},
    {MatmulCompute::F32, DType::f16, DType::f32},
    {MatmulCompute::F32, DType::bf16, DType::bf16},
    {MatmulCompute::F32, DType::bf16, DType::f32},
    {MatmulCompute::Tf32, DType::f32, DType::f32},
    {MatmulCompute::F64, DType::f64, DType::f64},
    {MatmulCompute::I32, DType::i8, DType::i32},
};

bool isProduct(const MatmulStep &s) {
  return std::ranges::any_of(products, [&](const ProductRow &row) {
    return row.compute == s.compute && row.operand == s.a.dtype &&
           row.operand == s.b.dtype && row.result == s.d.dtype &&
           (s.beta == 0 || row.result == s.c.dtype);
  });
}

/// A matrix of rows x columns and where it lies.
void addMatrix(Numbers &numbers, const char *name, const PlanMatrix &matrix,
               int64_t rows, int64_t columns, bool written, MatmulNumbers &all,
               MatmulNumbers::Matrix &made) {
  std::string field = name;
  made.ld = numbers.at(field + ".ld", matrix.ld, 0);
  made.batchStride = numbers.at(field + ".batchStride", matrix.batchStride, 0);
  if (matrix.transposed)
    std::swap(rows, columns);
  if (made.ld < columns)
    numbers.fail(field + ".ld", std::to_string(made.ld) +
                                    " is less than a row's " +
                                    std::to_string(columns) + " elements");
  int64_t bytes = matrixBytes(rows, columns, all.batch, made, matrix.dtype);
  if (bytes < 0)
    numbers.fail(field, "more than 2^62 bytes");
  if (!matrix.place.present())
    numbers.fail(field, "missing");
  all.operands.push_back({name, &matrix.place, bytes, written});
}

constexpr DType convolved[] = {DType::f64, DType::f32, DType::f16, DType::bf16};

/// What the output of a dim must be; empty when it is.
std::string outputProblem(const ConvolutionNumbers &c, size_t d,
                          bool transposed) {
  int64_t reach = c.dilation[d] * (c.kernel[d] - 1) + 1;
  int64_t pads = c.padBefore[d] + c.padAfter[d];
  std::string is = "is " + std::to_string(c.out[d]) + ", ";
  if (transposed) {
    int64_t least = (c.in[d] - 1) * c.stride[d] - pads + reach;
    int64_t slack = std::max(c.stride[d], c.dilation[d]);
    if (c.out[d] >= least && c.out[d] < least + slack)
      return {};
    return is + "must be at least " + std::to_string(least) +
           " and less than " + std::to_string(least + slack);
  }
  int64_t room = c.in[d] + pads - reach;
  int64_t want = room < 0 ? 0 : room / c.stride[d] + 1;
  if (room >= 0 && c.out[d] == want)
    return {};
  return is + "must be " + std::to_string(want);
}

/// No kernel, memset, copy or operand uses the workspace.
bool isForLibraries(const Plan &plan, const std::string &name) {
  bool only = true;
  auto other = [&](const std::string &buffer) { only &= buffer != name; };
  forEachLeaf(plan.steps, "", [&](const std::string &, const Step &step) {
    if (const auto *kernel = std::get_if<KernelStep>(&step)) {
      for (const PlanArg &arg : kernel->args)
        other(arg.buffer);
    } else if (const auto *memset = std::get_if<MemsetStep>(&step)) {
      other(memset->buffer);
    } else if (const auto *copy = std::get_if<CopyStep>(&step)) {
      other(copy->source);
      other(copy->target);
    } else if (const auto *matmul = std::get_if<MatmulStep>(&step)) {
      for (const PlanMatrix *matrix :
           {&matmul->a, &matmul->b, &matmul->c, &matmul->d})
        other(matrix->place.buffer);
      other(matmul->bias.buffer);
    } else if (const auto *conv = std::get_if<ConvolutionStep>(&step)) {
      for (const PlanPlace *place :
           {&conv->input, &conv->weight, &conv->bias, &conv->output})
        other(place->buffer);
    }
  });
  return only;
}

} // namespace

Expected<MatmulNumbers> evaluate(const MatmulStep &step,
                                 const Bindings &bindings) {
  if (!isProduct(step))
    return invalid("compute", "no product of these types; there are f32 of "
                              "f32, f16 and bf16 (with results of the same "
                              "type or f32), tf32 of f32, f64 of f64, and i32 "
                              "of i8");
  if (step.epilogue != MatmulEpilogue::None &&
      step.compute == MatmulCompute::I32)
    return invalid("epilogue", "there is none for integers");
  if (hasBias(step.epilogue) != step.bias.present())
    return invalid("bias", step.bias.present()
                               ? "the epilogue uses none"
                               : "missing; the epilogue needs one");
  if (step.c.transposed || step.d.transposed)
    return invalid(step.d.transposed ? "d" : "c", "cannot be transposed");
  Numbers numbers(bindings);
  MatmulNumbers all;
  all.m = numbers.at("m", step.m, 0);
  all.n = numbers.at("n", step.n, 0);
  all.k = numbers.at("k", step.k, 0);
  all.batch = numbers.at("batch", step.batch, 0);
  addMatrix(numbers, "a", step.a, all.m, all.k, false, all, all.a);
  addMatrix(numbers, "b", step.b, all.k, all.n, false, all, all.b);
  if (step.beta != 0)
    addMatrix(numbers, "c", step.c, all.m, all.n, false, all, all.c);
  if (step.bias.present())
    all.operands.push_back(
        {"bias", &step.bias, all.n * info(step.d.dtype).sizeBytes, false});
  addMatrix(numbers, "d", step.d, all.m, all.n, true, all, all.d);
  if (all.batch > 1 && all.d.batchStride == 0)
    numbers.fail("d.batchStride", "0: the results of a batch may not lie in "
                                  "one place");
  if (numbers.failed())
    return numbers.error();
  return all;
}

Expected<ConvolutionNumbers> evaluate(const ConvolutionStep &step,
                                      const Bindings &bindings) {
  if (std::ranges::find(convolved, step.dtype) == std::end(convolved))
    return invalid("dtype", "there are f64, f32, f16, bf16");
  size_t spatial = step.in.size();
  if (spatial < 1 || spatial > 3)
    return invalid("in", "one to three spatial dims expected");
  Numbers numbers(bindings);
  ConvolutionNumbers all;
  all.batch = numbers.at("batch", step.batch, 0);
  all.inChannels = numbers.at("inChannels", step.inChannels, 1);
  all.outChannels = numbers.at("outChannels", step.outChannels, 1);
  all.groups = numbers.at("groups", step.groups, 1);
  struct List {
    const char *name;
    const std::vector<Expr> &from;
    int64_t (&to)[3];
    int64_t low;
  };
  const List lists[] = {{"in", step.in, all.in, 1},
                        {"out", step.out, all.out, 1},
                        {"kernel", step.kernel, all.kernel, 1},
                        {"stride", step.stride, all.stride, 1},
                        {"dilation", step.dilation, all.dilation, 1},
                        {"padBefore", step.padBefore, all.padBefore, 0},
                        {"padAfter", step.padAfter, all.padAfter, 0}};
  for (const List &list : lists) {
    if (list.from.size() != spatial)
      return invalid(list.name, "as many values as spatial dims expected");
    for (size_t d = 0; d < spatial; ++d)
      list.to[d] =
          numbers.at(std::string(list.name) + "[" + std::to_string(d) + "]",
                     list.from[d], list.low);
  }
  if (numbers.failed())
    return numbers.error();
  if (all.inChannels % all.groups || all.outChannels % all.groups)
    return invalid("groups", std::to_string(all.groups) +
                                 " does not divide the channels");
  auto bytes = [&](int64_t first, int64_t second, const int64_t (&dims)[3]) {
    __int128 product = info(step.dtype).sizeBytes;
    for (int64_t factor : {first, second})
      product *= factor;
    for (size_t d = 0; d < spatial && product < (__int128{1} << 62); ++d)
      product *= dims[d];
    if (product > (__int128{1} << 62))
      numbers.fail("in", "a tensor of more than 2^62 bytes");
    return static_cast<int64_t>(product);
  };
  for (size_t d = 0; d < spatial; ++d)
    if (std::string problem = outputProblem(all, d, step.transposed);
        !problem.empty())
      return invalid("out[" + std::to_string(d) + "]", problem);
  int64_t filters = step.transposed ? all.inChannels : all.outChannels;
  int64_t channels = step.transposed ? all.outChannels : all.inChannels;
  int64_t one[3] = {1, 1, 1};
  all.operands = {
      {"input", &step.input, bytes(all.batch, all.inChannels, all.in), false},
      {"weight", &step.weight,
       bytes(filters, channels / all.groups, all.kernel), false}};
  if (step.bias.present())
    all.operands.push_back(
        {"bias", &step.bias, bytes(all.outChannels, 1, one), false});
  all.operands.push_back({"output", &step.output,
                          bytes(all.batch, all.outChannels, all.out), true});
  if (numbers.failed())
    return numbers.error();
  return all;
}

StockReport compareStocks(const Evaluation &trial) {
  StockReport report;
  report.ownMicroseconds = trial.stockTime.medianMicroseconds;
  report.libraryMicroseconds = trial.time.medianMicroseconds;
  report.choices = trial.choices;
  report.library = trial.outcome == Outcome::Ok && trial.speedup >= 1;
  if (report.library)
    return report;
  report.why = "our own lowering is faster";
  if (trial.outcome != Outcome::Ok)
    report.why = std::string(name(trial.outcome)) + ", " + trial.rule + ": " +
                 trial.message.substr(0, 400);
  return report;
}

void applyChoices(Plan &plan, const std::vector<LibraryChoice> &choices) {
  std::map<std::string, uint64_t> needed; ///< by workspace
  std::map<std::string, bool> unknown;
  auto apply = [&](auto &step, const std::string &path) {
    auto made = std::ranges::find(choices, path, &LibraryChoice::path);
    unknown[step.workspace] |= made == choices.end();
    if (made == choices.end())
      return;
    step.choice = made->choice;
    uint64_t &bytes = needed[step.workspace];
    bytes = std::max(bytes, made->workspaceBytes);
  };
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    std::string path = "steps[" + std::to_string(i) + "]";
    if (auto *matmul = std::get_if<MatmulStep>(&plan.steps[i]))
      apply(*matmul, path);
    else if (auto *convolution = std::get_if<ConvolutionStep>(&plan.steps[i]))
      apply(*convolution, path);
  }
  for (PlanBuffer &buffer : plan.buffers)
    if (buffer.kind == PlanBuffer::Kind::Workspace &&
        needed.contains(buffer.name) && !unknown[buffer.name] &&
        isForLibraries(plan, buffer.name))
      buffer.sizeBytes = Expr(int64_t(needed[buffer.name]));
}

} // namespace kclaw
