package models_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/product"
)

// numbers is a number, a vector or a matrix of JSON.
type numbers struct {
	dims []int
	v    []float64
	raw  json.RawMessage
}

func (n *numbers) UnmarshalJSON(b []byte) error {
	n.raw = slices.Clone(b)
	var x any
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	n.fill(x, 0)
	return nil
}

func (n *numbers) fill(x any, depth int) {
	list, ok := x.([]any)
	if !ok {
		f, _ := x.(float64)
		n.v = append(n.v, f)
		return
	}
	if depth == len(n.dims) {
		n.dims = append(n.dims, len(list))
	}
	for _, y := range list {
		n.fill(y, depth+1)
	}
}

// free makes a name an array of improper parameters.
func (n *numbers) free(name string) string {
	switch len(n.dims) {
	case 0:
		return name + " ~ dflat()\n"
	case 1:
		return fmt.Sprintf("for (i in 1:%d) { %s[i] ~ dflat() }\n", n.dims[0], name)
	}
	return fmt.Sprintf("for (i in 1:%d) { for (j in 1:%d) { %s[i, j] ~ dflat() } }\n", n.dims[0], n.dims[1], name)
}

// part is a name with the ranges of all of its elements.
func (n *numbers) part(name string) string {
	var idx []string
	for _, d := range n.dims {
		idx = append(idx, fmt.Sprintf("1:%d", d))
	}
	if idx == nil {
		return name
	}
	return name + "[" + strings.Join(idx, ", ") + "]"
}

// row is a case of one of the two files.
type row struct {
	Distribution string
	Expression   string
	Arguments    json.RawMessage
	X            numbers
	Truncation   []*float64
	Expected     numbers
	ExpectedJAGS *numbers `json:"expected_jags"`
}

func rows(t *testing.T, name string) []row {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []row }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

// A rowModel is the statements of a row, and values of its names, which it shares with no other row.
type rowModel struct {
	text    string
	values  map[string]json.RawMessage
	answers bool // its value is what the row wants
	number  string
}

// named is a name of the row as the model of several has it.
func (m rowModel) named(name string) string { return name + m.number }

// together are the rows that are run as one model: all of them as native code, of which most is
// what starting to compile takes.
func together(engine string, all []row) (out [][]row) {
	if engine == "llvm" {
		return [][]row{all}
	}
	for i := range all {
		out = append(out, all[i:i+1])
	}
	return out
}

// ownNames gives each of several models names of its own, and writes them as one.
func ownNames(ms []rowModel) (program string, values map[string]json.RawMessage, answers []string) {
	values = map[string]json.RawMessage{}
	for i := range ms {
		m := &ms[i]
		m.number = fmt.Sprintf(".r%d", i)
		own := []string{"x", "answer"}
		for name, v := range m.values {
			values[m.named(name)] = v
			own = append(own, name)
		}
		m.text = regexp.MustCompile(`\b(`+strings.Join(own, "|")+`)\b`).ReplaceAllString(m.text, "${1}"+m.number)
		program += m.text
		if m.answers {
			answers = append(answers, m.named("answer"))
		}
	}
	return program, values, answers
}

// attempt runs irc logdensity on the model of some rows with values for its parameters, or with
// these as data.
func attempt(t *testing.T, engine, dialect string, ms []rowModel, asData bool) (out struct {
	Nodes  map[string]float64
	Values map[string]numbers
}, err error) {
	t.Helper()
	program, values, answers := ownNames(ms)
	if answers != nil {
		program += "zero ~ dflat()\n"
		if !asData {
			values["zero"] = []byte("0")
		}
	}
	program = "model {\n" + program + "}\n"
	dir := t.TempDir()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	data, inits := "{}", string(text)
	if asData {
		data, inits = string(text), `{"zero": 0}`
	}
	file, vals, known := filepath.Join(dir, "m.bug"), filepath.Join(dir, "v.json"), filepath.Join(dir, "d.json")
	for name, text := range map[string]string{file: program, vals: inits, known: data} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"logdensity", "-json", "-engine=" + engine, "-dialect=" + dialect, "-data=" + known, "-inits=" + vals}
	if answers != nil {
		args = append(args, "-values="+strings.Join(answers, ","))
	}
	var stdout, stderr bytes.Buffer
	p := product.All()
	if code := p.Main(append(args, file), strings.NewReader(""), &stdout, &stderr); code != 0 {
		return out, fmt.Errorf("%s", strings.TrimSpace(stderr.String()))
	}
	return out, json.Unmarshal(stdout.Bytes(), &out)
}

