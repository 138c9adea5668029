package onnx

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var (
	cases = flag.Int("cases", 110, "how many random cases are compared")
	seed  = flag.Uint64("seed", 1, "of the cases")
)

// root is the folder of the repository.
const root = "../../.."

// An answer is what ONNX Runtime gives for a case.
type answer struct {
	Dims  []int
	Data  []any
	Error string
}

// The ops that are said to mean what ONNX's do give the same.
func TestSameAsONNX(t *testing.T) {
	home, err := filepath.Abs(filepath.Join(root, "bin/onnx"))
	if err != nil {
		t.Fatal(err)
	}
	node, err := exec.LookPath("node")
	if found, _ := filepath.Glob(filepath.Join(home, "node_modules/onnxruntime-web/package.json")); err != nil || len(found) == 0 {
		t.Skip("ONNX Runtime is not there, which needs node: make deps-onnx")
	}
	var all []*Case
	var in, src strings.Builder
	for i := range *cases {
		c := Make(*seed, i)
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
		in.Write(append(line, '\n'))
		src.WriteString(c.Text)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute+time.Duration(*cases)*50*time.Millisecond)
	defer stop()
	cmd := exec.CommandContext(ctx, node, "testdata/run.mjs", home)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ONNX Runtime: %v", err)
	}
	g := built.Parse(t, src.String(), text.Options{})
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 1<<24)
	for i, c := range all {
		var want answer
		if !lines.Scan() || json.Unmarshal(lines.Bytes(), &want) != nil || want.Error != "" {
			t.Errorf("ONNX Runtime says %s of %s %v\n%s%s", lines.Text(), c.Op, c.Attrs, c.Text, c.Args)
			continue
		}
		got, err := built.Interpret(g, fmt.Sprintf("f%d", i), c.Args, interp.Options{})
		if err != nil {
			t.Errorf("%v\n%s%s", err, c.Text, c.Args)
			continue
		}
		if d := differ(t, c, got, want); d != "" {
			t.Errorf("%s %v, %s: %s, not %v %v\n%s%s", c.Op, c.Attrs, d, got, want.Dims, want.Data, c.Text, c.Args)
		}
	}
}

// tolerance is how far numbers of f32 and of f64 may lie apart, in parts of the greater of 1 and the wanted: both sum in
// an order of their own.
var tolerance = map[string]float64{"float32": 2e-5, "float64": 1e-11}

// differ says how a result is not the wanted one.
func differ(t *testing.T, c *Case, got string, want answer) string {
	t.Helper()
	var results []any
	if err := json.Unmarshal([]byte(got), &results); err != nil || len(results) != 1 {
		t.Fatal(got, err)
	}
	data, dims := []any{}, []int{}
	for x, ok := results[0].([]any); ok; x, ok = x[0].([]any) {
		dims = append(dims, len(x))
	}
	flatten(results[0], &data)
	if fmt.Sprint(dims) != fmt.Sprint(want.Dims) || len(data) != len(want.Data) {
		return fmt.Sprintf("extents %v", dims)
	}
	most := tolerance[c.Inputs[0].Type] * max(1, c.cancels)
	for i := range data {
		x, y := number(data[i]), number(want.Data[i])
		if math.IsNaN(x) != math.IsNaN(y) || x != y && !(math.Abs(x-y) <= most*max(1, math.Abs(y))) && !math.IsNaN(x) {
			return fmt.Sprintf("element %d", i)
		}
	}
	return ""
}

func flatten(x any, to *[]any) {
	list, ok := x.([]any)
	if !ok {
		*to = append(*to, x)
		return
	}
	for _, y := range list {
		flatten(y, to)
	}
}

// number is one of JSON, or one that JSON has no way to write.
func number(x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case string:
		return map[string]float64{"Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}[x] + map[string]float64{"NaN": math.NaN()}[x]
	}
	return math.Inf(1)
}
