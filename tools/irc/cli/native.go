package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering"
)

// cannotCompile says that a program has no native code, though the interpreter
// may run it.
type cannotCompile struct{ err error }

func (e *cannotCompile) Error() string { return e.err.Error() }
func (e *cannotCompile) Unwrap() error { return e.err }

// compilable are the ops that the LLVM backend translates.
var compilable = llvm.Supported()

func compiles(d *ir.OpDef) bool { return compilable[d.Name] }

// lowered takes a program down to what the LLVM backend takes.
func lowered(g *ir.Graph) (*ir.Graph, error) {
	route, err := lowering.To(g.Ctx, "llvm")
	if err != nil {
		return nil, err
	}
	return route.Run(g)
}

// emitNative writes LLVM IR, assembly or an object file.
func (s *session) emitNative(g *ir.Graph, kind string) ([]byte, error) {
	g, err := lowered(g)
	if err != nil {
		return nil, err
	}
	m, err := llvm.Emit(g, llvm.Options{Unchecked: s.flag("unchecked"), Name: s.readName})
	if err != nil {
		return nil, err
	}
	t := m.Text()
	if kind == "llvm" {
		return []byte(t), nil
	}
	lib, err := jit.Find()
	if err != nil {
		return nil, err
	}
	what := jit.Assembly
	if kind == "obj" {
		what = jit.Object
		if path := s.str("o"); path != "" && path != "-" {
			s.beside = strings.TrimSuffix(path, filepath.Ext(path)) + ".h"
			s.besideText = header(m, g.Ctx, s.beside)
		}
	}
	return lib.Emit(t, what, jit.Options{CPU: s.str("mcpu")})
}

// call is one call of native code in a child process.
type call struct {
	*job
	ctx   context.Context
	child *jit.Child
	slots []uint64
	bufs  []*jit.Buffer // of the memref arguments, nil for others
}

// native compiles the program and calls its function in a child process, so that
// a fault in it does not end irc.
func (j *job) native() ([]ir.Val, error) {
	g, err := lowered(j.g)
	if err != nil {
		return nil, &cannotCompile{err}
	}
	m, err := llvm.Emit(g, llvm.Options{Thunks: true, Unchecked: j.s.flag("unchecked")})
	if err != nil {
		return nil, &cannotCompile{err}
	}
	f := m.Func(j.entry)
	switch {
	case f == nil:
		return nil, &cannotCompile{fmt.Errorf("@%s is private or in a module of its own: native code is entered by public functions", j.entry)}
	case f.Thunk == "":
		return nil, &cannotCompile{fmt.Errorf("@%s cannot be entered from outside: %s", j.entry, f.NoThunk)}
	}
	results, ok := llvm.SlotsOf(j.g.Ctx, j.out)
	if !ok {
		return nil, &cannotCompile{fmt.Errorf("@%s has a result that native code cannot give", j.entry)}
	}
	child, err := jit.Start(j.s.ctx, jit.ChildOptions{Memory: j.memory(), Stdout: j.s.stdout, Stderr: os.Stderr})
	if err != nil {
		return nil, err
	}
	defer child.Close()
	code, err := child.Compile(j.s.ctx, m.Text(), jit.Options{CPU: j.s.str("mcpu")})
	if err != nil {
		return nil, fmt.Errorf("bug of the LLVM backend: %w", err)
	}
	c := &call{job: j, ctx: j.s.ctx, child: child}
	if err := c.pass(); err != nil {
		return nil, err
	}
	r, err := code.Call(j.s.ctx, f.Thunk, c.slots, results)
	if err != nil {
		return nil, c.fault(err)
	}
	if err := c.output(m, r); err != nil {
		return nil, err
	}
	if r.Status != 0 {
		return nil, trapped(m, int(r.Status))
	}
	return c.results(r.Results)
}

