package derivatives

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A run in several directions gives the tangents of as many runs in one, on random programs; so does one that gives tangents alone.
func TestDirections(t *testing.T) {
	t.Parallel()
	const several = 3
	for seed := range uint64(*programs / 5) {
		d := &derived{t: t, seed: seed, src: random(seed)}
		if seed%7 == 1 { // it calls itself
			if _, err := through(parsed(t, d.src), "differentiate{of=f mode=forward directions=2}"); err == nil || !strings.Contains(err.Error(), "leave directions= and results= out") {
				d.fail("several directions of what calls itself: %v", err)
			}
			continue
		}
		of := func(pipeline string) *interp.Machine {
			g, err := through(parsed(t, d.src), pipeline)
			if err != nil {
				d.fail("%v", err)
			}
			return machine(t, g)
		}
		one := of(d.pipeline("forward"))
		more := func(options string) *interp.Machine {
			return of(strings.Replace(d.pipeline("forward"), "mode=forward", "mode=forward directions=3"+options, 1))
		}
		all, alone := more(""), more(" results=false")
		r := rand.New(rand.NewPCG(seed, 3))
		p := somewhere(r)
		p.alias = false
		var tangents [several][numbers + arrays*elements]float64
		for i := range tangents {
			for k := range tangents[i] {
				tangents[i][k] = r.Float64()*2 - 1
			}
		}
		var want, value []float64
		for i := range tangents {
			got := runAlong(t, one, &p, tangents[i:i+1], 1)
			value = got[:1]
			want = append(want, got[1:]...)
		}
		if got := runAlong(t, alone, &p, tangents[:], 0); !slices.EqualFunc(got, want, areAlike) {
			d.fail("tangents alone %v, one by one %v", got, want)
		}
		if got := runAlong(t, all, &p, tangents[:], 1); !slices.EqualFunc(got, append(value, want...), areAlike) {
			d.fail("in three directions %v, one by one %v after %v", got, want, value)
		}
	}
}

func areAlike(x, y float64) bool {
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-9*max(1, math.Abs(x))
}

// runAlong gives so many values of a program, and for each direction its tangent and what the shadows hold at the end.
func runAlong(t *testing.T, m *interp.Machine, p *point, tangents [][numbers + arrays*elements]float64, values int) (out []float64) {
	t.Helper()
	args := []ir.Val{ir.F64Val(p.x[0]), ir.F64Val(p.x[1]), ir.F64Val(p.x[2]), numbersOf(p.a[0][:]), numbersOf(p.a[1][:]), ir.IntVal(p.n, 64), ir.F64Val(0.5)}
	var shadows []ir.Val
	for _, d := range tangents {
		for _, x := range d[:numbers] {
			args = append(args, ir.F64Val(x))
		}
		for i := range arrays {
			shadows = append(shadows, numbersOf(d[numbers+i*elements:][:elements]))
			args = append(args, shadows[len(shadows)-1])
		}
	}
	results, err := m.Call("f_jvp", args)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range results[:values] {
		out = append(out, x.Float(ir.F64))
	}
	for k := range tangents {
		out = append(out, results[values+k].Float(ir.F64))
		for _, s := range shadows[k*arrays:][:arrays] {
			b := s.Ref.(*interp.MemRef).Buf
			for i := range elements {
				out = append(out, b.Load(i).Float(ir.F64))
			}
		}
	}
	return out
}

// numbersOf is memory that holds these.
func numbersOf(x []float64) ir.Val {
	m := memoryOf(ir.NewContext(), ir.F64, []int64{int64(len(x))})
	for i := range x {
		m.Buf.Store(i, ir.F64Val(x[i]))
	}
	return m.Val()
}
