package polyhedral

import (
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// directRows are the rows of a tile whose factors are read where they are.
const directRows = 8

// leastShared is how many products cores share, which one does in some twenty microseconds: others take about as long to begin.
const leastShared = 1 << 20

// isDirect reports a product of matrices whose factors can be read where they are, in any tile: one element each, those
// of b side by side where j grows, and coordinates that do not depend on one another.
func (c *contraction) isDirect() bool {
	if c.before || len(c.terms) != 1 {
		return false
	}
	if !c.isProduct() {
		return false
	}
	a, b := c.readOf(c.terms[0].a), c.readOf(c.terms[0].b)
	if a < 0 || b < 0 || !isDense(c.st.Reads[b].Array) {
		return false
	}
	rows, ok := linear(c.st.Reads[b].Map)
	if !ok || len(rows) == 0 {
		return false
	}
	if all, err := c.st.Domain.IsSubset(c.st.Reads[b].Map.Domain()); err != nil || !all {
		return false
	}
	last := rows[len(rows)-1]
	return last[c.j] == 1 && last[c.k] == 0 && used(rows[:len(rows)-1])&(1<<c.j) == 0
}

// isProduct reports coordinates that do not depend on one another.
func (c *contraction) isProduct() bool {
	for _, r := range c.conditions.Ge {
		coords := 0
		for d := range 3 {
			coords += bits.OnesCount8(uint8(abs(r[1+len(c.conditions.Params)+d].Sign())))
		}
		if coords > 1 {
			return false
		}
	}
	return true
}

func abs(x int) int { return max(x, -x) }

// readOf is which read one factor is, or -1.
func (c *contraction) readOf(factors []ir.Node) int {
	if len(factors) != 1 {
		return -1
	}
	if at := slices.Index(c.st.Node.Region(0).Params(), factors[0]); at >= 3 {
		return at - 3
	}
	return -1
}

// isSmall tests that a product is of so few elements that all stay in the second cache: to pack them would take longer
// than it gains.
func (k *kernel) isSmall(all [3]span) ir.Value {
	var sizes [3]ir.Value
	for d, s := range all {
		sizes[d] = k.Sub(s.end, s.from)
	}
	elements := k.B.Index(0)
	for d := range sizes {
		elements = arith.AddI(k.B, elements, arith.MulI(k.B, sizes[d], sizes[(d+1)%3]))
	}
	return k.less(elements, k.B.Index(k.small))
}

// direct makes the loops over tiles whose factors are read where they are. The last tile of a column has fewer rows: it
// computes its last one several times, and stores it once.
func (k *kernel) direct(all [3]span) {
	products := k.B.Index(1)
	for _, s := range all {
		products = arith.MulI(k.B, products, k.Sub(s.end, s.from))
	}
	wide := k.Sub(all[k.j].end, all[k.j].from)
	part := arith.Choose(k.B, k.less(products, k.B.Index(leastShared)), wide, k.B.Index(k.columns))
	k.share(all[k.j], part, func(from ir.Value) {
		k.each(span{from, k.min(all[k.j].end, arith.AddI(k.B, from, part))}, k.columns, func(j ir.Value) { k.directColumns(all, j) })
	})
}

// directColumns makes the tiles of some columns.
func (k *kernel) directColumns(all [3]span, j ir.Value) {
	have := k.Sub(all[k.j].end, j)
	full := arith.CmpI(k.B, arith.SGE, have, k.B.Index(k.columns))
	scf.BuildIf(k.B, full, func() []ir.Value {
		k.directTiles(all, j, nil)
		return nil
	}, func() []ir.Value {
		masks := make([]ir.Value, k.vectors)
		for v := range masks {
			masks[v] = k.B.Must(ir.Call{Def: vector.CreateMask, Args: []ir.Value{k.add(have, -int64(v)*k.lanes)}, Type: k.B.Ctx().Vector([]int64{k.lanes}, ir.I1)})
		}
		k.directTiles(all, j, masks)
		return nil
	})
}

// directTiles makes the loop over the tiles of some columns, of which masks, if there are any, say which there are.
func (k *kernel) directTiles(all [3]span, j ir.Value, masks []ir.Value) {
	columns := make([]ir.Value, k.vectors)
	for v := range columns {
		columns[v] = k.add(j, int64(v)*k.lanes)
	}
	a, b := k.readOf(k.terms[0].a), k.readOf(k.terms[0].b)
	k.each(all[k.i], directRows, func(i ir.Value) {
		rows := make([]ir.Value, directRows)
		for r := range rows {
			rows[r] = k.min(k.add(i, int64(r)), k.add(all[k.i].end, -1))
		}
		loop := scf.BuildFor(k.B, all[k.k].from, all[k.k].end, k.B.Index(1), k.nothing(directRows), func(at ir.Value, sums []ir.Value) []ir.Value {
			out := slices.Clone(sums)
			right := make([]ir.Value, k.vectors)
			for v := range right {
				right[v] = k.columnsOf(k.st.Reads[b], k.coords(rows[0], columns[v], at), masks, v)
			}
			for r := range rows {
				left := k.broadcast(k.load(access{k.st, a}, k.coords(rows[r], j, at)))
				for v := range right {
					n := r*len(right) + v
					out[n] = k.plus(out[n], k.times(left, right[v]))
				}
			}
			return out
		})
		for r := range rows {
			scf.BuildIf(k.B, k.less(k.add(i, int64(r)), all[k.i].end), func() []ir.Value {
				for v := range columns {
					k.addColumns(rows[r], columns[v], k.B.Result(loop, r*len(columns)+v), masks, v)
				}
				return nil
			}, nil)
		}
	})
}

// columnsOf loads a vector of what the instances from one on read.
func (k *kernel) columnsOf(r poly.Access, coords []ir.Value, masks []ir.Value, v int) ir.Value {
	index, err := k.element(r.Array, r.Map, k.st.Domain, coords)
	if err != nil {
		k.reason = err
	}
	return k.loadMasked(k.memory[r.Array].memory, index, masks, v)
}

// addColumns adds sums to a vector of the target.
func (k *kernel) addColumns(row, column, sums ir.Value, masks []ir.Value, v int) {
	index, memory := k.target(row, column), k.memory[k.st.Target].memory
	old := k.loadMasked(memory, index, masks, v)
	new := k.plus(old, sums)
	if k.terms[0].negative {
		new = arith.Float(k.B, arith.Subf, k.sumFlag, old, sums)
	}
	if masks == nil {
		k.storeVector(new, memory, index)
		return
	}
	k.B.OpAttr(vector.MaskedStore, k.inside, append(append([]ir.Value{memory}, index...), masks[v], new)...)
}

func (k *kernel) loadMasked(memory ir.Value, index, masks []ir.Value, v int) ir.Value {
	if masks == nil {
		return k.loadVector(memory, index)
	}
	args := append(append([]ir.Value{memory}, index...), masks[v], arith.Zero(k.B, k.vector))
	return k.B.Must(ir.Call{Def: vector.MaskedLoad, Args: args, Attr: k.inside, Type: k.vector})
}
