package interp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
)

// ArgsFromJSON reads a JSON array of arguments of the given types: numbers, true
// and false for i1, "NaN", "Infinity" and "-Infinity", nested arrays for vectors
// and for memrefs, whose memory is made here. A type of a dialect that becomes others
// (ir.TypeLowering) is a list of its parts, or an object where they have names. An argument
// may also be {"file": PATH}, of which file makes a value, if file is not nil. The error says which
// argument, and where in it, is none of its type.
func ArgsFromJSON(c *ir.Context, types []ir.Type, data []byte, file func(t ir.Type, path string) (ir.Val, error)) ([]ir.Val, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var list []any
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("arguments: not a JSON array: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("arguments: text after the JSON array")
	}
	if len(list) != len(types) {
		return nil, fmt.Errorf("arguments: %d given, %d wanted", len(list), len(types))
	}
	out := make([]ir.Val, len(types))
	for i, t := range types {
		if path, ok := fileOf(list[i]); ok && file != nil {
			v, err := file(t, path)
			if err != nil {
				return nil, fmt.Errorf("argument %d: %w", i, err)
			}
			out[i] = v
			continue
		}
		r := reader{c: c}
		v, err := r.value(list[i], t)
		if err != nil {
			return nil, fmt.Errorf("argument %d%s: %w", i, r.where(), err)
		}
		out[i] = v
	}
	return out, nil
}

// fileOf is the path of {"file": PATH}.
func fileOf(x any) (path string, ok bool) {
	m, _ := x.(map[string]any)
	path, ok = m["file"].(string)
	return path, ok && len(m) == 1
}

// reader reads one argument; path leads to the element that is read.
type reader struct {
	c    *ir.Context
	path []int
}

func (r *reader) where() string {
	s := ""
	for _, i := range r.path {
		s += fmt.Sprintf("[%d]", i)
	}
	return s
}

func (r *reader) value(x any, t ir.Type) (ir.Val, error) {
	info := r.c.Info(t)
	switch info.Kind {
	case ir.KindInteger, ir.KindIndex:
		return readInt(x, info)
	case ir.KindFloat:
		return readFloat(x, t)
	case ir.KindVector, ir.KindTensor:
		if info.Unranked || info.Scalable != nil || info.Kind == ir.KindVector && slices.Contains(info.Shape, ir.Dynamic) {
			return ir.Val{}, fmt.Errorf("vectors of unknown shape and tensors of unknown rank have no JSON form")
		}
		shape, elems, err := r.shaped(x, info)
		if info.Kind == ir.KindTensor && err == nil {
			return r.c.TensorVal(t, shape, elems), nil
		}
		return ir.Val{Ref: ir.Vector(elems)}, err
	case ir.KindMemRef:
		return r.memref(x, info)
	}
	if s, ok := lookOf(r.c, t); ok {
		return r.byShape(x, t, s)
	}
	if l := r.c.LoweringOf(t); l != nil {
		return r.lowered(x, t, l)
	}
	return ir.Val{}, fmt.Errorf("values of this type have no JSON form")
}

func (r *reader) memref(x any, info *ir.TypeInfo) (ir.Val, error) {
	if info.Unranked {
		return ir.Val{}, fmt.Errorf("an unranked memref has no JSON form: cast it inside of the program")
	}
	if !identity(r.c, info) {
		return ir.Val{}, fmt.Errorf("only memrefs of the identity layout have a JSON form")
	}
	shape, elems, err := r.shaped(x, info)
	if err != nil {
		return ir.Val{}, err
	}
	strides, _, _ := strided.RowMajor(shape)
	b := NewBuffer(r.c, info.Elem, len(elems), false)
	b.Static = true
	for i, v := range elems {
		b.Store(i, v)
	}
	return ir.Val{Ref: &MemRef{Buf: b, Sizes: shape, Strides: strides}}, nil
}

// identity reports the row-major layout with offset 0, however it is written.
func identity(c *ir.Context, info *ir.TypeInfo) bool {
	if info.Layout == 0 {
		return true
	}
	a := c.AttrInfo(info.Layout)
	if a.Kind != ir.AttrStrided || a.Int != 0 || len(a.Shape) != len(info.Shape) {
		return false
	}
	n := int64(1)
	for i := len(info.Shape) - 1; i >= 0; i-- {
		if a.Shape[i] != n || i > 0 && info.Shape[i] == ir.Dynamic {
			return false
		}
		n = ir.Times(n, info.Shape[i])
	}
	return true
}

