package emitted

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/random"
)

// printed takes a program down to C and prints it.
func printed(t *testing.T, g *ir.Graph, opts c.Options) (string, error) {
	t.Helper()
	low, err := lowering.Compile(t.Context(), g, target.C())
	if err != nil {
		return "", err
	}
	return c.Emit(low, opts)
}

// A call is a call of a function of a program, whose memory is numbers as their bits.
type call struct {
	entry   string
	in, out []ir.Type
	args    []ir.Val
}

// cells are the types in C of the bits of an element, and how they are printed.
func cells(ctx *ir.Context, t ir.Type) (bits, typ string) {
	w := ctx.Info(t).Width
	switch {
	case t == ir.I1:
		return "uint8_t", "bool"
	case t == ir.F64:
		return "uint64_t", "double"
	case t == ir.F32:
		return "uint32_t", "float"
	}
	return fmt.Sprintf("uint%d_t", w), fmt.Sprintf("int%d_t", w)
}

// hooks are what freestanding code needs.
const hooks = `
void irc_trap(int32_t status) { fprintf(stderr, "irc: %s\n", irc_trap_text(status)); abort(); }
void *irc_malloc(size_t align, size_t n) { return n > 1 << 30 ? 0 : aligned_alloc(align, (n + align - 1) / align * align); }
void irc_free(void *p) { free(p); }
`

// driver is a main that makes the call and shows what random.Outcome has: results, then the
// elements of the memory of arguments, one a line.
func (k call) driver(ctx *ir.Context) string {
	var data, show strings.Builder
	var args []string
	seen := map[*interp.Memory]string{}
	for i, v := range k.args {
		r, ok := v.Ref.(*interp.MemRef)
		if !ok {
			bits, typ := cells(ctx, k.in[i])
			fmt.Fprintf(&data, "\tstatic %s a%d = %#x;\n", bits, i, v.Bits)
			args = append(args, fmt.Sprintf("*(%s *)&a%d", typ, i))
			continue
		}
		bits, typ := cells(ctx, r.Buf.Elem)
		name := seen[r.Buf.Memory]
		if name == "" {
			name = fmt.Sprintf("m%d", i)
			seen[r.Buf.Memory] = name
			var elems []string
			for j := range r.Buf.Len() {
				elems = append(elems, fmt.Sprintf("%#x", r.Buf.Load(j).Bits))
			}
			fmt.Fprintf(&data, "\tstatic %s %s[%d] = {%s};\n", bits, name, max(1, len(elems)), strings.Join(elems, ", "))
			fmt.Fprintf(&show, "\tfor (int j = 0; j < %d; j++)\n\t\tSHOW(%s, %s, *(%s *)&%s[j])\n", r.Buf.Len(), bits, typ, typ, name)
		}
		args = append(args, fmt.Sprintf("(%s *)%s + %d", typ, name, r.Offset))
		info := ctx.Info(k.in[i])
		for d, n := range info.Shape {
			if n == ir.Dynamic {
				args = append(args, fmt.Sprintf("INT64_C(%d)", r.Sizes[d]))
			}
		}
		for d, n := range strides(ctx, k.in[i]) {
			if n == ir.Dynamic {
				args = append(args, fmt.Sprintf("INT64_C(%d)", r.Strides[d]))
			}
		}
	}
	var w strings.Builder
	w.WriteString("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"program.c\"\n#define SHOW(bits, type, x) { type y = x; bits b; memcpy(&b, &y, sizeof b); if (y != y) puts(\"nan\"); else printf(\"0x%llx\\n\", (unsigned long long)b); }\n")
	fmt.Fprintf(&w, "int main(void)\n{\n%s", &data)
	results, entry := k.results(ctx), k.entry
	if entry == "main" { // whose type C fixes
		entry = "main_"
	}
	switch {
	case len(results) == 0:
		fmt.Fprintf(&w, "\t%s(%s);\n", entry, strings.Join(args, ", "))
	case len(results) == 1 && results[0].fields == 1:
		fmt.Fprintf(&w, "\t%s r = %s(%s);\n", results[0].typ, entry, strings.Join(args, ", "))
		w.WriteString(results[0].show("r"))
	default:
		fmt.Fprintf(&w, "\tstruct %s_results r;\n\t%s(%s);\n", entry, entry, strings.Join(append([]string{"&r"}, args...), ", "))
		for i, x := range results {
			w.WriteString(x.show(fmt.Sprintf("r.result%d", i)))
		}
	}
	fmt.Fprintf(&w, "%s\treturn 0;\n}\n", &show)
	return w.String()
}

