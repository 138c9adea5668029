package polyhedral

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/contraction"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Tile makes tiles of what a schedule orders.
type Tile struct {
	Sizes []int  `opt:"sizes" doc:"of the tiles of a permutable band, from its outermost loop on; further loops, and those of size 0, have none; without it sizes for the target's caches, of bands of three loops and more"`
	Full  bool   `opt:"full-tiles" doc:"in the bands of stencils, code of its own for tiles that the domain does not cut, which is tested once for each: up to 2 % faster, and more code (docs/performance.md)"`
	Shape string `opt:"shape" one:"auto skewed diamond" doc:"of tiles of stencils: of diamonds all that are first may run at once, and auto makes these where it finds them; skewed ones follow the loops of the band"`
}

// TileInfo is the row of the pass.
var TileInfo = &pass.Info{
	Name: "poly-tile",
	Doc: "Makes tiles of the loops of a schedule: of permutable bands, whose innermost loops are then distributed, or cut at the one round that all others need, where that makes vectors possible; where the rounds of an innermost loop need one another, four of the loop around it are taken together if they may be. A statement that the schedule orders as one piece and that adds products of two factors, C[i,j] += a(i,k) * b(k,j), becomes a contraction: " +
		"its factors are brought into blocks that stay in the target's caches, and tiles of C are summed up in registers. The order of such a sum is free; the product and the sum of floats " +
		"are rounded once where the product says `contract`. So does the greatest or the least of sums of two integers; and, in each tile of a matrix that is updated by elements of its own, what updates it by those of other tiles.",
	Why: "Between poly-schedule, which leaves contractions alone with alg=pluto, and poly-codegen.",
	Example: `func.func @f(%n: index, %a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias}, %c: memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %x = affine.load %a[%i, %k] : memref<?x?xf64>
        %y = affine.load %b[%k, %j] : memref<?x?xf64>
        %z = affine.load %c[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y fastmath<contract> : f64
        %s = arith.addf %z, %p fastmath<reassoc, contract> : f64
        affine.store %s, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
`,
	Pipeline:   "raise-affine,poly-schedule{alg=pluto},poly-tile",
	Statistics: []pass.Statistic{{Name: "contractions", Doc: "statements that became contractions"}, {Name: "bands", Doc: "bands that got tiles"}, {Name: "splits", Doc: "innermost loops that were cut at a round"}, {Name: "jams", Doc: "loops of which several rounds are taken together"}},
	New:        func() pass.Pass { return &Tile{Shape: "auto"} },
}

// Run finds all tiles before anything is rebuilt.
func (p *Tile) Run(ctx *pass.Context, g *ir.Graph) (_ *ir.Graph, failed error) {
	defer unwind.To(&failed)
	for _, n := range p.Sizes {
		if n < 0 || n > tuning.MostTile {
			return nil, fmt.Errorf("sizes has %d; the size of a tile is 1 to %d, and 0 for none", n, tuning.MostTile)
		}
	}
	trees, count := map[ir.Node]*schedule.Node{}, map[string]int{}
	unwind.Check(systems.Each(g, func(sys *poly.System) error {
		if sys.Schedule == nil {
			return nil
		}
		x := &tiler{sys: sys, target: ctx.Target(), sizes: p.Sizes, shape: p.Shape, whole: p.Full, diamonds: map[int]bool{}}
		where := func() string { return ctx.Where(sys.Node.Graph(), sys.Node.Old()) }
		tree, err := x.tree()
		if errors.Is(err, presburger.ErrBudget) {
			ctx.Remark("%s: has no tiles: to find them takes more work than is allowed", where())
			return nil
		}
		if err != nil {
			return err
		}
		if ctx.Reports() {
			x.report(ctx, where())
		}
		for name, n := range map[string]int{"contractions": len(x.contractions), "bands": len(x.bands), "splits": x.splits, "jams": x.jams} {
			count[name] += n
		}
		if tree != sys.Schedule {
			trees[sys.Node] = tree
		}
		return nil
	}))
	if len(trees) == 0 {
		return g, nil
	}
	for name, n := range count {
		ctx.Count(name, n)
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			tree := trees[n]
			if tree == nil {
				return 0
			}
			return m.CopyWith(n, m.B.Ctx().With(n.Attrs(), "schedule", poly.TreeAttr(m.B.Ctx(), tree)))
		},
	}, nil), nil
}

