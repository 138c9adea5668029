"""networks: an einsum by numpy along the best path, each step a product of matrices by OpenBLAS.

Usage: networks.py SPEC SHAPES REPETITIONS, where SHAPES is as 2x3,3x4. Prints the seconds of all repetitions and a sum over the result.
"""
import sys
import time

import numpy as np

spec, shapes, repetitions = sys.argv[1], sys.argv[2], int(sys.argv[3])
operands = []
for i, shape in enumerate(shapes.split(",")):
    dims = [int(n) for n in shape.split("x")]
    operands.append(((np.arange(int(np.prod(dims))) * 7 + i * 3) % 5 - 2.0).reshape(dims))
path = np.einsum_path(spec, *operands, optimize="optimal")[0]
out = np.einsum(spec, *operands, optimize=path)
start = time.perf_counter()
for _ in range(repetitions):
    out = np.einsum(spec, *operands, optimize=path)
seconds = time.perf_counter() - start
flat = np.ascontiguousarray(out).reshape(-1)
print(f"{seconds:.9f} {float((flat * (1.0 + np.arange(flat.size) % 7)).sum())!r}")
