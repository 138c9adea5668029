// Every op of the dialect, in its own syntax.

func.func @map_filter_reduce(%n: index) -> (f64, index, f64, !loop.array<f64>) {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3.0 : f64
  %two = arith.constant 2 : i64
  %sq = loop.for %i < %n -> collect(f64) {
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    %y = arith.mulf %x, %x : f64
    loop.yield %y : f64
  }
  %m = loop.len %sq : !loop.array<f64>
  %s, %f, %t, %scan = loop.for %i < %m -> reduce(add reassoc : f64), collect(f64), reduce(%zero : f64), scan(add : f64) {
    %x = loop.at %sq[%i] : !loop.array<f64>
    %c = arith.cmpf ogt, %x, %three : f64
    %e = scf.if %c -> (!loop.emit<f64>) {
      %o = loop.emit %x : f64
      scf.yield %o : !loop.emit<f64>
    } else {
      %o = loop.none : !loop.emit<f64>
      scf.yield %o : !loop.emit<f64>
    }
    loop.yield %x, %e, %x, %x : f64, !loop.emit<f64>, f64, f64
  } combine(%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    loop.yield %c : f64
  }
  %l = loop.len %f : !loop.array<f64>
  %g, %sums, %all = loop.for %i < %n -> bucket(i64, [reduce(add : f64), collect(f64)]) {
    %k = arith.index_cast %i : index to i64
    %key = arith.remsi %k, %two : i64
    %x = loop.at %sq[%i] : !loop.array<f64>
    loop.yield %key, %x, %x : i64, f64, f64
  }
  %keys = loop.keys %g[0] : !loop.buckets<i64>
  %at = loop.find %g, %two : !loop.buckets<i64>
  return %s, %l, %t, %sums : f64, index, f64, !loop.array<f64>
}

func.func @flat_map(%n: index) -> !loop.array<index> {
  %r = loop.for %i < %n -> collect(index) {
    %e = loop.for %j < %i -> emit(index) {
      loop.yield %j : index
    }
    %o = loop.emit %i : index
    %both = loop.seq %e, %o : !loop.emit<index>
    loop.yield %both : !loop.emit<index>
  }
  return %r : !loop.array<index>
}

func.func @records(%rows: !loop.array<!loop.struct<name: !loop.string, x: f64, "per cent": !loop.nullable<f64>>>)
    -> (!loop.array<index>, !loop.array<f64>, !loop.struct<n: index, s: !loop.string>, i1) {
  %names = loop.column %rows["name"] : !loop.array<!loop.struct<name: !loop.string, x: f64, "per cent": !loop.nullable<f64>>>
  %xs = loop.column %rows["x"] : !loop.array<!loop.struct<name: !loop.string, x: f64, "per cent": !loop.nullable<f64>>>
  %order = loop.sort %names asc, %xs desc : !loop.array<!loop.string>, !loop.array<f64>
  %n = loop.len %rows : !loop.array<!loop.struct<name: !loop.string, x: f64, "per cent": !loop.nullable<f64>>>
  %sorted = loop.for %i < %n -> collect(f64) {
    %k = loop.at %order[%i] : !loop.array<index>
    %r = loop.at %rows[%k] : !loop.array<!loop.struct<name: !loop.string, x: f64, "per cent": !loop.nullable<f64>>>
    %x = loop.field %r["x"] : !loop.struct<name: !loop.string, x: f64, "per cent": !loop.nullable<f64>>
    loop.yield %x : f64
  }
  %one = arith.constant 1 : index
  %part = loop.slice %sorted[%one to %n] : !loop.array<f64>
  %abc = loop.constant "abc"
  %first = arith.constant 0 : index
  %name = loop.at %names[%first] : !loop.array<!loop.string>
  %s = loop.struct %n, %name : !loop.struct<n: index, s: !loop.string>
  %eq = loop.compare eq, %name, %abc
  %pairs = loop.zip %sorted, %xs : !loop.array<!loop.struct<a: f64, b: f64>>
  return %order, %part, %s, %eq : !loop.array<index>, !loop.array<f64>, !loop.struct<n: index, s: !loop.string>, i1
}

func.func @keyed(%rows: !loop.array<!loop.struct<a: i64, b: f32>>) -> !loop.buckets<!loop.struct<a: i64, b: f32>> {
  %n = loop.len %rows : !loop.array<!loop.struct<a: i64, b: f32>>
  %g = loop.for %i < %n -> bucket(i64, f32, []) {
    %r = loop.at %rows[%i] : !loop.array<!loop.struct<a: i64, b: f32>>
    %a = loop.field %r["a"] : !loop.struct<a: i64, b: f32>
    %b = loop.field %r["b"] : !loop.struct<a: i64, b: f32>
    loop.yield %a, %b : i64, f32
  }
  %k = loop.rekey %g : !loop.buckets<i64, f32> to !loop.buckets<!loop.struct<a: i64, b: f32>>
  return %k : !loop.buckets<!loop.struct<a: i64, b: f32>>
}

func.func @parts(%xs: !loop.array<!loop.string>) -> !loop.array<!loop.string> {
  %p:2 = loop.unpack %xs : !loop.array<!loop.string>
  %q = loop.pack %p#0, %p#1 : (memref<?xindex>, memref<?xi8>) -> !loop.array<!loop.string>
  return %q : !loop.array<!loop.string>
}
