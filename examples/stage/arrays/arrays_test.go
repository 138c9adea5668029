package arrays_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/examples/stage/arrays"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

type (
	S     = stage.S
	Float = stage.Dyn[float64]
	List  = stage.Slice[float64]
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

func sum(s *stage.S, x stage.Slice[int32], n stage.Dyn[int]) stage.Dyn[int64] {
	i, sum := stage.Var[int](s, "i", 0), stage.Var[int64](s, "sum", 0)
	for s.While(i.Lt(n)) {
		v := stage.To[int64](x.At(i))
		i.Set(i.Add(1))
		if s.If(v.Lt(0)) {
			break
		}
		sum.Set(sum.Add(v))
	}
	return sum
}

func Example_sum() {
	p, err := stage.Compile[func([]int32, int) int64](context.Background(), "sum", sum)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	fmt.Println(p.Call([]int32{1, 2, 3, -1, 4}, 5), p.Stats.Runs)
	// Output: 6 3
}

func squares(s *S, x List) Float {
	square := func(v Float) Float { return v.Mul(v) }
	return arrays.Load(s, x).Map(square).Sum()
}

func Example_squares() {
	p, err := stage.Compile[func([]float64) float64](context.Background(), "squares", squares)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	fmt.Println(p.Call([]float64{1, 2, 3}))
	fmt.Print(p.Text())
	// Output:
	// 14
	// module {
	//   func.func @squares(%arg0: memref<?xf64>) -> f64 {
	//     %c0 = arith.constant 0 : index
	//     %dim = memref.dim %arg0, %c0 : memref<?xf64>
	//     %0 = arith.index_cast %dim : index to i64
	//     %cst = arith.constant 0.000000e+00 : f64
	//     %c0_i64 = arith.constant 0 : i64
	//     %c1_i64 = arith.constant 1 : i64
	//     %1:2 = scf.while (%arg1 = %cst, %arg2 = %c0_i64) : (f64, i64) -> (f64, i64) {
	//       %2 = arith.cmpi slt, %arg2, %0 : i64
	//       scf.condition(%2) %arg1, %arg2 : f64, i64
	//     } do {
	//     ^bb0(%arg1: f64, %arg2: i64):
	//       %2 = arith.index_cast %arg2 : i64 to index
	//       %3 = memref.load %arg0[%2] : memref<?xf64>
	//       %4 = arith.mulf %3, %3 : f64
	//       %5 = arith.addf %arg1, %4 : f64
	//       %6 = arith.addi %arg2, %c1_i64 : i64
	//       scf.yield %5, %6 : f64, i64
	//     }
	//     return %1#0 : f64
	//   }
	// }
}

func logSumExp(s *S, x List) Float {
	a := arrays.Load(s, x)
	top := a.Max()
	e := a.Map(func(v Float) Float { return stage.Exp(v.Sub(top)) })
	return stage.Log(e.Sum()).Add(top)
}

func share(s *S, x List) Float {
	e := arrays.Load(s, x).Map(stage.Exp[float64])
	return e.Max().Div(e.Sum())
}

func Example_prophecy() {
	for name, f := range map[string]func(*S, List) Float{"logSumExp": logSumExp, "share": share} {
		p, err := stage.Compile[func([]float64) float64](context.Background(), name, f)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer p.Close()
		fmt.Printf("%s: %.6f, %d allocations, %d exp, %d restarts\n", name, p.Call([]float64{1, 2, 3}),
			strings.Count(p.Text(), "memref.alloc"), strings.Count(p.Text(), "math.exp"), p.Stats.Restarts)
	}
	// Unordered output:
	// logSumExp: 3.407606, 0 allocations, 1 exp, 0 restarts
	// share: 0.665241, 1 allocations, 1 exp, 1 restarts
}

func meanUnrolled(s *S, x List, n int) Float {
	sum := stage.Lit(s, 0.0)
	for i := range stage.Range(s, n) {
		sum = sum.Add(x.At(i))
	}
	return sum.Div(n)
}

func mean(s *S, x List) Float {
	sum, i := stage.Var[float64](s, "sum", 0), stage.Var[int](s, "i", 0)
	for s.While(i.Lt(x.Len())) {
		sum.Set(sum.Add(x.At(i)))
		i.Set(i.Add(1))
	}
	return sum.Div(stage.To[float64](x.Len()))
}

func TestMean(t *testing.T) {
	p := stagetest.Compile[func([]float64) float64](t, mean)
	p.Same([]float64{1, 2, 6})
}

// A loop of the host that is unrolled computes the same as one of the program.
func TestMeans(t *testing.T) {
	p := stagetest.Compile[func([]float64) float64](t, func(s *S, x List) Float { return meanUnrolled(s, x, 3) })
	if got := p.Same([]float64{1, 2, 6}); got[0] != 3.0 || strings.Count(p.Text(), "arith.addf") != 3 {
		t.Errorf("%v\n%s", got, p.Text())
	}
	stagetest.Same[func([]float64) float64](t, mean, []float64{1, 2, 6})
}

// What is staged computes what the same functions compute directly.
func TestArrays(t *testing.T) {
	for name, f := range map[string]func(*S, List) Float{
		"squares": squares, "logSumExp": logSumExp, "share": share,
		"one of two paths": func(s *S, x List) Float {
			e := arrays.Load(s, x).Map(stage.Exp[float64])
			if s.If(x.At(0).Gt(0)) {
				return e.Sum()
			}
			return e.Max()
		},
		"in a loop": func(s *S, x List) Float {
			e := arrays.Load(s, x).Map(stage.Exp[float64])
			out := stage.Var[float64](s, "out", 0)
			for s.While(out.Lt(100)) {
				out.Set(out.Add(e.Map(func(v Float) Float { return v.Add(1) }).Sum()))
			}
			return out.Get()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := stagetest.Compile[func([]float64) float64](t, f)
			p.Relative = 1e-12
			for _, x := range [][]float64{{1, 2, 3}, {-1}, {0.5, -7, 2, 2, 9}} {
				p.Same(x)
			}
		})
	}
}

// Each listing of docs/staging.md is text of this package, and what it prints is what an example here prints.
func TestListings(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/staging.md")
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, file := range []string{"arrays.go", "arrays_test.go", "../../../tools/stage/wrong_test.go", "../../../tools/stage/tensor_test.go", "../../../tools/stage/shaped_test.go", "../../../tools/stage/example_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code += string(text)
	}
	output := strings.ReplaceAll(strings.ReplaceAll(code, "\t// ", ""), "\t//\n", "\n")
	count := map[string]int{}
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(string(doc), -1) {
		count[m[1]]++
		in := output
		if m[1] == "go" {
			in = code
		}
		if !strings.Contains(in, m[2]) {
			t.Errorf("in no file here:\n%s", m[2])
		}
	}
	if count["go"] < 13 || count["text"] != 1 || count["mlir"] != 1 || len(count) != 3 {
		t.Errorf("listings: %v", count)
	}
}
