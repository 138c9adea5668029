package jsontext

import (
	"encoding/json"
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
		{Numbers([]float64{minus, 0, 1.5, math.Inf(-1), math.NaN()}), `[-0.0,0,1.5,"-Infinity","NaN"]`},
		{Numbers(map[string]any{"x": []any{minus}}), `{"x":[-0.0]}`},
	} {
		if got, err := Encode(c.value); err != nil || string(got) != c.want {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
}

func TestObject(t *testing.T) {
	data, err := json.Marshal(Object{{"b", 1}, {"a", Object{{"x", Number(math.Inf(-1))}}}})
	if err != nil || string(data) != `{"b":1,"a":{"x":"-Infinity"}}` {
		t.Errorf("%s, %v", data, err)
	}
}
