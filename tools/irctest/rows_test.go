package irctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// rowFaults are mistakes in what a dialect tells passes of its loops and accesses, and in what its interpreter does with poison.
var rowFaults = []struct{ fault, said string }{
	{"a loop that is declared to run once", "its region 0 runs again, and is declared to run exactly once"},
	{"a loop that is declared a branch", "at most once (ir.Branch)"},
	{"a branch that is declared to run once", "its region 0 did not run"},
	{"a bound that is not the interpreter's", "its body ran"},
	{"a step that is not the interpreter's", "its ir.LoopLike is wrong"},
	{"an order that is not the interpreter's", "iteration 0 has the indices"},
	{"an index that is what is carried", "its ir.LoopLike is wrong"},
	{"another first value", "begins with another value"},
	{"another value carried", "is not what iteration 0 yields"},
	{"a read of another element", "it reads element"},
	{"a read that writes", "it writes element"},
	{"an access that the row has not", "has no access to that memory"},
	{"another value stored", "and not Stored"},
	{"a bound that may be poison", "operand 0 (n) is poison, and its interp.Func goes on"},
	{"a number of poison", "it is to give ir.Val{Ref: ir.Poison}"},
	{"a panic on poison", "its interp.Func panics where operand 0 (x) is poison"},
}

// rowSamples are a loop, a condition and accesses.
var rowSamples = []string{`
func.func @loop(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %m = "toy.few"(%n) : (index) -> index
  %r:2 = "toy.fold"(%m, %x, %y) ({
  ^bb0(%i: index, %a: i32, %b: i32):
    %c = toy.mix %a, %b : i32
    "toy.yield"(%b, %c) : (i32, i32) -> ()
  }) : (index, i32, i32) -> (i32, i32)
  return %r#0, %r#1 : i32, i32
}`, `
func.func @cond(%c: i1, %x: i32) -> i32 {
  "toy.when"(%c) ({
    "toy.say"(%x) : (i32) -> ()
    "toy.yield"() : () -> ()
  }) : (i1) -> ()
  return %x : i32
}`, `
func.func @memory(%m: memref<4xi32>, %n: index, %x: i32) -> i32 {
  %i = "toy.few"(%n) : (index) -> index
  "toy.set"(%m, %i, %x) : (memref<4xi32>, index, i32) -> ()
  %r = "toy.at"(%m, %i) : (memref<4xi32>, index) -> i32
  return %r : i32
}`}

// rowToy is toy with a loop, a conditional and accesses that are in its rows.
func rowToy(fault string) *ir.Dialect {
	has := func(name string) bool { return fault == name }
	d := toy("")
	few, fold, when, yield := loopOps(has)
	at, set := elementOps()
	d.Ops = append(d.Ops, few, fold, when, yield, at, set)
	table := ir.Table[interp.Table](d)
	table[few] = func(_ *interp.Machine, _ *interp.Op, a, out []ir.Val) error {
		switch {
		case has("a panic on poison") && a[0].Ref != nil:
			panic("no number")
		case !a[0].IsPoison() || has("a number of poison"):
			out[0] = ir.Val{Bits: a[0].Bits % 4}
		default:
			out[0] = a[0]
		}
		return nil
	}
	table[fold] = func(m *interp.Machine, o *interp.Op, a, out []ir.Val) error {
		n, err := interp.Index(a[0])
		if has("a bound that may be poison") {
			n, err = int64(a[0].Bits), nil
		}
		z := m.Temp(2)
		copy(z, a[1:])
		if has("another first value") {
			z[0], z[1] = z[1], z[0]
		}
		for i := int64(0); i < n && err == nil; i++ {
			var ys []ir.Val
			if ys, err = m.Run(o.Regions[0], []ir.Val{{Bits: uint64(i)}, z[0], z[1]}); err == nil {
				copy(z, ys)
			}
			if has("another value carried") {
				z[0] = ir.IntVal(int64(z[0].Bits)+1, 32)
			}
		}
		copy(out, z)
		return err
	}
	table[when] = func(m *interp.Machine, o *interp.Op, a, _ []ir.Val) error {
		yes, err := interp.Bool(a[0])
		if err == nil && yes {
			_, err = m.Run(o.Regions[0], nil)
		}
		return err
	}
	accessRuns(has, table, at, set)
	d.Tables = append(d.Tables, loopRow(has, fold), accessRow(has, at, set))
	return d
}

