package presburger

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

var bruteCases = flag.Int("brute", 300, "random cases beside the enumeration of boxes")

// A box lists the points of a random relation within -6..6 at each of atNs: what it
// is, by its own formula. Bounded relations have no others.
type box map[int64][][]int64

var atNs = []int64{-9, -2, 0, 1, 5}

func (r rel) box() box {
	b := box{}
	for _, n := range atNs {
		var x func(at []int64)
		x = func(at []int64) {
			if len(at) == r.dims() {
				if r.contains(n, at) {
					b[n] = append(b[n], slices.Clone(at))
				}
				return
			}
			for v := int64(-6); v <= 6; v++ {
				x(append(at, v))
			}
		}
		x(nil)
	}
	return b
}

func has(xs [][]int64, x []int64) bool {
	_, ok := slices.BinarySearchFunc(xs, x, slices.Compare)
	return ok
}

// of applies a function to the points at each N and puts the results in order.
func (b box) of(f func(n int64, xs [][]int64) [][]int64) box {
	out := box{}
	for _, n := range atNs {
		ys := f(n, b[n])
		slices.SortFunc(ys, slices.Compare)
		out[n] = slices.CompactFunc(ys, func(x, y []int64) bool { return slices.Equal(x, y) })
	}
	return out
}

func (b box) filter(keep func(n int64, x []int64) bool) box {
	return b.of(func(n int64, xs [][]int64) (out [][]int64) {
		for _, x := range xs {
			if keep(n, x) {
				out = append(out, x)
			}
		}
		return out
	})
}

func (b box) each(f func(x []int64) []int64) box {
	return b.of(func(_ int64, xs [][]int64) (out [][]int64) {
		for _, x := range xs {
			out = append(out, f(x))
		}
		return out
	})
}

// pairs joins every point of b with every one of c for which join is not nil.
func (b box) pairs(c box, join func(x, y []int64) []int64) box {
	return b.of(func(n int64, xs [][]int64) (out [][]int64) {
		for _, x := range xs {
			for _, y := range c[n] {
				if z := join(x, y); z != nil {
					out = append(out, z)
				}
			}
		}
		return out
	})
}

// truth is the result by the definition of the operation, for bounded operands.
func (c trial) truth() box {
	a, in := c.in[0].box(), c.in[0].in
	var b box
	if len(c.in) > 1 {
		b = c.in[1].box()
	}
	both := func(x, y []int64) []int64 { return slices.Concat(x, y) }
	switch c.op {
	case "intersect", "gist": // a gist is judged within its context
		return a.filter(func(n int64, x []int64) bool { return has(b[n], x) })
	case "union":
		return a.of(func(n int64, xs [][]int64) [][]int64 { return slices.Concat(xs, b[n]) })
	case "subtract":
		return a.filter(func(n int64, x []int64) bool { return !has(b[n], x) })
	case "coalesce", "detect_equalities":
		return a
	case "range":
		return a.each(func(x []int64) []int64 { return x[in:] })
	case "domain":
		return a.each(func(x []int64) []int64 { return x[:in] })
	case "inverse":
		return a.each(func(x []int64) []int64 { return slices.Concat(x[in:], x[:in]) })
	case "deltas":
		return a.each(func(x []int64) []int64 {
			d := make([]int64, in)
			for i := range d {
				d[i] = x[in+i] - x[i]
			}
			return d
		})
	case "apply":
		return a.pairs(b, func(x, y []int64) []int64 {
			if slices.Equal(x, y[:len(x)]) {
				return y[len(x):]
			}
			return nil
		})
	case "compose": // b first
		k := c.in[1].in
		return b.pairs(a, func(x, y []int64) []int64 {
			if slices.Equal(x[k:], y[:in]) {
				return slices.Concat(x[:k], y[in:])
			}
			return nil
		})
	case "project":
		return a.each(func(x []int64) []int64 { return slices.Delete(slices.Clone(x), c.first, c.first+c.n) })
	case "product":
		return a.pairs(b, both)
	case "lex_lt", "lex_le":
		return a.pairs(b, func(x, y []int64) []int64 {
			if d := slices.Compare(x, y); d < 0 || d == 0 && c.op == "lex_le" {
				return both(x, y)
			}
			return nil
		})
	case "identity":
		return a.each(func(x []int64) []int64 { return both(x, x) })
	case "lexmin", "lexmax":
		k := max(in, 0)
		best := func(x, y []int64) bool { // y is better than x
			d := slices.Compare(y[k:], x[k:])
			return slices.Equal(x[:k], y[:k]) && (d < 0 && c.op == "lexmin" || d > 0 && c.op == "lexmax")
		}
		return a.filter(func(n int64, x []int64) bool {
			return !slices.ContainsFunc(a[n], func(y []int64) bool { return best(x, y) })
		})
	}
	return nil
}

