package mlir_test

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
)

// toLLVM is MLIR's own way from scf, memref, math and arith to its LLVM dialect.
// What needs no expansion is lowered before arith-expand, whose maximumf takes
// the wrong zero.
const toLLVM = "builtin.module(func.func(scf-forall-to-for,convert-arith-to-llvm,arith-expand),expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm," +
	"finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)"

// vectorsToLLVM is toLLVM for programs of vectors. What vector.scan becomes only a pass of MLIR's tests
// says. Reductions under a mask are lowered along the rows alone.
const vectorsToLLVM = "builtin.module(func.func(lower-vector-mask,test-vector-scan-lowering,lower-vector-multi-reduction," +
	"lower-vector-multi-reduction{lowering-strategy=inner-reduction},convert-vector-to-scf{full-unroll=true})," +
	"convert-vector-to-llvm,func.func(convert-arith-to-llvm,arith-expand),expand-strided-metadata,lower-affine,convert-scf-to-cf," +
	"finalize-memref-to-llvm,convert-vector-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)"

// compileByMLIR lowers modules to one module of LLVM IR. Those in libm have
// their math functions made calls of libm before anything else.
func compileByMLIR(t *testing.T, modules, libm []string) string {
	return compileAlong(t, toLLVM, modules, libm)
}

func compileAlong(t *testing.T, pipeline string, modules, libm []string) string {
	t.Helper()
	opt, translate := tool(t, "mlir-opt-19"), tool(t, "mlir-translate-19")
	var all strings.Builder
	for _, m := range libm {
		out, err := pipe(t, m, opt, "-convert-math-to-libm")
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, out)
	}
	for _, m := range modules {
		all.WriteString(body(t, opt, m))
	}
	lowered, err := pipe(t, all.String(), opt, "-pass-pipeline="+pipeline)
	if err != nil {
		t.Fatal(err)
	}
	ll, err := pipe(t, lowered, translate, "-mlir-to-llvmir")
	if err != nil {
		t.Fatal(err)
	}
	return ll + thunks(ll) + narrowRuntime
}

var alias = regexp.MustCompile(`#\w+`)

// body is what a module holds, in the pretty form, without aliases.
func body(t *testing.T, opt, module string) string {
	t.Helper()
	out, err := pipe(t, module, opt)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	aliases := map[string]string{}
	for len(lines) > 0 && strings.HasPrefix(lines[0], "#") {
		name, text, _ := strings.Cut(lines[0], " = ")
		aliases[name], lines = text, lines[1:]
	}
	if len(lines) < 3 || lines[0] != "module {" || lines[len(lines)-1] != "}" {
		t.Fatalf("mlir-opt prints a module as\n%s", clip(out, 300))
	}
	return alias.ReplaceAllStringFunc(strings.Join(lines[1:len(lines)-1], "\n"), func(name string) string {
		if text, ok := aliases[name]; ok {
			return text
		}
		return name
	}) + "\n"
}

var define = regexp.MustCompile(`(?m)^define (.+?) @(\w+)\((.*)\)`)

// thunks writes a function of the jit's calling convention around each function.
func thunks(ll string) string {
	var b strings.Builder
	for _, m := range define.FindAllStringSubmatch(ll, -1) {
		result, name := m[1], m[2]
		var params []string
		if m[3] != "" {
			params = strings.Split(m[3], ", ")
		}
		fmt.Fprintf(&b, "\ndefine i32 @thunk.%s(ptr %%args, ptr %%results) {\n", name)
		for i, p := range params {
			typ, _, _ := strings.Cut(p, " ")
			fmt.Fprintf(&b, "  %%p%d = getelementptr i64, ptr %%args, i64 %d\n", i, i)
			fmt.Fprintf(&b, "  %%a%d = load %s, ptr %%p%d\n", i, typ, i)
			params[i] = fmt.Sprintf("%s %%a%d", typ, i)
		}
		call := fmt.Sprintf("call %s @%s(%s)", result, name, strings.Join(params, ", "))
		types, ok := strings.CutPrefix(result, "{ ")
		switch {
		case result == "void":
			fmt.Fprintf(&b, "  %s\n", call)
		case strings.Contains(result, "ptr"): // called by others only
		case !ok:
			fmt.Fprintf(&b, "  %%r = %s\n", call)
			storeResult(&b, result, "%r", 0)
		default:
			fmt.Fprintf(&b, "  %%r = %s\n", call)
			at := 0
			for i, typ := range strings.Split(strings.TrimSuffix(types, " }"), ", ") {
				fmt.Fprintf(&b, "  %%r%d = extractvalue %s %%r, %d\n", i, result, i)
				at += storeResult(&b, typ, fmt.Sprintf("%%r%d", i), at)
			}
		}
		b.WriteString("  ret i32 0\n}\n")
	}
	return b.String()
}

// storeResult puts a value into a result slot, integers widened to all of it, and
// each lane of a vector of four into one of its own. It returns how many it fills.
func storeResult(b *strings.Builder, typ, v string, i int) int {
	if elem, ok := strings.CutPrefix(typ, "<4 x "); ok {
		for k := range 4 {
			fmt.Fprintf(b, "  %%l%d = extractelement %s %s, i32 %d\n", i+k, typ, v, k)
			storeResult(b, strings.TrimSuffix(elem, ">"), fmt.Sprintf("%%l%d", i+k), i+k)
		}
		return 4
	}
	fmt.Fprintf(b, "  %%q%d = getelementptr i64, ptr %%results, i64 %d\n", i, i)
	if strings.HasPrefix(typ, "i") && typ != "i64" {
		fmt.Fprintf(b, "  %%z%d = zext %s %s to i64\n", i, typ, v)
		typ, v = "i64", fmt.Sprintf("%%z%d", i)
	}
	fmt.Fprintf(b, "  store %s %s, ptr %%q%d\n", typ, v, i)
	return 1
}

// child is a process for native code, or the end of the test.
func child(t *testing.T) *jit.Child {
	t.Helper()
	c, err := jit.Start(t.Context(), jit.ChildOptions{})
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM (libllvm19): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// native compiles for a processor without AVX512-BF16, which takes denormals for zero.
func native(t *testing.T, c *jit.Child, ll string) *jit.Module {
	t.Helper()
	m, err := tryNative(t, c, ll)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tryNative(t *testing.T, c *jit.Child, ll string) (*jit.Module, error) {
	o := jit.Options{Level: jit.O1, Externs: []string{"malloc", "free", "aligned_alloc", "abort", "puts", "printf"}}
	if runtime.GOARCH == "amd64" {
		o.CPU = "x86-64-v3"
	}
	return c.Compile(t.Context(), ll, o)
}
