package loop

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
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
	}
	return 0
}

// lenOfResult is the length of result i of a loop: its size, if each round gives one
// element; of what a bucket makes of its groups their number.
func lenOfResult(b *ir.Builder, n ir.Value, i int) ir.Value {
	g := b.Graph()
	k, at := GeneratorOf(g, n, i)
	x := Generators(g.NodeOf(n))[k]
	switch {
	case x.Kind == BucketKind && at > 0:
		return Size(b, b.Result(n, i-at))
	case x.Kind == CollectKind || x.Kind == ScanKind:
		return loopSize(g, n, i)
	}
	return 0
}

// loopSize is the size of a loop each of whose rounds gives one element of result i, or 0.
func loopSize(g *ir.Graph, n ir.Value, i int) ir.Value {
	list := Generators(g.NodeOf(n))
	k, _ := GeneratorOf(g, n, i)
	if x := list[k]; x.Kind != CollectKind && x.Kind != ScanKind || emitsIn(g, Split(g, list, g.Yields(g.Regions(n)[0]))[k]) {
		return 0
	}
	return g.Args(n)[0]
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
	bound := b.Upper(i)
	if _, _, param := g.Param(i); !param || bound == 0 {
		return false
	}
	return hasLen(g, array, bound)
}

func constLen(g *ir.Graph, array ir.Value) (n int64, known bool) {
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
		return measures(g, g.Args(n)[0], array)
	}
	if g.Def(n) == arith.Subi && g.Def(array) == Slice {
		a, s := g.Args(n), g.Args(array)
		return a[0] == s[2] && a[1] == s[1]
	}
	return false
}

// measures reports that foldLen asks m for its length in the place of the array.
func measures(g *ir.Graph, m, array ir.Value) bool {
	for m != array {
		n, i, _ := g.Projection(array)
		switch g.Def(n) {
		case Zip, Column, Sort, Keys, Rekey:
			array = g.Args(n)[0]
			continue
		case For:
			k, at := GeneratorOf(g, n, i)
			groups, j, _ := g.Projection(m)
			return Generators(g.NodeOf(n))[k].Kind == BucketKind && at > 0 && groups == n && j == i-at
		}
		return false
	}
	return true
}
