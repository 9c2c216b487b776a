//===- KernelSpecJson.cpp - KernelSpec <-> JSON ---------------------------===//
//
// The writer and the reader of docs/schema/spec.schema.json, side by side.
//
//===----------------------------------------------------------------------===//
#include "Spec/KernelSpecJson.h"

#include <map>

namespace kclaw::json {
namespace {

constexpr EnumRow<Domain::Kind> domainNames[] = {
    {"real", Domain::Kind::Real},
    {"nonnegative", Domain::Kind::NonNegative},
    {"positive", Domain::Kind::Positive},
    {"unit", Domain::Kind::Unit},
    {"index", Domain::Kind::Index},
    {"integer", Domain::Kind::Integer},
    {"boolean", Domain::Kind::Boolean}};
constexpr EnumRow<Role> roleNames[] = {{"input", Role::Input},
                                       {"param", Role::Param},
                                       {"buffer", Role::Buffer},
                                       {"constant", Role::Constant}};
constexpr EnumRow<Policy> policyNames[] = {{"torch", Policy::Torch},
                                           {"strict", Policy::Strict},
                                           {"tf32", Policy::Tf32},
                                           {"loose", Policy::Loose}};

template <typename T, typename Write>
Json writeList(const std::vector<T> &items, Write each) {
  Json list = Json::array();
  for (const auto &item : items)
    list.push_back(each(item));
  return list;
}

Json writeDim(const Dim &dim) {
  Json json{{"name", dim.name}};
  if (dim.isStatic()) {
    json["value"] = dim.value;
    return json;
  }
  json["min"] = dim.min;
  json["max"] = dim.max;
  json["samples"] = dim.samples;
  return json;
}

Json writeTensor(const TensorSpec &tensor) {
  Json domain{{"kind", nameOf(domainNames, tensor.domain.kind)}};
  if (tensor.domain.kind == Domain::Kind::Index)
    domain["limit"] = tensor.domain.limit;
  domain["scale"] = number(tensor.domain.scale);
  return {{"name", tensor.name},
          {"dtype", info(tensor.dtype).name},
          {"dims", writeList(tensor.dims, writeDim)},
          {"alignmentBytes", tensor.alignmentBytes},
          {"role", nameOf(roleNames, tensor.role)},
          {"domain", domain}};
}

/// Scalars are themselves; lists carry their element kind, since an empty
/// list has none.
struct LiteralWriter {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(int64_t value) const { return value; }
  Json operator()(double value) const {
    if (std::isfinite(value))
      return value;
    return {{"float", number(value)}};
  }
  Json operator()(const std::string &value) const { return value; }
  Json operator()(const std::vector<int64_t> &list) const {
    return {{"ints", list}};
  }
  Json operator()(const std::vector<double> &list) const {
    return {{"floats", writeList(list, number)}};
  }
  Json operator()(const std::vector<bool> &list) const {
    return {{"bools", list}};
  }
};

Json writeOperand(const GraphOperand &operand) {
  if (operand.isLiteral())
    return {{"literal", std::visit(LiteralWriter(), operand.literal)}};
  return {{"values", operand.values}};
}

Json writeGraph(const OpGraph &graph) {
  auto value = [](const GraphValue &v) -> Json {
    return {{"dtype", info(v.dtype).name}, {"shape", v.shape}};
  };
  auto op = [](const GraphOp &o) -> Json {
    return {{"name", o.name},
            {"operands", writeList(o.operands, writeOperand)},
            {"results", o.results}};
  };
  return {{"values", writeList(graph.values, value)},
          {"ops", writeList(graph.ops, op)},
          {"arguments", graph.arguments},
          {"results", graph.results}};
}

int64_t readInteger(const Cursor &at) { return at.integer(); }

DType readDType(const Cursor &at) {
  std::string text = at.string("f32");
  if (auto type = parseDType(text))
    return *type;
  std::string known;
  for (const DTypeInfo &row : dtypeTable)
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  at.fail("unknown dtype '" + text + "'; accepted: " + known);
  return DType::f32;
}

bool isIdentifier(const std::string &name) {
  auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !letter(name[0]))
    return false;
  for (char c : name)
    if (!letter(c) && !(c >= '0' && c <= '9'))
      return false;
  return true;
}

Dim readDim(const Cursor &at) {
  at.only({"name", "value", "min", "max", "samples"});
  Dim dim;
  dim.name = at.at("name").string();
  if (!dim.name.empty() && !isIdentifier(dim.name))
    at.fail("dimension name '" + dim.name + "' is not a C identifier");
  if (Cursor value = at.find("value"); value.present()) {
    dim.value = value.integer(0, 0);
    return dim;
  }
  dim.min = at.at("min").integer(0, 0);
  dim.max = at.at("max").integer(0, dim.min);
  dim.samples = at.at("samples").list(readInteger);
  if (dim.samples.empty() || dim.samples.size() > 5)
    at.fail("a dynamic dimension needs one to five samples");
  for (int64_t sample : dim.samples)
    if (sample < dim.min || sample > dim.max)
      at.fail("sample " + std::to_string(sample) + " is outside [min, max]");
  return dim;
}

TensorSpec readTensor(const Cursor &at) {
  at.only({"name", "dtype", "dims", "alignmentBytes", "role", "domain"});
  TensorSpec tensor;
  tensor.name = at.at("name").string();
  tensor.dtype = readDType(at.at("dtype"));
  tensor.dims = at.at("dims").list(readDim);
  tensor.alignmentBytes = at.find("alignmentBytes").integer(16, 1, 4096);
  if (tensor.alignmentBytes & (tensor.alignmentBytes - 1))
    at.fail("alignmentBytes is not a power of two");
  tensor.role = at.find("role").oneOf(roleNames, Role::Input);
  if (Cursor domain = at.find("domain"); domain.present()) {
    domain.only({"kind", "limit", "scale"});
    tensor.domain.kind =
        domain.at("kind").oneOf(domainNames, Domain::Kind::Real);
    tensor.domain.limit = domain.find("limit").integer();
    tensor.domain.scale = domain.find("scale").number(1.0);
  }
  return tensor;
}

Literal readLiteral(const Cursor &at) {
  if (!at.present())
    return std::monostate();
  const Json &value = *at.get();
  if (value.is_boolean())
    return at.boolean();
  if (value.is_number_integer())
    return at.integer();
  if (value.is_number())
    return at.number();
  if (value.is_string())
    return at.string();
  at.only({"float", "ints", "floats", "bools"});
  if (at.find("float").present())
    return at.find("float").number();
  if (at.find("ints").present())
    return at.find("ints").list(readInteger);
  if (at.find("floats").present())
    return at.find("floats").list([](const Cursor &c) { return c.number(); });
  return at.at("bools").list([](const Cursor &c) { return c.boolean(); });
}

OpGraph readGraph(const Cursor &at) {
  at.only({"values", "ops", "arguments", "results"});
  OpGraph graph;
  graph.values = at.at("values").list([](const Cursor &c) {
    return GraphValue{readDType(c.at("dtype")),
                      c.at("shape").list(readInteger)};
  });
  auto id = [&graph](const Cursor &c) {
    return int(c.integer(0, 0, int64_t(graph.values.size()) - 1));
  };
  graph.ops = at.at("ops").list([&id](const Cursor &c) {
    GraphOp op;
    op.name = c.at("name").string();
    op.operands = c.at("operands").list([&id](const Cursor &o) {
      o.only({"values", "literal"});
      return GraphOperand{o.find("values").list(id),
                          readLiteral(o.find("literal"))};
    });
    op.results = c.at("results").list(id);
    return op;
  });
  graph.arguments = at.at("arguments").list(id);
  graph.results = at.at("results").list(id);
  return graph;
}

/// Equal names mean equal sizes.
void checkDimensions(const Cursor &at, const KernelSpec &spec) {
  std::map<std::string, int64_t> known;
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims) {
        auto [it, added] = known.try_emplace(dim.name, dim.value);
        if (!added && it->second != dim.value)
          at.fail("dimension '" + dim.name + "' has two sizes, " +
                  std::to_string(it->second) + " and " +
                  std::to_string(dim.value));
      }
}

} // namespace

