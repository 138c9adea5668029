package reductions

import (
	"fmt"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes/differentiate/sparse"
	"github.com/irc-lang/irc/tests/built"
)

// inexact are programs of which the relations say less than the loops do, since integers that are given decide.
var inexact = map[string]string{
	"gmm":    "which arm of a select is taken",
	"dmm_mh": "which elements are gathered",
	"lda_gs": "which elements are gathered",
}

// What the loops of equations say of which derivatives may be other than 0 is what their relations say: an element depends on
// those from which a path of reads and writes leads to it.
func TestPatterns(t *testing.T) {
	t.Parallel()
	eachDerivable(t, func(t *testing.T, _ Program, name string, g *ir.Graph, in equations.Interface) {
		comparePatterns(t, g, in, smallSizes(name, in), inexact[name] == "")
	})
}

// comparePatterns compares those of each output by each input.
func comparePatterns(t *testing.T, g *ir.Graph, in equations.Interface, sizes map[string]int, exact bool) {
	d, err := newData(in, sizes, 3)
	if err != nil {
		t.Fatal(err)
	}
	loops := built.Through(t, g, asLoops)
	args := d.arguments(g.Ctx, in)
	first := len(args) - len(in.Arrays)
	paths := pathsOf(t, g, sizes)
	for o, out := range in.Arrays {
		for i, by := range in.Arrays {
			if !out.Output || by.Output || !g.Ctx.IsFloat(out.Type) || !g.Ctx.IsFloat(by.Type) {
				continue
			}
			got, err := sparse.PatternOf(loops, in.Name, args, sparse.Place{N: first + o}, sparse.Place{N: first + i}, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			columns := elementsOf(by.Name, d.arrays[by.Name].sizes)
			for r, row := range elementsOf(out.Name, d.arrays[out.Name].sizes) {
				reached := paths.from(row)
				for c, column := range columns {
					has := slices.Contains(got.Rows[r], int32(c))
					if has && !reached[column] || exact && !has && reached[column] {
						t.Fatalf("%s depends on %s: by loops %v, by relations %v", row, column, has, reached[column])
					}
				}
			}
		}
	}
}

// elementsOf names the elements of an array in their order.
func elementsOf(name string, sizes []int64) []string {
	all := [][]int64{nil}
	for _, n := range sizes {
		var next [][]int64
		for _, at := range all {
			for i := range n {
				next = append(next, append(slices.Clone(at), i))
			}
		}
		all = next
	}
	out := make([]string, len(all))
	for i, at := range all {
		out[i] = fmt.Sprint(name, at)
	}
	return out
}

// paths has for each element those that are read to compute it.
type paths map[string][]string

// from are all that lead to an element.
func (p paths) from(element string) map[string]bool {
	seen := map[string]bool{element: true}
	for work := []string{element}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range p[at] {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return seen
}

// pathsOf lists the reads of the statements of equations, by their relations, at sizes.
func pathsOf(t *testing.T, g *ir.Graph, sizes map[string]int) paths {
	t.Helper()
	out := paths{}
	for n := range g.All() {
		for _, child := range n.Children() {
			for _, sys := range poly.Systems(child) {
				for _, st := range sys.Statements {
					for _, r := range st.Reads {
						out.add(t, sys, st, r.Array, r.Map, sizes)
					}
					for _, a := range st.Gathers {
						out.add(t, sys, st, a, st.Domain.CrossMap(a.Extent), sizes)
					}
				}
			}
		}
	}
	return out
}

// add lists the pairs of an element that a statement reads and one that it writes.
func (p paths) add(t *testing.T, sys *poly.System, st *poly.Stmt, a *poly.ArrayDecl, read presburger.Map, sizes map[string]int) {
	t.Helper()
	if c := st.Node.Graph().Ctx; !c.IsFloat(a.Elem) || !c.IsFloat(st.Target.Elem) {
		return // integers have no derivatives
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	domain, err := st.Domain.IntersectParams(sys.Context)
	must(err)
	read, err = read.IntersectDomain(domain)
	must(err)
	pairs, err := st.Write.Compose(read.Inverse())
	must(err)
	pairs = pairs.AlignParams(sys.Params...)
	for _, param := range sys.Params {
		pairs = pairs.FixParam(param, presburger.NewInt(int64(sizes[param])))
	}
	points, err := pairs.Wrap().Points()
	must(err)
	for x := range points {
		at := make([]int64, len(x))
		for i := range x {
			at[i], _ = x[i].Int64()
		}
		to := fmt.Sprint(st.Target.Name, at[a.Rank:])
		p[to] = append(p[to], fmt.Sprint(a.Name, at[:a.Rank]))
	}
}
