package eval

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

func spanText(lo, hi int) string {
	if lo == hi {
		return strconv.Itoa(lo)
	}
	return fmt.Sprintf("%d:%d", lo, hi)
}

// joint gives the unobserved elements of a node of an array distribution values, or
// the node its one factor.
func (r *Runner) joint(s *model.Statement, j *family.Joint) error {
	elems, name, err := r.Frame.nodeElements(s)
	if err != nil {
		return err
	}
	fail := func(err error) error {
		if d, ok := err.(*diag.Diagnostic); ok {
			return d
		}
		return diag.Errorf(s.Span(), "node %s: %v", name, err)
	}
	if r.Factor == nil && !slices.ContainsFunc(elems, func(k int) bool { return r.chooses(s.Var, k) }) {
		return nil
	}
	if err := r.Frame.Misfit(s, j); err != nil {
		return err
	}
	p, err := r.Frame.jointArgs(s, j)
	if err != nil {
		return fail(err)
	}
	b := Bounds{Lo: -function.Inf, Hi: function.Inf}
	if s.Sample.Bound != nil {
		if b, err = r.limits(s); err != nil {
			return fail(err)
		}
		if err := b.Check(); err != nil {
			return diag.Errorf(s.Sample.Bound.Span(), "node %s: %v", name, err)
		}
		j = apply.JointWithin(j, b.Lo, b.Hi, b.Truncated)
	}
	logs := r.lostWeights(s, j, p)
	if why := apply.JointWrong(j, p); why != "" {
		return adviseInvalid(r.Model, diag.Errorf(s.Sample.DistAt, "node %s: %s", name, why), s, "")
	}
	store := r.Frame.Store[s.Var.ID]
	x, keep, data := make([]float64, len(elems)), make([]bool, len(elems)), true
	for i, k := range elems {
		x[i] = store[k]
		data = data && s.Var.ClassAt(k) == model.Observed
		keep[i] = s.Var.ClassAt(k) != model.Parameter || r.assigned.Has(s.Var, k)
	}
	if r.chooseJoint != nil && slices.Contains(keep, false) {
		r.random.Node(s.Var.Name, elems[0])
		if err := r.chooseJoint(j, x, keep, p); err != nil {
			return fail(err)
		}
		keepDraws(store, elems, x, keep)
	}
	if r.Factor != nil {
		logp := jointLogp(j, x, logs, p)
		if r.outside != nil && math.IsInf(logp, -1) {
			r.outside(s, elems, x, p, b)
		}
		r.Factor(Factor{s, s.Var, elems[0], data, logp})
	}
	return nil
}

// lostWeights are the logarithms of weights that have lost digits; the weights are scaled then, so that they are
// valid. Nil is none.
func (r *Runner) lostWeights(s *model.Statement, j *family.Joint, p []function.Value) []float64 {
	if j.AtLogs == nil || r.Factor == nil || s.Sample.Bound != nil {
		return nil
	}
	logs, ok := r.Frame.logWeights(s.Sample.Args[0], p[0].V)
	if !ok {
		return nil
	}
	p[0].V = scaled(logs)
	return logs
}

func jointLogp(j *family.Joint, x, logs []float64, p []function.Value) float64 {
	if logs != nil {
		return j.AtLogs(x, logs, p)
	}
	return apply.JointDensity(j, x, p)
}

// scaled are weights of which the greatest is 1.
func scaled(logs []float64) []float64 {
	out, most := make([]float64, len(logs)), slices.Max(logs)
	for i, x := range logs {
		out[i] = math.Exp(x - most)
	}
	return out
}

// keepDraws writes the elements of x that keep does not mark.
func keepDraws(store []float64, elems []int, x []float64, keep []bool) {
	for i, k := range elems {
		if !keep[i] {
			store[k] = x[i]
		}
	}
}

// jointArgs are the parameters of an array distribution.
func (f *Frame) jointArgs(s *model.Statement, j *family.Joint) ([]function.Value, error) {
	p := make([]function.Value, len(s.Sample.Args))
	for i, e := range s.Sample.Args {
		var err error
		if j.Args[i] > 0 {
			p[i], err = f.Array(e)
			p[i].Dims = apply.Fitted(j, p[i].Dims, j.Args[i])
		} else {
			p[i].V = []float64{0}
			p[i].V[0], err = f.Scalar(e)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// CanBeBounded refuses bounds on nodes that are arrays.
func CanBeBounded(s *model.Statement) *diag.Diagnostic {
	if s.Sample.Bound == nil || NodeRank(s) == 0 {
		return nil
	}
	return diag.Errorf(s.Sample.Bound.Span(), "%s takes no bounds", s.Sample.Dist).WithFix("remove the bound")
}

// JointNode is a node of an array distribution that is being visited.
type JointNode struct {
	Name  string
	Cell  ops.Part[ir.Val]
	Elems []int
	X     []float64
	Keep  []bool // observed
}

// NodeRank is the number of dimensions of the nodes of a statement: where there are some,
// the first parameter of the law tells the shape.
func NodeRank(s *model.Statement) int {
	if j := s.Dist.Law.Joint; j != nil {
		return j.Node
	}
	return 0
}

// RankOf is the rank of the results of functions that have one of their own, besides
// those of arrayOps; others are elementwise.
var RankOf = map[string]int{"sum": 0, "prod": 0, "max": 0, "min": 0, "mean": 0, "sd": 0, "length": 0, "inprod": 0,
	"c": 1, "rep": 1, "dim": 1, "t": 2}
