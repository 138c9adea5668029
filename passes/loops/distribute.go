package loops

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/passes/pass"
)

// Distribute makes several loops of one.
type Distribute struct{ Which }

// DistributeInfo is the row of the pass.
var DistributeInfo = &pass.Info{
	Name: "loop-distribute",
	Doc: "Makes a loop for each of the things that a loop does: stores, and loops and conditionals in it. Things that depend on each other in a circle stay together (Allen and Kennedy, \"Automatic translation of Fortran programs to vector form\", 1987). " +
		"What they compute and read is done in each loop that needs it.",
	Why: "Before loop-interchange, for which a loop may have nothing in it but another; before loop-fuse, which puts together what fits.",
	Example: `func.func @f(%A: memref<8xf64> {llvm.noalias}, %B: memref<8xf64> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    %x = affine.load %A[%i] : memref<8xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %A[%i] : memref<8xf64>
    affine.store %y, %B[%i] : memref<8xf64>
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "distributed", Doc: "loops that became several"}},
	New:        func() pass.Pass { return &Distribute{} },
}

// Run rewrites the loops of every function.
func (p *Distribute) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "distributed", "cannot be distributed", p.find)
}

// find connects what the loop does by its dependences: what is on a cycle of them stays in one loop.
func (p *Distribute) find(f *function, v ir.Value) (*change, error) {
	d := &distribution{nest: &nest{function: f, loops: []ir.Value{v}}}
	if err := cmp.Or(d.regular(), d.carriesNothing()); err != nil {
		return nil, err
	}
	if d.collect(); len(d.does) < 2 {
		return nil, errors.New("does no more than one thing")
	}
	o, err := f.orderOf(1, v)
	if err == nil {
		err = d.connect(o)
	}
	if err != nil {
		return nil, err
	}
	if d.components(); len(d.groups) < 2 {
		return nil, fmt.Errorf("does what hangs together: %s", d.circle)
	}
	return &change{rule: d.rule, loops: d.loops, inside: f.g.Regions(v), what: fmt.Sprintf("became %d", len(d.groups))}, nil
}

// A distribution is a loop that becomes several: one for each group of what it does.
type distribution struct {
	*nest
	does   []ir.Value          // what has an effect, in order
	needs  []map[ir.Value]bool // of the loop's body, by what it does
	before []map[int]bool      // what must come before, or with it
	groups [][]int             // in their order
	parts  []map[ir.Value]bool // what each group makes
	circle string              // a conflict from one thing to an earlier one
}

// collect finds what a loop does, and what of it that needs.
func (d *distribution) collect() {
	body, effects := d.s.Body(d.body(d.loops[0])), d.g.Effects()
	for _, v := range body {
		if !d.g.Def(v).Has(ir.Terminator) && !d.onlyReads(v, effects) {
			d.does = append(d.does, v)
		}
	}
	in := map[ir.Value]bool{}
	for _, v := range body {
		in[v] = true
	}
	for _, v := range d.does {
		needs := map[ir.Value]bool{}
		d.slice(v, in, needs)
		d.needs = append(d.needs, needs)
		d.before = append(d.before, map[int]bool{})
	}
	for i := range d.does { // who needs the value of another is with it
		for k, w := range d.does {
			if k != i && d.needs[i][w] {
				d.before[i][k], d.before[k][i] = true, true
				d.circle = fmt.Sprintf("%s needs what %s gives", d.at(d.does[i]), d.at(w))
			}
		}
	}
}

// slice collects what an op of the loop's body needs of it, itself too.
func (d *distribution) slice(v ir.Value, in, out map[ir.Value]bool) {
	if n, _, ok := d.g.Projection(v); ok {
		v = n
	}
	if in[v] {
		if out[v] {
			return
		}
		out[v] = true
	}
	if _, _, isParam := d.g.Param(v); isParam {
		return
	}
	if !in[v] && !d.isIn(v, d.body(d.loops[0])) {
		return
	}
	for _, a := range d.g.Args(v) {
		d.slice(a, in, out)
	}
	for _, r := range d.g.Regions(v) {
		for _, w := range d.s.Body(r) {
			d.slice(w, in, out)
		}
	}
}

// connect says of each two things which must come before the other.
func (d *distribution) connect(o *order) error {
	users := map[ir.Value][]int{} // of the ops of the body
	for i, needs := range d.needs {
		for v := range needs {
			users[v] = append(users[v], i)
		}
	}
	return o.each(func(c conflict) error {
		for _, i := range users[d.top(c.from.Op)] {
			for _, k := range users[d.top(c.to.Op)] {
				if i == k {
					continue
				}
				if d.before[k][i] = true; i > k && d.circle == "" {
					d.circle = o.says(c, c.Vectors[0])
				}
			}
		}
		return nil
	})
}

// top is the op of the loop's body in which an op is.
func (d *distribution) top(v ir.Value) ir.Value {
	for d.s.Place(v) != d.body(d.loops[0]) {
		v = d.g.Owner(d.s.Place(v))
	}
	return v
}

// components puts together what goes in a circle, each behind what must come before it and otherwise as it was.
func (d *distribution) components() {
	d.groups = digraph.ComponentsOf(len(d.does), func(i, k int) bool { return d.before[i][k] })
	for _, group := range d.groups {
		part := map[ir.Value]bool{}
		for _, i := range group {
			for v := range d.needs[i] {
				part[v] = true
			}
		}
		d.parts = append(d.parts, part)
	}
}

// rule makes the loops.
func (d *distribution) rule(m *ir.Mirror, old ir.Node) ir.Value {
	s := d.span(m, 0)
	attr := old.Attrs()
	for _, part := range d.parts {
		makeLoop(m, old, attr, s, nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
			m.BodyWithout(old.Region(0), func(n ir.Node) bool { return !part[n.Old()] }, iv)
			return nil
		})
		attr = m.B.Ctx().WithDiscardable(attr, Label, 0)
	}
	return m.B.Pack()
}
