package emitted

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/irc-lang/irc/backends/golang"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/random"
)

// printedGo takes a program down to Go and prints it.
func printedGo(t *testing.T, g *ir.Graph, opts golang.Options) (string, error) {
	t.Helper()
	low, err := lowering.Compile(t.Context(), g, target.Go())
	if err != nil {
		return "", err
	}
	return golang.Emit(low, opts)
}

// A batch is programs in Go, a package each, that are built together, with a main that makes all calls.
type batch struct {
	texts []string
	calls []string // functions of main that make them
	outs  []int    // how many results the calls have
}

// add adds a package, whose name is the answer.
func (b *batch) add(text string) (pkg string) {
	b.texts = append(b.texts, text)
	return fmt.Sprintf("p%d", len(b.texts)-1)
}

// call adds a call of a function in a package.
func (b *batch) call(ctx *ir.Context, pkg string, k call) {
	b.calls = append(b.calls, "\ttry(func() {\n"+k.inGo(ctx, pkg)+"\t})\n")
	b.outs = append(b.outs, len(k.out))
}

// callAll adds calls of a function of scalars, whose arguments stand in a table: thousands of functions would take
// seconds to compile.
func (b *batch) callAll(ctx *ir.Context, pkg string, k call, all [][]ir.Val) {
	var w strings.Builder
	fmt.Fprintf(&w, "\tfor _, a := range [][%d]uint64{\n", len(k.in))
	for _, args := range all {
		w.WriteString("\t\t{")
		for _, v := range args {
			fmt.Fprintf(&w, "%#x, ", v.Bits)
		}
		w.WriteString("},\n")
		b.outs = append(b.outs, 1)
	}
	var args []string
	for i, t := range k.in {
		format := map[ir.Type]string{ir.I1: "a[%d]&1 != 0", ir.F64: "math.Float64frombits(a[%d])", ir.F32: "math.Float32frombits(uint32(a[%d]))"}[t]
		if format == "" {
			typ, _ := goCell(ctx, t, ir.Val{})
			held, err := strconv.Atoi(strings.TrimPrefix(typ, "int"))
			if err != nil { // int
				held = 64
			}
			spare := held - ctx.Info(t).Width // the sign of a number of 13 bits is not that of its 16
			format = fmt.Sprintf("%s(a[%%d]<<%d)>>%[2]d", typ, spare)
		}
		args = append(args, fmt.Sprintf(format, i))
	}
	fmt.Fprintf(&w, "\t} {\n\t\ttry(func() { show(%s.%s(%s), %d) })\n\t}\n", pkg, k.entry, strings.Join(args, ", "), ctx.Info(k.out[0]).Width)
	b.calls = append(b.calls, w.String())
}

// goCell is the type in Go of an element or a scalar, and a format of a value of it by its bits.
func goCell(ctx *ir.Context, t ir.Type, v ir.Val) (typ, value string) {
	w := ctx.Info(t).Width
	switch {
	case t == ir.I1:
		return "bool", fmt.Sprint(v.Bits&1 != 0)
	case t == ir.F64:
		return "float64", fmt.Sprintf("math.Float64frombits(%#x)", v.Bits)
	case t == ir.F32:
		return "float32", fmt.Sprintf("math.Float32frombits(%#x)", v.Bits)
	case t == ir.Index:
		return "int", fmt.Sprint(v.Int(64))
	}
	held := 8
	for held < w {
		held *= 2
	}
	return fmt.Sprintf("int%d", held), fmt.Sprint(v.Int(w))
}

// inGo is a function that makes the call and shows what random.Outcome has.
func (k call) inGo(ctx *ir.Context, pkg string) string {
	var data, show strings.Builder
	var args []string
	seen := map[*interp.Memory]string{}
	for i, v := range k.args {
		r, ok := v.Ref.(*interp.MemRef)
		if !ok {
			typ, value := goCell(ctx, k.in[i], v)
			args = append(args, typ+"("+value+")")
			continue
		}
		name := seen[r.Buf.Memory]
		if name == "" {
			name = fmt.Sprintf("m%d", i)
			seen[r.Buf.Memory] = name
			var elems []string
			for j := range r.Buf.Len() {
				_, value := goCell(ctx, r.Buf.Elem, r.Buf.Load(j))
				elems = append(elems, value)
			}
			typ, _ := goCell(ctx, r.Buf.Elem, ir.Val{})
			fmt.Fprintf(&data, "\t%s := []%s{%s}\n", name, typ, strings.Join(elems, ", "))
			fmt.Fprintf(&show, "\tfor _, x := range %s {\n\t\tshow(x, %d)\n\t}\n", name, ctx.Info(r.Buf.Elem).Width)
		}
		args = append(args, k.slice(ctx, i, name, r)...)
	}
	var results, shown []string
	for i, t := range k.out {
		info := ctx.Info(t)
		name := fmt.Sprintf("r%d", i)
		if info.Kind != ir.KindMemRef {
			results = append(results, name)
			shown = append(shown, fmt.Sprintf("\tshow(%s, %d)\n", name, info.Width))
			continue
		}
		for range 1 + len(open(ctx, t)) {
			results = append(results, "_")
		}
		shown = append(shown, "\tshow(false, 1)\n")
	}
	made := fmt.Sprintf("%s.%s(%s)", pkg, strings.ToUpper(k.entry[:1])+k.entry[1:], strings.Join(args, ", "))
	if all := strings.Join(results, ", "); strings.Trim(all, "_, ") != "" {
		made = all + " := " + made
	} else if all != "" {
		made = all + " = " + made
	}
	return data.String() + "\t" + made + "\n" + strings.Join(shown, "") + show.String()
}

