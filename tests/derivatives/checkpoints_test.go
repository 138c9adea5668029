package derivatives

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// overTime carries a number and writes memory in each of n rounds, each of which takes one atan; no rule uses one.
const overTime = `
func.func @f(%x: f64, %m: memref<2xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %v = memref.load %m[%c1] : memref<2xf64>
    %a = arith.mulf %s, %v : f64
    %t = math.atan %a : f64
    %u = arith.addf %t, %v : f64
    %e = math.sin %u : f64
    memref.store %e, %m[%c1] : memref<2xf64>
    scf.yield %u : f64
  }
  return %r : f64
}`

// The derivatives are those of records of all rounds to the last bit, and no round runs more often than it must: with c checkpoints
// l rounds take r l - choose(c+r, c+1) runs beside those that record, where r is the least with l <= choose(c+r, c) (Griewank and
// Walther 2000).
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	g := parsed(t, overTime)
	var whole [40][3]float64 // of records of so many rounds
	for c := range 6 {
		d, err := through(g, fmt.Sprintf("differentiate{of=f checkpoint=%d}", c))
		if err != nil {
			t.Fatal(err)
		}
		for n := range 40 {
			count := map[*ir.OpDef]int64{}
			m, err := interp.New(d, interp.Options{Count: count})
			if err != nil {
				t.Fatal(err)
			}
			got := rounds(t, m, n)
			if c == 0 {
				whole[n] = got
				continue
			}
			if got != whole[n] {
				t.Errorf("%d rounds and %d checkpoints: %v, recorded %v", n, c, got, whole[n])
			}
			if runs := count[math.Atan] - 2*int64(n); runs != fewest(int64(n), int64(c)) {
				t.Errorf("%d rounds and %d checkpoints: %d rounds run once more, %d are enough", n, c, runs, fewest(int64(n), int64(c)))
			}
		}
	}
}

// rounds gives the derivatives by the number and the memory after n rounds.
func rounds(t *testing.T, m *interp.Machine, n int) [3]float64 {
	t.Helper()
	args, shadow := ofRounds(n)
	out, err := m.Call("f_grad", args)
	if err != nil {
		t.Fatal(err)
	}
	return [3]float64{out[1].F64(), shadow[0], shadow[1]}
}

// ofRounds are the arguments, and the shadow among them.
func ofRounds(n int) (args []ir.Val, shadow []float64) {
	memory := func(x ...float64) (ir.Val, []float64) {
		buf := interp.Floats(x)
		return (&interp.MemRef{Buf: buf, Sizes: []int64{2}, Strides: []int64{1}}).Val(), buf.Floats()
	}
	a, _ := memory(0.3, 0.7)
	s, shadow := memory(0.5, 2)
	return []ir.Val{ir.F64Val(0.4), a, ir.IntVal(int64(n), 64), ir.F64Val(1), s}, shadow
}

// fewest is how many rounds must run beside those that record.
func fewest(l, c int64) int64 {
	choose := func(n, k int64) int64 {
		x := int64(1)
		for i := range k {
			x = x * (n - i) / (i + 1)
		}
		return x
	}
	r := int64(0)
	for choose(c+r, c) < l {
		r++
	}
	if r == 0 {
		return 0
	}
	return r*l - choose(c+r, c+1)
}

// Memory does not grow with the rounds, which records of all of them do not fit in.
func TestCheckpointsFit(t *testing.T) {
	t.Parallel()
	g := parsed(t, overTime)
	d, err := through(g, "differentiate{of=f checkpoint=12}")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(d, interp.Options{MemLimit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	rounds(t, m, 3000)
	if d, err = through(g, "differentiate{of=f}"); err != nil {
		t.Fatal(err)
	}
	if m, err = interp.New(d, interp.Options{MemLimit: 1000}); err != nil {
		t.Fatal(err)
	}
	args, _ := ofRounds(3000)
	if _, err = m.Call("f_grad", args); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("records of 3000 rounds fit into 1000 bytes: %v", err)
	}
}
