package lms

import "github.com/irc-lang/irc/ir"

// Something that changes, a variable or a mutable array, must not refer to a mutable
// array, nor to an array that leads to one: it would have a second owner, and reads of
// one would have to know of writes to the other. LMS calls that illegal sharing.
//
// What a value may be is told by the ops that made it, not by the state of a builder:
// the rule is the same for text that is kept as it is written, and for a verifier.

// owners are what a value may be: a mutable array, or one that leads to some.
type owners struct{ mutable, within bool }

type ownersOf struct {
	g     *ir.Graph
	calls ir.Calls
	known map[ir.Value]owners
}

// of follows the four relations of ir.Refs. What a loop carries, and what comes from
// outside of the function or from a call, may be anything.
func (w *ownersOf) of(v ir.Value) (r owners) {
	g := w.g
	if t := g.Type(v); t != ArrType(g.Ctx) && t != ArrsType(g.Ctx) {
		return r
	}
	if r, ok := w.known[v]; ok {
		return r
	}
	n, i, _ := g.Projection(v)
	switch def := g.Def(n); {
	case def.Body == ir.Branch && len(g.Regions(n)) > 0:
		for _, in := range g.Regions(n) {
			r = r.or(w.of(g.Yields(in)[i]))
		}
	case def.Refs != nil:
		refs := def.Refs(w.calls.Of(n))
		for _, x := range refs.Alias {
			r = r.or(w.of(x))
		}
		for _, x := range refs.Contain {
			o := w.of(x)
			r.within = r.within || o.mutable || o.within
		}
		for _, x := range refs.Extract {
			o := w.of(x)
			r = r.or(owners{o.within, o.within})
		}
		for _, x := range refs.Copy {
			r.within = r.within || w.of(x).within
		}
		r.mutable = r.mutable || def.Has(ir.Unique)
	default:
		r = owners{true, true}
	}
	w.known[v] = r
	return r
}

func (r owners) or(s owners) owners { return owners{r.mutable || s.mutable, r.within || s.within} }

func ownersAt(c *ir.Call, i int) owners {
	g := c.Graph()
	return (&ownersOf{g, ir.CallsOf(g), map[ir.Value]owners{}}).of(c.Args[i])
}

// unshared refuses to let an owner, as it is called in the message, refer to operand i.
func unshared(c *ir.Call, i int, owner string) error {
	switch o := ownersAt(c, i); {
	case o.mutable:
		return c.Errorf("illegal sharing: %s may not refer to a mutable array; use lms.clone", owner)
	case o.within:
		return c.Errorf("illegal sharing: %s may not refer to an array of mutable arrays; make it of their copies, by lms.clone", owner)
	}
	return nil
}
