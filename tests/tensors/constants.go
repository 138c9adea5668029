package tensors

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// types are those of the elements of programs.
var types = map[string]ir.Type{"f64": ir.F64, "f32": ir.F32, "f16": ir.F16, "bf16": ir.BF16, "i64": ir.I64, "i32": ir.I32, "i8": ir.I8}

// constant is a tensor of the program: all of its elements, one for all, bytes in the text or behind the program, a
// few among zeros.
func (g *generator) constant(shape []int64) {
	known := make([]bool, len(shape))
	for i := range known {
		known[i] = true
	}
	v := g.result(shape, known)
	n := size(shape)
	elements := make([]int64, n)
	form := g.IntN(5)
	for i := range elements {
		elements[i] = int64(g.IntN(5) - 2)
		if form == 1 {
			elements[i] = elements[0]
		}
	}
	var text string
	switch {
	case n == 0:
		text = "dense<>"
	case form == 0:
		text = "dense<" + g.nested(shape, &elements) + ">"
	case form == 1:
		text = "dense<" + g.element(elements[0]) + ">"
	case form == 2:
		text = "dense<\"0x" + g.bytes(elements) + "\">"
	case form == 3:
		key := fmt.Sprintf("f%d_c%d", g.n, len(g.resources))
		g.resources = append(g.resources, fmt.Sprintf("%s: \"0x08000000%s\"", key, g.bytes(elements)))
		text = "dense_resource<" + key + ">"
	default:
		text = g.sparse(shape, elements)
	}
	g.line("%s = arith.constant %s : %s", v.name, text, g.typ(v))
}

// metadata is what stands behind the function.
func (g *generator) metadata() string {
	if len(g.resources) == 0 {
		return ""
	}
	return "{-# dialect_resources: { builtin: { " + strings.Join(g.resources, ", ") + " } } #-}\n"
}

func (g *generator) element(n int64) string {
	if g.isFloat() {
		return fmt.Sprintf("%d.0", n)
	}
	return fmt.Sprint(n)
}

// nested writes elements as lists in lists.
func (g *generator) nested(shape []int64, elements *[]int64) string {
	if len(shape) == 0 {
		x := (*elements)[0]
		*elements = (*elements)[1:]
		return g.element(x)
	}
	parts := make([]string, shape[0])
	for i := range parts {
		parts[i] = g.nested(shape[1:], elements)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// bytes are elements as memory has them, in hexadecimal.
func (g *generator) bytes(elements []int64) string {
	var out []byte
	t := types[g.elem]
	for _, x := range elements {
		bits := uint64(x)
		if g.isFloat() {
			bits = ir.FloatToBits(float64(x), t)
		}
		width := map[ir.Type]int{ir.F64: 8, ir.I64: 8, ir.F32: 4, ir.I32: 4, ir.F16: 2, ir.BF16: 2, ir.I8: 1}[t]
		out = append(out, binary.LittleEndian.AppendUint64(nil, bits)[:width]...)
	}
	return hex.EncodeToString(out)
}

// sparse writes some of the elements; the others are zero.
func (g *generator) sparse(shape []int64, elements []int64) string {
	var at, values []string
	for i, x := range elements {
		if g.IntN(3) > 0 {
			continue
		}
		index, rest := make([]string, len(shape)), int64(i)
		for d := len(shape) - 1; d >= 0; d-- {
			index[d] = fmt.Sprint(rest % shape[d])
			rest /= shape[d]
		}
		at, values = append(at, "["+strings.Join(index, ", ")+"]"), append(values, g.element(x))
	}
	if len(at) == 0 || len(shape) == 0 {
		return "sparse<>"
	}
	return "sparse<[" + strings.Join(at, ", ") + "], [" + strings.Join(values, ", ") + "]>"
}
