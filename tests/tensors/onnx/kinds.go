package onnx

import (
	"fmt"
	"slices"
	"strings"
)

// kinds make a case of one op each: the body of the function, which gives %y, and its type. Types are closed where the
// result's is to be known.
var kinds = []func(m *maker) (body, result string){
	(*maker).einsum, (*maker).elementwise, (*maker).reduce, (*maker).argmax, (*maker).logsumexp, (*maker).softmax, (*maker).layerNorm,
	(*maker).conv, (*maker).maxPool, (*maker).averagePool, (*maker).transpose, (*maker).reshape, (*maker).slice, (*maker).concat, (*maker).pad,
	(*maker).gather, (*maker).gatherElements, (*maker).scatter, (*maker).scatterElements, (*maker).relu, (*maker).gelu, (*maker).fill,
}

func (m *maker) einsum() (string, string) {
	m.c.Op, m.c.Opset = "Einsum", 12
	elem := m.oneOf("f32", "f64", "i32", "i64")
	extents := m.shape(5)
	var terms, args, types []string
	seen := ""
	batch, rest := m.shape(m.IntN(3)), false // the dimensions of `...`
	for i := range 1 + m.IntN(3) {
		term, dims := "", []int{}
		for range 1 + m.IntN(3) {
			k := m.IntN(5)
			term += string(rune('i' + k))
			dims = append(dims, extents[k])
		}
		for _, r := range term {
			if !strings.ContainsRune(seen, r) {
				seen += string(r)
			}
		}
		if len(batch) > 0 && m.IntN(2) == 0 {
			own := slices.Clone(batch)
			for d := range own {
				if m.IntN(3) == 0 {
					own[d] = 1
				}
			}
			term, dims, rest = "..."+term, append(own, dims...), true
		}
		in := m.input(elem, dims)
		name := fmt.Sprintf("%%x%d", i)
		types = append(types, m.take(name, in, true))
		terms, args = append(terms, term), append(args, name)
	}
	out, shape := "", []int{}
	if rest {
		out, shape = "...", m.batchOf(terms, len(batch))
	}
	order := m.Perm(len(seen))
	if len(terms) == 1 { // ONNX Runtime 1.20.1 throws where it sums an index between two others that change places, as in "jik->kj"
		slices.Sort(order)
	}
	for _, i := range order {
		if m.IntN(2) == 0 {
			out += seen[i : i+1]
			shape = append(shape, extents[seen[i]-'i'])
		}
	}
	spec := strings.Join(terms, ",") + "->" + out
	m.c.Attrs["equation"] = spec
	t := tensor(shape, elem)
	return fmt.Sprintf("  %%y = ten.einsum %q %s : %s -> %s", spec, strings.Join(args, ", "), strings.Join(types, ", "), t), t
}

// batchOf are the extents of `...` in a result: those that are not 1 everywhere.
func (m *maker) batchOf(terms []string, rank int) (shape []int) {
	for d := range rank {
		n := 1
		for i, term := range terms {
			if strings.HasPrefix(term, "...") {
				n = max(n, m.c.Inputs[i].Dims[d])
			}
		}
		shape = append(shape, n)
	}
	return shape
}

// elementwise is a map of two operands that are stretched.
func (m *maker) elementwise() (string, string) {
	elem := m.oneOf("f32", "f64", "i32", "i64")
	op := m.IntN(4)
	m.c.Op = []string{"Add", "Sub", "Mul", "Max"}[op]
	arith := []string{"addi", "subi", "muli", "maxsi"}[op]
	if elem[0] == 'f' {
		arith = []string{"addf", "subf", "mulf", "maximumf"}[op]
	}
	shape := m.shape(1 + m.IntN(4))
	var types []string
	own := [2][]int{}
	for i := range own {
		own[i] = slices.Clone(shape[m.IntN(len(shape)):])
		if i == 0 && m.IntN(2) == 0 {
			own[i] = slices.Clone(shape)
		}
		for d := range own[i] {
			if m.IntN(4) == 0 {
				own[i][d] = 1
			}
		}
		types = append(types, m.take(fmt.Sprintf("%%x%d", i), m.input(elem, own[i]), true))
	}
	rank := max(len(own[0]), len(own[1]))
	shape = make([]int, rank)
	for d := range shape {
		shape[d] = 1
		for _, s := range own {
			if at := d - rank + len(s); at >= 0 {
				shape[d] = max(shape[d], s[at])
			}
		}
	}
	t := tensor(shape, elem)
	return fmt.Sprintf("  %%y = ten.map (%%p = %%x0 : %s, %%q = %%x1 : %s) -> %s {\n    %%0 = arith.%s %%p, %%q : %s\n    ten.yield %%0 : %s\n  }", types[0], types[1], t, arith, elem, elem), t
}

