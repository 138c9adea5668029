func.func @all(%n: i64, %c: i1) -> i64 {
  %p = lms.p "p1" : i64
  %q = lms.p "p2"(%p, %n : i64, i64) : i64
  %b = lms.p "p3"(%n : i64) : i1
  lms.print %q
  %f = lms.fun(%x: i64, %y: i64) {
    %s = arith.addi %x, %y : i64
    lms.yield %s
  }
  %a = lms.app %f(%n, %p : i64, i64)
  %v = lms.var %n : i64
  %g = lms.get %v : i64
  lms.set %v, %a : i64
  %m = lms.newmut %n
  %k = lms.mutcopy %m
  lms.write %k[%g], %n
  %r = lms.read %k[%n]
  %l = lms.len %k
  %z = lms.zeros %n
  %w = lms.plus %z, %m
  %arr = lms.arr %i < %n {
    lms.yield %i
  }
  %sum = lms.sum %i < %n {
    %e = lms.read %arr[%i]
    lms.yield %e
  }
  %lit = lms.lit %n, %p : i64, i64
  %lits = lms.lit %lit, %k : !lms.arr, !lms.arr
  %at = lms.at %lits[%g]
  %copy = lms.clone %lits : !lms.arrs
  %flat = lms.clone %at : !lms.arr
  %many = lms.arr %i < %n {
    lms.yield %flat
  }
  %own = lms.mutcopy %many
  lms.write %own[%g], %lit
  %size = lms.len %own
  %vs = lms.var %many : !lms.arrs
  return %sum : i64
}
