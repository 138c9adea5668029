package raise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/unwind"
)

// formulas are what is said of integers by name: floors, minima and maxima are integers of their
// own, each with what defines it, so that a sum stays a sum.
type formulas struct {
	vars   []string
	defs   []presburger.Formula
	floors []floor
}

// A floor is an integer: the greatest that is at most num / den.
type floor struct {
	name string
	num  presburger.Sum
	den  int64
}

// clone clips its slices: what one copy appends, another does not see.
func (f formulas) clone() formulas {
	return formulas{slices.Clip(f.vars), slices.Clip(f.defs), slices.Clip(f.floors)}
}

// spell writes a sum in isl's notation, if all that it is made of is floors.
func (f formulas) spell(s presburger.Sum) (string, bool) {
	var out strings.Builder
	fmt.Fprint(&out, s.Const)
	for _, t := range s.Terms {
		name := t.Var
		if slices.Contains(f.vars, name) {
			i := slices.IndexFunc(f.floors, func(x floor) bool { return x.name == name })
			if i < 0 {
				return "", false
			}
			num, ok := f.spell(f.floors[i].num)
			if !ok || len(num) > maxSpelled {
				return "", false
			}
			name = fmt.Sprintf("floor((%s)/%d)", num, f.floors[i].den)
		}
		fmt.Fprintf(&out, " + (%d) * %s", t.Times, name)
	}
	return out.String(), true
}

// maxSpelled bounds a text: a floor is written as often as it is used.
const maxSpelled = 1000

// say adds a formula that the integers in f satisfy.
func (f *formulas) say(x presburger.Formula) { f.defs = append(f.defs, x) }

// all says everything.
func (f formulas) all(more ...presburger.Formula) presburger.Formula {
	return presburger.Exists(f.vars, presburger.And(append(slices.Clip(f.defs), more...)...))
}

// hindrance is why a loop is not raised.
type hindrance struct {
	at  ir.Value
	why string
}

func (h *hindrance) Error() string { return h.why }

// hinder is the error of a loop that one op keeps from being raised.
func hinder(at ir.Value, format string, args ...any) error {
	return &hindrance{at, fmt.Sprintf(format, args...)}
}

// fresh is a new integer.
func (n *nest) fresh(f *formulas) presburger.Sum {
	n.made++
	name := fmt.Sprintf("q%d", n.made)
	f.vars = append(f.vars, name)
	return presburger.Variable(name)
}

// small reports a coefficient with which sums stay far from the limits of 64 bits.
func small(k int64) bool { return -1<<31 <= k && k < 1<<31 }

// floor is the greatest integer that is at most s / k.
func (n *nest) floor(f *formulas, s presburger.Sum, k int64) presburger.Sum {
	if c, ok := s.IsNumber(); ok {
		// Division truncates: where the remainder is negative, the floor is one less.
		q := c / k
		if c%k < 0 {
			q--
		}
		return presburger.Number(q)
	}
	q := n.fresh(f)
	f.floors = append(f.floors, floor{q.Terms[0].Var, s, k})
	// q is the floor exactly if 0 <= s - k*q <= k - 1.
	rest := s.Plus(-k, q)
	f.say(presburger.And(presburger.NonNeg(rest), presburger.NonNeg(presburger.Number(k-1).Minus(rest))))
	return q
}

// extreme is the least or the greatest of sums.
func (n *nest) extreme(f *formulas, sums []presburger.Sum, least bool) presburger.Sum {
	if len(sums) == 1 {
		return sums[0]
	}
	q := n.fresh(f)
	var is []presburger.Formula
	for _, s := range sums {
		is = append(is, presburger.Zero(q.Minus(s)))
		if least {
			f.say(presburger.NonNeg(s.Minus(q)))
		} else {
			f.say(presburger.NonNeg(q.Minus(s)))
		}
	}
	// An extreme is on one side of all sums, and equal to one of them.
	f.say(presburger.Or(is...))
	return q
}

// maxDepth bounds the ops that an index is made of.
const maxDepth = 40

// sum is an integer as a sum of indices of loops and parameters.
func (n *nest) sum(f *formulas, v ir.Value, depth int) presburger.Sum {
	s, err := n.sumOf(f, v, depth)
	unwind.Check(cmp.Or(err, inReach(v, s)))
	return s
}

// inReach refuses coefficients with which the next product might not fit in 64 bits.
func inReach(at ir.Value, s presburger.Sum) error {
	ok := small(s.Const)
	for _, t := range s.Terms {
		ok = ok && small(t.Times)
	}
	if !ok {
		return hinder(at, "a number of an index has more than 31 bits")
	}
	return nil
}

