package main

import (
	"math"
	"math/big"

	"github.com/irc-lang/irc/tests/libm/ref"
)

type num = *big.Float

// samples are a function, and the weight of its error, on points of an interval.
type samples struct{ z, f, w []num }

// sample takes Chebyshev's points of [a, b], dense at its ends.
func sample(a, b float64, count int, f, w func(num) num) samples {
	var s samples
	for i := range count {
		c := math.Cos(math.Pi * (float64(i) + 0.5) / float64(count))
		z := ref.New((a+b)/2 - (b-a)/2*c)
		s.z, s.f, s.w = append(s.z, z), append(s.f, f(z)), append(s.w, w(z))
	}
	return s
}

// minimax is the polynomial of n coefficients with the least weighted error on the
// samples, and that error: Remez's exchange (Remez 1934) on a finite set.
func (s samples) minimax(n int) (c []num, worst float64) {
	at := make([]int, n+1)
	for i := range at {
		at[i] = i * (len(s.z) - 1) / n
	}
	for range 60 {
		var level num
		c, level = s.level(at)
		errs := make([]num, len(s.z))
		for i := range s.z {
			errs[i] = ref.Mul(s.w[i], ref.Sub(horner(c, s.z[i]), s.f[i]))
		}
		next := exchange(errs, n+1)
		if next == nil {
			break
		}
		worst = 0
		for _, i := range next {
			e, _ := errs[i].Float64()
			worst = max(worst, math.Abs(e))
		}
		l, _ := level.Float64()
		at = next
		if worst <= math.Abs(l)*1.0001 {
			break
		}
	}
	return c, worst
}

// level solves P(z) + (-1)^i e / w = f on n + 1 points for P and e.
func (s samples) level(at []int) (c []num, e num) {
	n := len(at)
	m := make([][]num, n)
	for i, k := range at {
		row := make([]num, n+1)
		p := ref.New(1)
		for j := range n - 1 {
			row[j] = p
			p = ref.Mul(p, s.z[k])
		}
		row[n-1] = ref.Quo(ref.New(float64(1-2*(i%2))), s.w[k])
		row[n] = s.f[k]
		m[i] = row
	}
	x := solve(m)
	return x[:n-1], x[n-1]
}

// solve is Gauss's elimination with pivots.
func solve(m [][]num) []num {
	n := len(m)
	for i := range n {
		best := i
		for k := i + 1; k < n; k++ {
			if ref.Abs(m[k][i]).Cmp(ref.Abs(m[best][i])) > 0 {
				best = k
			}
		}
		m[i], m[best] = m[best], m[i]
		for k := i + 1; k < n; k++ {
			q := ref.Quo(m[k][i], m[i][i])
			for j := i; j <= n; j++ {
				m[k][j] = ref.Sub(m[k][j], ref.Mul(q, m[i][j]))
			}
		}
	}
	x := make([]num, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = m[i][n]
		for j := i + 1; j < n; j++ {
			x[i] = ref.Sub(x[i], ref.Mul(m[i][j], x[j]))
		}
		x[i] = ref.Quo(x[i], m[i][i])
	}
	return x
}

// exchange picks count extrema of alternating sign, the greatest ones; nil when
// there are fewer, as when the error is below what the numbers can tell.
func exchange(errs []num, count int) []int {
	var at []int
	for i, e := range errs {
		switch last := len(at) - 1; {
		case last < 0 || e.Sign() != errs[at[last]].Sign():
			at = append(at, i)
		case ref.Abs(e).Cmp(ref.Abs(errs[at[last]])) > 0:
			at[last] = i
		}
	}
	for len(at) > count { // drop an end, or the least pair
		if ref.Abs(errs[at[0]]).Cmp(ref.Abs(errs[at[len(at)-1]])) < 0 {
			at = at[1:]
		} else {
			at = at[:len(at)-1]
		}
	}
	if len(at) < count {
		return nil
	}
	return at
}

func horner(c []num, z num) num {
	s := c[len(c)-1]
	for k := len(c) - 2; k >= 0; k-- {
		s = ref.Add(ref.Mul(s, z), c[k])
	}
	return s
}

// rounded is minimax with coefficients of prec bits, and what the first one lost.
// Each is rounded in turn, and those after it are fitted again to make good for it;
// not on intervals with 0 inside, where z, z^2 ... are no Chebyshev system.
func (s samples) rounded(n int, prec uint) (c []float64, lost, worst float64) {
	inside := s.z[0].Sign() < 0 && s.z[len(s.z)-1].Sign() > 0
	fit, _ := s.minimax(n)
	rest := samples{s.z, append([]num{}, s.f...), append([]num{}, s.w...)}
	for k := range n {
		if inside {
			fit = fit[min(k, 1):]
		} else {
			fit, _ = rest.minimax(n - k)
		}
		r := new(big.Float).SetPrec(prec).Set(fit[0])
		x, _ := r.Float64()
		c = append(c, x)
		if inside && k == 0 {
			lost, _ = new(big.Float).SetPrec(prec).Sub(fit[0], r).Float64()
		}
		for i := range rest.z {
			rest.f[i] = ref.Quo(ref.Sub(rest.f[i], r), rest.z[i])
			rest.w[i] = ref.Mul(rest.w[i], rest.z[i])
		}
	}
	all := make([]num, n)
	for i, x := range c {
		all[i] = ref.New(x)
	}
	all[0] = ref.Add(all[0], ref.New(lost))
	for i := range s.z {
		e, _ := ref.Mul(s.w[i], ref.Sub(horner(all, s.z[i]), s.f[i])).Float64()
		worst = max(worst, math.Abs(e))
	}
	return c, lost, worst
}
