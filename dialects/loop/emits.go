package loop

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Bind puts f(x) in the place of each tuple x that a sequence emits: E[x <- v] becomes
// E[f(v)], whatever the context E is. f makes as many sequences as outs has types, of these
// types; they are what Bind returns. The sequence is open: its value is in scope. (LMS, "Loop
// Fusion and Deforestation": the vertical case.)
func Bind(b *ir.Builder, e ir.Value, outs []ir.Type, f func(tuple []ir.Value) []ir.Value) []ir.Value {
	g := b.Graph()
	n, i, _ := g.Projection(e)
	switch g.Def(n) {
	case Emit:
		return f(g.Args(n))
	case None:
		return nones(b, outs)
	case Seq:
		return bindSeq(b, g.Args(n), outs, f)
	case arith.Select:
		args := g.Args(n)
		return choose(b, args[0], len(outs), func(k int) []ir.Value { return Bind(b, args[1+k], outs, f) })
	case scf.If:
		rs := g.Regions(n)
		return choose(b, g.Args(n)[0], len(outs), func(k int) []ir.Value { return Bind(b, b.Splice(rs[k], nil)[i], outs, f) })
	case For:
		return bindFor(b, n, i, outs, f)
	}
	panic("loop: " + g.Name(n) + " emits nothing that is known: ask Known first")
}

// Known reports a sequence all of whose tuples can be seen: Bind takes it.
func Known(g *ir.Graph, e ir.Value) bool {
	n, i, _ := g.Projection(e)
	switch g.Def(n) {
	case Emit, None:
		return true
	case Seq:
		return lists.All(g.Args(n), func(p ir.Value) bool { return Known(g, p) })
	case arith.Select:
		return Known(g, g.Args(n)[1]) && Known(g, g.Args(n)[2])
	case scf.If:
		for _, r := range g.Regions(n) {
			if !g.HasBlock(r) || !Quiet(g, r) || !Known(g, g.Yields(r)[i]) {
				return false
			}
		}
		return true
	case For:
		r := g.Regions(n)[0]
		given, _ := emitter(g, n, i)
		return Quiet(g, r) && (!EmitsIn(g, given) || Known(g, given[0]))
	}
	return false
}

// AtMostOne reports a sequence that is known and has no tuple or one.
func AtMostOne(g *ir.Graph, e ir.Value) bool {
	n, i, _ := g.Projection(e)
	switch g.Def(n) {
	case Emit, None:
		return true
	case arith.Select:
		return AtMostOne(g, g.Args(n)[1]) && AtMostOne(g, g.Args(n)[2])
	case scf.If:
		for _, r := range g.Regions(n) {
			if !g.HasBlock(r) || !Quiet(g, r) || !AtMostOne(g, g.Yields(r)[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// OrIdentity is the tuple of a sequence with at most one; of none, the identity of a named
// reduce, which changes nothing.
func (g Generator) OrIdentity(b *ir.Builder, e ir.Value) []ir.Value {
	graph := b.Graph()
	n, i, _ := graph.Projection(e)
	switch graph.Def(n) {
	case Emit:
		return graph.Args(n)
	case None:
		return g.identity(b, nil)
	case arith.Select:
		x, y := g.OrIdentity(b, graph.Args(n)[1]), g.OrIdentity(b, graph.Args(n)[2])
		out := make([]ir.Value, len(x))
		for k := range x {
			out[k] = arith.Choose(b, graph.Args(n)[0], x[k], y[k])
		}
		return out
	case scf.If:
		branch := func(k int) []ir.Value { return g.OrIdentity(b, b.Splice(graph.Regions(n)[k], nil)[i]) }
		return choose(b, graph.Args(n)[0], len(g.Types), branch)
	}
	panic("loop: " + graph.Name(n) + " may emit more than one tuple: ask AtMostOne first")
}

// Quiet reports a region that may be made again: it writes nothing.
func Quiet(g *ir.Graph, r ir.Region) bool {
	return lists.All(g.EffectsOf(r), func(e ir.Effect) bool { return !e.Writes() })
}

// emitter finds what the body of an inner loop gives to the generator whose result is i.
func emitter(g *ir.Graph, n ir.Value, i int) (given []ir.Value, types []ir.Type) {
	list := Generators(g.NodeOf(n))
	k, _ := GeneratorOf(g, n, i)
	return Split(g, list, g.Yields(g.Regions(n)[0]))[k], list[k].Types
}

// EmitsIn reports a sequence, in the place of the values of one tuple.
func EmitsIn(g *ir.Graph, given []ir.Value) bool { return IsEmit(g.Ctx, g.Type(given[0])) }

func nones(b *ir.Builder, outs []ir.Type) []ir.Value {
	return lists.Map(outs, func(t ir.Type) ir.Value { return b.Must(ir.Call{Def: None, Type: t}) })
}

func bindSeq(b *ir.Builder, parts []ir.Value, outs []ir.Type, f func([]ir.Value) []ir.Value) []ir.Value {
	seqs := make([][]ir.Value, len(outs))
	for _, p := range parts {
		for k, v := range Bind(b, p, outs, f) {
			seqs[k] = append(seqs[k], v)
		}
	}
	out := make([]ir.Value, len(outs))
	for k, t := range outs {
		out[k] = b.Must(ir.Call{Def: Seq, Args: seqs[k], Type: t})
	}
	return out
}

// choose is an if that gives n values.
func choose(b *ir.Builder, cond ir.Value, n int, branch func(k int) []ir.Value) []ir.Value {
	return resultsOf(b, scf.BuildIf(b, cond, func() []ir.Value { return branch(0) }, func() []ir.Value { return branch(1) }), n)
}

// resultsOf lists the n results of an op that was just made.
func resultsOf(b *ir.Builder, v ir.Value, n int) []ir.Value {
	out := make([]ir.Value, n)
	for k := range out {
		out[k] = b.Result(v, k)
	}
	return out
}

func bindFor(b *ir.Builder, n ir.Value, i int, outs []ir.Type, f func([]ir.Value) []ir.Value) []ir.Value {
	g := b.Graph()
	_, types := emitter(g, n, i)
	list := make([]Generator, len(outs))
	for k, t := range outs {
		list[k].Kind = EmitKind
		list[k].Types, _ = TupleOf(g.Ctx, t)
	}
	all := Generators(g.NodeOf(n))
	return BuildFor(b, g.Args(n)[0], list, nil, nil, func(iv ir.Value) []ir.Value {
		ys := b.Splice(g.Regions(n)[0], []ir.Value{iv})
		k, _ := GeneratorOf(g, n, i)
		given := Split(g, all, ys)[k]
		if !EmitsIn(g, given) {
			return f(given[:len(types)])
		}
		return Bind(b, given[0], outs, f)
	})
}
