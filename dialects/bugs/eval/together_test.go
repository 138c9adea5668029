package eval_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/models/randmodel"
)

// centred checks that each parameter that is not given and a number has the centre of its
// distribution at a state that was filled in, and that those that are given are as before.
func centred(m *model.Model, st, before eval.State, given eval.Assigned) (n int, err error) {
	if eval.Visit(m, st, func(eval.Factor) {}) != nil { // computes what is computed
		return 0, nil
	}
	for _, s := range m.Statements {
		if s.Sample == nil || s.Dist.Law.Joint != nil {
			continue
		}
		f := &eval.Frame{Model: m, Store: st, Loops: s.Loops}
		s.EachElement(func(i, k int) bool {
			if s.Var.ClassAt(k) != model.Parameter || err != nil {
				return err == nil
			}
			got := st[s.Var.ID][k]
			if given.Has(s.Var, k) {
				if got != before[s.Var.ID][k] {
					err = fmt.Errorf("%s is given, and is %v", s.Var.ElemName(k), got)
				}
				return true
			}
			f.At = s.At(i)
			p := make([]float64, len(s.Sample.Args))
			for j, a := range s.Sample.Args {
				p[j], _ = f.Scalar(a)
			}
			lo, hi := eval.Within(m, st, s.Var, k)
			if b := s.Sample.Bound; b != nil && b.Lower != nil {
				x, _ := f.Scalar(b.Lower)
				lo = math.Max(lo, x)
			}
			if b := s.Sample.Bound; b != nil && b.Upper != nil {
				x, _ := f.Scalar(b.Upper)
				hi = math.Min(hi, x)
			}
			n++
			if want := apply.CentreWithin(s.Dist.Law, p, lo, hi); got != want {
				err = fmt.Errorf("%s is %v, want %v of %v", s.Var.ElemName(k), got, want, p)
			}
			return true
		})
	}
	return n, err
}

// fill checks the centres of a model of which a part is given.
func fill(m *model.Model, part int) (n int, err error) {
	st, given := eval.NewState(m), make(eval.Assigned, len(m.Vars))
	for i, v := range m.Vars {
		given[i].Len = v.Len()
		for k := range v.Len() {
			if part > 0 && (k*7+i)%part == 0 && v.ClassAt(k) == model.Parameter {
				given[i].Set(k)
				st[i][k] = 0.25 + float64(k%3)/8
			}
		}
	}
	before := st.Clone()
	if eval.Fill(m, st, given) != nil {
		return 0, nil // a prior has no meaning
	}
	return centred(m, st, before, given)
}

// Nodes whose distribution does not vary in a loop are filled in together.
func TestFillTogether(t *testing.T) {
	for _, c := range []struct{ model, data string }{
		{"for (i in 1:4) { a[i] ~ dnorm(m, 1) }  m ~ dnorm(3, 1)", ""},
		{"for (i in 1:4) { m[i] ~ dnorm(i, 1)  a[i] ~ dnorm(m[1], 1) }", ""},
		{"for (i in 1:4) { a[i] ~ dnorm(m[i], 1)  m[i] ~ dnorm(2, 1) }", ""},
		{"for (i in 1:4) { for (j in 1:3) { a[i,j] ~ dnorm(m[j], 1) } }  for (j in 1:3) { m[j] ~ dnorm(j, 1) }", ""},
		{"for (i in 1:4) { for (j in 1:3) { a[i,j] ~ dnorm(m[i], 1) }  m[i] ~ dnorm(i, 1) }", ""},
		{"for (i in 1:4) { for (j in 1:3) { a[j,i] ~ dnorm(m[i], 1)  b[i,j+2] ~ dgamma(2, 4) }  m[i] ~ dnorm(i, 1) }  for (i in 1:4) { b[i,1] ~ dnorm(5, 1)  b[i,2] ~ dnorm(6, 1) }", ""},
		{"for (i in 1:4) { for (j in 1:i) { a[i,j] ~ dnorm(i, 1) } }", ""},
		{"for (i in 1:5) { a[i] ~ dnorm(m, 1) T(c,) }  m <- 2 * n  n ~ dnorm(1, 1)  c ~ dunif(4, 6)", ""},
		{"for (i in 1:5) { a[i] ~ dnorm(m, 1) }  m ~ dnorm(3, 1)", `{"a": [1, null, 2, null, null]}`},
		{"for (i in 1:5) { a[i] ~ dnorm(m[a1], 1) }  a1 <- 2  for (i in 1:3) { m[i] ~ dnorm(i, 1) }", `{"a": [null, null, 2, null, null]}`},
		{"x[1] ~ dnorm(2, 1)  for (t in 2:5) { x[t] ~ dnorm(x[t-1] + 1, 1)  z[t] ~ dnorm(x[1], 1) }", ""},
		{"for (i in 1:3) { t[i] ~ dnorm(m, 1)  c[i] ~ dinterval(t[i], cut[]) }  m ~ dnorm(0, 1)", `{"c": [0, 1, 2], "cut": [1, 2]}`},
	} {
		m := bugstest.MustAnalyze(t, c.model, c.data)
		for part := range 4 {
			if n, err := fill(m, part); err != nil || n == 0 && part != 1 {
				t.Errorf("%s, %d: %d centres, %v", c.model, part, n, err)
			}
		}
	}
}

func TestFillTogetherRandom(t *testing.T) {
	n := 0
	for seed := range uint64(400) {
		x := randmodel.New(seed)
		prog, list := syntax.Parse(diag.NewSource("m.bug", x.Program), syntax.Options{})
		if list.Err() != nil {
			continue
		}
		m, list := bugs.Analyze(prog, x.Data, bugs.Options{})
		if list.Err() != nil {
			continue
		}
		for part := range 3 {
			k, err := fill(m, part)
			if n += k; err != nil {
				t.Errorf("seed %d, %d: %v\n%s", seed, part, err, x.Program)
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d centres are few", n)
	}
}
