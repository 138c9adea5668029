// Control flow between blocks: a loop that is entered at two places, which no while loop
// is, and left at two. It comes in as ifs, loops and a guard variable.
//
// see: irc examples/mlir/blocks.mlir
// run: echo '[27, true]' | irc run examples/mlir/blocks.mlir -entry=steps -args=-
//  -> {"results": [70], "args": []}
// run: echo '[27, false]' | irc run examples/mlir/blocks.mlir -entry=steps -args=-
//  -> {"results": [71], "args": []}
func.func @steps(%n: i64, %skip: i1) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %most = arith.constant 200 : i64
  cf.cond_br %skip, ^up(%n, %c0 : i64, i64), ^down(%n, %c0 : i64, i64)
^down(%x: i64, %k: i64):
  %half = arith.divui %x, %c2 : i64
  %rest = arith.remui %x, %c2 : i64
  %even = arith.cmpi eq, %rest, %c0 : i64
  %y = arith.select %even, %half, %x : i64
  %k1 = arith.addi %k, %c1 : i64
  %done = arith.cmpi eq, %y, %c1 : i64
  cf.cond_br %done, ^out(%k1 : i64), ^up(%y, %k1 : i64, i64)
^up(%u: i64, %j: i64):
  %odd = arith.andi %u, %c1 : i64
  %isodd = arith.cmpi ne, %odd, %c0 : i64
  %t = arith.muli %u, %c3 : i64
  %t1 = arith.addi %t, %c1 : i64
  %v = arith.select %isodd, %t1, %u : i64
  %enough = arith.cmpi ugt, %j, %most : i64
  cf.cond_br %enough, ^out(%most : i64), ^down(%v, %j : i64, i64)
^out(%r: i64):
  return %r : i64
}