// answer is what a question's answer must be: yes is certain where no operand has a
// parameter; no is where it fails at one of atNs.
func (c trial) answer() (yes, certain bool) {
	a, in := c.in[0].box(), c.in[0].in
	holds := func(f func(n int64) bool) bool {
		return !slices.ContainsFunc(atNs, func(n int64) bool { return !f(n) })
	}
	param := c.in[0].param
	var b box
	if len(c.in) > 1 {
		b, param = c.in[1].box(), param || c.in[1].param
	}
	within := func(a, b box) func(n int64) bool {
		return func(n int64) bool {
			return !slices.ContainsFunc(a[n], func(x []int64) bool { return !has(b[n], x) })
		}
	}
	unique := func(key func(x []int64) []int64) func(n int64) bool {
		return func(n int64) bool {
			return len(a.each(key)[n]) == len(a[n])
		}
	}
	switch c.op {
	case "is_subset":
		yes = holds(within(a, b))
	case "is_equal":
		yes = holds(within(a, b)) && holds(within(b, a))
	case "is_empty":
		yes = holds(func(n int64) bool { return len(a[n]) == 0 })
	case "is_disjoint":
		yes = holds(func(n int64) bool { return !slices.ContainsFunc(a[n], func(x []int64) bool { return has(b[n], x) }) })
	case "is_single_valued":
		yes = holds(unique(func(x []int64) []int64 { return x[:in] }))
	case "is_injective":
		yes = holds(unique(func(x []int64) []int64 { return x[in:] }))
	case "is_bounded":
		yes = true
	}
	return yes, !yes || !param || c.op == "is_bounded"
}

// listed is the points of a result at n, both sides of a map together.
func listed(r *union.Relation, n int64) ([][]int64, error) {
	if len(r.Parts) == 0 {
		return nil, nil
	}
	r = r.FixParam("N", NewInt(n)).Each(func(p union.Part) (union.Space, []*conj.Conj) {
		return union.Space{Out: &union.Tuple{Dims: make([]string, p.Dims())}}, p.Conjs
	})
	seq, err := (Set{r}).Points()
	if err != nil {
		return nil, err
	}
	var out [][]int64
	for x := range seq {
		y := make([]int64, len(x))
		for i, v := range x {
			y[i], _ = v.Int64()
		}
		out = append(out, y)
	}
	return out, nil
}

// pointwise operations are judged within the box, whatever is outside.
func (c trial) pointwise() bool {
	return slices.Contains([]string{"intersect", "union", "subtract", "coalesce", "detect_equalities", "complement"}, c.op)
}

// clipped is a result within the box.
func (c trial) clipped(r *union.Relation) (*union.Relation, error) {
	ranges := func(n int) string { return strings.TrimSuffix(strings.Repeat("-6:6, ", n), ", ") }
	box := fmt.Sprintf("{ [%s] }", ranges(c.in[0].out))
	if c.in[0].in >= 0 {
		box = fmt.Sprintf("{ [%s] -> [%s] }", ranges(c.in[0].in), ranges(c.in[0].out))
	}
	b, _, err := notation.Parse(box)
	if err != nil {
		return nil, err
	}
	return intersect(r, b)
}

// brute says how a case differs from the truth, or "".
func (c trial) brute() string {
	s := c.setCase()
	r, b, err := evalCase(s)
	if err != nil {
		return err.Error()
	}
	if b != nil {
		if want, certain := c.answer(); *b != want && certain {
			return fmt.Sprintf("%v, want %v", *b, want)
		}
		return ""
	}
	if c.op == "gist" {
		x, _ := ParseSet(c.in[1].text)
		if r, err = intersect(r, x.r); err != nil {
			return err.Error()
		}
	}
	if c.pointwise() {
		if r, err = c.clipped(r); err != nil {
			return err.Error()
		}
	}
	want := c.truth()
	if c.op == "complement" {
		all := rel{out: c.in[0].out, contains: func(n int64, x []int64) bool { return !c.in[0].contains(n, x) }}
		want = all.box()
	}
	for _, n := range atNs {
		got, err := listed(r, n)
		if err != nil {
			return err.Error()
		}
		if !slices.EqualFunc(got, want[n], func(x, y []int64) bool { return slices.Equal(x, y) }) {
			return fmt.Sprintf("at N = %d: %v, want %v\n  of %.500s", n, got, want[n], Set{r})
		}
	}
	return ""
}

// TestBrute compares random operations on bounded sets with enumeration.
func TestBrute(t *testing.T) {
	over := 0
	if testing.Short() {
		*bruteCases = min(*bruteCases, 300)
	}
	for i := range *bruteCases {
		g := newGen(*oracleSeed+1000, uint64(i))
		g.bounded = true
		c := g.trial()
		for !g.small && c.op != "is_bounded" && slices.ContainsFunc(c.in, func(r rel) bool { return r.dims() > 4 }) {
			c = g.trial() // 13^5 points take a while
		}
		switch bad := c.brute(); bad {
		case "":
		case ErrBudget.Error():
			over++
		default:
			t.Errorf("%d %s %q: %s", i, c.op, c.setCase().Inputs, bad)
		}
	}
	t.Logf("%d cases, %d over budget", *bruteCases, over)
}