// A tiler makes tiles of one system.
type tiler struct {
	sys          *poly.System
	target       *target.Target
	sizes        []int
	shape        string
	contractions []string         // statements
	bands        [][]int          // sizes of the bands that have tiles
	diamonds     map[int]bool     // numbers of those whose tiles are
	tiles        []presburger.Map // the first member of each band of tiles
	numbers      []presburger.Map // all members of such bands
	whole        bool             // full tiles apart from others
	full         int              // bands of points that have code of their own for full tiles
	inner        []*inner
	splits       int // loops that were cut at one round
	jams         int // loops of which several rounds are taken together
}

func (x *tiler) tree() (_ *schedule.Node, err error) {
	defer unwind.To(&err)
	tree, names := unwind.Must2(contraction.MarkAll(x.sys, x.sys.Schedule))
	x.contractions = names
	w := unwind.Must(systems.NewOrdering(x.sys))
	tiled := x.bandsOf(w, tree)
	if len(x.bands) == 0 {
		if tiled = tree; !hasOrdered(tree) {
			return tree, nil
		}
	}
	tiled, x.splits = splitLoops(w, tiled, x.cores())
	// What follows is legal where the bands may be permuted that say so: this shows that they may.
	prove(w, "the order of the tiles", tiled)
	if len(x.bands)+x.splits > 0 {
		tiled = distribute(w, tiled, tree)
	}
	tiled = unwind.Must(tiled.Rewrite(x.farFirst))
	if x.cores() > 1 {
		tiled = unwind.Must(tiled.Rewrite(x.inWavefronts))
	}
	if tiled, x.jams = jam(w, tiled); !x.whole {
		return tiled, nil
	}
	return x.fullApart(tiled), nil
}

// cores is how many share loops.
func (x *tiler) cores() int {
	if x.target.Kind != target.CPU {
		return 1
	}
	return x.target.Cores
}

// inWavefronts gives a band of tiles another order.
func (x *tiler) inWavefronts(n *schedule.Node) (_ *schedule.Node, err error) {
	defer unwind.To(&err)
	if n.Kind() != schedule.Band || !slices.Contains(x.tiles, n.Band().Members[0].Function) {
		return n, nil
	}
	return wavefront(n), nil
}

