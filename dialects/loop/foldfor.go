package loop

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

var normalForms = []ir.Fold{
	{Of: For, Rule: "a loop of no rounds emits nothing", Do: forNever},
	{Of: For, Rule: "what is given no tuple needs no loop", Do: forNone},
	{Of: For, Rule: "of a loop of one round the sequence is its body's, and a sum the only term", Do: forOnce},
	{Of: For, Rule: "what a loop of one round makes is made before it", Do: forBody},
	{Of: For, Rule: "the elements of an array in turn are that array", Do: forIdentity},
	{Of: For, Rule: "what two generators make of the same is made once", Do: forSame},
	{Of: For, Rule: "buckets by the same keys are one bucket", Do: forSameKeys},
	{Of: For, Rule: "what two generators of a group make of the same is made once", Do: forSameInGroups},
	{Of: At, Rule: "an element of an array of equal values is that value, of the indices below n the index", Do: atUniform},
	{Of: At, Rule: "an element of what is gathered is one of what it is gathered from, outside of loops", Do: atGathered},
	{Of: Slice, Rule: "a slice of what is gathered is gathered from a slice, outside of loops", Do: sliceGathered},
	{Of: scf.If, Rule: "if c {emit x} else {emit y} = emit (if c {x} else {y})", Do: ifEmits},
	{Of: arith.Select, Rule: "a choice of two tuples is a tuple of choices", Do: selectEmits},
	{Of: scf.IndexSwitch, Rule: "a switch between sequences is a chain of ifs", Do: switchEmits},
	{Of: Slice, Rule: "a slice of all elements is the array", Do: sliceAll},
	{Of: Slice, Rule: "a slice of a slice is one slice", Do: made(Slice, sliceSlice)},
	{Of: Sort, Rule: "one row is in order", Do: sortOne},
	{Of: Compare, Rule: "a string equals itself", Do: compareSame},
}

// without makes a loop again without the results that are replaced, 0 being one that is not;
// body, if not nil, is what its first region yields,
// and there are no rounds then. 0 is the loop as it is.
func without(b *ir.Builder, c *ir.Call, list []Generator, replaced []ir.Value, body func() []ir.Value) ir.Value {
	r := &remaking{b: b, list: list, args: c.Args, regions: func(i int, params []ir.Value) []ir.Value {
		if i == 0 && body != nil {
			return body()
		}
		return b.Splice(c.Regions[i], params)
	}}
	w := &narrower{g: b.Graph(), regions: c.Regions, region: 1, ids: 1}
	var places, at []int
	var kept []narrowed
	first := 0
	for k, x := range list {
		count := len(x.Results(b.Ctx()))
		used := make([]bool, count)
		for i, v := range replaced[first : first+count] {
			used[i] = v == 0
		}
		if out, ok := w.narrow(x, used); ok {
			places, at, kept = append(places, k), append(at, first), append(kept, out)
		}
		first += count
	}
	switch {
	case len(kept) > 0:
	case body == nil && !Quiet(b.Graph(), c.Regions[0]):
		return 0 // it runs for what it writes
	default:
		return b.Pack(replaced...)
	}
	out := slices.Clone(replaced)
	for k, results := range r.run(places, kept) {
		for j, i := range kept[k].results {
			if out[at[k]+i] == 0 {
				out[at[k]+i] = results[j]
			}
		}
	}
	return b.Pack(out...)
}

// identity lists what a reduce has before its first tuple; ids are the operands of the loop from
// the identities of its regions on.
func (g Generator) identity(b *ir.Builder, ids []ir.Value) []ir.Value {
	if g.By == ByRegion {
		return slices.Clone(ids[:len(g.Types)])
	}
	return lists.Map(g.Types, func(t ir.Type) ir.Value { return b.Const(t, g.By.Identity(b.Ctx(), t)) })
}

// eachGenerator calls f for each generator of a loop with what it is given, the operand and the
// region that are the first to combine for it, and its first result.
func eachGenerator(c *ir.Call, list []Generator, f func(x Generator, given []ir.Value, id, region, result int)) {
	g := c.Graph()
	id, region, result := 1, 1, 0
	for k, given := range Split(g, list, g.Yields(c.Regions[0])) {
		f(list[k], given, id, region, result)
		for _, x := range Regional(list[k : k+1]) {
			id, region = id+len(x.Types), region+1
		}
		result += len(list[k].Results(g.Ctx))
	}
}

// isConst reports an index that is known to be n.
func isConst(g *ir.Graph, v ir.Value, n uint64) bool {
	x, ok := g.Const(v)
	return ok && x.Ref == nil && x.Bits == n
}

