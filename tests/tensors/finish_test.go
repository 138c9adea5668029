package tensors

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var finishedPrograms = flag.Int("finished", 20, "how many random products and convolutions with maps behind them are run")

// finishedProduct draws a product of matrices, or a convolution, of numbers that are integers. Sums of bytes are i32, and so are the maps of them.
func (g *generator) finishedProduct() val {
	residual := 3 <= g.n && g.n < 6
	if residual || g.IntN(2) == 0 && g.n != 1 && g.n != 2 {
		x := []convolution{convolutions[g.IntN(6)], convolutions[7+g.IntN(3)], depthwise(g.Rand)}[g.IntN(3)]
		switch {
		case g.n == 0:
			x = convolutions[6] // the one that takes some channels at a time
		case residual:
			x = []convolution{convolutions[0], convolutions[2], convolutions[4]}[g.n-3]
		}
		return g.convolved(x)
	}
	spec := []string{"ik,kj->ij", "ki,kj->ij", "ik,jk->ij", "bik,bkj->bij", "ijk,klm->ijlm", "ikl,klj->ij", "bik,kj->bij", "bijk,bkl->bijl", "ik,kj->ji"}[g.IntN(9)]
	switch g.n {
	case 1:
		spec = "bik,kj->bij"
	case 2:
		spec = "ikl,klj->ij"
	}
	extents, known := map[rune]int64{}, map[rune]bool{}
	for _, x := range spec {
		extents[x], known[x] = 1+g.Int64N(9)*g.Int64N(3), g.IntN(8) > 0
		if g.n == 1 { // rows in two places, one of which what is beside them has alone
			extents[x], known[x] = 3-int64('k'-x)/9, true
		} else if g.n == 2 { // sums in two places, which stay two
			extents[x], known[x] = 3, false
		}
	}
	terms := strings.FieldsFunc(spec, func(r rune) bool { return strings.ContainsRune(",->", r) })
	var vals []val
	for n, term := range terms {
		var shape []int64
		var is []bool
		for _, x := range term {
			shape, is = append(shape, extents[x]), append(is, known[x] || extents[x] == 1)
		}
		if n < 2 {
			vals = append(vals, g.given(shape, is))
		} else {
			vals = append(vals, g.result(shape, is))
		}
	}
	types := g.typ(vals[0]) + ", " + g.typ(vals[1])
	g.elem = summedAs(g.elem)
	g.line("%s = ten.einsum %q %s, %s : %s -> %s", vals[2].name, spec, vals[0].name, vals[1].name, types, g.typ(vals[2]))
	return vals[2]
}

// convolved is a convolution of arguments.
func (g *generator) convolved(x convolution) val {
	if x.dilations == nil {
		x.dilations = slices.Repeat([]int64{1}, len(x.low))
	}
	known, result := slices.Repeat([]bool{!x.open}, len(x.image)), []int64{x.image[0], x.kernel[0]}
	known[1] = true
	image, kernel := g.given(x.image, known), g.given(x.kernel, nil)
	for d := range x.low {
		result = append(result, (x.image[2+d]+x.low[d]+x.high[d]-x.dilations[d]*(x.kernel[2+d]-1)-1)/x.strides[d]+1)
	}
	v, types := g.result(result, slices.Clone(known)), g.typ(image)+", "+g.typ(kernel)
	g.elem = summedAs(g.elem)
	g.line("%s = ten.conv %s by %s low %s high %s strides %s dilations %s groups %d : %s -> %s", v.name, image.name, kernel.name,
		list(x.low), list(x.high), list(x.strides), list(x.dilations), x.groups, types, g.typ(v))
	return v
}

// summedAs is the type of sums.
func summedAs(elem string) string {
	if elem == "i8" || elem == "i16" {
		return "i32"
	}
	return elem
}

// converted is a tensor with elements of another type: rounded, or as bytes by a scale, a zero and limits, as QuantizeLinear of ONNX has it.
func (g *generator) converted(x val) val {
	from, typ := g.elem, g.typ(x)
	width := map[string]int{"f64": 64, "f32": 32, "f16": 16, "bf16": 16}
	v := g.result(x.shape, x.known)
	var body []string
	if to := []string{"f64", "f32", "f16", "bf16", "i8", "i8"}[g.IntN(6)]; to == "i8" {
		g.elem = to
		switch {
		case from == "i32":
			body = append(body, "%f = arith.sitofp %p : i32 to f32")
		case from == "f64":
			body = append(body, "%f = arith.truncf %p : f64 to f32")
		case from == "f32":
			body = append(body, "%nothing = arith.constant 0.0 : f32", "%f = arith.addf %p, %nothing : f32")
		default:
			body = append(body, "%f = arith.extf %p : "+from+" to f32")
		}
		body = append(body, "%scale = arith.constant 0.37 : f32", "%zero = arith.constant 3.0 : f32", "%least = arith.constant -128.0 : f32", "%most = arith.constant 127.0 : f32",
			"%a = arith.mulf %f, %scale : f32", "%b = math.roundeven %a : f32", "%c = arith.addf %b, %zero : f32", "%d = arith.maximumf %c, %least : f32", "%e = arith.minimumf %d, %most : f32", "%r = arith.fptosi %e : f32 to i8")
	} else {
		g.elem = to
		switch {
		case from == "i32":
			body = append(body, "%r = arith.sitofp %p : i32 to "+to)
		case width[to] < width[from]:
			body = append(body, "%r = arith.truncf %p : "+from+" to "+to)
		case width[to] > width[from]:
			body = append(body, "%r = arith.extf %p : "+from+" to "+to)
		default:
			g.elem = from
			body = append(body, "%r = arith.negf %p : "+from)
		}
	}
	g.line("%s = ten.map (%%p = %s : %s) -> %s {", v.name, x.name, typ, g.typ(v))
	for _, s := range append(body, "ten.yield %r : "+g.elem) {
		g.line("  %s", s)
	}
	g.line("}")
	return v
}

