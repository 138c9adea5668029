package prove

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var foldWidth = flag.Int("foldwidth", 4, "bits of the integers, at most, on which folds are proven")

// An expr is an op on others, or a parameter, or one of the constants of a pattern.
type expr struct {
	def      *ir.OpDef
	attr     func(*ir.Context) ir.Attr
	args     []*expr
	param    int
	constant int // its number, or -1
	width    int // 0: index; of an op with two results several
}

// several is the width of an op with two results.
const several = -1

// A fold is a rule in a context that has no other. Constants fold by what ops mean, as always.
type fold struct {
	ir.Fold
	ctx   *ir.Context
	types map[int]ir.Type
	fired atomic.Bool
	cases int // in which it fired
}

func newFold(of ir.Fold) *fold {
	f := &fold{Fold: of, types: map[int]ir.Type{}}
	var alone []*ir.Dialect
	for _, d := range dialects.All {
		one := *d
		one.Folds, one.Cleanups = nil, nil
		if slices.Contains(d.Ops, of.Of) {
			one.Folds = []ir.Fold{of}
		}
		alone = append(alone, &one)
	}
	f.ctx = ir.NewContext(alone...)
	f.ctx.Watch = func(e ir.Event) {
		if e.Kind == ir.Folded && e.Rule == of.Rule {
			f.fired.Store(true)
		}
	}
	return f
}

// signatures are the widths of the operands and of the result of an op, at a width.
func signatures(d *ir.OpDef, w int) (out [][]int) {
	switch d {
	case arith.Extui, arith.Extsi:
		return [][]int{{w, w + 1}, {w, w + 2}, {w + 1, w + 2}}
	case arith.Trunci:
		return [][]int{{w + 1, w}, {w + 2, w}, {w + 2, w + 1}}
	case arith.IndexCast, arith.IndexCastui:
		return [][]int{{w, 0}, {0, w}, {w + 1, 0}}
	case arith.Cmpi:
		out = [][]int{{w, w, 1}, {w + 1, w + 1, 1}, {1, 1, 1}}
	case arith.Select:
		out = [][]int{{1, w, w, w}, {1, 1, 1, 1}}
	case arith.AdduiExtended, arith.MuluiExtended, arith.MulsiExtended:
		return [][]int{{w, w, several}}
	default:
		for _, w := range []int{w, 1} {
			out = append(out, slices.Repeat([]int{w}, len(d.Args)+1))
		}
	}
	if w == 1 {
		out = slices.DeleteFunc(out[1:], func(s []int) bool { return s[0] == 1 && d != arith.Select && d == arith.Cmpi })
		if d == arith.Cmpi {
			out = [][]int{{1, 1, 1}, {2, 2, 1}}
		}
	}
	return out
}

// attrs are the sets of properties that an op may have: all flags, all predicates.
func attrs(d *ir.OpDef) (out []func(*ir.Context) ir.Attr) {
	switch {
	case d == arith.Cmpi:
		for p := arith.EQ; p <= arith.UGE; p++ {
			out = append(out, func(c *ir.Context) ir.Attr { return arith.PredicateI(c, p) })
		}
	case slices.Contains(d.Attrs, "overflowFlags"):
		for flags := range arith.NSW | arith.NUW + 1 {
			out = append(out, func(c *ir.Context) ir.Attr { return arith.OverflowProps(c, flags) })
		}
	default:
		out = append(out, func(*ir.Context) ir.Attr { return 0 })
	}
	return out
}

// shapes yields the patterns of a fold at a width, with leaves that are not chosen: operands are leaves, or one or both are
// ops that the fold may look for.
func (f *fold) shapes(w int, yield func(root *expr, inner int) bool) {
	inner := f.inner()
	for _, s := range signatures(f.Of, w) {
		for _, attr := range f.rootAttrs() {
			root := func() *expr { return opOf(f.Of, attr, s) }
			if !yield(root(), 0) {
				return
			}
			for i, width := range s[:len(s)-1] {
				if f.Of == arith.Cmpi && i == 1 && w > 3 {
					continue // what it does on the other side was seen in fewer bits
				}
				for _, e := range inner {
					for x := range madeOf(e, w, width) {
						r := root()
						r.args[i] = x
						if !yield(r, 1) {
							return
						}
						if i == 1 && width == s[0] && len(s) == 3 {
							r := root()
							r.args[1], r.args[0] = x, opOf(x.def, x.attr, append(widths(x.args), x.width))
							if !yield(r, 2) {
								return
							}
						}
					}
				}
			}
		}
	}
}

