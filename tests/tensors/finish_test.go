package tensors

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// finished is @fN: a product of matrices of numbers that are integers, and maps of it, of which one in four reads the product again.
func finished(seed uint64, n int) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 19)), n: n}
	g.elem = []string{"f64", "f32"}[g.IntN(2)]
	i, j, k := 1+g.Int64N(20), 1+g.Int64N(40), 1+g.Int64N(20)
	all := func(n int) []bool { return []bool{true, true, true}[:n] }
	for d, shape := range [][]int64{{i, k}, {k, j}, {i, j}, {j}, {i, 1}} {
		v := g.value(fmt.Sprintf("%%a%d", d), shape, all(len(shape)))
		g.param(v.name, g.typ(v), g.data(shape))
	}
	v := g.result([]int64{i, j}, all(2))
	g.line(`%s = ten.einsum "ik,kj->ij" %%a0, %%a1 : %s, %s -> %s`, v.name, g.typ(g.vals[0]), g.typ(g.vals[1]), g.typ(v))
	product, x := v, v
	for range 1 + g.IntN(3) {
		y := g.vals[2+g.IntN(3)]
		if g.IntN(4) == 0 {
			y = product
		}
		v = g.result([]int64{i, j}, all(2))
		g.line("%s = ten.map (%%p = %s : %s, %%q = %s : %s) -> %s {", v.name, x.name, g.typ(x), y.name, g.typ(y), g.typ(v))
		g.line("  %%0 = arith.%s %%p, %%q : %s", []string{"addf", "subf", "maximumf", "minimumf"}[g.IntN(4)], g.elem)
		g.line("  ten.yield %%0 : %s", g.elem)
		g.line("}")
		x = v
	}
	src := fmt.Sprintf("func.func @f%d(%s) -> %s {\n%s  return %s : %s\n}\n", n, strings.Join(g.params, ", "), g.typ(x), g.out.String(), x.name, g.typ(x))
	return Program{src, "[" + strings.Join(g.args, ", ") + "]"}
}

// Maps in the loops of the sums that they are of give what they mean, on the interpreter and as native code.
func TestFinished(t *testing.T) {
	var all strings.Builder
	var list []Program
	for i := range 12 {
		p := finished(*firstSeed+uint64(i), i)
		list = append(list, p)
		all.WriteString(p.Text)
	}
	var engines []engine.Engine
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		e := built.Start(t, kind)
		defer e.Close()
		engines = append(engines, e)
	}
	if ran := batch(t, engines, all.String(), list); ran < len(list) {
		t.Errorf("of %d programs %d gave something", len(list), ran)
	}
	loops := text.String(built.Through(t, built.Parse(t, all.String(), text.Options{}), "simplify-tensors,lower{to=affine}"), text.PrintOptions{})
	if n := strings.Count(loops, "memref.alloc"); n >= 2*len(list) {
		t.Errorf("%d programs have %d memories: no sums are taken in that of their maps", len(list), n)
	}
}
