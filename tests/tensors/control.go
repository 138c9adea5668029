package tensors

import (
	"fmt"
	"slices"
	"strings"
)

// A step makes a tensor of another one of its type: the line for it, of a name and the operand, and what it does to elements.
type step struct {
	line func(to, of string) string
	then func(e exact) exact
}

// steps are up to n that make a tensor like x of one of its type: maps of it and of others that there are, and products with matrices.
func (g *generator) steps(x val, n int) (out []step) {
	for range n {
		if s, ok := g.step(x); ok {
			out = append(out, s)
		}
	}
	return out
}

func (g *generator) step(x val) (step, bool) {
	switch g.IntN(5) {
	case 0, 1:
		return g.product2(x)
	case 2:
		return g.reluStep(x)
	case 3:
		y := g.like(x)
		op := g.elementOp()
		return step{func(to, of string) string { return fmt.Sprintf("%s = %s %s, %s : %s\n", to, op, of, y.name, g.typ(x)) },
			func(e exact) exact { return exact{e.most + y.most, min(e.unit, y.unit)} }}, true
	}
	op, by := g.elementOp(), g.number()
	return step{func(to, of string) string {
		return fmt.Sprintf("%[1]s_by = arith.constant %[2]s : %[3]s\n%[1]s = ten.map (%%p = %[4]s : %[5]s) -> %[5]s {\n  %%0 = %[6]s %[1]s_by, %%p : %[3]s\n  ten.yield %%0 : %[3]s\n}\n",
			to, by, g.elem, of, g.typ(x), op)
	}, func(e exact) exact { return exact{e.most + 2, min(e.unit, 1)} }}, true
}

func (g *generator) elementOp() string {
	if g.isFloat() {
		return []string{"arith.addf", "arith.subf", "arith.maximumf", "arith.minimumf"}[g.IntN(4)]
	}
	return []string{"arith.addi", "arith.subi", "arith.maxsi", "arith.minsi"}[g.IntN(4)]
}

func (g *generator) reluStep(x val) (step, bool) {
	above := g.IntN(3) - 1
	return step{func(to, of string) string {
		return fmt.Sprintf("%s = ten.relu %s above %d.0 : f64 : %s\n", to, of, above, g.typ(x))
	}, func(e exact) exact { return e }}, g.isFloat()
}

// like is a value of the type of x, x itself if there is no other one.
func (g *generator) like(x val) val {
	fits := slices.DeleteFunc(slices.Clone(g.vals), func(y val) bool {
		return !g.reads(y) || !slices.Equal(x.shape, y.shape) || !slices.Equal(x.known, y.known)
	})
	return fits[g.IntN(len(fits))]
}

// product2 is the product with a square matrix, which is an argument.
func (g *generator) product2(x val) (step, bool) {
	rank := len(x.shape)
	if rank == 0 || rank > 4 {
		return step{}, false
	}
	k, known := x.shape[rank-1], x.known[rank-1]
	w := val{name: fmt.Sprintf("%%w%d", len(g.params)), shape: []int64{k, k}, known: []bool{known || k == 0, known}}
	g.param(w.name, g.typ(w), g.data(w.shape))
	batch := "abcd"[:rank-1]
	return step{func(to, of string) string {
		return fmt.Sprintf("%s = ten.einsum \"%[2]sx,xy->%[2]sy\" %[3]s, %[4]s : %[5]s, %[6]s -> %[5]s\n", to, batch, of, w.name, g.typ(x), g.typ(w))
	}, func(e exact) exact { return e.times(given).sum(k) }}, true
}

// after is what steps make of elements; it is false where some are rounded, which other ops read.
func (g *generator) after(e exact, steps []step) (exact, bool) {
	ok := g.isExact(e)
	for _, s := range steps {
		e = s.then(e)
		ok = ok && g.isExact(e)
	}
	return e, ok
}

// written is the text of steps, and the name of what they make.
func written(steps []step, name, of string) (lines, last string) {
	for i, s := range steps {
		to := fmt.Sprintf("%s_%d", name, i)
		lines += s.line(to, of)
		of = to
	}
	return lines, of
}

// branches is an if, whose branches make tensors of one type of what there is.
func (g *generator) branches() {
	x := g.recent()
	y := g.like(x)
	if g.IntN(3) > 0 {
		y = x
	}
	cond := fmt.Sprintf("%%if%d", len(g.params))
	g.param(cond, "i1", []string{"true", "false"}[g.IntN(2)])
	then, els := g.steps(x, g.IntN(4)), g.steps(y, g.IntN(3))
	if g.IntN(4) == 0 && x.name == y.name {
		els = slices.Clone(then[:len(then)/2+1-1+len(then)%2]) // part of it is the same
	}
	e, ok := g.after(x.exact, then)
	f, too := g.after(y.exact, els)
	if !ok || !too {
		return
	}
	v := g.resultOf(e.or(f), x.shape, x.known)
	lines, last := written(then, v.name+"_t", x.name)
	g.line("%s = scf.if %s -> (%s) {\n%s  scf.yield %s : %s\n} else {", v.name, cond, g.typ(v), lines, last, g.typ(v))
	lines, last = written(els, v.name+"_e", y.name)
	g.line("%s  scf.yield %s : %s\n}", lines, last, g.typ(v))
	g.behind(v, nil)
}

// recent is the last value that ops may read, or any: products are read by what comes next.
func (g *generator) recent() val {
	if v := g.vals[len(g.vals)-1]; g.reads(v) && g.IntN(2) == 0 {
		return v
	}
	return g.pick()
}

// rounds is a loop of up to three rounds that carries a tensor.
func (g *generator) rounds() {
	x, n := g.pick(), g.IntN(4)
	first := g.steps(x, 1)
	body := append(slices.Clone(first), g.steps(x, 1+g.IntN(2))...)
	e := x.exact
	for range n {
		next, ok := g.after(e, body)
		if e = e.or(next); !ok {
			return
		}
	}
	count := fmt.Sprintf("%%n%d", len(g.params))
	g.param(count, "index", fmt.Sprint(n))
	v := g.resultOf(e, x.shape, x.known)
	lines, last := written(body, v.name+"_r", v.name+"_h")
	g.line("%[1]s_0 = arith.constant 0 : index\n%[1]s_1 = arith.constant 1 : index\n%[1]s = scf.for %[1]s_i = %[1]s_0 to %[2]s step %[1]s_1 iter_args(%[1]s_h = %[3]s) -> (%[4]s) {\n%[5]s  scf.yield %[6]s : %[4]s\n}",
		v.name, count, x.name, g.typ(v), lines, last)
	g.behind(v, first)
}

// behind adds a step that reads what a conditional or a loop gives, the one given or another.
func (g *generator) behind(v val, steps []step) {
	if g.IntN(3) == 0 {
		return
	}
	if len(steps) == 0 || g.IntN(3) == 0 {
		steps = g.steps(v, 1)
	}
	if e, ok := g.after(v.exact, steps); ok && len(steps) > 0 {
		to := g.resultOf(e, v.shape, v.known)
		g.out.WriteString(strings.ReplaceAll("  "+steps[0].line(to.name, v.name), "\n}", "\n  }"))
	}
}
