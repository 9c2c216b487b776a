//===- Float.cpp - f32 and f64 arithmetic ---------------------------------===//
#include "Bind.h"

namespace kclaw::sim {

namespace {

struct Add {
  template <class T> T operator()(T a, T b) const { return a + b; }
};
void bindAdd(Builder &b) {
  bindSame(
      b,
      withFloat(b.form.type(),
                [](auto t) -> Handler { return runBinary<decltype(t), Add>; }),
      2);
}

constexpr Row rows[] = {
    {"add.rn?.{f32,f64}", InstClass::Float32, bindAdd},
};

} // namespace

std::span<const Row> floatRows() { return rows; }

} // namespace kclaw::sim
