package tensor

import (
	"math"
	"math/bits"
	"slices"
)

// A Path is the order in which an einsum takes its operands two at a time: steps, each of two numbers of operands or of
// results of earlier steps, which are numbered from the operands on. Cost is how many additions and
// multiplications that is, as numpy.einsum_path counts them.
type Path struct {
	Steps [][2]int
	Cost  float64
}

// mostExact bounds the operands for which the best order is found: 3^n pairs of sets are looked at.
const mostExact = 10

// unknownExtent is how far an index of which nothing is known is taken to run.
const unknownExtent = 64

// Path finds the order of least cost, for up to mostExact operands (dynamic programming over sets of them); of more
// the pair that costs least is taken first.
func (s *Spec) Path() Path {
	if len(s.In) > mostExact {
		return s.greedy()
	}
	n := len(s.In)
	type best struct {
		cost  float64
		split uint64
	}
	table := make([]best, 1<<n)
	for set := uint64(1); set < 1<<n; set++ {
		if bits.OnesCount64(set) == 1 {
			continue
		}
		b := best{cost: math.Inf(1)}
		for part := (set - 1) & set; part > set&^part; part = (part - 1) & set {
			if c := table[part].cost + table[set&^part].cost + s.pairCost(part, set&^part); c < b.cost {
				b = best{c, part}
			}
		}
		table[set] = b
	}
	p := Path{Cost: table[1<<n-1].cost}
	var walk func(set uint64) int
	walk = func(set uint64) int {
		if bits.OnesCount64(set) == 1 {
			return bits.TrailingZeros64(set)
		}
		x := table[set].split
		a, b := walk(x), walk(set&^x)
		p.Steps = append(p.Steps, [2]int{a, b})
		return n + len(p.Steps) - 1
	}
	walk(1<<n - 1)
	return p
}

// greedy takes the cheapest pair, again and again.
func (s *Spec) greedy() (p Path) {
	type part struct {
		set uint64
		at  int
	}
	var parts []part
	for i := range s.In {
		parts = append(parts, part{1 << i, i})
	}
	for len(parts) > 1 {
		least, x, y := math.Inf(1), 0, 1
		for i := range parts {
			for j := range i {
				if c := s.pairCost(parts[i].set, parts[j].set); c < least {
					least, x, y = c, j, i
				}
			}
		}
		p.Cost += least
		p.Steps = append(p.Steps, [2]int{parts[x].at, parts[y].at})
		parts[x] = part{parts[x].set | parts[y].set, len(s.In) + len(p.Steps) - 1}
		parts = slices.Delete(parts, y, y+1)
	}
	return p
}

// indices are those that operands have, a bit each.
func (s *Spec) indices(set uint64) (out uint64) {
	for i, in := range s.In {
		if set&(1<<i) != 0 {
			for _, x := range in {
				if x != Stretched {
					out |= 1 << x
				}
			}
		}
	}
	return out
}

// Left are the indices that the product of some operands has, a bit each: those that others or the result
// have too.
func (s *Spec) Left(set uint64) uint64 {
	rest := s.indices(^set)
	for _, x := range s.Out {
		rest |= 1 << x
	}
	return s.indices(set) & rest
}

// pairCost is what the product of two sets of operands costs, each of which is one tensor by then.
func (s *Spec) pairCost(a, b uint64) float64 {
	both := s.Left(a) | s.Left(b)
	if bits.OnesCount64(a) == 1 {
		both |= s.indices(a)
	}
	if bits.OnesCount64(b) == 1 {
		both |= s.indices(b)
	}
	size := 1.0
	for x, n := range s.Extents {
		if both&(1<<x) != 0 {
			if n < 0 {
				n = unknownExtent
			}
			size *= float64(n)
		}
	}
	if s.Left(a|b) != both {
		size *= 2 // sums
	}
	return size
}
