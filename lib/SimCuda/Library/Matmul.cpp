//===- Matmul.cpp - kcl_matmul_step on the host ---------------------------===//
#include "Elements.h"
#include "Steps.h"
#include "TileProduct.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

/// One kind of sums and the types that go with it.
struct Kind {
  int32_t compute, operand, result;
  void (*run)(const kcl_matmul_step &, unsigned threads);
};

template <class T> T activate(T x, int32_t epilogue) {
  switch (epilogue) {
  case KCL_EPILOGUE_RELU:
  case KCL_EPILOGUE_BIAS_RELU:
    return x < T(0) ? T(0) : x; // NaN stays
  case KCL_EPILOGUE_GELU:
  case KCL_EPILOGUE_BIAS_GELU: {
    constexpr T c = T(0.7978845608028653559); // sqrt(2 / pi)
    return T(0.5) * x * (1 + std::tanh(c * (x + T(0.044715) * x * x * x)));
  }
  }
  return x;
}

bool hasBias(const kcl_matmul_step &s) {
  return s.epilogue == KCL_EPILOGUE_BIAS ||
         s.epilogue == KCL_EPILOGUE_BIAS_RELU ||
         s.epilogue == KCL_EPILOGUE_BIAS_GELU;
}

template <class E>
const E *elementsOf(const kcl_matrix &matrix, int64_t batch) {
  return static_cast<const E *>(matrix.data) + batch * matrix.batch_stride;
}

/// Element (y, x) of the tile to to[y * pitch + x], transposed if it is stored
/// so; memory is read along its rows.
template <class Operand, class T>
void readTile(const kcl_matrix &matrix, int64_t batch, Span y, Span x, T *to,
              int64_t pitch) {
  const Operand *from = elementsOf<Operand>(matrix, batch);
  if (!matrix.transposed) {
    for (int64_t r = 0; r < y.count; ++r) {
      const Operand *row = from + (y.begin + r) * matrix.ld + x.begin;
      for (int64_t c = 0; c < x.count; ++c)
        to[r * pitch + c] = T(row[c].value());
    }
    return;
  }
  for (int64_t c = 0; c < x.count; ++c) {
    const Operand *row = from + (x.begin + c) * matrix.ld + y.begin;
    for (int64_t r = 0; r < y.count; ++r)
      to[r * pitch + c] = T(row[r].value());
  }
}

template <class Operand, class T>
void setOperands(const kcl_matmul_step &s, TileProduct<T> &product) {
  product.batch = s.batch;
  product.m = s.m;
  product.n = s.n;
  product.k = s.k;
  product.left = [&s](int64_t batch, Span i, Span p, T *to) {
    readTile<Operand>(s.a, batch, i, p, to, TileProduct<T>::depth);
  };
  product.right = [&s](int64_t batch, Span p, Span j, T *to) {
    readTile<Operand>(s.b, batch, p, j, to, TileProduct<T>::columns);
  };
}

template <class Operand, class Result, class T>
void runFloat(const kcl_matmul_step &s, unsigned threads) {
  TileProduct<T> product;
  setOperands<Operand>(s, product);
  const auto alpha = T(s.alpha), beta = T(s.beta);
  const auto *bias = hasBias(s) ? static_cast<const Result *>(s.bias) : nullptr;
  product.result = [&](int64_t batch, Span i, Span j, const T *sums) {
    const Result *c = beta != T(0) ? elementsOf<Result>(s.c, batch) : nullptr;
    auto *d = const_cast<Result *>(elementsOf<Result>(s.d, batch));
    for (int64_t y = 0; y < i.count; ++y)
      for (int64_t x = 0; x < j.count; ++x) {
        int64_t row = i.begin + y, column = j.begin + x;
        T value = alpha * sums[y * TileProduct<T>::columns + x];
        if (c)
          value = std::fma(beta, T(c[row * s.c.ld + column].value()), value);
        if (bias)
          value += T(bias[column].value());
        d[row * s.d.ld + column] =
            roundedTo<Result>(activate(value, s.epilogue));
      }
  };
  product.run(threads);
}

void runInteger(const kcl_matmul_step &s, unsigned threads) {
  TileProduct<uint32_t> product;
  setOperands<Plain<int8_t>>(s, product);
  const auto alpha = uint32_t(int32_t(s.alpha)),
             beta = uint32_t(int32_t(s.beta));
  product.result = [&](int64_t batch, Span i, Span j, const uint32_t *sums) {
    const auto *c = beta ? elementsOf<uint32_t>(s.c, batch) : nullptr;
    auto *d = const_cast<uint32_t *>(elementsOf<uint32_t>(s.d, batch));
    for (int64_t y = 0; y < i.count; ++y)
      for (int64_t x = 0; x < j.count; ++x) {
        int64_t row = i.begin + y, column = j.begin + x;
        d[row * s.d.ld + column] =
            alpha * sums[y * TileProduct<uint32_t>::columns + x] +
            (c ? beta * c[row * s.c.ld + column] : 0);
      }
  };
  product.run(threads);
}

