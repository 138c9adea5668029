package tune

import (
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

func parse(t *testing.T, text string) *pass.Pipeline {
	t.Helper()
	p, err := pass.Parse(text, lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The search finds the least of a bowl, whatever part of it is not to be had, and stops when there is no time.
func TestSearch(t *testing.T) {
	p := parse(t, "raise-affine,poly-schedule{alg=pluto},poly-tile,repeat(loop-tile{sizes=4,4}),unroll-and-jam")
	knobs := Knobs(p)
	if len(knobs) != 2 || knobs[0].Pass != "poly-tile" || knobs[1].Pass != "unroll-and-jam" {
		t.Fatalf("%+v", knobs)
	}
	cost := func(v [][]int) (float64, bool) {
		s := 10.0
		for i, want := range []int{64, 16, 256} {
			if v[0] != nil {
				for n := v[0][i]; n != want; n = map[bool]int{true: n * 2, false: n / 2}[n < want] {
					s++
				}
			} else {
				s += 4
			}
		}
		if v[1] != nil && v[1][0] == 6 {
			s -= 3
		}
		return s, v[1] == nil || v[1][0] != 8
	}
	b, ok := Search(knobs, cost, func() bool { return true })
	if !ok || b.Seconds != 7 || !slices.Equal(b.Values[0], []int{64, 16, 256}) || !slices.Equal(b.Values[1], []int{6}) || b.First != 22 {
		t.Errorf("%+v", b)
	}
	for i, k := range knobs {
		k.With(p, b.Values[i])
	}
	if got := p.String(); !strings.Contains(got, "sizes={64,16,256}") || !strings.Contains(got, "factor=6") || !strings.Contains(got, "sizes={4,4}") {
		t.Errorf("%s", got)
	}
	left := 3
	if b, _ := Search(knobs, cost, func() bool { left--; return left >= 0 }); b.Tries != 3 {
		t.Errorf("%d tries of 3", b.Tries)
	}
	if _, ok := Search(knobs, func([][]int) (float64, bool) { return 0, false }, func() bool { return true }); ok {
		t.Error("something that cannot be had is tuned")
	}
}

// A file reads as it was written, and what is none is refused at its line.
func TestFile(t *testing.T) {
	a := Record{Key{Hash("x"), "host", "main", "a,b"}, "a,b{sizes=1,2}", "2 s -> 1 s"}
	b := a
	b.Entry = "other"
	list := With(With(With(nil, a), b), a)
	got, err := Read(diag.NewSource("f", Text(list)))
	if err != nil || !slices.Equal(got, []Record{b, a}) || Find(got, a.Key) == nil || Find(got, Key{}) != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"what is this\n":                `f:1:1: error: a line "program: ..." is wanted here`,
		"program: 1\nentry: main\n":     `f:2:1: error: a line "target: ..." is wanted here`,
		"program: 1\n\n":                `the record before has no "target"`,
		"# only\nprogram: 1\ntarget: x": `the record before has no "entry"`,
	} {
		if _, err := Read(diag.NewSource("f", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}