// dims are some of those of a rank, one at least.
func (m *maker) dims(rank int) []int {
	out := m.Perm(rank)[:1+m.IntN(rank)]
	slices.Sort(out)
	return out
}

func without(shape []int, dims ...int) (out []int) {
	for d, n := range shape {
		if !slices.Contains(dims, d) {
			out = append(out, n)
		}
	}
	return out
}

func (m *maker) reduce() (string, string) {
	k := m.IntN(4)
	m.c.Op, m.c.Attrs["keepdims"] = []string{"ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax"}[k], 0
	elem := m.oneOf("f32", "f64", "i32", "i64")
	if k == 1 {
		elem = m.oneOf("f32", "i32", "i64")
	}
	x := m.input(elem, m.shape(1+m.IntN(4)))
	dims := m.dims(len(x.Dims))
	t := m.take("%x", x, true)
	m.ints(dims...)
	return fmt.Sprintf("  %%y = ten.reduce %s %%x along %s : %s", []string{"add", "mul", "min", "max"}[k], list(dims), t), tensor(without(x.Dims, dims...), elem)
}

// along is an op of one operand and a dimension.
func (m *maker) along(op, axis, ten, elem string) (x Input, dim int, body string) {
	m.c.Op, x = op, m.input(elem, m.shape(1+m.IntN(4)))
	dim = m.IntN(len(x.Dims))
	t := m.take("%x", x, true)
	if axis != "" {
		m.c.Attrs[axis] = dim
	} else {
		m.ints(dim)
	}
	return x, dim, fmt.Sprintf("  %%y = ten.%s %%x along %d : %s", ten, dim, t)
}

func (m *maker) argmax() (string, string) {
	m.c.Attrs["keepdims"] = 0
	x, dim, body := m.along("ArgMax", "axis", "argmax", m.oneOf("f32", "f64", "i32"))
	return body, tensor(without(x.Dims, dim), "i64")
}

func (m *maker) logsumexp() (string, string) {
	m.c.Attrs["keepdims"] = 0
	elem := m.oneOf("f32", "f64")
	x, dim, body := m.along("ReduceLogSumExp", "", "logsumexp", elem)
	return body, tensor(without(x.Dims, dim), elem)
}

func (m *maker) softmax() (string, string) {
	elem := m.oneOf("f32", "f64")
	x, _, body := m.along("Softmax", "axis", "softmax", elem)
	return body, tensor(x.Dims, elem)
}

func (m *maker) layerNorm() (string, string) {
	elem := m.oneOf("f32", "f64")
	m.c.Op, m.c.Attrs["axis"] = "LayerNormalization", -1
	epsilon := m.oneOf("1.0e-5", "0.125")
	if elem == "f64" {
		epsilon = "0.125" // ONNX has it as an f32
	}
	m.c.Attrs["epsilon"] = map[string]any{"float": 1.0e-5}
	if epsilon == "0.125" {
		m.c.Attrs["epsilon"] = map[string]any{"float": 0.125}
	}
	x := m.input(elem, m.shape(1+m.IntN(3)))
	last := x.Dims[len(x.Dims)-1:]
	m.c.cancels = cancellation(x, last[0])
	t, s, b := m.take("%x", x, true), m.take("%s", m.input(elem, last), true), m.take("%b", m.input(elem, last), true)
	return fmt.Sprintf("  %%y = ten.layer_norm %%x scale %%s bias %%b epsilon %s : f64 : %s, %s, %s", epsilon, t, s, b), tensor(x.Dims, elem)
}

