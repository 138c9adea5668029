package loops

import (
	"cmp"
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/passes/pass"
)

// Tile runs a nest tile by tile.
type Tile struct {
	Which
	Sizes    []int `opt:"sizes" doc:"iterations of a tile in each loop of a nest, the outermost first: 0 is all of them, 1 makes no loop in the tile; if it is empty the target's innermost cache decides"`
	Size     int   `opt:"size" doc:"the same for all loops of a nest, in place of sizes; 0 is none"`
	Separate bool  `opt:"separate" doc:"full tiles apart from those that are cut off, with constant bounds, where the nest is a box"`
}

// TileInfo is the row of the pass.
var TileInfo = &pass.Info{
	Name: "loop-tile",
	Doc: "Runs the iterations of a nest tile by tile: each loop becomes one over tiles, around all others, and one in the tile. " +
		"No dependence may go backward in any loop of the nest, as then the loops may stand in any order; loop-skew makes that so of some nests. Bounds of affine loops may be sums of the indices around them.",
	Why: "After loop-interchange, which finds the order of the loops, and loop-skew; before unroll-and-jam, for the loops in the tiles.",
	Example: `func.func @f(%A: memref<100x100xf64>, %B: memref<100x100xf64> {llvm.noalias}) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 100 {
      %x = affine.load %A[%i, %j] : memref<100x100xf64>
      affine.store %x, %B[%j, %i] : memref<100x100xf64>
    }
  }
  return
}
`,
	Pipeline:   "loop-tile{sizes=32,32}",
	Statistics: []pass.Statistic{{Name: "tiled", Doc: "nests that are run tile by tile"}},
	New:        func() pass.Pass { return &Tile{} },
}

// Check refuses sizes that are none.
func (p *Tile) Check() error {
	if p.Size != 0 && len(p.Sizes) > 0 {
		return fmt.Errorf("size=%d and sizes=%s are two answers to one question", p.Size, numbers(p.Sizes))
	}
	if len(p.Sizes) > mostLoops {
		return fmt.Errorf("sizes=%s: a nest has at most %d loops", numbers(p.Sizes), mostLoops)
	}
	if p.Size < 0 || p.Size > tuning.MostTile {
		return fmt.Errorf("size=%d is not between 0 and %d", p.Size, tuning.MostTile)
	}
	if len(p.Sizes) == 1 {
		return fmt.Errorf("sizes=%d is that of one loop, and a tile is of a nest of two to %d: strip-mine{size=%d} cuts one loop", p.Sizes[0], mostLoops, max(2, p.Sizes[0]))
	}
	for _, s := range p.Sizes {
		if s < 0 || s > tuning.MostTile {
			return fmt.Errorf("sizes=%s: %d is not between 0 and %d", numbers(p.Sizes), s, tuning.MostTile)
		}
	}
	return nil
}

// Run rewrites the nests of every function.
func (p *Tile) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "tiled", "cannot be tiled", p.find)
}

// find asks for a nest that is fully permutable, then for sizes: those of the options, or one that the
// innermost cache decides.
func (p *Tile) find(f *function, v ir.Value) (*change, error) {
	n, why := f.nestAt(v, cmp.Or(len(p.Sizes), usualLoops))
	if len(n.loops) < max(2, len(p.Sizes)) {
		return nil, why
	}
	o, shape, err := n.reordered()
	if err == nil {
		err = n.permutable(o)
	}
	if err != nil {
		return nil, err
	}
	sizes := make([]int64, len(n.loops))
	for i := range sizes {
		switch {
		case len(p.Sizes) > 0:
			sizes[i] = int64(p.Sizes[i])
		case p.Size > 0:
			sizes[i] = int64(p.Size)
		default:
			sizes[i] = n.fitting(o)
		}
	}
	if !slices.ContainsFunc(sizes, func(s int64) bool { return s != 0 }) {
		return nil, nil
	}
	t := &tiling{nest: n, sizes: sizes, separate: p.Separate, shape: shape}
	if err := t.within(); err != nil {
		return nil, err
	}
	return &change{rule: t.rule, loops: n.loops, inside: n.insides(), what: fmt.Sprintf("is the outermost of %d that run in tiles of %s", len(sizes), t)}, nil
}