// fault explains the end of the child; the end of the time has its own words.
func (c *call) fault(err error) error {
	if cause := context.Cause(c.ctx); cause != nil {
		return cause
	}
	var f *jit.Fault
	if errors.As(err, &f) {
		return fmt.Errorf("the program ended the process that ran it: %w", err)
	}
	return err
}

// trapped is a trap as the interpreter reports it.
func trapped(m *llvm.Module, code int) error {
	if code < 1 || code > len(m.Traps) {
		return fmt.Errorf("native code stopped with status %d", code)
	}
	t := m.Traps[code-1]
	return &interp.Failure{Err: ir.Trapf("%s", t.Reason), Op: t.Op, Function: t.Func, Locs: []ir.Loc{t.Loc}}
}

// pass puts the arguments into slots; memrefs are copied to memory that the
// child shares.
func (c *call) pass() error {
	for i, t := range c.in {
		info := c.g.Ctx.Info(t)
		if info.Kind != ir.KindMemRef {
			c.bufs = append(c.bufs, nil)
			c.slots = append(c.slots, scalarSlots(c.args[i])...)
			continue
		}
		r, ok := c.args[i].Ref.(*interp.MemRef)
		if !ok || c.g.Ctx.Info(info.Elem).Kind == ir.KindVector {
			return &cannotCompile{fmt.Errorf("argument %d is no memref of numbers", i)}
		}
		size := c.g.Ctx.ElemSize(info.Elem)
		buf, err := c.child.Alloc(c.ctx, max(1, r.Buf.Len())*size)
		if err != nil {
			return err
		}
		var data []byte
		for k := range r.Buf.Len() {
			data = ir.AppendElem(data, r.Buf.Load(k).Bits, size)
		}
		copy(buf.Bytes(), data)
		c.bufs = append(c.bufs, buf)
		c.slots = append(c.slots, buf.Addr()+uint64(r.Offset)*uint64(size))
		for _, n := range append(append([]int64{}, r.Sizes...), r.Strides...) {
			c.slots = append(c.slots, uint64(n))
		}
	}
	return nil
}

func scalarSlots(v ir.Val) []uint64 {
	vec, ok := v.Ref.(ir.Vector)
	if !ok {
		return []uint64{v.Bits}
	}
	var out []uint64
	for _, x := range vec {
		out = append(out, x.Bits)
	}
	return out
}

// results reads the results, and what became of the memref arguments.
func (c *call) results(slots []uint64) ([]ir.Val, error) {
	for i, b := range c.bufs {
		if b != nil {
			load(c.g.Ctx, b.Bytes(), c.args[i].Ref.(*interp.MemRef).Buf)
		}
	}
	out := make([]ir.Val, len(c.out))
	for i, t := range c.out {
		n, _ := llvm.Slots(c.g.Ctx, t)
		var err error
		if out[i], err = c.value(t, slots[:n]); err != nil {
			return nil, err
		}
		slots = slots[n:]
	}
	return out, nil
}

func load(ctx *ir.Context, data []byte, to *interp.Buffer) {
	size := ctx.ElemSize(to.Elem)
	mask := ^uint64(0) >> (64 - max(1, ctx.Info(to.Elem).Width))
	for k := range to.Len() {
		x := uint64(0)
		for b := range size {
			x |= uint64(data[k*size+b]) << (8 * b)
		}
		to.Store(k, ir.Val{Bits: x & mask})
	}
}

// value reads one result from its slots.
func (c *call) value(t ir.Type, slots []uint64) (ir.Val, error) {
	info := c.g.Ctx.Info(t)
	switch info.Kind {
	case ir.KindVector:
		vec := make(ir.Vector, len(slots))
		for i, x := range slots {
			vec[i] = ir.Val{Bits: x}
		}
		return ir.Val{Ref: vec}, nil
	case ir.KindMemRef:
		return c.memref(info, slots)
	}
	return ir.Val{Bits: slots[0]}, nil
}

