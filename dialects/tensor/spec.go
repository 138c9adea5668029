package tensor

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A Spec is what an einsum sums: the indices of the dimensions of its operands and of its result, as
// numbers. Extents says of each index how far it runs, Dynamic where that is open.
type Spec struct {
	In      [][]int // of each operand; Stretched is a dimension of extent 1 that is stretched
	Out     []int
	Names   []string // of the indices
	Extents []int64
}

// Stretched is a dimension of which the only element is used at all places.
const Stretched = -1

// ParseSpec reads a spec of operands with the given shapes. The error completes "has a spec that".
func ParseSpec(spec string, shapes ...[]int64) (*Spec, error) {
	left, right, ok := strings.Cut(strings.ReplaceAll(spec, " ", ""), "->")
	if !ok {
		return nil, fmt.Errorf("has no \"->\", behind which stand the indices that are kept: \"ij,jk->ik\"")
	}
	terms := strings.Split(left, ",")
	if len(terms) != len(shapes) {
		return nil, fmt.Errorf("names the indices of %d operands, of which there are %d", len(terms), len(shapes))
	}
	p := &specReader{s: &Spec{}, byName: map[string]int{}}
	for i, t := range terms {
		if err := p.operand(i, t, shapes[i]); err != nil {
			return nil, err
		}
	}
	if err := p.result(right); err != nil {
		return nil, err
	}
	return p.s, nil
}

// specReader reads a spec. The dimensions that `...` stands for are named after their place from the
// last: ...0, ...1.
type specReader struct {
	s      *Spec
	byName map[string]int
	first  []int // the operand that said the extent of an index
	rest   int   // the most dimensions that `...` stands for
}

func (p *specReader) index(name string) int {
	i, ok := p.byName[name]
	if !ok {
		i = len(p.s.Names)
		p.byName[name] = i
		p.s.Names, p.s.Extents, p.first = append(p.s.Names, name), append(p.s.Extents, ir.Dynamic), append(p.first, -1)
	}
	return i
}

// letters splits a term at `...`: what stands before and behind, and whether it is there.
func letters(term string) (before, behind string, rest bool, err error) {
	before, behind, rest = strings.Cut(term, "...")
	for _, r := range before + behind {
		if r < 'A' || r > 'z' || r > 'Z' && r < 'a' {
			return "", "", false, fmt.Errorf("has %q for an index; indices are letters", r)
		}
	}
	return before, behind, rest, nil
}

// operand reads the indices of an operand.
func (p *specReader) operand(i int, term string, shape []int64) error {
	before, behind, rest, err := letters(term)
	if err != nil {
		return err
	}
	named := len(before) + len(behind)
	if named > len(shape) || !rest && named != len(shape) {
		return fmt.Errorf("names %d indices, %q, for the %d dimensions of operand #%d", named, term, len(shape), i)
	}
	var names []string
	for _, r := range before {
		names = append(names, string(r))
	}
	n := len(shape) - named
	p.rest = max(p.rest, n)
	for k := range n {
		names = append(names, fmt.Sprintf("...%d", n-1-k))
	}
	for _, r := range behind {
		names = append(names, string(r))
	}
	in := make([]int, len(shape))
	for d, name := range names {
		x := p.index(name)
		switch n, ok := agreed(p.s.Extents[x], shape[d]); {
		case len(name) > 1 && shape[d] == 1:
			x = Stretched
		case !ok:
			return fmt.Errorf("runs index %s up to %d in operand #%d and to %d in operand #%d", name, p.s.Extents[x], p.first[x], shape[d], i)
		default:
			if p.s.Extents[x] == ir.Dynamic {
				p.first[x] = i
			}
			p.s.Extents[x] = n
		}
		in[d] = x
	}
	p.s.In = append(p.s.In, in)
	return nil
}

// result reads the indices that are kept.
func (p *specReader) result(term string) error {
	before, behind, rest, err := letters(term)
	if err != nil {
		return err
	}
	if !rest && p.rest > 0 {
		return fmt.Errorf("has `...` for operands, and not for the result")
	}
	add := func(name string) error {
		x, ok := p.byName[name]
		if !ok {
			return fmt.Errorf("keeps index %s, which no operand has", name)
		}
		if slices.Contains(p.s.Out, x) {
			return fmt.Errorf("keeps index %s twice", name)
		}
		p.s.Out = append(p.s.Out, x)
		return nil
	}
	for _, r := range before {
		if err := add(string(r)); err != nil {
			return err
		}
	}
	for k := range p.rest {
		name := fmt.Sprintf("...%d", p.rest-1-k)
		x := p.index(name)
		if !slices.ContainsFunc(p.s.In, func(in []int) bool { return slices.Contains(in, x) }) {
			p.s.Extents[x] = 1 // all are 1: one of them has it
			for _, in := range p.s.In {
				if at := slices.Index(in, Stretched); at >= 0 {
					in[at] = x
					break
				}
			}
		}
		p.s.Out = append(p.s.Out, x)
	}
	for _, r := range behind {
		if err := add(string(r)); err != nil {
			return err
		}
	}
	return nil
}