// agrees compares to 1e-9 relative; a zero that other terms cancel to, absolutely.
func agrees(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-9*math.Abs(want) || math.Abs(want) < 1e-3 && math.Abs(got-want) <= 1e-13
}

func sameNumbers(got, want numbers) bool {
	return slices.EqualFunc(got.v, want.v, agrees)
}

// tally counts what passes.
type tally struct{ pass int }

func (c *tally) enter(t *testing.T, what string, ok bool, why string) {
	t.Helper()
	if !ok {
		t.Errorf("%s: %s", what, why)
		return
	}
	c.pass++
}

// Every row of distributions.json, with parameters that are not known when the
// model is compiled.
func TestDistributionTable(t *testing.T) {
	all := rows(t, "distributions.json")
	for _, engine := range engines() {
		c := &tally{}
		for _, some := range together(engine, all) {
			var programs []rowModel
			for _, r := range some {
				programs = append(programs, distributionModel(t, r))
			}
			got, err := attempt(t, engine, "bugs", programs, false)
			for i, r := range some {
				logp := got.Nodes[programs[i].named("x")]
				why := fmt.Sprintf("got %v, want %v, error %v, of\n%s", logp, r.Expected.v, err, programs[i].text)
				c.enter(t, engine+": "+r.Distribution, err == nil && agrees(logp, r.Expected.v[0]), why)
			}
		}
		t.Logf("%s: %d of 113 pass", engine, c.pass)
	}
}

func distributionModel(t *testing.T, r row) rowModel {
	t.Helper()
	var args []numbers
	if err := json.Unmarshal(r.Arguments, &args); err != nil {
		t.Fatal(err)
	}
	values := map[string]json.RawMessage{"x": r.X.raw}
	var names []string
	decls := ""
	for i, a := range args {
		n := fmt.Sprintf("a%d", i+1)
		names = append(names, a.part(n))
		decls += a.free(n)
		values[n] = a.raw
	}
	bound := ""
	if len(r.Truncation) == 2 {
		end := func(x *float64) string {
			if x == nil {
				return ""
			}
			return fmt.Sprint(*x)
		}
		bound = fmt.Sprintf(" T(%s, %s)", end(r.Truncation[0]), end(r.Truncation[1]))
	}
	return rowModel{text: fmt.Sprintf("%s ~ %s(%s)%s\n%s", r.X.part("x"), r.Distribution, strings.Join(names, ", "), bound, decls), values: values}
}

// Every row of functions.json, with arguments that are data and with arguments that
// are parameters. The dialects part in the front end: native code is made of both
// where they differ.
func TestFunctionTable(t *testing.T) {
	for _, engine := range engines() {
		for _, asData := range []bool{true, false} {
			c := &tally{}
			for _, dialect := range []string{"bugs", "jags"} {
				all := rows(t, "functions.json")
				if dialect == "jags" {
					all = slices.DeleteFunc(all, func(r row) bool { return r.ExpectedJAGS == nil && engine == "llvm" })
				}
				for _, some := range together(engine, all) {
					var programs []rowModel
					for _, r := range some {
						programs = append(programs, functionModel(t, r, asData))
					}
					got, err := attempt(t, engine, dialect, programs, asData)
					for i, r := range some {
						want := r.Expected
						if dialect == "jags" && r.ExpectedJAGS != nil {
							want = *r.ExpectedJAGS
						}
						answer := got.Values[programs[i].named("answer")]
						why := fmt.Sprintf("got %v, want %v, error %v", answer.v, want.v, err)
						c.enter(t, fmt.Sprintf("%s, %s, data %v: %s", engine, dialect, asData, r.Expression), err == nil && sameNumbers(answer, want), why)
					}
				}
			}
			t.Logf("%s, data %v: %d pass", engine, asData, c.pass)
		}
	}
}

func functionModel(t *testing.T, r row, asData bool) rowModel {
	t.Helper()
	var args map[string]numbers
	if err := json.Unmarshal(r.Arguments, &args); err != nil {
		t.Fatal(err)
	}
	values := map[string]json.RawMessage{}
	decls := ""
	for n, a := range args {
		values[n] = a.raw
		if !asData {
			decls += a.free(n)
		}
	}
	return rowModel{text: fmt.Sprintf("%s <- %s\n%s", r.Expected.part("answer"), r.Expression, decls), values: values, answers: true}
}
