package space

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
)

// A visitor hears of the nodes with coordinates, with the limits that numbers have, before
// anything reads them.
type visitor struct {
	node func(pl *Plan, elems []int, lo, hi float64) error
	// numbers hears of numbers with the same limits, elements and coordinates one after the
	// other; nil: node hears of each.
	numbers func(pl *Plan, from, to int, lo, hi float64) error
	vector  bool // only the vector is wanted
}

// run goes through the model.
func (u *Unconstrained) run(st eval.State, factor func(eval.Factor), v visitor) error {
	r := &eval.Runner{Model: u.Model, Factor: factor}
	if v.vector {
		r = eval.OfParameters(u.Model, st)
	} else {
		r.Frame = eval.FrameOn(u.Model, st)
	}
	r.Omit = u.omitted
	return r.Named(u.runOn(r, v))
}

func (u *Unconstrained) runOn(r *eval.Runner, v visitor) error {
	var elems []int
	visit := func(pl *Plan) error {
		some := false
		elems = elems[:0]
		if err := r.Frame.Each(pl.Stmt.LHS, pl.Stmt.Var, false, func(k int) error {
			elems = append(elems, k)
			some = some || u.Place(pl.Stmt.Var, k) != 0
			return nil
		}); err != nil || !some && !(pl.Joint && pl.Kind == support.Simplex && len(elems) == 1) {
			return err
		}
		lo, hi, err := u.limits(r, pl, elems[0])
		if err != nil {
			return r.ErrorAt(pl.Stmt, elems[0], err)
		}
		return v.node(pl, elems, lo, hi)
	}
	for _, pl := range u.First {
		if err := u.earlyNodes(r, pl, v, visit); err != nil {
			return err
		}
	}
	if v.vector && len(u.First) == u.count() {
		return nil // nothing else is needed
	}
	r.Before = func(s *model.Statement) error {
		if pl := u.Plans[s.Index]; pl != nil && !pl.First {
			return visit(pl)
		}
		return nil
	}
	return r.Items(u.Model.Order)
}

// earlyNodes visits the nodes of a statement that come before all statements.
func (u *Unconstrained) earlyNodes(r *eval.Runner, pl *Plan, v visitor, visit func(pl *Plan) error) (err error) {
	s := pl.Stmt
	r.Stmt, r.Frame.Loops = s, s.Loops
	if v.numbers != nil && u.sameLimits(pl) {
		r.Frame.At = s.At(0)
		return u.together(r, pl, v)
	}
	all := u.keepsAll(s)
	s.Domain.Each(func(i int, at []int32) bool {
		if r.Frame.At = at; all || u.keeps(s, i) {
			err = visit(pl)
		}
		return err == nil
	})
	return err
}

// sameLimits reports numbers that all have coordinates and the same limits.
func (u *Unconstrained) sameLimits(pl *Plan) bool {
	if pl.Joint || pl.Stmt.Defines.Region == nil || !u.keepsAll(pl.Stmt) || pl.Cuts != (cutLimits{}) {
		return false
	}
	for _, e := range pl.used() {
		if !eval.LoopFree(u.Model, e) {
			return false
		}
	}
	return true
}

func (u *Unconstrained) together(r *eval.Runner, pl *Plan, v visitor) (err error) {
	var lo, hi float64
	met := false
	pl.Stmt.Defines.Region.Runs(pl.Stmt.Var.Dims, func(from, to int) {
		if !met {
			met = true
			if lo, hi, err = u.limits(r, pl, from); err != nil {
				err = r.ErrorAt(pl.Stmt, from, err)
			}
		}
		if err == nil {
			err = v.numbers(pl, from, to, lo, hi)
		}
	})
	return err
}

// count is the number of plans.
func (u *Unconstrained) count() int {
	n := 0
	for _, pl := range u.Plans {
		if pl != nil {
			n++
		}
	}
	return n
}

// limits evaluates the limits of a node, whose first element is k; infinite ones are none.
func (u *Unconstrained) limits(r *eval.Runner, pl *Plan, k int) (lo, hi float64, err error) {
	lo, hi = -function.Inf, function.Inf
	if pl.Joint {
		return lo, hi, nil
	}
	arg := func(i int) float64 {
		x, e := r.Frame.Scalar(pl.Stmt.Sample.Args[i])
		if e != nil {
			err = e
		}
		return x
	}
	if pl.Support.Lo.Kind != support.NoLimit {
		lo = support.LimitAt(kit.Float{}, pl.Support.Lo, arg)
	}
	if pl.Support.Hi.Kind != support.NoLimit {
		hi = support.LimitAt(kit.Float{}, pl.Support.Hi, arg)
	}
	if pl.Lower != nil && err == nil {
		var x float64
		x, err = r.Frame.Scalar(pl.Lower)
		lo = kit.Greater(kit.Float{}, lo, x)
	}
	if pl.Upper != nil && err == nil {
		var x float64
		x, err = r.Frame.Scalar(pl.Upper)
		hi = kit.Lesser(kit.Float{}, hi, x)
	}
	below, above := eval.Within(u.Model, u.data, pl.Stmt.Var, k)
	return math.Max(lo, below), math.Min(hi, above), err
}