func (x *tiler) report(ctx *pass.Context, where string) {
	if len(x.contractions) > 0 {
		ctx.Remark("%s: contractions: %s", where, strings.Join(x.contractions, ", "))
	}
	for _, name := range x.contractions {
		if st := x.sys.Statement(name); st != nil {
			if c, ok := contraction.Find(x.sys, st); ok {
				ctx.Remark("%s: %s: %s", where, name, c.SizesFor(ctx.Target()))
			}
		}
	}
	for i, sizes := range x.bands {
		fits := ""
		if len(x.sizes) == 0 {
			fits = ": what one accesses fits into half of the second cache"
		}
		shape := "tiles"
		if x.diamonds[i] {
			shape = "diamonds"
		}
		ctx.Remark("%s: %s of %s%s", where, shape, strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", " by "), "[]"), fits)
	}
	if x.full > 0 {
		ctx.Remark("%s: %d bands of loops in tiles have code of their own for full tiles", where, x.full)
	}
	if x.splits > 0 {
		ctx.Remark("%s: %d innermost loops have a part before and one behind the round that all others need", where, x.splits)
	}
	if x.jams > 0 {
		ctx.Remark("%s: %d rounds at once of %d loops around innermost ones whose rounds wait for one another", where, jammed, x.jams)
	}
}

// bandsOf makes tiles of the permutable bands that have no band inside, or in which something becomes a contraction.
func (x *tiler) bandsOf(w *systems.Ordering, tree *schedule.Node) *schedule.Node {
	return edit(tree, nil, func(n *schedule.Node, outer []schedule.Member) (*schedule.Node, bool) {
		if n.Kind() != schedule.Band {
			return n, isContraction(n)
		}
		if out := x.contract(w, n, outer); out != nil {
			return out, true
		}
		if n.Band().Permutable && isInnermost(n) {
			return x.tilesOf(w, n), true
		}
		return n, false
	})
}

// tilesOf makes tiles of a band, in the shape that is asked for; diamonds, unless it is, where they are found.
func (x *tiler) tilesOf(w *systems.Ordering, n *schedule.Node) *schedule.Node {
	tiles, sizes := n, x.sizesFor(n.Band())
	if x.shape != "skewed" {
		wide := x.diamondSizes(n.Band(), sizes)
		out := diamond(w, n, wide)
		if out != nil {
			tiles, sizes, x.diamonds[len(x.bands)] = out, wide, true
		}
	}
	if tiles == n {
		if tiles = unwind.Must(n.Tile(sizes)); tiles == n {
			return n
		}
	}
	x.bands = append(x.bands, sizes)
	x.tiles = append(x.tiles, tiles.Band().Members[0].Function)
	for _, m := range tiles.Band().Members {
		x.numbers = append(x.numbers, m.Function)
	}
	return tiles
}

// Bounds of the sizes of tiles: the loops that vectors are made of are long.
const (
	mostTile  = 32
	leastTile = 4
	lineTile  = 512  // of the innermost loop, of three
	spanTile  = 1024 // of diamonds of two loops
)

// sizesFor chooses sizes by which what a tile accesses fits into half of the second cache. A band gains by tiles if it
// has a loop more than the arrays have dimensions, so that it comes to their elements again, and the loops depend on
// each other. Skewed loops access, for each round of the outermost one, some more lines: three times as many as a tile
// is wide.
func (x *tiler) sizesFor(b schedule.BandData) []int {
	n := len(b.Members)
	if len(x.sizes) > 0 {
		return x.sizes[:min(len(x.sizes), n)]
	}
	if n < 3 || !slices.ContainsFunc(b.Members, func(m schedule.Member) bool { return !m.Coincident }) {
		return nil
	}
	bytes := 0
	seen := map[*poly.ArrayDecl]bool{}
	for _, part := range b.Members[0].Function.Maps() {
		in, _ := part.Tuples()
		st := x.sys.Statement(in.Name())
		if st == nil {
			return nil
		}
		for _, a := range append([]poly.Access{{Array: st.Target}}, st.Reads...) {
			if !seen[a.Array] && a.Array.Rank >= n-1 {
				seen[a.Array] = true
				bytes += x.sys.Node.Graph().Ctx.ElemSize(a.Array.Elem)
			}
		}
	}
	if bytes == 0 {
		return nil
	}
	cache := int64(256 << 10)
	if len(x.target.Caches) > 1 {
		cache = x.target.Caches[1]
	}
	out := make([]int, n)
	out[n-1] = lineTile
	if n > 3 {
		out[n-1] /= 2
	}
	size := mostTile
	for size > leastTile && math.Pow(float64(3*size), float64(n-2))*float64(out[n-1]*bytes) > float64(cache/2) {
		size /= 2
	}
	for i := range n - 1 {
		out[i] = size
	}
	return out
}

// diamondSizes are sizes of diamonds where those of other tiles are given, which may be none. Both sides are twice as long,
// so that there are about as many rounds of the outermost loop in a diamond, which accesses fewer lines. Two loops
// get diamonds that fit into the first cache, if all arrays are lines.
func (x *tiler) diamondSizes(b schedule.BandData, sizes []int) []int {
	switch {
	case len(x.sizes) > 0:
		return sizes
	case len(sizes) >= 3:
		return append([]int{2 * sizes[0], 2 * sizes[1]}, sizes[2:]...)
	case len(b.Members) != 2:
		return nil
	}
	for _, part := range b.Members[0].Function.Maps() {
		in, _ := part.Tuples()
		st := x.sys.Statement(in.Name())
		if st == nil || st.Target.Rank != 1 || slices.ContainsFunc(st.Reads, func(r poly.Access) bool { return r.Array.Rank > 1 }) {
			return nil
		}
	}
	return []int{spanTile, spanTile}
}
