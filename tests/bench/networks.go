package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// A network is tensors of which each index is one of two of them, or of one and of the result: then each step along a
// path is a product of two matrices.
type network struct {
	in     []string // indices of each tensor
	out    string
	extent map[rune]int
}

// networkCosts bound the operations of a network along its best path.
const leastNetwork, mostNetwork = 1e5, 2e8

// networkOf makes one by a seed: a connected graph of three to seven tensors, and one to four indices that are kept.
func networkOf(seed uint64) network {
	r := rand.New(rand.NewPCG(seed, 30))
	for {
		n := network{in: make([]string, 3+r.IntN(5)), extent: map[rune]int{}}
		next := 'a'
		index := func(at ...int) {
			n.extent[next] = 2 + r.IntN(31)
			for _, i := range at {
				n.in[i] += string(next)
			}
			next++
		}
		for i := 1; i < len(n.in); i++ {
			index(r.IntN(i), i)
		}
		for range r.IntN(len(n.in)) {
			i := r.IntN(len(n.in))
			index(i, (i+1+r.IntN(len(n.in)-1))%len(n.in))
		}
		for range 1 + r.IntN(4) {
			n.out += string(next)
			index(r.IntN(len(n.in)))
		}
		for i, in := range n.in {
			letters := []rune(in)
			r.Shuffle(len(letters), func(a, b int) { letters[a], letters[b] = letters[b], letters[a] })
			n.in[i] = string(letters)
		}
		if n.largest() <= 1<<18 && n.cost() >= leastNetwork && n.cost() <= mostNetwork {
			return n
		}
	}
}

func (n network) shape(indices string) (out []int64) {
	for _, x := range indices {
		out = append(out, int64(n.extent[x]))
	}
	return out
}

func elementsOf(shape []int64) int64 {
	n := int64(1)
	for _, x := range shape {
		n *= x
	}
	return n
}

// largest is how many elements the largest tensor has.
func (n network) largest() (most int64) {
	for _, in := range append(slices.Clone(n.in), n.out) {
		most = max(most, elementsOf(n.shape(in)))
	}
	return most
}

// cost is how many operations the best of some orders takes, in which a tensor is taken at a time.
func (n network) cost() float64 {
	best := math.Inf(1)
	for first := range n.in {
		have, rest, cost := n.in[first], slices.Delete(slices.Clone(n.in), first, first+1), 0.0
		for len(rest) > 0 {
			least, at, kept := math.Inf(1), 0, ""
			for i, x := range rest {
				all, joined := have, ""
				for _, y := range x {
					if !strings.ContainsRune(have, y) {
						all += string(y)
					}
				}
				for _, y := range all {
					if !strings.ContainsRune(have, y) || !strings.ContainsRune(x, y) {
						joined += string(y)
					}
				}
				if c := 2 * float64(elementsOf(n.shape(all))); c < least {
					least, at, kept = c, i, joined
				}
			}
			cost, have, rest = cost+least, kept, slices.Delete(rest, at, at+1)
		}
		best = min(best, cost)
	}
	return best
}

func (n network) spec() string { return strings.Join(n.in, ",") + "->" + n.out }

func joined(shape []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", "x")
}

// program computes a network as often as said.
func (n network) program() string {
	var params, types, packed, names, tensors []string
	typ := func(kind, indices string) string {
		return fmt.Sprintf("%s<%sxf64>", kind, joined(n.shape(indices)))
	}
	for i, x := range append([]string{n.out}, n.in...) {
		params, types = append(params, fmt.Sprintf("%%m%d: %s {llvm.noalias}", i, typ("memref", x))), append(types, typ("memref", x))
		if i > 0 {
			packed = append(packed, fmt.Sprintf("  %%t%d = ten.pack %%m%d : %s\n", i, i, typ("memref", x)))
			names, tensors = append(names, fmt.Sprintf("%%t%d", i)), append(tensors, typ("tensor", x))
		}
	}
	args := strings.Join(params, ", ")
	var list []string
	for i := range params {
		list = append(list, fmt.Sprintf("%%m%d", i))
	}
	to := typ("memref", n.out)
	return fmt.Sprintf(`func.func @network(%s) {
%s  %%r = ten.einsum "%s" %s : %s -> %s
  ten.write %%r to %%m0 : %s, %s
  return
}
func.func @init(%%m0: %s) {
  return
}
func.func @kernel(%s, %%repetitions: index) {
  affine.for %%t = 0 to %%repetitions {
    func.call @network(%s) : (%s) -> ()
  }
  return
}
func.func @check(%%m0: %s) -> f64 {
  %%zero = arith.constant 0.0 : f64
  %%c1 = arith.constant 1 : index
  %%c7 = arith.constant 7 : index
%s  return %%s0 : f64
}
`, args, strings.Join(packed, ""), n.spec(), strings.Join(names, ", "), strings.Join(tensors, ", "), typ("tensor", n.out), typ("tensor", n.out), to,
		to, args, strings.Join(list, ", "), strings.Join(types, ", "), to, n.weighed(to))
}

