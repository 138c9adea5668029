package jsontext

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is written piece by piece is what JSON has of the whole.
func TestNumberStream(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	values := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1e-6, 9.9e-7, 1e21, 1e20, 1e-9, -1e-10, 1e-300, math.MaxFloat64, 5e-324, 0.1, -3}
	for len(values) < 24000 {
		values = append(values, math.Float64frombits(rng.Uint64()), float64(rng.IntN(2000)-1000), rng.NormFloat64())
	}
	names := []string{"alpha[1]", `a"b`, "b\\", "é", "<&>", ""}
	rows := []any{}
	for row := range slices.Chunk(values[:24000], 6) {
		rows = append(rows, []any{row[:3], row[3:]})
	}
	var got bytes.Buffer
	w := &Stream{Out: &got}
	w.Strings(slices.Values(names))
	w.Array([]int{4000, 2, 3}, values[:24000])
	w.Array(nil, []float64{2.5})
	w.Array([]int{0}, nil)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, v := range []any{names, Numbers(rows), 2.5, []int{}} {
		text, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, text...)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Error("they differ")
	}
}
