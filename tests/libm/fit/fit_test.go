package main

import (
	"bytes"
	"flag"
	"go/format"
	"math"
	"os"
	"testing"

	"github.com/irc-lang/irc/tests/libm/ref"
)

var all = flag.Bool("all", false, "derive every polynomial again, not only the short ones")

// What lowering/libm has is what this program derives.
func TestFresh(t *testing.T) {
	have, err := os.ReadFile("../../../lowering/libm/coefs.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range specs() {
		if s.n64 > 7 && !*all {
			continue
		}
		text, err := format.Source([]byte("package libm\n\n" + s.text()))
		if err != nil {
			t.Fatal(err)
		}
		if _, body, _ := bytes.Cut(text, []byte("package libm\n\n")); !bytes.Contains(have, bytes.TrimSpace(body)) {
			t.Errorf("%s is stale: go run ./tests/libm/fit -write lowering/libm/coefs.go", s.name)
		}
	}
}

// The minimax line of e^x on [0, 1] is the mean of the chord and of the tangent
// parallel to it.
func TestMinimax(t *testing.T) {
	x := sample(0, 1, 4000, ref.Exp, unit)
	c, worst := x.minimax(2)
	slope, _ := c[1].Float64()
	at0, _ := c[0].Float64()
	s := math.E - 1
	want := (1 + s - s*math.Log(s)) / 2
	if math.Abs(slope-s) > 1e-5 || math.Abs(at0-want) > 1e-5 || math.Abs(worst-math.Abs(1-want)) > 1e-5 {
		t.Errorf("%v + %v x, error %v; want %v + %v x", at0, slope, worst, want, s)
	}
}

// Rounded coefficients cost little, and are floats of their precision.
func TestRounded(t *testing.T) {
	x := sample(0, 0.5, 300, ref.Exp, unit)
	_, best := x.minimax(6)
	c, lost, worst := x.rounded(6, 24)
	if worst > 4*best+0x1p-25 || lost != 0 {
		t.Errorf("error %g, without rounding %g", worst, best)
	}
	for _, v := range c {
		if float64(float32(v)) != v {
			t.Errorf("%v is no float32", v)
		}
	}
}