// weighed are loops over the result, m0 of type to, that add up its elements times numbers of 1 to 7.
func (n network) weighed(to string) string {
	indices, flat := []string{}, "0"
	var loops strings.Builder
	for d, x := range n.shape(n.out) {
		indices = append(indices, fmt.Sprintf("%%i%d", d))
		flat = fmt.Sprintf("(%s) * %d + i%d", flat, x, d)
		fmt.Fprintf(&loops, "  %%s%d = affine.for %%i%d = 0 to %d iter_args(%%a%d = %s) -> (f64) {\n", d, d, x, d, map[bool]string{true: "%zero", false: fmt.Sprintf("%%a%d", d-1)}[d == 0])
	}
	last := len(indices) - 1
	fmt.Fprintf(&loops, `  %%f = affine.apply affine_map<(%s) -> (%s)>(%s)
  %%0 = arith.remsi %%f, %%c7 : index
  %%1 = arith.addi %%0, %%c1 : index
  %%2 = arith.index_cast %%1 : index to i64
  %%3 = arith.sitofp %%2 : i64 to f64
  %%4 = affine.load %%m0[%s] : %s
  %%5 = arith.mulf %%4, %%3 : f64
  %%6 = arith.addf %%a%d, %%5 : f64
  affine.yield %%6 : f64
  }
`, strings.ReplaceAll(strings.Join(indices, ", "), "%", ""), flat, strings.Join(indices, ", "), strings.Join(indices, ", "), to, last)
	for d := last; d > 0; d-- {
		fmt.Fprintf(&loops, "  affine.yield %%s%d : f64\n  }\n", d)
	}
	return loops.String()
}

// networks measures thirty beside numpy, whose products OpenBLAS makes, on one core.
func (b *bench) networks() error {
	root, err := repository()
	if err != nil {
		return err
	}
	if exec.CommandContext(b.ctx, python, "-c", "import numpy").Run() != nil {
		return errors.New("needs numpy (Debian: python3-numpy)")
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	var ratios []float64
	for seed := range uint64(30) {
		n := networkOf(seed)
		r, err := b.network(e, filepath.Join(root, "tests/bench/peers/networks.py"), n)
		if err != nil {
			return fmt.Errorf("%s: %w", n.spec(), err)
		}
		b.table.Add(r)
		ratios = append(ratios, r.Ratio)
	}
	mean := stat.GeometricMean(ratios, nil)
	b.table.Absolute("networks", "30 networks, ours by numpy with OpenBLAS", "", mean, mean <= 1, "mean <= 1")
	b.table.Add(report.Row{Group: "networks", What: "  the slowest of them", Ratio: slices.Max(ratios)})
	return b.ctx.Err()
}

// networkFlops is about how many operations one measurement does.
const networkFlops = 5e8

func (b *bench) network(e engine.Engine, peer string, n network) (report.Row, error) {
	file := filepath.Join(b.dir, "network.mlir")
	if err := os.WriteFile(file, []byte(n.program()), 0o600); err != nil {
		return report.Row{}, err
	}
	p, _, err := b.compilePoly(e, file, "")
	if err != nil {
		return report.Row{}, err
	}
	c := ir.NewContext(dialects.All...)
	args := []ir.Val{polybench.Zeros(c, ir.F64, n.shape(n.out))}
	var shapes []string
	for i, in := range n.in {
		v := polybench.Zeros(c, ir.F64, n.shape(in))
		for k := range elementsOf(n.shape(in)) {
			v.Ref.(*interp.MemRef).Buf.Store(int(k), ir.F64Val(float64((k*7+int64(i)*3)%5-2)))
		}
		args, shapes = append(args, v), append(shapes, joined(n.shape(in)))
	}
	repetitions := max(1, int(networkFlops/n.cost())/max(1, 10/b.size(10)))
	bound, err := run.Bind(b.ctx, p, append(args, ir.IntVal(int64(repetitions), 64))...)
	if err != nil {
		return report.Row{}, err
	}
	defer bound.Close(b.ctx)
	both, err := inTurn(3, func() (seconds, sum float64, err error) {
		seconds, sum, _, err = b.said([]string{"OPENBLAS_NUM_THREADS=1"}, python, peer, n.spec(), strings.Join(shapes, ","), strconv.Itoa(repetitions))
		if err != nil {
			err = fmt.Errorf("numpy does not run: %w", err)
		}
		return seconds, sum, err
	}, func() (seconds, sum float64, err error) { return polybench.Time(b.ctx, bound) })
	if err != nil {
		return report.Row{}, err
	}
	each := 1e3 / float64(repetitions)
	r := report.Row{Group: "networks", What: n.spec() + " of " + strings.Join(shapes, ", "), Unit: "ms", Ours: both.ours * each, Peer: both.theirs * each, Ratio: both.ours / both.theirs}
	return both.noted(r, "numpy", polybench.Same), nil
}
