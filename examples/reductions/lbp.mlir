// Loopy belief propagation for stereo vision as one would write it by hand: T rounds of messages between the pixels of
// an image of H rows and B columns, each of K disparities, from R neighbours: 0 right, 1 left, 2 below, 3 above; from
// those beyond nothing comes. What goes to a pixel is the sum of what came from its other neighbours: of R of them, for
// each of R. %m has the messages of a round, %n those of the next.
//
//     irc complexity -passes=raise-affine,poly-equations,simplify-reductions examples/reductions/lbp.mlir
func.func @lbp(%H: index, %B: index, %K: index, %R: index, %T: index, %phi: memref<?x?x?xf64> {llvm.noalias}, %best: memref<?x?xi32> {llvm.noalias}, %b: memref<?x?x?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %cc = arith.constant 1.5 : f64
  %most = arith.constant 2147483647 : i32
  %Ki = arith.index_cast %K : index to i32
  %m = memref.alloc(%H, %B, %R, %K) : memref<?x?x?x?xf64>
  %n = memref.alloc(%H, %B, %R, %K) : memref<?x?x?x?xf64>
  %h = memref.alloc(%K) : memref<?xf64>
  affine.for %y = 0 to %H { affine.for %x = 0 to %B { affine.for %r = 0 to %R { affine.for %k = 0 to %K {
    affine.store %zero, %m[%y, %x, %r, %k] : memref<?x?x?x?xf64>
    affine.store %zero, %n[%y, %x, %r, %k] : memref<?x?x?x?xf64>
  } } } }
  affine.for %t = 0 to %T {
    affine.for %y = 0 to %H { affine.for %x = 0 to %B { affine.for %r = 0 to %R {
      affine.for %k = 0 to %K {
        %sl = affine.for %q = 0 to affine_map<(d0) -> (d0)>(%r) iter_args(%s = %zero) -> (f64) {
          %v = affine.load %m[%y, %x, %q, %k] : memref<?x?x?x?xf64>
          %u = arith.addf %s, %v fastmath<reassoc> : f64
          affine.yield %u : f64
        }
        %sr = affine.for %q = affine_map<(d0) -> (d0 + 1)>(%r) to %R iter_args(%s = %zero) -> (f64) {
          %v = affine.load %m[%y, %x, %q, %k] : memref<?x?x?x?xf64>
          %u = arith.addf %s, %v fastmath<reassoc> : f64
          affine.yield %u : f64
        }
        %p = affine.load %phi[%y, %x, %k] : memref<?x?x?xf64>
        %a = arith.addf %sl, %sr : f64
        %c = arith.addf %p, %a : f64
        affine.store %c, %h[%k] : memref<?xf64>
      }
      %mn = affine.for %k = 0 to %K iter_args(%s = %inf) -> (f64) {
        %v = affine.load %h[%k] : memref<?xf64>
        %u = arith.minnumf %s, %v : f64
        affine.yield %u : f64
      }
      %mc = arith.addf %mn, %cc : f64
      affine.for %k = 0 to %K {
        %v = affine.load %h[%k] : memref<?xf64>
        %lo = arith.minnumf %v, %mc : f64
        %s = arith.subf %lo, %mn : f64
        affine.if affine_set<(d0, d1, d2)[s0, s1] : (d0 == 0, s1 - d2 - 2 >= 0)>(%r, %y, %x)[%H, %B] {
          affine.store %s, %n[%y, %x + 1, 1, %k] : memref<?x?x?x?xf64>
        }
        affine.if affine_set<(d0, d1, d2)[s0, s1] : (d0 - 1 == 0, d2 - 1 >= 0)>(%r, %y, %x)[%H, %B] {
          affine.store %s, %n[%y, %x - 1, 0, %k] : memref<?x?x?x?xf64>
        }
        affine.if affine_set<(d0, d1, d2)[s0, s1] : (d0 - 2 == 0, s0 - d1 - 2 >= 0)>(%r, %y, %x)[%H, %B] {
          affine.store %s, %n[%y + 1, %x, 3, %k] : memref<?x?x?x?xf64>
        }
        affine.if affine_set<(d0, d1, d2)[s0, s1] : (d0 - 3 == 0, d1 - 1 >= 0)>(%r, %y, %x)[%H, %B] {
          affine.store %s, %n[%y - 1, %x, 2, %k] : memref<?x?x?x?xf64>
        }
      }
    } } }
    affine.for %y = 0 to %H { affine.for %x = 0 to %B { affine.for %r = 0 to %R { affine.for %k = 0 to %K {
      %v = affine.load %n[%y, %x, %r, %k] : memref<?x?x?x?xf64>
      affine.store %v, %m[%y, %x, %r, %k] : memref<?x?x?x?xf64>
    } } } }
  }
  affine.for %y = 0 to %H { affine.for %x = 0 to %B {
    affine.for %k = 0 to %K {
      %s = affine.for %r = 0 to %R iter_args(%s = %zero) -> (f64) {
        %v = affine.load %m[%y, %x, %r, %k] : memref<?x?x?x?xf64>
        %u = arith.addf %s, %v fastmath<reassoc> : f64
        affine.yield %u : f64
      }
      %p = affine.load %phi[%y, %x, %k] : memref<?x?x?xf64>
      %a = arith.addf %p, %s : f64
      affine.store %a, %b[%y, %x, %k] : memref<?x?x?xf64>
    }
    %bm = affine.for %k = 0 to %K iter_args(%s = %inf) -> (f64) {
      %v = affine.load %b[%y, %x, %k] : memref<?x?x?xf64>
      %u = arith.minnumf %s, %v : f64
      affine.yield %u : f64
    }
    %w = affine.for %k = 0 to %K iter_args(%s = %most) -> (i32) {
      %v = affine.load %b[%y, %x, %k] : memref<?x?x?xf64>
      %eq = arith.cmpf oeq, %v, %bm : f64
      %ki = arith.index_cast %k : index to i32
      %c = arith.select %eq, %ki, %Ki : i32
      %u = arith.minsi %s, %c : i32
      affine.yield %u : i32
    }
    affine.store %w, %best[%y, %x] : memref<?x?xi32>
  } }
  memref.dealloc %m : memref<?x?x?x?xf64>
  memref.dealloc %n : memref<?x?x?x?xf64>
  memref.dealloc %h : memref<?xf64>
  return
}
