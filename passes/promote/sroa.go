package promote

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
)

// SROA is the scalar replacement of aggregates.
type SROA struct {
	Limit int `opt:"limit" doc:"most elements that are split; 0 asks the target"`
}

// SROAInfo is the row of sroa.
var SROAInfo = &pass.Info{
	Name: "sroa",
	Doc: "Makes an allocation for each element of a small array (scalar replacement of aggregates), if the array does not escape and is accessed at constant indices only, through views too. " +
		"Elements that nothing accesses go. A copy from or to such memory becomes loads and stores. Memory of memref.alloc, which goes to the stack then, is split only if mem2reg takes all of it away.",
	Why: "Before mem2reg, which makes values of single elements.",
	Example: `func.func @f(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xf64>
  memref.store %x, %m[%c0] : memref<2xf64>
  memref.store %x, %m[%c1] : memref<2xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%c0] : memref<2xf64>
    %b = memref.load %m[%c1] : memref<2xf64>
    %s = arith.addf %a, %b : f64
    memref.store %b, %m[%c0] : memref<2xf64>
    memref.store %s, %m[%c1] : memref<2xf64>
  }
  %r = memref.load %m[%c1] : memref<2xf64>
  return %r : f64
}
`,
	Statistics: []pass.Statistic{
		{Name: "split", Doc: "allocations that were split"},
		{Name: "elements", Doc: "allocations of one element in their place"},
	},
	New: func() pass.Pass { return &SROA{} },
}

// Check refuses limits that bound nothing.
func (p *SROA) Check() error {
	if p.Limit < 0 || p.Limit > tuning.MostCode {
		return fmt.Errorf("limit=%d is not between 0 and %d", p.Limit, tuning.MostCode)
	}
	return nil
}

// Run splits what can be split.
func (p *SROA) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	limit := int64(p.Limit)
	if limit == 0 {
		limit = int64(ctx.Target().Costs.MaxSplit)
	}
	found := map[*ir.Graph]*splitting{}
	for g := range g.Nested() {
		if x := findSplitting(g, limit); x != nil {
			found[g] = x
			ctx.Count("split", len(x.size))
			for _, at := range x.used {
				ctx.Count("elements", len(at))
			}
		}
	}
	if len(found) == 0 {
		return g, nil
	}
	return basic.Rebuild(g, splitRules(found)), nil
}

// splitting is which allocations of a graph are split, and what became of them while
// it is replayed.
type splitting struct {
	*local
	used  map[ir.Value][]int64            // the elements of an allocation that are accessed
	parts map[ir.Value]map[int64]ir.Value // the allocations of the new graph
}

// findSplitting finds the allocations that may be split; nil if there are none.
func findSplitting(g *ir.Graph, limit int64) *splitting {
	l := findLocal(g, limit, true)
	if l == nil {
		return nil
	}
	x := &splitting{local: l, used: map[ir.Value][]int64{}, parts: map[ir.Value]map[int64]ir.Value{}}
	copied := x.keepHeap()
	for m, n := range l.size {
		if n == 1 && !copied[m] {
			delete(l.size, m)
		}
	}
	if l.forget() == nil {
		return nil
	}
	for v, at := range l.at {
		x.use(l.of(v), at)
	}
	for _, v := range l.copies {
		for _, a := range g.Args(v) {
			if m := l.memory[a]; m != 0 {
				at, _ := l.places(a)
				x.use(m, at...)
			}
		}
	}
	return x
}

// keepHeap leaves out memory of memref.alloc that would stay memory, and returns what
// is copied.
func (x *splitting) keepHeap() map[ir.Value]bool {
	copied := map[ir.Value]bool{}
	p := &promotion{local: x.local, writes: map[ir.Value][]ir.Value{}}
	check := func(v, m ir.Value, stores bool) {
		if m != 0 && x.g.Def(m) == memref.Alloc && !p.reaches(v, m, stores) {
			delete(x.size, m)
		}
	}
	for v := range x.at {
		check(v, x.of(v), x.g.Def(v) == memref.Store)
	}
	for _, v := range x.copies {
		for k, a := range x.g.Args(v) {
			copied[x.memory[a]] = true
			check(v, x.memory[a], k == 1)
		}
	}
	return copied
}

// use notes that elements of an allocation are accessed.
func (x *splitting) use(m ir.Value, at ...int64) {
	all := append(x.used[m], at...)
	slices.Sort(all)
	x.used[m] = slices.Compact(all)
}
