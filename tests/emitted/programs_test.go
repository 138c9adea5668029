package emitted

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/backends/golang"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tests/polybench"
	"github.com/irc-lang/irc/tests/random"
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

// A sampled program is a call of a function of a graph, with fresh arguments each time.
type sampled struct {
	name      string
	g         *ir.Graph
	k         call
	fresh     func() []ir.Val
	unchecked bool
}

// inC runs it in C, beside the interpreter.
func (p sampled) inC(t *testing.T) {
	t.Helper()
	src, err := printed(t, p.g, c.Options{Unchecked: p.unchecked})
	if err != nil {
		t.Fatal(err)
	}
	k := p.k
	k.args = p.fresh()
	got, err := k.run(t, p.g.Ctx, src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	p.agrees(t, got)
}

// inGo runs programs in Go, beside the interpreter.
func inGo(t *testing.T, list []sampled) {
	t.Helper()
	var b batch
	for i, p := range list {
		src, err := printedGo(t, p.g, golang.Options{Unchecked: p.unchecked, Package: fmt.Sprintf("p%d", i)})
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		k := p.k
		k.args = p.fresh()
		b.call(p.g.Ctx, b.add(src), k)
	}
	for i, got := range b.run(t) {
		t.Run(list[i].name, func(t *testing.T) { list[i].agrees(t, got) })
	}
}

// agrees compares an outcome with the interpreter's. Floats may differ by what functions of
// libm do.
func (p sampled) agrees(t *testing.T, got random.Outcome) {
	t.Helper()
	g, k := p.g, p.k
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	args := p.fresh()
	out, err := m.Call(k.entry, args)
	if ir.IsTrap(err) {
		if got.Trap == "" {
			t.Errorf("@%s does not trap as it is printed: %v", k.entry, err)
		}
		return
	}
	if err != nil || got.Trap != "" {
		t.Fatalf("@%s: %v, as it is printed %q", k.entry, err, got.Trap)
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

// kernels are those of PolyBench, with checks and without.
func kernels(t *testing.T) (list []sampled) {
	for i, k := range polybench.Kernels {
		var args []ir.Val
		var in []ir.Type
		for _, n := range k.Small {
			args, in = append(args, ir.IntVal(int64(n), 64)), append(in, ir.Index)
		}
		list = append(list, sampled{k.Name, built.Parse(t, read(t, k.File()), text.Options{}), call{"main", in, []ir.Type{ir.F64}, nil}, func() []ir.Val { return args }, i%4 == 3})
	}
	return list
}

// systems are equations, as loops.
func systems(t *testing.T) (list []sampled) {
	files, err := filepath.Glob(root + "examples/eq/*.eq")
	if err != nil || len(files) < 12 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		ctx := built.Context()
		src := diag.NewSource(file, read(t, strings.TrimPrefix(file, root)))
		g, diags := equations.Read(ctx, src)
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		in, diags := equations.InterfaceOf(src)
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		k, fresh := sample(t, ctx, g, in)
		list = append(list, sampled{filepath.Base(file), g, k, fresh, false})
	}
	return list
}

// run is a comment that says what an example gives.
var runLine = regexp.MustCompile(`(?m)^// run: echo '(.*)' \| irc run \S+ -entry=(\w+) -args=-$`)

// examples are those on loops and memory.
func examples(t *testing.T) (list []sampled) {
	files, err := filepath.Glob(root + "examples/mlir/*.mlir")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src := read(t, strings.TrimPrefix(file, root))
		for _, m := range runLine.FindAllStringSubmatch(src, -1) {
			g := built.Parse(t, src, text.Options{})
			machine, err := interp.New(g, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := machine.Resolve(m[2])
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, sampled{filepath.Base(file) + "/" + m[2], g, call{m[2], f.Params, f.Results, nil}, func() []ir.Val {
				vals, err := interp.ArgsFromJSON(g.Ctx, f.Params, []byte(m[1]), nil)
				if err != nil {
					t.Fatal(err)
				}
				return vals
			}, false})
		}
	}
	if len(list) < 10 {
		t.Errorf("only %d examples are there", len(list))
	}
	return list
}

// The programs of the repository do in C what they mean: one of three where make soak does not look at all, for
// each is compiled by itself.
func TestInC(t *testing.T) {
	needCompiler(t)
	ran := 0
	for i, p := range slices.Concat(kernels(t), systems(t), examples(t)) {
		if i%3 == 0 || built.Soaking() {
			t.Run(p.name, p.inC)
			ran++
		}
	}
	t.Logf("%d programs", ran)
}

// And in Go.
func TestInGo(t *testing.T) {
	inGo(t, slices.Concat(kernels(t), systems(t), examples(t)))
}
