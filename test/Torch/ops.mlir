// Types and ops that the samples do not hold, as torch-mlir spells them.
// RUN: kernelclaw-opt %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: kernelclaw-opt %s --mlir-print-op-generic | kernelclaw-opt | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:module {
module {
// CHECK-NEXT:  func.func private @types(!torch.vtensor, !torch.vtensor<*,f32>, !torch.vtensor<[?,?],unk>, !torch.tensor<[2],!torch.qint8>, !torch.vtensor<[],complex<f32>>, !torch.list<optional<vtensor<[1,?],f16>>>, !torch.tuple<int, list<float>>, !torch.tuple<>, !torch.union<float, int>, !torch.dict<str, tensor>, !torch.nn.Module<"a.b">, !torch.LinearParams, !torch.number, !torch.any, !torch.Generator, !torch.vtensor<[2],f8E4M3FN>)
  func.func private @types(!torch.vtensor<*,unk>, !torch.vtensor<*, f32>, !torch.vtensor<[?, -1],unk>, !torch.tensor<[2],!torch.qint8>, !torch.vtensor<[],complex<f32>>, !torch.list<optional<vtensor<[1,?],f16>>>, !torch.tuple<int, list<float>>, !torch.tuple<>, !torch.union<float, int>, !torch.dict<str, tensor>, !torch.nn.Module<"a.b">, !torch.LinearParams, !torch.number, !torch.any, !torch.Generator, !torch.vtensor<[2],f8E4M3FN>)
// CHECK-NEXT:  func.func @constants() {
// CHECK-NEXT:    %int-3 = torch.constant.int -3
// CHECK-NEXT:    %int-3_0 = torch.constant.int -3 {note = "x"}
// CHECK-NEXT:    %float-Inf = torch.constant.float 0xFFF0000000000000
// CHECK-NEXT:    %float1.000000e-05 = torch.constant.float 1.000000e-05
// CHECK-NEXT:    %cuda3A0 = torch.constant.device "cuda:0"
// CHECK-NEXT:    %0 = "torch.constant.number"() <{value = 1 : i64}> : () -> !torch.number
// CHECK-NEXT:    %1 = torch.vtensor.literal(dense<[1, 0]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
// CHECK-NEXT:    %2 = torch.tensor.literal(dense<0.000000e+00> : tensor<4xf32>) : !torch.tensor
// CHECK-NEXT:    %3 = torch.prim.Uninitialized : !torch.int
// CHECK-NEXT:    %4 = torch.prim.ListConstruct  : () -> !torch.list<int>
// CHECK-NEXT:    return
// CHECK-NEXT:  }
  func.func @constants() {
    %a = torch.constant.int -3
    %b = torch.constant.int -3 {note = "x"}
    %c = torch.constant.float 0xFFF0000000000000
    %d = torch.constant.float 1.0e-5
    %e = torch.constant.device "cuda:0"
    %f = "torch.constant.number"() {value = 1 : i64} : () -> !torch.number
    %g = torch.vtensor.literal(dense<[1, 0]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
    %h = torch.tensor.literal(dense<0.0> : tensor<4xf32>) : !torch.tensor
    %i = torch.prim.Uninitialized : !torch.int
    %j = torch.prim.ListConstruct  : () -> !torch.list<int>
    return
  }
// CHECK-NEXT:  func.func @ops(%arg0: !torch.vtensor<[?,8],f32>, %arg1: !torch.tensor<[4],f32>, %arg2: !torch.int, %arg3: !torch.bool, %arg4: !torch.str, %arg5: !torch.list<vtensor>, %arg6: !torch.tuple<int, float>) attributes {torch.assume_strict_symbolic_shapes} {
// CHECK-NEXT:    %0 = torch.symbolic_int "s77" {min_val = 0, max_val = 9223372036854775807} : !torch.int
// CHECK-NEXT:    torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0 * 2 + 3, 8)> : !torch.vtensor<[?,8],f32>
// CHECK-NEXT:    %values, %indices = torch.aten.topk %arg0, %arg2, %arg2, %arg3, %arg3 : !torch.vtensor<[?,8],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],si64>
// CHECK-NEXT:    %result0, %result1 = torch.aten.var_mean %arg0, %arg3 : !torch.vtensor<[?,8],f32>, !torch.bool -> !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
// CHECK-NEXT:    %1:2 = torch.prim.ListUnpack %arg5 : !torch.list<vtensor> -> !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>
// CHECK-NEXT:    %2:2 = torch.prim.TupleUnpack %arg6 : !torch.tuple<int, float> -> !torch.int, !torch.float
// CHECK-NEXT:    %3:2 = torch.operator "torch.myns.two"(%arg0) {extra = 1 : i64} : (!torch.vtensor<[?,8],f32>) -> (!torch.vtensor<[4],f32>, !torch.list<vtensor>) 
// CHECK-NEXT:    torch.operator "torch.myns.effect"(%arg0) : (!torch.vtensor<[?,8],f32>) -> () 
// CHECK-NEXT:    torch.aten._assert_scalar %arg2, %arg4 : !torch.int, !torch.str
// CHECK-NEXT:    torch.runtime.assert %arg3, "message"
// CHECK-NEXT:    %4 = torch.aten.format(%arg4, %arg2) : !torch.str, !torch.int -> !torch.str
// CHECK-NEXT:    torch.prim.Print(%arg4) : !torch.str
// CHECK-NEXT:    %5 = torch.prim.TupleConstruct %arg2, %arg3 : !torch.int, !torch.bool -> !torch.tuple<int, bool>
// CHECK-NEXT:    %6 = torch.prim.DictConstruct keys(%arg4 : !torch.str) values(%arg1 : !torch.tensor<[4],f32>) -> !torch.dict<str, tensor<[4],f32>>
// CHECK-NEXT:    %7 = torch.copy.to_vtensor %arg1 : !torch.vtensor<[4],f32>
// CHECK-NEXT:    torch.overwrite.tensor.contents %7 overwrites %arg1 : !torch.vtensor<[4],f32>, !torch.tensor<[4],f32>
// CHECK-NEXT:    %8 = torch.derefine %arg2 : !torch.int to !torch.optional<int>
// CHECK-NEXT:    %9 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[?,8],f32> to !torch.vtensor<*,f32>
// CHECK-NEXT:    %10 = torch.prim.If %arg3 -> (!torch.int) {
// CHECK-NEXT:      torch.prim.If.yield %arg2 : !torch.int
// CHECK-NEXT:    } else {
// CHECK-NEXT:      torch.prim.If.yield %arg2 : !torch.int
// CHECK-NEXT:    }
// CHECK-NEXT:    %11 = torch.prim.Loop %arg2, %arg3, init(%arg2) {
// CHECK-NEXT:    ^bb0(%arg7: !torch.int, %arg8: !torch.int):
// CHECK-NEXT:      torch.prim.Loop.condition %arg3, iter(%arg8 : !torch.int)
// CHECK-NEXT:    } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
// CHECK-NEXT:    %12 = torch.shape.calculate {
// CHECK-NEXT:      torch.shape.calculate.yield %arg0 : !torch.vtensor<[?,8],f32>
// CHECK-NEXT:    } shapes {
// CHECK-NEXT:      %15 = torch.prim.ListConstruct %arg2 : (!torch.int) -> !torch.list<int>
// CHECK-NEXT:      torch.shape.calculate.yield.shapes %15 : !torch.list<int>
// CHECK-NEXT:    } : !torch.vtensor<[?,8],f32>
// CHECK-NEXT:    %13 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[?,8],f32> -> tensor<?x8xf32>
// CHECK-NEXT:    %14 = torch_c.to_i64 %arg2
// CHECK-NEXT:    return
// CHECK-NEXT:  }
  func.func @ops(%x: !torch.vtensor<[?,8],f32>, %m: !torch.tensor<[4],f32>, %i: !torch.int, %b: !torch.bool, %s: !torch.str, %l: !torch.list<vtensor>, %t: !torch.tuple<int, float>) attributes {torch.assume_strict_symbolic_shapes} {
    %s0 = torch.symbolic_int "s77" {min_val = 0, max_val = 9223372036854775807} : !torch.int
    torch.bind_symbolic_shape %x, [%s0], affine_map<()[s0] -> (s0 * 2 + 3, 8)> : !torch.vtensor<[?,8],f32>
    %v, %k = torch.aten.topk %x, %i, %i, %b, %b : !torch.vtensor<[?,8],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],si64>
    %r:2 = torch.aten.var_mean %x, %b : !torch.vtensor<[?,8],f32>, !torch.bool -> !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
    %u:2 = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>
    %t0, %t1 = torch.prim.TupleUnpack %t : !torch.tuple<int, float> -> !torch.int, !torch.float
    %two:2 = torch.operator "torch.myns.two"(%x) {extra = 1 : i64} : (!torch.vtensor<[?,8],f32>) -> (!torch.vtensor<[4],f32>, !torch.list<vtensor>)
    torch.operator "torch.myns.effect"(%x) : (!torch.vtensor<[?,8],f32>) -> ()
    torch.aten._assert_scalar %i, %s : !torch.int, !torch.str
    torch.runtime.assert %b, "message"
    %f = torch.aten.format(%s, %i) : !torch.str, !torch.int -> !torch.str
    torch.prim.Print(%s) : !torch.str
    %tc = torch.prim.TupleConstruct %i, %b : !torch.int, !torch.bool -> !torch.tuple<int, bool>
    %dc = torch.prim.DictConstruct keys(%s : !torch.str) values(%m : !torch.tensor<[4],f32>) -> !torch.dict<str, tensor<[4],f32>>
    %cv = torch.copy.to_vtensor %m : !torch.vtensor<[4],f32>
    torch.overwrite.tensor.contents %cv overwrites %m : !torch.vtensor<[4],f32>, !torch.tensor<[4],f32>
    %d = torch.derefine %i : !torch.int to !torch.optional<int>
    %sc = torch.tensor_static_info_cast %x : !torch.vtensor<[?,8],f32> to !torch.vtensor<*,f32>
    %if = torch.prim.If %b -> (!torch.int) {
      torch.prim.If.yield %i : !torch.int
    } else {
      torch.prim.If.yield %i : !torch.int
    }
    %loop = torch.prim.Loop %i, %b, init(%i) {
    ^bb0(%n: !torch.int, %c: !torch.int):
      torch.prim.Loop.condition %b, iter(%c : !torch.int)
    } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
    %sh = torch.shape.calculate {
      torch.shape.calculate.yield %x : !torch.vtensor<[?,8],f32>
    } shapes {
      %list = torch.prim.ListConstruct %i : (!torch.int) -> !torch.list<int>
      torch.shape.calculate.yield.shapes %list : !torch.list<int>
    } : !torch.vtensor<[?,8],f32>
    %bt = torch_c.to_builtin_tensor %x : !torch.vtensor<[?,8],f32> -> tensor<?x8xf32>
    %i64 = torch_c.to_i64 %i
    return
  }
}
