package onnx

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Case is an op of ONNX with its inputs, and the same as a function of ten ops.
type Case struct {
	Op     string         `json:"op"`
	Opset  int            `json:"opset"`
	Attrs  map[string]any `json:"attrs"`
	Inputs []Input        `json:"inputs"`

	Text string `json:"-"` // of the function
	Args string `json:"-"` // for it

	cancels float64 // how many times more the runtime's result may be off, because it takes a difference of like numbers
}

// An Input is a tensor; its elements in row-major order.
type Input struct {
	Type string `json:"type"`
	Dims []int  `json:"dims"`
	Data []any  `json:"data"`

	elem string // as MLIR has the type
}

// names of types of elements in ONNX Runtime, by that of MLIR.
var names = map[string]string{"f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64", "i8": "int8"}

// A maker makes a case.
type maker struct {
	*rand.Rand
	c      *Case
	params []string
	args   []string
}

// Make is case n of a seed.
func Make(seed uint64, n int) *Case {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, uint64(n))), c: &Case{Opset: 20, Attrs: map[string]any{}}}
	kind := kinds[n%len(kinds)]
	body, result := kind(m)
	m.c.Text = fmt.Sprintf("func.func @f%d(%s) -> %s {\n%s\n  return %%y : %s\n}\n", n, strings.Join(m.params, ", "), result, body, result)
	m.c.Args = "[" + strings.Join(m.args, ", ") + "]"
	return m.c
}

// shape has extents from 1 to 5.
func (m *maker) shape(rank int) []int {
	out := make([]int, rank)
	for i := range out {
		out[i] = 1 + m.IntN(5)
	}
	return out
}

func (m *maker) oneOf(words ...string) string { return words[m.IntN(len(words))] }

// input makes an input with random elements.
func (m *maker) input(elem string, dims []int) Input {
	return m.inputOf(elem, dims, func() any {
		switch elem {
		case "f32":
			return float32(m.NormFloat64() * 2)
		case "f64":
			return m.NormFloat64() * 2
		}
		return m.IntN(9) - 4
	})
}

func (m *maker) inputOf(elem string, dims []int, element func() any) Input {
	in := Input{Type: names[elem], Dims: append([]int{}, dims...), Data: []any{}, elem: elem}
	n := 1
	for _, d := range dims {
		n *= d
	}
	for range n {
		in.Data = append(in.Data, element())
	}
	return in
}

// ints is an input of ONNX that ten has as an attribute.
func (m *maker) ints(list ...int) {
	in := Input{Type: "int64", Dims: []int{len(list)}, Data: []any{}, elem: "i64"}
	for _, n := range list {
		in.Data = append(in.Data, n)
	}
	m.c.Inputs = append(m.c.Inputs, in)
}

// take makes an input the next of ONNX and a parameter of the function, where it has that name. Its type leaves extents open by chance;
// those of 1 stay, since what is open is never stretched.
func (m *maker) take(name string, in Input, closed bool) (typ string) {
	m.c.Inputs = append(m.c.Inputs, in)
	return m.param(name, in, closed)
}

func (m *maker) param(name string, in Input, closed bool) (typ string) {
	typ = "tensor<"
	for _, n := range in.Dims {
		if !closed && n > 1 && m.IntN(3) == 0 {
			typ += "?x"
		} else {
			typ += fmt.Sprintf("%dx", n)
		}
	}
	typ += in.elem + ">"
	m.params = append(m.params, name+": "+typ)
	next := 0
	m.args = append(m.args, nested(in, in.Dims, &next))
	return typ
}

func nested(in Input, dims []int, next *int) string {
	if len(dims) == 0 {
		*next++
		return fmt.Sprint(in.Data[*next-1])
	}
	parts := make([]string, dims[0])
	for i := range parts {
		parts[i] = nested(in, dims[1:], next)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func tensor(dims []int, elem string) string {
	out := "tensor<"
	for _, n := range dims {
		out += fmt.Sprintf("%dx", n)
	}
	return out + elem + ">"
}

func list(ns []int) string { return strings.Join(strings.Fields(fmt.Sprint(ns)), ", ") }
