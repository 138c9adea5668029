# Derivatives of log densities, of logarithms of truncation and of the unconstrained scale by all
# of their real arguments, by central differences of the definitions of the language with 150
# digits or more, good to 50: python3 gradients.py > gradients.json (mpmath 1.3).
#
# A case has the arguments in their order (the node first; arrays are stored row by row), the
# derivatives (null where an argument is a count), and for each derivative d its condition: the sum
# over all arguments a of |a d'(a)|, which is what relative errors of the arguments make of it.
from mpmath import mp, mpf, log, exp, loggamma as L, pi, sqrt, erfc, betainc, gammainc, log1p, besseli, pcfd, ncdf, matrix, det, atan
import json
mp.dps = 150

def lbeta(a, b): return L(a) + L(b) - L(a + b)
def lchoose(n, k): return L(n + 1) - L(k + 1) - L(n - k + 1)
def xl(x, y): return mpf(0) if x == 0 else x * log(y)
def ilogit(x): return 1 / (1 + exp(-x))
def gam(x, r, l): return r * log(l) - L(r) + xl(r - 1, x) - l * x
def norm(x, m, t): return (log(t) - log(2 * pi)) / 2 - t * (x - m) ** 2 / 2
def student(x, m, t, k): return L((k + 1) / 2) - L(k / 2) + log(t) / 2 - log(k * pi) / 2 - (k + 1) / 2 * log1p(t * (x - m) ** 2 / k)
def fisher(x, n, m, mu=mpf(0), tau=mpf(1)):
    y = sqrt(tau) * (x - mu)
    return log(tau) / 2 + n / 2 * log(n / m) - lbeta(n / 2, m / 2) + xl(n / 2 - 1, y) - (n + m) / 2 * log1p(n * y / m)
def extreme(x, m, s, e):
    w = (x - m) / s
    if abs(e) < mpf(10) ** -25:  # a series, which differences can be taken of
        return w * sum((-e * w) ** j / (j + 1) for j in range(12))
    return log1p(e * w) / e
def gev(x, m, s, e):
    t = extreme(x, m, s, e)
    return -log(s) - (1 + e) * t - exp(-t)
def gpar(x, m, s, e): return -log(s) - (1 + e) * extreme(x, m, s, e)
def nchisqr(x, k, d):
    if d < mpf(10) ** -35:  # of Bessel's function the first terms
        return log(sum(exp(-d / 2) * (d / 2) ** j / mp.factorial(j) * exp(gam(x, k / 2 + j, mpf(1) / 2)) for j in range(6)))
    return -log(2) - (x + d) / 2 + (k / 4 - mpf(1) / 2) * log(x / d) + log(mp.re(besseli(k / 2 - 1, sqrt(d * x))))
def nt(x, mu, tau, k):
    t, d = x * sqrt(tau), mu * sqrt(tau)
    A, B = 1 + t * t / k, t * d / sqrt(k)
    v = L(k + 1) + B * B / (4 * A) + log(mp.re(pcfd(-(k + 1), -B / sqrt(A)))) - (k + 1) / 2 * log(A)
    return v - d * d / 2 + log(tau) / 2 - log(2 * pi * k) / 2 - (k / 2 - 1) * log(2) - L(k / 2)
def tri(x, a, b, c): return log(2 / (b - a)) + (log((x - a) / (c - a)) if x < c else log((b - x) / (b - c)))
def hyperweight(x, n1, n2, m1, psi): return exp(lchoose(n1, x) + lchoose(n2, m1 - x)) * psi ** x
def hyper(x, n1, n2, m1, psi):
    lo, hi = int(max(0, m1 - n2)), int(min(n1, m1))
    return log(hyperweight(x, n1, n2, m1, psi) / sum(hyperweight(mpf(j), n1, n2, m1, psi) for j in range(lo, hi + 1)))

