package loop

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
)

// foldLen: the length of what was made here is a value, no question to the array.
func foldLen(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	n, i, _ := g.Projection(c.Args[0])
	switch g.Def(n) {
	case Zip, Column:
		return Size(b, g.Args(n)[0])
	case Sort:
		return Size(b, g.Args(n)[0])
	case Keys, Rekey:
		return Size(b, g.Args(n)[0])
	case Slice:
		args := g.Args(n)
		return arith.SubI(b, args[2], args[1])
	case For:
		return lenOfResult(b, n, i)
	case arith.Select:
		args := g.Args(n)
		return arith.Choose(b, args[0], Size(b, args[1]), Size(b, args[2]))
	case scf.If:
		return lenOfIf(b, n, i)
	}
	return 0
}

// lenOfIf is the one length or the other, where that costs nothing but to choose.
func lenOfIf(b *ir.Builder, n ir.Value, i int) ir.Value {
	g := b.Graph()
	rs := g.Regions(n)
	for _, r := range rs {
		if !Quiet(g, r) || !cheapLen(g, r, g.Yields(r)[i]) {
			return 0
		}
	}
	branch := func(r ir.Region) func() []ir.Value {
		return func() []ir.Value { return []ir.Value{Size(b, b.Splice(r, nil)[i])} }
	}
	return b.Result(scf.BuildIf(b, g.Args(n)[0], branch(rs[0]), branch(rs[1])), 0)
}

// cheapLen reports an array whose length does not need the array, if that is made in the
// region: it is that of something outside, or a number that is there without a loop.
func cheapLen(g *ir.Graph, r ir.Region, array ir.Value) bool {
	x := extentOf(g, Zip, array)
	if x.result >= 0 {
		return g.Home(x.base) != r
	}
	return cheap(g, r, x.base, 8) && (x.from == 0 || cheap(g, r, x.from, 8))
}

// cheap reports what is made outside of a region, or of such by a few ops without regions.
func cheap(g *ir.Graph, r ir.Region, v ir.Value, depth int) bool {
	n, _, _ := g.Projection(v)
	if g.Home(n) != r {
		return true
	}
	if depth == 0 || !g.IsOp(n) || len(g.Regions(n)) > 0 || g.IsPinned(n) {
		return false
	}
	return lists.All(g.Args(n), func(a ir.Value) bool { return cheap(g, r, a, depth-1) })
}

// lenOfResult is the length of result i of a loop: its size, if each round gives one
// element; that of the first of what one generator gives; of what a bucket makes of its groups
// their number.
func lenOfResult(b *ir.Builder, n ir.Value, i int) ir.Value {
	g := b.Graph()
	k, at := GeneratorOf(g, n, i)
	x := Generators(g.NodeOf(n))[k]
	switch {
	case x.Kind == BucketKind && at > 0:
		return Size(b, b.Result(n, i-at))
	case x.Kind == CollectKind || x.Kind == ScanKind:
		if size := loopSize(g, n, i); size != 0 || at == 0 {
			return size
		}
		return Size(b, b.Result(n, i-at))
	}
	return 0
}

// loopSize is the size of a loop each of whose rounds gives one element of result i, or which
// has no rounds, or 0.
func loopSize(g *ir.Graph, n ir.Value, i int) ir.Value {
	list, size := Generators(g.NodeOf(n)), g.Args(n)[0]
	k, _ := GeneratorOf(g, n, i)
	if list[k].Kind != CollectKind && list[k].Kind != ScanKind {
		return 0
	}
	if EmitsIn(g, Split(g, list, g.Yields(g.Regions(n)[0]))[k]) && !isConst(g, size, 0) {
		return 0
	}
	return size
}

// GeneratorOf finds the generator of a loop that makes its result i, which is its own result at.
func GeneratorOf(g *ir.Graph, n ir.Value, i int) (k, at int) {
	for k, x := range Generators(g.NodeOf(n)) {
		results := len(x.Results(g.Ctx))
		if i < results {
			return k, i
		}
		i -= results
	}
	panic("loop: no result of that number")
}

// sizeOf is the size of the loop that makes an array, one element in each round, or 0.
func sizeOf(g *ir.Graph, array ir.Value) ir.Value {
	for {
		n, i, _ := g.Projection(array)
		switch g.Def(n) {
		case Zip, Column, Sort:
			array = g.Args(n)[0]
			continue
		case For:
			return loopSize(g, n, i)
		}
		return 0
	}
}

// foldAtSlice looks behind a view, where the index is one of the view's.
func foldAtSlice(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if g.Def(c.Args[0]) != Slice || !inside(b, c.Args[0], c.Args[1]) {
		return 0
	}
	return Element(b, g.Args(c.Args[0])[0], arith.AddI(b, g.Args(c.Args[0])[1], c.Args[1]))
}

