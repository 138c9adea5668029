package emitc

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tests/polybench"
)

// root is that of the repository.
const root = "../../"

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(root + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// agree makes a call on the interpreter and in C. Floats may differ by what functions of
// libm do.
func agree(t *testing.T, g *ir.Graph, k call, fresh func() []ir.Val, opts c.Options) {
	t.Helper()
	src, err := printed(t, g, opts)
	if err != nil {
		t.Fatal(err)
	}
	k.args = fresh()
	got, err := k.run(t, g.Ctx, src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	args := fresh()
	out, err := m.Call(k.entry, args)
	if ir.IsTrap(err) {
		if got.Trap == "" {
			t.Errorf("@%s does not trap in C: %v", k.entry, err)
		}
		return
	}
	if err != nil || got.Trap != "" {
		t.Fatalf("@%s: %v, in C %q", k.entry, err, got.Trap)
	}
	for i, v := range out {
		if g.Ctx.Info(k.out[i]).Kind != ir.KindMemRef {
			near(t, g.Ctx, k.out[i], v, got.Results[i])
		}
	}
	at := 0
	for i, v := range args {
		if r, ok := v.Ref.(*interp.MemRef); ok {
			for j := range r.Buf.Len() {
				near(t, g.Ctx, g.Ctx.Info(k.in[i]).Elem, r.Buf.Load(j), got.Memory[at+j])
			}
			at += r.Buf.Len()
		}
	}
}

// near compares a value with bits as C printed them.
func near(t *testing.T, ctx *ir.Context, typ ir.Type, want ir.Val, got string) {
	t.Helper()
	if want.IsPoison() {
		return
	}
	bits, err := strconv.ParseUint(got, 0, 64)
	if !ctx.IsFloat(typ) {
		if bits != want.Bits || err != nil {
			t.Fatalf("%#x, in C %s", want.Bits, got)
		}
		return
	}
	x, y := want.Float(typ), ir.Val{Bits: bits}.Float(typ)
	if got == "nan" {
		y = math.NaN()
	}
	if x != y && !(math.IsNaN(x) && math.IsNaN(y)) && !(math.Abs(x-y) <= 1e-12*math.Max(1, math.Abs(x))) {
		t.Fatalf("%v, in C %v", x, y)
	}
}

// The kernels of PolyBench, with checks and without.
func TestKernels(t *testing.T) {
	needCompiler(t)
	for i, k := range polybench.Kernels {
		t.Run(k.Name, func(t *testing.T) {
			g := built.Parse(t, read(t, k.File()), text.Options{})
			var args []ir.Val
			for _, n := range k.Small {
				args = append(args, ir.IntVal(int64(n), 64))
			}
			in := make([]ir.Type, len(args))
			for i := range in {
				in[i] = ir.Index
			}
			agree(t, g, call{"main", in, []ir.Type{ir.F64}, nil}, func() []ir.Val { return args }, c.Options{Unchecked: i%4 == 3})
		})
	}
}

// Equations, as loops.
func TestEquations(t *testing.T) {
	needCompiler(t)
	files, err := filepath.Glob(root + "examples/eq/*.eq")
	if err != nil || len(files) < 12 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ctx := built.Context()
			src := diag.NewSource(file, read(t, strings.TrimPrefix(file, root)))
			g, list := equations.Read(ctx, src)
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			in, list := equations.InterfaceOf(src)
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			k, fresh := sample(t, ctx, g, in)
			agree(t, g, k, fresh, c.Options{})
		})
	}
}

// run is a comment that says what an example gives.
var runLine = regexp.MustCompile(`(?m)^// run: echo '(.*)' \| irc run \S+ -entry=(\w+) -args=-$`)

// The examples on loops and memory.
func TestExamples(t *testing.T) {
	needCompiler(t)
	files, err := filepath.Glob(root + "examples/mlir/*.mlir")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	ran := 0
	for _, file := range files {
		src := read(t, strings.TrimPrefix(file, root))
		for _, m := range runLine.FindAllStringSubmatch(src, -1) {
			t.Run(filepath.Base(file)+"/"+m[2], func(t *testing.T) {
				ran++
				g := built.Parse(t, src, text.Options{})
				machine, err := interp.New(g, interp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				f, err := machine.Resolve(m[2])
				if err != nil {
					t.Fatal(err)
				}
				agree(t, g, call{m[2], f.Params, f.Results, nil}, func() []ir.Val {
					vals, err := interp.ArgsFromJSON(g.Ctx, f.Params, []byte(m[1]))
					if err != nil {
						t.Fatal(err)
					}
					return vals
				}, c.Options{})
			})
		}
	}
	if ran < 10 {
		t.Errorf("only %d examples ran", ran)
	}
}
