package emitted

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// edges are numbers of a width, without sign, at which operations go wrong.
func edges(width int) []uint64 {
	top := uint64(1) << (width - 1)
	return []uint64{0, 1, 3, top - 1, top, top + 1, top<<1 - 1}
}

var floatEdges = []float64{0, math.Copysign(0, -1), 1, -2.5, 0x1p-149, 16777217, 1e30, math.Inf(-1), math.NaN()}

// halves are what is rounded, by the number of arguments.
var halves = map[int][]float64{1: {0.5, -0.5, 1.5, 2.5, 0.49999999999999994, -0.3, 7.75, 8388607.5, 4503599627370495.5, -4503599627370496.5, -255.75, 32767.9}}

// An opCase is a function of one op, and the types of its arguments.
type opCase struct {
	name string
	in   []ir.Type
	out  ir.Type
	text string
}

func opCases(ctx *ir.Context) (list []opCase) {
	add := func(op, tail string, out ir.Type, in ...ir.Type) {
		name := fmt.Sprintf("Op%d", len(list))
		var params, args []string
		for i, t := range in {
			args = append(args, fmt.Sprintf("%%a%d", i))
			params = append(params, args[i]+": "+typeText(ctx, t))
		}
		text := fmt.Sprintf("func.func @%s(%s) -> %s {\n\t%%r = %s %s : %s\n\treturn %%r : %s\n}\n",
			name, strings.Join(params, ", "), typeText(ctx, out), op, strings.Join(args, ", "), tail, typeText(ctx, out))
		list = append(list, opCase{name, in, out, text})
	}
	for _, w := range []int{8, 13, 32, 64} {
		t := ctx.Int(w)
		for _, op := range strings.Fields("addi subi muli divsi divui remsi remui ceildivsi ceildivui floordivsi shli shrsi shrui andi ori xori maxsi maxui minsi minui") {
			add("arith."+op, typeText(ctx, t), t, t, t)
		}
		for _, p := range strings.Fields("eq ne slt sle sgt sge ult ule ugt uge") {
			add("arith.cmpi "+p+",", typeText(ctx, t), ir.I1, t, t)
		}
		for _, op := range strings.Fields("absi ctlz cttz ctpop") {
			add("math."+op, typeText(ctx, t), t, t)
		}
		add("math.ipowi", typeText(ctx, t), t, t, t)
		for _, f := range []ir.Type{ir.F32, ir.F64} {
			for _, op := range strings.Fields("sitofp uitofp") {
				add("arith."+op, typeText(ctx, t)+" to "+typeText(ctx, f), f, t)
			}
			for _, op := range strings.Fields("fptosi fptoui") {
				add("arith."+op, typeText(ctx, f)+" to "+typeText(ctx, t), t, f)
			}
		}
	}
	for _, p := range strings.Fields("eq ne slt sle sgt sge ult ule ugt uge") {
		add("arith.cmpi "+p+",", "i1", ir.I1, ir.I1, ir.I1)
	}
	for _, t := range []ir.Type{ir.F32, ir.F64} {
		for _, op := range strings.Fields("addf subf mulf divf remf maximumf minimumf maxnumf minnumf") {
			add("arith."+op, typeText(ctx, t), t, t, t)
		}
		for _, p := range strings.Fields("oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno") {
			add("arith.cmpf "+p+",", typeText(ctx, t), ir.I1, t, t)
		}
		add("math.fma", typeText(ctx, t), t, t, t, t)
		for _, op := range strings.Fields("sqrt rsqrt floor ceil round roundeven trunc absf") {
			add("math."+op, typeText(ctx, t), t, t)
		}
	}
	return list
}

func typeText(ctx *ir.Context, t ir.Type) string {
	switch t {
	case ir.F32:
		return "f32"
	case ir.F64:
		return "f64"
	}
	return fmt.Sprintf("i%d", ctx.Info(t).Width)
}

// grid lists the arguments with which a case is called.
func (c opCase) grid(ctx *ir.Context) (out [][]ir.Val) {
	out = [][]ir.Val{nil}
	for _, t := range c.in {
		var values []ir.Val
		if ctx.IsFloat(t) {
			for _, x := range append(floatEdges[:len(floatEdges):len(floatEdges)], halves[min(len(c.in), 2)]...) {
				values = append(values, ir.FloatVal(x, t))
			}
		} else {
			for _, x := range edges(ctx.Info(t).Width) {
				values = append(values, ir.IntVal(int64(x), ctx.Info(t).Width))
			}
		}
		var longer [][]ir.Val
		for _, have := range out {
			for _, v := range values {
				longer = append(longer, append(have[:len(have):len(have)], v))
			}
		}
		out = longer
	}
	return out
}

// Every op does in Go what it means, at the edges of its types: to the bit, traps included.
func TestOpsGo(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	cases := opCases(ctx)
	var all strings.Builder
	for _, c := range cases {
		all.WriteString(c.text)
	}
	g := parsed(t, ctx, all.String(), false)
	m, err := interp.New(parsed(t, ctx, all.String(), true), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []sampled
	var b batch
	src, err := printedGo(t, g, goOptions("p0"))
	if err != nil {
		t.Fatal(err)
	}
	pkg := b.add(src)
	for _, c := range cases {
		k, all := call{c.name, c.in, []ir.Type{c.out}, nil}, c.grid(ctx)
		b.callAll(ctx, pkg, k, all)
		for _, k.args = range all {
			list = append(list, sampled{name: c.text, k: k})
		}
	}
	trapped := 0
	for i, got := range b.run(t) {
		k := list[i].k
		want, err := m.Call(k.entry, k.args)
		if ir.IsTrap(err) {
			trapped++
			if got.Trap == "" {
				t.Errorf("%v of\n%s\ndoes not trap in Go: %v", k.args, list[i].name, err)
			}
			continue
		}
		if err != nil || got.Trap != "" {
			t.Fatalf("%v of\n%s: %v, in Go %v", k.args, list[i].name, err, got)
		}
		if !want[0].IsPoison() && shown(want[0], ctx, k.out[0]) != got.Results[0] {
			t.Errorf("%v of\n%s: %s, in Go %s", k.args, list[i].name, shown(want[0], ctx, k.out[0]), got.Results[0])
		}
	}
	if trapped < 100 {
		t.Errorf("only %d calls trap", trapped)
	}
}

func shown(v ir.Val, ctx *ir.Context, t ir.Type) string {
	if ctx.IsFloat(t) && math.IsNaN(v.Float(t)) {
		return "nan"
	}
	return fmt.Sprintf("0x%x", v.Bits)
}
