package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
	"github.com/irc-lang/irc/tests/sdr"
)

// An adjointRow measures a function beside what differentiate makes of it.
type adjointRow struct {
	what, of  string
	compile   func(passes string) (run.Program, error)
	primal    string // passes of the function
	adjoint   string // of its adjoint
	other     string // another way to it, whose results are to be the same
	arguments func() (args, shadows []ir.Val)
}

// adjointCost is how many times the time of a function its adjoint may take.
const adjointCost = 4

// adjoints measures adjoints of affine loops and of equations beside the functions themselves.
func (b *bench) adjoints() error {
	root, err := repository()
	if err != nil {
		return err
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	var ratios []float64
	for _, r := range slices.Concat(b.loopAdjoints(e, root), b.equationAdjoints(e, root)) {
		if !b.wants(strings.Fields(r.what)[0]) {
			continue
		}
		primal, adjoint, err := b.adjoint(&r)
		row := report.Row{Group: "adjoints", What: r.what + ", beside the primal", Unit: "ms", Ours: adjoint * 1e3, Peer: primal * 1e3, Target: fmt.Sprintf("<= %d", adjointCost)}
		if err != nil {
			row.Note = firstLine(err.Error())
		} else {
			row.Ratio = adjoint / primal
			met := row.Ratio <= adjointCost
			row.Met = &met
			ratios = append(ratios, row.Ratio)
		}
		b.table.Add(row)
	}
	if len(ratios) > 0 {
		mean := stat.GeometricMean(ratios, nil)
		b.table.Absolute("adjoints", fmt.Sprintf("%d adjoints by their primals, geometric mean", len(ratios)), "", mean, mean <= adjointCost, fmt.Sprintf("<= %d", adjointCost))
	}
	return b.ctx.Err()
}

// adjoint gives the least seconds of both, in turn.
func (b *bench) adjoint(r *adjointRow) (primal, adjoint float64, err error) {
	p, err := r.compile(r.primal)
	if err != nil {
		return 0, 0, err
	}
	a, err := r.compile(r.adjoint)
	if err != nil {
		return 0, 0, fmt.Errorf("adjoint: %w", err)
	}
	other, err := r.compile(r.other)
	if err != nil {
		return 0, 0, err
	}
	got, err := b.adjointsFound(r, a)
	if err != nil {
		return 0, 0, err
	}
	want, err := b.adjointsFound(r, other)
	if err == nil {
		err = adCompare(want, got, 1e-8) // of sums of half a million in another order
	}
	if err != nil {
		return 0, 0, err
	}
	primal, adjoint = math.Inf(1), math.Inf(1)
	for range max(1, b.size(adTurns)) {
		args, shadows := r.arguments()
		s, err := b.fastestCall(p, r.of, args)
		if err != nil {
			return 0, 0, err
		}
		primal = min(primal, s)
		if s, err = b.fastestCall(a, r.of+"_grad", append(args, shadows...)); err != nil {
			return 0, 0, err
		}
		adjoint = min(adjoint, s)
	}
	return primal, adjoint, nil
}

// adjointsFound are the shadows after one run.
func (b *bench) adjointsFound(r *adjointRow, p run.Program) (out []float64, err error) {
	args, shadows := r.arguments()
	bound, err := run.Bind(b.ctx, p, append(args, shadows...)...)
	if err != nil {
		return nil, err
	}
	_, err = b.adBatch(bound, []run.BoundCall{{Name: r.of + "_grad"}}, 1)
	if err = errors.Join(err, bound.Close(b.ctx)); err != nil {
		return nil, err
	}
	for _, s := range shadows {
		buf := s.Ref.(*interp.MemRef).Buf
		for i := range buf.Len() {
			out = append(out, buf.Load(i).F64())
		}
	}
	return out, nil
}

// fastestCall is the least seconds of some calls on arguments of which it leaves the memory of the host as it was.
func (b *bench) fastestCall(p run.Program, name string, args []ir.Val) (float64, error) {
	bound, err := run.Bind(b.ctx, p, args...)
	if err != nil {
		return 0, err
	}
	defer bound.Close(b.ctx)
	calls := []run.BoundCall{{Name: name}}
	first, err := b.adBatch(bound, calls, 1)
	if err != nil {
		return 0, err
	}
	return b.adBatch(bound, slices.Repeat(calls, min(max(3, int(adSeconds/first)), 1000)), 1)
}

// adjointSizes are those of the affine loops.
var adjointSizes = []struct {
	name  string
	sizes []int
}{{"gemm", []int{500, 500, 500}}, {"jacobi-2d", []int{600, 100}}, {"seidel-2d", []int{600, 100}}, {"durbin", []int{2000}}}

// durbin is a kernel that the polyhedral rows lack.
var durbin = &polybench.Kernel{Name: "durbin", Params: []string{"N"}, Arrays: []polybench.Array{{Name: "r", Sizes: []string{"N"}}, {Name: "y", Sizes: []string{"N"}}}}

// loopAdjoints are rows of affine loops in tiles.
func (b *bench) loopAdjoints(e engine.Engine, root string) (out []adjointRow) {
	const reverse = "lower-affine,differentiate{of=kernel}"
	for _, x := range adjointSizes {
		k, file := polybench.Called(x.name), filepath.Join(root, "examples/affine", x.name+".mlir")
		if k == nil {
			k, file = durbin, filepath.Join(root, "tests/bench/adbench", x.name+".mlir")
		}
		out = append(out, adjointRow{
			what: x.name + " " + strings.Trim(fmt.Sprint(x.sizes), "[]"), of: "kernel", primal: inTiles, adjoint: reverse + "," + cmp.Or(b.passes, inTiles), other: reverse,
			compile: func(passes string) (run.Program, error) {
				p, _, err := b.compilePoly(e, file, passes)
				return p, err
			},
			arguments: func() (args, shadows []ir.Val) {
				c := ir.NewContext(dialects.All...)
				arrays, rounds, err := k.Arguments(c, x.sizes)
				if err != nil {
					panic(err)
				}
				for i, a := range arrays {
					m := a.Ref.(*interp.MemRef)
					args = append(args, filled(c, data{ir.F64, m.Sizes, scaled(uint32(40+i), 1/float64(10*m.Sizes[0]))}))
					shadows = append(shadows, filled(c, data{ir.F64, m.Sizes, spread(uint32(50 + i))}))
				}
				return append(args, rounds...), shadows
			},
		})
	}
	return out
}

// equationAdjoints are rows of the programs of equations, simplified, at the sizes of the paper's Table 3.
func (b *bench) equationAdjoints(e engine.Engine, root string) (out []adjointRow) {
	const simplified = "simplify-reductions"
	for _, x := range sdr.Benchmarks {
		if x.Table3 == nil {
			continue
		}
		if strings.HasPrefix(x.Eq, "lbp") {
			x.Table3 = x.Timed // what every round computes is kept: gigabytes
		}
		ctx := ir.NewContext(dialects.All...)
		_, in, err := x.Read(ctx, root)
		if err != nil {
			panic(err)
		}
		reverse := "differentiate{of=" + in.Name + "}"
		out = append(out, adjointRow{
			what: x.Eq + " " + strings.Trim(fmt.Sprint(x.Table3), "[]"), of: in.Name, primal: simplified, adjoint: strings.TrimSuffix(simplified+","+reverse+","+simplified+","+b.passes, ","),
			other: simplified + ",poly-schedule,poly-codegen,lower-affine,lower{to=scf}," + reverse,
			compile: func(passes string) (run.Program, error) {
				g, _, err := x.Read(ctx, root)
				if err == nil {
					g, err = lowering.Compile(b.ctx, g, polybench.Through(e.Target(), passes))
				}
				if err != nil {
					return nil, err
				}
				ps, err := e.Prepare(b.ctx, g)
				if err != nil {
					return nil, err
				}
				return ps[0], nil
			},
			arguments: func() (args, shadows []ir.Val) {
				args, err := b.equationArguments(ctx, root, x)
				if err != nil {
					fmt.Fprintln(os.Stderr, "bench:", err)
					return nil, nil
				}
				for i, a := range in.Arrays {
					if !ctx.IsFloat(a.Type) {
						continue
					}
					m, at := args[len(in.Params)+i].Ref.(*interp.MemRef), zero
					if a.Output {
						at = spread(uint32(60 + i))
					} else if strings.HasPrefix(x.Eq, "lbp") {
						apart(m, uint32(80+i))
					}
					shadows = append(shadows, filled(ctx, data{a.Type, m.Sizes, at}))
				}
				return args, shadows
			},
		})
	}
	return out
}

// apart moves numbers by a little, each by another: of equal ones the least has several derivatives, and equations and loops take two
// of these.
func apart(m *interp.MemRef, seed uint32) {
	by := scaled(seed, 1e-2)
	for i := range m.Buf.Len() {
		m.Buf.Store(i, ir.FloatVal(m.Buf.Load(i).F64()+by(i), ir.F64))
	}
}

// equationArguments are those of a program, with the data of its peer in C.
func (b *bench) equationArguments(ctx *ir.Context, root string, x sdr.Benchmark) ([]ir.Val, error) {
	c, err := x.Compile(b.ctx, root, b.dir, "clang-19", "-O3", "-march=native")
	if err != nil {
		return nil, err
	}
	d, err := c.Data(b.ctx, "opt", x.Table3)
	if err != nil {
		return nil, err
	}
	_, in, err := x.Read(ctx, root)
	if err != nil {
		return nil, err
	}
	return sdr.Arguments(ctx, in, x.Sizes(x.Table3), d)
}
