package tensors

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// A matrix is rows of numbers.
type matrix [][]float64

// some is a matrix of numbers that f32 has, around a mean.
func some(r *rand.Rand, rows, columns int, mean float64) matrix {
	out := make(matrix, rows)
	for i := range out {
		for range columns {
			out[i] = append(out[i], mean+float64(r.IntN(257)-128)/64)
		}
	}
	return out
}

// times is the product with the transpose of another matrix, if turned, else with it.
func (x matrix) times(y matrix, turned bool) matrix {
	out := make(matrix, len(x))
	for i := range x {
		n := len(y)
		if !turned {
			n = len(y[0])
		}
		for j := range n {
			sum := 0.0
			for k, a := range x[i] {
				if turned {
					sum += a * y[j][k]
				} else {
					sum += a * y[k][j]
				}
			}
			out[i] = append(out[i], sum)
		}
	}
	return out
}

// each is what f makes of the elements.
func (x matrix) each(f func(i, j int, v float64) float64) matrix {
	out := make(matrix, len(x))
	for i := range x {
		for j, v := range x[i] {
			out[i] = append(out[i], f(i, j, v))
		}
	}
	return out
}

// greatest are the places of the greatest elements of the rows.
func (x matrix) greatest() (out []int) {
	for _, row := range x {
		at := 0
		for j, v := range row {
			if v > row[at] {
				at = j
			}
		}
		out = append(out, at)
	}
	return out
}

// normed has the mean 0 and the variance 1 in each row.
func (x matrix) normed(scale, shift []float64) matrix {
	means, roots := make([]float64, len(x)), make([]float64, len(x))
	for i, row := range x {
		n, squares := float64(len(row)), 0.0
		for _, v := range row {
			means[i] += v / n
		}
		for _, v := range row {
			squares += (v - means[i]) * (v - means[i]) / n
		}
		roots[i] = math.Sqrt(squares + 1e-5)
	}
	return x.each(func(i, j int, v float64) float64 { return (v-means[i])/roots[i]*scale[j] + shift[j] })
}

// gram is X X^T, and the same of rows without their mean.
func gram(r *rand.Rand) (args, want []any) {
	x := some(r, 7, 5, 1)
	c := x.each(func(i, _ int, v float64) float64 {
		sum := 0.0
		for _, v := range x[i] {
			sum += v
		}
		return v - sum/5
	})
	return []any{x}, []any{x.times(x, true), c.times(c, true)}
}

// logistic is gradient descent, an element at a time.
func logistic(r *rand.Rand) (args, want []any) {
	const steps = 300
	x, y, w := some(r, 40, 3, 0.25), make([]float64, 40), make([]float64, 3)
	for i, row := range x {
		row[0] = 1
		if row[1]-2*row[2]+0.3*r.NormFloat64() > 0.5 {
			y[i] = 1
		}
	}
	linear := func(row []float64) (z float64) {
		for j, v := range row {
			z += v * w[j]
		}
		return z
	}
	for range steps {
		slope := make([]float64, 3)
		for i, row := range x {
			p := 1 / (1 + math.Exp(-linear(row)))
			for j, v := range row {
				slope[j] += v * (p - y[i]) / 40
			}
		}
		for j := range w {
			w[j] -= slope[j]
		}
	}
	var classes []bool
	for _, row := range x {
		classes = append(classes, linear(row) > 0)
	}
	return []any{x, y, steps}, []any{classes}
}

// mlp is two layers, and the greatest output.
func mlp(r *rand.Rand) (args, want []any) {
	x, A, a, B, b := some(r, 30, 2, 0), some(r, 2, 3, 0), some(r, 1, 3, 0)[0], some(r, 3, 2, 0), some(r, 1, 2, 0)[0]
	h := x.times(A, false).each(func(_, j int, v float64) float64 { return max(v+a[j], 0) })
	z := h.times(B, false).each(func(_, j int, v float64) float64 { return v + b[j] })
	return []any{x, A, a, B, b}, []any{z.greatest()}
}

// pca is the eigenvector of the covariances with the greatest eigenvalue, by gonum's QR steps, scaled to a greatest element of 1.
func pca(r *rand.Rand) (args, want []any) {
	x := some(r, 50, 4, 3)
	for _, row := range x { // the first component stands out
		for j := range row {
			row[j] += row[0] * []float64{2, 1, 0.5, 1.5}[j]
		}
	}
	means := make([]float64, 4)
	for _, row := range x {
		for j, v := range row {
			means[j] += v / 50
		}
	}
	cov := mat.NewSymDense(4, nil)
	for i := range 4 {
		for j := range i + 1 {
			sum := 0.0
			for _, row := range x {
				sum += (row[i] - means[i]) * (row[j] - means[j])
			}
			cov.SetSym(i, j, sum)
		}
	}
	var e mat.EigenSym
	e.Factorize(cov, true)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	v, most := mat.Col(nil, 3, &vectors), 0.0 // eigenvalues ascend
	for _, a := range v {
		if math.Abs(a) > math.Abs(most) {
			most = a
		}
	}
	for i := range v {
		v[i] /= most
	}
	return []any{x, 300}, []any{v}
}

