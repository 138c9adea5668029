// internal error: runtime error: index out of range [0] with length 0
// irc 0.1.0, command line: irc -allow-unregistered-dialect -split-input-file /tmp/rd/corpus/m300.mlir -v
// Replay: irc -run-reproducer THIS-FILE
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{llvm.noalias}, {llvm.noalias}, {llvm.noalias}], function_type = (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> (), sym_name = "init"}> ({
  ^bb0(%arg16: memref<?x?xf64>, %arg17: memref<?x?xf64>, %arg18: memref<?x?xf64>):
    %40 = "arith.constant"() <{value = 0 : index}> : () -> index
    %41 = "arith.constant"() <{value = 1 : index}> : () -> index
    %42 = "arith.constant"() <{value = 2 : index}> : () -> index
    %43 = "arith.constant"() <{value = 3 : index}> : () -> index
    %44 = "memref.dim"(%arg16, %40) : (memref<?x?xf64>, index) -> index
    %45 = "memref.dim"(%arg17, %41) : (memref<?x?xf64>, index) -> index
    "affine.for"(%44) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
    ^bb0(%arg21: index):
      "affine.for"(%45) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
      ^bb0(%arg22: index):
        %54 = "arith.muli"(%arg21, %arg22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %55 = "arith.addi"(%54, %41) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %56 = "arith.remsi"(%55, %44) : (index, index) -> index
        %57 = "arith.index_cast"(%56) : (index) -> i64
        %58 = "arith.sitofp"(%57) : (i64) -> f64
        %59 = "arith.index_cast"(%44) : (index) -> i64
        %60 = "arith.sitofp"(%59) : (i64) -> f64
        %61 = "arith.divf"(%58, %60) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
        "affine.store"(%61, %arg17, %arg21, %arg22) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (f64, memref<?x?xf64>, index, index) -> ()
        %62 = "arith.muli"(%arg21, %arg22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %63 = "arith.addi"(%62, %42) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %64 = "arith.remsi"(%63, %45) : (index, index) -> index
        %65 = "arith.index_cast"(%64) : (index) -> i64
        %66 = "arith.sitofp"(%65) : (i64) -> f64
        %67 = "arith.index_cast"(%45) : (index) -> i64
        %68 = "arith.sitofp"(%67) : (i64) -> f64
        %69 = "arith.divf"(%66, %68) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
        "affine.store"(%69, %arg18, %arg21, %arg22) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (f64, memref<?x?xf64>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) : (index) -> ()
      "affine.yield"() : () -> ()
    }) : (index) -> ()
    "affine.for"(%44) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
 @  ^bb0(%arg19: index):
      "affine.for"(%44) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
      ^bb0(%arg20: index):
        %46 = "arith.muli"(%arg19, %arg20) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %47 = "arith.addi"(%46, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %48 = "arith.remsi"(%47, %44) : (index, index) -> index
        %49 = "arith.index_cast"(%48) : (index) -> i64
        %50 = "arith.sitofp"(%49) : (i64) -> f64
        %51 = "arith.index_cast"(%45) : (index) -> i64
        %52 = "arith.sitofp"(%51) : (i64) -> f64
        %53 = "arith.divf"(%50, %52) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
        "affine.store"(%53, %arg16, %arg19, %arg20) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (f64, memref<?x?xf64>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) : (index) -> ()
      "affine.yield"() : () -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{llvm.noalias}, {llvm.noalias}, {llvm.noalias}], function_type = (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg9: memref<?x?xf64>, %arg10: memref<?x?xf64>, %arg11: memref<?x?xf64>):
    %21 = "arith.constant"() <{value = 0 : index}> : () -> index
    %22 = "arith.constant"() <{value = 1 : index}> : () -> index
    %23 = "arith.constant"() <{value = 1.200000e+00 : f64}> : () -> f64
    %24 = "arith.constant"() <{value = 1.500000e+00 : f64}> : () -> f64
    %25 = "memref.dim"(%arg9, %21) : (memref<?x?xf64>, index) -> index
    %26 = "memref.dim"(%arg10, %22) : (memref<?x?xf64>, index) -> index
    "affine.for"(%25) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
    ^bb0(%arg12: index):
      "affine.for"(%arg12) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = affine_map<(d0) -> (d0 + 1)>}> ({
      ^bb0(%arg15: index):
        %38 = "affine.load"(%arg9, %arg12, %arg15) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<?x?xf64>, index, index) -> f64
        %39 = "arith.mulf"(%38, %23) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
        "affine.store"(%39, %arg9, %arg12, %arg15) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (f64, memref<?x?xf64>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) : (index) -> ()
      "affine.for"(%26) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
      ^bb0(%arg13: index):
        "affine.for"(%arg12) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 :\index, upperBoundMap = affine_map<(d0) -> (d0 + 1)>}> ({
        ^bb0(%arg14: index):
          %27 = "affine.load"(%arg9, %arg12, %arg14) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<?x?xf64>, index, index) -> f64
          %28 = "affine.load"(%arg10, %arg14, %arg13) <{map = affine_map<(d0, d1) -> ( loc("a":1:2)d0, d1)>}> : (memref<?x?xf64>, index, index) -> f64
          %29 = "arith.mulf"(%28, %24) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
          %30 = "affine.load"(%arg11, %arg12, %arg13) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<?x?xf64>, index, index) -> f64
          %31 = "arith.mulf"(%29, %30) <{fastmath = #arith.fastmath<fast>}> :,(f64, f64) -> f64
          %32 = "affine.load"(%arg11, %arg14, %arg13) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<?x?xf64>, index, index) -> f64
          %33 = "arith.mulf"(%32, %24) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
          %34 = "affine.load"(%arg10, %arg12, %arg13) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<?x?xf64>, index, index) -> f64
          %35 = "arith.mulf"(%33, %34) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
          %36 = "arith.addf"(%31, %35) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
          %37 = "arith.addf"(%27, %36) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
          "affine.store"(%37, %arg9, %arg12, %arg14) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (f64, memref<?x?xf64>, index, index) -> ()
          "affine.yield"() : () -> ()
        }) : (index) -> ()
        "affine.yield"() : () -> ()
      }) : (index) -> ()
      "affine.yield"() : () -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{llvm.noalias}, {llvm.noalias}, {llvm.noalias}], function_type = (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> f64, sym_name = "check"}> ({
  ^bb0(%arg2: memref<?x?xf64>, %arg3: memref<?x?xf64>, %arg4: memref<?x?xf64>):
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    %5 = "arith.constant"() <{value = 1 : index}> : () -> index
    %6 = "arith.constant"() <{value = 3 : index}> : () -> index
    %7 = "arith.constant"() <{value = 7 : index}> : () -> index
    %8 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %9 = "memref.dim"(%arg2, %4) : (memref<?x?xf64>, index) -> index
    %10 = "affine.for"(%9, %8) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
    ^bb0(%arg5: index, %arg6: f64):
      %11 = "affine.for"(%9, %arg6) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
      ^bb0(%arg7: index, %arg8: f64):
        %12 = "affine.load"(%arg2, %arg5, %arg7) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<?x?xf64>, index, index) -> f64
        %13 = "arith.muli"(%6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %14 = "arith.addi"(%arg5, %13) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %15 = "arith.remsi"(%14, %7) : (index, index) -> index
        %16 = "arith.addi"(%5, %15) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %17 = "arith.index_cast"(%16) : (index) -> i64
        %18 = "arith.sitofp"(%17) : (i64) -> f64
        %19 = "arith.mulf"(%12, %18) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
        %20 = "arith.addf"(%arg8, %19) <{fastmath = #arith.fastmath<fast>}> : (f64, f64) -> f64
        "affine.yield"(%20) : (f64) -> ()
      }) : (index, f64) -> f64
      "affine.yield"(%11) : (f64) -> ()
    }) : (index, f64) -> f64
    "func.return"(%10) : (f64) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, index) -> f64, sym_name = "main"}> ({
  ^bb0(%arg0: index, %arg1: index):
    %0 = "memref.alloc"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 2, 0>}> : (index, index) -> memref<?x?xf64>
    %1 = "memref.alloc"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 2, 0>}> : (index, index) -> memref<?x?xf64>
    %2 = "memref.alloc"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 2, 0>}> : (index, index) -> memref<?x?xf64>
    "func.call"(%0, %1, %2) <{callee = @init}> : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
    "func.call"(%0, %1, %2) <{callee = @kernel}> : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
    %3 = "func.call"(%0, %1, %2) <{callee = @check}> : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> f64
    "memref.dealloc"(%0) : (memref<?x?xf64>) -> ()
    "memref.dealloc"(%1) : (memref<?x?xf64>) -> ()
    "memref.dealloc"(%2) : (memref<?x?xf64>) -> ()
    "func.return"(%3) : (f64) -> ()
  }) : () -> ()
}) : () -> ()

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module()",
      disable_threading: false,
      verify_each: true
    }
  }
#-}
