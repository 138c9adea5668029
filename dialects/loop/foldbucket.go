package loop

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// Buckets that look for the same groups share one table.

// forSameKeys makes one bucket of two that are given tuples in the same places, with the same
// keys: it has the generators of both.
func forSameKeys(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	given := Split(g, list, g.Yields(c.Regions[0]))
	for j, y := range list {
		for i, x := range list[:j] {
			if x.Kind == BucketKind && y.Kind == BucketKind && slices.Equal(x.Types, y.Types) && sameKeys(g, given[i], given[j], len(x.Types)) {
				return oneBucket(b, c, list, i, j)
			}
		}
	}
	return 0
}

// sameKeys reports that two generators are given tuples in the same places, and in each place
// equal first values.
func sameKeys(g *ir.Graph, xs, ys []ir.Value, keys int) bool {
	switch {
	case EmitsIn(g, xs) != EmitsIn(g, ys):
		return false
	case !EmitsIn(g, xs):
		return slices.Equal(xs[:keys], ys[:keys])
	}
	n, i, _ := g.Projection(xs[0])
	m, j, _ := g.Projection(ys[0])
	if g.Def(n) != g.Def(m) {
		return false
	}
	part := func(x, y ir.Value) bool { return sameKeys(g, []ir.Value{x}, []ir.Value{y}, keys) }
	args, others := g.Args(n), g.Args(m)
	switch g.Def(n) {
	case None:
		return true
	case Emit:
		return slices.Equal(args[:keys], others[:keys])
	case Seq:
		return slices.EqualFunc(args, others, part)
	case arith.Select:
		return args[0] == others[0] && part(args[1], others[1]) && part(args[2], others[2])
	case scf.If:
		if args[0] != others[0] || !Known(g, xs[0]) || !Known(g, ys[0]) {
			return false
		}
		rs, qs := g.Regions(n), g.Regions(m)
		return part(g.Yields(rs[0])[i], g.Yields(qs[0])[j]) && part(g.Yields(rs[1])[i], g.Yields(qs[1])[j])
	case For:
		if n != m || !Known(g, xs[0]) || !Known(g, ys[0]) {
			return false
		}
		given, _ := emitter(g, n, i)
		other, _ := emitter(g, n, j)
		return sameKeys(g, given, other, keys)
	}
	return false
}

// oneBucket makes the loop again with the generators of bucket j in bucket i.
func oneBucket(b *ir.Builder, c *ir.Call, list []Generator, i, j int) ir.Value {
	g := b.Graph()
	keys := len(list[i].Types)
	both := list[i]
	both.Inner = slices.Concat(list[i].Inner, list[j].Inner)
	parts := partsOf(b, c, list)
	order := slices.Insert(slices.Delete(upTo(len(list)), j, j+1), i+1, j) // that of regions
	var out []Generator
	var all generatorPart
	for _, k := range order {
		switch k {
		case i:
			out = append(out, both)
		case j:
		default:
			out = append(out, list[k])
		}
		all.ids, all.combine = append(all.ids, parts[k].ids...), append(all.combine, parts[k].combine...)
	}
	made := BuildFor(b, c.Args[0], out, all.ids, all.combine, func(iv ir.Value) (ys []ir.Value) {
		given := Split(g, list, b.Splice(c.Regions[0], []ir.Value{iv}))
		for k := range list {
			switch k {
			case i:
				ys = append(ys, joined(b, given[i], given[j], keys)...)
			case j:
			default:
				ys = append(ys, given[k]...)
			}
		}
		return ys
	})
	replaced := results(c)
	at := 0
	for k, x := range list {
		n := len(x.Results(c.Ctx()))
		switch k {
		case i:
			copy(replaced[parts[i].first:], made[at:at+n])
			replaced[parts[j].first] = made[at] // the groups
			more := len(list[j].Results(c.Ctx())) - 1
			copy(replaced[parts[j].first+1:], made[at+n:at+n+more])
			at += n + more
		case j:
		default:
			copy(replaced[parts[k].first:], made[at:at+n])
			at += n
		}
	}
	return b.Pack(replaced...)
}

// generatorPart is what a loop has of a generator: the identities, what combines two, and its first result.
type generatorPart struct {
	ids     []ir.Value
	combine []func(xy []ir.Value) []ir.Value
	first   int
}

// partsOf are those of the generators of a loop.
func partsOf(b *ir.Builder, c *ir.Call, list []Generator) (parts []generatorPart) {
	eachGenerator(c, list, func(x Generator, _ []ir.Value, id, region, result int) {
		p := generatorPart{first: result}
		for _, r := range Regional([]Generator{x}) {
			of := c.Regions[region]
			p.ids = append(p.ids, c.Args[id:id+len(r.Types)]...)
			p.combine = append(p.combine, func(xy []ir.Value) []ir.Value { return b.Splice(of, xy) })
			id, region = id+len(r.Types), region+1
		}
		parts = append(parts, p)
	})
	return parts
}

