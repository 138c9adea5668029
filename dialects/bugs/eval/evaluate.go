package eval

import (
	"errors"
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/ir/diag"
)

// A State holds a value for every element of a model, by Var.ID.
type State [][]float64

// NewState returns the data, with NaN for what a point gives or the model computes.
// The caller may write all of it.
func NewState(m *model.Model) State {
	st := make(State, len(m.Vars))
	for i, v := range m.Vars {
		st[i] = v.WithGaps()
	}
	return st
}

// DataState is NewState for readers alone: variables that are data share the memory of the
// model, and those of which nothing is known have none.
func DataState(m *model.Model) State {
	st := make(State, len(m.Vars))
	for i, v := range m.Vars {
		if !v.Known.None() {
			st[i] = v.Elements()
		}
	}
	return st
}

// PointState is NewState for a point alone: variables that are data share the memory
// of the model, which nobody writes, and those that the model computes have none.
func PointState(m *model.Model) State {
	st := make(State, len(m.Vars))
	for i, v := range m.Vars {
		if v.Count(model.Logical) < v.Len() {
			st[i] = v.Elements()
		}
	}
	return st
}

// FrameOn evaluates on a state, which gets memory for what the model computes.
func FrameOn(m *model.Model, st State) *Frame {
	for i, v := range m.Vars {
		if len(st[i]) < v.Len() {
			st[i] = v.WithGaps()
		}
	}
	return &Frame{Model: m, Store: st}
}

// A Factor is the part of one stochastic node in the density.
type Factor struct {
	Stmt     *model.Statement
	Var      *model.Var
	Elem     int
	Observed bool
	Logp     float64
}

// Visit runs the model forward over a state whose parameters have values: logical
// nodes are computed, and each factor is given to factor. It is the reference
// meaning of a model; where one has no meaning, the error is a *NodeError.
func Visit(m *model.Model, st State, factor func(Factor)) error {
	r := &Runner{Model: m, Frame: FrameOn(m, st), Factor: factor}
	return r.Named(r.Items(m.Order))
}

// Simulate draws every parameter from its distribution given its parents and
// computes the logical nodes. Observed nodes keep their values; of a vector of which a
// part is observed the rest is drawn given that part. The numbers are those of
// Random: each node has its own, whatever the order.
func Simulate(m *model.Model, seed uint64) (State, error) {
	return SimulateGiven(m, NewState(m), nil, seed)
}

// SimulateGiven is Simulate where some parameters have values in st already, which stay:
// assigned says which, by Var.ID and element; nil is none.
func SimulateGiven(m *model.Model, st State, given Assigned, seed uint64) (State, error) {
	if m.Cyclic {
		return nil, diag.Errorf(diag.Span{}, "the model cannot be simulated: its nodes have no sequential order")
	}
	r := &Runner{Model: m, Frame: FrameOn(m, st), random: draw.NewRandom(seed), assigned: given}
	r.choose = func(law *family.Law, p []float64, lo, hi float64) (float64, error) {
		return apply.DrawWithin(law, r.random.Rand, p, lo, hi)
	}
	r.chooseJoint = func(j *family.Joint, x []float64, keep []bool, p []function.Value) error {
		return apply.JointSimulate(j, r.random.Rand, x, keep, p)
	}
	return st, r.Items(m.Order)
}

// Bounds of a node; infinite ones are none.
type Bounds struct {
	Lo, Hi    float64
	Truncated bool // the density is renormalised
}

func (b Bounds) Check() error {
	if b.Lo > b.Hi {
		return fmt.Errorf("the lower bound %v is above the upper bound %v", b.Lo, b.Hi)
	}
	if math.IsNaN(b.Lo) || math.IsNaN(b.Hi) {
		return errors.New("a bound is not a number")
	}
	return nil
}

