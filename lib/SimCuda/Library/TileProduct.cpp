//===- TileProduct.cpp ----------------------------------------------------===//
#include "TileProduct.h"

#include <algorithm>
#include <atomic>
#include <immintrin.h>
#include <memory>
#include <thread>
#include <vector>

namespace kclaw::sim {

namespace {

/// 32 bytes of T.
template <class T> using Vector [[gnu::vector_size(32)]] = T;

Vector<float> fma(Vector<float> x, Vector<float> y, Vector<float> z) {
  return _mm256_fmadd_ps(x, y, z);
}
Vector<double> fma(Vector<double> x, Vector<double> y, Vector<double> z) {
  return _mm256_fmadd_pd(x, y, z);
}
Vector<uint32_t> fma(Vector<uint32_t> x, Vector<uint32_t> y,
                     Vector<uint32_t> z) {
  return x * y + z;
}

template <class T> struct Tile {
  using P = TileProduct<T>;
  alignas(64) T left[P::rows * P::depth];
  alignas(64) T right[P::depth * P::columns];
  alignas(64) T sums[P::rows * P::columns];
};

/// sums += left * right over `count` terms, four rows and two vectors at once.
/// Rows and columns beyond the tile's hold whatever the last tile left.
template <class T>
void multiply(Tile<T> &tile, int64_t rows, int64_t columns, int64_t count) {
  using P = TileProduct<T>;
  constexpr int64_t wide = 32 / sizeof(T);
  for (int64_t j = 0; j < columns; j += 2 * wide)
    for (int64_t i = 0; i < rows; i += 4) {
      Vector<T> part[4][2] = {};
      for (int64_t p = 0; p < count; ++p) {
        const T *right = tile.right + p * P::columns + j;
        auto x = *reinterpret_cast<const Vector<T> *>(right);
        auto y = *reinterpret_cast<const Vector<T> *>(right + wide);
        for (int r = 0; r < 4; ++r) {
          Vector<T> a = tile.left[(i + r) * P::depth + p] - Vector<T>{};
          part[r][0] = fma(a, x, part[r][0]);
          part[r][1] = fma(a, y, part[r][1]);
        }
      }
      for (int r = 0; r < 4; ++r)
        for (int v = 0; v < 2; ++v)
          *reinterpret_cast<Vector<T> *>(tile.sums + (i + r) * P::columns + j +
                                         v * wide) += part[r][v];
    }
}

template <class T>
void runTile(const TileProduct<T> &product, int64_t index, Tile<T> &tile) {
  using P = TileProduct<T>;
  int64_t across = (product.n + P::columns - 1) / P::columns;
  int64_t down = (product.m + P::rows - 1) / P::rows;
  int64_t batch = index / (across * down);
  auto spanAt = [](int64_t number, int64_t size, int64_t end) {
    return Span{number * size, std::min(size, end - number * size)};
  };
  Span i = spanAt(index / across % down, P::rows, product.m);
  Span j = spanAt(index % across, P::columns, product.n);
  std::fill_n(tile.sums, P::rows * P::columns, T(0));
  for (int64_t block = 0; block * P::depth < product.k; ++block) {
    Span p = spanAt(block, P::depth, product.k);
    product.left(batch, i, p, tile.left);
    product.right(batch, p, j, tile.right);
    multiply(tile, i.count, j.count, p.count);
  }
  product.result(batch, i, j, tile.sums);
}

} // namespace

template <class T> void TileProduct<T>::run(unsigned threads) const {
  int64_t tiles =
      batch * ((m + rows - 1) / rows) * ((n + columns - 1) / columns);
  std::atomic<int64_t> next{0};
  auto work = [&] {
    auto tile = std::make_unique<Tile<T>>();
    for (int64_t index = next++; index < tiles; index = next++)
      runTile(*this, index, *tile);
  };
  std::vector<std::jthread> pool;
  for (int64_t t = 1; t < std::min<int64_t>(threads, tiles); ++t)
    pool.emplace_back(work);
  work();
}

template struct TileProduct<float>;
template struct TileProduct<double>;
template struct TileProduct<uint32_t>;

} // namespace kclaw::sim
