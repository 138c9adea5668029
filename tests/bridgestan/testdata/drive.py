# Drives the shared object of a model by the functions of BridgeStan, by ctypes: PART LIBRARY [FILE]. Prints ok.
import ctypes as c
import json
import math
import random
import sys
import threading


class Model:
    def __init__(self, path, data=b""):
        self.lib = lib = c.CDLL(path)
        for name in ("bs_param_names", "bs_param_unc_names", "bs_name", "bs_model_info"):
            getattr(lib, name).restype = c.c_char_p
        lib.bs_model_construct.restype = lib.bs_rng_construct.restype = c.c_void_p
        error = c.c_void_p()
        self.at = c.c_void_p(lib.bs_model_construct(data, 1, c.byref(error)))
        if not self.at:
            raise ValueError(self.told(error))
        self.n = lib.bs_param_unc_num(self.at)

    def told(self, error):
        text = c.cast(error, c.c_char_p).value.decode()
        self.lib.bs_free_error_msg(error)
        return text

    def __del__(self):
        self.lib.bs_model_destruct(self.at)

    def call(self, name, *args):
        error = c.c_void_p()
        if getattr(self.lib, name)(self.at, *args, c.byref(error)) != 0:
            raise ValueError(self.told(error))

    def density(self, x, jacobian=1):
        lp = c.c_double()
        self.call("bs_log_density", 0, jacobian, vector(x), c.byref(lp))
        return lp.value

    def gradient(self, x, jacobian=1):
        lp, out = c.c_double(), vector([0] * self.n)
        self.call("bs_log_density_gradient", 1, jacobian, vector(x), c.byref(lp), out)
        return lp.value, list(out)

    def hessian(self, x, jacobian=1):
        n, lp = self.n, c.c_double()
        gradient, out = vector([0] * n), vector([0] * n * n)
        self.call("bs_log_density_hessian", 1, jacobian, vector(x), c.byref(lp), gradient, out)
        return lp.value, list(gradient), [out[i * n:i * n + n] for i in range(n)]

    def product(self, x, v):
        lp, out = c.c_double(), vector([0] * self.n)
        self.call("bs_log_density_hessian_vector_product", 1, 1, vector(x), vector(v), c.byref(lp), out)
        return list(out)

    def names(self, tp=0, gq=0):
        names = self.lib.bs_param_names(self.at, tp, gq).decode().split(",")
        assert len(names) == self.lib.bs_param_num(self.at, tp, gq), names
        return names

    def generator(self, seed):
        error = c.c_void_p()
        return c.c_void_p(self.lib.bs_rng_construct(seed, c.byref(error)))

    def constrain(self, x, tp=0, gq=0, rng=None):
        out = vector([0] * len(self.names(tp, gq)))
        self.call("bs_param_constrain", tp, gq, vector(x), out, rng)
        return dict(zip(self.names(tp, gq), out))

    def unconstrain(self, theta):
        out = vector([0] * self.n)
        self.call("bs_param_unconstrain", vector(theta), out)
        return list(out)

    def unconstrain_json(self, text):
        out = vector([0] * self.n)
        self.call("bs_param_unconstrain_json", text.encode(), out)
        return list(out)


def vector(x):
    return (c.c_double * len(x))(*x)


def near(a, b, tolerance):
    return len(a) == len(b) and all(abs(x - y) <= tolerance * max(1, abs(x), abs(y)) for x, y in zip(a, b))


def refused(what, *words):
    try:
        what()
    except ValueError as e:
        assert all(w in str(e) for w in words), e
        return
    raise AssertionError("not refused: %s" % (words,))


def points(path):
    random.seed(7)
    n = Model(path).n
    print(json.dumps([[random.gauss(0, 0.3) for _ in range(n)] for _ in range(3)]))


def agree(path, reference):
    m = Model(path)
    spelled = lambda name: name.replace("[", ".").replace("]", "").replace(",", ".")
    for line in open(reference):
        want = json.loads(line)
        x = want["at"]
        assert m.lib.bs_param_unc_names(m.at).decode().split(",") == [spelled(s) for s in want["vector"]]
        lp, g = m.gradient(x)
        assert near([lp, m.density(x)], [want["logp"]] * 2, 1e-12), (lp, want["logp"])
        assert near([m.density(x, 0)], [want["logp"] - want["log_jacobian"]], 1e-11)
        assert near(g, want["gradient"], 1e-9), "gradient"
        there = m.constrain(x)
        assert near(m.unconstrain(list(there.values())), x, 1e-9), "there and back"
        everything = m.constrain(x, 1, 1)
        assert all(everything[k] == v for k, v in there.items())
        derivatives(m, x)


