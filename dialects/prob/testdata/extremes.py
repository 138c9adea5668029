# Log densities and tail probabilities at extreme arguments, with many digits, of the
# definitions of the language: python3 extremes.py > extremes.json (mpmath 1.3).
from mpmath import mp, mpf, log, exp, gamma, loggamma, pi, sqrt, binomial, erfc, betainc, gammainc, nsum, inf, log1p, expm1, quad, ncdf, floor
import json
mp.dps = 80
L = loggamma
def lbeta(a, b): return L(a) + L(b) - L(a + b)
def lchoose(n, k): return L(n + 1) - L(k + 1) - L(n - k + 1)
def xl(x, y): return mpf(0) if x == 0 else x * log(y)
def gam(x, r, l): return r * log(l) - L(r) + xl(r - 1, x) - l * x
def norm(x, m, t): return (log(t) - log(2 * pi)) / 2 - t * (x - m) ** 2 / 2
def logis(x, m, t):
    z = t * (x - m)
    return log(t) + z - 2 * log(1 + exp(z))
D = {
 'dnorm': norm,
 'dlnorm': lambda x, m, t: norm(log(x), m, t) - log(x),
 'dt': lambda x, m, t, k: L((k + 1) / 2) - L(k / 2) + log(t) / 2 - log(k * pi) / 2 - (k + 1) / 2 * log(1 + t * (x - m) ** 2 / k),
 'dlogis': logis,
 'ddexp': lambda x, m, t: log(t / 2) - t * abs(x - m),
 'dgamma': gam,
 'dexp': lambda x, l: log(l) - l * x,
 'dchisqr': lambda x, k: gam(x, k / 2, mpf(1) / 2),
 'dweib': lambda x, v, l: log(v) + log(l) + xl(v - 1, x) - l * x ** v,
 'dgen.gamma': lambda x, r, l, b: log(b) + b * r * log(l) + xl(b * r - 1, x) - (l * x) ** b - L(r),
 'df': lambda x, n, m: n / 2 * log(n / m) - lbeta(n / 2, m / 2) + xl(n / 2 - 1, x) - (n + m) / 2 * log(1 + n * x / m),
 'dbeta': lambda x, a, b: xl(a - 1, x) + xl(b - 1, 1 - x) - lbeta(a, b),
 'dunif': lambda x, a, b: -log(b - a),
 'dpar': lambda x, a, c: log(a) + a * log(c) - (a + 1) * log(x),
 'dgev': lambda x, m, s, e: (lambda t: -log(s) - (1 + e) * t - exp(-t))(log(1 + e * (x - m) / s) / e if e != 0 else (x - m) / s),
 'dgpar': lambda x, m, s, e: (lambda t: -log(s) - (1 + e) * t)(log(1 + e * (x - m) / s) / e if e != 0 else (x - m) / s),
 'dscaled.gamma': lambda x, s, k: D['df'](x * s * s, k, mpf(1)) + 2 * log(s),
 'dbern': lambda x, p: xl(x, p) + xl(1 - x, 1 - p),
 'dbin': lambda x, p, n: lchoose(n, x) + xl(x, p) + xl(n - x, 1 - p),
 'dpois': lambda x, l: xl(x, l) - l - L(x + 1),
 'dnegbin': lambda x, p, r: L(x + r) - L(x + 1) - L(r) + r * log(p) + xl(x, 1 - p),
 'dgeom': lambda x, p: log(p) + xl(x - 1, 1 - p),
 'dgeom0': lambda x, p: log(p) + xl(x, 1 - p),
 'dbetabin': lambda x, a, b, n: lchoose(n, x) + lbeta(x + a, n - x + b) - lbeta(a, b),
 'dnt': None,
}
C = [
 ('dnorm', 1e300, [0, 1e-300]), ('dnorm', 1e300, [0, 1e-320]), ('dnorm', 1e150, [-1e150, 1e-300]), ('dnorm', 3, [3, 1e308]), ('dnorm', 1e-300, [0, 1e308]), ('dnorm', 1 + 2.0**-40, [1, 1e20]),
 ('dlnorm', 1e-300, [0, 1]), ('dlnorm', 1e300, [600, 2]), ('dlnorm', 5e-324, [-700, 1e-5]),
 ('dt', 1.5, [0, 1, 1e8]), ('dt', 40, [0, 1, 1e8]), ('dt', 1.5, [0, 1, 1e15]), ('dt', 1e200, [0, 1, 3]), ('dt', 1e200, [0, 1e-300, 0.001]), ('dt', 1e-10, [0, 1, 1e-10]), ('dt', 2, [0, 1, 1e300]), ('dt', 1e160, [0, 1e-10, 1e5]), ('dt', 5, [1, 2, 40]),
 ('dlogis', 1e5, [0, 1]), ('dlogis', -1e5, [0, 1]), ('dlogis', 1e-10, [0, 1e-10]),
 ('ddexp', 1e300, [0, 1e-300]), ('ddexp', 1e-300, [0, 1e300]),
 ('dgamma', 1e-10, [1e-300, 1]), ('dgamma', 2, [1e-10, 1e-10]), ('dgamma', 1e10, [1e10, 1]), ('dgamma', 1.0001, [1e10, 1e10]), ('dgamma', 1.00001, [1e10, 1e10]), ('dgamma', 3, [1e10, 1e10]), ('dgamma', 1e300, [2, 1e-300]), ('dgamma', 1e-300, [2, 1e300]), ('dgamma', 1000.5, [1000, 1]), ('dgamma', 1.01, [1e6, 1e6]), ('dgamma', 1e-320, [0.5, 1]), ('dgamma', 12, [15, 0.9]),
 ('dexp', 1e300, [1e-300]), ('dexp', 1e-300, [1e300]), ('dchisqr', 1e8, [1e8]), ('dchisqr', 1.0e10 + 2e5, [1e10]),
 ('dweib', 1e-300, [1e-3, 1]), ('dweib', 1.0000001, [1e8, 1]), ('dweib', 2, [0.001, 1e300]),
 ('dgen.gamma', 1.0001, [1e10, 1e10, 1]), ('dgen.gamma', 1e5, [1e10, 1, 2]), ('dgen.gamma', 1e-200, [0.01, 1e150, 0.5]),
 ('df', 1, [1e10, 1e10]), ('df', 1.00001, [1e10, 1e10]), ('df', 2, [5, 1e12]), ('df', 1e-200, [3, 4]), ('df', 1e200, [3, 4]), ('df', 1e-5, [1e-5, 1e-5]),
 ('dbeta', 1e-300, [0.5, 2]), ('dbeta', 1 - 2.0**-53, [2, 0.5]), ('dbeta', 0.5, [1e9, 1e9]), ('dbeta', 0.50001, [1e9, 1e9]), ('dbeta', 1e-9, [10, 1e10]), ('dbeta', 0.5, [1e-300, 1e-300]), ('dbeta', 0.3, [1e-10, 5]), ('dbeta', 1e-320, [1e-5, 3]), ('dbeta', 0.25, [25, 75]), ('dbeta', 0.9, [1e6, 1e5]),
 ('dunif', 1e300, [-1e300, 1e308]), ('dunif', 1e-300, [0, 2e-300]),
 ('dpar', 1e300, [1e-5, 1e-300]), ('dpar', 1.0000001, [1e9, 1]),
 ('dgev', 1e5, [0, 1, 1e-12]), ('dgev', 3, [0, 1, 1e-300]), ('dgev', -3, [0, 1, -1e-10]), ('dgev', 1e10, [0, 1, 0.5]), ('dgpar', 5, [0, 1, 1e-12]), ('dgpar', 1e200, [0, 1e-100, 2]),
 ('dscaled.gamma', 1e-10, [1e3, 2]), ('dscaled.gamma', 1e10, [1e-8, 1e6]), ('dscaled.gamma', 1.0, [1, 1e10]),
 ('dbern', 1, [1e-300]), ('dbern', 0, [1 - 2.0**-53]), ('dbern', 0, [1e-300]),
 ('dbin', 3e8, [0.3, 1e9]), ('dbin', 300001234, [0.3, 1e9]), ('dbin', 299900000, [0.3, 1e9]), ('dbin', 0, [1e-9, 1e9]), ('dbin', 3, [1e-9, 1e9]), ('dbin', 1e9, [1 - 1e-9, 1e9]), ('dbin', 999999998, [1 - 2.0**-30, 1e9]), ('dbin', 5e14, [0.5, 1e15]), ('dbin', 500, [0.5, 1000]), ('dbin', 1, [1e-300, 1000]), ('dbin', 17, [0.9, 20]), ('dbin', 100, [0.5, 1e5]),
 ('dpois', 0, [1e-300]), ('dpois', 1, [1e-300]), ('dpois', 1e9, [1e9]), ('dpois', 1000050000, [1e9]), ('dpois', 1e15, [1e15]), ('dpois', 5, [1e6]), ('dpois', 1000, [1e-3]), ('dpois', 3, [2.5]), ('dpois', 20000, [20100.5]),
 ('dnegbin', 3, [1 - 2.0**-30, 1e10]), ('dnegbin', 1000000000, [0.5, 1e9]), ('dnegbin', 1000010000, [0.5, 1e9]), ('dnegbin', 5, [1e-300, 1e-10]), ('dnegbin', 0, [1e-10, 1e10]), ('dnegbin', 2, [0.5, 1e-300]), ('dnegbin', 12, [0.3, 4.5]), ('dnegbin', 1e12, [1e-12, 1.5]), ('dnegbin', 0, [1 - 2.0**-53, 1e15]),
 ('dgeom', 1e15, [1e-15]), ('dgeom', 1, [1e-300]), ('dgeom0', 1e10, [2.0**-40]), ('dgeom0', 1000, [0.999999]),
 ('dbetabin', 500, [1e9, 1e9, 1000]), ('dbetabin', 3, [1e-5, 1e-5, 10]), ('dbetabin', 300000, [30, 70, 1e6]), ('dbetabin', 3e6, [3e9, 7e9, 1e7]), ('dbetabin', 0, [1e-10, 1e10, 100]),
]
def num(x): return mpf(x)
out = []
for d, x, p in C:
    mp.dps = 700
    v = D[d](num(x), *[num(y) for y in p])
    out.append({'distribution': d, 'x': x, 'arguments': p, 'logp': float(v)})

