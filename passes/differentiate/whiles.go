package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A while loop of a function that records on a stack goes back as one over its rounds, of which the number is recorded. Each
// run of its test has a block, and so has each round behind it.

// while says what a while loop hands on that has adjoints.
type while struct {
	carried []int // of what the test takes
	passed  []int // of what it hands on, to a round and to the results
}

// while plans one.
func (p stacker) while(n ir.Node) {
	v := n.Old()
	for _, r := range p.g.Regions(v) {
		p.region(r)
	}
	p.capture(n)
	if !p.hasAdjoints(v) {
		return
	}
	w := &while{}
	for k := range n.NumArgs() {
		if p.isActiveRef(ref{op: p.g.Params(p.g.Regions(v)[0])[k]}) {
			w.carried = append(w.carried, k)
		}
	}
	for k, r := range p.results(v) {
		if p.isActiveRef(r) || p.isActiveRef(ref{op: p.g.Params(p.g.Regions(v)[1])[k]}) {
			w.passed = append(w.passed, k)
		}
	}
	p.whiles[v] = w
}

// stackedWhile makes a while loop again that counts its rounds, and records.
func (x *back) stackedWhile(m *ir.Mirror, n ir.Node) ir.Value {
	k := n.NumArgs()
	all := x.b.Results(scf.BuildWhile(x.b, append(m.All(n.Args()), x.b.Index(0)), func(in []ir.Value) (ir.Value, []ir.Value) {
		y := x.stackedBody(m, n.Region(0), in[:k])
		return y[0], append(y[1:], in[k])
	}, func(in []ir.Value) []ir.Value {
		last := len(in) - 1
		return append(x.stackedBody(m, n.Region(1), in[:last]), arith.AddI(x.b, in[last], x.b.Index(1)))
	}))
	last := len(all) - 1
	x.rounded[n.Old()] = all[last]
	return x.b.Pack(all[:last]...)
}

// while goes back through the last test, and then through each round and the test before it.
func (f *frame) while(n ir.Node, w *while) {
	v, outside := n.Old(), f.captured[n.Old()]
	zs := lists.Map(w.passed, func(k int) ir.Value {
		r := ref{v, k}
		z := f.take(r)
		if z == 0 {
			z = arith.Zero(f.b, r.typeOf(f.g))
		}
		return f.leaves(z, f.arms.clean(r), f.arms.top)
	})
	test, round := f.g.Regions(v)[0], f.g.Regions(v)[1]
	through := func(r ir.Region, handsOn, takes []int, first int, zs, so []ir.Value) []ir.Value {
		in := f.inner(r, outside, so)
		in.have()
		in.start(r)
		for i, k := range handsOn {
			in.add(f.g.Yields(r)[first+k], zs[i])
		}
		in.sweep()
		var out []ir.Value
		for _, k := range takes {
			p := ref{op: f.g.Params(r)[k]}
			out = append(out, in.leaves(in.orZero(p), f.arms.clean(p), f.arms.top))
		}
		return append(out, in.adjoints(outside)...)
	}
	inits := through(test, w.passed, w.carried, 1, zs, f.adjoints(outside))
	n0, n1 := len(w.carried), len(w.passed)
	res := f.b.Results(scf.BuildFor(f.b, f.b.Index(0), f.rans[v], f.b.Index(1), inits, func(_ ir.Value, z []ir.Value) []ir.Value {
		z = through(round, w.carried, w.passed, 0, z[:n0], z[n0:])
		return through(test, w.passed, w.carried, 1, z[:n1], z[n1:])
	}))
	for i, c := range outside {
		f.adj[c] = res[n0+i]
	}
	for i, k := range w.carried {
		f.add(f.g.Args(v)[k], res[i])
	}
}

// findWhile notes the uses by a while loop: what it hands on is in some arm, of another round perhaps.
func (a *arms) findWhile(n ir.Node) {
	v := n.Old()
	for _, r := range a.g.Regions(v) {
		a.find(r, nil)
		for _, y := range a.g.Yields(r) {
			a.use(y, armEdge{at: r, fixed: a.some})
		}
	}
	for _, x := range a.g.Args(v) {
		a.use(x, armEdge{at: a.regionOf(v), fixed: a.some})
	}
}

// isWhile reports a region of such a loop.
func (a *arms) isWhile(r ir.Region) bool {
	v := a.g.Owner(r)
	return a.whiles[v] != nil && slices.Contains(a.g.Regions(v), r)
}
