package models_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/models/naive"
)

// JAGS, given a point as data, has no unobserved node: its deviance is the joint log
// density times -2. It prints six digits. What JAGS refuses is skipped: definitions
// of data and I() as BUGS has them, cycles, and counts computed from observations.
func TestAgainstJAGS(t *testing.T) {
	jags, err := exec.LookPath("jags")
	if err != nil {
		t.Skip("needs jags")
	}
	compared := 0
	for _, e := range ofExamples(t) {
		t.Run(e.name, func(t *testing.T) {
			if _, err := os.Stat("testdata/" + e.name + "-expected.json"); err == nil {
				e.inits = complete(t, read(t, e.name))
			}
			prog, list := syntax.Parse(parseFile(t, e.program), syntax.Options{Dialect: syntax.JAGS})
			if list.Err() != nil {
				t.Fatal(list)
			}
			data, point := mustData(t, parseFile(t, e.data)), mustData(t, parseFile(t, e.inits))
			n, err := naive.New(prog, data, true)
			if err != nil {
				t.Fatal(err)
			}
			want, err := n.LogDensity(point)
			if err != nil {
				t.Fatal(err)
			}
			d, refused := deviance(t, jags, e.program, asR(merge(data, point)))
			if refused != "" {
				t.Log("JAGS refuses it:", refused)
				return
			}
			compared++
			got := -d / 2
			if !(math.Abs(got-want.Logp) <= 2e-5*math.Abs(want.Logp)) {
				t.Errorf("JAGS gives %v, naively %v", got, want.Logp)
			}
		})
	}
	if t.Logf("JAGS runs %d of the examples", compared); compared < 35 {
		t.Errorf("JAGS runs %d of the examples", compared)
	}
}

// merge gives the parameters as data.
func merge(data, point *input.Data) *input.Data {
	out := input.NewData()
	for _, d := range []*input.Data{data, point} {
		for _, name := range d.Names {
			a := d.Get(name)
			b := &input.Array{Dims: a.Dims, Values: append([]float64(nil), a.Values...)}
			if old := out.Get(name); old != nil {
				for k, x := range old.Values {
					if !math.IsNaN(x) {
						b.Values[k] = x
					}
				}
			}
			out.Set(name, diag.Span{}, b)
		}
	}
	return out
}

// asR writes an R dump, column by column.
func asR(d *input.Data) string {
	var b strings.Builder
	num := func(x float64) string {
		if math.IsNaN(x) {
			return "NA"
		}
		return strconv.FormatFloat(x, 'g', 17, 64)
	}
	for _, name := range d.Names {
		a := d.Get(name)
		if len(a.Dims) == 0 {
			fmt.Fprintf(&b, "%q <- %s\n", name, num(a.Values[0]))
			continue
		}
		var vals, dims []string
		at := make([]int, len(a.Dims))
		for range a.Values {
			k := 0
			for d, n := range a.Dims {
				k = k*n + at[d]
			}
			vals = append(vals, num(a.Values[k]))
			for d := range at {
				if at[d]++; at[d] < a.Dims[d] {
					break
				}
				at[d] = 0
			}
		}
		for _, n := range a.Dims {
			dims = append(dims, fmt.Sprintf("%dL", n))
		}
		fmt.Fprintf(&b, "%q <- structure(c(%s), .Dim = c(%s))\n", name, strings.Join(vals, ", "), strings.Join(dims, ", "))
	}
	return b.String()
}

// deviance runs JAGS for one iteration; where it refuses the model, it says why.
func deviance(t *testing.T, jags, program, data string) (x float64, refused string) {
	t.Helper()
	dir := t.TempDir()
	path, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("load dic\nmodel in %q\ndata in \"data.R\"\ncompile\ninitialize\nmonitor deviance\nupdate 1\ncoda deviance\nexit\n", path)
	for name, text := range map[string]string{"data.R": data, "script": script} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(jags, "script")
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	text, err := os.ReadFile(filepath.Join(dir, "CODAchain1.txt"))
	if err != nil {
		_, why, _ := strings.Cut(string(out), "ERROR")
		return 0, "error" + strings.Join(strings.Fields(why[:min(len(why), 120)]), " ")
	}
	fields := strings.Fields(string(text))
	if x, err = strconv.ParseFloat(fields[len(fields)-1], 64); err != nil {
		t.Fatalf("%q\n%s", text, out)
	}
	return x, ""
}
