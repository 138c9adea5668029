package systems

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// An Identity is a statement that a program has and equations need not: the elements of an
// array that reductions define begin with the identity of their operator.
type Identity struct {
	Name   string
	Array  *poly.ArrayDecl
	Domain presburger.Set // named as the statement
	Write  presburger.Map
	value  ir.Val
}

// identities are those of a system of equations: of each array the elements of its extent that
// are not set; where its reductions have several operators, those that each reduces.
func identities(sys *poly.System) (out []Identity) {
	for _, a := range sys.Arrays {
		byOp := map[poly.Operator]presburger.Set{}
		var order []poly.Operator
		var set presburger.Set
		for _, st := range sys.Statements {
			if st.Target != a {
				continue
			}
			d := unwind.Must(st.Domain.IntersectParams(sys.Context))
			d = unwind.Must(d.Apply(st.Write))
			if st.Operator == poly.Set {
				set = set.Union(d)
				continue
			}
			if _, ok := byOp[st.Operator]; !ok {
				order = append(order, st.Operator)
			}
			byOp[st.Operator] = byOp[st.Operator].Union(d)
		}
		for _, op := range order {
			where := byOp[op]
			// With one operator the whole extent begins, also where no update leads.
			if len(order) == 1 && a.HasExtent {
				where = unwind.Must(a.Extent.IntersectParams(sys.Context))
				where = unwind.Must(where.Subtract(set))
			}
			x := unwind.Must(NewIdentity(sys, a, op, where, len(order) > 1))
			out = append(out, x)
		}
	}
	return out
}

// NewIdentity is the statement that sets elements of an array to the identity of an operator. Its name
// has the operator where several reduce the array, and differs from those of all statements.
func NewIdentity(sys *poly.System, a *poly.ArrayDecl, op poly.Operator, where presburger.Set, several bool) (_ Identity, err error) {
	defer unwind.To(&err)
	x := Identity{Name: a.Name + "_begin", Array: a}
	if several {
		x.Name += "_" + string(op)
	}
	for sys.Statement(x.Name) != nil {
		x.Name += "_"
	}
	x.value = op.Identity(sys.Node.Graph().Ctx, a.Elem)
	same := poly.Renaming(a.Name, x.Name, a.Rank)
	where = unwind.Must(where.Coalesce())
	x.Domain = unwind.Must(where.Apply(same))
	x.Write = same.Inverse()
	return x, nil
}

// Build makes the statement.
func (i Identity) Build(m *ir.Mirror) ir.Value {
	value := m.B.Const(i.Array.Elem, i.value)
	return poly.NewStatement(m.B, i.Name, i.Domain, poly.Set, poly.NewAccess{Array: m.Of(i.Array.Node), Map: i.Write}, nil,
		func(_, _ []ir.Value) ir.Value { return value })
}
