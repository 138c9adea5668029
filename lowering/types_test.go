package lowering_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// A dialect with a pair, a type of two pairs, and one without parts.

func givesType(t func(*ir.Context) ir.Type) func(*ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) { return t(c.Ctx()), nil }
}

var (
	pairDef = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "ty.pair"})
	quadDef = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "ty.quad"})
	unitDef = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "ty.unit"})

	pairT = func(c *ir.Context) ir.Type { return pairDef.Type(c, ir.Unit{}) }
	quadT = func(c *ir.Context) ir.Type { return quadDef.Type(c, ir.Unit{}) }
	unitT = func(c *ir.Context) ir.Type { return unitDef.Type(c, ir.Unit{}) }

	tyPair = ir.Define(&ir.OpDef{Name: "ty.make", Args: []string{"a", "b"}, Infer: givesType(pairT), Eval: vector})
	tyQuad = ir.Define(&ir.OpDef{Name: "ty.two", Args: []string{"a", "b"}, Infer: givesType(quadT), Eval: vector})
	tyUnit = ir.Define(&ir.OpDef{Name: "ty.nothing", Infer: givesType(unitT), Eval: vector})
	tyOne  = ir.Define(&ir.OpDef{Name: "ty.one", Args: []string{"a"}, Infer: givesType(func(*ir.Context) ir.Type { return ir.I64 }), Eval: element(0)})
	tyTwo  = ir.Define(&ir.OpDef{Name: "ty.other", Args: []string{"a"}, Infer: givesType(func(*ir.Context) ir.Type { return ir.I64 }), Eval: element(1)})
	tyLow  = ir.Define(&ir.OpDef{Name: "ty.low", Args: []string{"a"}, Infer: givesType(pairT), Eval: element(0)})
	tyHigh = ir.Define(&ir.OpDef{Name: "ty.high", Args: []string{"a"}, Infer: givesType(pairT), Eval: element(1)})

	tyDialect = &ir.Dialect{Name: "ty", Types: []ir.Defined{pairDef, quadDef, unitDef},
		Ops:   []*ir.OpDef{tyPair, tyQuad, tyUnit, tyOne, tyTwo, tyLow, tyHigh},
		Folds: []ir.Fold{undo(tyOne, tyPair, 0), undo(tyTwo, tyPair, 1), undo(tyLow, tyQuad, 0), undo(tyHigh, tyQuad, 1)},
		Tables: []any{ir.TypeLowerings{"scf": {
			pairDef: {Parts: func(*ir.Context, ir.Type) []ir.Type { return []ir.Type{ir.I64, ir.I64} },
				Unpack: func(b *ir.Builder, v ir.Value) []ir.Value { return []ir.Value{b.Op(tyOne, v), b.Op(tyTwo, v)} },
				Pack:   func(b *ir.Builder, _ ir.Type, p []ir.Value) ir.Value { return b.Op(tyPair, p...) }},
			quadDef: {Parts: func(c *ir.Context, _ ir.Type) []ir.Type { return []ir.Type{pairT(c), pairT(c)} },
				Unpack: func(b *ir.Builder, v ir.Value) []ir.Value { return []ir.Value{b.Op(tyLow, v), b.Op(tyHigh, v)} },
				Pack:   func(b *ir.Builder, _ ir.Type, p []ir.Value) ir.Value { return b.Op(tyQuad, p...) }},
			unitDef: {Parts: func(*ir.Context, ir.Type) []ir.Type { return nil },
				Unpack: func(*ir.Builder, ir.Value) []ir.Value { return nil },
				Pack:   func(b *ir.Builder, _ ir.Type, _ []ir.Value) ir.Value { return b.Op(tyUnit) }},
		}}}}
)

func vector(_ *ir.Call, a []ir.Val) (ir.Val, error) {
	return ir.Val{Ref: append(ir.Vector{}, a...)}, nil
}

func element(i int) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return a[0].Ref.(ir.Vector)[i], nil }
}

func undo(of, made *ir.OpDef, i int) ir.Fold {
	return ir.Fold{Of: of, Rule: fmt.Sprintf("%s(%s(x, y)) = x or y", of.Name, made.Name), Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if g := b.Graph(); g.Def(c.Args[0]) == made {
			return g.Args(c.Args[0])[i]
		}
		return 0
	}}
}

// writer writes a random function that hands values of these types on.
type writer struct {
	*irtest.Writer
}

const quad, pair, unit = "!ty.quad", "!ty.pair", "!ty.unit"

func (w *writer) statements(depth int) {
	for range 3 + w.IntN(4) {
		switch k := w.IntN(10); {
		case k == 0:
			w.DefOf(pair, `"ty.make"(%s, %s) : (i64, i64) -> !ty.pair`, w.Val("i64"), w.Val("i64"))
		case k == 1:
			w.DefOf(quad, `"ty.two"(%s, %s) : (!ty.pair, !ty.pair) -> !ty.quad`, w.Val(pair), w.Val(pair))
		case k == 2:
			w.DefOf(pair, `"ty.%s"(%s) : (!ty.quad) -> !ty.pair`, []string{"low", "high"}[w.IntN(2)], w.Val(quad))
		case k == 3:
			w.DefOf("i64", `"ty.%s"(%s) : (!ty.pair) -> i64`, []string{"one", "other"}[w.IntN(2)], w.Val(pair))
		case k == 4:
			w.DefOf("i64", "arith.addi %s, %s : i64", w.Val("i64"), w.Val("i64"))
		case k == 5:
			w.DefOf(quad, "arith.select %s, %s, %s : !ty.quad", w.Val("i1"), w.Val(quad), w.Val(quad))
		case k == 6:
			w.DefOf("i1", "arith.cmpi slt, %s, %s : i64", w.Val("i64"), w.Val("i64"))
		case k == 7:
			fmt.Fprintf(w, "memref.store %s, %%m[%%c%d] : memref<2x!ty.quad>\n", w.Val(quad), w.IntN(2))
			w.DefOf(quad, "memref.load %%m[%%c%d] : memref<2x!ty.quad>", w.IntN(2))
		case depth > 0:
			w.nested(depth - 1)
		}
	}
}

