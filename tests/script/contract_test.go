package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/product"
)

// contract is docs/irc.md from a heading to the next one like it.
func contract(t *testing.T, heading string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/irc.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("docs/irc.md has no %q", heading)
	}
	mark, _, _ := strings.Cut(heading, " ")
	text, _, _ = strings.Cut(text, "\n"+mark+" ")
	return text
}

// panics is a pass with a bug.
var panics = &pass.Info{Name: "panics", Doc: "Panics.", Example: "module {\n}\n", New: func() pass.Pass { return &panicPass{} }}

type panicPass struct{}

func (*panicPass) Run(*pass.Context, *ir.Graph) (*ir.Graph, error) { panic("a bug") }

// A run ends with each status of docs/irc.md, for the reasons given there.
func TestExitStatus(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.mlir", "func.func @main() -> i32 {\n  %a = arith.constant 2 : i32\n  return %a : i32\n}\n")
	wrong := write("wrong.mlir", "func.func @main() -> i32 {\n  return %a : i32\n}\n")
	trap := write("trap.mlir", "func.func @main() -> i32 {\n  %a = arith.constant 2 : i32\n  %z = arith.constant 0 : i32\n  %d = arith.divsi %a, %z : i32\n  return %d : i32\n}\n")
	forever := write("forever.mlir", "func.func @main(%n: index) -> index {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1) -> (index) {\n    %b = arith.muli %a, %a : index\n    %c = arith.addi %b, %i : index\n    scf.yield %c : index\n  }\n  return %s : index\n}\n")
	cases := []struct {
		status int
		args   []string
	}{
		{0, []string{good}},
		{0, []string{"run", "-engine=eval", good}},
		{1, []string{wrong}},
		{1, []string{"run", "-engine=eval", trap}},
		{1, []string{"run", "-engine=eval", "-fuel=1000", forever, "-args=" + write("args.json", "[1000000]")}},
		{1, []string{filepath.Join(folder, "absent.mlir")}},
		{2, []string{"-no-such-flag", good}},
		{2, []string{"run"}},
		{1, []string{"complexity", good}},
		{3, []string{"-passes=panics", "-reproduce=" + filepath.Join(folder, "bug.mlir"), good}},
	}
	documented, seen := contract(t, "## Exit status"), map[int]bool{}
	for _, c := range cases {
		var out, errs bytes.Buffer
		p := product.All()
		p.Passes = append(p.Passes, panics)
		status := p.Main(c.args, strings.NewReader(""), &out, &errs)
		if seen[status] = true; status != c.status {
			t.Errorf("irc %v: status %d, want %d\n%s%s", c.args, status, c.status, out.Bytes(), errs.Bytes())
		}
		if status != 0 && errs.Len() == 0 {
			t.Errorf("irc %v: status %d without a word", c.args, status)
		}
		if !strings.Contains(documented, fmt.Sprintf("\n| %d |", status)) {
			t.Errorf("docs/irc.md has no exit status %d", status)
		}
	}
	if n := strings.Count(documented, "\n| "); n != len(seen)+1 {
		t.Errorf("docs/irc.md has %d exit statuses, %d were seen", n-1, len(seen))
	}
	if _, err := os.Stat(filepath.Join(folder, "bug.mlir")); err != nil {
		t.Errorf("a bug leaves no reproducer: %v", err)
	}
}

// key is a row of a table of keys.
type key struct {
	path     string
	optional bool
	seen     bool
}

// keys are the tables of docs/irc.md on JSON, by what is run.
func keys(t *testing.T) map[string][]*key {
	out := map[string][]*key{}
	for _, section := range strings.Split(contract(t, "## JSON"), "\n### `")[1:] {
		name, text, _ := strings.Cut(section, "`\n")
		for line := range strings.Lines(text) {
			cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
			if !ok || !strings.Contains(cell, "`") {
				continue
			}
			k := &key{path: strings.Trim(cell, "(`)"), optional: strings.HasPrefix(cell, "(")}
			out[name] = append(out[name], k)
		}
	}
	return out
}

// jsonRuns are runs that show every key, by the section of docs/irc.md.
var jsonRuns = map[string][]string{
	"irc run FILE": {"run -engine=eval testdata/sum.mlir -args=testdata/args.json", "run -engine=eval -gradient testdata/rosenbrock.mlir -args=testdata/point.json",
		"run -engine=eval -jacobian=arg1/arg0 testdata/stencil.mlir -args=testdata/stencil.json", "run -engine=eval -hessian=arg0 testdata/stencil.mlir -args=testdata/stencil.json"},
	"irc run MODEL": {"run -engine=eval ../../examples/bugs/rats.bug -data ../../examples/bugs/rats-data.json"},
	"irc logdensity -json": {density, density + " -scale=unconstrained -values=sigma -gradient", density + " -points=testdata/points.json",
		"logdensity -json -engine=eval ../../examples/bugs/missingx.bug -data ../../examples/bugs/missingx-data.json -fill-inits=prior"},
	"irc sample -json` and `irc summary -json": {"sample -json -engine=eval -chains=1 -warmup=20 -draws=10 -o=TMP -D z=2 testdata/chain.bug", "summary -json testdata/chain-1.csv testdata/chain-2.csv"},
	"irc explain -json":                        {"explain -json -passes=inline testdata/explained.mlir", "explain -json ../../examples/bugs/rats.bug -data ../../examples/bugs/rats-data.json", "explain -json ../../examples/device/reduce.mlir"},
	"irc explain -deps -json":                  {"explain -deps -json testdata/explained.mlir", "explain -deps -json ../../examples/bugs/rats.bug -data ../../examples/bugs/rats-data.json", "explain -deps -json testdata/problems.mlir"},
	"irc explain -deps -json FILE.eq":          {"explain -deps -json ../../examples/eq/prefix.eq"},
	"irc sets -json":                           {"sets -json testdata/sets.txt"},
	"irc complexity -json":                     {"complexity -json -D N=9 -passes=poly-schedule ../../examples/eq/prefix.eq", "complexity -json -D n0=9 -passes=raise-affine testdata/loops.mlir"},
	"irc prove -json":                          {"prove -json testdata/verdicts.rules", "prove -json ../../examples/prove/compare.mlir"},
	"irc passes -json":                         {"passes -json"},
	"irc dialects -json":                       {"dialects -json"},
	"irc doctor -json":                         {"doctor -json"},
	"irc version -json":                        {"version -json"},
}