// memref copies a memref that native code gave.
func (c *call) memref(info *ir.TypeInfo, slots []uint64) (ir.Val, error) {
	r := &interp.MemRef{}
	last, n := int64(0), int64(1)
	for i := range info.Shape {
		r.Sizes = append(r.Sizes, int64(slots[1+i]))
		r.Strides = append(r.Strides, int64(slots[1+len(info.Shape)+i]))
		if r.Strides[i] < 0 {
			return ir.Val{}, errors.New("a result is a memref with a negative stride, which cannot be shown")
		}
		last += (r.Sizes[i] - 1) * r.Strides[i]
		n *= r.Sizes[i]
	}
	if n == 0 {
		last = -1
	}
	r.Buf = interp.NewBuffer(info.Elem, int(last+1), false)
	data := make([]byte, (last+1)*int64(c.g.Ctx.ElemSize(info.Elem)))
	if len(data) > 0 {
		if err := c.child.Read(c.ctx, slots[0], data); err != nil {
			return ir.Val{}, err
		}
	}
	load(c.g.Ctx, data, r.Buf)
	return ir.Val{Ref: r}, nil
}

// output shows what native code printed: it records bits, which are formatted
// here, as the interpreter does.
func (c *call) output(m *llvm.Module, r jit.Result) error {
	recs := r.Printed
	for len(recs) > 0 {
		site := recs[0]
		recs = recs[1:]
		if site.Kind != llvm.PrintSite || site.Bits >= uint64(len(m.Prints)) {
			continue
		}
		var bits []uint64
		for len(recs) > 0 && recs[0].Kind == llvm.PrintBits {
			bits, recs = append(bits, recs[0].Bits), recs[1:]
		}
		p := m.Prints[site.Bits]
		var vals []ir.Val
		for _, t := range p.Types {
			v, n, ok := printedValue(c.g.Ctx, t, bits)
			if !ok {
				return errors.New("what native code printed was cut off")
			}
			vals, bits = append(vals, v), bits[n:]
		}
		c.show(vals, p.Types)
	}
	if r.Dropped > 0 {
		fmt.Fprintf(c.s.stderr, "irc: warning: %d more values were printed than are kept\n", r.Dropped)
	}
	return nil
}

func (c *call) show(vals []ir.Val, types []ir.Type) {
	if len(vals) == 1 {
		c.printed(interp.Printed{Kind: interp.PrintValue, Val: vals[0], Type: types[0]})
		return
	}
	parts := make([]string, len(vals))
	for i, v := range vals {
		parts[i] = interp.FormatVal(c.g.Ctx, v, types[i])
	}
	c.printed(interp.Printed{Kind: interp.PrintText, Text: strings.Join(parts, " ") + "\n"})
}

// printedValue takes one value off the front of recorded bits.
func printedValue(ctx *ir.Context, t ir.Type, bits []uint64) (v ir.Val, n int, ok bool) {
	info := ctx.Info(t)
	if info.Kind != ir.KindMemRef {
		n, _ = llvm.Slots(ctx, t)
		if len(bits) < n {
			return v, 0, false
		}
		if info.Kind == ir.KindVector {
			vec := make(ir.Vector, n)
			for i := range vec {
				vec[i] = ir.Val{Bits: bits[i]}
			}
			return ir.Val{Ref: vec}, n, true
		}
		return ir.Val{Bits: bits[0]}, 1, true
	}
	rank := len(info.Shape)
	if len(bits) < rank {
		return v, 0, false
	}
	var sizes []int64
	for _, x := range bits[:rank] {
		sizes = append(sizes, int64(x))
	}
	strides, count, ok := interp.RowMajor(sizes)
	if !ok || int64(len(bits)-rank) < count {
		return v, 0, false
	}
	buf := interp.NewBuffer(info.Elem, int(count), false)
	for i := range int(count) {
		buf.Store(i, ir.Val{Bits: bits[rank+i]})
	}
	return ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: sizes, Strides: strides}}, rank + int(count), true
}
