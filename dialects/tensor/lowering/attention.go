package lowering

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An attention is a product of the softmax of scores with values, where the scores are a product that nothing else uses, scaled and
// masked by maps. It needs no memory for all scores: blocks of them are made, and added to the result with the sum and the greatest
// element so far of their row, by which the result is scaled whenever that changes, and divided at the end (Milakov and Gimelshein 2018,
// "Online normalizer calculation for softmax"; Dao and others 2022, "FlashAttention").
//
// It is legal because sums of floats may be taken in any order and products be fused with them: what differs from softmax and product
// one after the other is that elements are divided by their sum after the product, and scaled once a block. Each rounds once more.
type attention struct {
	product, softmax, scores ir.Node // of the softmax with the values, and of what the scores are made of
	between                  []ir.Node
	s1, s2                   *tensor.Spec // of scores and product
	p                        int          // which operand of the product the softmax is
	row, column              int          // of s2: the index of rows, and that of what is summed up
	dim                      int          // of the softmax, which is that of column
	rowDim                   int
}

// blockRows and blockColumns are those of a block of scores: it stays in the second cache with what it is multiplied with.
const blockRows, blockColumns = 256, 512

// attentionOf finds the attention that ends in an einsum, if it does.
func (p *plan) attentionOf(n ir.Node) *attention {
	if n.Def() != tensor.Einsum {
		return nil
	}
	a, ok := p.attentions[n.Old()]
	if !ok {
		if a = p.findAttention(n); a != nil {
			p.absorbed[a.softmax.Old()], p.absorbed[a.scores.Old()] = true, true
			for _, b := range a.between {
				p.absorbed[b.Old()] = true
			}
		}
		p.attentions[n.Old()] = a
	}
	return a
}

// mostBetween bounds the maps between scores and softmax.
const mostBetween = 16

// isAbsorbed reports an op that is part of an attention, and not the last of it.
func (p *plan) isAbsorbed(n ir.Node) bool {
	for u, steps := n, 0; u.NumUses() == 1 && steps < mostBetween; steps++ {
		u = u.Users()[0]
		if k := kindOf(u); u.Def() == tensor.Einsum {
			p.attentionOf(u)
			break
		} else if k != mapped && u.Def() != tensor.Softmax {
			break
		}
	}
	return p.absorbed[n.Old()]
}

// alone reports an op that one other uses, in the same region.
func (p *plan) alone(n, user ir.Node) bool {
	return n.NumUses() == 1 && p.together(n, []ir.Node{user})
}

func (p *plan) findAttention(n ir.Node) *attention {
	a := &attention{product: n, s2: tensor.SpecOf(n.Graph(), n.Old())}
	if n.NumArgs() != 2 {
		return nil
	}
	if a.p = slices.IndexFunc(n.Args(), func(x ir.Node) bool { return x.Def() == tensor.Softmax && p.alone(x, n) }); a.p < 0 {
		return nil
	}
	a.softmax = n.Arg(a.p)
	if a.dim = dimOf(a.softmax); !p.findScores(a, a.softmax.Arg(0), a.softmax) || !a.sameElem() || !a.readProduct() || !a.readScores() {
		return nil
	}
	return a
}

// findScores goes from the softmax up through maps that keep the shape to the product.
func (p *plan) findScores(a *attention, n, user ir.Node) bool {
	c := n.Graph().Ctx
	if !p.alone(n, user) || !slices.Equal(tensor.Shape(c, n.Type()), tensor.Shape(c, a.softmax.Type())) {
		return false
	}
	if n.Def() == tensor.Einsum && n.NumArgs() == 2 {
		a.scores, a.s1 = n, tensor.SpecOf(n.Graph(), n.Old())
		return true
	}
	if kindOf(n) != mapped {
		return false
	}
	for _, x := range n.Args() {
		if tensor.Takes(c, x.Type()) && p.findScores(a, x, n) {
			a.between = append(a.between, n)
			return true
		}
	}
	return false
}

// sameElem: all are of the f32 or f64 that contractions are summed up in.
func (a *attention) sameElem() bool {
	c := a.product.Graph().Ctx
	elem := tensor.Elem(c, a.product.Type())
	for _, n := range slices.Concat([]ir.Node{a.softmax, a.scores}, a.product.Args(), a.scores.Args()) {
		if tensor.Elem(c, n.Type()) != elem {
			return false
		}
	}
	return elem == ir.F32 || elem == ir.F64
}

// readProduct: the last index of the softmax is summed up, the others are kept; one of them is of rows, and the last of the result of
// columns.
func (a *attention) readProduct() bool {
	in, values, p := a.s2.In[a.p], a.s2.In[1-a.p], a.s2.Product()
	a.column = in[a.dim]
	for d, x := range in {
		if slices.Contains(p.Rows, x) {
			a.row, a.rowDim = x, d
		}
	}
	return tensor.IsPlain(in) && tensor.IsPlain(values) && p.RowOperand == a.p && len(p.Rows) > 0 && len(p.Own) == 0 && slices.Equal(p.Sums, []int{a.column})
}