D = {
 'dnorm': norm,
 'dlnorm': lambda x, m, t: norm(log(x), m, t) - log(x),
 'dt': student,
 'dnt': nt,
 'dlogis': lambda x, m, t: log(t) + t * (x - m) - 2 * log1p(exp(t * (x - m))),
 'ddexp': lambda x, m, t: log(t / 2) - t * abs(x - m),
 'dgamma': gam,
 'dexp': lambda x, l: log(l) - l * x,
 'dchisqr': lambda x, k: gam(x, k / 2, mpf(1) / 2),
 'dnchisqr': nchisqr,
 'dweib': lambda x, v, l: log(v) + log(l) + xl(v - 1, x) - l * x ** v,
 'dgen.gamma': lambda x, r, l, b: log(b) + b * r * log(l) + xl(b * r - 1, x) - (l * x) ** b - L(r),
 'df': fisher,
 'dbeta': lambda x, a, b: xl(a - 1, x) + xl(b - 1, 1 - x) - lbeta(a, b),
 'dunif': lambda x, a, b: -log(b - a),
 'dpar': lambda x, a, c: log(a) + a * log(c) - (a + 1) * log(x),
 'dgev': gev,
 'dgpar': gpar,
 'dscaled.gamma': lambda x, s, k: fisher(x * s * s, k, mpf(1)) + 2 * log(s),
 'dinvgamma': lambda x, a, b: gam(1 / x, a, b) - 2 * log(x),
 'dcauchy': lambda x, m, s: -log(pi * s) - log1p(((x - m) / s) ** 2),
 'dhalfcauchy': lambda x, s: log(2) - log(pi * s) - log1p((x / s) ** 2),
 'dtri': tri,
 'dflat': lambda x: 0 * x,
 'dhalfflat': lambda x: 0 * x,
 'dloglik': lambda x, p: p + 0 * x,
 'dbern': lambda x, p: xl(x, p) + xl(1 - x, 1 - p),
 'dbin': lambda x, p, n: lchoose(n, x) + xl(x, p) + xl(n - x, 1 - p),
 'dpois': lambda x, l: xl(x, l) - l - L(x + 1),
 'dnegbin': lambda x, p, r: L(x + r) - L(x + 1) - L(r) + r * log(p) + xl(x, 1 - p),
 'dgeom': lambda x, p: log(p) + xl(x - 1, 1 - p),
 'dgeom0': lambda x, p: log(p) + xl(x, 1 - p),
 'dbetabin': lambda x, a, b, n: lchoose(n, x) + lbeta(x + a, n - x + b) - lbeta(a, b),
 'dhyper': hyper,
 'dpick': lambda x, p, a, b: log(p) if x == a else log(1 - p),
 'dinterval': lambda x, t, c: mpf(0),
 'dconstraint': lambda x, c: mpf(0),
 'dround': lambda x, t, d: mpf(0),
 'dsum': lambda *a: mpf(0),
}
# Which arguments are counts: of them there is no derivative.
COUNTS = {'dbern': [0], 'dbin': [0, 2], 'dpois': [0], 'dnegbin': [0], 'dgeom': [0], 'dgeom0': [0], 'dbetabin': [0, 3], 'dhyper': [0, 1, 2, 3],
 'dcat': [0], 'dmulti': [0, 2], 'dsample': [0, 2], 'dordered.logit': [0], 'dordered.probit': [0], 'dinterval': [0], 'dconstraint': [0],
 'dround': [2], 'dpick': [0, 2, 3], 'car.normal': [1, 3], 'car.proper': [3, 4]}

# Arrays: a vector is a list, a matrix a list of rows. Elements are free; a symmetric matrix is read as the mean of it and its transpose.
def sym(a): return matrix([[(a[i][j] + a[j][i]) / 2 for j in range(len(a))] for i in range(len(a))])
def dot(x, a, y): return sum(x[i] * a[i, j] * y[j] for i in range(len(x)) for j in range(len(y)))
def minus(x, y): return [p - q for p, q in zip(x, y)]
def mnorm(x, m, o):
    a, z = sym(o), minus(x, m)
    return log(det(a)) / 2 - len(x) * log(2 * pi) / 2 - dot(z, a, z) / 2
