package mlir_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
)

var (
	programs  = flag.Int("programs", 60, "how many random programs are compared with MLIR")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// perModule is how many programs MLIR compiles at once.
const perModule = 100

// Random programs, built verbatim and interpreted, give what they give when MLIR
// compiles them: the oracle of all other tests is checked against an outside one.
// `go test ./tests/mlir -run Random -programs=2000 -seed=S` runs more of them;
// testdata/runs.md says which have run.
func TestRandomSameAsMLIR(t *testing.T) {
	c := child(t)
	var count struct{ compared, trapped int }
	for done := 0; done < *programs && !t.Failed(); done += perModule {
		var batch []*irtest.Program
		var all strings.Builder
		for i := range min(perModule, *programs-done) {
			seed := *firstSeed + uint64(done+i)
			p := irtest.New(seed, irtest.Config{Name: fmt.Sprintf("s%d_", seed), NoPrint: true, Traps: seed%5 == 0,
				Wide: seed%3 == 1, Narrow: seed%2 == 1, Vars: seed%7 == 1})
			p.Text = tamed(p.Text)
			batch = append(batch, p)
			_, inside, _ := strings.Cut(strings.TrimSpace(p.Text), "\n")
			all.WriteString(inside[:strings.LastIndexByte(inside, '\n')+1])
		}
		m := native(t, c, compileByMLIR(t, []string{all.String()}, nil))
		for _, p := range batch {
			n, err := compareWithMLIR(t, c, m, p, 0)
			switch {
			case ir.IsTrap(err):
				count.trapped++ // means nothing, so anything may come of it
			case err != nil:
				t.Errorf("seed %d: %v\n%s", p.Seed, err, p.Text)
			}
			count.compared += n
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs, of which %d trap; %d values compared", *programs, count.trapped, count.compared)
	if count.compared < *programs || count.trapped > *programs/4 {
		t.Errorf("%d values compared and %d of %d programs trap: the test tests little", count.compared, count.trapped, *programs)
	}
}

// compareWithMLIR runs a program both ways and returns how many values were compared; floats may differ
// by so many units in the last place.
func compareWithMLIR(t *testing.T, c *jit.Child, m *jit.Module, p *irtest.Program, ulp int64) (int, error) {
	t.Helper()
	want, err := runRandom(p)
	if err != nil {
		return 0, err
	}
	got, err := runNative(t, c, m, p, len(want))
	if err != nil {
		return 0, fmt.Errorf("compiled by MLIR: %w", err)
	}
	n := 0
	for i, w := range want {
		if w.poison {
			continue
		}
		n++
		if !equal(w.bits, got[i], w.typ, ulp) {
			return n, fmt.Errorf("value %d (%s) is %s, MLIR's is %s", i, w.typ, show(mask(w.bits, w.typ), w.typ), show(mask(got[i], w.typ), w.typ))
		}
	}
	return n, nil
}

// slot is a result, a lane of one, or an element of a memref argument after the call.
type slot struct {
	typ    string
	bits   uint64
	poison bool
}

// runRandom interprets a program as it is written.
func runRandom(p *irtest.Program) ([]slot, error) {
	g, err := parse(newContext(), "random.mlir", p.Text, true)
	if err != nil {
		return nil, err
	}
	m, err := interp.New(g, interp.Options{Fuel: 50_000_000})
	if err != nil {
		return nil, err
	}
	var args []ir.Val
	for _, a := range p.Args {
		if a.Elem == "" {
			args = append(args, ir.Val{Bits: a.Bits})
			continue
		}
		r, err := memory(g.Ctx, m, a)
		if err != nil {
			return nil, err
		}
		if a.Same > 0 {
			r.Buf = args[a.Same-1].Ref.(*interp.MemRef).Buf
		}
		args = append(args, ir.Val{Ref: r})
	}
	results, err := m.Call(p.Entry, args)
	if err != nil {
		return nil, err
	}
	var out []slot
	for i, v := range results {
		out = append(out, slots(p.Types[i], v)...)
	}
	for i, a := range p.Args {
		if len(a.Elems) == 0 {
			continue // a scalar, or the memory of another
		}
		buf := args[i].Ref.(*interp.MemRef).Buf
		for k := range buf.Len() {
			out = append(out, slots(a.Elem, buf.Load(k))...)
		}
	}
	return out, nil
}

// slots are those of a scalar or of a vector of four.
func slots(typ string, v ir.Val) (out []slot) {
	elem, isVector := strings.CutPrefix(typ, "vector<4x")
	if !isVector {
		return []slot{{typ, v.Bits, v.IsPoison()}}
	}
	lanes, known := v.Ref.(ir.Vector)
	for i := range 4 {
		x := slot{typ: strings.TrimSuffix(elem, ">"), poison: !known}
		if known {
			x.bits, x.poison = lanes[i].Bits, lanes[i].IsPoison()
		}
		out = append(out, x)
	}
	return out
}

// scalarType is the type of a name.
func scalarType(c *ir.Context, name string) ir.Type {
	if t, ok := map[string]ir.Type{"index": ir.Index, "bf16": ir.BF16, "f16": ir.F16, "f32": ir.F32, "f64": ir.F64}[name]; ok {
		return t
	}
	w, err := strconv.Atoi(strings.TrimPrefix(name, "i"))
	if err != nil {
		panic("no scalar type " + name)
	}
	return c.Int(w)
}

// memory makes a memref argument.
func memory(c *ir.Context, m *interp.Machine, a irtest.Arg) (*interp.MemRef, error) {
	r, err := m.NewMemRef(scalarType(c, a.Elem), int64(len(a.Elems)))
	if err != nil {
		return nil, err
	}
	for i, x := range a.Elems {
		r.Buf.Store(i, ir.Val{Bits: x})
	}
	r.Buf.Static = true
	r.Offset, r.Sizes, r.Strides = int64(a.Offset), nil, nil
	for i := range a.Sizes {
		r.Sizes, r.Strides = append(r.Sizes, int64(a.Sizes[i])), append(r.Strides, int64(a.Strides[i]))
	}
	return r, nil
}

// runNative calls MLIR's code and returns what the slots of runRandom hold there. A
// memref is passed as its memory, twice, an offset, its sizes and its strides.
func runNative(t *testing.T, c *jit.Child, m *jit.Module, p *irtest.Program, n int) ([]uint64, error) {
	t.Helper()
	var args []uint64
	buffers := make([]*jit.Buffer, len(p.Args))
	for i, a := range p.Args {
		if a.Elem == "" {
			args = append(args, a.Bits)
			continue
		}
		if a.Same > 0 {
			buffers[i] = buffers[a.Same-1]
		} else {
			b, err := c.Alloc(t.Context(), 8*len(a.Elems))
			if err != nil {
				return nil, err
			}
			defer b.Free()
			buffers[i] = b
		}
		for k, x := range a.Elems {
			putElem(buffers[i].Bytes(), a.Elem, k, x)
		}
		args = append(args, buffers[i].Addr(), buffers[i].Addr(), uint64(a.Offset))
		for _, list := range [][]int{a.Sizes, a.Strides} {
			for _, x := range list {
				args = append(args, uint64(x))
			}
		}
	}
	elements := 0
	for _, a := range p.Args {
		elements += len(a.Elems)
	}
	r, err := m.Call(t.Context(), "thunk."+p.Entry, args, n-elements)
	if err != nil {
		return nil, err
	}
	out := r.Results
	for i, a := range p.Args {
		for k := range a.Elems {
			out = append(out, getElem(buffers[i].Bytes(), a.Elem, k))
		}
	}
	return out, nil
}