// open lists what the type of a memref leaves open beside its slice: offset, sizes, strides, each as a
// negative number that says which, -1 for the offset, -2 for size 0 and so on.
func open(ctx *ir.Context, t ir.Type) (out []int) {
	info := ctx.Info(t)
	strides, offset, _ := layouts.Layout(ctx, t)
	if info.Layout == 0 && len(info.Shape) == 1 {
		return nil
	}
	if offset == ir.Dynamic {
		out = append(out, 0)
	}
	for d, n := range info.Shape {
		if n == ir.Dynamic {
			out = append(out, 1+d)
		}
	}
	for d, n := range strides {
		if n == ir.Dynamic && info.Layout != 0 {
			out = append(out, 1+len(info.Shape)+d)
		}
	}
	return out
}

// slice is memory as an argument.
func (k call) slice(ctx *ir.Context, i int, name string, r *interp.MemRef) []string {
	info := ctx.Info(k.in[i])
	_, offset, _ := layouts.Layout(ctx, k.in[i])
	from := int64(r.Offset) - offset
	if offset == ir.Dynamic {
		from = 0
	}
	out := []string{fmt.Sprintf("%s[%d:]", name, from)}
	if info.Layout == 0 && len(info.Shape) == 1 {
		out[0] = fmt.Sprintf("%s[%d:%d]", name, r.Offset, int64(r.Offset)+r.Sizes[0])
	}
	for _, which := range open(ctx, k.in[i]) {
		n := int64(r.Offset)
		if rank := len(info.Shape); which > rank {
			n = r.Strides[which-1-rank]
		} else if which > 0 {
			n = r.Sizes[which-1]
		}
		out = append(out, fmt.Sprint(n))
	}
	return out
}

const goShow = `
func show(x any, width int) {
	switch x := x.(type) {
	case float64:
		if x != x {
			fmt.Println("nan")
		} else {
			fmt.Printf("0x%x\n", math.Float64bits(x))
		}
	case float32:
		if x != x {
			fmt.Println("nan")
		} else {
			fmt.Printf("0x%x\n", math.Float32bits(x))
		}
	case bool:
		fmt.Println(map[bool]string{false: "0x0", true: "0x1"}[x])
	default:
		fmt.Printf("0x%x\n", uint64(reflect.ValueOf(x).Int())<<(64-width)>>(64-width))
	}
}

func try(do func()) {
	fmt.Println("==")
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("trap\t%q\n", fmt.Sprint(r))
		}
	}()
	do()
}
`

// run builds everything, lets go vet look at it, and makes the calls.
func (b *batch) run(t *testing.T) []random.Outcome {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module emitted\n\ngo 1.22\n")
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n\t\"reflect\"\n\n")
	for i, text := range b.texts {
		write(fmt.Sprintf("p%d/program.go", i), text)
		fmt.Fprintf(&main, "\tp%d \"emitted/p%d\"\n", i, i)
	}
	main.WriteString(")\n" + goShow)
	for i, c := range b.calls {
		fmt.Fprintf(&main, "\nfunc call%d() {\n%s}\n", i, c)
	}
	main.WriteString("\nfunc main() {\n")
	for i := range b.calls {
		fmt.Fprintf(&main, "\tcall%d()\n", i)
	}
	write("main.go", main.String()+"}\n")
	tool := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, b.blamed(string(out)))
		}
	}
	tool("build", "-gcflags=emitted=-N -l", "-ldflags=-s -w", "-o", "main") // no call is worth optimising
	tool("vet", "./p...")
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "main"))
	cmd.WaitDelay = time.Second
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return b.outcomes(t, string(out))
}

// blamed is the first program that the go tool complains of.
func (b *batch) blamed(out string) string {
	for i, text := range b.texts {
		if strings.Contains(out, fmt.Sprintf("p%d/program.go", i)) {
			return "\n" + text
		}
	}
	return ""
}

// outcomes reads what main shows.
func (b *batch) outcomes(t *testing.T, out string) (list []random.Outcome) {
	t.Helper()
	parts := strings.Split(out, "==\n")[1:]
	if len(parts) != len(b.outs) {
		t.Fatalf("%d calls, %d outcomes", len(b.outs), len(parts))
	}
	for i, part := range parts {
		if _, trap, ok := strings.Cut(part, "trap\t"); ok {
			list = append(list, random.Outcome{Trap: strings.TrimSpace(trap)})
			continue
		}
		lines := strings.FieldsFunc(part, unicode.IsSpace)
		list = append(list, random.Outcome{Results: lines[:b.outs[i]], Memory: lines[b.outs[i]:]})
	}
	return list
}

func goOptions(pkg string) golang.Options { return golang.Options{Package: pkg} }
