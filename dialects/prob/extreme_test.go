package prob

import (
	"encoding/json"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"math"
	"os"
	"testing"
)

// Tails at extreme arguments keep their digits as logarithms, both of them: the values
// of testdata/extremes.json are computed with many digits from incomplete gamma and
// beta functions, and from sums.
func TestExtremeTails(t *testing.T) {
	data, err := os.ReadFile("testdata/extremes.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tails []struct {
			Distribution    string
			X, Below, Above float64
			Arguments       []float64
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Tails) < 20 {
		t.Fatal("there are no tails")
	}
	for _, c := range file.Tails {
		got := apply.Tails(Lookup(c.Distribution), c.X, c.Arguments)
		for i, x := range [][2]float64{{got.Below, c.Below}, {got.Above, c.Above}} {
			if !(math.Abs(x[0]-x[1]) <= 1e-12*math.Abs(x[1])+1e-15) {
				t.Errorf("%s%v at %v, tail %d: %.17g, want %.17g", c.Distribution, c.Arguments, c.X, i, x[0], x[1])
			}
		}
	}
}