// nested writes a loop, a conditional or a call that hands values of all types on.
func (w *writer) nested(depth int) {
	r, p, q, u := w.Name(), w.Val(pair), w.Val(quad), w.Val(unit)
	const types = "(!ty.pair, !ty.unit, !ty.quad)"
	yield := func() {
		w.Scoped(func() {
			w.statements(depth)
			fmt.Fprintf(w, "scf.yield %s, %s, %s : !ty.pair, !ty.unit, !ty.quad\n", w.Val(pair), w.Val(unit), w.Val(quad))
		})
	}
	switch w.IntN(3) {
	case 0:
		fmt.Fprintf(w, "%s:3 = scf.for %si = %%c0 to %%c3 step %%c1 iter_args(%sa = %s, %sb = %s, %sc = %s) -> %s {\n", r, r, r, p, r, u, r, q, types)
		w.Scoped(func() {
			w.Vals[pair], w.Vals[unit], w.Vals[quad] = append(w.Vals[pair], r+"a"), append(w.Vals[unit], r+"b"), append(w.Vals[quad], r+"c")
			yield()
		})
		w.WriteString("}\n")
	case 1:
		fmt.Fprintf(w, "%s:3 = scf.if %s -> %s {\n", r, w.Val("i1"), types)
		yield()
		w.WriteString("} else {\n")
		yield()
		w.WriteString("}\n")
	default:
		fmt.Fprintf(w, "%s:3 = func.call @g(%s, %s, %s) : %s -> %s\n", r, p, u, q, types, types)
	}
	w.Vals[pair], w.Vals[unit], w.Vals[quad] = append(w.Vals[pair], r+"#0"), append(w.Vals[unit], r+"#1"), append(w.Vals[quad], r+"#2")
}

func program2(seed uint64) string {
	w := &writer{irtest.NewWriter(seed, 1)}
	for _, name := range []string{"g", "f"} {
		w.Vals = map[string][]string{pair: {"%p"}, unit: {"%u"}, quad: {"%q"}, "i64": {"%k"}, "i1": {"%t"}}
		fmt.Fprintf(w, "func.func @%s(%%p: !ty.pair, %%u: !ty.unit, %%q: !ty.quad) -> (!ty.pair, !ty.unit, !ty.quad) {\n", name)
		w.WriteString("%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n%t = arith.constant true\n")
		w.WriteString("%k = arith.constant 7 : i64\n%m = memref.alloca() : memref<2x!ty.quad>\n")
		w.WriteString("memref.store %q, %m[%c0] : memref<2x!ty.quad>\nmemref.store %q, %m[%c1] : memref<2x!ty.quad>\n")
		if name == "f" {
			w.statements(2)
			w.nested(2)
		}
		w.statements(0)
		fmt.Fprintf(w, "return %s, %s, %s : !ty.pair, !ty.unit, !ty.quad\n}\n", w.Val(pair), w.Val(unit), w.Val(quad))
	}
	return w.String()
}

// Random programs that hand pairs, pairs of pairs and nothing on give the same before and
// after their types have become their parts.
func TestTypesBecomeParts(t *testing.T) {
	for seed := range uint64(300) {
		src := program2(seed)
		ctx := ir.NewContext(append(append([]*ir.Dialect{}, dialects.All...), tyDialect)...)
		g, errs := text.Parse(ctx, diag.NewSource("in", src), text.Options{})
		if errs.Err() != nil {
			t.Fatalf("seed %d: %v\n%s", seed, errs, src)
		}
		types := []ir.Type{pairT(ctx), unitT(ctx), quadT(ctx)}
		args, err := interp.ArgsFromJSON(ctx, types, []byte(`[[1, 2], [], [[3, 4], [5, 6]]]`), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := call(t, g, args)
		down, err := pass.Parse("lower{to=scf}", lowering.AllPasses())
		if err != nil {
			t.Fatal(err)
		}
		low, err := (&pass.Manager{}).Run(context.Background(), g, down)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		if s := text.String(low, text.PrintOptions{}); strings.Contains(s, "ty.") {
			t.Fatalf("seed %d: left over:\n%s", seed, s)
		}
		if err := ir.Verify(low); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		flat, back := partwise.Flatten(ctx, types, args)
		if len(flat) != 6 {
			t.Fatalf("%d arguments", len(flat))
		}
		got, err := partwise.Unflatten(ctx, types, call(t, low, flat))
		if back(); err != nil {
			t.Fatal(err)
		}
		x, _ := interp.ToJSON(ctx, want, types)
		y, _ := interp.ToJSON(ctx, got, types)
		if string(x) != string(y) {
			t.Fatalf("seed %d: before %s, after %s\n%s", seed, x, y, src)
		}
	}
}

func call(t *testing.T, g *ir.Graph, args []ir.Val) []ir.Val {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Call("f", args)
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String(g, text.PrintOptions{}))
	}
	return out
}