def mt(x, m, o, k):
    a, z, n = sym(o), minus(x, m), len(x)
    return L((k + n) / 2) - L(k / 2) - n * log(k * pi) / 2 + log(det(a)) / 2 - (k + n) / 2 * log1p(dot(z, a, z) / k)
def trace(a, b): return sum((a * b)[i, i] for i in range(a.rows))
def wishartconstant(r, k):
    n = r.rows
    return k / 2 * (log(det(r)) - n * log(2)) - sum(L((k - i) / 2) for i in range(n)) - mpf(n * (n - 1)) / 4 * log(pi)
def wish(x, r, k):
    x, r = sym(x), sym(r)
    return wishartconstant(r, k) + (k - x.rows - 1) / 2 * log(det(x)) - trace(r, x) / 2
def invwish(x, s, k):
    x, s = sym(x), sym(s)
    return wishartconstant(s, k) - (k + x.rows + 1) / 2 * log(det(x)) - trace(s, x ** -1) / 2
def scaledwish(x, s, df):
    n, c = len(s), sym(x)
    k = df + n - 1
    v = k * n / 2 * log(df) - mpf(n * (n - 1)) / 4 * log(pi) + (k - n - 1) / 2 * log(det(c))
    for i in range(n):
        v += L((k + 1) / 2) - L((k - i) / 2) - log(s[i]) - log(pi) / 2 - (k + 1) / 2 * log(df * c[i, i] + 1 / s[i] ** 2)
    return v
def lkj(x, eta):
    c, v = sym(x), mpf(0)
    for m in range(1, c.rows):
        a = eta + mpf(m - 1) / 2
        v += m * (2 * L(a) - L(2 * a) + (2 * a - 1) * log(2))
    return (eta - 1) * log(det(c)) - v
def ordered(F):  # F(-x) = 1 - F(x)
    def f(x, mu, cut):
        j = int(x)
        hi = cut[j - 1] - mu if j <= len(cut) else mpf('inf')
        lo = cut[j - 2] - mu if j > 1 else mpf('-inf')
        return log(F(-lo) - F(-hi)) if lo > 0 else log(F(hi) - F(lo))
    return f
def elementary(p, k):
    e = [mpf(1)] + [mpf(0)] * k
    for w in p:
        for j in range(k, 0, -1): e[j] += w * e[j - 1]
    return e[k]
def carnormal(x, adj, w, num, tau):  # of a map with one part
    at, s = 0, mpf(0)
    for i, n in enumerate(num):
        for _ in range(int(n)):
            s += w[at] * (x[i] - x[int(adj[at]) - 1]) ** 2 / 2
            at += 1
    return mpf(len(x) - 1) / 2 * log(tau / (2 * pi)) - tau / 2 * s
def carproper(x, mu, c, adj, num, m, tau, gamma):
    n, at = len(x), 0
    o = [[mpf(0)] * n for _ in x]
    for i in range(n):
        o[i][i] = tau / m[i]
        for _ in range(int(num[i])):
            o[i][int(adj[at]) - 1] -= tau / m[i] * gamma * c[at]
            at += 1
    return mnorm(x, mu, o)
def normmix(x, mu, tau, p): return log(sum(w * exp(norm(x, m, t)) for m, t, w in zip(mu, tau, p))) - log(sum(p))
D.update({
 'dmnorm': mnorm, 'dmnorm.vcov': lambda x, m, s: mnorm(x, m, (sym(s) ** -1).tolist()), 'dmt': mt, 'dwish': wish, 'dinvwish': invwish, 'dscaled.wishart': scaledwish, 'dlkjcorr': lkj,
 'dcat': lambda x, p: log(p[int(x) - 1]) - log(sum(p)),
 'dmulti': lambda x, p, n: L(n + 1) + sum(xl(y, w) - L(y + 1) for y, w in zip(x, p)) - n * log(sum(p)),
 'ddirch': lambda x, a: L(sum(a)) + sum(xl(b - 1, y) - L(b) for y, b in zip(x, a)),
 'dsample': lambda x, p, k: sum(xl(y, w) for y, w in zip(x, p)) - log(elementary(p, int(k))),
 'dordered.logit': ordered(ilogit), 'dordered.probit': ordered(ncdf),
 'dnormmix': normmix, 'car.normal': carnormal, 'car.proper': carproper,
})

