package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// results are what a run of norm.mlir prints for a point, by key.
func results(t *testing.T, x, y float64, more string, args ...string) (out struct{ Results, Gradient []float64 }) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"run", "-engine=eval", "-args=-", "norm.mlir"}, args...)
	if program().Main(args, strings.NewReader(fmt.Sprintf("[%v, %v%s]", x, y, more)), &stdout, &stderr) != 0 {
		t.Fatal(stderr.String())
	}
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The row of cplx.norm, and what is lowered, have the slopes that differences have.
func TestDerivatives(t *testing.T) {
	const h = 1e-5
	for _, p := range [][2]float64{{0.5, -1.25}, {-2, 0.75}, {0, 3}} {
		x, y := p[0], p[1]
		for _, entry := range []string{"norm", "main"} {
			at := func(x, y float64) float64 { return results(t, x, y, "", "-entry="+entry).Results[0] }
			want := []float64{(at(x+h, y) - at(x-h, y)) / (2 * h), (at(x, y+h) - at(x, y-h)) / (2 * h)}
			got := results(t, x, y, "", "-gradient", "-entry="+entry).Gradient
			if entry == "norm" {
				byRow := results(t, x, y, ", 1", "-passes=differentiate{of=norm}", "-entry=norm_grad").Results[1:]
				near(t, "by the row", byRow, want)
			}
			near(t, entry, got, want)
		}
	}
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if math.Abs(got[i]-w) > 1e-6*(1+math.Abs(w)) {
			t.Errorf("%s: %v, by differences %v", what, got, want)
		}
	}
}
