// A step of page rank: every page gives its rank, in equal parts, to the pages that it links to (flatMap), and a page's
// next rank is 0.15 / n and 0.85 of what it is given (groupBy). Of a page that nothing links to
// there is no group, so loop.find gives -1.
//
// run: echo '[[[1, 2], [2], [0], [0, 2]], [0.25, 0.25, 0.25, 0.25]]' | irc run examples/loop/pagerank.mlir -args=-
//  -> {"results": [[0.35624999999999996, 0.14375, 0.46249999999999997, 0.0375]], "args": []}
// see: irc -emit=llvm examples/loop/pagerank.mlir
func.func @main(%links: !loop.array<!loop.array<index>>, %ranks: !loop.array<f64>) -> !loop.array<f64> {
  %none = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %jump = arith.constant 0.15 : f64
  %follow = arith.constant 0.85 : f64
  %n = loop.len %links : !loop.array<!loop.array<index>>
  %to, %given = loop.for %i < %n -> bucket(index, [reduce(add : f64)]) {
    %out = loop.at %links[%i] : !loop.array<!loop.array<index>>
    %rank = loop.at %ranks[%i] : !loop.array<f64>
    %m = loop.len %out : !loop.array<index>
    %k = arith.index_cast %m : index to i64
    %f = arith.sitofp %k : i64 to f64
    %part = arith.divf %rank, %f : f64
    %e = loop.for %j < %m -> emit(index, f64) {
      %t = loop.at %out[%j] : !loop.array<index>
      loop.yield %t, %part : index, f64
    }
    loop.yield %e : !loop.emit<index, f64>
  }
  %k = arith.index_cast %n : index to i64
  %f = arith.sitofp %k : i64 to f64
  %base = arith.divf %jump, %f : f64
  %next = loop.for %i < %n -> collect(f64) {
    %at = loop.find %to, %i : !loop.buckets<index>
    %linked = arith.cmpi sge, %at, %none : index
    %x = scf.if %linked -> (f64) {
      %g = loop.at %given[%at] : !loop.array<f64>
      scf.yield %g : f64
    } else {
      scf.yield %zero : f64
    }
    %y = arith.mulf %follow, %x : f64
    %r = arith.addf %base, %y : f64
    loop.yield %r : f64
  }
  return %next : !loop.array<f64>
}