# Differences: h is small beside the argument, and beside the first that is not 0 where it is.
H = mpf(10) ** -40
def flat(a):
    return [x for y in a for x in flat(y)] if isinstance(a, (list, tuple)) else [a]
def shaped(like, it):
    return [shaped(y, it) for y in like] if isinstance(like, (list, tuple)) else next(it)
def step(v, i): return abs(next((x for x in [v[i]] + v if x != 0), mpf(1))) * H
def difference(f, v, i, side):
    h, w = step(v, i), list(v)
    def at(k):
        w[i] = v[i] + k * h
        return f(w)
    if side:  # from one side, of the fourth order
        return side * (-25 * at(0) + 48 * at(side) - 36 * at(2 * side) + 16 * at(3 * side) - 3 * at(4 * side)) / (12 * h)
    return (at(1) - at(-1)) / (2 * h)
def condition(f, v, i, real, sides):
    s = mpf(0)
    for j in real:
        if v[j] != 0:
            s += abs(v[j] * difference(lambda w: difference(f, w, i, sides.get(i)), v, j, sides.get(j)))
    return s
def point(f, args, counts):
    # The function of a flat list, the list, and which of its elements are real.
    v = [mpf(x) for x in flat(args)]
    if any(x != 0 and not 1e-100 < abs(x) < 1e100 for x in v): mp.dps = max(mp.dps, 1000)  # beside 1
    real, at = [], 0
    for k, a in enumerate(args):
        n = len(flat([a]))
        if k not in counts: real += range(at, at + n)
        at += n
    return (lambda w: f(*shaped(args, iter(w)))), v, real
def derivatives(f, args, counts, sides={}):
    g, v, real = point(f, args, counts)
    value = g(v)
    out, cond = [None] * len(v), [None] * len(v)
    for i in real:
        out[i] = float(difference(g, v, i, sides.get(i)))
        cond[i] = float(condition(g, v, i, real, sides))
    mp.dps = 150
    return {'value': float(value), 'gradient': out, 'condition': cond}

from gradient_cases import DENSITIES, TRUNCATED, QUANTILES, INCOMPLETE, TRANSFORMS, LINKED

# Distribution functions, as (P(X <= x), P(X > x)), by sums or incomplete functions.
def lower(a, z): return gammainc(a, 0, z, regularized=True)
def upper(a, z): return gammainc(a, z, mp.inf, regularized=True)
def ibeta(a, b, x):
    if min(a, b) < 100: return betainc(a, b, 0, x, regularized=True)
    if x > a / (a + b): return 1 - ibeta(b, a, 1 - x)
    t = s = mpf(1)  # a series of positive terms (DLMF 8.17.8)
    k = 0
    while t > s * mp.eps:
        t *= (a + b + k) * x / (a + 1 + k)
        s, k = s + t, k + 1
    return exp(a * log(x) + b * log1p(-x) - lbeta(a, b)) / a * s
def tstudent(x, m, t, k):
    z = sqrt(t) * (x - m)
    if z * z < k: far = mpf(1) / 2 - ibeta(mpf(1) / 2, k / 2, z * z / (k + z * z)) / 2
    else: far = ibeta(k / 2, mpf(1) / 2, k / (k + z * z)) / 2
    return (far, 1 - far) if z < 0 else (1 - far, far)
def tgamma(x, a, l): return lower(a, l * x), upper(a, l * x)
def tbeta(x, a, b): return ibeta(a, b, x), ibeta(b, a, 1 - x)
def tnorm(x, m, t):
    z = sqrt(t / 2) * (x - m)
    return erfc(-z) / 2, erfc(z) / 2
