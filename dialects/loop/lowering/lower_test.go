package lowering_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// A program and calls of it that end well.
type program struct {
	src   string
	calls [][2]string // entry and arguments
}

var programs = map[string]program{
	"missing keys are one, whatever they hold": {src: `
func.func @f(%c: i1, %n: index, %x: f32, %s: !loop.string) -> (index, index) {
  %no = arith.constant false
  %zero = arith.constant 0.0 : f32
  %none = loop.struct %zero, %no : !loop.nullable<f32>
  %empty = loop.constant ""
  %nothing = loop.struct %empty, %no : !loop.nullable<!loop.string>
  %groups = scf.if %c -> (!loop.buckets<!loop.nullable<f32>, !loop.nullable<!loop.string>>) {
    %g = loop.for %i < %n -> bucket(!loop.nullable<f32>, !loop.nullable<!loop.string>) {
      loop.yield %none, %nothing : !loop.nullable<f32>, !loop.nullable<!loop.string>
    }
    scf.yield %g : !loop.buckets<!loop.nullable<f32>, !loop.nullable<!loop.string>>
  } else {
    %some = arith.constant true
    %key = loop.struct %x, %some : !loop.nullable<f32>
    %g = loop.for %i < %n -> bucket(!loop.nullable<f32>, !loop.nullable<!loop.string>) {
      loop.yield %key, %nothing : !loop.nullable<f32>, !loop.nullable<!loop.string>
    }
    scf.yield %g : !loop.buckets<!loop.nullable<f32>, !loop.nullable<!loop.string>>
  }
  %other = loop.struct %x, %no : !loop.nullable<f32>
  %missing = loop.struct %s, %no : !loop.nullable<!loop.string>
  %a = loop.find %groups, %other, %missing : !loop.buckets<!loop.nullable<f32>, !loop.nullable<!loop.string>>
  %b = loop.find %groups, %none, %nothing : !loop.buckets<!loop.nullable<f32>, !loop.nullable<!loop.string>>
  return %a, %b : index, index
}`, calls: [][2]string{{"f", `[true, 3, 1.5, "what"]`}, {"f", `[false, 3, 1.5, "what"]`}, {"f", `[true, 0, 0, ""]`}}},
	"buckets of all kinds": {src: `
func.func @f(%n: index) -> (!loop.buckets<i64>, !loop.array<!loop.array<f64>>, !loop.array<f64>, !loop.array<!loop.array<f64>>,
    !loop.array<!loop.buckets<i64>>, !loop.array<!loop.array<f64>>, index, index) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %g, %all, %sum, %sc, %h, %in = loop.for %i < %n -> bucket(i64, [collect(f64), reduce(add : f64), scan(add : f64), bucket(i64, [reduce(max : f64)])]) {
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    %key = arith.remsi %k, %two : i64
    %key2 = arith.remsi %k, %three : i64
    loop.yield %key, %x, %x, %x, %key2, %x : i64, f64, f64, f64, i64, f64
  }
  %one = arith.constant 1 : i64
  %p = loop.find %g, %one : !loop.buckets<i64>
  %q = loop.find %g, %three : !loop.buckets<i64>
  return %g, %all, %sum, %sc, %h, %in, %p, %q : !loop.buckets<i64>, !loop.array<!loop.array<f64>>, !loop.array<f64>, !loop.array<!loop.array<f64>>,
    !loop.array<!loop.buckets<i64>>, !loop.array<!loop.array<f64>>, index, index
}`, calls: [][2]string{{"f", "[0]"}, {"f", "[1]"}, {"f", "[100]"}}},
	"sorted rows": {src: `
func.func @f(%a: !loop.array<f64>, %b: !loop.array<!loop.string>, %c: !loop.array<!loop.nullable<i64>>) -> (!loop.array<index>, !loop.array<index>, !loop.array<index>) {
  %x = loop.sort %a desc, %b asc : !loop.array<f64>, !loop.array<!loop.string>
  %y = loop.sort %c asc, %a asc : !loop.array<!loop.nullable<i64>>, !loop.array<f64>
  %z = loop.sort %b desc : !loop.array<!loop.string>
  return %x, %y, %z : !loop.array<index>, !loop.array<index>, !loop.array<index>
}`, calls: [][2]string{{"f", `[[], [], []]`},
		{"f", `[[1.5, -2, "NaN", 1.5, 0], ["b", "abc", "", "ab", "abcdefghij"], [3, null, -1, null, 3]]`}}},
	"strings, collected and compared": {src: `
func.func @f(%xs: !loop.array<!loop.string>, %y: !loop.string) -> (!loop.array<!loop.string>, !loop.array<index>, !loop.array<i1>) {
  %n = loop.len %xs : !loop.array<!loop.string>
  %r, %l, %c = loop.for %i < %n -> collect(!loop.string), collect(index), collect(i1) {
    %x = loop.at %xs[%i] : !loop.array<!loop.string>
    %less = loop.compare lt, %x, %y
    %e = scf.if %less -> (!loop.emit<!loop.string>) {
      %o = loop.emit %x : !loop.string
      scf.yield %o : !loop.emit<!loop.string>
    } else {
      %o = loop.none : !loop.emit<!loop.string>
      scf.yield %o : !loop.emit<!loop.string>
    }
    %len = loop.len %x : !loop.string
    %ge = loop.compare ge, %x, %y
    %eq = loop.compare eq, %x, %y
    %or = arith.ori %ge, %eq : i1
    loop.yield %e, %len, %or : !loop.emit<!loop.string>, index, i1
  }
  return %r, %l, %c : !loop.array<!loop.string>, !loop.array<index>, !loop.array<i1>
}`, calls: [][2]string{{"f", `[["b", "", "abc", "b", "c"], "b"]`}, {"f", `[[], ""]`}, {"f", `[["ab", "aa", "a", "b"], "aab"]`}}},
	"columns of structs, and of arrays of structs": {src: `
!row = !loop.struct<a: i64, s: !loop.string, b: f64>
func.func @f(%rows: !loop.array<!row>, %nested: !loop.array<!loop.array<!row>>) -> (!loop.array<!row>, !loop.array<f64>, !loop.array<!loop.array<!row>>, i64) {
  %n = loop.len %rows : !loop.array<!row>
  %kept = loop.for %i < %n -> collect(!row) {
    %r = loop.at %rows[%i] : !loop.array<!row>
    %a = loop.field %r["a"] : !row
    %zero = arith.constant 0 : i64
    %c = arith.cmpi sgt, %a, %zero : i64
    %e = scf.if %c -> (!loop.emit<!row>) {
      %o = loop.emit %r : !row
      scf.yield %o : !loop.emit<!row>
    } else {
      %o = loop.none : !loop.emit<!row>
      scf.yield %o : !loop.emit<!row>
    }
    loop.yield %e : !loop.emit<!row>
  }
  %b = loop.column %rows["b"] : !loop.array<!row>
  %m = loop.len %nested : !loop.array<!loop.array<!row>>
  %sum = loop.for %i < %m -> reduce(add : i64) {
    %row = loop.at %nested[%i] : !loop.array<!loop.array<!row>>
    %k = loop.len %row : !loop.array<!row>
    %s = loop.for %j < %k -> reduce(add : i64) {
      %r = loop.at %row[%j] : !loop.array<!row>
      %a = loop.field %r["a"] : !row
      loop.yield %a : i64
    }
    loop.yield %s : i64
  }
  return %kept, %b, %nested, %sum : !loop.array<!row>, !loop.array<f64>, !loop.array<!loop.array<!row>>, i64
}`, calls: [][2]string{{"f", `[[{"a": 1, "s": "x", "b": 2}, {"a": 0, "s": "yy", "b": 3}, {"a": 5, "s": "", "b": 4}], [[], [{"a": 7, "s": "z", "b": 0.5}]]]`}, {"f", `[[], []]`}}},
	"of equal keys one is kept: 0 of the zeros, a value of zero of what is null": {src: `
func.func @f(%xs: !loop.array<f64>) -> (!loop.array<f64>, !loop.array<f64>) {
  %n = loop.len %xs : !loop.array<f64>
  %g = loop.for %i < %n -> bucket(f64, []) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    loop.yield %x : f64
  }
  %keys = loop.keys %g[0] : !loop.buckets<f64>
  %false = arith.constant false
  %h = loop.for %i < %n -> bucket(!loop.nullable<f64>, []) {
    %x = loop.at %xs[%i] : !loop.array<f64>
    %y = loop.struct %x, %false : !loop.nullable<f64>
    loop.yield %y : !loop.nullable<f64>
  }
  %nulls = loop.keys %h[0] : !loop.buckets<!loop.nullable<f64>>
  %values = loop.column %nulls["value"] : !loop.array<!loop.nullable<f64>>
  return %keys, %values : !loop.array<f64>, !loop.array<f64>
}`, calls: [][2]string{{"f", `[[-0.0, 1, 0, "NaN", "NaN"]]`}, {"f", `[[3, -0.0]]`}}},
	"what prints and emits is made once, in its place": {src: `
func.func @f(%n: index) -> (!loop.array<index>, index) {
  %r, %s = loop.for %i < %n -> collect(index), reduce(add : index) {
    %e, %t = loop.for %j < %i -> emit(index), reduce(add : index) {
      special.print %j : index
      loop.yield %j, %j : index, index
    }
    special.print %t : index
    loop.yield %e, %t : !loop.emit<index>, index
  }
  return %r, %s : !loop.array<index>, index
}
func.func @h(%n: index) -> !loop.array<index> {
  %r = loop.for %i < %n -> collect(index) {
    %e = loop.for %j < %i -> emit(index) {
      special.print %j : index
      loop.yield %j : index
    }
    %unused = loop.for %j < %n -> emit(index) {
      special.print %i : index
      loop.yield %j : index
    }
    %q = loop.seq %e, %e : !loop.emit<index>
    loop.yield %q : !loop.emit<index>
  }
  return %r : !loop.array<index>
}
func.func @g(%n: index) -> (!loop.array<index>, index) {
  %c2 = arith.constant 2 : index
  %r, %s = loop.for %i < %n -> collect(index), reduce(add : index) {
    %m = arith.remui %i, %c2 : index
    %d = arith.cmpi ult, %i, %c2 : index
    special.print %i : index
    %e, %t = scf.if %d -> (!loop.emit<index>, index) {
      special.print %m : index
      %x = loop.emit %m : index
      scf.yield %x, %i : !loop.emit<index>, index
    } else {
      %x = loop.none : !loop.emit<index>
      scf.yield %x, %m : !loop.emit<index>, index
    }
    special.print %t : index
    loop.yield %e, %t : !loop.emit<index>, index
  }
  return %r, %s : !loop.array<index>, index
}`, calls: [][2]string{{"f", "[4]"}, {"g", "[4]"}, {"g", "[0]"}, {"h", "[3]"}}},
	"arrays of arrays, in inner loops": {src: `
func.func @f(%xs: !loop.array<!loop.array<i64>>) -> (!loop.array<i64>, !loop.array<!loop.array<i64>>, i64) {
  %n = loop.len %xs : !loop.array<!loop.array<i64>>
  %flat, %rows, %sum = loop.for %i < %n -> collect(i64), collect(!loop.array<i64>), reduce(add : i64) {
    %x = loop.at %xs[%i] : !loop.array<!loop.array<i64>>
    %m = loop.len %x : !loop.array<i64>
    %e, %s = loop.for %j < %m -> emit(i64), reduce(add : i64) {
      %v = loop.at %x[%j] : !loop.array<i64>
      loop.yield %v, %v : i64, i64
    }
    %sq = loop.for %j < %m -> collect(i64) {
      %v = loop.at %x[%j] : !loop.array<i64>
      %w = arith.muli %v, %v : i64
      loop.yield %w : i64
    }
    loop.yield %e, %sq, %s : !loop.emit<i64>, !loop.array<i64>, i64
  }
  return %flat, %rows, %sum : !loop.array<i64>, !loop.array<!loop.array<i64>>, i64
}`, calls: [][2]string{{"f", `[[[1, 2], [], [3]]]`}, {"f", `[[]]`}}},
}