// rootAttrs: a rule that writes flags is of ops without.
func (f *fold) rootAttrs() []func(*ir.Context) ir.Attr {
	if f.writesFlags() {
		return []func(*ir.Context) ir.Attr{func(*ir.Context) ir.Attr { return 0 }}
	}
	return attrs(f.Of)
}

func (f *fold) writesFlags() bool { return strings.HasSuffix(f.Rule, "is written out") }

func widths(es []*expr) (out []int) {
	for _, e := range es {
		out = append(out, e.width)
	}
	return out
}

func opOf(d *ir.OpDef, attr func(*ir.Context) ir.Attr, s []int) *expr {
	e := &expr{def: d, attr: attr, width: s[len(s)-1], constant: -1}
	for _, w := range s[:len(s)-1] {
		e.args = append(e.args, &expr{width: w, constant: -1})
	}
	return e
}

// madeOf yields an op with all its properties whose result has a width.
func madeOf(d *ir.OpDef, w, width int) func(yield func(*expr) bool) {
	return func(yield func(*expr) bool) {
		if d == ub.Poison {
			yield(&expr{def: d, width: width, constant: -1})
			return
		}
		for _, s := range signatures(d, w) {
			if s[len(s)-1] != width || width == several {
				continue
			}
			for _, attr := range attrs(d) {
				if !yield(opOf(d, attr, s)) {
					return
				}
			}
		}
	}
}

// lookedFor are the ops that folds look for which do not say so in their Needs.
var lookedFor = map[string][]*ir.OpDef{
	"cmpi: of two values extended alike = of the values": {arith.Extui, arith.Extsi},
	"cmpi: decided by the bounds of the operands": {arith.Addi, arith.Subi, arith.Muli, arith.Andi, arith.Ori, arith.Remui, arith.Remsi, arith.Divui, arith.Divsi,
		arith.Shli, arith.Shrui, arith.Shrsi, arith.Extui, arith.Extsi, arith.Trunci, arith.Minui, arith.Minsi, arith.Maxui, arith.Maxsi, arith.Select, arith.IndexCast},
	"absi: absi(absi(x)) = absi(x)": {math.Absi},
	"ipowi: x^1 = x":                {math.Absi},
	"ipowi: x^0 = 1":                {math.Absi},
}

// ofOthers are folds of ops on integers that are not about integers.
var ofOthers = []string{
	"xori: ~cmpf(x, y) = cmpf{opposite}(x, y)",
	"a choice of structs is the struct of the choices of their fields",
	"a choice of two tuples is a tuple of choices",
}