def thalf(f): return lambda x, *p: (f(x, *p), 1 - f(x, *p))
def tcounts(f, lo=0):
    def g(x, *p):
        s = sum(exp(f(mpf(j), *p)) for j in range(lo, int(mp.floor(x)) + 1))
        return s, 1 - s
    return g
def ttri(x, a, b, c):
    s = (x - a) ** 2 / ((b - a) * (c - a)) if x < c else 1 - (b - x) ** 2 / ((b - a) * (b - c))
    return s, 1 - s
def tgpar(x, m, s, e): return 1 - exp(-extreme(x, m, s, e)), exp(-extreme(x, m, s, e))
T = {
 'dnorm': tnorm, 'dlnorm': lambda x, m, t: tnorm(log(x), m, t), 'dt': tstudent,
 'dlogis': lambda x, m, t: (ilogit(t * (x - m)), ilogit(-t * (x - m))),
 'ddexp': lambda x, m, t: (exp(t * (x - m)) / 2, 1 - exp(t * (x - m)) / 2) if x < m else (1 - exp(-t * (x - m)) / 2, exp(-t * (x - m)) / 2),
 'dgamma': tgamma, 'dexp': lambda x, l: (1 - exp(-l * x), exp(-l * x)), 'dchisqr': lambda x, k: tgamma(x, k / 2, mpf(1) / 2),
 'dweib': lambda x, v, l: (1 - exp(-l * x ** v), exp(-l * x ** v)), 'dgen.gamma': lambda x, r, l, b: tgamma((l * x) ** b, r, mpf(1)),
 'df': lambda x, n, m: tbeta(n * x / (n * x + m), n / 2, m / 2), 'dbeta': tbeta, 'dunif': lambda x, a, b: ((x - a) / (b - a), (b - x) / (b - a)),
 'dpar': lambda x, a, c: (1 - (c / x) ** a, (c / x) ** a), 'dgev': thalf(lambda x, *p: exp(-exp(-extreme(x, *p)))), 'dgpar': tgpar,
 'dscaled.gamma': lambda x, s, k: tbeta(k * x * s * s / (k * x * s * s + 1), k / 2, mpf(1) / 2),
 'dinvgamma': lambda x, a, b: (upper(a, b / x), lower(a, b / x)),
 'dcauchy': lambda x, m, s: tstudent(x, m, 1 / s ** 2, mpf(1)), 'dhalfcauchy': thalf(lambda x, s: 2 / pi * atan(x / s)), 'dtri': ttri,
 'dnchisqr': thalf(lambda x, k, d: mp.nsum(lambda j: exp(-d / 2) * (d / 2) ** j / mp.factorial(j) * lower(k / 2 + j, x / 2), [0, 100], method='d')),
 'dbern': tcounts(D['dbern']), 'dbin': tcounts(D['dbin']), 'dpois': tcounts(D['dpois']), 'dnegbin': tcounts(D['dnegbin']),
 'dgeom': tcounts(D['dgeom'], 1), 'dgeom0': tcounts(D['dgeom0']), 'dbetabin': tcounts(D['dbetabin']),
 'dhyper': lambda x, n1, n2, m1, psi: tcounts(hyper, int(max(0, m1 - n2)))(x, n1, n2, m1, psi),
}
def truncated(d, counts, lo, hi):
    # The log density given the bounds that there are, after the node and the parameters.
    def f(x, *p):
        p, b = list(p), []
        if hi: b.append(p.pop())
        if lo: a = p.pop()
        below, above = mpf(0), mpf(0)
        if lo: below = T[d](mp.ceil(a) - 1 if counts else a, *p)
        if hi: above = T[d](b[0], *p)
        if not hi: mass = below[1]
        elif not lo: mass = above[0]
        else: mass = above[0] - below[0] if below[0] < mpf(1) / 2 else below[1] - above[1]
        return D[d](x, *p) - log(mass)
    return f

