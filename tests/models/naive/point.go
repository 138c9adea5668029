package naive

import (
	"errors"
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Result is a log density: the whole, the part of the nodes that are data, and the
// sums by variable.
type Result struct {
	Logp, Observed       float64
	Nodes                map[string]float64
	Parameters, NumNodes int // scalars without data; stochastic nodes that are data
}

// LogDensity evaluates the model at a point.
func (m *Model) LogDensity(point *input.Data) (res Result, err error) {
	at := map[key]float64{}
	for _, name := range point.Names {
		a := point.Get(name)
		each(a.Dims, func(n int, i []int) {
			if !a.IsMissing(n) {
				at[keyOf(name, i)] = a.Values[n]
			}
		})
		if len(a.Values) == 1 && !a.IsMissing(0) {
			at[keyOf(name, nil)], at[keyOf(name, []int{1})] = a.Values[0], a.Values[0]
		}
	}
	r := m.at(at)
	res.Nodes = map[string]float64{}
	why := attempt(func() {
		for _, n := range m.nodes {
			d := r.factor(n)
			data := true
			for _, k := range n.known {
				data = data && k
				if !k {
					res.Parameters++
				}
			}
			res.Logp += d
			res.Nodes[n.s.LHS.Name] += d
			if data {
				res.Observed += d
				res.NumNodes++
			}
		}
	})
	if why != nil && why.why == ErrTail.Error() {
		return res, ErrTail
	}
	if why != nil {
		return res, fmt.Errorf("%s", why.why)
	}
	return res, nil
}

// factor is the log density of one node within its bounds.
func (r *run) factor(n *node) float64 {
	x := value{dims: n.dims}
	for _, k := range n.elems {
		x.v = append(x.v, r.value(k))
	}
	args := make([]value, len(n.s.Args))
	for i, a := range n.s.Args {
		args[i] = r.array(a, n.env)
	}
	dist := syntax.LookupDistribution(n.s.Dist)
	var d float64
	switch dist.Name {
	case "dbern":
		lp, lq := r.logProbabilities(n.s.Args[0], n.env)
		d = successes(x.v[0], 1, lp, lq)
	case "dbin":
		lp, lq := r.logProbabilities(n.s.Args[0], n.env)
		d = successes(x.v[0], args[1].v[0], lp, lq)
	case "dnegbin":
		lp, lq := r.logProbabilities(n.s.Args[0], n.env)
		d = failures(x.v[0], args[1].v[0], lp, lq)
	case "dcat":
		d = r.category(x.v[0], n.s.Args[0], args[0], n.env)
	default:
		d = logDensity(dist.Name, x, args)
	}
	b := n.s.Bound
	if b == nil {
		if dist.Name == "dbern" || dist.Name == "dbin" {
			if eta, ok := r.predictor(n.s.Args[0], n); ok {
				return trials(x.v[0], append(args, number(1))[1].v[0], eta)
			}
		}
		return d
	}
	lo, hi := -inf, inf
	if b.Lower != nil {
		lo = r.scalar(b.Lower, n.env)
	}
	if b.Upper != nil {
		hi = r.scalar(b.Upper, n.env)
	}
	if x.v[0] < lo || x.v[0] > hi {
		return -inf
	}
	if b.Kind == 'C' || b.Kind == 'I' && !r.m.JAGS {
		return d
	}
	return d - ln(between(dist, lo, hi, all(args)))
}

// ErrTail says that bounds are so far in a tail that differences of the distribution
// function have lost their digits.
var ErrTail = errors.New("too far in a tail")

// between is P(lo <= X <= hi).
func between(dist *syntax.Distribution, lo, hi float64, p []float64) float64 {
	if s := difference(dist, lo, hi, p); s > 1e-4 {
		return s
	}
	panic(failure{why: ErrTail.Error()})
}

func difference(dist *syntax.Distribution, lo, hi float64, p []float64) float64 {
	if dist.Counts {
		lo = math.Ceil(lo) - 1
	}
	s := 1.0
	if !math.IsInf(hi, 1) {
		s = cumulative(dist.Name, hi, p)
	}
	if !math.IsInf(lo, -1) {
		s -= cumulative(dist.Name, lo, p)
	}
	return s
}

// predictor is the right side of logit(p) <- ... where p is the argument, or what
// ilogit is applied to: 1 - p has lost its digits where p is next to 1.
func (r *run) predictor(e syntax.Expr, n *node) (float64, bool) {
	if c, ok := e.(*syntax.Call); ok && (c.Name == "ilogit" || c.Name == "logistic" || c.Name == "expit") && len(c.Args) == 1 {
		return r.scalar(c.Args[0], n.env), true
	}
	ref, ok := e.(*syntax.Ref)
	if !ok {
		return 0, false
	}
	at, count := r.positions(ref, n.env), 0
	var k key
	product(at, func(at []int) { k, count = keyOf(ref.Name, at), count+1 })
	if _, data := r.m.data[k]; data || count != 1 {
		return 0, false
	}
	d, ok := r.m.defs[k]
	if !ok || d.s.Link != "logit" || d.whole {
		return 0, false
	}
	a := r.array(d.s.RHS, d.env)
	return a.v[d.part], len(a.v) == 1
}

// trials is the log probability of x of n at the log odds eta.
func trials(x, n, eta float64) float64 {
	if x < 0 || x > n || x != math.Floor(x) {
		return -inf // out of the support
	}
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(x + 1)
	c, _ := math.Lgamma(n - x + 1)
	tail := math.Log1p(math.Exp(-math.Abs(eta)))
	if eta > 0 {
		return a - b - c - n*tail - (n-x)*eta
	}
	return a - b - c - n*tail + x*eta
}