const density = "logdensity -json -engine=eval ../../examples/bugs/rats.bug -data ../../examples/bugs/rats-data.json -inits ../../examples/bugs/rats-inits.json"

// machine are keys that depend on what is found on the machine.
var machine = []string{"[].device", "[].reason", "[].sandbox.seccomp", "[].sandbox.landlock", "[].sandbox.reason", "[].sandbox.memory", "[].sandbox.threads",
	"kernels.arch", "kernels.missing", "kernels.list[].name", "kernels.list[].registers", "kernels.list[].shared_memory", "kernels.list[].stack", "kernels.list[].spilled",
	"kernels.list[].fits[].block_threads", "kernels.list[].fits[].threads", "kernels.list[].fits[].most_threads", "kernels.list[].fits[].limit"}

// Every key that a command prints is in docs/irc.md and every key of docs/irc.md
// is printed, in the order given there; those that may be left out are marked.
func TestJSONKeys(t *testing.T) {
	documented := keys(t)
	for section := range documented {
		if jsonRuns[section] == nil {
			t.Errorf("docs/irc.md has keys of %s, which is not run", section)
		}
	}
	for section, runs := range jsonRuns {
		table := documented[section]
		if table == nil {
			t.Errorf("docs/irc.md has no keys of %s", section)
			continue
		}
		for _, line := range runs {
			status, out, errs := irc("", strings.Fields(strings.ReplaceAll(line, "TMP", filepath.Join(t.TempDir(), "c")))...)
			if status != 0 && !strings.Contains(line, "-points") && !strings.Contains(line, "problems") && !strings.Contains(line, "verdicts") {
				t.Errorf("irc %s: status %d\n%s", line, status, errs)
			}
			c := &checker{table: table, d: json.NewDecoder(strings.NewReader(out))}
			for c.err == nil {
				c.value("")
			}
			if !errors.Is(c.err, io.EOF) {
				t.Errorf("irc %s: %v", line, c.err)
			}
		}
		for _, k := range table {
			if !k.seen && !slices.Contains(machine, k.path) {
				t.Errorf("docs/irc.md has the key %s of %s, which no run shows", k.path, section)
			}
		}
	}
}

// checker reads JSON and compares its keys with a table.
type checker struct {
	table []*key
	d     *json.Decoder
	err   error
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *checker) token() json.Token {
	tok, err := c.d.Token()
	if c.err == nil {
		c.err = err
	}
	return tok
}

// value reads one value, which stands at a path.
func (c *checker) value(path string) {
	for _, k := range c.table {
		if k.path == path || k.path == path+"[]" {
			k.seen = true
		}
	}
	switch c.token() {
	case json.Delim('['):
		for c.err == nil && c.d.More() {
			c.value(path + "[]")
		}
		c.token()
	case json.Delim('{'):
		c.object(path)
		c.token()
	}
}

// object reads the members of an object: each must have a row, the rows must come
// in order, and those without brackets must be there.
func (c *checker) object(path string) {
	if path != "" {
		path += "."
	}
	at, had := -1, map[string]bool{}
	for c.err == nil && c.d.More() {
		name, _ := c.token().(string)
		i := c.find(path + name)
		if i < 0 {
			name = "NAME"
			i = c.find(path + name)
		}
		switch {
		case i < 0:
			c.fail("a key that docs/irc.md does not have: %s%s", path, name)
		case i < at:
			c.fail("the key %s comes after %s", c.table[i].path, c.table[at].path)
		}
		at, had[name] = i, true
		c.value(path + name)
	}
	for _, k := range c.table {
		if rest, ok := strings.CutPrefix(k.path, path); ok && !k.optional {
			if i := strings.IndexAny(rest, ".["); i >= 0 {
				rest = rest[:i]
			}
			if rest != "" && rest != "NAME" && !had[rest] {
				c.fail("the key %s%s is missing", path, rest)
			}
		}
	}
}

// find is the first row of what stands at a path.
func (c *checker) find(path string) int {
	return slices.IndexFunc(c.table, func(k *key) bool {
		rest, ok := strings.CutPrefix(k.path, path)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}
