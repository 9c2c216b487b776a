//===- Types.cpp - Element types as CUDA C++ sees them --------------------===//
//
// One row per dtype; conversions and literals as text.
//
//===----------------------------------------------------------------------===//
#include "Types.h"

#include <cmath>
#include <cstdio>

namespace kclaw::expert {
namespace {

struct TypeRow {
  DType type;
  const char *reg;
  const char *compute;
  int rank; ///< of promotion within its kind
};

constexpr TypeRow typeRows[] = {
    {DType::f64, "double", "double", 9}, {DType::f32, "float", "float", 8},
    {DType::f16, "float", "float", 7},   {DType::bf16, "float", "float", 7},
    {DType::i64, "llong", "llong", 5},   {DType::i32, "int", "int", 4},
    {DType::i16, "short", "int", 3},     {DType::i8, "schar", "int", 2},
    {DType::u8, "uchar", "int", 2},      {DType::boolean, "bool", "int", 1},
};

const TypeRow &row(DType type) { return typeRows[size_t(type)]; }

std::string integerText(int64_t value) {
  if (value == INT64_MIN)
    return "-9223372036854775807LL - 1";
  return std::to_string(value) +
         (value > INT32_MAX || value < INT32_MIN ? "LL" : "");
}

std::string floatText(double value, const std::string &type) {
  if (std::isnan(value))
    return "Limits<" + type + ">::nan()";
  if (std::isinf(value))
    return (value < 0 ? "-Limits<" : "Limits<") + type + ">::infinity()";
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.17g", value);
  std::string text = buffer;
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

} // namespace

std::string registerType(DType type) { return row(type).reg; }
std::string elementType(DType type) {
  return isFloat(type) ? std::string(info(type).cudaName) : registerType(type);
}
std::string computeType(DType type) { return row(type).compute; }
bool isFloatType(const std::string &type) {
  return type == "float" || type == "double";
}

std::string convert(const std::string &text, const std::string &from,
                    const std::string &to) {
  if (from == to)
    return text;
  return to == "bool" ? "(" + text + " != 0)" : to + "(" + text + ")";
}

std::string toElement(const std::string &text, const std::string &from,
                      DType type) {
  if (type == DType::f16 || type == DType::bf16)
    return "roundTo<" + std::string(info(type).cudaName) + ">(" +
           convert(text, from, "float") + ")";
  // A float does not fit a small integer's range check; PyTorch goes through
  // a wide integer and wraps.
  bool narrow = info(type).sizeBytes < 4 && type != DType::boolean;
  if (narrow && isFloatType(from))
    return registerType(type) + "(llong(" + text + "))";
  if (type == DType::boolean && from != "bool")
    return "(" + text + ") != 0";
  return convert(text, from, registerType(type));
}

std::string literalText(const Literal &literal, const std::string &type) {
  if (const bool *flag = std::get_if<bool>(&literal))
    return type + (*flag ? "(1)" : "(0)");
  if (const int64_t *value = std::get_if<int64_t>(&literal))
    return type + "(" + integerText(*value) + ")";
  if (const double *value = std::get_if<double>(&literal))
    return type + "(" + floatText(*value, isFloatType(type) ? type : "float") +
           ")";
  return "";
}

std::string plainText(const Literal &literal) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "none"; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const {
      char buffer[40];
      std::snprintf(buffer, sizeof(buffer), "%g", v);
      return buffer;
    }
    std::string operator()(const std::string &v) const { return v; }
    std::string operator()(const std::vector<int64_t> &) const {
      return "list";
    }
    std::string operator()(const std::vector<double> &) const { return "list"; }
    std::string operator()(const std::vector<bool> &) const { return "list"; }
  };
  return std::visit(Visitor{}, literal);
}

DType promote(DType a, DType b) {
  if (a == b)
    return a;
  bool half = (a == DType::f16 && b == DType::bf16) ||
              (a == DType::bf16 && b == DType::f16);
  if (half)
    return DType::f32;
  bool bytes =
      (a == DType::u8 && b == DType::i8) || (a == DType::i8 && b == DType::u8);
  if (bytes)
    return DType::i16;
  return row(a).rank > row(b).rank ? a : b;
}

} // namespace kclaw::expert
