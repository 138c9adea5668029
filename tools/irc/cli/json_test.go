package cli

import (
	"math"
	"testing"
)

// What is printed as JSON is written as it stands, and keeps the sign of zero.
func TestEncode(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, c := range []struct {
		value any
		want  string
	}{
		{"{ [i] -> [j] : i < j & \"x\" }", `"{ [i] -> [j] : i < j & \"x\" }"`},
		{Object{{"a<b>&", Object{{"c", []string{"<&>"}}}}}, `{"a<b>&":{"c":["<&>"]}}`},
		{numbers([]float64{minus, 0, 1.5, math.Inf(-1), math.NaN()}), `[-0.0,0,1.5,"-Infinity","NaN"]`},
		{numbers(map[string]any{"x": []any{minus}}), `{"x":[-0.0]}`},
	} {
		if got, err := Encode(c.value); err != nil || string(got) != c.want {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
}