// loopOps are a number below 4, a loop that often that carries two numbers, a conditional, and what ends their bodies.
func loopOps(has func(string) bool) (few, fold, when, yield *ir.OpDef) {
	few = ir.Define(&ir.OpDef{Name: "toy.few", Doc: "n modulo 4.", Args: []string{"x"}, Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 1 || c.ArgType(0) != ir.Index {
			return 0, c.Errorf("takes an index")
		}
		return ir.Index, nil
	}})
	yield = ir.Define(&ir.OpDef{Name: "toy.yield", Doc: "Ends a body.", Args: []string{"x..."}, Traits: ir.Terminator,
		Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
	body := ir.Loop
	if has("a loop that is declared to run once") {
		body = ir.Once
	} else if has("a loop that is declared a branch") {
		body = ir.Branch
	}
	fold = ir.Define(&ir.OpDef{Name: "toy.fold", Doc: "Runs its body n times.", Args: []string{"n", "x", "y"}, Body: body, Traits: ir.SingleRegion,
		Harmless: func(_ *ir.Call, i int) bool { return i > 0 },
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 3 || c.ArgType(0) != ir.Index || c.ArgType(1) != ir.I32 || c.ArgType(2) != ir.I32 || len(c.Regions) != 1 ||
				len(c.Graph().Params(c.Regions[0])) != 3 || len(c.Graph().Yields(c.Regions[0])) != 2 {
				return 0, c.Errorf("takes an index and two i32, and has a body")
			}
			return c.Ctx().Multi(ir.I32, ir.I32), nil
		}})
	kind := ir.Branch
	if has("a branch that is declared to run once") {
		kind = ir.Once
	}
	when = ir.Define(&ir.OpDef{Name: "toy.when", Doc: "Runs its body or not.", Args: []string{"c"}, Body: kind, Traits: ir.SingleRegion, Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 1 || c.ArgType(0) != ir.I1 || len(c.Regions) != 1 {
			return 0, c.Errorf("takes a condition, and has a body")
		}
		return ir.Void, nil
	}})
	return few, fold, when, yield
}

// loopRow says what the loop is, or does not.
func loopRow(has func(string) bool, fold *ir.OpDef) any {
	return ir.Interface[ir.LoopLike]{fold: func(n ir.Node) ir.LoopLike {
		g := n.Graph()
		body, args := n.Region(0).Old(), g.Args(n.Old())
		params := g.Params(body)
		l := ir.LoopLike{Body: body, Indices: params[:1], Lower: []ir.Bound{{}}, Upper: ir.Bounds(args[0]), Step: []ir.Bound{{Const: 1}},
			Inits: args[1:], Carried: params[1:]}
		switch {
		case has("a bound that is not the interpreter's"):
			l.Inclusive = true
		case has("a step that is not the interpreter's"):
			l.Step[0].Const = 2
		case has("an order that is not the interpreter's"):
			l.Reverse = true
		case has("an index that is what is carried"):
			l.Indices = params[1:2]
		}
		return l
	}}
}

// elementOps are a load and a store of an element.
func elementOps() (at, set *ir.OpDef) {
	memory := func(c *ir.Call, n int) error {
		if len(c.Args) != n || c.Ctx().Info(c.ArgType(0)).Kind != ir.KindMemRef || c.Ctx().Info(c.ArgType(0)).Elem != ir.I32 ||
			len(c.Ctx().Info(c.ArgType(0)).Shape) != 1 || c.ArgType(1) != ir.Index {
			return c.Errorf("takes memory and an index")
		}
		return nil
	}
	at = ir.Define(&ir.OpDef{Name: "toy.at", Doc: "Reads an element.", Args: []string{"from", "i"}, Traits: ir.NoCapture | ir.Partial, Poisons: ir.Always,
		Infer: func(c *ir.Call) (ir.Type, error) { return ir.I32, memory(c, 2) },
		Effects: func(c *ir.Call) []ir.Effect { // it may write, so that a row alone is wrong
			return []ir.Effect{{Kind: ir.Write, On: c.Builder().ResourceOf(c.Args[0])}}
		}})
	set = ir.Define(&ir.OpDef{Name: "toy.set", Doc: "Writes an element.", Args: []string{"to", "i", "x"}, Traits: ir.NoCapture | ir.Partial,
		Harmless: func(_ *ir.Call, i int) bool { return i == 2 },
		Infer: func(c *ir.Call) (ir.Type, error) {
			if err := memory(c, 3); err != nil {
				return 0, err
			}
			if c.ArgType(2) != ir.I32 {
				return 0, c.Errorf("takes an i32")
			}
			return ir.Void, nil
		}, Effects: memref.WritesArg(0)})
	return at, set
}

