// Sums and remainders that are a matter of bits: rules of a file make them so.
//
// see: irc -rules=examples/prove/bits.rules examples/prove/bits.mlir
// run: echo '[12, 10]' | irc run -rules=examples/prove/bits.rules examples/prove/bits.mlir -entry=sum -args=-
//  -> {"results": [22], "args": []}
func.func @sum(%x: i32, %y: i32) -> i32 {
  %a = arith.andi %x, %y : i32
  %o = arith.ori %x, %y : i32
  %s = arith.addi %a, %o : i32
  return %s : i32
}

func.func @without_lowest(%x: i64) -> i64 {
  %z = arith.constant 0 : i64
  %n = arith.subi %z, %x : i64
  %l = arith.andi %x, %n : i64
  %r = arith.xori %x, %l : i64
  return %r : i64
}

func.func @every(%i: index) -> i1 {
  %z = arith.constant 0 : index
  %n = arith.constant 16 : index
  %m = arith.remui %i, %n : index
  %e = arith.cmpi eq, %m, %z : index
  return %e : i1
}
