package bugs

import (
	"errors"
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// A State holds a value for every element of a model, by Var.ID.
type State [][]float64

// NewState returns the data, with NaN for what a point gives or the model computes.
// The caller may write all of it.
func (m *Model) NewState() State {
	st := make(State, len(m.Vars))
	for i, v := range m.Vars {
		st[i] = v.withGaps()
	}
	return st
}

// PointState is NewState for a point alone: variables that are data share the memory
// of the model, which nobody writes, and those that the model computes have none.
func (m *Model) PointState() State {
	st := make(State, len(m.Vars))
	for i, v := range m.Vars {
		if v.Count(Logical) < v.Len() {
			st[i] = v.Elements()
		}
	}
	return st
}

// Elements are the values of a variable in storage order, NaN where it has none. The
// caller must not write them if all are known.
func (v *Var) Elements() []float64 {
	if v.known.all() {
		return v.Value
	}
	return v.withGaps()
}

func (v *Var) withGaps() []float64 {
	out := make([]float64, v.Len())
	if !v.known.none() {
		copy(out, v.Value)
	}
	if v.known.all() {
		return out
	}
	for k := range out {
		if !v.known.has(k) {
			out[k] = math.NaN()
		}
	}
	return out
}

// frameOn evaluates on a state, which gets memory for what the model computes.
func (m *Model) frameOn(st State) *frame {
	for i, v := range m.Vars {
		if len(st[i]) < v.Len() {
			st[i] = v.withGaps()
		}
	}
	return &frame{m: m, store: st}
}

// A Factor is the part of one stochastic node in the density.
type Factor struct {
	Stmt     *Statement
	Var      *Var
	Elem     int
	Observed bool
	Logp     float64
}

// Visit runs the model forward over a state whose parameters have values: logical
// nodes are computed, and each factor is given to factor. It is the reference
// meaning of a model; where one has no meaning, the error is a *NodeError.
func (m *Model) Visit(st State, factor func(Factor)) error {
	r := &runner{m: m, f: m.frameOn(st), factor: factor}
	return r.named(r.items(m.Order))
}

// Simulate draws every parameter from its distribution given its parents and
// computes the logical nodes. Observed nodes keep their values; of a vector of which a
// part is observed the rest is drawn given that part. The numbers are those of
// Random: each node has its own, whatever the order.
func (m *Model) Simulate(seed uint64) (State, error) { return m.SimulateGiven(m.NewState(), nil, seed) }

// SimulateGiven is Simulate where some parameters have values in st already, which stay:
// given says which, by Var.ID and element; nil is none.
func (m *Model) SimulateGiven(st State, given [][]bool, seed uint64) (State, error) {
	if m.cyclic {
		return nil, diag.Errorf(diag.Span{}, "the model cannot be simulated: its nodes have no sequential order")
	}
	r := &runner{m: m, f: m.frameOn(st), random: prob.NewRandom(seed)}
	if given != nil {
		r.want = func(v *Var, k int) bool { return !given[v.ID][k] }
	}
	r.choose = func(law *prob.Law, p []float64, lo, hi float64) (float64, error) {
		return law.DrawWithin(r.random.Rand, p, lo, hi)
	}
	r.chooseJoint = func(j *prob.Joint, x []float64, keep []bool, p []value) error {
		return j.Simulate(r.random.Rand, x, keep, p)
	}
	return st, r.items(m.Order)
}

// bounds of a node; infinite ones are none.
type bounds struct {
	lo, hi    float64
	truncated bool // the density is renormalised
}

func (b bounds) check() error {
	if b.lo > b.hi {
		return fmt.Errorf("the lower bound %v is above the upper bound %v", b.lo, b.hi)
	}
	if math.IsNaN(b.lo) || math.IsNaN(b.hi) {
		return errors.New("a bound is not a number")
	}
	return nil
}

// logp is the log density within the bounds.
func (b bounds) logp(law *prob.Law, x float64, p []float64) (float64, error) {
	norm := 0.0
	if b.truncated {
		var err error
		if norm, err = law.LogMass(p, b.lo, b.hi); err != nil {
			return 0, err
		}
	}
	y := law.LogDensity(x, p)
	switch {
	case math.IsNaN(y):
		return y, fmt.Errorf("there is no density at %v", x)
	case x < b.lo || x > b.hi:
		return -inf, nil
	}
	return y - norm, nil
}

// Fill gives each parameter that want accepts the centre of its distribution given
// its parents, within its bounds.
func (m *Model) Fill(st State, want func(v *Var, k int) bool) error {
	if m.cyclic {
		return diag.Errorf(diag.Span{}, "initial values cannot be filled in: the nodes have no sequential order").
			WithFix("give all initial values")
	}
	r := &runner{m: m, f: m.frameOn(st), want: want,
		choose: func(law *prob.Law, p []float64, lo, hi float64) (float64, error) {
			return law.CentreWithin(p, lo, hi), nil
		},
		chooseJoint: func(j *prob.Joint, x []float64, keep []bool, p []value) error {
			for i, y := range j.Centre(p, len(x)) {
				if !keep[i] {
					x[i] = y
				}
			}
			return nil
		}}
	return r.named(r.items(m.Order))
}

type runner struct {
	m      *Model
	f      *frame
	stmt   *Statement   // the one that runs
	random *prob.Random // nil if nothing is drawn
	factor func(Factor)
	choose func(law *prob.Law, p []float64, lo, hi float64) (float64, error)
	// chooseJoint fills the elements of x that keep does not mark.
	chooseJoint func(j *prob.Joint, x []float64, keep []bool, p []value) error
	want        func(v *Var, k int) bool                                          // which parameters are chosen; nil: all
	before      func(s *Statement) error                                          // runs before each stochastic node; nil: nothing
	outside     func(s *Statement, elems []int, x []float64, p []value, b bounds) // hears of densities that are 0
	omit        func(v *Var, k int) bool                                          // which nodes are passed over; nil: none
}

func (r *runner) items(items []Item) error {
	for _, it := range items {
		if err := r.item(it, nil); err != nil {
			return err
		}
	}
	return nil
}

// item runs an item of an order under the values at of the loops around it.
func (r *runner) item(it Item, at []int32) error {
	switch {
	case it.Stmt != nil:
		return r.statement(it.Stmt, at)
	case it.Turns != nil:
		return r.turns(it.Turns, at)
	case it.Waves != nil:
		return r.waves(it.Waves)
	}
	s := it.Loop.Of
	r.f.loops, r.f.at = s.Loops, at
	lo, hi, err := r.f.bounds(s.Loops[it.Loop.Level])
	if err != nil {
		return err
	}
	inner := append(append([]int32(nil), at...), 0)
	for i := lo; i <= hi; i++ {
		inner[len(at)] = int32(i)
		if it.Loop.Reverse {
			inner[len(at)] = int32(lo + hi - i)
		}
		for _, x := range it.Loop.Body {
			if err := r.item(x, inner); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) turns(t *Turns, at []int32) error {
	inner := append(append([]int32(nil), at...), 0)
	for round := t.Lo; round <= t.Hi; round++ {
		for _, x := range t.Body {
			vals := at
			if !x.Once {
				inner[len(at)] = int32(x.Scale*round + x.Shift)
				vals = inner
			}
			for _, it := range x.Body {
				if err := r.item(it, vals); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (r *runner) waves(w *Waves) error {
	for level := range w.Levels {
		for _, x := range w.Parts {
			at := make([]int32, len(x.At))
			start := x.Start.Value
			for i := int(start[level]) - 1; i < int(start[level+1])-1; i++ {
				for d, v := range x.At {
					at[d] = int32(v.Value[i])
				}
				if err := r.statement(x.Stmt, at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (f *frame) bounds(l *Loop) (lo, hi int, err error) {
	r := l.Node.Over.(*syntax.Range) // byPosition makes it one
	if lo, err = f.integer(r.From, "the lower bound"); err == nil {
		hi, err = f.integer(r.To, "the upper bound")
	}
	return lo, hi, err
}

func (r *runner) statement(s *Statement, at []int32) error {
	r.stmt, r.f.loops, r.f.at = s, s.Loops, at
	if r.omit != nil && r.omitted(s) {
		return nil
	}
	if s.Sample != nil && r.before != nil {
		if err := r.before(s); err != nil {
			return err
		}
	}
	if s.Assign != nil {
		vals, err := r.f.assigned(s)
		if err != nil {
			return r.nodeError(s, -1, err)
		}
		n := 0
		return r.f.each(s.LHS, s.v, false, func(k int) error {
			if n >= len(vals) {
				return diag.Errorf(s.Span(), "%d values are assigned to more elements of %s", len(vals), s.v.Name)
			}
			r.f.store[s.v.ID][k] = vals[n]
			n++
			return nil
		})
	}
	if j := s.Dist.Law.Joint; j != nil {
		return r.joint(s, j)
	}
	k, err := r.f.element(s.LHS, s.v)
	if err != nil {
		return err
	}
	return r.draw(s, k)
}

func (r *runner) nodeError(s *Statement, k int, err error) error {
	if d, ok := err.(*diag.Diagnostic); ok {
		return d
	}
	name := s.v.Name
	if k >= 0 {
		name = s.v.ElemName(k)
	}
	return diag.Errorf(s.Span(), "node %s: %v", name, err)
}

// chooses reports an element that gets a value.
func (r *runner) chooses(v *Var, k int) bool {
	return r.choose != nil && v.ClassAt(k) == Parameter && (r.want == nil || r.want(v, k))
}

// draw gives a stochastic node a value, or its factor.
func (r *runner) draw(s *Statement, k int) error {
	law := s.Dist.Law
	if r.factor == nil && !r.chooses(s.v, k) {
		return nil
	}
	p := make([]float64, len(s.Sample.Args))
	for i, e := range s.Sample.Args {
		x, err := r.f.scalar(e)
		if err != nil {
			return r.nodeError(s, k, err)
		}
		p[i] = x
	}
	if why := law.Wrong(p); why != "" {
		return r.invalid(s, k, p, why)
	}
	b, err := r.limits(s)
	if err != nil {
		return r.nodeError(s, k, err)
	}
	if err := b.check(); err != nil {
		return r.m.adviseInvalid(diag.Errorf(s.Sample.Bound.Span(), "node %s: %v", s.v.ElemName(k), err), s)
	}
	cell := &r.f.store[s.v.ID][k]
	if r.chooses(s.v, k) {
		r.random.Node(s.v.Name, k)
		lo, hi := r.m.within(r.f.store, s.v, k)
		c := b.narrowed(lo, hi)
		if c.lo > c.hi {
			return r.nodeError(s, k, fmt.Errorf("its interval, from %.15g to %.15g, leaves nothing of its bounds", lo, hi))
		}
		x, err := r.choose(law, p, c.lo, c.hi)
		if err != nil {
			return r.nodeError(s, k, err)
		}
		*cell = x
	}
	if r.factor == nil {
		return nil
	}
	logp, err := b.logp(law, *cell, p)
	if err != nil {
		return r.invalid(s, k, p, err.Error())
	}
	if s.Sample.Bound == nil && law.Go.AtLogit != nil {
		if eta, ok := r.f.logitPredictor(s.Sample.Args[0]); ok && !math.IsInf(eta, 0) {
			logp = law.AtLogit(*cell, p, eta)
		}
	}
	if r.outside != nil && math.IsInf(logp, -1) {
		args := make([]value, len(p))
		for i := range p {
			args[i].V = p[i : i+1]
		}
		r.outside(s, []int{k}, []float64{*cell}, args, b)
	}
	r.factor(Factor{s, s.v, k, s.v.ClassAt(k) == Observed, logp})
	return nil
}

// truncates says whether bounds renormalise: T(,), and I(,) in JAGS, which has it
// only where the parameters are fixed.
func (m *Model) truncates(s *Statement) (bool, *diag.Diagnostic) {
	b := s.Sample.Bound
	if b == nil || b.Kind != 'T' && !(b.Kind == 'I' && m.jags) {
		return false, nil
	}
	if !s.Dist.Law.HasCDF() {
		if s.Dist.Truncatable() {
			return false, unsupported(b.Span(), "truncation of "+s.Dist.Name)
		}
		return false, diag.Errorf(b.Span(), "%s cannot be truncated: it has no distribution function", s.Sample.Dist).
			WithFix("C(,) restricts the node without renormalising its density")
	}
	for _, a := range s.Sample.Args {
		if b.Kind == 'I' && !m.fromData(a) && !m.Abstract() {
			return false, diag.Errorf(b.Span(), "I(,) stands where the parameters are fixed, and %s has one that is not", s.Sample.Dist).
				WithFix("write T(,) to truncate; for censoring JAGS has dinterval")
		}
	}
	return true, nil
}

// limits evaluates the bounds of a node.
func (r *runner) limits(s *Statement) (bounds, error) {
	out := bounds{lo: -inf, hi: inf}
	b := s.Sample.Bound
	if b == nil {
		return out, nil
	}
	var d *diag.Diagnostic
	if out.truncated, d = r.m.truncates(s); d != nil {
		return out, d
	}
	var err error
	if b.Lower != nil {
		if out.lo, err = r.f.scalar(b.Lower); err != nil {
			return out, err
		}
	}
	if b.Upper != nil {
		out.hi, err = r.f.scalar(b.Upper)
	}
	return out, err
}

// invalid is the error for a parameter without meaning: it names the node and
// shows the values.
func (r *runner) invalid(s *Statement, k int, p []float64, why string) error {
	d := r.m.adviseInvalid(diag.Errorf(s.Sample.DistAt, "node %s: %s", s.v.ElemName(k), why), s)
	text := ""
	for i, x := range p {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%v", x)
	}
	return d.WithNote(s.Sample.Span(), "here it is %s(%s)", s.Sample.Dist, text)
}
