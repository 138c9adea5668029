package depend

import (
	"fmt"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// TestMemoryByExecution compares memory-based dependences of random nests, some of
// whose writes are updates of one of two reductions, with executing them.
func TestMemoryByExecution(t *testing.T) {
	pairs := 0
	for i := range *nestCases {
		n := nestMaker{newRandom(2_000_000 + i), false}.nest()
		a := n.accesses(t)
		p := Program{Reads: a.Sink, Writes: a.Must, Schedule: a.Schedule, Budget: a.Budget,
			Reductions: []Reduction{{"+", a.May}, {"*", a.Kill}}}
		got, err := p.Memory()
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int64{0, 2, 4} {
			want := executePairs(t, p, at)
			for k, m := range []presburger.Map{got.RAW, got.WAR, got.WAW, got.Reduction} {
				have := pairTexts(t, m, at)
				if !slices.Equal(have, want[k]) {
					t.Errorf("%d at N = %d, relation %d: %+v\n got  %.500v\n want %.500v", i, at, k, n, have, want[k])
				}
				pairs += len(have)
			}
		}
	}
	t.Logf("%d nests, %d pairs", *nestCases, pairs)
}

// TestReductionFlow: a read sees the last write and the updates after it, an update
// those of other reductions but none of its own.
func TestReductionFlow(t *testing.T) {
	p := Program{
		Writes: mustMap(t, "{ I[] -> s[] }"),
		Reads:  mustMap(t, "{ R[] -> s[] }"),
		Reductions: []Reduction{
			{"+", mustMap(t, "[N] -> { S[i] -> s[] : 0 <= i < N }")},
			{"max", mustMap(t, "{ M[] -> s[] }")},
		},
		Schedule: mustMap(t, "{ I[] -> [0, 0]; S[i] -> [1, i]; M[] -> [2, 0]; R[] -> [3, 0] }"),
	}
	f, err := p.Flow()
	if err != nil {
		t.Fatal(err)
	}
	want := mustMap(t, `[N] -> { I[] -> [R[] -> s[]]; S[i] -> [R[] -> s[]] : 0 <= i < N; M[] -> [R[] -> s[]];
		I[] -> [S[i] -> s[]] : 0 <= i < N; I[] -> [M[] -> s[]]; S[i] -> [M[] -> s[]] : 0 <= i < N }`)
	if eq, err := f.May.IsEqual(want); !eq || err != nil {
		t.Errorf("%v, want %v (%v)", f.May, want, err)
	}
	if empty, err := f.MayNoSource.IsEmpty(); !empty || err != nil {
		t.Errorf("no source: %v (%v)", f.MayNoSource, err)
	}
}

// executePairs looks at all pairs of accesses: RAW, WAR, WAW and those of reductions.
func executePairs(t *testing.T, p Program, at int64) (out [4][]string) {
	schedule := map[string]presburger.Map{}
	for _, m := range p.Schedule.FixParam("N", presburger.NewInt(at)).Maps() {
		in, _ := m.Tuples()
		schedule[in.Name()] = m
	}
	type kind struct {
		read, write bool
		reduction   int
	}
	type done struct {
		event
		kind
	}
	var all []done
	add := func(m presburger.Map, k kind) {
		for _, e := range events(t, m, schedule, at) {
			all = append(all, done{e, k})
		}
	}
	add(p.Reads, kind{read: true})
	add(p.Writes, kind{write: true})
	for i, r := range p.Reductions {
		add(r.Updates, kind{true, true, 1 + i})
	}
	for _, x := range all {
		for _, y := range all {
			if x.cell != y.cell || !before(x.time, y.time) {
				continue
			}
			text := x.stmt + " -> " + y.stmt
			if x.reduction > 0 && x.reduction == y.reduction {
				out[3] = append(out[3], text)
				continue
			}
			for k, both := range []bool{x.write && y.read, x.read && y.write, x.write && y.write} {
				if both {
					out[k] = append(out[k], text)
				}
			}
		}
	}
	for i := range out {
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

func pairTexts(t *testing.T, m presburger.Map, at int64) (out []string) {
	for _, one := range m.FixParam("N", presburger.NewInt(at)).Maps() {
		in, to := one.Tuples()
		for _, x := range pointsOf(t, one) {
			out = append(out, fmt.Sprint(in.Name(), x[:in.Len()])+" -> "+fmt.Sprint(to.Name(), x[in.Len():]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
