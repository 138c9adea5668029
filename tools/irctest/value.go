package irctest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/unwind"
)

// arg is an argument apart from any context: a number, memory, or what has parts.
type arg struct {
	typ string
	irtest.Arg
	parts []arg
	cells []arg // of memory whose elements are of a type that has parts: one of no element, for their types, and the elements
}

// input is the arguments of a call.
type input []arg

// inputsOf makes the arguments of n calls of an irtest program: memory as the generator made it, whose indices it
// knows, and other numbers each time.
func inputsOf(p *irtest.Program, n int) []input {
	r := rand.New(rand.NewPCG(p.Seed, 0x1a))
	out := make([]input, n)
	for k := range out {
		for _, a := range p.Args {
			if a.Elem == "" && k > 0 {
				a.Bits = number(r, a.Type)
			}
			out[k] = append(out[k], arg{typ: a.Type, Arg: a})
		}
		alike(r, out[k])
	}
	return out
}

// alike makes arguments equal now and then.
func alike(r *rand.Rand, in input) {
	for i := range in {
		if j := r.IntN(len(in)); in[i].typ == in[j].typ && in[i].Elem == "" && r.IntN(6) == 0 {
			in[i] = in[j]
		}
	}
}

// number is a random pattern of a scalar type, often a corner.
func number(r *rand.Rand, t string) uint64 {
	float := []float64{0, 1, -1, 0.5, 2, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1e30, math.NaN(), 3.25, 16777217, -7}[r.IntN(13)]
	if r.IntN(2) == 0 {
		float = r.NormFloat64() * 100
	}
	switch t {
	case "f64":
		return math.Float64bits(float)
	case "f32":
		return uint64(math.Float32bits(float32(float)))
	case "f16":
		return []uint64{0, 0x8000, 1, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x3C00, 0xBC00, 0x4280}[r.IntN(10)]
	case "bf16":
		return []uint64{0, 0x8000, 1, 0x7F7F, 0x7F80, 0xFF80, 0x7FC0, 0x3F80, 0xBF80, 0x4050}[r.IntN(10)]
	}
	w := uint(64)
	if t != "index" {
		w = 0
		for _, c := range strings.TrimPrefix(t, "i") {
			w = w*10 + uint(c-'0')
		}
	}
	corners := []int64{0, 1, -1, 2, 7, 1<<(w-1) - 1, -1 << (w - 1), 3, -5, 1<<(w-1) - 2}
	n := corners[r.IntN(len(corners))]
	if r.IntN(3) == 0 {
		n = int64(r.Uint64()) >> r.IntN(63)
	}
	if w < 64 {
		return uint64(n) & (1<<w - 1)
	}
	return uint64(n)
}

// source makes the arguments of a call: extents that types do not say are all the same, as those are to be that a
// type of two arguments names alike.
type source struct {
	*rand.Rand
	extent int
}

// random makes an argument of a type; false of one that nothing is known of.
func random(r source, c *ir.Context, t ir.Type) (arg, bool) {
	a := arg{typ: text.TypeString(c, t)}
	a.Type = a.typ
	info := c.Info(t)
	switch {
	case elementwise.Computable(t) || c.IsInt(t) && info.Width <= 64:
		a.Bits = number(r.Rand, a.typ)
		return a, info.Sign == ir.Signless
	case info.Kind == ir.KindVector && info.Scalable == nil:
		return a, a.fill(r, c, info.Elem, int(ir.Elements(info.Shape)))
	case info.Kind == ir.KindMemRef && !info.Unranked && info.Layout == 0 && info.Space == 0:
		return a, a.memory(r, c, info)
	}
	l := c.LoweringOf(t)
	if l == nil || c.IsTensor(t) { // what becomes of a tensor may be written to
		return a, false
	}
	for _, p := range l.Parts(c, t) {
		x, ok := random(r, c, p)
		if !ok {
			return a, false
		}
		a.parts = append(a.parts, x)
	}
	return a, true
}

func (a *arg) fill(r source, c *ir.Context, elem ir.Type, n int) bool {
	for range n {
		x, ok := random(r, c, elem)
		if !ok {
			return false
		}
		a.parts = append(a.parts, x)
	}
	return true
}

// inMemory reports memory, and a value of a type that has some among its parts: only a machine has it.
func (a *arg) inMemory() bool {
	return a.Elem != "" || slices.ContainsFunc(a.parts, func(p arg) bool { return p.inMemory() })
}