// inner are the ops that operands may be made by: those that the fold needs, or all.
func (f *fold) inner() (out []*ir.OpDef) {
	if f.writesFlags() {
		return nil
	}
	if list := lookedFor[f.Rule]; list != nil {
		return list
	}
	for d := range Known() {
		if len(d.Args) == 0 && d != ub.Poison || d == funcs.Call || d.Infer == nil || d.Eval == nil && d != ub.Freeze {
			continue
		}
		if f.Needs == 0 || f.Needs&ir.MadeBy(d) != 0 {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b *ir.OpDef) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// leaves yields all ways to choose what stands at the leaves: three parameters of a width at most, each named when it first
// comes, and two constants at most.
func leaves(at []*expr, params map[int]int, constants, most int, yield func(constants int)) {
	if len(at) == 0 {
		yield(constants)
		return
	}
	e := at[0]
	n := params[e.width]
	for p := range min(n+1, 3) {
		e.param, e.constant = p, -1
		params[e.width] = max(n, p+1)
		leaves(at[1:], params, constants, most, yield)
	}
	params[e.width] = n
	if constants < most && e.width > 0 {
		e.constant = constants
		leaves(at[1:], params, constants+1, most, yield)
		e.constant = -1
	}
}

func (e *expr) leaves() (out []*expr) {
	if e.def == nil {
		return []*expr{e}
	}
	for _, a := range e.args {
		out = append(out, a.leaves()...)
	}
	return out
}

// build makes a pattern with some constants as a function.
func (f *fold) build(e *expr, constants []uint64, opts ...ir.Option) *ir.Graph {
	b := ir.NewBuilder(f.ctx, opts...)
	params := map[[2]int]ir.Value{}
	for _, l := range e.leaves() {
		if key := [2]int{l.width, l.param}; l.constant < 0 && params[key] == 0 {
			params[key] = b.Param(f.typ(l.width))
		}
	}
	b.Op(funcs.Return, b.Results(f.node(b, e, params, constants))...)
	return b.Finish()
}

func (f *fold) typ(w int) ir.Type {
	switch w {
	case 0:
		return ir.Index
	case several:
		return ir.NoType
	}
	if f.types[w] == 0 {
		f.types[w] = f.ctx.Int(w)
	}
	return f.types[w]
}

func (f *fold) node(b *ir.Builder, e *expr, params map[[2]int]ir.Value, constants []uint64) ir.Value {
	switch {
	case e.constant >= 0:
		return b.Const(f.typ(e.width), ir.IntVal(int64(constants[e.constant]), e.width))
	case e.def == nil:
		return params[[2]int{e.width, e.param}]
	case e.def == ub.Poison:
		return ub.Of(b, f.typ(e.width))
	}
	args := make([]ir.Value, len(e.args))
	for i, a := range e.args {
		args[i] = f.node(b, a, params, constants)
	}
	return b.Must(ir.Call{Def: e.def, Attr: e.attr(f.ctx), Args: args, Type: f.typ(e.width)})
}

// prove decides the fold on all patterns at a width. What is proven is the graph that its Do returns.
func (f *fold) prove(t *testing.T, w int) {
	f.shapes(w, func(root *expr, inner int) bool {
		at := root.leaves()
		most := 2
		switch {
		case inner == 2:
			most = 0
		case f.Needs != 0 && f.Needs&ir.Constant == 0:
			most = 1
		}
		leaves(at, map[int]int{}, 0, most, func(constants int) {
			if constants == 0 && f.Needs&ir.Constant != 0 || t.Failed() {
				return
			}
			bits := make([]int, constants)
			for _, l := range at {
				if l.constant >= 0 {
					bits[l.constant] = l.width
				}
			}
			eachNumber(bits, func(numbers []uint64) { f.proveOne(t, root, numbers) })
		})
		return !t.Failed()
	})
}

// eachNumber yields all numbers of some widths.
func eachNumber(bits []int, yield func([]uint64)) {
	total := 0
	for _, w := range bits {
		total += w
	}
	numbers := make([]uint64, len(bits))
	for n := range uint64(1) << total {
		for i, w := range bits {
			numbers[i], n = n&(1<<w-1), n>>w
		}
		yield(numbers)
	}
}

func (f *fold) proveOne(t *testing.T, e *expr, numbers []uint64) {
	f.fired.Store(false)
	tgt := f.build(e, numbers)
	if !f.fired.Load() {
		return
	}
	f.cases++
	src := f.build(e, numbers, ir.Plain)
	a, err := Refines(context.Background(), Question{Src: Function{Body: src}, Tgt: Function{Body: tgt}})
	switch {
	case err != nil:
		t.Errorf("%v\nof\n%s", err, textOf(src))
	case a.Counter != nil:
		t.Errorf("the rule is wrong: %v\n%s=>\n%s", a.Counter, textOf(src), textOf(tgt))
	}
}

func textOf(g *ir.Graph) string {
	var b strings.Builder
	if err := text.Print(&b, g, text.PrintOptions{Generic: true}); err != nil {
		return fmt.Sprint(err)
	}
	return b.String()
}

// elsewhere are folds of others, and those of ops with regions, which a test of their own proves.
func elsewhere(f ir.Fold) bool {
	return f.Of.Eval == nil && f.Of != ub.Freeze || slices.Contains(ofOthers, f.Rule)
}

// Each fold of integer ops may do what it does: on parameters and all constants, with all flags and predicates, poison
// included. One that no pattern makes fire is not proven.
func TestFoldsAreProven(t *testing.T) {
	known := Known()
	var folds, cases atomic.Int64
	t.Cleanup(func() { t.Logf("%d folds, %d cases of up to %d bits", folds.Load(), cases.Load(), *foldWidth) })
	for _, d := range dialects.All {
		for _, of := range d.Folds {
			if known[of.Of] == nil || elsewhere(of) {
				continue
			}
			t.Run(of.Rule, func(t *testing.T) {
				t.Parallel()
				f := newFold(of)
				for w := 1; w <= *foldWidth && !t.Failed(); w++ {
					f.prove(t, w)
				}
				if f.cases == 0 {
					t.Error("the rule never fires in its proof")
				}
				folds.Add(1)
				cases.Add(int64(f.cases))
			})
		}
	}
}
