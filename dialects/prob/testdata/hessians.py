# Second derivatives of log densities with gamma functions of parameters, by all real arguments that are
# numbers, at the points of gradients.py and as it takes them: python3 hessians.py > hessians.json (mpmath 1.3).
#
# A case has the arguments in their order, the second derivatives by arguments i and j <= i (null where one is a
# count), and for each its condition: the sum over all arguments a of |a d'(a)|.
from gradients import D, COUNTS, difference, point
from gradient_cases import DENSITIES
from mpmath import mp
import json

LAWS = ['dgamma', 'dchisqr', 'dinvgamma', 'dgen.gamma', 'dbeta', 'df', 'dt', 'dscaled.gamma', 'dnegbin', 'dbetabin']

def second(d, args, sides):
    mp.dps = 300
    f, v, real = point(D[d], args, COUNTS.get(d, []))
    def by(g, i): return lambda w: difference(g, w, i, sides.get(i))
    out = {'law': d, 'arguments': args, 'hessian': [], 'condition': []}
    for i in range(len(v)):
        for j in range(i + 1):
            both = i in real and j in real
            h = by(by(f, i), j)
            out['hessian'].append(float(h(v)) if both else None)
            out['condition'].append(float(sum(abs(v[k] * by(h, k)(v)) for k in real)) if both else None)
    return out

# Without what floats do not have, squares of very large or small numbers, and degrees of freedom that change nothing.
def fair(args): return all(a == 0 or 1e-100 < abs(a) < 1e100 for a in args) and max(args[1:]) < 1e5
out = [second(c[0], [c[1]] + c[2], c[3] if len(c) > 3 else {}) for c in DENSITIES if c[0] in LAWS and fair([c[1]] + c[2])]
print(json.dumps(out, indent=0).replace('\n', ' ').replace('}, {', '},\n{'))
