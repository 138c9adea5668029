package polybench

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/roofline"
	"github.com/irc-lang/irc/tests/built"
)

// does is what the loops of @kernel do at least: operations, bytes in and bytes out, in sizes that are called a, b, c ... in each
// nest as they come.
var does = map[string]string{
	"gemm":           "2*a*b*c + a*b + a*c f64, 8*a*b + 8*a*c + 8*b*c, 8*a*b",
	"gemm_ijk":       "2*a*b*c f64, 8*a*c + 8*b*c, 8*a*b",
	"2mm":            "2*a*b*c + a*c f64, 8*a*c + 8*b*c, 8*a*b; 2*a*b*c + a*b f64, 8*a*b + 8*a*c + 8*b*c, 8*a*b",
	"syr2k":          "2*a^2*b + 4*a*b + 1/2*a^2 + 1/2*a f64, 16*a*b + 4*a^2 + 4*a, 4*a^2 + 4*a",
	"trmm":           "a^2*b f64, 8*a*b + 4*a^2 - 4*a, 8*a*b",
	"doitgen":        "2*a*b*c^2 f64, 8*a*b*c + 8*c^2, 8*a*b*c + 8*c",
	"covariance":     "a*b + a f64, 8*a*b, 8*a; a*b f64, 8*a*b + 8*b, 8*a*b; a^2*b + a*b + 1/2*a^2 + 1/2*a f64, 8*a*b, 8*a^2",
	"atax":           "3*a*b*c + b*c f64, 8*b*c + 8*b, 8*b + 8*c",
	"mvt":            "2*a*b^2 + 2*b^2 f64, 8*b^2 + 32*b, 16*b",
	"jacobi-2d":      "10*a*b^2 - 40*a*b + 40*a f64, 8*b^2 + 32*b - 96, 16*b^2 - 64*b + 64",
	"seidel-2d":      "9*a*b^2 - 36*a*b + 36*a f64, 8*b^2, 8*b^2 - 32*b + 32",
	"heat-3d":        "26*a*b^3 - 156*a*b^2 + 312*a*b - 208*a f64, 8*b^3 + 48*b^2 - 288*b + 320, 16*b^3 - 96*b^2 + 192*b - 128",
	"lu":             "2/3*a^3 - 1/2*a^2 - 1/6*a f64, 8*a^2, 8*a^2 - 8*a",
	"cholesky":       "1/3*a^3 + 1/2*a^2 + 1/6*a f64, 4*a^2 + 4*a, 4*a^2 + 4*a",
	"floyd-warshall": "2*a^3 i32, 4*a^2, 4*a^2",
	"nussinov":       "1/3*a^3 + 3/2*a^2 - 23/6*a + 2 i32, 2*a^2 + 10*a - 4, 2*a^2 - 2*a",
}

// Each kernel has a bound, of all that it does.
func TestBoundOfEachKernel(t *testing.T) {
	machine := *target.Host()
	machine.Caches, machine.PeakFlops, machine.Bandwidth = []int64{1 << 10}, 1e9, []float64{1e9}
	for _, k := range Kernels {
		src, err := os.ReadFile("../../" + k.File())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		m := pass.Manager{Show: func(x any) {
			n := x.(*roofline.Nest)
			if n.Function != "kernel" {
				return
			}
			if n.Err != nil || n.Work.NotCounted != "" {
				t.Fatalf("%s, line %d: %v %s", k.Name, n.Line, n.Err, n.Work.NotCounted)
			}
			name, sizes := map[string]string{}, map[string]presburger.Int{}
			for i, p := range n.Work.Params {
				name[p], sizes[p] = string(rune('a'+i)), presburger.NewInt(20)
			}
			called := func(p string) string { return name[p] }
			got = append(got, strings.ReplaceAll(n.Work.Does(n.Graph.Ctx, called), " operations on", "")+", "+n.Work.Read.Text(called)+", "+n.Work.Written.Text(called))
			if b, err := n.Work.At(sizes, &machine, 1); err != nil || b.Seconds <= 0 {
				t.Errorf("%s: %+v, %v", k.Name, b, err)
			}
		}}
		p, err := pass.Parse("inline,roofline", lowering.AllPasses())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(context.Background(), built.Parse(t, string(src), text.Options{}), p); err != nil {
			t.Fatal(err)
		}
		if s := strings.Join(got, "; "); s != does[k.Name] {
			t.Errorf("%q: %q,", k.Name, s)
		}
	}
}