func results(c *ir.Call) []ir.Value { return make([]ir.Value, len(c.Ctx().Results(c.Type))) }

func isNone(g *ir.Graph, given []ir.Value) bool { return g.Def(given[0]) == None }

func forNever(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if !isConst(g, c.Args[0], 0) {
		return 0
	}
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	replaced, changed := results(c), false
	eachGenerator(c, list, func(x Generator, given []ir.Value, id, _, result int) {
		if x.Kind == ReduceKind {
			changed = true
			copy(replaced[result:], x.identity(b, c.Args[id:]))
		}
		changed = changed || !isNone(g, given)
	})
	if !changed {
		return 0
	}
	return without(b, c, list, replaced, func() (out []ir.Value) {
		for _, x := range list {
			out = append(out, nones(b, []ir.Type{EmitOf(b.Ctx(), x.Tuple()...)})...)
		}
		return out
	})
}

// forNone: a reduce stays at its identity; what collects nothing does so in no round.
func forNone(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if isConst(g, c.Args[0], 0) {
		return 0
	}
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	replaced, changed := results(c), false
	eachGenerator(c, list, func(x Generator, given []ir.Value, id, region, result int) {
		if !isNone(g, given) {
			return
		}
		changed = true
		switch x.Kind {
		case ReduceKind:
			copy(replaced[result:], x.identity(b, c.Args[id:]))
		case EmitKind:
			replaced[result] = given[0]
		default:
			copy(replaced[result:], emptied(b, c, x, id, region))
		}
	})
	if !changed {
		return 0
	}
	return without(b, c, list, replaced, nil)
}

// emptied makes what a generator gives that is given nothing.
func emptied(b *ir.Builder, c *ir.Call, x Generator, id, region int) []ir.Value {
	var ids []ir.Value
	var combine []func(xy []ir.Value) []ir.Value
	for _, r := range Regional([]Generator{x}) {
		of := c.Regions[region]
		ids, id, region = append(ids, c.Args[id:id+len(r.Types)]...), id+len(r.Types), region+1
		combine = append(combine, func(xy []ir.Value) []ir.Value { return b.Splice(of, xy) })
	}
	return BuildFor(b, b.Index(0), []Generator{x}, ids, combine, func(ir.Value) []ir.Value {
		return nones(b, []ir.Type{EmitOf(b.Ctx(), x.Tuple()...)})
	})
}

func forIdentity(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	i := g.Params(c.Regions[0])[0]
	replaced, changed := results(c), false
	eachGenerator(c, list, func(x Generator, given []ir.Value, _, _, result int) {
		if x.Kind != CollectKind || EmitsIn(g, given) {
			return
		}
		for k, v := range given {
			if g.Def(v) != At || g.Args(v)[1] != i {
				continue
			}
			a := g.Args(v)[0]
			if g.Home(a) != c.Regions[0] && g.Type(a) == Array(c.Ctx(), x.Types[k]) && hasLen(g, a, c.Args[0]) {
				replaced[result+k], changed = a, true
			}
		}
	})
	if !changed {
		return 0
	}
	return without(b, c, list, replaced, nil)
}

// forSame finds components of collects that take the same value, and generators that are alike
// and given the same.
func forSame(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	same := map[int]int{}
	values := map[ir.Value]int{} // result that collects it
	type made struct {
		x      Generator
		given  []ir.Value
		result int
	}
	var before []made
	eachGenerator(c, list, func(x Generator, given []ir.Value, _, _, result int) {
		if x.Kind == CollectKind && !EmitsIn(g, given) {
			for k, v := range given {
				if first, ok := values[v]; ok {
					same[result+k] = first
				} else {
					values[v] = result + k
				}
			}
			return
		}
		for _, m := range before {
			if m.x.MakesSame(c.Ctx(), x) && slices.Equal(m.given, given) {
				for k := range x.Results(c.Ctx()) {
					same[result+k] = m.result + k
				}
				return
			}
		}
		before = append(before, made{x, given, result})
	})
	return withoutCopies(b, c, list, same)
}

// withoutCopies makes a loop again without the results that are the same as others, which stand for them.
func withoutCopies(b *ir.Builder, c *ir.Call, list []Generator, same map[int]int) ir.Value {
	if len(same) == 0 {
		return 0
	}
	replaced := results(c)
	for k := range same {
		replaced[k] = c.Args[0]
	}
	out := b.Results(without(b, c, list, replaced, nil))
	for k, first := range same {
		out[k] = out[first]
	}
	return b.Pack(out...)
}