Json write(const KernelSpec &spec) {
  return {{"symbol", spec.symbol},
          {"arguments", writeList(spec.arguments, writeTensor)},
          {"results", writeList(spec.results, writeTensor)},
          {"graph", writeGraph(spec.graph)},
          {"canonicalText", spec.canonicalText},
          {"listing", spec.listing},
          {"policy", nameOf(policyNames, spec.policy)},
          {"family", spec.family},
          {"flops", number(spec.flops)},
          {"bytes", number(spec.bytes)},
          {"specHash", spec.specHash}};
}

KernelSpec readKernelSpec(const Cursor &at) {
  at.only({"symbol", "arguments", "results", "graph", "canonicalText",
           "listing", "policy", "family", "flops", "bytes", "specHash"});
  KernelSpec spec;
  spec.symbol = at.find("symbol").string();
  spec.arguments = at.at("arguments").list(readTensor);
  spec.results = at.at("results").list(readTensor);
  if (Cursor graph = at.find("graph"); graph.present())
    spec.graph = readGraph(graph);
  spec.canonicalText = at.find("canonicalText").string();
  spec.listing = at.find("listing").string();
  spec.policy = at.find("policy").oneOf(policyNames, Policy::Torch);
  spec.family = at.find("family").string("other");
  spec.flops = at.find("flops").number();
  spec.bytes = at.find("bytes").number();
  spec.specHash = at.find("specHash").string();
  checkDimensions(at, spec);
  return spec;
}

} // namespace kclaw::json

namespace kclaw {

const char *name(Policy policy) {
  for (const auto &[text, row] : json::policyNames)
    if (row == policy)
      return text.data();
  return "?";
}

std::string toJson(const KernelSpec &spec) {
  return json::dump(json::write(spec), 2);
}

Expected<KernelSpec> parseKernelSpec(const std::string &text) {
  return json::parseDocument(text, "spec", json::readKernelSpec);
}

} // namespace kclaw
