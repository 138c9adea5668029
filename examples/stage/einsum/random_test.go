package einsum

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/tools/stage"
)

var (
	programs = flag.Int("programs", 20, "random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

// A node is a statement of a random program.
type node struct {
	what       string // set, add, region, if, loop
	left       access
	right      []access
	number     int // a factor of the right side, the bit of a condition, or the rounds of a loop
	body, more []node
}

// An access is an element of a tensor.
type access struct {
	tensor int
	sub    []any
}

var shapes = [][]int{{2, 3}, {3, 5}, {2, 5}, {3}, {5, 2}}

// element picks a tensor and indices for it, one of two for each size.
func element(r *rand.Rand) access {
	a := access{tensor: r.IntN(len(shapes))}
	for _, n := range shapes[a.tensor] {
		a.sub = append(a.sub, Index(fmt.Sprint("i", n, r.IntN(2))))
	}
	return a
}

// statements makes some; what is there says how deep they are.
func statements(r *rand.Rand, deep int, inside bool) (out []node) {
	for range 1 + r.IntN(2) {
		switch pick := r.IntN(10); {
		case pick < 5 || deep == 0:
			n := node{what: "set", left: element(r), number: r.IntN(3) - 1}
			if r.IntN(3) == 0 {
				n.what = "add"
			}
			if r.IntN(4) == 0 {
				n.left.sub[0] = r.IntN(shapes[n.left.tensor][0])
			}
			for range r.IntN(3) {
				if a := element(r); a.tensor != n.left.tensor {
					n.right = append(n.right, a)
				}
			}
			out = append(out, n)
		case pick < 8 && !inside:
			out = append(out, node{what: "region", body: statements(r, deep-1, true)})
		case pick == 8:
			out = append(out, node{what: "loop", number: r.IntN(3), body: statements(r, deep-1, inside)})
		default:
			out = append(out, node{what: "if", number: r.IntN(3), body: statements(r, deep-1, inside), more: statements(r, deep-1, inside)})
		}
	}
	return out
}

// staged stages a program; conditions are bits of a number.
func staged(list []node) any {
	return func(s *stage.S, a, b, c, d, f slice, bits stage.Dyn[int]) {
		Run(s, func(e *E) {
			var tensors []*Tensor
			for n := range stage.Range(s, len(shapes)) {
				tensors = append(tensors, e.Over(fmt.Sprint("T", n), []slice{a, b, c, d, f}[n], shapes[n]...))
			}
			e.run(list, tensors, bits)
		})
	}
}

func (e *E) run(list []node, tensors []*Tensor, bits stage.Dyn[int]) {
	for at := range stage.Range(e.S, len(list)) {
		switch n := list[at]; n.what {
		case "region":
			e.OnDevice(func() { e.run(n.body, tensors, bits) })
		case "if":
			if e.If(bits.Shr(n.number).And(1).Eq(1)) {
				e.run(n.body, tensors, bits)
			} else {
				e.run(n.more, tensors, bits)
			}
		case "loop":
			k := stage.Var[int](e.S, "round", 0)
			for e.While(k.Lt(n.number)) {
				e.run(n.body, tensors, bits)
				k.Set(k.Add(1))
			}
		default:
			var more []any
			for _, a := range n.right {
				more = append(more, tensors[a.tensor].At(a.sub...))
			}
			to, y := tensors[n.left.tensor].At(n.left.sub...), e.Mul(n.number, more...)
			if n.what == "add" {
				to.Add(y)
			} else {
				to.Set(y)
			}
		}
	}
}

// A machine runs programs on values, with a bit for each tensor and side that says where its elements are. A tensor moves when it
// is used where it is not.
type machine struct {
	values [][]float32
	on     [][2]bool
	side   int
	counts transfers.Counts
	parts  bool // the device has set parts of tensors
}

func newMachine() *machine {
	m := &machine{}
	for _, dims := range shapes {
		size := 1
		for _, n := range dims {
			size *= n
		}
		m.values = append(m.values, make([]float32, size))
		for p := range size {
			m.values[len(m.on)][p] = float32(p%3 - 1)
		}
		m.on = append(m.on, [2]bool{true, false})
	}
	return m
}

func (m *machine) need(tensor int) {
	if m.on[tensor][m.side] {
		return
	}
	to := []*transfers.Moved{&m.counts.Out, &m.counts.In}[m.side]
	to.Copies++
	to.Bytes += int64(4 * len(m.values[tensor]))
	m.on[tensor][m.side] = true
}

func (m *machine) run(list []node, bits int) {
	for _, n := range list {
		switch n.what {
		case "region":
			m.side = 1
			m.run(n.body, bits)
			m.side = 0
		case "if":
			if bits>>n.number&1 == 1 {
				m.run(n.body, bits)
			} else {
				m.run(n.more, bits)
			}
		case "loop":
			for range n.number {
				m.run(n.body, bits)
			}
		default:
			m.set(n)
		}
	}
}

func (a access) place(at map[Index]int) int {
	p := 0
	for d, x := range a.sub {
		k, ok := x.(int)
		if !ok {
			k = at[x.(Index)]
		}
		p = p*shapes[a.tensor][d] + k
	}
	return p
}

func (m *machine) set(n node) {
	whole, left, seen := true, []Index{}, map[Index]bool{}
	for _, x := range n.left.sub {
		i, ok := x.(Index)
		if whole = whole && ok && !seen[i]; ok && !seen[i] {
			left = append(left, i)
		}
		seen[i] = seen[i] || ok
	}
	for _, a := range n.right {
		m.need(a.tensor)
	}
	if n.what == "add" || !whole {
		m.need(n.left.tensor)
	}
	m.on[n.left.tensor] = [2]bool{m.side == 0, m.side == 1}
	if m.side == 1 {
		m.counts.Launches++
		m.parts = m.parts || !whole
	}
	var sums []Index
	for _, a := range n.right {
		for _, x := range a.sub {
			if i, ok := x.(Index); ok && !seen[i] {
				sums, seen[i] = append(sums, i), true
			}
		}
	}
	at := map[Index]int{}
	each(left, at, func() {
		total := float32(0)
		each(sums, at, func() {
			x := float32(n.number)
			for _, a := range n.right {
				x *= m.values[a.tensor][a.place(at)]
			}
			total += x
		})
		p := &m.values[n.left.tensor][n.left.place(at)]
		if n.what == "add" {
			total += *p
		}
		*p = total
	})
}

// each runs over all values of indices, whose sizes are in their names.
func each(over []Index, at map[Index]int, f func()) {
	if len(over) == 0 {
		f()
		return
	}
	for v := range int(over[0][1] - '0') {
		at[over[0]] = v
		each(over[1:], at, f)
	}
}

// Programs compute what they say, and move what the bits of a machine say that runs the same path.
func TestRandom(t *testing.T) {
	for n := range *programs {
		seed := *seed + uint64(n)
		r := rand.New(rand.NewPCG(seed, 0))
		list := statements(r, 3, false)
		g, _ := module(t, staged(list))
		for bits := range 8 {
			m := newMachine()
			got := newMachine().values
			m.run(list, bits)
			for tensor := range shapes {
				m.need(tensor)
			}
			counts := moved(t, g, got, uint64(bits))
			if m.parts { // the rest moves with them
				counts.In.Needless, counts.Out.Needless = 0, 0
			}
			if fmt.Sprint(got) != fmt.Sprint(m.values) || counts != m.counts {
				t.Fatalf("seed %d, conditions %d: %v, %v; want %v, %v\n%+v", seed, bits, got, counts, m.values, m.counts, list)
			}
		}
	}
	t.Logf("%d programs", *programs)
}
