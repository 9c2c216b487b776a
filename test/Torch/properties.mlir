// Attributes in either spelling of the generic form survive on unregistered ops.
// RUN: kernelclaw-opt %s | FileCheck %s
// RUN: kernelclaw-opt %s | kernelclaw-opt | FileCheck %s

// CHECK: torch.hop_new %arg0 {a = 7 : i64} : !torch.int -> !torch.int
// CHECK: torch.hop_new %arg0 {b = 8 : i64} : !torch.int -> !torch.int
// CHECK: torch.hop_new %arg0 {a = 7 : i64, b = 8 : i64} : !torch.int -> !torch.int
// CHECK: torch.operator "torch.aten.relu"(%arg0) {c = 1 : i64} : (!torch.int) -> !torch.int
// CHECK: %int4 = torch.constant.int 4
func.func @f(%i: !torch.int) {
  %0 = "torch.hop_new"(%i) <{a = 7 : i64}> : (!torch.int) -> !torch.int
  %1 = "torch.hop_new"(%i) {b = 8 : i64} : (!torch.int) -> !torch.int
  %2 = "torch.hop_new"(%i) <{a = 7 : i64}> {b = 8 : i64} : (!torch.int) -> !torch.int
  %3 = "torch.operator"(%i) <{name = "torch.aten.relu"}> {c = 1 : i64} : (!torch.int) -> !torch.int
  %4 = "torch.constant.int"() {value = 4 : i64} : () -> !torch.int
  return
}