func atUniform(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	n, i, _ := g.Projection(c.Args[0])
	if g.Def(n) != For || loopSize(g, n, i) == 0 || !inside(b, c.Args[0], c.Args[1]) {
		return 0
	}
	list, body := Generators(g.NodeOf(n)), g.Regions(n)[0]
	k, at := GeneratorOf(g, n, i)
	if list[k].Kind != CollectKind || isConst(g, g.Args(n)[0], 0) {
		return 0
	}
	switch v := Split(g, list, g.Yields(body))[k][at]; {
	case v == g.Params(body)[0]:
		return c.Args[1]
	case g.Home(v) != body:
		return v
	}
	return 0
}

// ifEmits: one tuple in any case is no condition on the tuple.
func ifEmits(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	types := c.Ctx().Results(c.Type)
	var at []int // results that are one tuple in both branches
	for i := range types {
		if g.Def(g.Yields(c.Regions[0])[i]) == Emit && g.Def(g.Yields(c.Regions[1])[i]) == Emit {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return 0
	}
	branch := func(r int) func() []ir.Value {
		return func() (out []ir.Value) {
			for i, y := range b.Splice(c.Regions[r], nil) {
				if slices.Contains(at, i) {
					out = append(out, g.Args(y)...)
				} else {
					out = append(out, y)
				}
			}
			return out
		}
	}
	all := b.Results(scf.BuildIf(b, c.Args[0], branch(0), branch(1)))
	out := make([]ir.Value, len(types))
	for i, t := range types {
		n := 1
		if slices.Contains(at, i) {
			ts, _ := TupleOf(c.Ctx(), t)
			n = len(ts)
			out[i] = b.Op(Emit, all[:n]...)
		} else {
			out[i] = all[0]
		}
		all = all[n:]
	}
	return b.Pack(out...)
}

func switchEmits(b *ir.Builder, c *ir.Call) ir.Value {
	cases, results := c.Ctx().Ints(c.Get("cases")), c.Ctx().Results(c.Type)
	if !slices.ContainsFunc(results, func(t ir.Type) bool { return IsEmit(c.Ctx(), t) }) {
		return 0
	}
	var from func(k int) []ir.Value
	from = func(k int) []ir.Value {
		if k == len(cases) {
			return b.Splice(c.Regions[0], nil)
		}
		is := arith.CmpI(b, arith.EQ, c.Args[0], b.Index(cases[k]))
		return b.Results(scf.BuildIf(b, is, func() []ir.Value { return b.Splice(c.Regions[k+1], nil) }, func() []ir.Value { return from(k + 1) }))
	}
	return b.Pack(from(0)...)
}

func selectEmits(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if g.Def(c.Args[1]) != Emit || g.Def(c.Args[2]) != Emit {
		return 0
	}
	out := slices.Clone(g.Args(c.Args[1]))
	for i, y := range g.Args(c.Args[2]) {
		out[i] = arith.Choose(b, c.Args[0], out[i], y)
	}
	return b.Op(Emit, out...)
}

func sliceAll(b *ir.Builder, c *ir.Call) ir.Value {
	if g := b.Graph(); !isConst(g, c.Args[1], 0) || !hasLen(g, c.Args[0], c.Args[2]) {
		return 0
	}
	return c.Args[0]
}

// sliceSlice: where all bounds are known to be right.
func sliceSlice(b *ir.Builder, c *ir.Call, outer []ir.Value) ir.Value {
	g := b.Graph()
	var bounds [4]int64
	for i, v := range []ir.Value{outer[1], outer[2], c.Args[1], c.Args[2]} {
		x, ok := g.Const(v)
		if !ok || x.Ref != nil {
			return 0
		}
		bounds[i] = int64(x.Bits)
	}
	from, to := bounds[0]+bounds[2], bounds[0]+bounds[3]
	if bounds[2] < 0 || from > to || to > bounds[1] {
		return 0
	}
	return b.Op(Slice, outer[0], b.Index(from), b.Index(to))
}

func sortOne(b *ir.Builder, c *ir.Call) ir.Value {
	n, known := constLen(b.Graph(), c.Args[0])
	if !known || n != 1 || len(c.Args) > 1 {
		return 0
	}
	return BuildFor(b, b.Index(n), []Generator{{Kind: CollectKind, Types: []ir.Type{ir.Index}}}, nil, nil,
		func(i ir.Value) []ir.Value { return []ir.Value{i} })[0]
}

func compareSame(b *ir.Builder, c *ir.Call) ir.Value {
	if c.Args[0] != c.Args[1] {
		return 0
	}
	switch predicates[c.Ctx().AttrInfo(c.Get("predicate")).Int] {
	case "eq", "le", "ge":
		return arith.ConstBool(b, true)
	}
	return arith.ConstBool(b, false)
}