// atLink is Logp where a link makes the first parameter; NaN where it does not tell.
func (b Bounds) atLink(law *family.Law, x float64, p []float64, c functions.Chance[float64]) float64 {
	norm := 0.0
	if b.Truncated {
		var err error
		if norm, err = apply.LogMassAtLink(law, p, c, b.Lo, b.Hi); err != nil {
			return math.NaN()
		}
	}
	y := apply.AtLink(law, x, p, c)
	if x < b.Lo || x > b.Hi {
		return -function.Inf
	}
	return y - norm
}

// Logp is the log density within the bounds.
func (b Bounds) Logp(law *family.Law, x float64, p []float64) (float64, error) {
	norm := 0.0
	if b.Truncated {
		var err error
		if norm, err = apply.LogMass(law, p, b.Lo, b.Hi); err != nil {
			return 0, err
		}
	}
	y := law.LogDensity(x, p)
	switch {
	case math.IsNaN(y):
		return y, fmt.Errorf("there is no density at %v", x)
	case x < b.Lo || x > b.Hi:
		return -function.Inf, nil
	}
	return y - norm, nil
}

type Runner struct {
	Model  *model.Model
	Frame  *Frame
	Stmt   *model.Statement // the one that runs
	random *draw.Random     // nil if nothing is drawn
	Factor func(Factor)
	choose func(law *family.Law, p []float64, lo, hi float64) (float64, error)
	// chooseJoint fills the elements of x that keep does not mark.
	chooseJoint func(j *family.Joint, x []float64, keep []bool, p []function.Value) error
	assigned    Assigned                                                                         // parameters that are not chosen
	fills       bool                                                                             // all that is chosen is the centre of a distribution
	first       []bool                                                                           // of the loops around a statement: this is their first iteration; nil inside of others
	wholes      []*together                                                                      // by Statement.Index; nil before one is met
	Before      func(s *model.Statement) error                                                   // runs before each stochastic node; nil: nothing
	outside     func(s *model.Statement, elems []int, x []float64, p []function.Value, b Bounds) // hears of densities that are 0
	Omit        func(v *model.Var, k int) bool                                                   // which nodes are passed over; nil: none
	passed      map[*model.Statement]bool                                                        // statements that are passed over
	impossible  []Factor                                                                         // the first parameters whose density was 0
}

func (r *Runner) Items(items []model.Item) error {
	for _, it := range items {
		if r.passes(it) {
			continue
		}
		if err := r.item(it, nil); err != nil {
			return err
		}
	}
	return nil
}

