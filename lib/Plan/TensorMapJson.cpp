//===- TensorMapJson.cpp - Tensor maps of a plan <-> JSON -----------------===//
//
// Schema: docs/schema/plan.schema.json, "tensorMap".
//
//===----------------------------------------------------------------------===//
#include "PlanJson.h"

namespace kclaw::json {
namespace {

constexpr EnumRow<TensorMapElement> elementNames[] = {
    {"u8", TensorMapElement::U8},           {"u16", TensorMapElement::U16},
    {"u32", TensorMapElement::U32},         {"i32", TensorMapElement::I32},
    {"u64", TensorMapElement::U64},         {"i64", TensorMapElement::I64},
    {"f16", TensorMapElement::F16},         {"f32", TensorMapElement::F32},
    {"f64", TensorMapElement::F64},         {"bf16", TensorMapElement::BF16},
    {"f32_ftz", TensorMapElement::F32Ftz},  {"tf32", TensorMapElement::TF32},
    {"tf32_ftz", TensorMapElement::TF32Ftz}};

struct ListRow {
  const char *name;
  std::vector<Expr> PlanTensorMap::*list;
  bool required;
};
constexpr ListRow lists[] = {
    {"dims", &PlanTensorMap::dims, true},
    {"strides", &PlanTensorMap::strides, false},
    {"box", &PlanTensorMap::box, true},
    {"elementStrides", &PlanTensorMap::elementStrides, false}};

struct ModeRow {
  const char *name;
  Expr PlanTensorMap::*expr;
};
constexpr ModeRow modes[] = {{"swizzle", &PlanTensorMap::swizzle},
                             {"interleave", &PlanTensorMap::interleave},
                             {"l2Promotion", &PlanTensorMap::l2Promotion},
                             {"nanFill", &PlanTensorMap::nanFill}};

} // namespace

Json write(const PlanTensorMap &map) {
  Json json{{"name", map.name},
            {"buffer", map.buffer},
            {"offset", write(map.offset)},
            {"element", nameOf(elementNames, map.element)}};
  for (const ListRow &row : lists) {
    Json list = Json::array();
    for (const Expr &expr : map.*row.list)
      list.push_back(write(expr));
    json[row.name] = list;
  }
  for (const ModeRow &row : modes)
    json[row.name] = write(map.*row.expr);
  return json;
}

PlanTensorMap readTensorMap(const Cursor &at) {
  at.only({"name", "buffer", "offset", "element", "dims", "strides", "box",
           "elementStrides", "swizzle", "interleave", "l2Promotion",
           "nanFill"});
  PlanTensorMap map;
  map.name = at.at("name").string();
  map.buffer = at.at("buffer").string();
  map.offset = readExpr(at.find("offset"));
  map.element = at.at("element").oneOf(elementNames, TensorMapElement::F32);
  for (const ListRow &row : lists)
    map.*row.list =
        (row.required ? at.at(row.name) : at.find(row.name))
            .list([](const Cursor &each) { return readExpr(each); });
  for (const ModeRow &row : modes)
    map.*row.expr = readExpr(at.find(row.name));
  return map;
}

} // namespace kclaw::json
