# The derivatives of a weighted sum of what a block of a transformer gives by its parameters.
import torch
import torch.nn.functional as F
from peer import numbers, measure

n, e, h, d, f = 128, 512, 8, 64, 2048
x, g1, b1, wq, wk, wv, wo, g2, b2, w1, c1, w2, c2, y = numbers(
    (n, e), (e,), (e,), (e, h * d), (e, h * d), (e, h * d), (h * d, e), (e,), (e,), (e, f), (f,), (f, e), (e,), (n, e))
parameters = [p.requires_grad_(True) for p in (g1, b1, wq, wk, wv, wo, g2, b2, w1, c1, w2, c2)]


def loss():
    m = F.layer_norm(x, (e,), g1, b1)
    q, k, v = ((m @ w).view(n, h, d).transpose(0, 1) for w in (wq, wk, wv))
    p = torch.softmax(torch.matmul(q, k.transpose(1, 2)) * 0.125, 2)
    a = torch.matmul(p, v).transpose(0, 1).reshape(n, h * d) @ wo + x
    m = F.layer_norm(a, (e,), g2, b2)
    z = F.gelu(m @ w1 + c1) @ w2 + c2 + a
    return (z * y).sum()


measure(lambda: torch.autograd.grad(loss(), parameters))
