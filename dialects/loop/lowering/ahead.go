package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// A group that is in no cache is waited for in each round of a loop, unless it was asked for
// some rounds before. That is done where the keys of a later round are known without a run of
// the body: where all of them are elements of arrays at the loop's index.

// roundsAhead is how many rounds before its own a group is asked for.
const roundsAhead = 16

// ahead asks for the groups of keys of later rounds.
type ahead struct {
	s    *bucketer
	keys []view   // the arrays whose elements they are
	end  ir.Value // the first round that does not ask, roundsAhead before one that has no keys
}

// lookAhead lists what can be asked for in a loop of a size.
func (d down) lookAhead(n ir.Node, size ir.Value, items []item) (out []ahead) {
	for _, it := range items {
		s, ok := it.s.(*bucketer)
		if !ok || !s.tab.CanPrefetch() {
			continue
		}
		a := ahead{s: s, end: size}
		for _, v := range keysGiven(n.Graph(), it.given, len(s.types)) {
			if x, ok := d.elementsRead(n, v); ok {
				a.keys = append(a.keys, x)
			}
		}
		if len(a.keys) != len(s.types) {
			continue
		}
		k := d.kit()
		for _, x := range a.keys {
			a.end = k.Min(a.end, x.n)
		}
		a.end = k.Sub(a.end, k.Index(roundsAhead))
		out = append(out, a)
	}
	return out
}

// ask asks in round i.
func (a ahead) ask(d down, i ir.Value) {
	k := d.kit()
	k.IfOnly(k.And(k.Less(i, a.end), a.s.tab.PrefetchPays(d.B)), func() {
		later := k.Add(i, k.Index(roundsAhead))
		var keys []ir.Value
		for _, x := range a.keys {
			keys = append(keys, d.element(x, later))
		}
		a.s.tab.Prefetch(d.B, d.keyValues(a.s.types, keys))
	})
}

// keysGiven are the first values of a tuple that a loop gives, or may give; nil if there is
// more than one.
func keysGiven(g *ir.Graph, given []ir.Value, n int) []ir.Value {
	if !loop.EmitsIn(g, given) {
		return given[:n]
	}
	v, i, _ := g.Projection(given[0])
	switch g.Def(v) {
	case loop.Emit:
		return g.Args(v)[:n]
	case scf.If:
		var keys []ir.Value
		for _, r := range g.Regions(v) {
			if y := g.Yields(r)[i]; g.Def(y) != loop.None {
				if keys != nil {
					return nil
				}
				keys = keysGiven(g, []ir.Value{y}, n)
			}
		}
		return keys
	}
	return nil
}

// elementsRead is the array, from outside of a loop, whose element at the loop's index a value
// is, or a field of that.
func (d down) elementsRead(n ir.Node, v ir.Value) (view, bool) {
	g, s := n.Graph(), d.Schedule()
	var path []string
	for ; g.Def(v) == loop.Field; v = g.Args(v)[0] {
		path = append(path, g.Ctx.AttrInfo(g.Attr(v, "name")).Str)
	}
	body := n.Region(0).Old()
	if g.Def(v) != loop.At || g.Args(v)[1] != g.Params(body)[0] || s.Depth(s.Place(g.Args(v)[0])) >= s.Depth(body) {
		return view{}, false
	}
	x := d.view(d.Of(g.NodeOf(g.Args(v)[0])))
	for _, name := range slices.Backward(path) {
		x = fieldOf(d.B.Ctx(), x, name)
	}
	return x, true
}

// fieldOf is the array of a field of structs.
func fieldOf(c *ir.Context, x view, name string) view {
	fields, _ := loop.Fields(c, x.elem)
	parts := x.parts
	for _, f := range fields {
		n := len(loop.PartsOfArray(c, f.Type))
		if f.Name == name {
			x.elem, x.parts = f.Type, parts[:n]
			return x
		}
		parts = parts[n:]
	}
	panic("loop: no field " + name) // Field has checked it
}