def derivatives(m, x):
    h = 1e-5
    for jacobian in (0, 1):
        lp, g, hessian = m.hessian(x, jacobian)
        assert near([lp], [m.density(x, jacobian)], 1e-12) and near(g, m.gradient(x, jacobian)[1], 1e-12)
        for i in range(0, m.n, 1 + m.n // 8):
            up, down = list(x), list(x)
            up[i], down[i] = x[i] + h, x[i] - h
            slope = (m.density(up, jacobian) - m.density(down, jacobian)) / (2 * h)
            assert abs(slope - g[i]) <= 1e-4 * max(1, abs(slope), abs(lp) * 1e-6), (i, slope, g[i])
            a, b = m.gradient(up, jacobian)[1], m.gradient(down, jacobian)[1]
            row = [(p - q) / (2 * h) for p, q in zip(a, b)]
            size = max(map(abs, row + [1e-6 * max(map(abs, g)), 1]))
            assert all(abs(p - q) <= 1e-6 * size for p, q in zip(row, hessian[i])), (i, jacobian)
    v = [random.gauss(0, 1) for _ in x]
    rows = [sum(p * q for p, q in zip(row, v)) for row in hessian]
    size = max(map(abs, rows))
    assert all(abs(p - q) <= 1e-11 * size for p, q in zip(rows, m.product(x, v))), "product"


def data(path, file):
    text = open(file).read()
    x = [0.3, -0.2]
    m = Model(path)
    assert m.lib.bs_name(m.at) == b"small" and m.names() == ["mu", "s"] and m.names(1, 1) == ["mu", "s", "q"]
    assert c.c_int.in_dll(m.lib, "bs_major_version").value == 2
    assert m.density(x) == Model(path, None).density(x) == Model(path, text.encode()).density(x) == Model(path, file.encode()).density(x)
    other = lambda y, z="2": ('{"z": %s, "more": [{"y": "]"}], "y": [%s]}' % (z, y)).encode()
    y = [0.1, 2e0, -3.5, 1]
    moved = Model(path, other(",".join(map(str, y)))).gradient(x)
    assert near([moved[1][0]], [sum(y) - 5 * x[0]], 1e-12)
    assert m.gradient(x)[1][0] != moved[1][0]
    for text, words in (("1,2,3", ["y", "dimension 1 had 4"]), ("1,2,3,4,5", ["y", "dimension 1 had 4"]), ("1,null,3,4", ["y: element 2 is null"]),
                        ("1,[2],3,4", ["y: element 2 is no number"]), ("1,2,3,1e", ["no number"]), ("1,2,3,1e999", ["y: element 4 is too large for a number of 64 bits"]), ("1,2,Infinity,4", ["y: element 3", "infinity"]), ("1,2,3,NaN", ["y: element 4", "a missing value is null"]), ("1,2,3,x", ["no number"])):
        refused(lambda: Model(path, other(text)), *words)
    refused(lambda: Model(path, other("1,2,3,4", "7")), "z: element 1 is 7 here and was 2")
    refused(lambda: Model(path, b'{"y": [1,2,3,4]}'), "lack z")
    refused(lambda: Model(path, b"/no/such/file.json"), "cannot read")
    back = m.unconstrain_json('{"s": [1.5], "mu": -2}')
    assert near(back, [-2, math.log(1.5)], 1e-14)
    refused(lambda: m.unconstrain([0.5, -1]), "s has no place")
    for f in m.density, m.gradient:
        refused(lambda: f([0.5, math.nan]), "the vector has NaN in the place of s")
    refused(lambda: m.unconstrain_json('{"s": 1}'), "mu")
    refused(lambda: m.unconstrain_json('{"s": null, "mu": 1}'), "s has no place")


def hostile(path, file):
    text = open(file).read()
    for end in range(len(text) - 1):
        refused(lambda: Model(path, text[:end].encode() or b" "))
    random.seed(3)
    for _ in range(3000):
        bad = list(text)
        for _ in range(random.randint(1, 4)):
            bad[random.randrange(len(bad))] = random.choice('[]{},:"\\0123-+eE. nul\t')
        try:
            Model(path, "".join(bad).encode()).density([0, 0])
        except ValueError as e:
            assert str(e)
    refused(lambda: Model(path, b'{"y": ' + b"[" * 100000))
    refused(lambda: Model(path, b'{"w": ' + b"[" * 100000))


def threads(path, file):
    m = Model(path)
    want = {i: m.hessian([i / 7, i / 5]) for i in range(8)}
    wrong = []

    def work(first):
        for k in range(2000):
            i = (first + k) % 8
            if m.hessian([i / 7, i / 5]) != want[i] or k % 100 == 0 and Model(path).density([0, 0]) != m.density([0, 0]):
                wrong.append(i)

    several = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in several:
        t.start()
    for t in several:
        t.join()
    assert not wrong


def right(draws, tolerance):
    """Given the data mu is normal with mean 1 and variance 1/5, and s gamma with shape 5 and rate 3."""
    for values, mean, variance in (([d["mu"] for d in draws], 1, 0.2), ([d["s"] for d in draws], 5 / 3, 5 / 9)):
        m = sum(values) / len(values)
        v = sum((x - m) ** 2 for x in values) / len(values)
        assert abs(m - mean) < tolerance and abs(v - variance) < tolerance, (m, v)
    assert all(d["q"] == d["mu"] * d["mu"] for d in draws)


def leapfrog(path, file):
    m = Model(path)
    random.seed(11)
    x, draws, step = [0.0, 0.0], [], 0.35
    lp, g = m.gradient(x)
    for _ in range(6000):
        p = [random.gauss(0, 1) for _ in x]
        start = lp - sum(q * q for q in p) / 2
        y, lp2, g2 = list(x), lp, g
        for _ in range(random.randint(2, 6)):
            p = [q + step / 2 * d for q, d in zip(p, g2)]
            y = [a + step * q for a, q in zip(y, p)]
            lp2, g2 = m.gradient(y)
            p = [q + step / 2 * d for q, d in zip(p, g2)]
        if math.log(random.random()) < lp2 - sum(q * q for q in p) / 2 - start:
            x, lp, g = y, lp2, g2
        draws.append(m.constrain(x, 1, 1))
    right(draws, 0.06)


def emcee(path, file):
    try:
        import emcee
        import numpy
    except ImportError:
        print("skip: needs python3-emcee")
        sys.exit()
    m = Model(path)
    numpy.random.seed(5)
    sampler = emcee.EnsembleSampler(12, m.n, lambda x: m.density(list(x)))
    sampler.run_mcmc(numpy.random.normal(0, 0.3, (12, m.n)), 800)
    right([m.constrain(list(x), 1, 1) for x in sampler.get_chain(discard=200, flat=True)], 0.12)


def drawing(path):
    m = Model(path)
    x = [0.3, math.log(4)]
    assert m.names(1, 1) == ["mu", "tau", "y.rep.1", "y.rep.2", "y.rep.3", "y.rep.4", "k", "late"] and m.names(1, 0) == ["mu", "tau"]
    refused(lambda: m.constrain(x, 0, 1), "give a generator")
    one, same, other = m.generator(5), m.generator(5), m.generator(6)
    draws = [m.constrain(x, 1, 1, one) for _ in range(4000)]
    assert draws[:9] == [m.constrain(x, 1, 1, same) for _ in range(9)] and draws[0] != draws[1] != m.constrain(x, 1, 1, other)
    for name, mean, variance in (("y.rep.1", 0.3, 0.25), ("y.rep.4", 0.3, 0.25), ("k", math.exp(0.3), math.exp(0.3)), ("mu", 0.3, 0)):
        values = [d[name] for d in draws]
        m1 = sum(values) / len(values)
        v = sum((y - m1) ** 2 for y in values) / len(values)
        assert abs(m1 - mean) <= 1e-12 + 5 * math.sqrt(variance / len(values)) and abs(v - variance) <= 0.15 * variance + 1e-12, (name, m1, v)
    both = sum((d["y.rep.1"] - 0.3) * (d["y.rep.2"] - 0.3) for d in draws) / len(draws)
    assert abs(both) < 0.03
    for d in draws:
        assert d["k"] == int(d["k"]) and near([d["late"]], [2 * d["k"] + sum(d["y.rep.%d" % i] for i in range(1, 5))], 1e-12)
    for g in (one, same, other):
        m.lib.bs_rng_destruct(g)


def undrawn(path):
    m = Model(path)
    assert m.names(0, 1) == ["mu", "q.1", "q.2"] and m.constrain([0.5]) == {"mu": 0.5}
    refused(lambda: m.constrain([0.5], 0, 1, m.generator(1)), "include_gq = 0", "irc run -points")


def byaddress(path, file):
    """What R calls by .C."""
    lib = c.CDLL(path)
    at, error, again = c.c_void_p(), c.c_char_p(), c.c_void_p()
    lib.bs_model_construct_R(c.byref(c.c_char_p(b"")), c.byref(c.c_int(1)), c.byref(at), c.byref(error), c.byref(again))
    assert at and not again
    yes, no, n, rc = c.c_int(1), c.c_int(0), c.c_int(), c.c_int(9)
    lib.bs_param_num_R(c.byref(at), c.byref(yes), c.byref(yes), c.byref(n))
    names = c.c_char_p()
    lib.bs_param_names_R(c.byref(at), c.byref(no), c.byref(no), c.byref(names))
    assert n.value == 3 and names.value == b"mu,s"
    lp, g = vector([0]), vector([0, 0])
    lib.bs_log_density_gradient_R(c.byref(at), c.byref(yes), c.byref(yes), vector([0.3, 0.1]), lp, g, c.byref(rc), c.byref(error), c.byref(again))
    assert rc.value == 0 and [lp[0], list(g)] == list(Model(path).gradient([0.3, 0.1]))
    lib.bs_param_unconstrain_R(c.byref(at), vector([0, -1]), g, c.byref(rc), c.byref(error), c.byref(again))
    assert rc.value == -1 and b"s has no place" in error.value and again
    lib.bs_free_error_msg_R(c.byref(again))
    lib.bs_model_destruct_R(c.byref(at))


def function(path):
    lib = c.CDLL(path)
    lib.f.restype, lib.f.argtypes = c.c_double, [c.c_double]
    assert lib.f(1.25) == 2.5


globals()[sys.argv[1]](*sys.argv[2:])
if sys.argv[1] != "points":
    print("ok")
