//===- Redux.cpp - redux.sync ---------------------------------------------===//
#include "../Exec/Splits.h"
#include "AtomicOps.h"

namespace kclaw::sim {

namespace {

/// Without .NaN a NaN loses against a number; with it, it wins. -0 < +0.
template <bool max, bool nan, bool absolute> struct FloatExtreme {
  using Bits = uint32_t;
  static Bits apply(Bits a, Bits b) {
    auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    if constexpr (absolute)
      x = std::fabs(x), y = std::fabs(y);
    if (nan && (std::isnan(x) || std::isnan(y)))
      return 0x7fffffffu;
    return std::bit_cast<Bits>(canonical(atomic::extreme<max>(x, y)));
  }
};

template <class Op, bool isFloat = false>
void runRedux(Warp &w, const Inst &i) {
  const uint32_t *a = w.in<uint32_t>(i.a);
  synchronise(
      w, i, w.in<uint32_t>(i.b), [&](unsigned l) { return uint64_t(a[l]); },
      [&](const SyncGroup &group) {
        auto value = [&](unsigned l) {
          return group.deposits ? uint32_t(group.deposits[l]) : a[l];
        };
        uint32_t rest = group.present;
        uint32_t result = value(unsigned(std::countr_zero(rest)));
        if constexpr (isFloat)
          result = Op::apply(result, result); // |x| and the canonical NaN
        for (rest &= rest - 1; rest; rest &= rest - 1)
          result = Op::apply(result, value(unsigned(std::countr_zero(rest))));
        eachLane(w, w.out<uint32_t>(i.d), [&](unsigned) { return result; });
      });
}

template <bool max, bool nan> Handler floatRedux(bool absolute) {
  return absolute ? runRedux<FloatExtreme<max, nan, true>, true>
                  : runRedux<FloatExtreme<max, nan, false>, true>;
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
    return runRedux<atomic::Add<uint32_t>>;
  if (form.has("min") || max) {
    if (type == Type::S32)
      return max ? runRedux<atomic::Max<int32_t>>
                 : runRedux<atomic::Min<int32_t>>;
    return max ? runRedux<atomic::Max<uint32_t>>
               : runRedux<atomic::Min<uint32_t>>;
  }
  return form.has("and")  ? runRedux<atomic::And<uint32_t>>
         : form.has("or") ? runRedux<atomic::Or<uint32_t>>
                          : runRedux<atomic::Xor<uint32_t>>;
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