// strides are those of a type with a layout of its own.
func strides(ctx *ir.Context, t ir.Type) []int64 {
	if ctx.Info(t).Layout == 0 {
		return nil
	}
	out, _, _ := layouts.Layout(ctx, t)
	return out
}

// A result is what a function returns: its type in C, or memory, of which nothing is shown.
type result struct {
	bits, typ string
	fields    int
}

func (r result) show(x string) string {
	if r.bits == "" {
		return "\tputs(\"0x0\");\n"
	}
	return fmt.Sprintf("\tSHOW(%s, %s, %s)\n", r.bits, r.typ, x)
}

func (k call) results(ctx *ir.Context) (out []result) {
	for _, t := range k.out {
		if info := ctx.Info(t); info.Kind == ir.KindMemRef {
			_, typ := cells(ctx, info.Elem)
			n := 1
			for _, d := range append(slices.Clone(info.Shape), strides(ctx, t)...) {
				if d == ir.Dynamic {
					n++
				}
			}
			out = append(out, result{"", typ + " *", n})
			continue
		}
		bits, typ := cells(ctx, t)
		out = append(out, result{bits, typ, 1})
	}
	return out
}

// errUndefined is what a program did that C does not define.
var errUndefined = errors.New("the code does what C does not define")

// run compiles a program in C and makes a call.
func (k call) run(t *testing.T, ctx *ir.Context, text string) (random.Outcome, error) {
	t.Helper()
	dir := t.TempDir()
	main := k.driver(ctx)
	if !strings.Contains(text, "#include <stdlib.h>") {
		main += hooks
	}
	for name, data := range map[string]string{"program.c": text, "main.c": main} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(dir, "main")
	if err := clean(filepath.Join(dir, "program.c")); err != nil {
		return random.Outcome{}, err
	}
	if err := compile("-o", exe, filepath.Join(dir, "main.c"), "-lm"); err != nil {
		return random.Outcome{}, err
	}
	var errs strings.Builder
	cmd := exec.Command(exe)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() && s.Signal() == syscall.SIGABRT {
			return random.Outcome{Trap: strings.TrimSpace(errs.String())}, nil
		}
		return random.Outcome{}, fmt.Errorf("%w: %v", errUndefined, err)
	}
	if err != nil {
		return random.Outcome{}, err
	}
	lines := strings.Fields(string(out))
	n := len(k.out)
	return random.Outcome{Results: lines[:n], Memory: lines[n:]}, nil
}

// compiler is that of C; clang has code that traps where C leaves something undefined.
func compiler() []string {
	for _, cc := range []string{"clang-19", "clang", "gcc", "cc"} {
		if _, err := exec.LookPath(cc); err == nil {
			flags := []string{cc, "-std=c11", "-O1", "-w", "-fno-strict-aliasing"}
			if strings.HasPrefix(cc, "clang") {
				flags = append(flags, "-fsanitize=undefined", "-fsanitize-trap=undefined")
			}
			return flags
		}
	}
	return nil
}

func compile(args ...string) error {
	flags := compiler()
	if out, err := exec.Command(flags[0], append(flags[1:], args...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %v\n%s", flags[0], err, out)
	}
	return nil
}

// clean checks that compilers have nothing to say of a program. An argument may be one that nobody reads.
func clean(file string) error {
	for _, cc := range []string{"clang-19", "gcc"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		if out, err := exec.Command(cc, "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", file).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %v\n%s", cc, err, out)
		}
	}
	return nil
}

func needCompiler(t *testing.T) {
	t.Helper()
	if compiler() == nil {
		t.Skip("code in C: needs a C compiler")
	}
}