constexpr Kind kinds[] = {
    {KCL_COMPUTE_F32, KCL_F32, KCL_F32,
     runFloat<Plain<float>, Plain<float>, float>},
    {KCL_COMPUTE_F32, KCL_F16, KCL_F16, runFloat<F16, F16, float>},
    {KCL_COMPUTE_F32, KCL_F16, KCL_F32, runFloat<F16, Plain<float>, float>},
    {KCL_COMPUTE_F32, KCL_BF16, KCL_BF16, runFloat<BF16, BF16, float>},
    {KCL_COMPUTE_F32, KCL_BF16, KCL_F32, runFloat<BF16, Plain<float>, float>},
    {KCL_COMPUTE_TF32, KCL_F32, KCL_F32, runFloat<Tf32, Plain<float>, float>},
    {KCL_COMPUTE_F64, KCL_F64, KCL_F64,
     runFloat<Plain<double>, Plain<double>, double>},
    {KCL_COMPUTE_I32, KCL_I8, KCL_I32, runInteger},
};

const Kind *kindOf(const kcl_matmul_step &s) {
  for (const Kind &kind : kinds)
    if (kind.compute == s.compute && kind.operand == s.a.element &&
        kind.operand == s.b.element && kind.result == s.d.element &&
        (s.beta == 0 || kind.result == s.c.element))
      return &kind;
  return nullptr;
}

std::string problemOf(const char *name, const kcl_matrix &matrix, int64_t rows,
                      int64_t columns, bool mayTranspose) {
  if (matrix.transposed != 0 && (matrix.transposed != 1 || !mayTranspose))
    return std::string(name) +
           " cannot have transposed = " + std::to_string(matrix.transposed);
  int64_t row = matrix.transposed ? rows : columns;
  if (matrix.ld < row || matrix.batch_stride < 0)
    return std::string(name) + ": rows of " + std::to_string(row) +
           " elements do not fit ld = " + std::to_string(matrix.ld) +
           ", batch_stride = " + std::to_string(matrix.batch_stride);
  return {};
}

Extent extentOf(const char *name, const kcl_matrix &matrix, int64_t rows,
                int64_t columns, bool written) {
  if (matrix.transposed)
    std::swap(rows, columns);
  uint64_t bytes = elementBytes(matrix.element);
  return {name,
          matrix.data,
          uint64_t(columns) * bytes,
          uint64_t(matrix.ld) * bytes,
          uint64_t(rows),
          bytes,
          written};
}

bool nothing(const kcl_matmul_step &s) { return !s.m || !s.n || !s.batch; }

} // namespace

std::string problemOf(const kcl_matmul_step &s) {
  if (s.m < 0 || s.n < 0 || s.k < 0 || s.batch < 0)
    return "a size is negative";
  if (!kindOf(s))
    return "no such product: compute " + std::to_string(s.compute) + ", A " +
           std::to_string(s.a.element) + ", B " + std::to_string(s.b.element) +
           ", D " + std::to_string(s.d.element) +
           "; kcl_steps.h lists what there is";
  if (s.epilogue < KCL_EPILOGUE_NONE || s.epilogue > KCL_EPILOGUE_BIAS_GELU ||
      (s.epilogue && s.compute == KCL_COMPUTE_I32))
    return "no epilogue " + std::to_string(s.epilogue) + " for this product";
  if (hasBias(s) && !s.bias && !nothing(s))
    return "the epilogue needs a bias";
  if (s.d.batch_stride == 0 && s.batch > 1)
    return "results of a batch may not lie in one place";
  std::string problem = problemOf("A", s.a, s.m, s.k, true);
  if (problem.empty())
    problem = problemOf("B", s.b, s.k, s.n, true);
  if (problem.empty())
    problem = problemOf("D", s.d, s.m, s.n, false);
  if (problem.empty() && s.beta != 0)
    problem = problemOf("C", s.c, s.m, s.n, false);
  return problem;
}

std::vector<Extent> extents(const kcl_matmul_step &s) {
  std::vector<Extent> all;
  if (nothing(s))
    return all;
  auto add = [&](const char *name, const kcl_matrix &matrix, int64_t rows,
                 int64_t columns, bool written) {
    int64_t count = matrix.batch_stride ? s.batch : 1;
    for (int64_t b = 0; b < count && rows && columns; ++b) {
      Extent one = extentOf(name, matrix, rows, columns, written);
      one.data = static_cast<const char *>(matrix.data) +
                 uint64_t(b * matrix.batch_stride) * one.alignment;
      all.push_back(one);
    }
  };
  add("A", s.a, s.m, s.k, false);
  add("B", s.b, s.k, s.n, false);
  if (s.beta != 0)
    add("C", s.c, s.m, s.n, false);
  if (hasBias(s)) {
    uint64_t bytes = elementBytes(s.d.element);
    all.push_back({"bias", s.bias, uint64_t(s.n) * bytes, 0, 1, bytes, false});
  }
  add("D", s.d, s.m, s.n, true);
  return all;
}

void run(const kcl_matmul_step &s, unsigned threads) {
  kindOf(s)->run(s, threads);
}

double multiplyAdds(const kcl_matmul_step &s) {
  return double(s.m) * double(s.n) * double(s.k) * double(s.batch);
}

} // namespace kclaw::sim
