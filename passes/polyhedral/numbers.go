package polyhedral

import (
	"errors"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
)

// numbers makes index arithmetic of expressions and of the rows of sets.
type numbers struct {
	b      *ir.Builder
	params map[string]ir.Value
}

// names are parameters and iterators.
type names map[string]ir.Value

func (n *numbers) sub(x, y ir.Value) ir.Value { return arith.SubI(n.b, x, y) }

// expr makes an expression of generated code.
func (n *numbers) expr(e codegen.Expr, at names) ir.Value {
	b := n.b
	switch e := e.(type) {
	case codegen.Int:
		return b.Index(int64(e))
	case codegen.Name:
		return at[string(e)]
	}
	op := e.(*codegen.Op)
	args := make([]ir.Value, len(op.Args))
	for i, x := range op.Args {
		args[i] = n.expr(x, at)
	}
	switch op.Operator {
	case codegen.Sub:
		return n.sub(args[0], args[1])
	case codegen.FloorDiv:
		return b.Op(arith.Floordivsi, args...)
	case codegen.Mod:
		return n.sub(args[0], arith.MulI(b, b.Op(arith.Floordivsi, args...), args[1]))
	case codegen.Select:
		return arith.Choose(b, args[0], args[1], args[2])
	case codegen.Eq:
		return arith.CmpI(b, arith.EQ, args[0], args[1])
	case codegen.Ge:
		return arith.CmpI(b, arith.SGE, args[0], args[1])
	case codegen.Le:
		return arith.CmpI(b, arith.SLE, args[0], args[1])
	}
	out := args[0]
	for _, x := range args[1:] {
		switch op.Operator {
		case codegen.Add:
			out = arith.AddI(b, out, x)
		case codegen.Mul:
			out = arith.MulI(b, out, x)
		default:
			out = b.Op(folded[op.Operator], out, x)
		}
	}
	return out
}

// folded are the operators of two or more arguments.
var folded = map[codegen.Operator]*ir.OpDef{codegen.Min: arith.Minsi, codegen.Max: arith.Maxsi, codegen.And: arith.Andi, codegen.Or: arith.Ori}

// errUnknown is of relations whose values are not floors of their coordinates.
var errUnknown = errors.New("an access is no quasi-affine function of the coordinates")

// row makes the value of a row: a constant, coefficients of the parameters, of some
// dimensions with values, and of divs.
func (n *numbers) row(c presburger.Basic, r []presburger.Int, dims []ir.Value) (ir.Value, error) {
	b := n.b
	k, ok := r[0].Int64()
	if !ok {
		return 0, errUnknown
	}
	out := b.Index(k)
	add := func(k presburger.Int, v func() (ir.Value, error)) error {
		if k.Sign() == 0 {
			return nil
		}
		x, ok := k.Int64()
		if !ok {
			return errUnknown
		}
		y, err := v()
		if err == nil {
			out = arith.AddI(b, out, arith.MulI(b, y, b.Index(x)))
		}
		return err
	}
	at := 1
	for _, p := range c.Params {
		if err := add(r[at], func() (ir.Value, error) { return n.params[p], nil }); err != nil {
			return 0, err
		}
		at++
	}
	for _, v := range dims {
		if err := add(r[at], func() (ir.Value, error) {
			if v == 0 {
				return 0, errUnknown
			}
			return v, nil
		}); err != nil {
			return 0, err
		}
		at++
	}
	for i, d := range c.Divs {
		if at+i >= len(r) {
			break
		}
		if err := add(r[at+i], func() (ir.Value, error) {
			den, ok := d.Den.Int64()
			if !ok || den <= 0 {
				return 0, errUnknown
			}
			num, err := n.row(c, d.Num, dims)
			return n.b.Op(arith.Floordivsi, num, n.b.Index(den)), err
		}); err != nil {
			return 0, err
		}
	}
	return out, nil
}

// condition makes a truth value of whether coordinates are in a set.
func (n *numbers) condition(s presburger.Set, at []ir.Value) (ir.Value, error) {
	b := n.b
	any := arith.ConstBool(b, false)
	for _, c := range s.Basics() {
		all := arith.ConstBool(b, true)
		for i, rows := range [][][]presburger.Int{c.Eq, c.Ge} {
			for _, r := range rows {
				v, err := n.row(c, r, at)
				if err != nil {
					return 0, err
				}
				all = b.Op(arith.Andi, all, arith.CmpI(b, []arith.CmpIPredicate{arith.EQ, arith.SGE}[i], v, b.Index(0)))
			}
		}
		any = b.Op(arith.Ori, any, all)
	}
	return any, nil
}

// image makes the coordinates to which a single-valued relation leads, of which no two
// pieces overlap, and says where it leads anywhere, 0 for everywhere in the domain.
func (n *numbers) image(m presburger.Map, domain presburger.Set, at []ir.Value) (out []ir.Value, where ir.Value, err error) {
	f, err := m.AsPwMultiAff()
	if err != nil {
		return nil, 0, err
	}
	if whole, err := domain.IsSubset(m.Domain()); err != nil {
		return nil, 0, err
	} else if !whole {
		known, err := f.Domain().Gist(domain)
		if err != nil {
			return nil, 0, err
		}
		if where, err = n.condition(known, at); err != nil {
			return nil, 0, err
		}
	}
	for set, piece := range f.Pieces() {
		values, err := n.piece(piece, at)
		if err != nil {
			return nil, 0, err
		}
		if out == nil {
			out = values
			continue
		}
		if set, err = set.Gist(domain); err != nil {
			return nil, 0, err
		}
		here, err := n.condition(set, at)
		if err != nil {
			return nil, 0, err
		}
		for i := range out {
			out[i] = arith.Choose(n.b, here, values[i], out[i])
		}
	}
	if out == nil {
		_, to := m.Tuples()
		out = make([]ir.Value, to.Len())
		for i := range out {
			out[i] = n.b.Index(0)
		}
	}
	return out, where, nil
}

// piece makes the values of a tuple of quasi-affine functions.
func (n *numbers) piece(a presburger.MultiAff, at []ir.Value) ([]ir.Value, error) {
	out := make([]ir.Value, a.Len())
	for i := range out {
		f := a.At(i)
		row, den, divs := f.Floors()
		v, err := n.row(presburger.Basic{Params: f.Params(), Divs: divs}, row, at)
		if err != nil {
			return nil, err
		}
		d, ok := den.Int64()
		if !ok {
			return nil, errUnknown
		}
		if d != 1 { // values are integers, so this is exact
			v = n.b.Op(arith.Floordivsi, v, n.b.Index(d))
		}
		out[i] = v
	}
	return out, nil
}
