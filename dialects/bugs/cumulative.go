package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// cumulative makes the tails of distributions by the table's name, at x for valid
// parameters. A distribution of counts has steps: P(X > x) is that of the next count.
func cumulative[T, B any]() map[string]func(k calc[T, B], x T, p []T) tails[T] {
	type tail = func(k calc[T, B], x T, p []T) tails[T]
	all := map[string]tail{
		"dnorm": func(k calc[T, B], x T, p []T) tails[T] { return normalTails(k, x, p[0], p[1]) },
		"dlnorm": func(k calc[T, B], x T, p []T) tails[T] {
			y := k.log(orElse(k, k.holds(arith.OGT, x, k.num(0)), x, 1))
			return onSupport(k, x, k.num(0), k.num(inf), normalTails(k, y, p[0], p[1]))
		},
		"dt": func(k calc[T, B], x T, p []T) tails[T] {
			z := k.sub(x, p[0])
			return studentTails(k, z, k.mul(p[1], k.mul(z, k.div(z, p[2]))), p[2])
		},
		"dlogis": func(k calc[T, B], x T, p []T) tails[T] {
			z := k.mul(p[1], k.sub(x, p[0]))
			return tails[T]{k.neg(k.fn(special.Log1pexp, k.neg(z))), k.neg(k.fn(special.Log1pexp, z))}
		},
		"ddexp": func(k calc[T, B], x T, p []T) tails[T] {
			z := k.mul(p[1], k.sub(x, p[0]))
			far := k.sub(k.num(-gomath.Ln2), k.abs(z))
			return pickTails(k, k.holds(arith.OLE, z, k.num(0)), fromBelow(k, far), fromAbove(k, far))
		},
		"dgamma": func(k calc[T, B], x T, p []T) tails[T] { return gammaTails(k, p[0], k.mul(p[1], x)) },
		"dexp": func(k calc[T, B], x T, p []T) tails[T] {
			return decaying(k, x, k.num(0), k.neg(k.mul(p[0], x)))
		},
		"dchisqr": func(k calc[T, B], x T, p []T) tails[T] {
			return gammaTails(k, k.mul(p[0], k.num(0.5)), k.mul(x, k.num(0.5)))
		},
		"dweib": func(k calc[T, B], x T, p []T) tails[T] {
			cx := greater(k, x, k.num(0))
			return decaying(k, x, k.num(0), k.neg(k.mul(p[1], k.pow(cx, p[0]))))
		},
		"dgen.gamma": func(k calc[T, B], x T, p []T) tails[T] {
			return gammaTails(k, p[0], k.pow(k.mul(p[1], greater(k, x, k.num(0))), p[2]))
		},
		"dbeta": func(k calc[T, B], x T, p []T) tails[T] {
			return betaTails(k, p[0], p[1], x, k.sub(k.num(1), x))
		},
		"dunif": func(k calc[T, B], x T, p []T) tails[T] {
			n := k.sub(p[1], p[0])
			below := greater(k, k.div(k.sub(x, p[0]), n), k.num(0))
			above := greater(k, k.div(k.sub(p[1], x), n), k.num(0))
			return onSupport(k, x, p[0], p[1], tails[T]{k.log(below), k.log(above)})
		},
		"dpar": func(k calc[T, B], x T, p []T) tails[T] {
			return decaying(k, x, p[1], k.neg(k.mul(p[0], k.log(k.div(greater(k, x, p[1]), p[1])))))
		},
		"df": func(k calc[T, B], x T, p []T) tails[T] { return fisherTails(k, x, p) },
		"dscaled.gamma": func(k calc[T, B], x T, p []T) tails[T] {
			return fisherTails(k, k.mul(k.mul(x, p[0]), p[0]), []T{p[1], k.num(1)})
		},
		"dgev":  gevTails[T, B],
		"dgpar": gparTails[T, B],
	}
	for name, f := range countTails[T, B]() {
		all[name] = f
	}
	return all
}

func normalTails[T, B any](k calc[T, B], x, mu, tau T) tails[T] {
	z := k.mul(k.sub(x, mu), k.sqrt(tau))
	return tails[T]{k.fn(special.LogPhi, z), k.fn(special.LogPhi, k.neg(z))}
}

// studentTails are those of Student's t with n degrees of freedom where t has the
// sign of z and t^2/n = s.
func studentTails[T, B any](k calc[T, B], z, s, n T) tails[T] {
	one, half := k.num(1), k.num(0.5)
	both := betaTails(k, k.mul(half, n), half, k.div(one, k.add(one, s)), k.div(one, k.add(one, k.div(one, s))))
	far := k.add(k.num(-gomath.Ln2), both.below)
	return pickTails(k, k.holds(arith.OLE, z, k.num(0)), fromBelow(k, far), fromAbove(k, far))
}

// decaying are the tails of which the upper is at most 0 from x = lo on.
func decaying[T, B any](k calc[T, B], x, lo, above T) tails[T] {
	return onSupport(k, x, lo, k.num(inf), fromAbove(k, lesser(k, above, k.num(0))))
}

// fisherTails: n x/(n x + m) is beta(n/2, m/2).
func fisherTails[T, B any](k calc[T, B], x T, p []T) tails[T] {
	one, half := k.num(1), k.num(0.5)
	r := k.div(k.mul(p[0], fisherScale(k, x, p)), p[1])
	r = greater(k, r, k.num(0))
	return betaTails(k, k.mul(half, p[0]), k.mul(half, p[1]), k.div(one, k.add(one, k.div(one, r))), k.div(one, k.add(one, r)))
}

// fisherScale is x, or sqrt(tau) (x - mu) in OpenBUGS's df(n, m, mu, tau).
func fisherScale[T, B any](k calc[T, B], x T, p []T) T {
	if len(p) > 2 {
		x = k.sub(x, p[2])
	}
	if len(p) > 3 {
		x = k.mul(k.sqrt(p[3]), x)
	}
	return x
}

// extreme is log(z)/eta with z = 1 + eta (x - mu)/sigma, which is (x - mu)/sigma
// for eta = 0; inside says z > 0.
func extreme[T, B any](k calc[T, B], x T, p []T) (t T, inside B) {
	w := k.div(k.sub(x, p[0]), p[1])
	z1 := k.mul(p[2], w)
	inside = k.holds(arith.OGT, z1, k.num(-1))
	flat := k.holds(arith.OLT, k.abs(z1), k.num(1e-200))
	eta := k.pick(flat, k.num(1), p[2])
	return k.pick(flat, w, k.div(k.log1p(orElse(k, inside, z1, 0)), eta)), inside
}

func gevTails[T, B any](k calc[T, B], x T, p []T) tails[T] {
	t, inside := extreme(k, x, p)
	v := fromBelow(k, k.neg(k.exp(k.neg(t))))
	none, all := k.num(gomath.Inf(-1)), k.num(0)
	out := pickTails(k, k.holds(arith.OGT, p[2], k.num(0)), tails[T]{none, all}, tails[T]{all, none})
	return pickTails(k, inside, v, out)
}

func gparTails[T, B any](k calc[T, B], x T, p []T) tails[T] {
	t, inside := extreme(k, greater(k, x, p[0]), p)
	v := fromAbove(k, k.neg(t))
	return onSupport(k, x, p[0], k.num(inf), pickTails(k, inside, v, tails[T]{k.num(0), k.num(gomath.Inf(-1))}))
}
