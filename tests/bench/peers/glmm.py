# Log density of a logistic mixed model at many points: DATA POINTS OUT. Writes the
# densities, a line each, and prints the seconds of computing them without reading.
import json
import sys
import time
from math import lgamma, log, pi

import numpy as np

data, points, out = sys.argv[1:]
with open(data) as f:
    d = json.load(f)
x, y, g = np.array(d["x"]), np.array(d["y"], dtype=float), np.array(d["g"]) - 1
with open(points) as f:
    points = [json.loads(line) for line in f]
for p in points:
    p["u"] = np.array(p["u"])


def normal(v, tau):
    return 0.5 * (log(tau) - log(2 * pi)) - 0.5 * tau * v * v


def density(alpha, beta, tau, u):
    eta = alpha + beta * x + u[g]
    lp = y @ eta - np.logaddexp(0, eta).sum()
    lp += normal(u, tau).sum() + normal(alpha, 0.01) + normal(beta, 0.01)
    return lp + 2 * log(0.5) - lgamma(2) + log(tau) - 0.5 * tau


start = time.perf_counter()
values = [density(**p) for p in points]
print(time.perf_counter() - start)
with open(out, "w") as f:
    for v in values:
        f.write(f"{float(v)!r}\n")
