// Package fusion runs random programs of data-parallel loops, fused and as they are written,
// and compares what they give.
//
// A program is a function of sizes, a number and tables (Inputs), made of well-typed random
// values: loops with several generators, the functions of dialects/loop/collection,
// conditionals and carried loops. Few programs trap: elements are read where they are,
// sizes come from sizes, and floats become integers only where they fit.
package fusion

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Options say what programs are like.
type Options struct {
	Silent bool // nothing is printed
}

// writer writes a program.
type writer struct {
	*rand.Rand
	Options
	b      *ir.Builder
	c      *ir.Context
	vals   []ir.Value            // what may be used here
	sizes  []ir.Value            // what loops may run over here
	length map[ir.Value]ir.Value // of arrays, and of groups
	loose  []ir.Value            // sums in any order, which are results and nothing else
	depth  int                   // of regions around
	budget int                   // loops that may still be written
}

// New writes a program, the function @f. It takes what Inputs has.
func New(c *ir.Context, seed uint64, o Options) string {
	statements := 3 + int(seed%16) // loops and the like outside of others
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 77)), Options: o, c: c, length: map[ir.Value]ir.Value{}, budget: 6 * statements}
	w.b = ir.NewBuilder(c, ir.Verbatim)
	in := params(c)
	for _, t := range in {
		w.b.Param(t)
	}
	ps := w.b.Params(ir.Root)
	w.sizes = []ir.Value{ps[0], ps[0], ps[0], ps[1], w.b.Index(3)}
	w.add(ps[2])
	for _, p := range ps[3:] {
		w.array(p, 0)
	}
	given := len(w.vals)
	for range statements {
		w.statement()
	}
	results := w.results(given)
	w.b.Op(funcs.Return, results...)
	return w.module(in, w.types(results))
}

// module is the text of the function that was written.
func (w *writer) module(in, out []ir.Type) string {
	m := ir.NewBuilder(w.c, ir.Verbatim)
	m.Must(ir.Call{Def: funcs.Func, Attr: funcs.Props(w.c, "f", "", in, out), Graphs: []*ir.Graph{w.b.Finish()}})
	top := ir.NewBuilder(w.c, ir.Verbatim)
	top.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{m.Finish()}})
	return text.String(top.Finish(), text.PrintOptions{})
}

// results are what a program gives: some of what it has made.
func (w *writer) results(given int) (out []ir.Value) {
	made := w.vals[given:]
	for k, v := range made {
		if k >= len(made)-3 || w.IntN(2) == 0 {
			out = append(out, v)
		}
	}
	return append(out, w.loose...)
}

func (w *writer) types(vs []ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for k, v := range vs {
		out[k] = w.typ(v)
	}
	return out
}

func (w *writer) typ(v ir.Value) ir.Type { return w.b.Graph().Type(v) }

// add makes a value known, as it is.
func (w *writer) add(v ir.Value) { w.vals = append(w.vals, v) }

// array adds an array or groups, of a known length or none.
func (w *writer) array(v, length ir.Value) {
	if length == 0 {
		length = loop.Size(w.b, v)
		w.sizes = append(w.sizes, length)
	}
	w.length[v] = length
	w.add(v)
}

// known adds a value, with its length if it has one.
func (w *writer) known(v ir.Value) {
	if _, ok := loop.ElemOf(w.c, w.typ(v)); ok && !loop.IsString(w.c, w.typ(v)) {
		w.array(v, 0)
		return
	}
	w.add(v)
}

// scope runs f, in a region: what f adds is not known behind it.
func (w *writer) scope(f func()) {
	vals, sizes := w.vals, w.sizes
	w.vals, w.sizes = vals[:len(vals):len(vals)], sizes[:len(sizes):len(sizes)]
	w.depth++
	f()
	w.depth--
	w.vals, w.sizes = vals, sizes
}

// pick takes one of a list, mostly a late one.
func pick[T any](w *writer, list []T) T {
	if w.IntN(2) == 0 {
		return list[max(0, len(list)-1-w.IntN(3))]
	}
	return list[w.IntN(len(list))]
}

// statement writes what stands for itself: mostly loops.
func (w *writer) statement() {
	switch k := w.IntN(16); {
	case k == 0:
		w.print()
	case k == 1:
		w.known(w.fresh(w.element(2), 3))
	case k == 2 && w.depth < 2:
		w.branch()
	case k == 3 && w.depth < 2:
		w.carried()
	case k == 4:
		w.anyOrder()
	case k == 5:
		w.lookup()
	case k < 11:
		w.collection()
	default:
		w.loop()
	}
}

// print prints a number.
func (w *writer) print() {
	if !w.Silent {
		w.b.Op(special.Print, w.value(ir.I64))
	}
}