// reordered checks all that a nest needs for another order of its iterations but the dependences, which it gives.
func (n *nest) reordered() (*order, shape, error) {
	if err := cmp.Or(n.regular(), n.free()); err != nil {
		return nil, nil, err
	}
	s, err := n.shape()
	if err != nil {
		return nil, nil, err
	}
	o, err := n.orderOf(len(n.loops), n.loops[0])
	if err == nil {
		err = n.settled(o)
	}
	return o, s, err
}

// within checks that the loops over tiles do not run over what is known in a tile alone.
func (t *tiling) within() error {
	for k, rows := range t.shape {
		for _, r := range rows {
			for j, c := range r.coefs {
				if j != k && c != 0 && t.sizes[j] == 0 && t.sizes[k] != 0 {
					return fmt.Errorf("has bounds of %s computed in %s, which is not cut into tiles", t.at(t.loops[k]), t.at(t.loops[j]))
				}
			}
		}
	}
	return nil
}

// permutable checks that no dependence goes backward in a loop of the nest.
func (n *nest) permutable(o *order) error {
	return o.each(func(c conflict) error {
		for _, v := range c.Vectors {
			for _, s := range signs(v, len(n.loops)) {
				if s&depend.Negative != 0 {
					return fmt.Errorf("has a dependence that goes backward in a loop: %s", o.says(c, v))
				}
			}
		}
		return nil
	})
}

// fitting is a size for which a tile of each array that is accessed fits into half of the innermost cache.
func (n *nest) fitting(o *order) int64 {
	var arrays []ir.Value
	for _, a := range o.acc.List {
		if !slices.Contains(arrays, a.Memory) {
			arrays = append(arrays, a.Memory)
		}
	}
	size := int64(4)
	for size < 256 && 4*size*size*int64(max(1, len(arrays))) <= int64(n.ctx.Target().TableEntries())/2 {
		size *= 2
	}
	return size
}

// A tiling makes a nest tile by tile.
type tiling struct {
	*nest
	sizes    []int64
	separate bool
	shape    shape // if the bounds of the loops are not the same in all of the nest
}

// String writes the sizes as the option takes them.
func (t *tiling) String() string {
	out := lists.Map(t.sizes, func(s int64) int { return int(s) })
	return numbers(out)
}

// A tile is what is being made: where the tiles begin, and the values of the indices.
type tile struct {
	m           *ir.Mirror
	spans       []span
	begins, ivs []ir.Value
}

// rule makes the loops over tiles around those in a tile. With a shape, rows say what each runs over, and no
// spans are needed.
func (t *tiling) rule(m *ir.Mirror, old ir.Node) ir.Value {
	x := &tile{m: m, begins: make([]ir.Value, len(t.sizes)), ivs: make([]ir.Value, len(t.sizes))}
	for k := range t.sizes {
		if t.shape == nil {
			x.spans = append(x.spans, t.span(m, k))
		}
	}
	return m.B.Pack(t.over(x, 0, inits(m, old))...)
}

// over makes the loops over tiles from loop k on.
func (t *tiling) over(x *tile, k int, carried []ir.Value) []ir.Value {
	if k == len(t.sizes) {
		return t.tile(x, carried)
	}
	if t.sizes[k] == 0 {
		return t.over(x, k+1, carried)
	}
	s := t.tiles(x, k)
	s.step *= t.sizes[k]
	like := t.g.NodeOf(t.loops[k])
	return makeLoop(x.m, like, like.Attrs(), s, carried, func(iv ir.Value, carried []ir.Value) []ir.Value {
		x.begins[k] = iv
		return t.over(x, k+1, carried)
	})
}

// tiles is what loop k runs over in any iteration of a tile of the loops around it.
func (t *tiling) tiles(x *tile, k int) span {
	if t.shape == nil {
		return x.spans[k]
	}
	// A row holds where it is at least 0: the greatest value of each term covers all iterations of the tile.
	return t.spanBy(x.m, t.shape[k], k, func(j int, coef int64) affinedialect.Point {
		at := affinedialect.Just(x.begins[j])
		if coef > 0 {
			at, _ = at.Plus(1, affinedialect.Number(t.sizes[j]-1))
		}
		return at
	})
}

// tile makes the loops in a tile: once with constant bounds, if they are apart, and once with those that are
// cut off.
func (t *tiling) tile(x *tile, carried []ir.Value) []ir.Value {
	if !t.separate || t.shape != nil {
		return t.in(x, 0, false, carried)
	}
	b := x.m.B
	full := t.full(x)
	if full == 0 {
		return t.in(x, 0, false, carried)
	}
	return b.Results(scf.BuildIf(b, full, func() []ir.Value { return t.in(x, 0, true, carried) }, func() []ir.Value { return t.in(x, 0, false, carried) }))
}

