# The same in PyTorch, as a script: it is faster than eager mode.
from typing import List

import torch
from peer import numbers, measure, sizes

L, T = sizes(2)
main, extra, state, sequence = numbers((L, 8, 14), (3, 14), (L, 2, 14), (T, 14))
main.requires_grad_(True)
extra.requires_grad_(True)


@torch.jit.script
def loss(main: torch.Tensor, extra: torch.Tensor, state: torch.Tensor, sequence: torch.Tensor):
    layers = [l.unbind(0) for l in main.unbind(0)]
    short = [s[0] for s in state.unbind(0)]
    long = [s[1] for s in state.unbind(0)]
    first = (sequence[:-1] * extra[0]).unbind(0)
    outs: List[torch.Tensor] = []
    for t in range(len(first)):
        x = first[t]
        for l in range(len(layers)):
            m = layers[l]
            c = long[l] * torch.sigmoid(x * m[0] + m[4]) + torch.sigmoid(short[l] * m[1] + m[5]) * torch.tanh(short[l] * m[3] + m[7])
            x = torch.sigmoid(x * m[2] + m[6]) * torch.tanh(c)
            long[l] = c
            short[l] = x
        outs.append(x)
    y = torch.stack(outs) * extra[1] + extra[2]
    y = y - torch.log(torch.exp(y).sum(1, keepdim=True) + 2)
    return -(sequence[1:] * y).mean()


measure(lambda: torch.autograd.grad(loss(main, extra, state, sequence), [main, extra]))
