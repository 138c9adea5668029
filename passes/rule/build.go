package rule

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// words are what may stand in braces behind an op: flags, or predicates.
func words(d *ir.OpDef) []string {
	switch {
	case d == arith.Cmpi || d == arith.Cmpf:
		return slices.Concat(predicatesOf(d), licences(d))
	case onFloats(d):
		return licences(d)
	case slices.Contains(d.Attrs, "overflowFlags"):
		return []string{"nsw", "nuw"}
	}
	return nil
}

// predicatesOf are the words of a comparison of which it has one.
func predicatesOf(d *ir.OpDef) (out []string) {
	switch d {
	case arith.Cmpi:
		for p := range arith.UGE + 1 {
			out = append(out, p.String())
		}
	case arith.Cmpf:
		for p := range arith.AlwaysTrue + 1 {
			out = append(out, p.String())
		}
	}
	return out
}

// licences are the flags of an op on floats, in the order of their bits, and what stands for all.
func licences(d *ir.OpDef) []string {
	if !onFloats(d) {
		return nil
	}
	return []string{"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"}
}

// predicate is the word of a comparison that says which it is; less than 0 if there is none.
func (n *Node) predicate() int {
	names := predicatesOf(n.Def)
	for _, w := range n.Words {
		if p := slices.Index(names, w); p >= 0 {
			return p
		}
	}
	return -1
}

// fastMath is what the words of an op license. On the left an op matches that has all of it, and maybe more; on the right
// the op that is made has it and no more, whatever those had that matched.
func (n *Node) fastMath() (f arith.FastMath) {
	names := licences(n.Def)
	for _, w := range n.Words {
		switch i := slices.Index(names, w); {
		case w == "fast":
			f |= arith.Fast
		case i >= 0:
			f |= 1 << i
		}
	}
	return f
}

// overflow is what they promise, in the same way.
func (n *Node) overflow() (f arith.Overflow) {
	for _, w := range n.Words {
		f |= 1 << slices.Index(words(n.Def), w)
	}
	return f
}

// attr are the properties that the words of an op stand for.
func attr(c *ir.Context, n *Node) ir.Attr {
	switch {
	case len(words(n.Def)) == 0:
		return 0
	case n.Def == arith.Cmpi:
		return arith.PredicateI(c, arith.CmpIPredicate(n.predicate()))
	case n.Def == arith.Cmpf:
		return arith.PredicateF(c, arith.CmpFPredicate(n.predicate()), n.fastMath())
	case onFloats(n.Def):
		return arith.FastMathProps(c, n.fastMath())
	}
	return arith.OverflowProps(c, n.overflow())
}

// A WidthError says that a rule does not exist at a width: a type has no bits there, or a number does not fit.
type WidthError struct{ err *diag.Diagnostic }

func (e *WidthError) Error() string { return e.err.Error() }
func (e *WidthError) Unwrap() error { return e.err }

func refuse(at diag.Span, w int, format string, args ...any) *WidthError {
	return &WidthError{diag.Errorf(at, "at width %d %s", w, fmt.Sprintf(format, args...))}
}

// fix adds a way out.
func (e *WidthError) fix(format string, args ...any) *WidthError {
	e.err = e.err.WithFix(format, args...)
	return e
}

// NeverAt is the error of a width at which a rule applies to nothing, so that a proof would say nothing.
func (r *Rule) NeverAt(w int) error {
	return refuse(r.Span, w, "the rule applies to nothing: for no constants its condition holds and all that it computes is defined").
		fix("-width=9-16 asks about wider ones")
}

// A builder makes functions of a rule at one width.
type builder struct {
	*ir.Builder
	w       int
	params  map[any]ir.Value // of *Name and *Node
	numbers map[any]uint64   // in the place of parameters
}

// Build makes a module with the functions @src and @tgt, which take the operands, then the constants, then what is computed
// of them. With numbers in the place of the last two the functions have them inside. The error is a *WidthError.
func (r *Rule) Build(c *ir.Context, w int, constants, computed []uint64) (*ir.Graph, error) {
	if at := r.floats(); at != nil {
		return nil, diag.Errorf(at.Span, "the rule cannot be proven: it is on floats, and proofs are of integers").
			WithFix("-rules=FILE -unproven applies it without a proof, to ops with the flags that it names")
	}
	if err := r.fits(w); err != nil {
		return nil, err
	}
	// Verbatim: what is proven is the rule as it is written, not what other folds make of it. The functions are private, so
	// that poison may be passed to them.
	m := ir.NewBuilder(c, ir.Verbatim)
	for _, side := range []struct {
		name string
		is   *Node
	}{{"src", r.Src}, {"tgt", r.Tgt}} {
		b := &builder{ir.NewBuilder(c, ir.Verbatim), w, map[any]ir.Value{}, map[any]uint64{}}
		b.bind(r, constants, computed)
		v, err := b.node(side.is)
		if err != nil {
			return nil, err
		}
		g := b.Graph()
		in := make([]ir.Type, 0, len(r.Operands))
		for _, p := range b.Params(ir.Root) {
			in = append(in, g.Type(p))
		}
		out := []ir.Type{g.Type(v)}
		b.Op(funcs.Return, v)
		m.Must(ir.Call{Def: funcs.Func, Attr: funcs.Props(c, side.name, "private", in, out), Graphs: []*ir.Graph{b.Finish()}})
	}
	return m.Finish(), nil
}