// sumOf is sum without the test of coefficients. Operands have passed it, so one product fits in 64 bits.
func (n *nest) sumOf(f *formulas, v ir.Value, depth int) (_ presburger.Sum, err error) {
	defer unwind.To(&err)
	g := n.g
	if c, ok := g.Const(v); ok && c.Ref == nil {
		return presburger.Number(c.Int(n.width(v))), nil
	}
	if name, ok := n.dims[v]; ok {
		return presburger.Variable(name), nil
	}
	if !n.isInside(v) {
		return n.outer(f, v, depth), nil
	}
	if depth > maxDepth {
		return presburger.Sum{}, hinder(v, "an index is made by more than %d ops", maxDepth)
	}
	op, form := n.form(v)
	if form.Map != nil {
		return n.applied(f, v, form, depth), nil
	}
	args := g.Args(v)
	// A sum over the integers is the op's value only if the op does not wrap. Narrow ops have to promise
	// it.
	if !wide(g, v) && op != affine.SignExtend && op != affine.ZeroExtend && !n.promises(form, v) {
		return presburger.Sum{}, hinder(v, "%s is of fewer than 64 bits and may wrap", g.Def(v).Name)
	}
	switch op {
	case affine.SignExtend:
		return n.sum(f, args[0], depth+1), nil
	case affine.ZeroExtend:
		// Zero extension keeps the value of a number that is not negative.
		if n.known.Within(args[0], 0, 1<<62) {
			return n.sum(f, args[0], depth+1), nil
		}
	case affine.Add, affine.Sub:
		x, y := n.two(f, args, depth)
		if op == affine.Add {
			return x.Plus(1, y), nil
		}
		return x.Plus(-1, y), nil
	case affine.Mul, affine.ShiftLeft:
		x, y := n.two(f, args, depth)
		return scaled(op, x, y, notAffine(g, v)), nil
	case affine.MinSigned, affine.MaxSigned:
		x, y := n.two(f, args, depth)
		return n.extreme(f, []presburger.Sum{x, y}, op == affine.MinSigned), nil
	case affine.Select:
		return n.chosen(f, args, depth), nil
	}
	if s, ok := n.division(f, v, op, depth); ok {
		return s, nil
	}
	return presburger.Sum{}, notAffine(g, v)
}

// two are the first two operands of an op.
func (n *nest) two(f *formulas, args []ir.Value, depth int) (x, y presburger.Sum) {
	x = n.sum(f, args[0], depth+1)
	y = n.sum(f, args[1], depth+1)
	return x, y
}

func notAffine(g *ir.Graph, v ir.Value) error {
	return hinder(v, "%s makes an index that is not affine", g.Def(v).Name)
}

// applied is what an op that applies a map of several results gives: their least or greatest.
func (n *nest) applied(f *formulas, v ir.Value, form affine.Form, depth int) presburger.Sum {
	exprs, dims, syms := form.Map(n.g, v)
	var all []presburger.Sum
	for _, e := range exprs {
		s := unwind.Must(n.point(f, affinedialect.Point{Expr: e, Dims: dims, Syms: syms}, depth+1))
		all = append(all, s)
	}
	return n.extreme(f, all, form.Op == affine.MinSigned)
}

// scaled is a product, or a shift to the left, of which one factor must be a constant; no says that it is not.
func scaled(op affine.Op, x, y presburger.Sum, no error) presburger.Sum {
	if k, ok := x.IsNumber(); ok && op == affine.Mul {
		x, y = y, presburger.Number(k)
	}
	k, ok := y.IsNumber()
	// A shift by 31 or more has a factor that small refuses.
	if ok && op == affine.ShiftLeft {
		if ok = 0 <= k && k < 31; ok {
			k = 1 << k
		}
	}
	if !ok {
		unwind.Check(no)
		return x
	}
	return presburger.Number(0).Plus(k, x)
}

// chosen is a number that is one of two by a condition.
func (n *nest) chosen(f *formulas, args []ir.Value, depth int) presburger.Sum {
	c := unwind.Must(n.condition(f, args[0], depth+1))
	x := n.sum(f, args[1], depth+1)
	y := n.sum(f, args[2], depth+1)
	q := n.fresh(f)
	f.say(presburger.Or(presburger.And(c, presburger.Zero(q.Minus(x))), presburger.And(presburger.Not(c), presburger.Zero(q.Minus(y)))))
	return q
}

// outer is an integer from outside: a sum, minimum or maximum that is computed there is one of what it is
// made of, so that bounds which have a parameter in common are known to.
func (n *nest) outer(f *formulas, v ir.Value, depth int) presburger.Sum {
	op, form := n.form(v)
	args := n.g.Args(v)
	// A map, a narrow op or a deep chain is a parameter of its own, and so is what has a name already.
	if n.named[v] != "" || form.Map != nil || depth > maxDepth || !wide(n.g, v) || len(args) != 2 {
		return presburger.Variable(n.param(v))
	}
	number := func(v ir.Value) (int64, bool) {
		c, ok := n.g.Const(v)
		if !ok || c.Ref != nil {
			return 0, false
		}
		k := c.Int(n.width(v))
		return k, small(k)
	}
	term := func(v ir.Value) presburger.Sum {
		if k, ok := number(v); ok {
			return presburger.Number(k)
		}
		return n.outer(f, v, depth+1)
	}
	var s presburger.Sum
	switch op {
	case affine.Add:
		s = term(args[0]).Plus(1, term(args[1]))
	case affine.Sub:
		s = term(args[0]).Plus(-1, term(args[1]))
	case affine.Mul:
		k, ok := number(args[1])
		if !ok {
			return presburger.Variable(n.param(v))
		}
		s = presburger.Number(0).Plus(k, term(args[0]))
	case affine.MinSigned, affine.MaxSigned:
		s = n.extreme(f, []presburger.Sum{term(args[0]), term(args[1])}, op == affine.MinSigned)
	}
	// Where no case applies, or coefficients are too large, the value is a parameter.
	if len(s.Terms) == 0 || inReach(v, s) != nil {
		return presburger.Variable(n.param(v))
	}
	return s
}

