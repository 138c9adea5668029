package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// tangentOf is the function that gives derivatives of equations in forward mode: each statement has one beside it, for
// the tangent of what it defines.
func (e *equations) tangentOf(f ir.Node) (_ ir.Call, failed error) {
	defer unwind.To(&failed)
	b, attr := e.onward(f, 1, true)
	results, err := e.built(b, e.onwardSystem)
	if err != nil {
		return ir.Call{}, err
	}
	return finished(b, attr, results), nil
}

// onwardSystem is the system with the tangents of its equations.
func (e *equations) onwardSystem(m *ir.Mirror, n ir.Node) ir.Value {
	e.m = m
	if e.refuses() {
		return n.Old()
	}
	return e.extended(m, n, func() {
		for _, a := range e.sys.Arrays {
			e.newTangent(a)
		}
		for _, st := range e.sys.Statements {
			if e.active[st.Target] && e.err == nil {
				e.fail(e.onwardStatement(st))
			}
		}
		e.zeroRest(func(a *poly.ArrayDecl) bool { return a.Role != poly.Input && e.adjoints[a] != 0 })
	})
}

// newTangent is the array of the tangents of one: the argument that is given, or one of the system alone. Outputs have theirs, too, where
// they do not vary.
func (e *equations) newTangent(a *poly.ArrayDecl) {
	k, isArgument := e.argument(a)
	given := isArgument && slices.Contains(e.shadows, k)
	if !e.active[a] && !(given && a.Role == poly.Output) {
		return
	}
	name := e.name(a.Name + "_tangent")
	extent := renamed(a.Extent, name)
	switch {
	case given:
		e.adjoints[a] = poly.NewBind(e.b, e.shadowOf(k), a.Role, name, extent, false)
	default:
		e.adjoints[a] = poly.NewLocal(e.b, name, extent, a.Elem)
	}
}

// onwardStatement makes the statement for the tangents of what one defines: each read gives its tangent, times how the value changes
// with it.
func (e *equations) onwardStatement(st *poly.Stmt) error {
	x, extra, err := e.newInstance(st)
	if err != nil {
		return err
	}
	var more []typed
	var params []int
	var whole []bool // reads of all instances: others have no tangent where they are not
	for k, r := range st.Reads {
		if e.active[r.Array] {
			whole = append(whole, unwind.Must(st.Domain.IsSubset(r.Map.Domain())))
			more, params = append(more, typed{poly.NewAccess{Array: e.adjoints[r.Array], Map: r.Map}, r.Array.Elem}), append(params, x.dims()+k)
		}
	}
	n := len(more)
	op := poly.Add
	if st.Operator == poly.Set {
		op = poly.Set
	}
	name := e.name(st.Name + "_tangent")
	to := poly.NewAccess{Array: e.adjoints[st.Target], Map: x.from(st.Write, name, nameOf(e.b, e.adjoints[st.Target]))}
	var gathered []ir.Value
	var at []int
	for i, read := range x.ats {
		if a := x.arrayOf(read); e.active[a] {
			gathered, at = append(gathered, e.adjoints[a]), append(at, i)
		}
	}
	return x.newStatement(name, st.Domain, op, to, append(more, extra...), gathered, func(d *made) []ir.Value {
		b := d.b
		partial := x.partials(d, arith.ConstFloat(b, st.Target.Elem, 1))
		sum := arith.Zero(b, st.Target.Elem)
		add := func(param int, tangent ir.Value, isWhole bool) {
			z := partial(param)
			if z == 0 {
				return
			}
			term := arith.Float(b, arith.Mulf, real, z, tangent)
			if zero := arith.Zero(b, st.Target.Elem); !isWhole {
				term = arith.Choose(b, arith.CmpF(b, arith.OEQ, z, zero), zero, term)
			}
			sum = arith.Float(b, arith.Addf, real, sum, term)
		}
		for i, param := range params {
			add(param, d.extra[i], whole[i])
		}
		for k, i := range at {
			add(x.firstAt()+i, b.Op(poly.At, append([]ir.Value{d.gathered[k]}, d.indices[x.ats[i]]...)...), true)
		}
		d.extra = append([]ir.Value{0}, d.extra[n:]...) // where those of reverse mode are
		if scale := x.scale(d); scale != nil {
			sum = scale(sum)
		}
		return []ir.Value{sum}
	})
}