// transformer is a block with two heads, of four features.
func transformer(r *rand.Rand) (args, want []any) {
	x, scale, shift := some(r, 6, 4, 0), some(r, 1, 4, 1)[0], some(r, 1, 4, 0)[0]
	var heads [3][4][2][]float64 // Q, K and V, by features, heads, and two of each
	for i := range heads {
		for e := range heads[i] {
			for h := range heads[i][e] {
				heads[i][e][h] = some(r, 1, 2, 0)[0]
			}
		}
	}
	O, A, a, B := []matrix{some(r, 2, 4, 0), some(r, 2, 4, 0)}, some(r, 4, 6, 0), some(r, 1, 6, 0)[0], some(r, 6, 4, 0)
	n := x.normed(scale, shift)
	y := x
	for h := range 2 {
		var of [3]matrix
		for i := range heads {
			var w matrix
			for e := range 4 {
				w = append(w, heads[i][e][h])
			}
			of[i] = n.times(w, false)
		}
		p := of[0].times(of[1], true).each(func(_, _ int, v float64) float64 { return math.Exp(v / math.Sqrt2) })
		p = p.each(func(i, _ int, v float64) float64 {
			sum := 0.0
			for _, u := range p[i] {
				sum += u
			}
			return v / sum
		})
		o := p.times(of[2], false).times(O[h], false)
		y = y.each(func(i, j int, v float64) float64 { return v + o[i][j] })
	}
	g := y.normed(scale, shift).times(A, false).each(func(_, j int, v float64) float64 {
		return (v + a[j]) / 2 * (1 + math.Erf((v+a[j])/math.Sqrt2))
	})
	z := g.times(B, false).each(func(i, j int, v float64) float64 { return v + y[i][j] })
	return []any{x, scale, shift, heads[0], heads[1], heads[2], O, A, a, B}, []any{z}
}

// convolved is an image by a kernel of 3 x 3, with a rim of zeros.
func convolved(image, kernel matrix) matrix {
	return image.each(func(i, j int, _ float64) (sum float64) {
		for p := range 3 {
			for q := range 3 {
				if y, x := i+p-1, j+q-1; y >= 0 && y < len(image) && x >= 0 && x < len(image[0]) {
					sum += image[y][x] * kernel[p][q]
				}
			}
		}
		return sum
	})
}

// lines is the convolutional network, with weights of its own.
func lines(r *rand.Rand) (args, want []any) {
	var images, kernels [][]matrix
	for range 12 {
		images = append(images, []matrix{some(r, 8, 8, 0)})
	}
	for range 6 {
		kernels = append(kernels, []matrix{some(r, 3, 3, 0)})
	}
	w, b, features := some(r, 6, 4, 0), some(r, 1, 4, 0)[0], matrix{}
	for _, image := range images {
		var f []float64
		for _, kernel := range kernels {
			c, mean := convolved(image[0], kernel[0]), 0.0
			for i := range 4 {
				for j := range 4 {
					mean += max(c[2*i][2*j]-1, c[2*i][2*j+1]-1, c[2*i+1][2*j]-1, c[2*i+1][2*j+1]-1, 0) / 16
				}
			}
			f = append(f, mean)
		}
		features = append(features, f)
	}
	return []any{images, kernels, w, b}, []any{features.times(w, false).each(func(_, j int, v float64) float64 { return v + b[j] }).greatest()}
}

// edges are two kernels of its text, and a threshold.
func edges(r *rand.Rand) (args, want []any) {
	image := some(r, 4, 4, 0)
	var out []matrix
	for _, kernel := range []matrix{{{0, 0, 0}, {-1, 0, 1}, {0, 0, 0}}, {{0, -1, 0}, {0, 0, 0}, {0, 1, 0}}} {
		out = append(out, convolved(image, kernel).each(func(_, _ int, v float64) float64 { return max(v-1, 0) }))
	}
	return []any{[]any{[]any{image}}}, []any{[]any{out}}
}

// The examples of tensors compute what loops of Go over single elements do, and gonum's eigenvectors, of random arguments: as their ops
// mean it, and as native code.
func TestExamples(t *testing.T) {
	if entries, err := os.ReadDir("../../examples/tensor"); err != nil || strings.Count(names(entries), ".mlir ") != 7 {
		t.Errorf("%v: an example is not computed here, of %s", err, names(entries))
	}
	for _, x := range []struct {
		name  string
		of    func(r *rand.Rand) (args, want []any)
		exact string // is written in the place of what rounds the result
	}{
		{"gram", gram, ""}, {"logistic", logistic, ""}, {"mlp", mlp, ""}, {"pca", pca, ""}, {"transformer", transformer, "1000.0"}, {"lines", lines, ""}, {"edges", edges, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			src, err := os.ReadFile("../../examples/tensor/" + x.name + ".mlir")
			if err != nil || !strings.Contains(string(src), x.exact) {
				t.Fatal(err)
			}
			program := string(src)
			if x.exact != "" {
				program = strings.Replace(program, x.exact, "1.0e12", 1)
			}
			g := built.Parse(t, program, text.Options{})
			e := built.Start(t, engine.LLVM)
			defer e.Close()
			p, err := built.Prepare(t.Context(), e, g)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(5) {
				args, results := x.of(rand.New(rand.NewPCG(seed, 18)))
				a, err := json.Marshal(args)
				if err != nil {
					t.Fatal(err)
				}
				w, _ := json.Marshal(results)
				want := truths.Replace(string(w))
				got, _, err := built.Call(t.Context(), p, g, "main", string(a))
				if d := distance(t, truths.Replace(got), want); err != nil || !(d < 1e-9) {
					t.Errorf("differs by %g, %v: %s\nwant %s", d, err, got, want)
				}
				if seed > 0 {
					continue
				}
				if got := truths.Replace(built.Run(t, g, "main", string(a))); !(distance(t, got, want) < 1e-9) {
					t.Errorf("the ops mean %s\nwant %s", got, want)
				}
			}
		})
	}
}

var truths = strings.NewReplacer("true", "1", "false", "0")

func names(entries []os.DirEntry) (out string) {
	for _, e := range entries {
		out += e.Name() + " "
	}
	return out
}
