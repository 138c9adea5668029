package scf

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// enterFor bounds the induction variable of a loop.
func enterFor(b *ir.Builder, _ ir.Attr, args []ir.Value, _ int, params []ir.Value) {
	if len(args) >= 3 && len(params) >= 1 {
		b.SetClean(params[0]) // the bounds must be no poison
		bound(b, params[0], args[0], args[1], args[2])
	}
}

// enterParallel bounds those of a parallel loop, whose lower bounds, upper
// bounds and steps are as many as its region has parameters.
func enterParallel(b *ir.Builder, _ ir.Attr, args []ir.Value, _ int, params []ir.Value) {
	n := len(params)
	if len(args) < 3*n {
		return
	}
	for i, p := range params {
		b.SetClean(p)
		bound(b, p, args[i], args[n+i], args[2*n+i])
	}
}

// enterForall: the indices are no poison, since the bounds must not be.
func enterForall(b *ir.Builder, attr ir.Attr, _ []ir.Value, _ int, params []ir.Value) {
	for _, p := range params[:min(len(params), len(b.Ctx().Ints(b.Ctx().Get(attr, "staticStep"))))] {
		b.SetClean(p)
	}
}

// bound declares what the bounds and the step of a loop say of its index.
func bound(b *ir.Builder, iv, lower, upper, step ir.Value) {
	known := affine.In(b)
	l := known.Number(lower)
	n := affine.Index(l.Width, l, known.Number(upper), known.Number(step), false)
	if n.Width > 0 && n != affine.Any(n.Width) {
		b.SetRange(iv, n.Low, n.High, n.Step)
	}
}

// enterIf: the condition is true in the first branch and false in the second,
// and so is what follows from that.
func enterIf(b *ir.Builder, _ ir.Attr, args []ir.Value, i int, _ []ir.Value) {
	if len(args) == 1 {
		affine.Know(b, args[0], i == 0)
	}
}

// enterSwitch: in the region of a case the index is the case.
func enterSwitch(b *ir.Builder, attr ir.Attr, args []ir.Value, i int, _ []ir.Value) {
	n, ok := b.Ctx().IntAt(b.Ctx().Get(attr, "cases"), i-1)
	if !ok || len(args) != 1 || b.Graph().Type(args[0]) != ir.Index || b.Graph().Def(args[0]).Has(ir.ConstantLike) {
		return
	}
	b.Know(args[0], b.Const(ir.Index, ir.IntVal(n, 64)))
}

// feedsFor: a carried value is the initial one or what the last iteration gave.
func feedsFor(_, _, j int) []ir.Source {
	if j == 0 {
		return nil
	}
	return []ir.Source{{Index: j + 2}, {Yields: true, Index: j - 1}}
}

// feedsWhile: the first region gets the initial values or what the second gave,
// the second what the first passes on.
func feedsWhile(_, i, j int) []ir.Source {
	if i == 0 {
		return []ir.Source{{Index: j}, {Yields: true, Region: 1, Index: j}}
	}
	return []ir.Source{{Yields: true, Index: j + 1}}
}
