# The derivatives of the squared error of two layers by their weights.
import torch
from peer import numbers, measure

x, w1, b1, w2, b2, y = numbers((128, 512), (512, 1024), (1024,), (1024, 256), (256,), (128, 256))
parameters = [p.requires_grad_(True) for p in (w1, b1, w2, b2)]
measure(lambda: torch.autograd.grad(((torch.addmm(b2, torch.relu(torch.addmm(b1, x, w1)), w2) - y) ** 2).sum(), parameters))
