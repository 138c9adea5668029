package ir

import (
	"math/rand/v2"
	"testing"
)

// bigGraph makes one function of about n pure ops, loads, stores and loops.
func bigGraph(n int) *Graph {
	b := newTB()
	r := rand.New(rand.NewPCG(1, 2))
	vals := []Value{b.Param(I64), b.Param(I64)}
	ref := b.Param(b.Ctx().OpaqueType("t.ref"))
	made := 0
	pick := func() Value { return vals[max(0, len(vals)-1-r.IntN(20))] }
	var body func(depth, k int)
	body = func(depth, k int) {
		base := len(vals)
		for range k {
			made++
			switch x := r.IntN(20); {
			case x < 12:
				vals = append(vals, b.Op(tAdd, pick(), pick()))
			case x < 14:
				vals = append(vals, b.n(int64(r.IntN(1000))))
			case x < 16:
				vals = append(vals, b.Op(tLoad, ref))
			case x < 17:
				b.Op(tStore, pick(), ref)
			case x < 18 && depth < 4:
				b.loop(Void, func(i Value) { vals = append(vals, i); body(depth+1, 10); b.yield() })
				vals = vals[:max(base, 2)]
			default:
				b.Op(tPrint, pick())
			}
		}
		vals = vals[:base]
	}
	for made < n {
		body(0, 100)
	}
	return b.Finish()
}

func BenchmarkSchedule(b *testing.B) {
	g := bigGraph(200000)
	b.ResetTimer()
	for range b.N {
		NewSchedule(g, ScheduleOptions{})
	}
	b.ReportMetric(float64(g.Len())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}

func BenchmarkRebuild(b *testing.B) {
	g := bigGraph(200000)
	s := NewSchedule(g, ScheduleOptions{})
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		Rewrite(g.Ctx, s, nil, nil)
	}
	b.ReportMetric(float64(s.NumOps())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		bigGraph(100000)
	}
}