// accessRuns says what the accesses do.
func accessRuns(has func(string) bool, table interp.Table, at, set *ir.OpDef) {
	element := func(a []ir.Val) (*interp.MemRef, int, error) {
		r, err := interp.AsMemRef(a[0])
		if err != nil {
			return nil, 0, err
		}
		pos, err := r.At(a[1:2])
		return r, pos, err
	}
	table[at] = func(_ *interp.Machine, _ *interp.Op, a, out []ir.Val) error {
		r, pos, err := element(a)
		if err != nil {
			return err
		}
		if out[0] = r.Buf.Load(pos); has("a read of another element") {
			out[0] = r.Buf.Load((pos + 1) % r.Buf.Len())
		} else if has("a read that writes") {
			r.Buf.Store(pos, out[0])
		}
		return nil
	}
	table[set] = func(_ *interp.Machine, _ *interp.Op, a, _ []ir.Val) error {
		r, pos, err := element(a)
		if err != nil {
			return err
		}
		x := a[2]
		if has("another value stored") && !x.IsPoison() {
			x = ir.IntVal(int64(x.Bits)*2, 32)
		}
		r.Buf.Store(pos, x)
		return nil
	}
}

// accessRow says which elements they touch.
func accessRow(has func(string) bool, at, set *ir.OpDef) any {
	return ir.Interface[ir.AccessLike]{
		at: func(n ir.Node) ir.AccessLike {
			args := n.Graph().Args(n.Old())
			return ir.AccessLike{Accesses: []ir.Access{{Memory: args[0], Indices: args[1:2], Reads: true}}}
		},
		set: func(n ir.Node) (out ir.AccessLike) {
			args := n.Graph().Args(n.Old())
			if !has("an access that the row has not") {
				out.Accesses = []ir.Access{{Memory: args[0], Indices: args[1:2], Writes: true, Stored: args[2]}}
			}
			return out
		},
	}
}

func TestRowFaults(t *testing.T) {
	for _, f := range rowFaults {
		t.Run(f.fault, func(t *testing.T) {
			r := &recorder{TB: t}
			r.do(func() { Config{Programs: 1000, Samples: rowSamples}.Dialect(r, rowToy(f.fault)) })
			r.wants(t, f.said)
			r.wants(t, "toy.")
		})
	}
}

func TestRowToy(t *testing.T) { Config{Samples: rowSamples}.Dialect(t, rowToy("")) }

