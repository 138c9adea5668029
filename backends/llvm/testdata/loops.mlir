// A loop with a carried value over memory: phis, no alloca, no check for %i.
func.func @sum(%a: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %d = memref.dim %a, %c0 : memref<?xf64>
  %s = scf.for %i = %c0 to %d step %c1 iter_args(%acc = %z) -> f64 {
    %x = memref.load %a[%i] : memref<?xf64>
    %t = arith.addf %acc, %x fastmath<reassoc> : f64
    scf.yield %t : f64
  }
  return %s : f64
}

// Two results go to memory for C.
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  return %q, %r : i32, i32
}

func.func private @host(i1, memref<4xf32>) -> (f32, i1)

func.func @calls(%c: i1, %m: memref<4xf32>, %s: memref<2x?xf32, strided<[?, 1], offset: ?>> {llvm.noalias}) -> f32 {
  %x, %y = func.call @host(%c, %m) : (i1, memref<4xf32>) -> (f32, i1)
  %z = scf.if %y -> f32 {
    %e = math.exp %x : f32
    scf.yield %e : f32
  } else {
    %c1 = arith.constant 1 : index
    %l = memref.load %s[%c1, %c1] : memref<2x?xf32, strided<[?, 1], offset: ?>>
    scf.yield %l : f32
  }
  return %z : f32
}