// division is a quotient or a remainder by a positive number.
func (n *nest) division(f *formulas, v ir.Value, op affine.Op, depth int) (s presburger.Sum, ok bool) {
	g := n.g
	def, args := g.Def(v), g.Args(v)
	switch {
	case def == arith.Floordivsi || def == arith.Ceildivsi || op == affine.ShiftSigned:
	case op == affine.DivSigned || op == affine.RemSigned || op == affine.Div || op == affine.Rem || op == affine.ShiftRight:
		if !n.known.At(n.s.Place(v)).Within(args[0], 0, 1<<62) { // then they round down
			panic(unwind.Failed(hinder(v, "%s of what may be negative", def.Name)))
		}
	default:
		return s, false
	}
	s = n.sum(f, args[0], depth+1)
	c, isNumber := g.Const(args[1])
	if !isNumber || c.Ref != nil {
		panic(unwind.Failed(hinder(v, "%s by what is no number", def.Name)))
	}
	k := c.Int(n.width(args[1]))
	if op == affine.ShiftSigned || op == affine.ShiftRight {
		if k < 0 || k > 30 {
			return s, false
		}
		k = 1 << k
	}
	if k <= 0 || !small(k) {
		panic(unwind.Failed(hinder(v, "%s by %d", def.Name, k)))
	}
	// ceil(s / k) is floor((s + k - 1) / k), and the remainder is s - k * floor(s / k).
	switch {
	case def == arith.Ceildivsi:
		return n.floor(f, s.Plus(1, presburger.Number(k-1)), k), true
	case op == affine.RemSigned || op == affine.Rem:
		return s.Plus(-k, n.floor(f, s, k)), true
	}
	return n.floor(f, s, k), true
}

// form is what an op computes.
func (n *nest) form(v ir.Value) (affine.Op, affine.Form) {
	f, _ := affine.FormOf(n.g, v)
	return f.Op, f
}

// promises reports an op that says that it does not wrap.
func (n *nest) promises(f affine.Form, v ir.Value) bool {
	return f.Promises != nil && f.Promises(n.g, v)
}

// wide reports an integer of 64 bits, whose sums are taken not to wrap.
func wide(g *ir.Graph, v ir.Value) bool {
	t := g.Type(v)
	return t == ir.Index || t == ir.I64
}

// width is the number of bits of an integer; an index has 64.
func (n *nest) width(v ir.Value) int {
	if n.g.Type(v) == ir.Index {
		return 64
	}
	return int(n.g.Ctx.Info(n.g.Type(v)).Width)
}

// point is an affine expression as a sum.
func (n *nest) point(f *formulas, p affinedialect.Point, depth int) (presburger.Sum, error) {
	s, err := n.pointOf(f, p, depth)
	return s, cmp.Or(err, inReach(0, s))
}

// pointOf is point without the test of coefficients.
func (n *nest) pointOf(f *formulas, p affinedialect.Point, depth int) (_ presburger.Sum, err error) {
	defer unwind.To(&err)
	e := p.Expr
	switch e.Op {
	case expr.OpConst:
		return presburger.Number(e.N), nil
	case expr.OpDim:
		return n.sum(f, p.Dims[e.N], depth), nil
	case expr.OpSym:
		return n.sum(f, p.Syms[e.N], depth), nil
	}
	x := unwind.Must(n.point(f, affinedialect.Point{Expr: e.L, Dims: p.Dims, Syms: p.Syms}, depth))
	y := unwind.Must(n.point(f, affinedialect.Point{Expr: e.R, Dims: p.Dims, Syms: p.Syms}, depth))
	if e.Op == expr.OpAdd {
		return x.Plus(1, y), nil
	}
	k, ok := y.IsNumber()
	// Division and remainder round down, which formulas express for positive constants alone.
	if !ok || !small(k) || e.Op != expr.OpMul && k <= 0 {
		return x, hinder(0, "an index is multiplied with or divided by what is no number")
	}
	switch e.Op {
	case expr.OpMul:
		return presburger.Number(0).Plus(k, x), nil
	case expr.OpMod:
		return x.Plus(-k, n.floor(f, x, k)), nil
	case expr.OpCeilDiv:
		x = x.Plus(1, presburger.Number(k-1))
	}
	return n.floor(f, x, k), nil
}
