# The same in PyTorch, all components at once.
import torch
from peer import numbers, measure, sizes

d, K = sizes(2)
n = 1000
below = max(1, d * (d - 1) // 2)
alpha, mean, q, l, x = numbers((K,), (K, d), (K, d), (K, below), (n, d))
rows, columns = torch.tril_indices(d, d, -1)
parameters = [alpha, mean, q, l]
for p in parameters:
    p.requires_grad_(True)


def f():
    Q = torch.diag_embed(torch.exp(q))
    if d > 1:
        Q = Q.index_put((torch.arange(K)[:, None], rows[None], columns[None]), l)
    y = torch.matmul(x.unsqueeze(0) - mean.unsqueeze(1), Q.transpose(1, 2))
    terms = (alpha + q.sum(1))[:, None] - 0.5 * (y * y).sum(2)
    value = torch.logsumexp(terms, 0).sum() - n * torch.logsumexp(alpha, 0)
    return value + 0.5 * ((torch.exp(q) ** 2).sum() + (l * l).sum())


measure(lambda: torch.autograd.grad(f(), parameters, allow_unused=True))
