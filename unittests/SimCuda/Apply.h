//===- Apply.h - One instruction on columns of inputs -----------*- C++ -*-===//
//
// Runs PTX text on inputs, one a thread. Input k is in %h<k>, %r<k>, %f<k>,
// %l<k> and %g<k> (16, 32 bits, f32, 64 bits, f64), k from 1; the result is
// what the text leaves in register 0 of the kind that `result` names. %p0 to
// %p3 are predicates: store them with selp.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SIMCUDA_APPLY_H
#define KERNELCLAW_UNITTESTS_SIMCUDA_APPLY_H

#include "Machine.h"

#include <bit>

namespace kclaw::sim {

using Words = std::vector<uint64_t>;

inline std::string applyKernel(const std::string &text, char result,
                               size_t inputs) {
  std::string loads;
  for (size_t k = 1; k <= inputs; ++k) {
    std::string n = std::to_string(k);
    loads += "ld.param.u64 %a1, [in" + n + "];\nadd.s64 %a1, %a1, %a0;\n";
    for (auto [type, reg] : {std::pair{"b16", "h"},
                             {"b32", "r"},
                             {"f32", "f"},
                             {"b64", "l"},
                             {"f64", "g"}})
      loads += "ld.global." + std::string(type) + " %" + reg + n + ", [%a1];\n";
  }
  std::string parameters = ".param .u64 out";
  for (size_t k = 1; k <= inputs; ++k)
    parameters += ", .param .u64 in" + std::to_string(k);
  static const std::map<char, std::string> types = {
      {'h', "b16"}, {'r', "b32"}, {'f', "f32"}, {'l', "b64"}, {'g', "f64"}};
  return ".version 8.6\n.target sm_90a\n.address_size 64\n"
         ".visible .entry apply(" +
         parameters +
         ") {\n"
         ".reg .b16 %h<6>;\n.reg .b32 %r<6>;\n.reg .f32 %f<6>;\n"
         ".reg .b64 %l<6>;\n.reg .f64 %g<6>;\n.reg .pred %p<4>;\n"
         ".reg .b64 %a<2>;\n.reg .b32 %t<2>;\n"
         "mov.u32 %t0, %tid.x;\nmul.wide.u32 %a0, %t0, 8;\n" +
         loads + text +
         "\nld.param.u64 %a1, [out];\nadd.s64 %a1, %a1, %a0;\nst.global." +
         types.at(result) + " [%a1], %" + std::string(1, result) +
         "0;\nret;\n}\n";
}

/// At most 1024 inputs, all of one length. 1 to 4 input columns.
inline Words apply(const std::string &text, char result,
                   const std::vector<Words> &in) {
  Machine machine(applyKernel(text, result, in.size()));
  std::vector<Buffer<uint64_t>> columns;
  for (const Words &column : in)
    columns.push_back(machine.upload(column));
  auto count = uint32_t(in.front().size());
  auto out = machine.upload(Words(count));
  if (in.size() == 1)
    machine.run("apply", {1}, {count}, out, columns[0]);
  else if (in.size() == 2)
    machine.run("apply", {1}, {count}, out, columns[0], columns[1]);
  else if (in.size() == 3)
    machine.run("apply", {1}, {count}, out, columns[0], columns[1], columns[2]);
  else
    machine.run("apply", {1}, {count}, out, columns[0], columns[1], columns[2],
                columns[3]);
  return out.values();
}

/// One thread.
inline uint64_t apply1(const std::string &text, char result, Words in) {
  std::vector<Words> columns;
  for (uint64_t value : in)
    columns.push_back({value});
  return apply(text, result, columns)[0];
}

inline uint32_t word(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t word(double x) { return std::bit_cast<uint64_t>(x); }

} // namespace kclaw::sim

#endif // KERNELCLAW_UNITTESTS_SIMCUDA_APPLY_H
