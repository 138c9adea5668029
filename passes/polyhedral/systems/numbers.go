package systems

import (
	"errors"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// Numbers makes index arithmetic of expressions and of the rows of sets.
type Numbers struct {
	B      *ir.Builder
	Params map[string]ir.Value
	images map[presburger.Map]*Image
}

// Names are parameters and iterators.
type Names map[string]ir.Value

// Expr makes an expression of generated code.
func (n *Numbers) Expr(e codegen.Expr, at Names) ir.Value {
	b := n.B
	switch e := e.(type) {
	case codegen.Int:
		return b.Index(int64(e))
	case codegen.Name:
		return at[string(e)]
	}
	op := e.(*codegen.Op)
	args := lists.Map(op.Args, func(x codegen.Expr) ir.Value { return n.Expr(x, at) })
	switch op.Operator {
	case codegen.Sub:
		return arith.SubI(b, args[0], args[1])
	case codegen.FloorDiv:
		return b.Op(arith.Floordivsi, args...)
	case codegen.Mod:
		// The remainder belongs to the floor, so it is not negative for a positive divisor.
		return arith.SubI(b, args[0], arith.MulI(b, b.Op(arith.Floordivsi, args...), args[1]))
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

// Row makes the value of a row: a constant, coefficients of the parameters, of some
// dimensions with values, and of divs.
func (n *Numbers) Row(c presburger.Basic, r []presburger.Int, dims []ir.Value) (_ ir.Value, err error) {
	defer unwind.To(&err)
	b := n.B
	k, ok := r[0].Int64()
	if !ok {
		return 0, errUnknown
	}
	out := b.Index(k)
	add := func(k presburger.Int, v func() (ir.Value, error)) {
		if k.Sign() == 0 {
			return
		}
		x, ok := k.Int64()
		if !ok {
			panic(unwind.Failed(errUnknown))
		}
		y := unwind.Must(v())
		out = arith.AddI(b, out, arith.MulI(b, y, b.Index(x)))
	}
	at := 1
	for _, p := range c.Params {
		add(r[at], func() (ir.Value, error) { return n.Params[p], nil })
		at++
	}
	for _, v := range dims {
		add(r[at], func() (ir.Value, error) {
			if v == 0 {
				return 0, errUnknown
			}
			return v, nil
		})
		at++
	}
	// A row may end before the last divs, whose coefficients are then 0.
	for i, d := range c.Divs {
		if at+i >= len(r) {
			break
		}
		add(r[at+i], func() (_ ir.Value, err error) {
			defer unwind.To(&err)
			den, ok := d.Den.Int64()
			if !ok || den <= 0 {
				return 0, errUnknown
			}
			num := unwind.Must(n.Row(c, d.Num, dims))
			return n.B.Op(arith.Floordivsi, num, n.B.Index(den)), nil
		})
	}
	return out, nil
}

// Condition makes a truth value of whether coordinates are in a set.
func (n *Numbers) Condition(s presburger.Set, at []ir.Value) (_ ir.Value, err error) {
	defer unwind.To(&err)
	b := n.B
	any := arith.ConstBool(b, false)
	for _, c := range s.Basics() {
		all := arith.ConstBool(b, true)
		for i, rows := range [][][]presburger.Int{c.Eq, c.Ge} {
			for _, r := range rows {
				v := unwind.Must(n.Row(c, r, at))
				all = b.Op(arith.Andi, all, arith.CmpI(b, []arith.CmpIPredicate{arith.EQ, arith.SGE}[i], v, b.Index(0)))
			}
		}
		any = b.Op(arith.Ori, any, all)
	}
	return any, nil
}

// An Image is a relation that leads to one tuple, as functions on sets of which no two overlap.
type Image struct {
	where  presburger.Set // where it leads anywhere, if not in the whole domain
	partly bool
	pieces []imagePiece
	len    int
}

// An imagePiece is one of the functions, and the set on which it holds.
type imagePiece struct {
	on presburger.Set
	is presburger.MultiAff
}

// One is the function where there is one for all that it leads from.
func (x *Image) One() (f presburger.MultiAff, ok bool) {
	if len(x.pieces) != 1 {
		return f, false
	}
	return x.pieces[0].is, true
}

// ImageOf reads the function off a relation, for the instances of a domain. It is asked for in
// each place where the statement stands, and found once.
func (n *Numbers) ImageOf(m presburger.Map, domain presburger.Set) (_ *Image, failed error) {
	defer unwind.To(&failed)
	if x := n.images[m]; x != nil {
		return x, nil
	}
	f, err := m.AsPwMultiAff()
	if err != nil { // outside of the domain it may lead to more than one point
		inside := unwind.Must(m.IntersectDomain(domain))
		if f, err = inside.AsPwMultiAff(); err != nil {
			return nil, err
		}
	}
	_, to := m.Tuples()
	x := &Image{len: to.Len()}
	whole, err := domain.IsSubset(m.Domain())
	if err != nil {
		return nil, err
	}
	// Instances are in the domain, so the test needs only what that does not say.
	if x.partly = !whole; x.partly {
		if x.where, err = f.Domain().Gist(domain); err != nil {
			return nil, err
		}
	}
	for on, is := range f.Pieces() {
		// The first function is the default and needs no test, so its set is not simplified.
		if len(x.pieces) > 0 {
			if on, err = on.Gist(domain); err != nil {
				return nil, err
			}
		}
		x.pieces = append(x.pieces, imagePiece{on, is})
	}
	if n.images == nil {
		n.images = map[presburger.Map]*Image{}
	}
	n.images[m] = x
	return x, nil
}

// Image makes the coordinates to which a relation leads, and says where it leads anywhere, 0 for
// everywhere in the domain.
func (n *Numbers) Image(m presburger.Map, domain presburger.Set, at []ir.Value) (out []ir.Value, where ir.Value, err error) {
	defer unwind.To(&err)
	x := unwind.Must(n.ImageOf(m, domain))
	if x.partly {
		where = unwind.Must(n.Condition(x.where, at))
	}
	for _, p := range x.pieces {
		values := unwind.Must(n.Piece(p.is, at))
		if out == nil {
			out = values
			continue
		}
		// Sets do not overlap, so the order of the choices does not matter.
		here := unwind.Must(n.Condition(p.on, at))
		for i := range out {
			out[i] = arith.Choose(n.B, here, values[i], out[i])
		}
	}
	// A relation that leads nowhere has no functions; nothing uses these zeros.
	if out == nil {
		out = make([]ir.Value, x.len)
		for i := range out {
			out[i] = n.B.Index(0)
		}
	}
	return out, where, nil
}

// Piece makes the values of a tuple of quasi-affine functions.
func (n *Numbers) Piece(a presburger.MultiAff, at []ir.Value) (_ []ir.Value, err error) {
	defer unwind.To(&err)
	out := make([]ir.Value, a.Len())
	for i := range out {
		f := a.At(i)
		row, den, divs := f.Floors()
		v := unwind.Must(n.Row(presburger.Basic{Params: f.Params(), Divs: divs}, row, at))
		d, ok := den.Int64()
		if !ok {
			return nil, errUnknown
		}
		if d != 1 { // values are integers, so this is exact
			v = n.B.Op(arith.Floordivsi, v, n.B.Index(d))
		}
		out[i] = v
	}
	return out, nil
}

// Condition makes a truth value of whether parameters are in a set without dimensions.
func Condition(b *ir.Builder, params map[string]ir.Value, s presburger.Set) (ir.Value, error) {
	n := Numbers{B: b, Params: params}
	return n.Condition(s, nil)
}
