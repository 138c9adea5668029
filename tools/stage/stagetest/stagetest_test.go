package stagetest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

type (
	point struct {
		X stage.Dyn[float64]
		n [2]stage.Dyn[int8]
	}
	plain struct {
		X float64
		n [2]int8
	}
)

// move divides in memory, and by what may be 0.
func move(s *stage.S, p point, mem stage.Slice[int32], by stage.Dyn[int32]) (point, stage.Dyn[bool]) {
	mem.Set(0, mem.At(1).Div(by))
	return point{p.X.Mul(2), [2]stage.Dyn[int8]{p.n[1].Add(1), p.n[0]}}, p.X.Gt(0)
}

type f = func(plain, []int32, int32) (plain, bool)

func TestSame(t *testing.T) {
	p := stagetest.Compile[f](t, move)
	mem := []int32{5, -7}
	out := p.Same(plain{-1.5, [2]int8{3, 127}}, mem, int32(2))
	if len(out) != 2 || out[0] != (plain{-3, [2]int8{-128, 3}}) || out[1] != false || mem[0] != 5 {
		t.Errorf("%v, and the memory is %v", out, mem)
	}
	for _, by := range []int32{0, 3} {
		if out := p.Same(plain{}, mem, by); (len(out) == 0) != (by == 0) {
			t.Errorf("by %d: %v", by, out)
		}
	}
	p.Same(plain{}, []int32(nil), int32(1)) // the place is outside
	stagetest.Same[func(float64) float64](t, func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] { return x.Neg() }, 0.0)
}

// A failure hears what a test is told.
type failure struct {
	testing.TB
	said []string
}

func (t *failure) Errorf(format string, args ...any) {
	t.said = append(t.said, fmt.Sprintf(format, args...))
}

// What differs is told, once for each engine.
func TestDiffers(t *testing.T) {
	given := []any{plain{1, [2]int8{3, 4}}, []int32{5, 8}, int32(2)}
	for says, like := range map[string]f{
		"result 1.X is 2, want 2.25":   func(plain, []int32, int32) (plain, bool) { return plain{2.25, [2]int8{5, 3}}, true },
		"result 1.n[1] is 3, want 2":   func(plain, []int32, int32) (plain, bool) { return plain{2, [2]int8{5, 2}}, true },
		"result 2 is true, want false": func(plain, []int32, int32) (plain, bool) { return plain{2, [2]int8{5, 3}}, false },
		"argument 2[0] is 4, want 5":   func(plain, []int32, int32) (plain, bool) { return plain{2, [2]int8{5, 3}}, true },
		"stops: <nil>; want no":        func(plain, []int32, int32) (plain, bool) { panic("no") },
	} {
		heard := &failure{TB: t}
		p := stagetest.Compile[f](heard, move)
		p.Like(like, given...)
		if len(heard.said) != 2 || !strings.Contains(heard.said[0], says) {
			t.Errorf("want %s: %q", says, heard.said)
		}
		if p.Relative = 0.5; strings.Contains(says, "2.25") {
			heard.said = nil
			p.Like(func(_ plain, mem []int32, _ int32) (plain, bool) {
				mem[0] = 4
				return plain{2.25, [2]int8{5, 3}}, true
			}, given...)
			if len(heard.said) > 0 {
				t.Errorf("nearly: %q", heard.said)
			}
		}
	}
}
