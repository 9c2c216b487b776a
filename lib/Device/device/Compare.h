//===- Compare.h - One element against the reference, on both sides -------===//
//
// Like Elements.h, behind which it is compiled: by NVRTC for the judge's
// kernels, by the host compiler for tests of the rules.
//
//===----------------------------------------------------------------------===//

// Where an index result selects from: element i of the result picks along the
// dimension of `size` of [outer, size, inner]; the result is
// [outer, picks, inner].
struct KclSelect {
  const void *values; // null: not an index, or the values are not at hand
  kcl_u64 size;
  kcl_u64 picks;
  kcl_u64 inner;
  int type;
  int distinct; // picks of one row are different indices
};

struct KclCompare {
  const void *got;
  const void *want;  // f64 for floats, the result's own type otherwise
  const void *stock; // stock's result, or null
  const unsigned char *excused; // one an element, or null: see kclMatches
  double *rowScale;             // one a row
  double *total;                // sum of squares of the reference
  struct KclSpread *spread;     // what is in front of the result, or null
  double *rowSpread;            // the same, one a row
  struct KclPartial *partials;
  kcl_u64 count;
  kcl_u64 rowLength;
  double bound;
  double unitRoundoff;  // floor of scales, times the whole tensor's RMS
  double insideShare;   // of the bound: arithmetic, relative to the spread
  double roundingShare; // of the bound: rounding to the type
  double step;          // kcl_row_spread: how far the inputs were moved
  KclSelect select;
  int type;
  int poisonByte;
  int nanForInfinity; // products: a split operand turns infinity into NaN
  int reserved;
};

// How far a result moves with its inputs, in units of their relative step
// (Rules/Conditioning.h): sums over all elements.
struct KclSpread {
  double sum2;
  double sum4;
};

struct KclPartial {
  double sumError2;
  double sumWant2;
  double sumWant;
  double spread2; // of the whole result, in one part
  double maxScaled;
  double got;
  double want;
  kcl_i64 worst;
  kcl_u64 mismatches;   // booleans and integers that differ
  kcl_u64 badIndices;   // out of range, or another value is selected
  kcl_u64 repeated;     // indices that a row has twice
  kcl_u64 nanLost;      // the reference is NaN, the result is not
  kcl_u64 infinityLost; // the reference is an infinity, the result not that
  kcl_u64 spurious;     // not finite where the reference is
  kcl_u64 beyond;       // floats further off than the bound
  kcl_u64 unwritten;    // still poison, and wrong
  kcl_u64 tied;         // another index of an equal value: right
  kcl_u64 excused;      // differ as a perturbed reference does: right
  kcl_u64 saturated;    // stock overflowed where f64 did not: either is right
  kcl_u64 stockDiffers; // stock is not finite in another way: not judged
  kcl_u64 wantNonFinite;
  kcl_u64 stockNonFinite; // ... where f64 is finite
};

KCL_FN double kclAbs(double value) { return value < 0 ? -value : value; }
KCL_FN double kclInfinity() { return kclFromBits(2047ull << 52); }

// Equal, or both NaN.
KCL_FN bool kclSame(double a, double b) {
  return a == b || (kclNan(a) && kclNan(b));
}

KCL_FN void kclWorst(KclPartial &part, double scaled, kcl_u64 i, double got,
                     double want) {
  if (scaled <= part.maxScaled && part.worst >= 0)
    return;
  part.maxScaled = scaled;
  part.worst = (kcl_i64)i;
  part.got = got;
  part.want = want;
}

KCL_FN bool kclIsPoison(kcl_u64 bits, int type, int byte) {
  kcl_u64 pattern = 0x0101010101010101ull * (kcl_u64)byte;
  int size = kclSize(type);
  kcl_u64 mask = size == 8 ? ~0ull : (1ull << (8 * size)) - 1;
  return bits == (pattern & mask);
}

// Magnitude from which on a value becomes infinite in the type.
KCL_FN double kclOverflow(int type) {
  return type == KclF16    ? 65520.0
         : type == KclBf16 ? 3.3961775292304601e38
         : type == KclF32  ? 3.4028235677973366e38
                           : kclInfinity();
}

// No scale is smaller: rounding noise of the whole tensor.
KCL_FN double kclScaleFloor(const KclCompare &p) {
  return kclIsFloat(p.type) ? p.unitRoundoff * sqrt(*p.total / (double)p.count)
                            : 0;
}

// Below it the spacing of the type's values is that at it: a rounding errs by
// half of that, the unit roundoff times this.
KCL_FN double kclSmallestNormal(int type) {
  return type == KclF16   ? 6.103515625e-05
         : type == KclF64 ? 2.2250738585072014e-308
                          : 1.1754943508222875e-38;
}

// The RMS of the values of a row that are not zero: zeros (a mask, a relu, a
// padding) do not make the others smaller.
KCL_FN double kclRowScale(double sum2, kcl_u64 nonZero) {
  return nonZero ? sqrt(sum2 / (double)nonZero) : 0;
}