// joined is what two generators are given, as sameKeys has found, as one: after the tuple of one the
// other's, without its keys.
func joined(b *ir.Builder, xs, ys []ir.Value, keys int) []ir.Value {
	g := b.Graph()
	if !EmitsIn(g, xs) {
		return slices.Concat(xs, ys[keys:])
	}
	n, i, _ := g.Projection(xs[0])
	m, j, _ := g.Projection(ys[0])
	part := func(x, y ir.Value) []ir.Value { return joined(b, []ir.Value{x}, []ir.Value{y}, keys) }
	either := func(branch func(k int) []ir.Value) []ir.Value {
		return []ir.Value{scf.BuildIf(b, g.Args(n)[0], func() []ir.Value { return branch(0) }, func() []ir.Value { return branch(1) })}
	}
	t := EmitOf(b.Ctx(), slices.Concat(tupleTypes(g, xs[0]), tupleTypes(g, ys[0])[keys:])...)
	switch g.Def(n) {
	case None:
		return nones(b, []ir.Type{t})
	case Emit:
		return []ir.Value{b.Op(Emit, slices.Concat(g.Args(n), g.Args(m)[keys:])...)}
	case Seq:
		var parts []ir.Value
		for k, x := range g.Args(n) {
			parts = append(parts, part(x, g.Args(m)[k])...)
		}
		return []ir.Value{b.Must(ir.Call{Def: Seq, Args: parts, Type: t})}
	case arith.Select:
		return either(func(k int) []ir.Value { return part(g.Args(n)[1+k], g.Args(m)[1+k]) })
	case scf.If:
		return either(func(k int) []ir.Value {
			x := b.Splice(g.Regions(n)[k], nil)
			if n == m {
				return part(x[i], x[j])
			}
			return part(x[i], b.Splice(g.Regions(m)[k], nil)[j])
		})
	case For:
		list := Generators(g.NodeOf(n))
		k, _ := GeneratorOf(g, n, i)
		l, _ := GeneratorOf(g, n, j)
		emit := Generator{Kind: EmitKind}
		emit.Types, _ = TupleOf(b.Ctx(), t)
		return BuildFor(b, g.Args(n)[0], []Generator{emit}, nil, nil, func(iv ir.Value) []ir.Value {
			given := Split(g, list, b.Splice(g.Regions(n)[0], []ir.Value{iv}))
			return joined(b, given[k], given[l], keys)
		})
	}
	panic("loop: " + g.Name(n) + " emits nothing that is known: ask sameKeys first")
}

func tupleTypes(g *ir.Graph, e ir.Value) []ir.Type {
	ts, _ := TupleOf(g.Ctx, g.Type(e))
	return ts
}

// forSameInGroups finds generators of a bucket's groups that are alike and given the same.
func forSameInGroups(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	same := map[int]int{}
	eachGenerator(c, list, func(x Generator, given []ir.Value, _, _, result int) {
		if x.Kind == BucketKind && (!EmitsIn(g, given) || Known(g, given[0])) {
			sameInner(g, x, tuplesIn(g, given), len(x.Types), result+1, same)
		}
	})
	return withoutCopies(b, c, list, same)
}

// sameInner looks at the generators in a bucket, of which the first takes the values of the
// tuples from slot on and makes the results from result on.
func sameInner(g *ir.Graph, bucket Generator, tuples [][]ir.Value, slot, result int, same map[int]int) {
	type made struct {
		x            Generator
		slot, result int
	}
	var before []made
	for _, x := range bucket.Inner {
		n := len(x.Tuple())
		alike := slices.IndexFunc(before, func(y made) bool {
			return y.x.MakesSame(g.Ctx, x) && !slices.ContainsFunc(tuples, func(t []ir.Value) bool {
				return !slices.Equal(t[slot:slot+n], t[y.slot:y.slot+n])
			})
		})
		if alike >= 0 {
			for k := range x.Results(g.Ctx) {
				same[result+k] = before[alike].result + k
			}
		} else {
			before = append(before, made{x, slot, result})
			if x.Kind == BucketKind {
				sameInner(g, x, tuples, slot+len(x.Types), result+1, same)
			}
		}
		slot, result = slot+n, result+len(x.Results(g.Ctx))
	}
}

// tuplesIn lists the tuples in the text of what is given, which is known.
func tuplesIn(g *ir.Graph, given []ir.Value) (out [][]ir.Value) {
	if !EmitsIn(g, given) {
		return [][]ir.Value{given}
	}
	n, i, _ := g.Projection(given[0])
	in := func(e ir.Value) { out = append(out, tuplesIn(g, []ir.Value{e})...) }
	switch g.Def(n) {
	case Emit:
		return [][]ir.Value{g.Args(n)}
	case Seq:
		for _, p := range g.Args(n) {
			in(p)
		}
	case arith.Select:
		in(g.Args(n)[1])
		in(g.Args(n)[2])
	case scf.If:
		for _, r := range g.Regions(n) {
			in(g.Yields(r)[i])
		}
	case For:
		given, _ := emitter(g, n, i)
		return tuplesIn(g, given)
	}
	return out
}
