# The same in PyTorch, all observations at once, a row of the Jacobian after the other.
import torch
from peer import numbers, measure, sizes

(n,) = sizes(1)
p, seen = numbers((15, n), (2, n))
p.requires_grad_(True)


def f():
    rot, d, at = p[0:3], p[11:14] - p[3:6], p[7:9]
    theta = torch.sqrt((rot * rot).sum(0))
    c, s, u = torch.cos(theta), torch.sin(theta), rot / theta
    y = d * c + torch.cross(u, d, 0) * s + u * ((u * d).sum(0) * (1 - c))
    q = y[:2] / y[2]
    r = (q * q).sum(0)
    return p[14] * (p[6] * q * (1 + r * (p[9] + p[10] * r)) + at - seen)


def rows():
    e = f()
    return [torch.autograd.grad(e[i].sum(), p, retain_graph=i == 0)[0] for i in range(2)]


measure(rows)
