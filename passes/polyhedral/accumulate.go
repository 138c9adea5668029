package polyhedral

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// An accumulation is a nest of loops whose rounds update one element.
type accumulation struct {
	loops []*codegen.For // the outermost first
	user  *codegen.User
	st    *poly.Stmt
}

// accumulation finds the nest that a loop begins of loops that hold nothing but one another and
// an instance, with bounds that do not depend on one another, if the instance is of a reduction
// and all rounds update one element, which nothing in them reads: then the loops carry the
// element, and memory has it before and after.
func (e *emitter) accumulation(x *codegen.For) *accumulation {
	a := &accumulation{}
	for a.user == nil {
		// Independent bounds let accumulate compute all of them before the nest, under one condition.
		for _, outer := range a.loops {
			if depends(x, outer.Iterator) {
				return nil
			}
		}
		a.loops = append(a.loops, x)
		// A second node in the body could access the element between two updates.
		if len(x.Body.Nodes) != 1 || len(x.Upper) == 0 {
			return nil
		}
		switch n := x.Body.Nodes[0].(type) {
		case *codegen.For:
			x = n
		case *codegen.User:
			a.user = n
		default:
			return nil
		}
	}
	if a.st = e.reduction(a.user, a.loops); a.st == nil {
		return nil
	}
	return a
}

// depends reports bounds that have a name in them.
func depends(x *codegen.For, name string) bool {
	uses := func(e codegen.Expr) bool { return mentions(e, name) }
	return slices.ContainsFunc(x.Lower, uses) || slices.ContainsFunc(x.Upper, uses)
}

// reduction is the statement of an instance, if that is a reduction that does not read its target,
// and whose element is the same in all rounds of some loops; else nil.
func (e *emitter) reduction(u *codegen.User, loops []*codegen.For) *poly.Stmt {
	st := e.sys.Statement(u.Statement)
	if st == nil || st.Operator == poly.Set || st.Keyed {
		return nil
	}
	// A body that reads its target would see the element in memory, which is stale while the loops carry
	// it.
	for _, r := range st.Reads {
		if r.Array == st.Target {
			return nil
		}
	}
	for _, g := range st.Gathers {
		if g == st.Target {
			return nil
		}
	}
	m, err := e.kept(st.Target, st.Write)
	if err != nil {
		return nil
	}
	f, err := e.ImageOf(m, st.Domain)
	if err != nil {
		return nil
	}
	index, ok := f.One()
	if !ok {
		return nil
	}
	// The index may use a coordinate only if no loop of the nest changes it. A row has the constant, the
	// parameters, then the coordinates; each floor has a row of its own.
	for i := range index.Len() {
		row, _, divs := index.At(i).Floors()
		params := len(index.At(i).Params())
		for d, a := range u.Args {
			used := row[1+params+d].Sign() != 0
			for _, v := range divs {
				used = used || v.Num[1+params+d].Sign() != 0
			}
			if used && slices.ContainsFunc(loops, func(x *codegen.For) bool { return mentions(a, x.Iterator) }) {
				return nil
			}
		}
	}
	return st
}

// mentions reports an expression that has a name in it.
func mentions(e codegen.Expr, name string) bool {
	switch e := e.(type) {
	case codegen.Name:
		return string(e) == name
	case *codegen.Op:
		for _, a := range e.Args {
			if mentions(a, name) {
				return true
			}
		}
	}
	return false
}

// accumulate makes such a nest, under a condition: where it has no round, the element need not
// be there.
func (e *emitter) accumulate(a *accumulation, at systems.Names) {
	bounds := make([][2]ir.Value, len(a.loops))
	// The bounds are independent, so the nest has a round exactly if each of its loops has one.
	some := arith.ConstBool(e.B, true)
	for i, x := range a.loops {
		lower, end := e.bounds(x, at)
		bounds[i] = [2]ir.Value{lower, end}
		some = e.B.Op(arith.Andi, some, arith.CmpI(e.B, arith.SLT, lower, end))
	}
	scf.BuildIf(e.B, some, func() []ir.Value {
		// The element is the same in all rounds, so the first round of each loop gives its index.
		for i, x := range a.loops {
			at[x.Iterator] = bounds[i][0] // of what does not depend on it
		}
		index, err := e.Element(a.st.Target, a.st.Write, a.st.Domain, e.coordinates(a.user, at))
		for _, x := range a.loops {
			delete(at, x.Iterator)
		}
		if err != nil {
			e.reason = err
			return nil
		}
		var nest func(i int, so ir.Value) ir.Value
		nest = func(i int, so ir.Value) ir.Value {
			if i == len(a.loops) {
				return combine(e.B, a.st, so, e.yields(a.st, e.coordinates(a.user, at))[0])
			}
			x := a.loops[i]
			sum := scf.BuildForWith(e.B, e.hint(x), bounds[i][0], bounds[i][1], e.B.Index(x.Stride), []ir.Value{so}, func(iv ir.Value, carried []ir.Value) []ir.Value {
				at[x.Iterator] = iv
				out := nest(i+1, carried[0])
				delete(at, x.Iterator)
				return []ir.Value{out}
			})
			return e.B.Result(sum, 0)
		}
		e.put(a.st, nest(0, e.get(systems.Written(a.st), index)), index)
		return nil
	}, nil)
}

// combine makes what an update leaves of what was there and a value.
// A statement that sets has no operator, and leaves the value.
func combine(b *ir.Builder, st *poly.Stmt, old, v ir.Value) ir.Value {
	by, ok := st.Operator.Combine()
	if !ok {
		return v
	}
	g := loop.Generator{Kind: loop.ReduceKind, By: by, Reassoc: true, Types: []ir.Type{st.Target.Elem}}
	return g.CombineNamed(b, []ir.Value{old}, []ir.Value{v})[0]
}
