package contraction

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Sizes are those of the tiles of a contraction, the loops around a kernel in registers (Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication", 2008; Van Zee and van de Geijn, "BLIS", 2015): a tile of rows by
// columns is summed up in registers. Meanwhile a panel of columns by depth stays in the innermost cache, and
// a block of height by depth in the second. A block of depth by width stays in what is behind that.
type Sizes struct {
	bytes                int64 // of an element
	lanes, vectors       int64 // a vector has lanes, and a row of a tile some vectors
	rows, columns        int64
	few                  int64 // rows of the smaller tile for what is left behind the last whole one
	directSums           int64 // vectors of sums of a tile whose rows are read where they are: three quarters of the registers
	depth, height, width int64
	small                int64 // elements of the rows of a product that are not packed
	fuses                bool  // the machine adds a product in one instruction
}

// mostDepth is how many products a tile sums up, about, before it is added to its target: more gain nothing.
const mostDepth = 384

// sizesFor chooses sizes for a target, by which the registers hold a tile, a row of vectors and a broadcast
// element. A panel of columns takes up to all of the first cache, since what comes next is prefetched; a block of rows
// three eighths of the second one, of which others use some, too.
func sizesFor(t *target.Target, elem ir.Type, terms int) Sizes {
	bytes := int64(8)
	if elem == ir.F32 || elem == ir.I32 {
		bytes = 4
	}
	registers := int64(16)
	if t.Vector >= 64 {
		registers = 32
	}
	s := Sizes{bytes: bytes, lanes: int64(t.Lanes(int(bytes))), vectors: 2, directSums: registers * 3 / 4}
	s.rows = (registers - s.vectors - 2) / s.vectors // others hold a row of factors, one broadcast and one to spare
	s.few = s.rows/2 + 1
	s.fuses = t.Vector >= 32 // AVX2 came with it
	s.columns = s.lanes * s.vectors
	cache := func(i int, none int64) int64 {
		if i < len(t.Caches) {
			return t.Caches[i]
		}
		return none
	}
	s.small = cache(1, 256<<10) / 2 / bytes
	bytes *= int64(terms)
	s.depth = max(32, min(mostDepth, cache(0, 32<<10)/(s.columns*bytes)/8*8))
	s.height = max(1, cache(1, 256<<10)*3/8/(s.depth*bytes)/s.rows) * s.rows
	s.width = max(1, min(cache(2, 4<<20)/2/(s.depth*bytes), 4096)/s.columns) * s.columns
	return s
}

// String says which block stays where.
func (s Sizes) String() string {
	return fmt.Sprintf("tiles of %d by %d in registers, panels of %d by %d in the first cache, blocks of %d by %d in the second, of %d by %d in what is behind it",
		s.rows, s.columns, s.depth, s.columns, s.height, s.depth, s.depth, s.width)
}

// Names of where tiles begin, which are parameters of the sets that bounds are read off.
const (
	tileI   = "__tile_i"
	tileJ   = "__tile_j"
	tileK   = "__tile_k"
	endK    = "__tile_k_end"
	tileRow = "__tile_row"
)

// A Tiling is the bounds of the loops of a contraction.
type Tiling struct {
	*Contraction
	Sizes
	cores    int64
	zeros    *poly.Stmt // which makes the target 0, and nothing else, if there is one
	epilogue *epilogue  // or nil

	all        [3]systems.Extent // of each coordinate, in all
	rowsOf     systems.Extent    // of i in a block of columns and a range of k
	tilesOf    systems.Extent    // of i, in a block of rows, where a panel of columns has something
	storedRows systems.Extent    // of i in a tile that is partial
	storedCols systems.Extent    // of j in such a row
	sums       systems.Extent    // of k in such a row
}

// Epilogue is the statement that is done to tiles; nil if there is none.
func (x *Tiling) Epilogue() *poly.Stmt {
	if x.epilogue == nil {
		return nil
	}
	return x.epilogue.st
}

// newTiling finds the bounds.
func newTiling(c *Contraction, context presburger.Set, t *target.Target, o codegen.Options) (*Tiling, error) {
	x := &Tiling{Contraction: c, Sizes: c.SizesFor(t), cores: 1}
	if t.Kind == target.CPU {
		x.cores = int64(t.Cores)
	}
	b := &bounding{context: context, options: o}
	for d := range x.all {
		x.all[d] = b.extent(c.domain, d)
	}
	block := b.within(c.domain, c.k, fmt.Sprintf("[%s, %s]", tileK, endK), tileK, endK)
	part := func(s presburger.Set, d int, name string, n int64) presburger.Set {
		return b.within(s, d, "["+name+"]", name, fmt.Sprintf("%s + %d", name, n))
	}
	x.rowsOf = b.extent(part(block, c.j, tileJ, x.width), c.i)
	panel := part(block, c.j, tileJ, x.columns)
	x.tilesOf = b.extent(part(panel, c.i, tileI, x.height), c.i)
	x.storedRows = b.extent(part(panel, c.i, tileI, x.rows), c.i)
	row := part(panel, c.i, tileRow, 1)
	x.storedCols, x.sums = b.extent(row, c.j), b.extent(row, c.k)
	return x, b.err
}

// A bounding finds bounds until one cannot be found.
type bounding struct {
	context presburger.Set
	options codegen.Options
	err     error
}

// extent is that of a coordinate of a set. After a failure it is nothing: newTiling reports the first error.
func (b *bounding) extent(s presburger.Set, d int) (out systems.Extent) {
	if b.err == nil {
		out, b.err = systems.ExtentOf(s, d, b.context, b.options)
	}
	return out
}

// within is the part of a set where a coordinate lies from one value up to, and without, another, in some parameters.
func (b *bounding) within(s presburger.Set, d int, params, from, end string) presburger.Set {
	if b.err != nil {
		return s
	}
	part, err := presburger.ParseSet(fmt.Sprintf("%s -> { [x0, x1, x2] : %s <= x%d < %s }", params, from, d, end))
	if err == nil {
		s, err = s.Intersect(part)
	}
	b.err = err
	return s
}
