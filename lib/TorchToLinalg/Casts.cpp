//===- Casts.cpp - Conversions, and copies that change nothing ------------===//
//
// An explicit cast rounds to its target, in widened mode too. At tensor level
// a clone is its operand.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

using namespace mlir;

namespace kclaw {

static void cast(OpContext &c) { c.set(c.roundTo(c.tensor(0), c.dtype())); }

static void same(OpContext &c) { c.set(c.tensor(0)); }

/// Dropout does nothing outside of training, or with probability 0.
static void dropout(OpContext &c) {
  if (c.flag(2) && c.number(1) != 0.0)
    return c.fail("dropout in training mode draws random numbers");
  c.set(c.tensor(0));
  if (c.op->getNumResults() > 1)
    c.set(1, c.fill(c.sizes(c.tensor(0)), c.boolean(), 1));
}

static void nothing(OpContext &) {}

/// runtime.assert has its message as attribute, _assert_scalar as operand.
static void assertion(OpContext &c) {
  Num value{&c.b, c.loc, c.scalar(0)};
  Value holds = convert(value, c.boolean(), true).value;
  auto message = c.op->getAttrOfType<StringAttr>("message");
  c.require(holds, message ? message.getValue() : c.text(1, "does not hold"),
            {});
}

OpRows castRows() {
  static constexpr OpRow rows[] = {
      {"aten._assert_scalar", assertion},
      {"aten._assert_tensor_metadata", nothing},
      {"aten._to_copy", cast},
      {"aten.alias", same},
      {"aten.clone", same},
      {"aten.contiguous", same},
      {"aten.detach", same},
      {"aten.detach_", same},
      {"aten.dropout", dropout},
      {"aten.lift_fresh", same},
      {"aten.lift_fresh_copy", same},
      {"aten.native_dropout", dropout},
      {"aten.sym_constrain_range", nothing},
      {"aten.sym_constrain_range_for_size", nothing},
      {"aten.to.device", cast},
      {"aten.to.dtype", cast},
      {"aten.to.dtype_layout", cast},
      {"aten.to.other", cast},
      {"aten.type_as", cast},
      {"prims.convert_element_type", cast},
      {"runtime.assert", assertion},
      {"tensor_static_info_cast", same},
  };
  return rows;
}

} // namespace kclaw