// full is the condition that no loop of the tile is cut off; 0 if none ever is.
func (t *tiling) full(x *tile) (all ir.Value) {
	b := x.m.B
	for k, size := range t.sizes {
		s := x.spans[k]
		if size <= 1 || s.divides(size) {
			continue
		}
		upper := affinedialect.ComputeLeast(b, s.upper)
		left := arith.SubI(b, upper, x.begins[k]) // without a sign
		t := b.Graph().Type(upper)
		// The last iteration of a full tile is size-1 steps behind the first, and below the bound.
		holds := arith.CmpI(b, arith.UGE, left, b.Const(t, ir.IntVal((size-1)*s.step+1, widthOf(x.m, t))))
		if all == 0 {
			all = holds
		} else {
			all = b.Op(arith.Andi, all, holds)
		}
	}
	return all
}

// divides reports bounds that are numbers, with a number of iterations that is a multiple of size.
func (s span) divides(size int64) bool {
	if len(s.lower) != 1 || len(s.upper) != 1 || !s.lower[0].Expr.IsConst() || !s.upper[0].Expr.IsConst() {
		return false
	}
	d := s.upper[0].Expr.N - s.lower[0].Expr.N
	return d <= 0 || (d+s.step-1)/s.step%size == 0
}

// in makes the loops in a tile from loop k on.
func (t *tiling) in(x *tile, k int, full bool, carried []ir.Value) []ir.Value {
	if k == len(t.sizes) {
		return t.iteration(x.m, slices.Clone(x.ivs), carried)
	}
	next := func(iv ir.Value, carried []ir.Value) []ir.Value {
		x.ivs[k] = iv
		return t.in(x, k+1, full, carried)
	}
	var s span
	switch size := t.sizes[k]; {
	case t.shape != nil:
		s = t.spanBy(x.m, t.inTile(k), k, func(j int, _ int64) affinedialect.Point { return affinedialect.Just(x.ivs[j]) })
		if size > 0 {
			at := affinedialect.Just(x.begins[k])
			end, _ := at.Plus(1, affinedialect.Number(size))
			s.lower, s.upper = append([]affinedialect.Point{at}, s.lower...), append([]affinedialect.Point{end}, s.upper...)
		}
	// A tile of one iteration needs no loop.
	case size == 1:
		return next(x.begins[k], carried)
	case size > 1:
		s = x.spans[k].piece(x.m, t.g.NodeOf(t.loops[k]), x.begins[k], size, full)
	default:
		s = x.spans[k]
	}
	like := t.g.NodeOf(t.loops[k])
	return makeLoop(x.m, like, x.m.B.Ctx().WithDiscardable(like.Attrs(), Label, 0), s, carried, next)
}

// inTile are the rows of loop k that say something in a tile: what is a lower bound whatever the other indices are is one of
// the tiles.
func (t *tiling) inTile(k int) (out []row) {
	for _, r := range t.shape[k] {
		alone := r.coefs[k] > 0
		for j, c := range r.coefs {
			alone = alone && (j == k || c == 0)
		}
		if !alone || t.sizes[k] == 0 {
			out = append(out, r)
		}
	}
	return out
}

// piece is what a loop runs over that begins at an index and does so many iterations, or fewer at the end.
func (s span) piece(m *ir.Mirror, like ir.Node, begin ir.Value, size int64, full bool) span {
	at, far := affinedialect.Just(begin), s.step*size
	out := span{lower: []affinedialect.Point{at}, step: s.step}
	if like.Def() == affinedialect.For || full || s.divides(size) {
		if end, ok := at.Plus(1, affinedialect.Number(far)); ok {
			out.upper = append(out.upper, end)
		}
		if !full && !s.divides(size) {
			out.upper = append(out.upper, s.upper...)
		}
		return out
	}
	// The distance to the end is taken without a sign, so that no sum wraps.
	b := m.B
	t := b.Graph().Type(begin)
	left := arith.SubI(b, affinedialect.ComputeLeast(b, s.upper), begin)
	least := b.Op(arith.Minui, left, b.Const(t, ir.IntVal(far, widthOf(m, t))))
	out.upper = []affinedialect.Point{affinedialect.Just(arith.AddI(b, begin, least))}
	return out
}
