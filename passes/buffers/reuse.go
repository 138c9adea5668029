package buffers

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
)

// Reuse lets allocations that are not needed at the same time be one.
type Reuse struct {
	All bool `opt:"all" doc:"every allocation that the program does not free itself, marked or not"`
}

// ReuseInfo is the row of the pass.
var ReuseInfo = &pass.Info{
	Name: "reuse-buffers",
	Doc: "Lets owned allocations (" + memref.OwnedAttr + ") of one type and size be one where the first is used no more when the second begins: " +
		"because it is allocated later, or because a loop that reads the one for the last time writes the other, and never to an element that is read afterwards. " +
		"An allocation of a loop that is needed in no other round, and whose size every round has, is made once before the loop.",
	Why: "Before free-buffers, which frees what is left, where allocations last as it would have them last.",
	Example: `func.func @f(%x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) {` + memref.OwnedAttr + `} : memref<?xf64>
  memref.copy %x, %a : memref<?xf64> to memref<?xf64>
  %b = memref.alloc(%n) {` + memref.OwnedAttr + `} : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf64>
    %w = arith.mulf %v, %v : f64
    memref.store %w, %b[%i] : memref<?xf64>
  }
  return %b : memref<?xf64>
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "in-place", Doc: "allocations that a loop writes over what it reads"},
		{Name: "shared", Doc: "allocations that are one that is used no more"},
		{Name: "hoisted", Doc: "allocations that are made once before a loop"},
	},
	New: func() pass.Pass { return &Reuse{} },
}

// Run goes on as long as something leaves a loop, and may leave the next.
func (p *Reuse) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	for ctx.Err() == nil {
		allocs := allocations(g)
		if !slices.ContainsFunc(allocs, func(n ir.Node) bool { return p.All || n.Attr(memref.OwnedAttr) != 0 }) {
			break
		}
		found, again := map[*ir.Graph]*sharing{}, false
		rules := ir.Rules{}
		newScope(g, nil, p.All, func(f *function) {
			a := f.result
			if a == nil || found[f.body] != nil {
				return
			}
			u := &sharing{a: a, ctx: ctx, known: affine.Of(a.body.g), next: map[ir.Value]ir.Value{}, last: map[ir.Value]ir.Value{}, is: map[ir.Value]ir.Value{}, out: map[ir.Value][]ir.Value{}}
			u.region(ir.Root)
			found[f.body] = u
			again = again || len(u.out) > 0
			for v := range u.is {
				rules[a.body.g.Def(v)] = nil
			}
			for v, allocs := range u.out {
				rules[a.body.g.Def(v)] = nil
				rules[a.body.g.Def(allocs[0])] = nil
			}
		})
		if len(rules) == 0 {
			break
		}
		for def := range rules {
			rules[def] = func(m *ir.Mirror, n ir.Node) ir.Value {
				if u := found[n.Graph()]; u != nil {
					return u.rebuild(m, n)
				}
				return 0
			}
		}
		g = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil)
		if !again {
			break
		}
	}
	return g, nil
}

// sharing is which allocations of a graph are one. Those of one region that are follow one
// another: next and last say which.
type sharing struct {
	a          *analysis
	ctx        *pass.Context
	known      affine.Analysis
	next, last map[ir.Value]ir.Value   // by allocation: who has its memory after it, and before
	is         map[ir.Value]ir.Value   // the allocation of which it has the memory
	out        map[ir.Value][]ir.Value // by loop: what is allocated before it
}

// region looks at the allocations of a region, in order, and then at those in it.
func (u *sharing) region(r ir.Region) {
	a := u.a
	body := a.body.s.Body(r)
	here := lists.Filter(body, u.isOurs)
	byShape := u.byShape(here)
	for _, v := range here {
		if from, in := u.before(byShape[u.shape(v)], v); from != 0 {
			u.next[from], u.last[v] = v, from
			u.ctx.Count(map[bool]string{true: "in-place", false: "shared"}[in], 1)
			u.ctx.Remark("%s has the memory of that at %s", a.describe(u.ctx, key{v, 0}), u.ctx.Where(a.body.g, from))
		}
	}
	for _, v := range here {
		if u.last[v] == 0 {
			u.chain(r, v)
		}
	}
	for _, v := range body {
		for _, in := range a.body.g.Regions(v) {
			u.region(in)
		}
	}
}

// isOurs reports an allocation that is owned and takes nothing over.
func (u *sharing) isOurs(v ir.Value) bool {
	alloc, ok := ir.As[ir.Allocation](u.a.body.g.NodeOf(v))
	if !ok || alloc.From != 0 {
		return false
	}
	_, ok = u.a.ledger.own[key{v, 0}]
	return ok
}

// ends is where in its region an allocation is used for the last time, if it is given back
// there.
func (u *sharing) ends(v ir.Value) (at int, ok bool) {
	a := u.a
	o := a.ledger.own[key{v, 0}]
	x := &a.ledger.owners[o]
	if x.kept != "" || x.flag != yes || a.gone[use{x.home, o}] {
		return 0, false
	}
	if at, ok = a.last[use{x.home, o}]; !ok {
		at = int(a.body.pos[v])
	}
	return at, true
}

// shape is what allocations have in common that may be one: op, type, attributes and the first
// size.
type shape struct {
	def  *ir.OpDef
	typ  ir.Type
	attr ir.Attr
	size ir.Value
}

// shape is a key by which candidates are found; alike compares the other sizes too.
func (u *sharing) shape(v ir.Value) shape {
	g := u.a.body.g
	s := shape{def: g.Def(v), typ: g.Type(v), attr: g.AttrsOf(v)}
	if args := g.Args(v); len(args) > 0 {
		s.size = args[0]
	}
	return s
}

// ended are allocations that are given back in their region, by where they are used last.
type ended struct {
	at []int
	by map[int][]ir.Value
}

// byShape sorts allocations.
func (u *sharing) byShape(here []ir.Value) map[shape]*ended {
	out := map[shape]*ended{}
	for _, v := range here {
		s := u.shape(v)
		if out[s] == nil {
			out[s] = &ended{by: map[int][]ir.Value{}}
		}
		if at, ok := u.ends(v); ok {
			out[s].by[at] = append(out[s].by[at], v)
		}
	}
	for _, e := range out {
		e.at = slices.Sorted(maps.Keys(e.by))
	}
	return out
}

// before finds the allocation of which another may have the memory: best one that a loop
// reads while it writes this one, else the one that ended last. Those of which somebody has
// the memory already are forgotten.
func (u *sharing) before(e *ended, v ir.Value) (from ir.Value, in bool) {
	body := u.a.body.s.Body(u.a.body.s.Place(v))
	at, first := int(u.a.body.pos[v]), u.begins(v)
	for _, w := range e.by[first] {
		if w != v && first > at && u.next[w] == 0 && u.alike(v, w) && u.inPlace(w, v, body[first]) {
			return w, true
		}
	}
	// The search goes backward from the allocation. It drops those whose memory is taken, so that no later
	// search passes them again.
	i, _ := slices.BinarySearch(e.at, at)
	for i--; i >= 0; i-- {
		ws := e.by[e.at[i]]
		ws = slices.DeleteFunc(ws, func(w ir.Value) bool { return u.next[w] != 0 })
		if e.by[e.at[i]] = ws; len(ws) == 0 {
			e.at = slices.Delete(e.at, i, i+1)
			continue
		}
		for _, w := range ws {
			if u.alike(v, w) {
				return w, false
			}
		}
	}
	return 0, false
}

// alike reports allocations of one type and size.
func (u *sharing) alike(v, w ir.Value) bool {
	g := u.a.body.g
	return g.Def(v) == g.Def(w) && g.Type(v) == g.Type(w) && g.AttrsOf(v) == g.AttrsOf(w) && slices.Equal(g.Args(v), g.Args(w))
}

// begins is where in its region the elements of an allocation are used first: by views
// themselves they are not.
func (u *sharing) begins(v ir.Value) int {
	a := u.a
	r, first := a.body.s.Place(v), len(a.body.s.Body(a.body.s.Place(v)))
	for _, k := range a.alias[a.ledger.own[key{v, 0}]] {
		for _, w := range ir.Uses(a.body.g).Of(k.node) {
			if _, view := ir.As[ir.ViewLike](a.body.g.NodeOf(w)); view || u.asksShape(w) {
				continue
			}
			if top, ok := a.body.top(w, r); ok {
				first = min(first, int(a.body.pos[top]))
			}
		}
	}
	return first
}

// asksShape reports an op that touches no element.
func (u *sharing) asksShape(v ir.Value) bool {
	x, ok := ir.As[ir.AccessLike](u.a.body.g.NodeOf(v))
	return ok && len(x.Accesses) == 0
}

// chain makes allocations that follow one another the one that is made first. If the last is
// given back in a loop's round, that one leaves the loop.
func (u *sharing) chain(r ir.Region, v ir.Value) {
	a := u.a
	root, dies := v, true
	for w := v; w != 0; w = u.next[w] {
		if a.body.pos[w] < a.body.pos[root] {
			root = w
		}
		// What another allocation follows ends, as only such ones are followed. The last of the chain has to
		// end too.
		_, ok := u.ends(w)
		dies = dies && (ok || u.next[w] != 0)
	}
	for w := v; w != 0; w = u.next[w] {
		if w != root {
			u.is[w] = root
		}
	}
	if loop, ok := u.leaves(r, root); ok && dies {
		u.out[loop] = append(u.out[loop], root)
		u.ctx.Count("hoisted", 1)
		u.ctx.Remark("%s is made once, before the loop at %s", a.describe(u.ctx, key{root, 0}), u.ctx.Where(a.body.g, loop))
	}
}