// cancellation is by how much the mean of squares is greater than the variance, in the row where it is most: ONNX Runtime takes the
// variance of f32 as the mean of squares less the square of the mean, in f32.
func cancellation(x Input, n int) (most float64) {
	for from := 0; from < len(x.Data); from += n {
		var sum, squares float64
		for _, v := range x.Data[from : from+n] {
			e, ok := v.(float64)
			if !ok {
				e = float64(v.(float32))
			}
			sum, squares = sum+e/float64(n), squares+e*e/float64(n)
		}
		most = max(most, squares/(max(squares-sum*sum, 0)+1e-5)/32)
	}
	return most
}

func (m *maker) transpose() (string, string) {
	elem := m.oneOf("f32", "i64")
	m.c.Op = "Transpose"
	x := m.input(elem, m.shape(1+m.IntN(4)))
	perm := m.Perm(len(x.Dims))
	m.c.Attrs["perm"] = perm
	shape := make([]int, len(perm))
	for i, d := range perm {
		shape[i] = x.Dims[d]
	}
	return fmt.Sprintf("  %%y = ten.transpose %%x %s : %s", list(perm), m.take("%x", x, true)), tensor(shape, elem)
}

func (m *maker) reshape() (string, string) {
	elem := m.oneOf("f32", "i32")
	m.c.Op = "Reshape"
	x := m.input(elem, m.shape(1+m.IntN(4)))
	to := append(slices.Clone(x.Dims[1:]), x.Dims[0])
	if m.IntN(2) == 0 && len(to) > 1 {
		to = append([]int{to[0] * to[1]}, to[2:]...)
	}
	t := m.take("%x", x, false)
	m.ints(to...)
	return fmt.Sprintf("  %%y = ten.reshape %%x : %s -> %s", t, tensor(to, elem)), tensor(to, elem)
}

func (m *maker) fill() (string, string) {
	if m.IntN(2) == 0 {
		n := 1 + m.IntN(7)
		m.c.Op = "Range"
		for _, x := range []int{0, n, 1} {
			m.c.Inputs = append(m.c.Inputs, Input{Type: "int64", Dims: []int{}, Data: []any{x}})
		}
		return fmt.Sprintf("  %%y = ten.iota 0 : tensor<%dxi64>", n), fmt.Sprintf("tensor<%dxi64>", n)
	}
	shape := m.shape(1 + m.IntN(3))
	m.c.Op = "ConstantOfShape"
	m.ints(shape...)
	t := tensor(shape, "f32")
	return fmt.Sprintf("  %%c = arith.constant 0.0 : f32\n  %%y = ten.fill %%c : %s", t), t
}

func (m *maker) relu() (string, string) {
	m.c.Op = "Relu"
	above := "0.0"
	elem := m.oneOf("f32", "f64")
	if m.IntN(2) == 0 {
		m.c.Op, above, elem = "ThresholdedRelu", "0.75", "f32"
		m.c.Attrs["alpha"] = map[string]any{"float": 0.75}
	}
	x := m.input(elem, m.shape(1+m.IntN(3)))
	return fmt.Sprintf("  %%y = ten.relu %%x above %s : f64 : %s", above, m.take("%x", x, true)), tensor(x.Dims, elem)
}

func (m *maker) gelu() (string, string) {
	m.c.Op = "Gelu"
	form := m.oneOf("exact", "tanh")
	m.c.Attrs["approximate"] = map[string]string{"exact": "none", "tanh": "tanh"}[form]
	x := m.input("f32", m.shape(1+m.IntN(3)))
	return fmt.Sprintf("  %%y = ten.gelu %s %%x : %s", form, m.take("%x", x, true)), tensor(x.Dims, "f32")
}
