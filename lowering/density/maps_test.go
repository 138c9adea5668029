package density

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
	"gonum.org/v1/gonum/mat"
)

// landscape is a random map: links with weights, and what follows from them.
type landscape struct {
	n            int
	adj, weights []float64
	num          []float64
	w            *mat.SymDense // 0 where there is no link
}

func newLandscape(r *rand.Rand, n int, density float64) landscape {
	l := landscape{n: n, num: make([]float64, n), w: mat.NewSymDense(n, nil)}
	for i := range n {
		for j := range i {
			if r.Float64() < density || i == 1 {
				l.w.SetSym(i, j, 0.25+r.Float64())
			}
		}
	}
	for i := range n {
		for j := range n {
			if w := l.w.At(i, j); w > 0 {
				l.adj, l.weights, l.num[i] = append(l.adj, float64(j+1)), append(l.weights, w), l.num[i]+1
			}
		}
	}
	return l
}

// islands are found by following links, without union and find.
func (l landscape) islands() int {
	seen, count := make([]bool, l.n), 0
	var visit func(i int)
	visit = func(i int) {
		seen[i] = true
		for j := range l.n {
			if l.w.At(i, j) > 0 && !seen[j] {
				visit(j)
			}
		}
	}
	for i := range l.n {
		if !seen[i] {
			count++
			visit(i)
		}
	}
	return count
}

func (l landscape) at(t *testing.T, text string, data map[string]any, x []float64) float64 {
	t.Helper()
	encode := func(x any) string {
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+text+"}")), parseData(t, diag.NewSource("d.json", encode(data))))
	st, _, list := p.Point(parseData(t, diag.NewSource("x.json", encode(map[string]any{"x": x}))), false)
	if len(list) > 0 {
		t.Fatal(list)
	}
	agree(t, p, st, text)
	r, err := p.LogDensity(st)
	if err != nil {
		t.Fatal(text, err)
	}
	return r.Logp
}

func deviates(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// car.normal is the normal density with the singular precision matrix tau (D - W), by its
// eigenvalues that are not 0, whose product over the powers of tau is left out.
func TestIntrinsicMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for round := range 24 {
		n := 2 + round%9
		if round > 21 {
			n = 40
		}
		l, tau := newLandscape(r, n, 1.5/float64(n)), 0.2+3*r.Float64()
		q := mat.NewSymDense(n, nil)
		for i := range n {
			sum := 0.0
			for j := range n {
				if sum += l.w.At(i, j); i != j {
					q.SetSym(i, j, -l.w.At(i, j))
				}
			}
			q.SetSym(i, i, sum)
		}
		var e mat.EigenSym
		var vectors mat.Dense
		if !e.Factorize(q, true) {
			t.Fatal("no eigenvalues")
		}
		e.VectorsTo(&vectors)
		x, want, logs, rank := deviates(r, n), 0.0, 0.0, 0
		for k, lambda := range e.Values(nil) {
			if lambda < 1e-9 {
				continue
			}
			along := mat.Dot(vectors.ColView(k), mat.NewVecDense(n, x))
			want += 0.5*(math.Log(lambda*tau)-math.Log(2*math.Pi)) - 0.5*tau*lambda*along*along
			logs += 0.5 * math.Log(lambda)
			rank++
		}
		if rank != n-l.islands() {
			t.Fatalf("%d areas on %d islands have the rank %d", n, l.islands(), rank)
		}
		got := l.at(t, fmt.Sprintf("x[1:%d] ~ car.normal(adj[], w[], num[], tau)", n),
			map[string]any{"adj": l.adj, "w": l.weights, "num": l.num, "tau": tau}, x)
		if !close10(got, want-logs) {
			t.Errorf("%d areas: %v, want %v", n, got, want-logs)
		}
	}
}

// car.proper is the normal density with precision matrix tau inverse(M) (I - gamma C), whose
// determinant is that of its factors here.
func TestProperMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for round := range 24 {
		n := 2 + round%9
		if round > 21 {
			n = 40
		}
		l, tau, gamma := newLandscape(r, n, 1.5/float64(n)), 0.2+3*r.Float64(), 1.9*r.Float64()-0.95
		m, c, a := make([]float64, n), []float64{}, mat.NewDense(n, n, nil) // a is I - gamma C
		for i := range n {
			sum := 0.0
			for j := range n {
				sum += l.w.At(i, j)
			}
			m[i] = 1
			if sum > 0 {
				m[i] = 1 / sum
			}
			a.Set(i, i, 1)
			for j := range n {
				if w := l.w.At(i, j); w > 0 {
					c = append(c, w*m[i])
					a.Set(i, j, -gamma*w*m[i])
				}
			}
		}
		x, mu := deviates(r, n), deviates(r, n)
		logDet, sign := mat.LogDet(a)
		if sign <= 0 {
			t.Fatal("gamma is out of its range")
		}
		want := 0.5 * logDet
		for i := range n {
			want += 0.5 * (math.Log(tau) - math.Log(m[i]) - math.Log(2*math.Pi))
			for j := range n {
				want -= 0.5 * tau / m[i] * a.At(i, j) * (x[i] - mu[i]) * (x[j] - mu[j])
			}
		}
		got := l.at(t, fmt.Sprintf("x[1:%d] ~ car.proper(mu[], C[], adj[], num[], M[], tau, gamma)", n),
			map[string]any{"mu": mu, "C": c, "adj": l.adj, "num": l.num, "M": m, "tau": tau, "gamma": gamma}, x)
		if !close10(got, want) {
			t.Errorf("%d areas: %v, want %v", n, got, want)
		}
	}
}
