//===- Redux.cpp - redux.sync ---------------------------------------------===//
#include "../Exec/Splits.h"
#include "Bind.h"

#include <algorithm>
#include <cmath>

namespace kclaw::sim {

namespace {

struct Add {
  template <class T> T operator()(T a, T b) const {
    return T(uint32_t(a) + uint32_t(b));
  }
};
struct Min {
  template <class T> T operator()(T a, T b) const { return std::min(a, b); }
};
struct Max {
  template <class T> T operator()(T a, T b) const { return std::max(a, b); }
};
struct And {
  template <class T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return a ^ b; }
};

/// Without .NaN a NaN loses against a number; with it, it wins. -0 < +0.
template <bool max, bool nan, bool absolute> struct FloatExtreme {
  float operator()(float a, float b) const {
    if constexpr (absolute)
      a = std::fabs(a), b = std::fabs(b);
    bool aNaN = std::isnan(a), bNaN = std::isnan(b);
    if (aNaN || bNaN) {
      if (nan || (aNaN && bNaN))
        return std::bit_cast<float>(0x7fffffffu);
      return aNaN ? b : a;
    }
    if (a == b) // zeros of both signs
      return std::signbit(a) == max ? b : a;
    return (a > b) == max ? a : b;
  }
};

template <class T, class Op> void runRedux(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  synchronise(
      w, i, w.in<uint32_t>(i.b),
      [&](unsigned l) { return uint64_t(std::bit_cast<uint32_t>(a[l])); },
      [&](const SyncGroup &group) {
        auto value = [&](unsigned l) {
          return group.deposits ? std::bit_cast<T>(uint32_t(group.deposits[l]))
                                : a[l];
        };
        uint32_t rest = group.present;
        T result = value(unsigned(std::countr_zero(rest)));
        if constexpr (std::is_floating_point_v<T>)
          result = Op{}(result, result); // |x| and the canonical NaN
        for (rest &= rest - 1; rest; rest &= rest - 1)
          result = Op{}(result, value(unsigned(std::countr_zero(rest))));
        eachLane(w, w.out<T>(i.d), [&](unsigned) { return result; });
      });
}

template <bool max, bool nan> Handler floatRedux(bool absolute) {
  return absolute ? runRedux<float, FloatExtreme<max, nan, true>>
                  : runRedux<float, FloatExtreme<max, nan, false>>;
}

Handler choose(const Form &form, Type type) {
  bool max = form.has("max");
  if (type == Type::F32) {
    bool nan = form.has("NaN"), absolute = form.has("abs");
    if (max)
      return nan ? floatRedux<true, true>(absolute)
                 : floatRedux<true, false>(absolute);
    return nan ? floatRedux<false, true>(absolute)
               : floatRedux<false, false>(absolute);
  }
  if (form.has("add"))
    return runRedux<uint32_t, Add>;
  if (form.has("min") || max) {
    if (type == Type::S32)
      return max ? runRedux<int32_t, Max> : runRedux<int32_t, Min>;
    return max ? runRedux<uint32_t, Max> : runRedux<uint32_t, Min>;
  }
  return form.has("and")  ? runRedux<uint32_t, And>
         : form.has("or") ? runRedux<uint32_t, Or>
                          : runRedux<uint32_t, Xor>;
}

void bindRedux(Builder &b) {
  Type type = b.form.type();
  b.inst.d = b.destination(0, type);
  b.inst.a = b.source(1, type);
  b.inst.b = b.source(2, Type::B32);
  b.inst.handler = choose(b.form, type);
}

constexpr Row rows[] = {
    {"redux.sync.{add,min,max}.{u32,s32}", InstClass::Warp, bindRedux},
    {"redux.sync.{and,or,xor}.b32", InstClass::Warp, bindRedux},
    {"redux.sync.{min,max}.abs?.NaN?.f32", InstClass::Warp, bindRedux},
};

} // namespace

std::span<const Row> reduxRows() { return rows; }

} // namespace kclaw::sim
