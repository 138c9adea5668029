package nvgpu

import (
	"math"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

var table = interp.Table{MmaSync: runMma, Ldmatrix: runLdmatrix, AsyncCopy: runCopy, AsyncGroup: runGroup, AsyncWait: runWait}

// numbers spreads the lanes of a vector; ok is false if one is poison.
func numbers(v ir.Val, t ir.Type, put func(i int, x float64)) (ok bool) {
	lanes, ok := v.Ref.(ir.Vector)
	if !ok {
		return false
	}
	for i, x := range lanes {
		if x.Ref != nil {
			return false
		}
		put(i, x.Float(t))
	}
	return true
}

// asTF32 forgets what tf32 has not.
func asTF32(x float64) float64 {
	return float64(math.Float32frombits(math.Float32bits(float32(x)) &^ (1<<13 - 1)))
}

func runMma(m *interp.Machine, o *interp.Op, args, out []ir.Val) (err error) {
	c := o.G.Ctx
	s, _ := shapeOf(c, o.Call.Attr)
	elem := c.ElemOrSelf(o.Call.ArgType(0))
	out[0], err = device.Collective(m, o, args, func(lanes [][]ir.Val) ([]ir.Val, error) { return s.multiply(elem, lanes), nil })
	return err
}

// multiply is the product of the fragments of all lanes; poison in one is poison in all.
func (s shape) multiply(elem ir.Type, lanes [][]ir.Val) []ir.Val {
	a, b, d := make([]float64, s.m*s.k), make([]float64, s.k*s.n), make([]float64, s.m*s.n)
	defined := true
	for lane, args := range lanes {
		pa, pb, pc := s.fragmentA(lane), s.fragmentB(lane), fragmentC(lane)
		ok := numbers(args[0], elem, func(i int, x float64) { a[pa[i].row*int(s.k)+pa[i].column] = x })
		ok = numbers(args[1], elem, func(i int, x float64) { b[pb[i].row*int(s.n)+pb[i].column] = x }) && ok
		ok = numbers(args[2], ir.F32, func(i int, x float64) { d[pc[i].row*int(s.n)+pc[i].column] = x }) && ok
		defined = defined && ok
	}
	if elem == ir.F32 {
		for _, list := range [][]float64{a, b} {
			for i, x := range list {
				list[i] = asTF32(x)
			}
		}
	}
	for i := range int(s.m) {
		for j := range int(s.n) {
			for k := range int(s.k) {
				d[i*int(s.n)+j] += a[i*int(s.k)+k] * b[k*int(s.n)+j]
			}
		}
	}
	out := make([]ir.Val, len(lanes))
	for lane := range lanes {
		v := ir.Vector{}
		for _, p := range fragmentC(lane) {
			x := ir.FloatVal(d[p.row*int(s.n)+p.column], ir.F32)
			if !defined {
				x = ir.Val{Ref: ir.Poison}
			}
			v = append(v, x)
		}
		out[lane] = ir.Val{Ref: v}
	}
	return out
}

// row reads n elements from indices on, which must lie one behind the other.
func row(args []ir.Val, n int) (r *interp.MemRef, at int, err error) {
	if r, err = interp.AsMemRef(args[0]); err != nil {
		return nil, 0, err
	}
	if at, err = r.At(args[1:]); err != nil || n == 0 {
		return r, at, err
	}
	last := append([]ir.Val(nil), args[1:]...)
	last[len(last)-1].Bits += uint64(n - 1)
	_, err = r.At(last)
	return r, at, err
}

func runLdmatrix(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c := o.G.Ctx
	tiles := int(c.AttrInfo(o.Call.Get("numTiles")).Int)
	transposed := c.AttrInfo(o.Call.Get("transpose")).Int != 0
	words := 2 // elements of 32 bits
	if c.Info(o.Call.ArgType(0)).Elem == ir.F32 {
		words = 1
	}
	v := ir.Vector{}
	if t := device.Running(m); t != nil && t.Number()%device.WarpSize < 8*tiles {
		r, at, err := row(args, 4*words)
		if err != nil {
			return err
		}
		for i := range 4 * words {
			v = append(v, r.Buf.Load(at+i))
		}
		if first, _ := r.Buf.Span(at); first%16 != 0 {
			return ir.Trapf("a row begins at byte %d of shared memory, which is no multiple of 16", first)
		}
	}
	got, err := device.Collective(m, o, []ir.Val{{Ref: v}}, func(lanes [][]ir.Val) ([]ir.Val, error) {
		out := make([]ir.Val, len(lanes))
		for lane := range lanes {
			v := ir.Vector{}
			for t := range tiles {
				for e := range words {
					i, j := lane/4, words*(lane%4)+e
					if transposed {
						i, j = j, i
					}
					v = append(v, lanes[8*t+i][0].Ref.(ir.Vector)[j])
				}
			}
			out[lane] = ir.Val{Ref: v}
		}
		return out, nil
	})
	out[0] = got
	return err
}

// copies are those of a thread that are under way.
type copies struct {
	loose  []pending
	groups [][]pending
}

type pending struct {
	to     *interp.MemRef
	at     int
	values []ir.Val
}

type copiesKey struct{}

func copiesOf(m *interp.Machine) (*copies, error) {
	t := device.Running(m)
	if t == nil {
		return nil, ir.Trapf("outside of a launch; run a function that launches the kernel")
	}
	return t.Local(copiesKey{}, func() any { return &copies{} }).(*copies), nil
}

func runCopy(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c := o.G.Ctx
	seg := c.Ints(o.Call.Get("operandSegmentSizes"))
	under, err := copiesOf(m)
	if err != nil {
		return err
	}
	n := int(c.AttrInfo(o.Call.Get("dstElements")).Int)
	to, from := args[:seg[0]+seg[1]], args[seg[0]+seg[1]:][:seg[2]+seg[3]]
	read := n
	if seg[4] > 0 {
		k, err := interp.Index(args[len(args)-1])
		if err != nil {
			return err
		}
		if k < 0 || k > int64(n) {
			return ir.Trapf("copies %d elements to %d", k, n)
		}
		read = int(k)
	}
	dst, at, err := row(to, n)
	if err != nil {
		return err
	}
	src, first, err := row(from, read)
	if err != nil {
		return err
	}
	if first, size := dst.Buf.Span(at); first%(size*n) != 0 {
		return ir.Trapf("copies to byte %d of shared memory, which is no multiple of the %d bytes that it copies", first, size*n)
	}
	p := pending{to: dst, at: at}
	for i := range n {
		v := ir.Val{}
		if i < read {
			v = src.Buf.Load(first + i)
		}
		p.values = append(p.values, v)
		dst.Buf.Store(at+i, ir.Val{Ref: ir.Poison})
	}
	under.loose = append(under.loose, p)
	out[0] = ir.Val{}
	return nil
}

func runGroup(m *interp.Machine, _ *interp.Op, _, out []ir.Val) error {
	under, err := copiesOf(m)
	if err != nil {
		return err
	}
	under.groups, under.loose = append(under.groups, under.loose), nil
	out[0] = ir.Val{}
	return nil
}

func runWait(m *interp.Machine, o *interp.Op, _, _ []ir.Val) error {
	under, err := copiesOf(m)
	if err != nil {
		return err
	}
	left := 0
	if a := o.Call.Get("numGroups"); a != 0 {
		left = int(o.G.Ctx.AttrInfo(a).Int)
	}
	for len(under.groups) > left {
		for _, p := range under.groups[0] {
			for i, v := range p.values {
				p.to.Buf.Store(p.at+i, v)
			}
		}
		under.groups = under.groups[1:]
	}
	return nil
}