// emptyShape reads the extents of an array without elements: nested arrays do not tell those behind
// an extent 0.
func (r *reader) emptyShape(x any, static []int64) ([]int64, error) {
	list, _ := x.([]any)
	if len(list) != len(static) {
		return nil, fmt.Errorf("\"shape\" is an array of %d extents here", len(static))
	}
	out := make([]int64, len(list))
	for i, y := range list {
		n, ok := y.(json.Number)
		var err error
		if out[i], err = n.Int64(); !ok || err != nil || out[i] < 0 || static[i] != ir.Dynamic && out[i] != static[i] {
			return nil, fmt.Errorf("\"shape\" has %s as extent %d, and the type has %s there", spell(y), i, extentText(static[i]))
		}
	}
	if n, ok := ir.Product(out...); !ok || n != 0 {
		return nil, fmt.Errorf("\"shape\" is for an array without elements; write the %d elements of this one as nested arrays", n)
	}
	return out, nil
}

func extentText(n int64) string {
	if n == ir.Dynamic {
		return "any number from 0 on"
	}
	return strconv.FormatInt(n, 10)
}

// shaped reads nested arrays; a dynamic extent is what the first array has.
func (r *reader) shaped(x any, info *ir.TypeInfo) (shape []int64, elems []ir.Val, err error) {
	shape = append([]int64{}, info.Shape...)
	known := lists.Map(shape, func(n int64) bool { return n != ir.Dynamic })
	var walk func(x any, dim int) error
	walk = func(x any, dim int) error {
		if dim == len(shape) {
			v, err := r.value(x, info.Elem)
			elems = append(elems, v)
			return err
		}
		list, ok := x.([]any)
		if !ok {
			return fmt.Errorf("an array is wanted, not %s", spell(x))
		}
		if !known[dim] {
			known[dim], shape[dim] = true, int64(len(list))
		}
		if int64(len(list)) != shape[dim] {
			return fmt.Errorf("an array of length %d is wanted, this one has %d", shape[dim], len(list))
		}
		for i, y := range list {
			r.path = append(r.path, i)
			if err := walk(y, dim+1); err != nil {
				return err
			}
			r.path = r.path[:len(r.path)-1]
		}
		return nil
	}
	if m, ok := x.(map[string]any); ok && len(m) == 1 && m["shape"] != nil {
		shape, err := r.emptyShape(m["shape"], info.Shape)
		return shape, nil, err
	}
	if err := walk(x, 0); err != nil {
		return nil, nil, err
	}
	for i := range shape {
		if !known[i] {
			shape[i] = 0
		}
	}
	return shape, elems, nil
}

func spell(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	case string:
		return strconv.Quote(x)
	}
	return fmt.Sprint(x)
}

func readInt(x any, info *ir.TypeInfo) (ir.Val, error) {
	if b, ok := x.(bool); ok && info.Width == 1 {
		return ir.BoolVal(b), nil
	}
	num, ok := x.(json.Number)
	n, isInt := new(big.Int), false
	if ok && len(num) < 100 {
		n, isInt = n.SetString(string(num), 10)
	}
	if !isInt {
		return ir.Val{}, fmt.Errorf("an integer is wanted, not %s", spell(x))
	}
	if info.Width > 64 {
		return ir.Val{}, fmt.Errorf("integers of more than 64 bits do not run")
	}
	low := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(info.Width-1)))
	high := new(big.Int).Lsh(big.NewInt(1), uint(info.Width))
	if info.Sign == ir.Unsigned {
		low.SetInt64(0)
	} else if info.Sign == ir.Signed {
		high.Rsh(high, 1)
	}
	if n.Cmp(low) < 0 || n.Cmp(high) >= 0 {
		return ir.Val{}, fmt.Errorf("%s does not fit into %d bits", n, info.Width)
	}
	if n.Sign() < 0 {
		return ir.IntVal(n.Int64(), info.Width), nil
	}
	return ir.IntVal(int64(n.Uint64()), info.Width), nil
}

func readFloat(x any, t ir.Type) (ir.Val, error) {
	switch x := x.(type) {
	case string:
		special := map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}
		if v, ok := special[x]; ok {
			return ir.FloatVal(v, t), nil
		}
	case json.Number:
		bits := 64
		if t == ir.F32 {
			bits = 32
		}
		v, err := strconv.ParseFloat(string(x), bits)
		if err != nil || math.IsInf(ir.FloatVal(v, t).Float(t), 0) {
			return ir.Val{}, fmt.Errorf("%s is too large for the type; write \"Infinity\" for infinity", x)
		}
		return ir.FloatVal(v, t), nil
	}
	return ir.Val{}, fmt.Errorf("a number is wanted, not %s", spell(x))
}

// ToJSON writes values as a JSON array; it is the inverse of ArgsFromJSON. Poison
// is written as "poison".
func ToJSON(c *ir.Context, vals []ir.Val, types []ir.Type) ([]byte, error) {
	if len(vals) != len(types) {
		return nil, fmt.Errorf("%d values of %d types", len(vals), len(types))
	}
	out := []byte{'['}
	for i, v := range vals {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = appendVal(out, c, v, types[i], jsonForm)
	}
	return append(out, ']'), nil
}
