// Each number and their sum, divided by the last; then all are that.
func.func @mean(%a: memref<?x!fx.q<8, 8>>, %by: !fx.q<8, 8>) -> !fx.q<8, 8> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x!fx.q<8, 8>>
  %s = fx.sum %n {
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<?x!fx.q<8, 8>>
    fx.yield %x
  }
  %m = fx.div %s, %by
  fx.fill %a, %m
  return %m : !fx.q<8, 8>
}

// Bits are a number of any type that has as many.
func.func @again(%x: !fx.q<8, 8>, %b: i16) -> (!fx.q<8, 8>, !fx.q<4, 12>, i16) {
  %r = fx.raw %x
  %y = fx.pack %r : !fx.q<8, 8>
  %z = fx.pack %r : !fx.q<4, 12>
  %p = fx.pack %b : !fx.q<8, 8>
  %s = fx.raw %p
  return %y, %z, %s : !fx.q<8, 8>, !fx.q<4, 12>, i16
}
