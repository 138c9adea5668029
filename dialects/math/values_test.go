package math_test

import (
	"encoding/json"
	gomath "math"
	"os"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// bounds is the bound of the error of each function, in ulp; 1 where it is left out.
var bounds = map[string]float64{"powf": 2, "sin": 2, "cos": 2, "tan": 2, "asin": 2, "acos": 2, "atan2": 2, "asinh": 2, "acosh": 2, "atanh": 2,
	"sinh": 2, "cosh": 2, "tanh": 2, "rsqrt": 2, "sqrt": 0.5, "cbrt": 1, "log2": 1, "log10": 1}

// values.json is rows of arguments and value, from 400-bit arithmetic.
func TestValues(t *testing.T) {
	data, err := os.ReadFile("testdata/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var tables []struct {
		Op   string
		Rows [][]float64
	}
	if err := json.Unmarshal(data, &tables); err != nil {
		t.Fatal(err)
	}
	c := ir.NewContext(arith.Dialect, math.Dialect)
	for _, table := range tables {
		bound := bounds[table.Op]
		if bound == 0 {
			bound = 1
		}
		worst := 0.0
		for _, row := range table.Rows {
			b := ir.NewBuilder(c)
			args := make([]ir.Value, len(row)-1)
			for i, x := range row[:len(row)-1] {
				args[i] = arith.ConstF64(b, x)
			}
			def := c.Lookup("math." + table.Op)
			v, ok := b.Graph().Const(b.Op(def, args...))
			if !ok {
				t.Fatalf("%s%v does not fold", table.Op, row)
			}
			if x := math.Value(def, row[:len(args)]...); x != v.F64() {
				t.Errorf("%s%v: Value gives %v, and Eval %v", table.Op, row[:len(args)], x, v.F64())
			}
			want := row[len(row)-1]
			ulp := gomath.Nextafter(gomath.Abs(want), gomath.Inf(1)) - gomath.Abs(want)
			err := gomath.Abs(v.F64()-want) / ulp
			worst = max(worst, err)
			if !(err <= bound) {
				t.Errorf("%s%v: got %v, want %v: %.1f ulp", table.Op, row[:len(row)-1], v.F64(), want, err)
			}
		}
		t.Logf("%s: %.0f ulp at most", table.Op, worst)
	}
}