// atTraps: an index may lie outside, unless it is that of a loop over the elements.
func atTraps(c *ir.Call) bool { return !inside(c.Builder(), c.Args[0], c.Args[1]) }

// inside reports an index that is surely one of the elements of an array.
func inside(b *ir.Builder, array, i ir.Value) bool {
	g := b.Graph()
	if v, ok := g.Const(i); ok && v.Ref == nil {
		n, known := constLen(g, array)
		return known && v.Bits < uint64(n)
	}
	if n, known := constLen(g, array); known && affine.In(b).Certain().Number(i).Within(0, n-1) {
		return true
	}
	bound := b.Upper(i)
	if _, _, param := g.Param(i); !param || bound == 0 {
		return false
	}
	return hasLen(g, array, bound)
}

func constLen(g *ir.Graph, array ir.Value) (n int64, known bool) {
	if g.Def(array) == Slice {
		from, ok := g.Const(g.Args(array)[1])
		to, known := g.Const(g.Args(array)[2])
		return int64(to.Bits - from.Bits), ok && known && from.Ref == nil && to.Ref == nil
	}
	size := sizeOf(g, array)
	if size == 0 {
		return 0, false
	}
	v, ok := g.Const(size)
	return int64(v.Bits), ok && v.Ref == nil
}

// hasLen reports that n is the length of an array, as foldLen would write it.
func hasLen(g *ir.Graph, array, n ir.Value) bool {
	if size := sizeOf(g, array); size != 0 {
		return size == n
	}
	if g.Def(n) == Len {
		return extentOf(g, Zip, g.Args(n)[0]) == extentOf(g, Zip, array)
	}
	switch a, s := g.Args(n), g.Args(array); {
	case g.Def(array) == Slice:
		return isConst(g, s[1], 0) && n == s[2] || g.Def(n) == arith.Subi && a[0] == s[2] && a[1] == s[1] || constDifference(g, n, s[2], s[1])
	case g.Def(n) == arith.Select && g.Def(array) == arith.Select:
		return a[0] == s[0] && hasLen(g, s[1], a[1]) && hasLen(g, s[2], a[2])
	}
	return false
}

// constDifference reports constants of which n is to - from.
func constDifference(g *ir.Graph, n, to, from ir.Value) bool {
	x, ok := g.Const(from)
	y, known := g.Const(to)
	return ok && known && x.Ref == nil && y.Ref == nil && isConst(g, n, y.Bits-x.Bits)
}

// An extent says what the length of an array is: equal ones are of equally long arrays.
type extent struct {
	base, from ir.Value // a size, its end and beginning, or
	result     int      // the result of base that measures it, if that is not -1
}

// extentOf finds what foldLen would ask for the length of an array. (zip is Zip, whose
// definition would refer to itself.)
func extentOf(g *ir.Graph, zip *ir.OpDef, array ir.Value) extent {
	for {
		n, i, _ := g.Projection(array)
		switch g.Def(n) {
		case zip, Column, Sort, Keys, Rekey:
			array = g.Args(n)[0]
			continue
		case Slice:
			return extent{g.Args(n)[2], g.Args(n)[1], -1}
		case For:
			if size := loopSize(g, n, i); size != 0 {
				return extent{size, 0, -1}
			}
			_, at := GeneratorOf(g, n, i)
			return extent{n, 0, i - at}
		}
		return extent{n, 0, i}
	}
}

// zipTraps: the columns may differ in length, or the arrays in them, unless what makes them
// makes them equally long.
func zipTraps(c *ir.Call) bool {
	g := c.Graph()
	elem, _ := ElemOf(c.Ctx(), c.Type)
	deep := is[array](c.Ctx(), elem)
	for _, x := range c.Args[1:] {
		if extentOf(g, c.Def, x) != extentOf(g, c.Def, c.Args[0]) || deep && !grouped(g, x, c.Args[0]) {
			return true
		}
	}
	return false
}

// grouped reports two results that one generator of the groups of a bucket gives.
func grouped(g *ir.Graph, x, y ir.Value) bool {
	n, i, _ := g.Projection(x)
	m, j, _ := g.Projection(y)
	if n != m || g.Def(n) != For {
		return false
	}
	k, at := GeneratorOf(g, n, i)
	l, to := GeneratorOf(g, n, j)
	list := Generators(g.NodeOf(n))
	if k != l || list[k].Kind != BucketKind || at == 0 || to == 0 {
		return false
	}
	at, to = at-1, to-1
	for _, inner := range list[k].Inner {
		if results := len(inner.Results(g.Ctx)); at >= results {
			at, to = at-results, to-results
			continue
		}
		return to >= 0 && to < len(inner.Results(g.Ctx)) && inner.Kind != BucketKind
	}
	return false
}