// The RMS of normal values of which some are there and others are nearly zero,
// from their second and fourth moments: those that are nearly zero do not
// count.
KCL_FN double kclSpreadScale(double sum2, double sum4) {
  return sum2 > 0 ? sqrt(sum4 / (3 * sum2)) : 0;
}

// What is kept of a row: its spread, or, where fewer than 16 of its elements
// move (3 sum2^2 / sum4 is how many, were they normal), the negative of it. One
// or two moves may be small by chance; then the whole result's spread counts,
// if that is larger.
KCL_FN double kclRowSpread(double sum2, double sum4) {
  double scale = kclSpreadScale(sum2, sum4);
  if (scale > 0 && 3 * sum2 * sum2 >= 16 * sum4)
    return scale;
  return scale > 0 ? -scale : -1e-300;
}

KCL_FN double kclSpreadAt(const KclCompare &p, kcl_u64 row) {
  if (!p.rowSpread)
    return 0;
  double spread = p.rowSpread[row];
  if (spread >= 0)
    return spread;
  double whole = p.spread ? kclSpreadScale(p.spread->sum2, p.spread->sum4) : 0;
  return -spread > whole ? -spread : whole;
}

// |got - want| in units of a scale; both are finite. The scale is the largest
// of the row's RMS, |want| and the floor. Of the bound, the part that is
// rounding to the type counts from the smallest normal number up, and the part
// that is arithmetic inside from the size of what the result is made of.
KCL_FN double kclScaledError(const KclCompare &p, kcl_u64 i, double got,
                             double want, double floor) {
  double size = kclAbs(got - want);
  if (size == 0)
    return 0;
  double scale = p.rowScale[i / p.rowLength];
  scale = scale > floor ? scale : floor;
  double magnitude = kclAbs(want);
  scale = scale > magnitude ? scale : magnitude;
  double normal = kclSmallestNormal(p.type);
  double spread = kclSpreadAt(p, i / p.rowLength);
  double more = normal > scale ? p.roundingShare * (normal - scale) : 0;
  more += spread > scale ? p.insideShare * (spread - scale) : 0;
  scale += more;
  return scale > 0 ? size / scale : kclInfinity();
}

// So near the type's overflow that rounding decides whether it is infinite.
KCL_FN bool kclNearOverflow(const KclCompare &p, double exact) {
  double limit = kclOverflow(p.type);
  return kclFinite(exact) && kclFinite(limit) &&
         kclAbs(kclAbs(exact) - limit) <= p.bound * limit;
}

// One of `got` and `want` is not finite, and they are not the same. True: it
// is not held against the candidate.
KCL_FN bool kclAcceptNonFinite(const KclCompare &p, kcl_u64 i, double got,
                               double exact, KclPartial &part) {
  double want = kclRound(exact, p.type);
  double stock =
      p.stock ? kclDecode(kclLoad(p.stock, i, p.type), p.type) : want;
  if (kclNearOverflow(p, exact) && !kclNan(got)) {
    part.saturated += 1;
    return true;
  }
  if (!kclFinite(exact) && !kclSame(stock, want)) {
    part.stockDiffers += 1;
    return true;
  }
  // Where stock saturates and f64 does not, either answer is right.
  bool asStock = kclSame(got, stock) ||
                 (!kclFinite(got) && !kclFinite(stock) && kclFinite(want));
  if (kclFinite(exact) && !kclSame(stock, want) && asStock) {
    part.saturated += 1;
    return true;
  }
  bool split = p.nanForInfinity && kclNan(got) && !kclNan(want);
  if (split && !kclFinite(want))
    return true;
  part.nanLost += kclNan(want);
  part.infinityLost += !kclNan(want) && !kclFinite(want);
  part.spurious += kclFinite(want);
  return false;
}

KCL_FN void kclCompareFloat(const KclCompare &p, kcl_u64 i, double floor,
                            KclPartial &part) {
  kcl_u64 bits = kclLoad(p.got, i, p.type);
  double got = kclDecode(bits, p.type);
  double exact = ((const double *)p.want)[i];
  double want = kclRound(exact, p.type);
  part.wantNonFinite += !kclFinite(exact);
  if (p.stock && kclFinite(exact))
    part.stockNonFinite +=
        !kclFinite(kclDecode(kclLoad(p.stock, i, p.type), p.type));
  bool finite = kclFinite(got) && kclFinite(want);
  if (kclFinite(want)) {
    part.sumWant2 += want * want;
    part.sumWant += want;
  }
  double scaled = finite ? kclScaledError(p, i, got, want, floor) : 0;
  bool wrong = finite ? scaled > p.bound : !kclSame(got, want);
  if (wrong && p.excused && p.excused[i]) {
    part.excused += 1;
    return;
  }
  if (finite) {
    part.sumError2 += (got - want) * (got - want);
    part.beyond += wrong;
  } else if (wrong && kclAcceptNonFinite(p, i, got, exact, part)) {
    return;
  } else if (wrong) {
    scaled = kclInfinity();
  }
  if (wrong)
    part.unwritten += kclIsPoison(bits, p.type, p.poisonByte);
  if (scaled > 0)
    kclWorst(part, scaled, i, got, want);
}

