package tensors

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/linalg"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// structured is @fN: an op of linalg that sums products up, on tensors of known extents, with zeros or an argument to begin with, and maps behind it or none.
func structured(row linalg.Row, seed uint64, n int) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 20)), n: n}
	in := []string{"f32", "f64", "i8", "i32"}[g.IntN(4)]
	out := summedAs(in)
	strides, dilations := []int64{1, 1, 1}, []int64{1, 1, 1}
	attrs, windows := "", strings.Count(row.Space, "*s")
	if windows > 0 && g.IntN(2) == 0 {
		for i := range windows {
			strides[i], dilations[i] = 1+g.Int64N(2), 1+g.Int64N(2)
		}
		attrs = fmt.Sprintf(" {dilations = dense<%s> : tensor<%dxi64>, strides = dense<%s> : tensor<%[2]dxi64>}", list(dilations[:windows]), windows, list(strides[:windows]))
	}
	s := row.Structure(0, strides, dilations)
	last := make([]int64, len(s.Reduction))
	for d := range last {
		if last[d] = g.Int64N(6); len(last) > 7 {
			last[d] = g.Int64N(4)
		}
	}
	var names, types []string
	for i, f := range s.Maps {
		var shape []int64
		for _, e := range f.Results {
			k, err := e.Eval(last, nil)
			if err != nil {
				panic(err)
			}
			if e.Op != expr.OpDim && g.IntN(6) == 0 {
				k++ // more than is under the window
			}
			shape = append(shape, k+1)
		}
		if g.elem = in; i == 2 {
			g.elem = out
		}
		v := g.given(shape, nil)
		names, types = append(names, v.name), append(types, g.typ(v))
	}
	begin, t := names[2], types[2]
	if g.IntN(2) == 0 {
		zero := map[bool]string{true: "0.0", false: "0"}[g.isFloat()]
		g.line("%%zero = arith.constant %s : %s\n  %%empty = tensor.empty() : %s\n  %%zeros = linalg.fill ins(%%zero : %[2]s) outs(%%empty : %[3]s) -> %[3]s", zero, out, t)
		begin = "%zeros"
	}
	g.line("%%p = linalg.%s%s ins(%s, %s : %s, %s) outs(%s : %s) -> %[8]s", row.Name, attrs, names[0], names[1], types[0], types[1], begin, t)
	result := "%p"
	if rank := len(s.Maps[2].Results); rank > 0 && g.IntN(2) == 0 { // a bias along one dimension, and a rectifier of what there was
		v := g.vals[2]
		at := g.IntN(rank)
		bias := g.given(v.shape[at:at+1], nil)
		dims := make([]string, rank)
		for d := range dims {
			dims[d] = fmt.Sprintf("d%d", d)
		}
		all := strings.Join(dims, ", ")
		add, most := "addf", "maximumf"
		if !g.isFloat() {
			add, most = "addi", "maxsi"
		}
		g.line(`%%r = linalg.generic {indexing_maps = [affine_map<(%s) -> (%[1]s)>, affine_map<(%[1]s) -> (%[2]s)>, affine_map<(%[1]s) -> (%[1]s)>], iterator_types = [%[3]s]} ins(%%p, %[4]s : %[5]s, %[6]s) outs(%[7]s : %[5]s) {
  ^bb0(%%x: %[8]s, %%y: %[8]s, %%z: %[8]s):
    %%0 = arith.%[9]s %%x, %%y : %[8]s
    %%1 = arith.%[10]s %%0, %%z : %[8]s
    linalg.yield %%1 : %[8]s
  } -> %[5]s`, all, dims[at], strings.TrimSuffix(strings.Repeat(`"parallel", `, rank), ", "), bias.name, t, g.typ(bias), names[2], out, add, most)
		result = "%r"
	}
	src := fmt.Sprintf("func.func @f%d(%s) -> %s {\n%s  return %s : %[3]s\n}\n", n, strings.Join(g.params, ", "), t, g.out.String(), result)
	return Program{Name: fmt.Sprintf("f%d", n), Text: src, Args: "[" + strings.Join(g.args, ", ") + "]"}
}

// Products and convolutions of linalg, in all layouts, give what their loops do where sums are taken in any order: as ops of ten, most of them.
func TestStructured(t *testing.T) {
	var programs []Program
	for _, row := range linalg.Rows() {
		if row.Body == "add(out, mul(cast(in0), cast(in1)))" {
			for range 2 {
				programs = append(programs, structured(row, *firstSeed+uint64(len(programs)), len(programs)))
			}
		}
	}
	all := meaning(t, programs)
	tens := built.Through(t, module(t, programs, text.Options{}), "lower{to=affine reassoc=true}")
	if n := strings.Count(text.String(tens, text.PrintOptions{}), "affine.contraction"); n < len(programs)/6 {
		t.Errorf("%d of %d programs have tiles", n, len(programs))
	}
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		e := started(t, kind)
		if e == nil {
			continue
		}
		if kind == engine.LLVM { // one in three, which take longest to make
			some := all[:0:0]
			for i := int(*firstSeed % 3); i < len(all); i += 3 {
				some = append(some, all[i])
			}
			all, programs = some, nil
			for _, x := range all {
				programs = append(programs, x.Program)
			}
			tens = built.Through(t, module(t, programs, text.Options{}), "lower{to=affine reassoc=true}")
		}
		program, err := built.Prepare(t.Context(), e, tens)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			got, n, err := built.Call(t.Context(), program, tens, x.Name, x.Args)
			if err != nil || unsigned(got) != unsigned(x.want) {
				t.Errorf("%s gives %s, %v, and the loops %s:\n%s%s", e.Name(), got, err, x.want, x.Text, x.Args)
			}
			if left := n.Live - n.Results; err == nil && left > 0 {
				t.Errorf("%s leaves %d blocks:\n%s", e.Name(), left, x.Text)
			}
		}
		program.Close()
	}
}