def root(f, density, u, x):
    # Where f(x) = u, by Newton's method from next to there.
    def solve(u, *p):
        at = mpf(x)
        for _ in range(100):
            d = (f(at, *p) - u) / density(at, *p)
            at -= d
            if abs(d) <= max(abs(at), abs(x)) * mpf(10) ** (20 - mp.dps): return at
        raise ValueError('no root')
    return solve
def quantile(d, u, x): return root(lambda x, *p: T[d](x, *p)[0], lambda x, *p: exp(D[d](x, *p)), mpf(u), x)
def incomplete(name, args, x=None):
    f = {'gammainc': lower, 'gammaincc': upper, 'betainc': ibeta}.get(name)
    if f: return f
    if name == 'gammaincinv': r = root(lambda x, a: lower(a, x), lambda x, a: exp(gam(x, a, mpf(1))), mpf(args[-1]), x)
    else: r = root(lambda x, a, b: ibeta(a, b, x), lambda x, a, b: exp(D['dbeta'](x, a, b)), mpf(args[-1]), x)
    return lambda *v: r(v[-1], *v[:-1])

def bounds(kind):
    # x and log |dx/du| of a transform of a number, given u, lo and hi.
    if kind == 'interval': return (lambda u, a, b: a + (b - a) * ilogit(u), lambda u, a, b: log(b - a) + log(ilogit(u)) + log(ilogit(-u)))
    if kind == 'lower' or kind == 'ordered': return (lambda u, a, b: a + exp(u), lambda u, a, b: u + 0 * a)
    if kind == 'upper': return (lambda u, a, b: b - exp(u), lambda u, a, b: u + 0 * a)
    return (lambda u, a, b: u, lambda u, a, b: 0 * u)

LINKS = {'logit': ilogit, 'probit': ncdf, 'cloglog': lambda e: 1 - exp(-exp(e)), 'log': exp}

if __name__ == '__main__':
    out = {'densities': [], 'truncated': [], 'quantiles': [], 'incomplete': [], 'transforms': [], 'linked': []}
    for c in DENSITIES:
        d, x, p = c[:3]
        sides = c[3] if len(c) > 3 else {}
        if d == 'dnormmix': mp.dps = 1000  # a part that is far away
        out['densities'].append({'law': d, 'arguments': [x] + p, **derivatives(D[d], [x] + p, COUNTS.get(d, []), sides)})
    for d, x, p, lo, hi in TRUNCATED:
        args, counts = [x] + p + [b for b in (lo, hi) if b is not None], list(COUNTS.get(d, []))
        if 0 in counts: counts += range(1 + len(p), len(args))  # bounds of counts change in steps
        f = truncated(d, 0 in counts, lo is not None, hi is not None)
        out['truncated'].append({'law': d, 'arguments': args, 'lower': lo is not None, 'upper': hi is not None, **derivatives(f, args, counts)})
    for d, u, p, x in QUANTILES:
        out['quantiles'].append({'law': d, 'arguments': [u] + p, **derivatives(quantile(d, u, x), [u] + p, [])})
    for f, args, *x in INCOMPLETE:
        out['incomplete'].append({'law': f, 'arguments': args, **derivatives(incomplete(f, args, *x), args, [])})
    for kind, u, a, b in TRANSFORMS:
        for name, f in zip(('node', 'jacobian'), bounds(kind)):
            mp.dps = 700  # e^500 beside 1
            out['transforms'].append({'law': kind, 'of': name, 'arguments': [u, a, b], **derivatives(f, [u, a, b], [])})
    for d, x, link, other, eta, rest in LINKED:
        mp.dps = 700  # 1 - p is made of p
        def f(x, e, *r):
            p = LINKS[link](e)
            return D[d](x, 1 - p if other else p, *r)
        out['linked'].append({'law': d, 'of': link, 'other': other, 'arguments': [x, eta] + rest, **derivatives(f, [x, eta] + rest, COUNTS[d])})
    print(json.dumps(out, indent=0).replace('\n', ' ').replace('}, {', '},\n{'))
