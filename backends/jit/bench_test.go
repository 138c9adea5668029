//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"strings"
	"testing"
)

// function writes a thunk of about n instructions that neither folds nor
// vectorises away: a chain of dependent integer and float operations.
func function(b *strings.Builder, name string, n, seed int) {
	fmt.Fprintf(b, "define i32 @%s(ptr %%args, ptr %%results) {\n  %%i0 = load i64, ptr %%args\n  %%p = getelementptr i64, ptr %%args, i64 1\n  %%f0 = load double, ptr %%p\n", name)
	ops := []string{"add", "mul", "xor", "sub"}
	fops := []string{"fadd", "fmul", "fsub", "fdiv"}
	last := n / 2
	for i := range last {
		k := (i*7 + seed) % 4
		fmt.Fprintf(b, "  %%i%d = %s i64 %%i%d, %%i%d\n", i+1, ops[k], i, max(0, i-k-1))
		fmt.Fprintf(b, "  %%f%d = %s double %%f%d, %%f%d\n", i+1, fops[3-k], i, max(0, i-k-2))
	}
	fmt.Fprintf(b, "  store i64 %%i%d, ptr %%results\n  %%q = getelementptr i64, ptr %%results, i64 1\n  store double %%f%d, ptr %%q\n  ret i32 0\n}\n", last, last)
}

func functions(count, size int) string {
	var b strings.Builder
	for i := range count {
		function(&b, fmt.Sprintf("f%d", i), size, i)
	}
	return b.String()
}

// BenchmarkCompile is text to callable code at O3, and where the time goes.
func BenchmarkCompile(b *testing.B) {
	for _, size := range []struct{ count, size int }{{1, 20}, {1, 200}, {1, 2000}, {100, 30}} {
		for _, level := range []int{0, 1, 3} {
			b.Run(fmt.Sprintf("%dx%d/O%d", size.count, size.size, level), func(b *testing.B) {
				l, ir := library(b), functions(size.count, size.size)
				var sum Timing
				for b.Loop() {
					code, err := l.Compile(ir, Options{Level: LevelOf(level)})
					if err != nil {
						b.Fatal(err)
					}
					t := code.Timing()
					sum.Parse, sum.Optimize, sum.Codegen, sum.Link = sum.Parse+t.Parse, sum.Optimize+t.Optimize, sum.Codegen+t.Codegen, sum.Link+t.Link
					if err := code.Close(); err != nil {
						b.Fatal(err)
					}
				}
				per := func(d float64) float64 { return d / float64(b.N) / 1e6 }
				b.ReportMetric(per(float64(sum.Parse)), "parse-ms")
				b.ReportMetric(per(float64(sum.Optimize)), "opt-ms")
				b.ReportMetric(per(float64(sum.Codegen)), "codegen-ms")
				b.ReportMetric(per(float64(sum.Link)), "link-ms")
			})
		}
	}
}

// BenchmarkDifferential is the load of a differential test: a module of 100
// functions, 1000 calls in one batch, then the next module.
func BenchmarkDifferential(b *testing.B) {
	c := start(b, ChildOptions{})
	ir := functions(100, 30)
	calls := make([]Call, 1000)
	for i := range calls {
		calls[i] = Call{fmt.Sprintf("f%d", i%100), []uint64{uint64(i), 0}, 2}
	}
	for b.Loop() {
		m, err := c.Compile(b.Context(), ir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Batch(b.Context(), calls); err != nil {
			b.Fatal(err)
		}
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRoundTrip is one call in the child, BenchmarkBatch one of many.
func BenchmarkRoundTrip(b *testing.B) {
	c := start(b, ChildOptions{})
	m := compileFile(b, c, "thunks.ll")
	for b.Loop() {
		if _, err := m.Call(b.Context(), "add", []uint64{1, 2}, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBatch(b *testing.B) {
	c := start(b, ChildOptions{})
	m := compileFile(b, c, "thunks.ll")
	calls := make([]Call, b.N)
	for i := range calls {
		calls[i] = Call{"add", []uint64{1, 2}, 1}
	}
	b.ResetTimer()
	if _, err := m.Batch(b.Context(), calls); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkStart(b *testing.B) {
	library(b)
	for b.Loop() {
		c, err := Start(b.Context(), ChildOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