// memory makes memory of the identity layout.
func (a *arg) memory(r source, c *ir.Context, info *ir.TypeInfo) bool {
	a.Elem = text.TypeString(c, info.Elem)
	shape := make([]int64, len(info.Shape))
	for i, d := range info.Shape {
		if shape[i] = d; d == ir.Dynamic {
			shape[i] = int64(r.extent)
		}
	}
	strides, n, ok := strided.RowMajor(shape)
	const most = 1 << 12 // of elements: a program on more takes longer than it tells
	if !ok || n > most {
		return false
	}
	for i := range shape {
		a.Sizes, a.Strides = append(a.Sizes, int(shape[i])), append(a.Strides, int(strides[i]))
	}
	if c.LoweringOf(info.Elem) != nil {
		return a.fillCells(r, c, info.Elem, int(n))
	}
	if !elementwise.Computable(info.Elem) && !c.IsInt(info.Elem) {
		return false
	}
	for range n {
		a.Elems = append(a.Elems, number(r.Rand, a.Elem))
	}
	return true
}

// fillCells makes the elements of memory. Each part that is no number would need memory, or lanes, of its own.
func (a *arg) fillCells(r source, c *ir.Context, elem ir.Type, n int) bool {
	for range n + 1 {
		x, ok := random(r, c, elem)
		if !ok || len(x.numbers()) == 0 {
			return false
		}
		a.cells = append(a.cells, x)
	}
	return true
}

// numbers are the numbers that a value consists of, part by part; none if it is not of numbers alone.
func (a *arg) numbers() (out []arg) {
	if a.parts == nil && a.Elem == "" {
		return []arg{*a}
	}
	for i := range a.parts {
		p := &a.parts[i]
		ns := p.numbers()
		if len(ns) == 0 || strings.HasPrefix(p.typ, "vector") {
			return nil
		}
		out = append(out, ns...)
	}
	return out
}

// columns is memory of values with parts as what it is once they are lowered: memory for each part.
func (a *arg) columns() (out []arg) {
	before, _ := strings.CutSuffix(a.typ, a.Elem+">")
	for k, first := range a.cells[0].numbers() {
		part := arg{typ: before + first.typ + ">", Arg: a.Arg}
		part.Type, part.Elem = part.typ, first.typ
		for i := range a.cells[1:] {
			part.Elems = append(part.Elems, a.cells[1+i].numbers()[k].Bits)
		}
		out = append(out, part)
	}
	return out
}

// memoryOf makes the memory of an argument whose elements have parts.
func (a *arg) memoryOf(c *ir.Context, m *interp.Machine, elem ir.Type) (ir.Val, error) {
	r, err := m.NewMemRef(elem, int64(len(a.cells)-1))
	if err != nil {
		return ir.Val{}, err
	}
	for i := range a.cells[1:] {
		v, err := a.cells[1+i].val(c, m, elem)
		if err != nil {
			return v, err
		}
		r.Buf.Store(i, v)
	}
	r.Buf.Static, r.Sizes, r.Strides = true, nil, nil
	for i := range a.Sizes {
		r.Sizes, r.Strides = append(r.Sizes, int64(a.Sizes[i])), append(r.Strides, int64(a.Strides[i]))
	}
	return r.Val(), nil
}

// vals makes values of arguments of the given types. An argument whose type is not among them, in order, is left
// out: a program that is reduced loses parameters.
func (in input) vals(c *ir.Context, m *interp.Machine, types []ir.Type) ([]ir.Val, bool) {
	var out []ir.Val
	made := make([]ir.Val, len(in))
	for i, a := range in {
		if len(out) == len(types) || text.TypeString(c, types[len(out)]) != a.typ {
			continue
		}
		v, err := a.val(c, m, types[len(out)])
		if err != nil {
			return nil, false
		}
		if a.Same > 0 && made[a.Same-1].Ref != nil {
			v.Ref.(*interp.MemRef).Buf = made[a.Same-1].Ref.(*interp.MemRef).Buf
		}
		made[i] = v
		out = append(out, v)
	}
	return out, len(out) == len(types)
}