// ownSamples are programs of irc's own loops and accesses, which have attributes and regions.
var ownSamples = []string{`
func.func @for(%a: index, %n: index, %m: memref<?xi32>, %x: i32, %k: i32) -> i32 {
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : index
  %lo = arith.remui %a, %c3 : index
  %hi = arith.remui %n, %c7 : index
  %one = arith.constant 1 : index
  %step = arith.addi %lo, %one : index
  %s = scf.for %i = %lo to %hi step %step iter_args(%y = %x) -> (i32) {
    %z = arith.addi %y, %k : i32
    scf.yield %z : i32
  }
  scf.parallel (%i, %j) = (%lo, %lo) to (%hi, %c3) step (%step, %one) {
    %q = memref.atomic_rmw addi %k, %m[%lo] : (i32, memref<?xi32>) -> i32
    scf.reduce
  }
  scf.forall (%i, %j) = (0, %lo) to (3, %hi) step (1, %step) {
    %q = memref.atomic_rmw addi %k, %m[%lo] : (i32, memref<?xi32>) -> i32
  }
  %w = scf.while (%v = %s) : (i32) -> i32 {
    %c = arith.cmpi slt, %v, %x : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%u: i32):
    %u1 = arith.addi %u, %k : i32
    scf.yield %u1 : i32
  }
  return %w : i32
}`, `
func.func @affine(%n: index, %m: memref<8xi32>, %x: i32) -> i32 {
  %c5 = arith.constant 5 : index
  %hi = arith.remui %n, %c5 : index
  %s = affine.for %i = 0 to %hi step 2 iter_args(%y = %x) -> (i32) {
    %v = affine.load %m[%i + 1] : memref<8xi32>
    affine.store %y, %m[%i] : memref<8xi32>
    affine.yield %v : i32
  }
  affine.parallel (%i, %j) = (0, 1) to (%hi, 4) step (1, 2) {
    affine.store %x, %m[%i + %j * 0] : memref<8xi32>
  }
  return %s : i32
}`, `
func.func @memory(%n: index, %m: memref<4x4xf32>, %b: memref<4x4xf32>, %x: f32, %c: i1) -> f32 {
  %c4 = arith.constant 4 : index
  %i = arith.remui %n, %c4 : index
  %zero = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %row = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.store %x, %row[%i] : memref<4xf32, strided<[1], offset: ?>>
  %v = vector.load %m[%i, %zero] : memref<4x4xf32>, vector<4xf32>
  vector.store %v, %b[%i, %zero] : memref<4x4xf32>, vector<4xf32>
  %mask = vector.create_mask %i : vector<4xi1>
  vector.maskedstore %b[%i, %zero], %mask, %v : memref<4x4xf32>, vector<4xi1>, vector<4xf32>
  %t = vector.transfer_read %m[%i, %i], %f : memref<4x4xf32>, vector<4xf32>
  vector.transfer_write %t, %b[%zero, %i] : vector<4xf32>, memref<4x4xf32>
  memref.copy %m, %b : memref<4x4xf32> to memref<4x4xf32>
  %r = memref.load %b[%i, %i] : memref<4x4xf32>
  %o = scf.if %c -> (f32) {
    scf.yield %r : f32
  } else {
    scf.yield %x : f32
  }
  return %o : f32
}`}

// TestOwn runs programs of irc's own dialects, and compares what the ops of each do with what it says of them.
func TestOwn(t *testing.T) {
	c := Config{Programs: 250, Samples: slices.Concat(ownSamples, examples(t))}
	gen, err := c.newGenerator(dialects.All, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ran, rows int
	for _, d := range dialects.All {
		if len(d.Ops) == 0 {
			continue
		}
		x := &dialectTest{d: d, list: dialects.All, gen: gen, ops: map[*ir.OpDef]int{}}
		find := func(c *ir.Context, src, entry string, inputs []input) *fault {
			written, err := parse(c, src, true)
			if err != nil {
				return nil
			}
			for k, in := range inputs[:min(len(inputs), calls)] {
				if _, f := x.traced(written, entry, in, k == 0); f != nil {
					return f
				}
			}
			return nil
		}
		if at, f := search(gen, 0, c.programs(), find); f != nil {
			report(t, x.list, at, f, find)
		}
		ctx := ir.NewContext(dialects.All...)
		for def := range x.ops {
			if ir.Implements[ir.LoopLike](ctx, def) || ir.Implements[ir.AccessLike](ctx, def) {
				rows++
			}
		}
		ran += len(x.ops)
	}
	t.Logf("%d ops ran, of which %d are loops or accesses", ran, rows)
	if rows < 10 {
		t.Errorf("only %d loops and accesses ran", rows)
	}
}

// examples are the programs of examples/ that are read by themselves.
func examples(t *testing.T) (out []string) {
	c := ir.NewContext(dialects.All...)
	err := filepath.WalkDir("../../examples", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".mlir") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if g, err := parse(c, string(src), true); err == nil && ir.Verify(g) == nil && len(src) < 4000 {
			out = append(out, string(src))
		}
		return nil
	})
	if err != nil || len(out) < 5 {
		t.Fatalf("there are %d examples: %v", len(out), err)
	}
	return out
}
