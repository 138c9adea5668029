package naive

import (
	"math"
)

// vectors are the distributions whose node or parameters are arrays.
var vectors = map[string]func(x value, args []value) float64{
	"dmulti": func(x value, a []value) float64 {
		p, n, s := a[0].v, a[1].v[0], lgamma(a[1].v[0]+1)
		if total(x.v) != n {
			return -inf
		}
		for i, k := range x.v {
			if !whole(k) || k < 0 {
				return -inf
			}
			s += xlogy(k, p[i]/total(p)) - lgamma(k+1)
		}
		return s
	},
	"ddirch": func(x value, a []value) float64 {
		s := 0.0
		if math.Abs(total(x.v)-1) > 1e-6 {
			return -inf
		}
		sum := 0.0
		for i, al := range a[0].v {
			if al == 0 {
				continue
			}
			if x.v[i] <= 0 {
				return -inf
			}
			s += (al-1)*ln(x.v[i]) - lgamma(al)
			sum += al
		}
		return s + lgamma(sum)
	},
	"dmnorm": func(x value, a []value) float64 { return normal(x.v, a[0].v, a[1].v) },
	"dmnorm.vcov": func(x value, a []value) float64 {
		return normal(x.v, a[0].v, inverse(a[1].v, len(x.v)))
	},
	"dmt": func(x value, a []value) float64 {
		n, k := float64(len(x.v)), a[2].v[0]
		q := quadratic(minus(x.v, a[0].v), a[1].v)
		return lgamma((k+n)/2) - lgamma(k/2) - n/2*ln(k*math.Pi) + logDet(a[1].v, len(x.v))/2 - (k+n)/2*math.Log1p(q/k)
	},
	"dwish": func(x value, a []value) float64 {
		n, k := x.dims[0], a[1].v[0]
		p := float64(n)
		trace := 0.0
		for i := range n {
			for j := range n {
				trace += a[0].v[i*n+j] * x.v[j*n+i]
			}
		}
		norm := k*p/2*math.Ln2 + p*(p-1)/4*ln(math.Pi)
		for i := range n {
			norm += lgamma((k - float64(i)) / 2)
		}
		return (k-p-1)/2*logDet(x.v, n) - trace/2 + k/2*logDet(a[0].v, n) - norm
	},
	"dordered.logit": func(x value, a []value) float64 { return ordered(x.v[0], a[0].v[0], a[1].v, ilogit) },
	"dordered.probit": func(x value, a []value) float64 {
		return ordered(x.v[0], a[0].v[0], a[1].v, normalCDF)
	},
	"dnormmix": func(x value, a []value) float64 {
		s := 0.0
		for i, w := range a[2].v {
			s += w / total(a[2].v) * math.Exp(scalars["dnorm"](x.v[0], []float64{a[0].v[i], a[1].v[i]}))
		}
		return ln(s)
	},
	"dinterval": func(x value, a []value) float64 {
		n := 0.0
		for _, c := range a[1].v {
			n += truth(c < a[0].v[0])
		}
		return support(x.v[0] == n, func() float64 { return 0 })
	},
	"dsum": func(x value, a []value) float64 {
		return support(math.Abs(x.v[0]-total(all(a))) <= 1e-10*math.Abs(x.v[0]), func() float64 { return 0 })
	},
}

func ordered(x, mu float64, cut []float64, f func(float64) float64) float64 {
	k := int(x)
	if !whole(x) || k < 1 || k > len(cut)+1 {
		return -inf
	}
	hi, lo := 1.0, 0.0
	if k <= len(cut) {
		hi = f(cut[k-1] - mu)
	}
	if k > 1 {
		lo = f(cut[k-2] - mu)
	}
	return ln(hi - lo)
}

func total(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

func minus(x, y []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i] - y[i]
	}
	return out
}

func normal(x, mu, prec []float64) float64 {
	n := len(x)
	return -float64(n)/2*ln(2*math.Pi) + logDet(prec, n)/2 - quadratic(minus(x, mu), prec)/2
}