func (a *arg) val(c *ir.Context, m *interp.Machine, t ir.Type) (ir.Val, error) {
	switch {
	case a.cells != nil:
		return a.memoryOf(c, m, c.Info(t).Elem)
	case a.Elem != "":
		r, err := a.Memory(m, c.Info(t).Elem)
		if err != nil {
			return ir.Val{}, err
		}
		return r.Val(), nil
	case a.parts == nil:
		return ir.Val{Bits: a.Bits}, nil
	}
	types := make([]ir.Type, len(a.parts))
	l := c.LoweringOf(t)
	if l != nil {
		types = l.Parts(c, t)
	} else {
		for i := range types {
			types[i] = c.Info(t).Elem
		}
	}
	parts := make(ir.Vector, len(a.parts))
	for i := range a.parts {
		v, err := a.parts[i].val(c, m, types[i])
		if err != nil {
			return v, err
		}
		parts[i] = v
	}
	if l != nil && l.Join != nil {
		return ofParts(c, l, t, parts)
	}
	return ir.Val{Ref: parts}, nil
}

// ofParts puts a value together. Parts that are made one by one may not belong together, such as the offsets of rows and their
// elements; then there is no value, and a Join may panic.
func ofParts(c *ir.Context, l *ir.TypeLowering, t ir.Type, parts []ir.Val) (v ir.Val, err error) {
	thrown, caught := unwind.Catch[any](func() { v = l.Join(c, t, parts) })
	if caught {
		return v, fmt.Errorf("the parts of a value of type %s do not belong together: %v", text.TypeString(c, t), thrown)
	}
	return v, nil
}

// show spells a value so that equal values are equal texts; all NaNs are one. Memory is what is in it, a function
// nothing.
func show(c *ir.Context, v ir.Val, t ir.Type) []string {
	info, l := c.Info(t), c.LoweringOf(t)
	switch {
	case v.IsPoison() && l != nil && !c.IsTensor(t): // once it is lowered, each of its parts is
		return showParts(c, slices.Repeat([]ir.Val{v}, len(l.Parts(c, t))), l.Parts(c, t))
	case v.IsPoison() && (info.Kind != ir.KindVector || info.Scalable != nil):
		return []string{"poison"}
	case info.Kind == ir.KindMemRef:
		return showMemory(c, v)
	case info.Kind == ir.KindFunction:
		return []string{"-"}
	case c.IsTensor(t):
		return showTensor(c, v, t)
	case info.Kind == ir.KindVector && info.Scalable == nil:
		return showLanes(c, v, info)
	case elementwise.Computable(t):
		if c.IsFloat(t) && math.IsNaN(v.Float(t)) {
			return []string{"nan"}
		}
		return []string{interp.FormatVal(c, v, t)}
	}
	vector, isVector := v.Ref.(ir.Vector)
	if l == nil || !isVector && l.Split == nil {
		return []string{interp.FormatVal(c, v, t)}
	}
	if l.Split != nil {
		vector = l.Split(c, t, v)
	}
	return showParts(c, vector, l.Parts(c, t))
}

func showParts(c *ir.Context, parts []ir.Val, types []ir.Type) (out []string) {
	for i, p := range types[:min(len(types), len(parts))] {
		out = append(out, show(c, parts[i], p)...)
	}
	return out
}

// showMemory shows the elements of memory; none may look at what was freed.
func showMemory(c *ir.Context, v ir.Val) []string {
	r, ok := v.Ref.(*interp.MemRef)
	if !ok || r.Check() != nil {
		return []string{"poison"}
	}
	var cells [][]string
	r.Each(func(pos int) { cells = append(cells, show(c, r.Buf.Load(pos), r.Buf.Elem)) })
	return byParts(cells)
}

// byParts lists the elements of memory part by part: so it is the same once each part is memory of its own.
func byParts(cells [][]string) (out []string) {
	for k := 0; len(cells) > 0 && k < len(cells[0]); k++ {
		for _, x := range cells {
			if k < len(x) {
				out = append(out, x[k])
			}
		}
	}
	return out
}

func showTensor(c *ir.Context, v ir.Val, t ir.Type) (out []string) {
	_, elems, err := c.TensorOf(t, v)
	if err != nil {
		return []string{"-"}
	}
	for _, e := range elems {
		out = append(out, show(c, e, c.Info(t).Elem)...)
	}
	return out
}

func showLanes(c *ir.Context, v ir.Val, info *ir.TypeInfo) (out []string) {
	lanes, ok := v.Ref.(ir.Vector)
	for i := range ir.Elements(info.Shape) {
		x := v
		if ok && i < int64(len(lanes)) {
			x = lanes[i]
		}
		out = append(out, show(c, x, info.Elem)...)
	}
	return out
}