// readScores: rows are of one factor, columns of the other, and both have what is summed over.
func (a *attention) readScores() bool {
	s := a.s1
	i, j := s.Out[a.rowDim], s.Out[a.dim]
	p := s.Product()
	return s.Part(i)^s.Part(j) == tensor.Rows^tensor.Columns && len(p.Sums) > 0 && len(p.Own) == 0
}

// A block is the loops of an attention on their way, at one place of the other indices.
type block struct {
	down
	*attention
	first, second *nesting
	mem           ir.Value // the result
	scores        ir.Value // memory of a block of scores
	most, sums    ir.Value // of each row
	rows, columns ir.Value // where the block begins
	height, width []affine.Point
	elem          ir.Type
	several       bool // blocks of columns
	tall, wide    int64
	local         [2]ir.Value // the place in the block
}

// fillAttention makes the loops: over the other indices, blocks of rows, and blocks of columns.
func (d down) fillAttention(a *attention, mem ir.Value) {
	b := &block{down: d, attention: a, first: d.nesting(a.scores, a.s1), second: d.nesting(a.product, a.s2), mem: mem, elem: d.info(a.product).Elem}
	b.override[a.scores.Old()] = func() ir.Value { return b.load(b.scores, b.local[:]) }
	b.override[a.softmax.Old()] = b.override[a.scores.Old()]
	defer delete(b.override, a.scores.Old())
	defer delete(b.override, a.softmax.Old())
	d.e.Remark(a.product, "attention: blocks of scores are made where they are used, with the greatest and the sum of the exponentials of each row so far; there is no memory for all scores")
	in := a.s2.In[a.p]
	others := slices.DeleteFunc(slices.Clone(in), func(x int) bool { return x == a.row || x == a.column })
	b.second.loops(others, func() {
		for _, x := range others {
			b.set(x, b.second.index[x])
		}
		b.rowBlocks()
	})
}

// set sets an index that the softmax has.
func (b *block) set(x int, i ir.Value) {
	b.second.index[x] = i
	b.first.index[b.s1.Out[slices.Index(b.s2.In[b.p], x)]] = i
}

// blocksOf runs body for blocks of an index: where they begin, and how many it has.
func (b *block) blocksOf(x int, size int64, body func(from ir.Value, count []affine.Point)) {
	axis := b.second.axes[x]
	if axis.static != ir.Dynamic && axis.static <= size {
		body(b.B.Index(0), []affine.Point{affine.Number(axis.static)})
		return
	}
	b.loopTo(0, size, []affine.Point{affine.Just(axis.extent)}, nil, func(from ir.Value, _ []ir.Value) []ir.Value {
		count := []affine.Point{affine.Number(size)}
		if axis.static == ir.Dynamic || axis.static%size != 0 {
			left, _ := affine.Just(axis.extent).Plus(-1, affine.Just(from))
			count = append(count, left)
		}
		body(from, count)
		return nil
	})
}

// rowBlocks makes the loop over blocks of rows.
func (b *block) rowBlocks() {
	b.tall, b.wide = b.sizeOf(b.row, blockRows), b.sizeOf(b.column, blockColumns)
	b.several = b.second.axes[b.column].static != b.wide
	b.blocksOf(b.row, blockRows, func(from ir.Value, count []affine.Point) {
		c := b.B.Ctx()
		b.rows, b.height = from, count
		b.scores = b.alloc(c.Tensor([]int64{b.tall, b.wide}, b.elem), nil)
		b.sums = b.alloc(c.Tensor([]int64{b.tall}, b.elem), nil)
		b.each(b.height, func(r ir.Value) { b.begin(r) })
		if b.several {
			b.most = b.alloc(c.Tensor([]int64{b.tall}, b.elem), nil)
			b.each(b.height, func(r ir.Value) {
				b.store(arith.ConstFloat(b.B, b.elem, gomath.Inf(-1)), b.most, []ir.Value{r})
				b.store(arith.Zero(b.B, b.elem), b.sums, []ir.Value{r})
			})
		}
		b.blocksOf(b.column, blockColumns, func(from ir.Value, count []affine.Point) {
			b.columns, b.width = from, count
			b.makeScores()
			b.each(b.height, b.exponentials)
			b.add()
		})
		b.each(b.height, func(r ir.Value) {
			sum := b.load(b.sums, []ir.Value{r})
			b.ofRow(r, func(old ir.Value) ir.Value { return arith.DivF(b.B, old, sum) })
		})
	})
}