// What a program gives is the same before it is lowered and after, on the interpreter and
// as native code.
func TestLower(t *testing.T) {
	for name, p := range programs {
		for _, call := range p.calls {
			want := built.Run(t, built.Parse(t, p.src, text.Options{}), call[0], call[1])
			for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
				t.Run(name+" on "+kind.Name, func(t *testing.T) {
					if got := built.Lowered(t, kind, built.Parse(t, p.src, text.Options{}), call[0], call[1]); got != want {
						t.Errorf("@%s of %s: lowered %s, want %s", call[0], call[1], got, want)
					}
				})
			}
		}
	}
}

// What has no lowering pipeline is refused, at the op.
func TestRefused(t *testing.T) {
	g := built.Parse(t, `func.func @f(%xs: !loop.array<!loop.string>) -> !loop.array<!loop.string> {
  %n = loop.len %xs : !loop.array<!loop.string>
  %z = loop.constant ""
  %g, %s = loop.for %i < %n -> bucket(index, [reduce(%z : !loop.string)]) {
    %x = loop.at %xs[%i] : !loop.array<!loop.string>
    loop.yield %i, %x : index, !loop.string
  } combine(%a: !loop.string, %b: !loop.string) {
    loop.yield %b : !loop.string
  }
  return %s : !loop.array<!loop.string>
}`, text.Options{})
	_, err := lowering.Compile(t.Context(), g, target.Interp())
	var op *ir.OpError
	if !errors.As(err, &op) || !strings.Contains(op.Msg, "combines !loop.string in the groups of a bucket") || op.Loc == 0 {
		t.Errorf("lowering says %v, want that strings are not combined in groups, at the loop", err)
	}
}