KCL_FN kcl_i64 kclDecodeInteger(kcl_u64 bits, int type) {
  switch (type) {
  case KclI64:
    return (kcl_i64)bits;
  case KclI32:
    return (int)bits;
  case KclI16:
    return (short)bits;
  case KclI8:
    return (signed char)bits;
  default:
    return (unsigned char)bits;
  }
}

KCL_FN double kclSelected(const KclSelect &s, kcl_u64 i, kcl_i64 index) {
  kcl_u64 row = i / (s.inner * s.picks);
  kcl_u64 at = (row * s.size + (kcl_u64)index) * s.inner + i % s.inner;
  return kclDecode(kclLoad(s.values, at, s.type), s.type);
}

KCL_FN bool kclIsRepeated(const KclCompare &p, kcl_u64 i, kcl_u64 bits) {
  const KclSelect &s = p.select;
  kcl_u64 column = i % s.inner;
  kcl_u64 row = i / (s.inner * s.picks);
  for (kcl_u64 pick = 0; pick < s.picks; ++pick) {
    kcl_u64 other = (row * s.picks + pick) * s.inner + column;
    if (other != i && kclLoad(p.got, other, p.type) == bits)
      return true;
  }
  return false;
}

// True: the index is another one of an equal value, and right.
KCL_FN bool kclAcceptIndex(const KclCompare &p, kcl_u64 i, kcl_u64 bits,
                           kcl_u64 wantBits, KclPartial &part) {
  kcl_i64 got = kclDecodeInteger(bits, p.type);
  kcl_i64 want = kclDecodeInteger(wantBits, p.type);
  bool inRange = got >= 0 && (kcl_u64)got < p.select.size;
  if (!inRange ||
      !kclSame(kclSelected(p.select, i, got), kclSelected(p.select, i, want))) {
    part.badIndices += 1;
    return false;
  }
  if (p.select.distinct && kclIsRepeated(p, i, bits)) {
    part.repeated += 1;
    return false;
  }
  part.tied += 1;
  return true;
}

KCL_FN void kclCompareInteger(const KclCompare &p, kcl_u64 i,
                              KclPartial &part) {
  kcl_u64 got = kclLoad(p.got, i, p.type);
  kcl_u64 want = kclLoad(p.want, i, p.type);
  double value = kclDecode(want, p.type);
  part.sumWant2 += value * value;
  part.sumWant += value;
  if (got == want)
    return;
  if (p.excused && p.excused[i]) {
    part.excused += 1;
    return;
  }
  if (p.select.values) {
    if (kclAcceptIndex(p, i, got, want, part))
      return;
  } else {
    part.mismatches += 1;
  }
  part.sumError2 += 1;
  part.unwritten += kclIsPoison(got, p.type, p.poisonByte);
  kclWorst(part, 1, i, kclDecode(got, p.type), value);
}

// Is the result that of a reference whose inputs were moved within the budget?
// `p.want` is that reference.
KCL_FN bool kclMatches(const KclCompare &p, kcl_u64 i, double floor) {
  kcl_u64 bits = kclLoad(p.got, i, p.type);
  if (!kclIsFloat(p.type))
    return bits == kclLoad(p.want, i, p.type);
  double got = kclDecode(bits, p.type);
  double want = kclRound(((const double *)p.want)[i], p.type);
  if (!kclFinite(got) || !kclFinite(want))
    return kclSame(got, want);
  return kclScaledError(p, i, got, want, floor) <= p.bound;
}

KCL_FN void kclCompareElement(const KclCompare &p, kcl_u64 i, double floor,
                              KclPartial &part) {
  if (kclIsFloat(p.type))
    kclCompareFloat(p, i, floor, part);
  else
    kclCompareInteger(p, i, part);
}

KCL_FN void kclMerge(KclPartial &into, const KclPartial &from) {
  into.sumError2 += from.sumError2;
  into.sumWant2 += from.sumWant2;
  into.sumWant += from.sumWant;
  into.spread2 += from.spread2;
  into.mismatches += from.mismatches;
  into.badIndices += from.badIndices;
  into.repeated += from.repeated;
  into.nanLost += from.nanLost;
  into.infinityLost += from.infinityLost;
  into.spurious += from.spurious;
  into.beyond += from.beyond;
  into.unwritten += from.unwritten;
  into.tied += from.tied;
  into.excused += from.excused;
  into.saturated += from.saturated;
  into.stockDiffers += from.stockDiffers;
  into.wantNonFinite += from.wantNonFinite;
  into.stockNonFinite += from.stockNonFinite;
  if (from.worst >= 0)
    kclWorst(into, from.maxScaled, (kcl_u64)from.worst, from.got, from.want);
}
