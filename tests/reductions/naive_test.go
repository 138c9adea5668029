package reductions

import (
	"math"
)

// A naive computes what a program says by loops, into arrays that are outputs or locals.
type naive struct {
	sizes map[string]int // of each program of a file
	by    func(d *data)
}

// fold combines f(lo), ..., f(hi-1).
func fold(start float64, lo, hi int, op func(a, b float64) float64, f func(int) float64) float64 {
	for i := lo; i < hi; i++ {
		start = op(start, f(i))
	}
	return start
}

func plus(a, b float64) float64  { return a + b }
func times(a, b float64) float64 { return a * b }

func sum(lo, hi int, f func(int) float64) float64 { return fold(0, lo, hi, plus, f) }
func most(lo, hi int, f func(int) float64) float64 {
	return fold(math.Inf(-1), lo, hi, math.Max, f)
}
func least(lo, hi int, f func(int) float64) float64 {
	return fold(math.Inf(1), lo, hi, math.Min, f)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// line computes an array of one dimension.
func line(d *data, name string, n int, f func(i int) float64) {
	for i := range n {
		d.set(f(i), name, i)
	}
}

// plane computes an array of two.
func plane(d *data, name string, n, m int, f func(i, j int) float64) {
	for i := range n {
		for j := range m {
			d.set(f(i, j), name, i, j)
		}
	}
}

// naives are the computations by the names of the files.
var naives = map[string]naive{
	"prefix_sum": {map[string]int{"N": 9}, func(d *data) {
		line(d, "C", d.n("N"), func(i int) float64 { return sum(0, i+1, d.line("A")) })
	}},
	"segment_sum": {map[string]int{"N": 11, "W": 4}, func(d *data) {
		line(d, "C", d.n("N"), func(i int) float64 { return sum(max(0, i-d.n("W")), i+1, d.line("A")) })
	}},
	"row_products": {map[string]int{"s": 5}, func(d *data) {
		line(d, "Y", d.n("s")+1, func(i int) float64 {
			return sum(1, i+1, func(j int) float64 {
				return sum(1, i+1, func(k int) float64 { return d.at("A", i, k) * d.at("B", k, j) })
			})
		})
	}},
	"trapezoid_max": {map[string]int{"N": 7}, func(d *data) {
		n := d.n("N")
		line(d, "X", n-1, func(i int) float64 {
			return most(0, i+1, func(j int) float64 {
				return most(0, min(n-i, n-j), func(k int) float64 { return d.at("A", j, k) })
			})
		})
	}},
	"convolved_sum": {map[string]int{"N": 9, "K": 4}, func(d *data) {
		d.set(sum(0, d.n("N"), func(i int) float64 {
			return sum(0, d.n("K"), func(k int) float64 { return d.at("x", i+k) * d.at("w", k) })
		}), "c2")
	}},
	"repeated_sum": {map[string]int{"N": 7}, func(d *data) {
		line(d, "Y", d.n("N")+1, func(i int) float64 { return sum(i, 2*i+1, func(int) float64 { return d.at("X", i) }) })
	}},
	"repeated_max": {map[string]int{"N": 7}, func(d *data) {
		line(d, "Y", d.n("N")+1, func(i int) float64 { return most(i, 2*i+1, func(int) float64 { return d.at("X", i) }) })
	}},
	"tent_max": {map[string]int{"N": 9}, func(d *data) {
		n := d.n("N")
		line(d, "Y", n+1, func(i int) float64 { return most(0, min(i, n-i)+1, d.line("X")) })
	}},
	"identical_answers": {map[string]int{"N": 7}, func(d *data) {
		line(d, "Y", d.n("N")+1, func(int) float64 { return sum(0, d.n("N")+1, d.line("X")) })
	}},
	"dependent_prefix": {map[string]int{"N": 9}, func(d *data) {
		var A []float64
		line(d, "B", d.n("N"), func(i int) float64 {
			A = append(A, d.at("w", i))
			if i > 0 {
				A[i] -= 0.5 * d.at("B", i-1)
			}
			return sum(0, i+1, func(j int) float64 { return A[j] })
		})
	}},
	"dependent_suffix": {map[string]int{"N": 9}, func(d *data) {
		n := d.n("N")
		A := make([]float64, n)
		for i := n - 1; i >= 0; i-- {
			A[i] = d.at("w", i)
			if i < n-1 {
				A[i] -= 0.5 * d.at("B", i+1)
			}
			d.set(sum(i, n, func(j int) float64 { return A[j] }), "B", i)
		}
	}},
	"dependent_prefix_max": {map[string]int{"N": 9}, func(d *data) {
		var A []float64
		line(d, "B", d.n("N"), func(i int) float64 {
			A = append(A, d.at("w", i))
			if i > 0 {
				A[i] -= 0.5 * d.at("B", i-1)
			}
			return most(0, i+1, func(j int) float64 { return A[j] })
		})
	}},
	"dependent_leave_one_out": {map[string]int{"N": 9}, func(d *data) {
		n := d.n("N")
		line(d, "Z1", n, func(i int) float64 {
			return math.Max(most(i+1, n, d.line("Z0")), most(0, i, d.line("Z1"))-1)
		})
	}},
	"dependent_window": {map[string]int{"N": 11, "W": 3}, func(d *data) {
		line(d, "A", d.n("N"), func(i int) float64 {
			return d.at("w", i) - 0.5*sum(max(0, i-d.n("W")), i, d.line("A"))
		})
	}},
	"abft": {map[string]int{"N": 3, "M": 4, "K": 5}, func(d *data) {
		line(d, "rows", d.n("N"), func(i int) float64 {
			return sum(0, d.n("M"), func(j int) float64 { return d.product(i, j) })
		})
		line(d, "columns", d.n("M"), func(j int) float64 {
			return sum(0, d.n("N"), func(i int) float64 { return d.product(i, j) })
		})
	}},
	"abft_weighted": {map[string]int{"N": 3, "M": 4, "K": 5}, func(d *data) {
		plane(d, "C", d.n("N"), d.n("M"), d.product)
		line(d, "check", d.n("N"), func(i int) float64 {
			return sum(0, d.n("M"), func(j int) float64 { return d.product(i, j) * d.at("w", j) })
		})
	}},
	"interior_loops": {map[string]int{"N": 8}, func(d *data) {
		plane(d, "W", d.n("N"), d.n("N"), func(i, j int) float64 { return d.loops("V", i, j) })
	}},
	"rna_folding": {map[string]int{"N": 8}, func(d *data) {
		n := d.n("N")
		for long := range 2*n - 1 { // of pairs the shortest first
			for i := range n {
				j := i + long - n + 1
				switch {
				case j < 0 || j >= n:
				case j <= i:
					d.set(0, "V", i, j)
				default:
					d.set(math.Min(d.at("hairpin", i, j), d.loops("V", i, j)), "V", i, j)
				}
			}
		}
	}},
	"nussinov": {map[string]int{"N": 7}, func(d *data) {
		n := d.n("N")
		plane(d, "F", n, n, func(int, int) float64 { return 0 })
		for long := 1; long < n; long++ {
			for i := range n - long {
				j := i + long
				best := most(i, j, func(k int) float64 { return d.at("F", i, k) + d.at("F", k+1, j) })
				if long >= 2 {
					best = math.Max(best, d.at("F", i+1, j-1)+d.at("pair", i, j))
				}
				d.set(math.Max(best, 0), "F", i, j)
			}
		}
	}},
	"search_tree": {map[string]int{"N": 6}, func(d *data) {
		n := d.n("N")
		plane(d, "F", n+1, n+1, func(int, int) float64 { return 0 })
		for long := 1; long <= n; long++ {
			for i := range n + 1 - long {
				j := i + long
				d.set(least(i, j, func(k int) float64 {
					return d.at("F", i, k) + d.at("F", k+1, j) + sum(i, j, d.line("w"))
				}), "F", i, j)
			}
		}
	}},
	"window_max": {map[string]int{"N": 11, "W": 4}, func(d *data) {
		line(d, "M", d.n("N"), func(i int) float64 { return most(max(0, i-d.n("W")+1), i+1, d.line("A")) })
	}},
	"growing_window_min": {map[string]int{"N": 7}, func(d *data) {
		n := d.n("N")
		line(d, "M", n, func(i int) float64 { return least(n-i-1, n+i+1, d.line("A")) })
	}},
	"staircase_min": {map[string]int{"N": 7}, func(d *data) {
		n := d.n("N")
		line(d, "X", n, func(i int) float64 {
			return least(i, n, func(j int) float64 {
				return least(0, i+1, func(k int) float64 { return d.at("A", j, k) })
			})
		})
	}},
	"suffix_max": {map[string]int{"N": 9}, func(d *data) {
		line(d, "R", d.n("N"), func(i int) float64 { return most(i, d.n("N"), d.line("A")) })
	}},
	"leave_one_out_max": {map[string]int{"N": 9}, func(d *data) {
		line(d, "M", d.n("N"), func(i int) float64 {
			return math.Max(most(0, i, d.line("A")), most(i+1, d.n("N"), d.line("A")))
		})
	}},
	"leave_one_out_product": {map[string]int{"N": 6}, func(d *data) {
		line(d, "P", d.n("N"), func(i int) float64 {
			return fold(fold(1, 0, i, times, d.line("A")), i+1, d.n("N"), times, d.line("A"))
		})
	}},
	"ascending": {map[string]int{"N": 9}, func(d *data) {
		line(d, "up", d.n("N"), func(i int) float64 {
			return fold(1, 0, i, times, func(j int) float64 { return truth(d.at("A", j) <= d.at("A", j+1)) })
		})
	}},
	"two_sided_window": {map[string]int{"N": 12, "L": 2, "R": 4}, func(d *data) {
		n := d.n("N")
		line(d, "S", n, func(i int) float64 { return sum(max(0, i-d.n("L")), min(n, i+d.n("R")+1), d.line("A")) })
	}},
	"summed_area": {map[string]int{"N": 4, "M": 5}, func(d *data) {
		plane(d, "S", d.n("N"), d.n("M"), func(i, j int) float64 {
			return sum(0, i+1, func(k int) float64 {
				return sum(0, j+1, func(l int) float64 { return d.at("A", k, l) })
			})
		})
	}},
	"box_filter": {map[string]int{"N": 4, "M": 5, "K": 3}, func(d *data) {
		plane(d, "S", d.n("N"), d.n("M"), func(i, j int) float64 {
			return d.box(func(k, l int) float64 { return d.at("A", i+k, j+l) })
		})
	}},
	"constant_convolution": {map[string]int{"N": 8, "K": 3}, func(d *data) {
		line(d, "y", d.n("N"), func(i int) float64 {
			return sum(0, d.n("K"), func(k int) float64 { return d.at("c") * d.at("x", i+k) })
		})
	}},
	"convolution": {map[string]int{"N": 8, "K": 3}, func(d *data) {
		line(d, "y", d.n("N"), func(i int) float64 {
			return sum(0, d.n("K"), func(k int) float64 { return d.at("w", k) * d.at("x", i+k) })
		})
	}},
	"separable_convolution": {map[string]int{"N": 4, "M": 5, "K": 3}, func(d *data) {
		plane(d, "Y", d.n("N"), d.n("M"), func(i, j int) float64 {
			return d.box(func(k, l int) float64 { return d.at("u", k) * d.at("v", l) * d.at("X", i+k, j+l) })
		})
	}},
	"weighted_prefix": {map[string]int{"N": 9}, func(d *data) {
		line(d, "P", d.n("N"), func(i int) float64 {
			return sum(0, i+1, func(j int) float64 { return d.at("c", i) * d.at("w", j) * d.at("x", j) })
		})
	}},
	"running_mean": {map[string]int{"N": 9}, func(d *data) {
		line(d, "m", d.n("N"), d.mean)
	}},
	"running_variance": {map[string]int{"N": 9}, func(d *data) {
		line(d, "V", d.n("N"), func(i int) float64 {
			return sum(0, i+1, func(j int) float64 { return (d.at("x", j) - d.mean(i)) * (d.at("x", j) - d.mean(i)) })
		})
	}},
	"squared_distances": {map[string]int{"N": 9}, func(d *data) {
		line(d, "V", d.n("N"), func(i int) float64 {
			return sum(0, i+1, func(j int) float64 { return (d.at("x", j) - d.at("c", i)) * (d.at("x", j) - d.at("c", i)) })
		})
	}},
	"repeated_product": {map[string]int{"N": 9}, func(d *data) {
		line(d, "B", d.n("N"), func(i int) float64 { return fold(1, 0, i+1, times, func(int) float64 { return d.at("x", i) }) })
	}},
	"inversions": {map[string]int{"N": 9}, func(d *data) {
		d.set(sum(0, d.n("N"), func(j int) float64 {
			return sum(0, j, func(i int) float64 { return truth(d.at("A", i) > d.at("A", j)) })
		}), "count")
	}},
	"running_counts": {map[string]int{"N": 9, "K": 3}, func(d *data) {
		plane(d, "C", d.n("N"), d.n("K"), func(i, z int) float64 {
			return sum(0, i+1, func(j int) float64 { return truth(d.at("Z", j) == float64(z)) })
		})
	}},
	"nested_sums": {map[string]int{"N": 7}, func(d *data) {
		line(d, "T", d.n("N"), func(i int) float64 {
			return sum(0, i+1, func(j int) float64 { return sum(0, j+1, d.line("A")) })
		})
	}},
	"nested_max_of_sums": {map[string]int{"N": 7}, func(d *data) {
		line(d, "T", d.n("N"), func(i int) float64 {
			return most(0, i+1, func(j int) float64 { return sum(0, j+1, d.line("A")) })
		})
	}},
	"identical_rows": {map[string]int{"N": 5, "K": 4}, func(d *data) {
		plane(d, "Y", d.n("N"), d.n("K"), func(i, _ int) float64 {
			return sum(0, d.n("K"), func(k int) float64 { return d.at("X", i, k) })
		})
	}},
	"product_of_sums": {map[string]int{"N": 6}, func(d *data) {
		line(d, "S", d.n("N"), func(i int) float64 {
			return sum(0, i+1, func(j int) float64 {
				return sum(0, i+1, func(k int) float64 { return d.at("a", j) * d.at("b", k) })
			})
		})
	}},
	"min_of_sums": {map[string]int{"N": 6}, func(d *data) {
		line(d, "S", d.n("N"), func(i int) float64 {
			return least(0, i+1, func(j int) float64 {
				return least(0, i+1, func(k int) float64 { return d.at("a", j) + d.at("b", k) })
			})
		})
	}},
}

// product is an element of the product of A and B.
func (d *data) product(i, j int) float64 {
	return sum(0, d.n("K"), func(k int) float64 { return d.at("A", i, k) * d.at("B", k, j) })
}

// loops is the least energy of a loop that i and j close.
func (d *data) loops(V string, i, j int) float64 {
	return least(i+1, j, func(p int) float64 {
		return least(p+1, j, func(q int) float64 { return d.at(V, p, q) + d.at("e", p-i+j-q) })
	})
}

// box is a sum over K times K.
func (d *data) box(f func(k, l int) float64) float64 {
	return sum(0, d.n("K"), func(k int) float64 {
		return sum(0, d.n("K"), func(l int) float64 { return f(k, l) })
	})
}

// mean is that of the elements of x up to i.
func (d *data) mean(i int) float64 { return sum(0, i+1, d.line("x")) / float64(i+1) }