// given is an argument.
func (g *generator) given(shape []int64, known []bool) val {
	if known == nil {
		known = slices.Repeat([]bool{true}, len(shape))
	}
	v := g.value(fmt.Sprintf("%%a%d", len(g.vals)), shape, known)
	g.param(v.name, g.typ(v), g.data(shape))
	return v
}

// beside is an argument that is stretched to a shape, along no dimension, along all but one, or along some.
func (g *generator) beside(v val) val {
	shape, known := slices.Clone(v.shape), slices.Clone(v.known)
	how := g.IntN(3)
	kept := g.IntN(len(shape))
	switch {
	case g.n < 2:
		how, kept = 1, 1
	case 3 <= g.n && g.n < 6: // a residual of each place
		how = 0
	}
	for d := range shape {
		if how == 1 && d != kept || how == 2 && g.IntN(2) == 0 {
			shape[d], known[d] = 1, true
		}
	}
	from := 0
	for how > 0 && from < len(shape) && shape[from] == 1 && g.IntN(2) == 0 {
		from++
	}
	return g.given(shape[from:], known[from:])
}

// finished is @fN: a product, and maps of it, of which one in six reads the product again; what they give is returned, or written to memory that
// one of them reads, too.
func finished(seed uint64, n int) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 19)), n: n}
	g.elem = []string{"f64", "f32", "f32", "f16", "f16", "bf16", "i8", "i16"}[g.IntN(8)]
	if n == 2 {
		g.elem = "f64" // sums in the memory of the result
	}
	return g.withMaps(g.finishedProduct(), 1+g.IntN(3))
}

// withMaps is the function of a product, and of so many maps of it.
func (g *generator) withMaps(v val, maps int) Program {
	n, product, x := g.n, v, v
	end, memory := "", ""
	for k := range maps {
		var y val
		switch {
		case k == 0 && 3 <= n && n < 6:
			y = g.beside(product)
		case k == 0 && g.IntN(4) == 0:
			y = g.value("%own", v.shape, v.known)
			memory = strings.Replace(g.typ(y), "tensor", "memref", 1)
			g.param("%memory", memory+" {llvm.noalias}", g.data(y.shape))
			g.line("%%own = ten.pack %%memory : %s", memory)
		case g.IntN(6) == 0:
			y = product
		case g.IntN(6) == 0 && !slices.Contains(v.known, false):
			y = g.value(fmt.Sprintf("%%c%d", k), v.shape, slices.Repeat([]bool{true}, len(v.shape)))
			g.line("%s = arith.constant dense<%s> : %s", y.name, map[bool]string{true: "3.0", false: "3"}[g.isFloat()], g.typ(y))
		default:
			y = g.beside(product)
		}
		v = g.result(product.shape, product.known)
		g.line("%s = ten.map (%%p = %s : %s, %%q = %s : %s) -> %s {", v.name, x.name, g.typ(x), y.name, g.typ(y), g.typ(v))
		ops := []string{"addf", "subf", "maximumf", "minimumf"}
		if !g.isFloat() {
			ops = []string{"addi", "subi", "maxsi", "minsi"}
		}
		g.line("  %%0 = arith.%s %%p, %%q : %s", ops[g.IntN(4)], g.elem)
		g.line("  ten.yield %%0 : %s", g.elem)
		g.line("}")
		x = v
	}
	if memory == "" && g.IntN(2) == 0 {
		x = g.converted(x)
	}
	if memory != "" {
		end = fmt.Sprintf("  ten.write %s to %%memory : %s, %s\n", x.name, g.typ(x), memory)
	}
	src := fmt.Sprintf("func.func @f%d(%s) -> %s {\n%s%s  return %s : %s\n}\n", n, strings.Join(g.params, ", "), g.typ(x), g.out.String(), end, x.name, g.typ(x))
	return Program{Name: fmt.Sprintf("f%d", n), Text: src, Args: "[" + strings.Join(g.args, ", ") + "]"}
}

// Maps in the loops of the sums that they are of give what they mean, on the interpreter and as native code.
func TestFinished(t *testing.T) {
	var src strings.Builder
	var list []Program
	for i := range *finishedPrograms {
		list = append(list, finished(*firstSeed+uint64(i), i))
		src.WriteString(list[i].Text)
	}
	all := meaning(t, list)
	for _, x := range all {
		if x.want == "trap" {
			t.Errorf("it traps:\n%s%s", x.Text, x.Args)
		}
	}
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		compare(t, started(t, kind), all)
	}
	done := 0
	for _, line := range built.Remarks(t, src.String(), module(t, list, text.Options{}), "simplify-tensors,lower{to=affine}") {
		if strings.Contains(line, "each sum is replaced") {
			done++
		}
	}
	if done < len(list)/2 {
		t.Errorf("the sums of %d of %d programs are taken in the memory of their maps", done, len(list))
	}
}