// Shape are the extents of some indices.
func (s *Spec) Shape(of []int) []int64 {
	return lists.Map(of, func(x int) int64 { return s.Extents[x] })
}

// Kept are the extents of the result.
func (s *Spec) Kept() []int64 { return s.Shape(s.Out) }

// Summed lists the indices that the result does not have.
func (s *Spec) Summed() (out []int) {
	for x := range s.Names {
		if !slices.Contains(s.Out, x) {
			out = append(out, x)
		}
	}
	return out
}

// A Part is which tensors of an einsum of two operands have an index.
type Part uint8

// The parts of a product of matrices; an index may be in other tensors, too: of one operand and not of the result, say.
const (
	inFirst Part = 1 << iota
	inSecond
	inResult

	Rows    = inFirst | inResult
	Columns = inSecond | inResult
	Sums    = inFirst | inSecond
	Batches = inFirst | inSecond | inResult
)

// Part is that of an index of a spec of two operands.
func (s *Spec) Part(x int) (p Part) {
	for i, list := range [][]int{s.In[0], s.In[1], s.Out} {
		if slices.Contains(list, x) {
			p |= 1 << i
		}
	}
	return p
}

// A Product is an einsum of two operands as a product of matrices: its indices by their parts. Columns are those of the part that
// the last index of the result has: vectors go along them.
type Product struct {
	RowOperand                   int   // which operand has the rows; -1 if the last index is of batches: the first
	Batches, Rows, Columns, Sums []int // in the order of their names
	Own                          []int // of one operand alone, to be summed over before
}

// Product is that of a spec of two operands.
func (s *Spec) Product() Product {
	p := Product{RowOperand: -1}
	to := map[Part]*[]int{Batches: &p.Batches, Rows: &p.Rows, Columns: &p.Columns, Sums: &p.Sums, inFirst: &p.Own, inSecond: &p.Own}
	if n := len(s.Out); n > 0 {
		switch s.Part(s.Out[n-1]) {
		case Columns:
			p.RowOperand = 0
		case Rows:
			p.RowOperand, to[Rows], to[Columns] = 1, &p.Columns, &p.Rows
		}
	}
	for x := range s.Names {
		if list := to[s.Part(x)]; list != nil {
			*list = append(*list, x)
		}
	}
	return p
}

// IsProduct reports indices of rows, of columns and of sums.
func (s *Spec) IsProduct() bool {
	p := s.Product()
	return min(len(p.Rows), len(p.Columns), len(p.Sums)) > 0
}

// IsPlain reports an operand, or a result, without diagonals and stretched dimensions.
func IsPlain(in []int) bool {
	for at, x := range in {
		if x == Stretched || slices.Contains(in[:at], x) {
			return false
		}
	}
	return true
}

// String spells the spec with a letter for each index; a stretched dimension has one of its own.
func (s *Spec) String() string {
	next := len(s.Names)
	term := func(in []int) string {
		out := ""
		for _, x := range in {
			if x == Stretched {
				x = next
				next++
			}
			out += letter(x)
		}
		return out
	}
	terms := lists.Map(s.In, term)
	return strings.Join(terms, ",") + "->" + term(s.Out)
}

const alphabet = "ijklmnopqrstuvwxyzabcdefghIJKLMNOPQRSTUVWXYZABCDEFGH"

func letter(x int) string { return alphabet[x%len(alphabet) : x%len(alphabet)+1] }

// SpecOf is the spec of an einsum. The type of its result may say extents that those of its operands leave open.
func SpecOf(g *ir.Graph, v ir.Value) *Spec {
	shapes := lists.Map(g.Args(v), func(a ir.Value) []int64 { return Shape(g.Ctx, g.Type(a)) })
	s, err := ParseSpec(g.Ctx.AttrInfo(g.Attr(v, "spec")).Str, shapes...)
	if err != nil {
		panic("ten.einsum: " + err.Error()) // inferEinsum has read it
	}
	for d, n := range Shape(g.Ctx, g.Type(v)) {
		if x := s.Out[d]; s.Extents[x] == ir.Dynamic {
			s.Extents[x] = n
		}
	}
	return s
}

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

// Remaining are the indices that the product of some operands has, a bit each: those that others or the result
// have too.
func (s *Spec) Remaining(set uint64) uint64 {
	rest := s.indices(^set)
	for _, x := range s.Out {
		rest |= 1 << x
	}
	return s.indices(set) & rest
}

// pairCost is what the product of two sets of operands costs, each of which is one tensor by then.
func (s *Spec) pairCost(a, b uint64) float64 {
	both := s.Remaining(a) | s.Remaining(b)
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
	if s.Remaining(a|b) != both {
		size *= 2 // sums
	}
	return size
}
