package tensors

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var attentions = flag.Int("attentions", 3, "how many random programs of attention are run")

// rounded is how far results may differ, as a share of 1 and their magnitude: values are of the size of 1, and a sum of some hundred
// products of numbers that are themselves rounded a few times.
func rounded(text string) float64 {
	if strings.Contains(text, "f32") {
		return 2e-4
	}
	return 1e-12
}

// Attention in blocks, without its matrix of scores, gives what its ops mean one after the other, on the interpreter and as native
// code: one block, and, of the last programs, several of rows and of columns.
func TestAttention(t *testing.T) {
	var list []Program
	var all strings.Builder
	for i := range *attentions {
		most := 5
		if i >= *attentions*19/20 {
			most = 330
		}
		list = append(list, Attention(*firstSeed+uint64(i), i, most))
		all.WriteString(list[i].Text)
	}
	g := built.Parse(t, all.String(), text.Options{})
	if n := strings.Count(lowered(t, g), "affine.contraction"); n < *attentions*3/2 { // loops of one round are none
		t.Errorf("%d contractions in %d programs", n, *attentions)
	}
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		e := built.Start(t, kind)
		defer e.Close()
		p, err := built.Prepare(t.Context(), e, g)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range list {
			if kind == engine.Eval && i >= *attentions*19/20 {
				break // as native code they take milliseconds
			}
			want, wantErr := built.Interpret(g, fmt.Sprintf("f%d", i), x.Args, interp.Options{Fuel: 1 << 28})
			got, n, err := built.Call(t.Context(), p, g, fmt.Sprintf("f%d", i), x.Args)
			if wantErr != nil || err != nil {
				t.Fatalf("%v, %v\n%s", wantErr, err, x.Text)
			}
			if d := distance(t, got, want); d > rounded(x.Text) {
				t.Errorf("%s: program %d differs by %g:\n%s", e.Name(), i, d, x.Text)
			}
			if n.Live > n.Results {
				t.Errorf("%s leaves %d blocks:\n%s", e.Name(), n.Live-n.Results, x.Text)
			}
		}
	}
}

// Blocks of scores that are masked as a whole, before others or behind them, count for nothing, and those whose greatest score is less for
// as much less.
func TestMaskedBlocks(t *testing.T) {
	const blocks, size = 3, 512 // columns of a block
	columns := make([]string, blocks*size)
	ofMasked := func(block int) string {
		for j := range columns {
			columns[j] = "0.5"
			if j/size == block {
				columns[j] = `"-Infinity"`
			}
		}
		return "[" + strings.Join(columns, ", ") + "]"
	}
	var mask []string
	for b := range blocks {
		mask = append(mask, ofMasked(b))
	}
	for j := range columns {
		columns[j] = fmt.Sprintf("[%d.5]", j%7-3+j/size) // the greatest score grows from block to block, or becomes less
	}
	keys := "[" + strings.Join(columns, ", ") + "]"
	src := fmt.Sprintf(`func.func @f(%%q: tensor<3x1xf64>, %%k: tensor<%[1]dx1xf64>, %%m: tensor<3x%[1]dxf64>) -> tensor<3x1xf64> {
  %%0 = ten.einsum "id,jd->ij" %%q, %%k : tensor<3x1xf64>, tensor<%[1]dx1xf64> -> tensor<3x%[1]dxf64>
  %%1 = ten.map (%%x = %%0 : tensor<3x%[1]dxf64>, %%y = %%m : tensor<3x%[1]dxf64>) -> tensor<3x%[1]dxf64> {
    %%a = arith.addf %%x, %%y : f64
    ten.yield %%a : f64
  }
  %%2 = ten.softmax %%1 along 1 : tensor<3x%[1]dxf64>
  %%3 = ten.einsum "ij,je->ie" %%2, %%k : tensor<3x%[1]dxf64>, tensor<%[1]dx1xf64> -> tensor<3x1xf64>
  return %%3 : tensor<3x1xf64>
}
`, blocks*size)
	args := fmt.Sprintf("[[[1.5], [-0.5], [0.25]], %s, [%s]]", keys, strings.Join(mask, ", "))
	g := built.Parse(t, src, text.Options{})
	want, err := built.Interpret(g, "f", args, interp.Options{Fuel: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	low := built.Through(t, g, "lower{to=affine}")
	got, err := built.Interpret(low, "f", args, interp.Options{Fuel: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	if d := distance(t, got, want); d > rounded("f64") {
		t.Errorf("it gives %s, and the ops mean %s", got, want)
	}
}

// lowered is a program as memory and loops.
func lowered(t *testing.T, g *ir.Graph) string {
	return text.String(built.Through(t, g, "lower{to=affine}"), text.PrintOptions{})
}

// distance is the greatest difference of two results, as a share of 1 and of their magnitude; infinite where one is no number.
func distance(t *testing.T, x, y string) float64 {
	t.Helper()
	a, b := numbers(t, x), numbers(t, y)
	if len(a) != len(b) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range a {
		d := math.Abs(a[i]-b[i]) / (1 + math.Abs(b[i]))
		if a[i] == b[i] || a[i] != a[i] && b[i] != b[i] {
			d = 0
		} else if d != d {
			d = math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}

// numbers are those of a result in JSON.
func numbers(t *testing.T, s string) (out []float64) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%v: %s", err, s)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case float64:
			out = append(out, v)
		case string:
			out = append(out, map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}[v])
		}
	}
	walk(v)
	return out
}