# Tails: log P(X <= x) and log P(X > x).
def lower_reg(a, z): return gammainc(a, 0, z, regularized=True)
def upper_reg(a, z): return gammainc(a, z, inf, regularized=True)
def ibeta(a, b, x): return betainc(a, b, 0, x, regularized=True)
tails = []
def tail(d, x, p, lo, hi): tails.append({'distribution': d, 'x': x, 'arguments': p, 'below': float(log(lo)), 'above': float(log(hi))})
mp.dps = 60
def both(d, x, p, lo, hi): tail(d, x, p, lo, hi)
for z in [-38., -10., -1e-10, 3., 37.]:
    zz = num(z)
    both('dnorm', z, [0, 1], erfc(-zz / sqrt(2)) / 2, erfc(zz / sqrt(2)) / 2)
for z, a, l in [(1e-10, 2.5, 1.), (50., 0.5, 1.), (700., 3., 1.), (90., 100., 1.), (150., 100., 1.), (1e-5, 1e-3, 1.)]:
    both('dgamma', z, [a, l], lower_reg(num(a), num(z)), upper_reg(num(a), num(z)))
for z, a, b in [(1e-8, 2., 3.), (0.999999, 2., 3.), (0.5, 100., 100.), (0.2, 100., 100.), (0.001, 0.01, 5.), (0.3, 20., 3.)]:
    both('dbeta', z, [a, b], ibeta(num(a), num(b), num(z)), ibeta(num(b), num(a), 1 - num(z)))
for z, k in [(-50., 2.), (-5., 30.), (1e5, 3.), (2., 1e4), (-1e-9, 4.)]:
    zz, kk = num(z), num(k)
    one = ibeta(kk / 2, mpf(1) / 2, kk / (kk + zz * zz)) / 2
    both('dt', z, [0, 1, k], one if z < 0 else 1 - one, 1 - one if z < 0 else one)
for x, p, n in [(3, 1e-3, 1000), (900, 0.5, 1000), (10, 0.9, 40), (0, 1e-12, 50)]:
    pp = num(p)
    lo = sum(exp(D['dbin'](num(j), pp, num(n))) for j in range(0, x + 1))
    hi = sum(exp(D['dbin'](num(j), pp, num(n))) for j in range(x + 1, n + 1))
    both('dbin', x, [p, n], lo, hi)
for x, l in [(0, 1e-10), (200, 20.), (3, 60.), (1000, 1000.)]:
    both('dpois', x, [l], upper_reg(num(x + 1), num(l)), lower_reg(num(x + 1), num(l)))
print(json.dumps({'densities': out, 'tails': tails}, indent=0).replace('\n', ' ').replace('}, {', '},\n{'))