// typeOf is a type at the width of the builder. That it has one was checked before.
func (b *builder) typeOf(t *typ) ir.Type { return b.Ctx().Int(t.width(b.w)) }

// bind makes the parameters. In the place of some it notes numbers.
func (b *builder) bind(r *Rule, constants, computed []uint64) {
	for _, n := range r.Operands {
		b.params[n] = b.Param(b.typeOf(n.typ))
	}
	bind := func(key any, t *typ, i int, numbers []uint64) {
		if numbers == nil {
			b.params[key] = b.Param(b.typeOf(t))
		} else {
			b.numbers[key] = numbers[i]
		}
	}
	for i, n := range r.Constants {
		bind(n, n.typ, i, constants)
	}
	for i, n := range r.Computed {
		bind(n, n.typ, i, computed)
	}
}

// leaf is a parameter, or the constant in its place.
func (b *builder) leaf(key any, t *typ) ir.Value {
	if x, ok := b.numbers[key]; ok {
		return b.Const(b.typeOf(t), ir.IntVal(int64(x), t.width(b.w)))
	}
	return b.params[key]
}

// node makes an op and what it stands on.
func (b *builder) node(n *Node) (ir.Value, error) {
	switch {
	case n.Name != nil:
		return b.leaf(n.Name, n.typ), nil
	case n.Expr != nil && n.Expr.Name != nil:
		return b.leaf(n.Expr.Name, n.typ), nil
	case n.Expr != nil:
		return b.leaf(n, n.typ), nil
	case n.Poison:
		return ub.Of(b.Builder, b.typeOf(n.typ)), nil
	}
	args := make([]ir.Value, len(n.Args))
	for i, a := range n.Args {
		var err error
		if args[i], err = b.node(a); err != nil {
			return 0, err
		}
	}
	v, err := b.Make(ir.Call{Def: n.Def, Args: args, Attr: attr(b.Ctx(), n), Type: b.typeOf(n.typ)})
	if err != nil {
		if classOf(b.Ctx(), n.Def) == cast {
			return 0, refuse(n.Span, b.w, "%v", err).fix("write the type that a cast gives behind it: %s(x) : i(2 * w), : i(w - 1), : i8", n.Def.Name)
		}
		return 0, refuse(n.Span, b.w, "%v", err)
	}
	return v, nil
}

// fits refuses a width at which a type or a number is none.
func (r *Rule) fits(w int) error {
	err := fitsNode(r.Src, w)
	if err == nil {
		err = fitsNode(r.Tgt, w)
	}
	if err == nil && r.Where != nil {
		err = fitsCond(r.Where, w)
	}
	return err
}

// fitsNode is fits of an op and what it stands on. The widths of leaves follow from those of ops, and are checked with them.
func fitsNode(n *Node, w int) error {
	if width := n.typ.width(w); width < 1 || width > maxWidth {
		return refuse(n.Span, w, "this has %d bits, and integers have 1 to %d", width, maxWidth)
	}
	if n.Expr != nil {
		return fitsExpr(n.Expr, w)
	}
	for _, a := range n.Args {
		if err := fitsNode(a, w); err != nil {
			return err
		}
	}
	return nil
}

// fitsCond: a number that a condition compares with means another one where it is cut.
func fitsCond(c *Cond, w int) error {
	for _, x := range c.Conds {
		if err := fitsCond(x, w); err != nil {
			return err
		}
	}
	for _, x := range c.Args {
		if err := fitsExpr(x, w); err != nil {
			return err
		}
	}
	return nil
}

// fitsExpr: a number may be meant with a sign or without.
func fitsExpr(e *Expr, w int) error {
	if n, width := uint64(e.Number), e.typ.width(w); width < 64 && n>>width != 0 {
		return refuse(e.Span, w, "%d does not fit in %d bits", n, width).fix("it has %d bits: write -width=%[1]d, or a wider type", bits.Len64(n))
	}
	for _, a := range e.Args {
		if err := fitsExpr(a, w); err != nil {
			return err
		}
	}
	return nil
}
