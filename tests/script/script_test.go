// Package script tests irc as a user meets it: each .txtar file is a session at
// a shell, with the files that it needs.
package script

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/product"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild() // of what runs within a test
	testscript.Main(m, map[string]func(){
		"irc": func() {
			p := product.All()
			os.Exit(p.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		// badirc has passes that do wrong.
		"badirc": func() {
			p := product.All()
			p.Dialects, p.Passes = append(p.Dialects, badDialect, worseDialect), append(p.Passes, badPasses()...)
			p.Inputs = append(slices.Clip(p.Inputs), &cli.Input{Name: "own", What: "a text of one's own", Extensions: []string{".own"},
				Read: func(*ir.Context, *diag.Source, cli.ReadOptions) (*ir.Graph, diag.List) { panic("own text was read") }})
			os.Exit(p.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: ".",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
		},
		Setup: setup,
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "llvm":
				return jit.Doctor().Found, nil
			case "cuda": // $FAKECUDA, and what makes PTX
				_, err := cudatest.Library()
				return err == nil && jit.Doctor().Found, nil
			}
			return false, errors.New("no such condition")
		},
	})
}

// setup puts the files there that help texts name.
func setup(env *testscript.Env) error {
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("GOCACHE", goCache()) // a program that a script builds needs not build Go's library again
	if path, err := cudatest.Library(); err == nil {
		env.Setenv("FAKECUDA", path)
	}
	if dir, err := filepath.Abs("testdata/reproducers"); err == nil {
		env.Setenv("REPRODUCERS", dir)
	}
	files := []string{"testdata/sum.mlir", "testdata/sets.txt", "testdata/chain-1.csv", "testdata/chain-2.csv", "testdata/args.json", "testdata/rosenbrock.mlir", "testdata/stencil.mlir", "testdata/stencil.json", "testdata/point.json", "../../examples/eq/prefix.eq"}
	for _, name := range []string{"rats.bug", "rats-data.json", "rats-inits.json"} {
		files = append(files, filepath.Join("../../examples/bugs", name))
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(env.WorkDir, filepath.Base(path)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// goCache is where the go command keeps what it has built, which it looks for below $HOME; "" without it.
var goCache = sync.OnceValue(func() string {
	out, _ := exec.Command("go", "env", "GOCACHE").Output()
	return strings.TrimSpace(string(out))
})

// status N COMMAND... wants an exact exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args[0]) != 1 {
		ts.Fatalf("usage: status N command...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("%s ends with status %s, want %s", args[1], got, args[0])
	}
}

// badDialect has an op that panics when it is made, and one that does not print all
// that it says.
var badDialect = &ir.Dialect{Name: "bad", Doc: "Ops that do wrong.", Ops: []*ir.OpDef{
	ir.Define(&ir.OpDef{Name: "bad.op", Doc: "Panics.", Infer: func(*ir.Call) (ir.Type, error) { panic("bad op was read") }}),
	forgets}, Tables: []any{text.Syntax{forgets: {
	Parse: func(p *text.Parser, op *text.Op) { op.SetTypes(ir.I32) },
	Print: func(*text.Printer, ir.Value) {}}}}}

// same is a variable so that what it makes keeps its name: a closure that is inlined here would be of this package.
var same = elementwise.Same

// worseDialect has an op that panics in a function of irc's own when it is read: it has no operand to look at.
var worseDialect = &ir.Dialect{Name: "worse", Doc: "Ops that irc is wrong about.", Ops: []*ir.OpDef{
	ir.Define(&ir.OpDef{Name: "worse.op", Doc: "Panics.", Infer: same(0, elementwise.IntegerLike)})}}

var forgets = ir.Define(&ir.OpDef{Name: "bad.forgets", Doc: "Prints nothing of what it says.",
	Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.World}} },
	Infer:   func(*ir.Call) (ir.Type, error) { return ir.I32, nil }})

// badPasses are what the manager must survive.
func badPasses() pass.List {
	row := func(name string, run func(*pass.Context, *ir.Graph) (*ir.Graph, error)) *pass.Info {
		return &pass.Info{Name: name, Doc: "Does wrong.", Why: "To be caught.", Example: "module {\n}\n", New: func() pass.Pass { return &runner{run} }}
	}
	return pass.List{
		row("boom", func(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
			for n := range g.All() {
				if n.Def().Name == "arith.muli" {
					panic("boom met a muli")
				}
			}
			return g, nil
		}),
		row("lost", func(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
			rules := ir.Rules{}
			for n := range g.All() {
				if symbols.Callee(n) != "" {
					rules[n.Def()] = callNobody
				}
			}
			return ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), rules, nil), nil
		}),
		row("tamper", func(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
			for n := range g.All() {
				if n.Def().Name == "arith.muli" && n.Graph() == g {
					g = ir.Tamper(g, n.Old(), 0, n.Old())
				}
			}
			return g, nil
		}),
		row("hang", func(*pass.Context, *ir.Graph) (*ir.Graph, error) { time.Sleep(time.Hour); return nil, nil }),
		row("eat", func(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
			var all [][]byte
			for range 1 << 14 {
				all = append(all, make([]byte, 1<<20))
				time.Sleep(time.Millisecond)
			}
			return g, errors.New(string(all[0][:1]))
		}),
	}
}

type runner struct {
	run func(*pass.Context, *ir.Graph) (*ir.Graph, error)
}

func (r *runner) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) { return r.run(ctx, g) }

func callNobody(m *ir.Mirror, n ir.Node) ir.Value {
	c := m.B.Ctx()
	return m.B.Must(ir.Call{Def: n.Def(), Args: m.All(n.Args()), Type: n.Type(), Attr: c.With(n.Attrs(), "callee", c.SymbolAttr("nobody"))})
}

// The examples in the help texts run.
func TestHelpExamples(t *testing.T) {
	var script strings.Builder
	n := 0
	for _, line := range product.All().Examples() {
		if strings.Contains(line, "=llvm") && !jit.Doctor().Found {
			t.Logf("skipped, needs libLLVM: %s", line)
			continue
		}
		script.WriteString("exec sh -c '" + strings.ReplaceAll(line, "'", "''") + "'\n")
		n++
	}
	if n < 15 {
		t.Errorf("only %d examples", n)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "examples.txtar"), []byte(script.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: setup})
}