func (b *block) sizeOf(x int, most int64) int64 {
	if n := b.second.axes[x].static; n != ir.Dynamic && n < most {
		return n
	}
	return most
}

// atRow and atColumn are the indices of a place in the block.
func (b *block) atRow(r ir.Value) {
	b.local[0] = r
	b.set(b.row, b.plus(b.rows, 1, r))
}

func (b *block) atColumn(j ir.Value) {
	b.local[1] = j
	b.set(b.column, b.plus(b.columns, 1, j))
}

// values are the indices of the result that the softmax has not.
func (b *block) ownOfValues() []int {
	return lists.Filter(b.s2.Out, func(x int) bool { return !slices.Contains(b.s2.In[b.p], x) })
}

// ofRow replaces the elements of a row of the result.
func (b *block) ofRow(r ir.Value, by func(old ir.Value) ir.Value) {
	b.atRow(r)
	b.second.loops(b.ownOfValues(), func() {
		at := b.second.at(b.s2.Out)
		b.store(by(b.load(b.mem, at)), b.mem, at)
	})
}

// begin makes a row of the result zeros.
func (b *block) begin(r ir.Value) {
	b.atRow(r)
	b.second.loops(b.ownOfValues(), func() { b.store(arith.Zero(b.B, b.elem), b.mem, b.second.at(b.s2.Out)) })
}

// makeScores makes the products of a block.
func (b *block) makeScores() {
	b.each(b.height, func(r ir.Value) {
		b.each(b.width, func(j ir.Value) { b.store(arith.Zero(b.B, b.elem), b.scores, []ir.Value{r, j}) })
	})
	over := b.first.summed()
	k := b.first.longest(over)
	b.first.loops(slices.DeleteFunc(over, func(x int) bool { return x == k }), func() {
		b.sumUp(sums{rows: b.height, columns: b.width, depth: upTo(b.first.axes[k].extent), mem: b.scores,
			open: func(r, j ir.Value) []ir.Value { b.atRow(r); b.atColumn(j); return []ir.Value{r, j} },
			term: func(_, _, i ir.Value) ir.Value { b.first.index[k] = i; return b.first.product() }})
	})
}

// score is what the maps make of a product.
func (b *block) score() ir.Value {
	return b.element(b.softmax.Arg(0), b.second.at(b.s2.In[b.p]))
}

// exponentials makes those of a row less its greatest score, and brings what there is of the row so far to that. As long as all
// scores are -inf nothing is taken off them: infinity less itself is no number.
func (b *block) exponentials(r ir.Value) {
	b.atRow(r)
	at := []ir.Value{r}
	infinite := arith.ConstFloat(b.B, b.elem, gomath.Inf(-1))
	high := b.loopTo(0, 1, b.width, []ir.Value{infinite}, func(j ir.Value, most []ir.Value) []ir.Value {
		b.atColumn(j)
		return []ir.Value{b.higher(most[0], b.score())}
	})[0]
	if !b.several {
		b.store(b.rowSum(high), b.sums, at)
		return
	}
	old := b.load(b.most, at)
	most := b.higher(old, high)
	shift := arith.Choose(b.B, arith.CmpF(b.B, arith.OEQ, most, infinite), arith.Zero(b.B, b.elem), most)
	scale := b.exp(arith.SubF(b.B, old, shift))
	sum := arith.MulF(b.B, b.load(b.sums, at), scale)
	b.store(arith.AddF(b.B, sum, b.rowSum(shift)), b.sums, at)
	b.store(most, b.most, at)
	b.ofRow(r, func(old ir.Value) ir.Value { return arith.MulF(b.B, old, scale) })
}

// rowSum puts exponentials in the place of scores, and adds them up.
func (b *block) rowSum(shift ir.Value) ir.Value {
	return b.loopTo(0, 1, b.width, []ir.Value{arith.Zero(b.B, b.elem)}, func(j ir.Value, sum []ir.Value) []ir.Value {
		b.atColumn(j)
		e := b.exp(arith.SubF(b.B, b.score(), shift))
		b.store(e, b.scores, b.local[:])
		return []ir.Value{b.combine(tensor.ByAdd, sum[0], e)}
	})[0]
}

// add adds the product of a block with its values to the result.
func (b *block) add() {
	own := b.ownOfValues()
	last := len(own) - 1
	b.second.loops(own[:last], func() {
		b.sumUp(sums{rows: b.height, columns: upTo(b.second.axes[own[last]].extent), depth: b.width, mem: b.mem,
			open: func(r, j ir.Value) []ir.Value {
				b.atRow(r)
				b.second.index[own[last]] = j
				return b.second.at(b.second.s.Out)
			},
			term: func(_, _, k ir.Value) ir.Value { b.atColumn(k); return b.second.product() }})
	})
}