// item runs an item of an order under the values at of the loops around it.
func (r *Runner) item(it model.Item, at []int32) error {
	if it.Interleaving != nil || it.Wavefronts != nil {
		fills := r.fills
		defer func() { r.fills = fills }()
		r.fills = false
	}
	switch {
	case it.Stmt != nil:
		return r.statement(it.Stmt, at)
	case it.Interleaving != nil:
		return r.interleaving(it.Interleaving, at)
	case it.Wavefronts != nil:
		return r.wavefronts(it.Wavefronts)
	}
	s := it.Loop.Of
	r.Frame.Loops, r.Frame.At = s.Loops, at
	lo, hi, err := r.Frame.BoundsOf(s.Loops[it.Loop.Level])
	if err != nil {
		return err
	}
	inner, body := append(append([]int32(nil), at...), 0), r.remaining(it.Loop.Body)
	outer, once := r.first, r.fills && len(r.first) == len(at) && r.onceIn(it, len(at))
	defer func() { r.first = outer }()
	for i := lo; i <= hi && !(once && i > lo); i++ {
		if len(outer) == len(at) {
			r.first = append(outer[:len(at):len(at)], i == lo)
		}
		inner[len(at)] = int32(i)
		if it.Loop.Reverse {
			inner[len(at)] = int32(lo + hi - i)
		}
		for _, x := range body {
			if err := r.item(x, inner); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Runner) interleaving(t *model.Interleaving, at []int32) error {
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

func (r *Runner) wavefronts(w *model.Wavefronts) error {
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

func (f *Frame) BoundsOf(l *model.Loop) (lo, hi int, err error) {
	r := l.Node.Over.(*syntax.Range) // byPosition makes it one
	if lo, err = f.Integer(r.From, "the lower bound"); err == nil {
		hi, err = f.Integer(r.To, "the upper bound")
	}
	return lo, hi, err
}

func (r *Runner) statement(s *model.Statement, at []int32) error {
	if r.passed[s] {
		return nil
	}
	r.Stmt, r.Frame.Loops, r.Frame.At = s, s.Loops, at
	if done, err := r.centres(s, at); done || err != nil {
		return err
	}
	if r.Omit != nil && r.omitted(s) {
		return nil
	}
	if s.Sample != nil && r.Before != nil {
		if err := r.Before(s); err != nil {
			return err
		}
	}
	if s.Assign != nil {
		vals, err := r.Frame.Assigned(s)
		if err != nil {
			return r.ErrorAt(s, -1, err)
		}
		n := 0
		return r.Frame.Each(s.LHS, s.Var, false, func(k int) error {
			if n >= len(vals) {
				return diag.Errorf(s.Span(), "%d values are assigned to more elements of %s", len(vals), s.Var.Name)
			}
			r.Frame.Store[s.Var.ID][k] = vals[n]
			n++
			return nil
		})
	}
	if j := s.Dist.Law.Joint; j != nil {
		return r.joint(s, j)
	}
	k, err := r.Frame.Element(s.LHS, s.Var)
	if err != nil {
		return err
	}
	return r.draw(s, k)
}

func (r *Runner) ErrorAt(s *model.Statement, k int, err error) error {
	if d, ok := err.(*diag.Diagnostic); ok {
		return d
	}
	name := s.Var.Name
	if k >= 0 {
		name = s.Var.ElemName(k)
	}
	return diag.Errorf(s.Span(), "node %s: %v", name, err)
}

// chooses reports an element that gets a value.
func (r *Runner) chooses(v *model.Var, k int) bool {
	return r.choose != nil && v.ClassAt(k) == model.Parameter && !r.assigned.Has(v, k)
}

// draw gives a stochastic node a value, or its factor.
func (r *Runner) draw(s *model.Statement, k int) error {
	law := s.Dist.Law
	if r.Factor == nil && !r.chooses(s.Var, k) {
		return nil
	}
	p, err := r.Frame.scalars(s.Sample.Args)
	if err != nil {
		return r.ErrorAt(s, k, err)
	}
	chance, linked := functions.Chance[float64]{}, false
	if r.Factor != nil && law.Go.AtLink != nil {
		chance, linked = r.Frame.chance(s.Sample.Args[0])
	}
	if why := law.Wrong(unrounded(p, linked)); why != "" {
		return r.invalid(s, k, p, why)
	}
	b, err := r.limits(s)
	if err != nil {
		return r.ErrorAt(s, k, err)
	}
	if err := b.Check(); err != nil {
		return adviseInvalid(r.Model, diag.Errorf(s.Sample.Bound.Span(), "node %s: %v", s.Var.ElemName(k), err), s, "")
	}
	cell := &r.Frame.Store[s.Var.ID][k]
	if r.chooses(s.Var, k) {
		r.random.Node(s.Var.Name, k)
		lo, hi := Within(r.Model, r.Frame.Store, s.Var, k)
		c := b.narrowed(lo, hi)
		if c.Lo > c.Hi {
			return r.ErrorAt(s, k, fmt.Errorf("its interval, from %.15g to %.15g, leaves nothing of its bounds", lo, hi))
		}
		x, err := r.choose(law, p, c.Lo, c.Hi)
		if err != nil {
			return r.ErrorAt(s, k, err)
		}
		*cell = x
	}
	if r.Factor == nil {
		return nil
	}
	logp := math.NaN()
	if linked {
		logp = b.atLink(law, *cell, p, chance)
	}
	if math.IsNaN(logp) {
		if logp, err = b.Logp(law, *cell, p); err != nil {
			return r.invalid(s, k, p, err.Error())
		}
	}
	r.factor(s, k, p, b, logp)
	return nil
}

// factor hands on the factor of a node.
func (r *Runner) factor(s *model.Statement, k int, p []float64, b Bounds, logp float64) {
	x := r.Frame.Store[s.Var.ID][k]
	if r.outside != nil && math.IsInf(logp, -1) {
		args := make([]function.Value, len(p))
		for i := range p {
			args[i].V = p[i : i+1]
		}
		r.outside(s, []int{k}, []float64{x}, args, b)
	}
	f := Factor{s, s.Var, k, s.Var.ClassAt(k) == model.Observed, logp}
	if math.IsInf(logp, -1) && !f.Observed && len(r.impossible) < mostBlamed {
		r.impossible = append(r.impossible, f)
	}
	r.Factor(f)
}

// scalars are the values of expressions that are numbers.
func (f *Frame) scalars(list []syntax.Expr) (out []float64, err error) {
	out = make([]float64, len(list))
	for i, e := range list {
		if out[i], err = f.Scalar(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mostBlamed is how many nodes are remembered for what they do to others.
const mostBlamed = 100

// Truncates says whether bounds renormalise: T(,), and I(,) in JAGS, which has it
// only where the parameters are fixed.
func Truncates(m *model.Model, s *model.Statement) (bool, *diag.Diagnostic) {
	b := s.Sample.Bound
	if b == nil || b.Kind != 'T' && !(b.Kind == 'I' && m.JAGS) {
		return false, nil
	}
	if !apply.HasCDF(s.Dist.Law) {
		if s.Dist.Truncatable() {
			return false, function.Unsupported(b.Span(), "truncation of "+s.Dist.Name)
		}
		return false, diag.Errorf(b.Span(), "%s cannot be truncated: it has no distribution function", s.Sample.Dist).
			WithFix("C(,) restricts the node without renormalising its density")
	}
	for _, a := range s.Sample.Args {
		if b.Kind == 'I' && !FromData(m, a) && !m.Abstract() {
			return false, diag.Errorf(b.Span(), "I(,) stands where the parameters are fixed, and %s has one that is not", s.Sample.Dist).
				WithFix("write T(,) to truncate; for censoring JAGS has dinterval")
		}
	}
	return true, nil
}

// limits evaluates the bounds of a node.
func (r *Runner) limits(s *model.Statement) (Bounds, error) {
	out := Bounds{Lo: -function.Inf, Hi: function.Inf}
	b := s.Sample.Bound
	if b == nil {
		return out, nil
	}
	var d *diag.Diagnostic
	if out.Truncated, d = Truncates(r.Model, s); d != nil {
		return out, d
	}
	var err error
	if b.Lower != nil {
		if out.Lo, err = r.Frame.Scalar(b.Lower); err != nil {
			return out, err
		}
	}
	if b.Upper != nil {
		out.Hi, err = r.Frame.Scalar(b.Upper)
	}
	return out, err
}

// invalid is the error for a parameter without meaning: it names the node and
// shows the values.
func (r *Runner) invalid(s *model.Statement, k int, p []float64, why string) error {
	d := adviseInvalid(r.Model, diag.Errorf(s.Sample.DistAt, "node %s: %s", s.Var.ElemName(k), why), s, wrongNumber(s, p, why))
	text := ""
	for i, x := range p {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%v", x)
	}
	return r.blame(d, s).WithNote(s.Sample.Span(), "here it is %s(%s)", s.Sample.Dist, text)
}

// omitted reports a node that omit names. A node is passed over as a whole.
func (r *Runner) omitted(s *model.Statement) bool {
	out, first := false, true
	err := r.Frame.Each(s.LHS, s.Var, false, func(k int) error {
		if first {
			out, first = r.Omit(s.Var, k), false
		}
		return nil
	})
	return err == nil && out
}
