# The same in PyTorch, forward mode in the directions of all angles at once.
import torch
from peer import numbers, measure, sizes

n, corners_of = sizes(2)
V, B = 544, 22
turn, fingers, relative, inverse, base, weights, corners, points, uv = numbers((6,), (5, 4), (B, 3, 4), (B, 3, 4), (3, V), (B, V), (corners_of, n), (3, n), (2, n))
corners = corners.long()
last = torch.tensor([[[0.0, 0, 0, 1]]])


def square(m):
    return torch.cat((m, last.expand(m.shape[0], 1, 4)), 1)


rest, back = square(relative), square(inverse)
identity, x_axis = torch.eye(4), torch.zeros(4, 4)


def about(angle, i, j):
    """Turns in the plane of two axes, a 4x4 matrix for each angle."""
    plane, turning = torch.zeros(4, 4), torch.zeros(4, 4)
    plane[i, i] = plane[j, j] = 1
    turning[i, j], turning[j, i] = -1, 1
    a = angle[:, None, None]
    return (identity - plane) + plane * torch.cos(a) + turning * torch.sin(a)


def errors(theta, shift):
    angles = theta[6:].reshape(5, 4)
    palm = rest[0] @ rest[1]
    first = palm @ rest[2::4] @ about(angles[:, 0], 1, 2) @ about(angles[:, 1], 2, 0)
    second = first @ rest[3::4] @ about(angles[:, 2], 1, 2)
    third = second @ rest[4::4] @ about(angles[:, 3], 1, 2)
    tip = third @ rest[5::4]
    here = torch.cat((rest[:1], palm[None], torch.stack((first, second, third, tip), 1).reshape(20, 4, 4)))
    moves = (here @ back)[:, :3]
    blended = torch.einsum("krc,kv->rcv", moves, weights)
    posed = (blended[:, :3] * base).sum(1) + blended[:, 3]
    r = theta[:3]
    angle = torch.sqrt((r * r).sum())
    c, s, u = torch.cos(angle), torch.sin(angle), r / angle
    zero = torch.zeros(())
    cross = torch.stack((zero, -u[2], u[1], u[2], zero, -u[0], -u[1], u[0], zero)).reshape(3, 3)
    R = c * torch.eye(3) + (1 - c) * torch.outer(u, u) + s * cross
    q = R @ posed + theta[3:6, None]
    if corners_of == 1:
        return points - q[:, corners[0]]
    a, b = uv[0] + shift[0], uv[1] + shift[1]
    return points - a * q[:, corners[0]] - b * q[:, corners[1]] - (1 - a - b) * q[:, corners[2]]


order = [6 + 4 * f + j for j in range(4) for f in range(5)] + list(range(6))
theta, shift = torch.cat((turn, fingers.reshape(20))), torch.zeros(2)


def columns():
    with_uv = corners_of == 3
    jacobian = torch.autograd.functional.jacobian
    rows = jacobian(errors, (theta, shift) if with_uv else (theta, shift), vectorize=True, strategy="forward-mode") if with_uv else (jacobian(lambda t: errors(t, shift), theta, vectorize=True, strategy="forward-mode"),)
    return [rows[0].permute(2, 0, 1)[order]] + ([rows[1].permute(2, 0, 1)] if with_uv else [])


measure(columns)
