"""Gradients of networks by PyTorch, for torch_test.go.

Standard input has a network on each line, in JSON: its seed, the shapes of its arguments, and lines of Python that make loss of
a0, a1, ... Standard output has on each line the seed, the loss, and of the gradient by each argument three sums.
"""
import json
import math
import sys

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def element(seed, i, k):
    m = (k * 31 + i * 1009 + seed % 9941 * 131) % 9941
    return (m**3 % 9941 - 4970) / 4096


def softplus(x):
    return torch.logaddexp(x, torch.zeros_like(x))


def rounds(f, s, n):
    for _ in range(n):
        s = f(s)
    return s


def digest(slopes):
    sums = [0.0, 0.0, 0.0]
    for k, x in enumerate(slopes):
        sums[0] += x * (k * 31 % 17 - 8) / 8
        sums[1] += x * (k * 7 % 13 - 5) / 4
        sums[2] += abs(x)
    return sums


for line in sys.stdin:
    network = json.loads(line)
    names = {"torch": torch, "F": F, "math": math, "softplus": softplus, "rounds": rounds}
    arguments = []
    for i, shape in enumerate(network["Shapes"]):
        values = [element(network["Seed"], i, k) for k in range(math.prod(shape))]
        arguments.append(torch.tensor(values).reshape(shape).requires_grad_())
        names["a%d" % i] = arguments[-1]
    exec(network["Torch"], names)
    loss = names["loss"]
    loss.backward()
    out = [repr(loss.item())]
    for a in arguments:
        slopes = a.grad if a.grad is not None else torch.zeros_like(a)
        out += [repr(x) for x in digest(slopes.flatten().tolist())]
    print(network["Seed"], *out)
