package stage_test

import "github.com/irc-lang/irc/tools/stage"

// walker stages a program, or runs it.
type walker struct {
	s  *stage.S
	at *stage.Static[int]
	registers
	statics []*stage.Static[int]
	mem     stage.Slice[int64]
	help    func(s *stage.S, k int, x stage.Dyn[int64]) stage.Dyn[int64]
	result  stage.Dyn[int64]
}

func (w *walker) int(n *node) stage.Dyn[int64] {
	var x, y stage.Dyn[int64]
	switch n.op {
	case "add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "min", "max", "neg", "not", "uint8":
		x, y = w.int(n.args[0]), w.int(n.args[1])
	}
	place := func() { w.at.Set(n.id) }
	place()
	switch n.op {
	case "const":
		return stage.Lit(w.s, int64(n.n))
	case "get":
		return w.ints[n.n].Get()
	case "static":
		return stage.Lit(w.s, int64(w.statics[n.n].Get()))
	case "load":
		i := w.int(n.args[0])
		place()
		return w.mem.At(stage.To[int](i.And(size - 1)))
	case "int32":
		i := w.int(n.args[0])
		place()
		return stage.To[int64](stage.To[int32](i).Mul(3))
	case "uint8":
		a, b := stage.To[uint8](x), stage.To[uint8](y)
		switch n.n {
		case 0:
			return stage.To[int64](a.Sub(b))
		case 1:
			return stage.To[int64](a.Div(b))
		case 2:
			return stage.To[int64](a.Shl(b))
		case 3:
			return stage.Select[int64](a.Lt(b), x, y)
		}
		return stage.To[int64](a.Rem(b).Max(b))
	case "cut":
		f := w.float(n.args[0])
		place()
		return stage.To[int64](f)
	case "select":
		c, a, b := w.bool(n.args[0]), w.int(n.args[1]), w.int(n.args[2])
		place()
		return stage.Select[int64](c, a, b)
	case "call":
		i := w.int(n.args[0])
		place()
		return w.help(w.s, n.n, i)
	case "add":
		return x.Add(y)
	case "sub":
		return x.Sub(y)
	case "mul":
		return x.Mul(y)
	case "div":
		return x.Div(y)
	case "rem":
		return x.Rem(y)
	case "and":
		return x.And(y)
	case "or":
		return x.Or(y)
	case "xor":
		return x.Xor(y)
	case "shl":
		return x.Shl(y)
	case "shr":
		return x.Shr(y)
	case "min":
		return x.Min(y)
	case "max":
		return x.Max(y)
	case "neg":
		return x.Neg()
	case "not":
		return x.Not()
	}
	panic(n.op)
}

func (w *walker) float(n *node) stage.Dyn[float64] {
	var x, y stage.Dyn[float64]
	if len(n.args) == 2 {
		x, y = w.float(n.args[0]), w.float(n.args[1])
	}
	w.at.Set(n.id)
	switch n.op {
	case "fget":
		return w.floats[n.n].Get()
	case "float":
		i := w.int(n.args[0])
		w.at.Set(n.id)
		return stage.To[float64](i)
	case "fadd":
		return x.Add(y)
	case "fsub":
		return x.Sub(y)
	case "fmul":
		return x.Mul(y)
	case "fdiv":
		return x.Div(y)
	case "fmin":
		return x.Min(y)
	case "fmax":
		return x.Max(y)
	case "fneg":
		return x.Neg()
	case "fabs":
		return stage.Abs(x)
	}
	panic(n.op)
}

func (w *walker) bool(n *node) stage.Dyn[bool] {
	switch n.op {
	case "band", "bor", "bnot":
		x, y := w.bool(n.args[0]), w.bool(n.args[1])
		w.at.Set(n.id)
		switch n.op {
		case "band":
			return x.And(y)
		case "bor":
			return x.Or(y)
		}
		return x.Not()
	case "flt":
		x, y := w.float(n.args[0]), w.float(n.args[1])
		w.at.Set(n.id)
		return x.Lt(y)
	}
	x, y := w.int(n.args[0]), w.int(n.args[1])
	w.at.Set(n.id)
	switch n.op {
	case "lt":
		return x.Lt(y)
	case "le":
		return x.Le(y)
	case "eq":
		return x.Eq(y)
	case "ne":
		return x.Ne(y)
	case "gt":
		return x.Gt(y)
	}
	return x.Ge(y)
}

// A signal is how a statement ends.
type signal int

func (w *walker) do(n *node) signal {
	place := func() { w.at.Set(n.id) }
	place()
	switch n.op {
	case "block":
		for _, x := range n.args {
			if k := w.do(x); k != goesOn {
				return k
			}
		}
	case "if":
		c := w.bool(n.args[0])
		place()
		if w.s.If(c) {
			return w.do(n.args[1])
		}
		return w.do(n.args[2])
	case "while":
		left := stage.Var[int64](w.s, "left", n.n)
		for {
			place()
			if !w.s.While(left.Gt(0)) {
				return goesOn
			}
			left.Set(left.Sub(1))
			c := w.bool(n.args[0])
			place()
			if !w.s.While(c) {
				return goesOn
			}
			switch w.do(n.args[1]) {
			case breaks:
				return goesOn
			case returns:
				return returns
			}
		}
	case "repeat":
		for range stage.Range(w.s, n.n) {
			if k := w.do(n.args[0]); k != goesOn {
				return k
			}
			place()
		}
	case "flip":
		w.statics[n.n].Set(1 - w.statics[n.n].Get())
	case "break":
		return breaks
	case "continue":
		return continues
	case "return":
		x := w.int(n.args[0])
		place()
		w.result.Set(x)
		return returns
	case "store":
		i, x := w.int(n.args[0]), w.int(n.args[1])
		place()
		w.mem.Set(stage.To[int](i.And(size-1)), x)
	case "fset":
		x := w.float(n.args[0])
		place()
		w.floats[n.n].Set(x)
	case "scope":
		x := w.int(n.args[0])
		place()
		v := stage.Var[int64](w.s, "inner", x)
		v.Set(v.Add(w.ints[n.n]))
		w.ints[n.n].Set(v)
	case "set":
		x := w.int(n.args[0])
		place()
		w.ints[n.n].Set(x)
	case "rotate":
		x := w.int(n.args[0])
		place()
		next := registers{floats: [floats]stage.Dyn[float64]{w.floats[1], w.floats[0]}}
		for i := range integers {
			next.ints[i] = w.ints[(i+1)%integers]
		}
		next.ints[n.n] = x
		stage.Set(w.s, w.registers, next)
	case "copy":
		x := w.int(n.args[0])
		place()
		inner := stage.VarOf(w.s, "inner", w.ints)
		inner[n.n].Set(x)
		inner[0].Set(inner[0].Add(w.ints[n.n]))
		stage.Set(w.s, w.ints, stage.Get(w.s, inner))
	case "halves":
		x := w.int(n.args[0])
		place()
		p := stage.Zero[parts](w.s)
		p.quotient, p.of.sign = x, w.ints[n.n].Lt(x)
		out, f := halves(w.s, p, w.floats)
		w.ints[n.n].Set(stage.Select[int64](out.of.sign, out.quotient, out.rest))
		w.floats[0].Set(f)
	default:
		panic(n.op)
	}
	return goesOn
}
