package polyhedral

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
)

// Full tiles are those all of whose points are instances: loops over them have no bounds but those of the tile, which are
// constants where no loop is skewed in it. Their code is apart from that of tiles which the rim of the domain cuts
// (Ancourt and Irigoin, "Scanning polyhedra with DO loops", 1991; Kim, Renganarayanan, Rostron, Rajopadhye and Strout,
// "Multi-level tiling: M for the price of one", 2007), after one test for each tile: each condition of the domain holds in all of it
// if it holds where it is the tightest, which is at a corner. A contraction does the same with its tiles (kernel.whole).

// fullApart gives the bands of points in tiles two codes.
func (x *tiler) fullApart(tree *schedule.Node) *schedule.Node {
	isTile := func(m schedule.Member) bool { return slices.Contains(x.numbers, m.Function) }
	return edit(tree, nil, func(n *schedule.Node, outer []schedule.Member) (*schedule.Node, bool) {
		// The band of points must stand directly in the loop of a tile, so the last member around
		// decides.
		inTile := len(outer) > 0 && isTile(outer[len(outer)-1])
		if inTile && n.Kind() == schedule.Band && !slices.ContainsFunc(n.Band().Members, isTile) {
			return x.fullBand(n, outer), true
		}
		return n, false
	})
}

// fullBand isolates a band of points where the tile, whose number the members around say, is full. If some of the band is
// isolated, it is the first of its loops that has two codes.
func (x *tiler) fullBand(n *schedule.Node, outer []schedule.Member) *schedule.Node {
	b := n.Band()
	full, ok := x.fullTiles(b, outer)
	if !ok {
		return n
	}
	if !b.Isolate.Tuple().IsNone() {
		n, b = firstApart(n, len(outer))
	}
	b.Isolate = isolated(full, len(outer), len(b.Members))
	x.full++
	return schedule.NewBand(b, n.Child(0))
}

// firstApart divides a band of which something is isolated into its first member and the others, of which the same is.
func firstApart(n *schedule.Node, outer int) (*schedule.Node, schedule.BandData) {
	b := n.Band()
	first, rest := b, b
	first.Members, first.Isolate = b.Members[:1], presburger.Set{}
	if rest.Members = b.Members[1:]; len(rest.Members) == 0 {
		return n, first
	}
	option := isolateMap(outer+len(b.Members), outer, len(b.Members))
	times := unwind.Must(b.Isolate.Apply(option.Inverse()))
	rest.Isolate = isolated(times, outer+1, len(rest.Members))
	return schedule.NewBand(first, schedule.NewBand(rest, n.Child(0))), first
}

// isolated is the option of a band of inner members, in outer others, that isolates some times: of the others, or of all.
func isolated(times presburger.Set, outer, inner int) presburger.Set {
	m := isolateMap(times.Tuple().Len(), outer, inner)
	return unwind.Must(times.Apply(m))
}

// isolateMap relates the first n times of a band of inner members, in outer others, to what the option says of them.
func isolateMap(n, outer, inner int) presburger.Map {
	names := make([]string, outer+inner)
	for i := range names {
		names[i] = fmt.Sprint("x", i)
	}
	list := func(names []string) string { return strings.Join(names, ", ") }
	return unwind.Must(presburger.ParseMap(fmt.Sprintf("{ [%s] -> isolate[[%s] -> [%s]] }", list(names[:n]), list(names[:outer]), list(names[outer:]))))
}

// fullTiles are the numbers of the members around a band for which all statements of the band have all points of the
// tile; ok is false if there are none, or if the numbers do not say.
func (x *tiler) fullTiles(b schedule.BandData, outer []schedule.Member) (presburger.Set, bool) {
	members, isSum := unwind.Must2(tileNumbers(outer))
	np, n := len(x.sys.Params), len(outer)
	full := presburger.Basic{Params: x.sys.Params, Out: presburger.NewTuple("", make([]string, n)...)}
	// A tile is full if it is full for each statement of the band: one basic set has the conditions of
	// all.
	for _, part := range b.Members[0].Function.Maps() {
		in, _ := part.Tuples()
		st := x.sys.Statement(in.Name())
		if st == nil {
			return presburger.Set{}, false
		}
		strips := stripsOf(members, st, x.sys.Params)
		domain := unwind.Must(st.Domain.Coalesce())
		d := domain.AlignParams(x.sys.Params...).Basics()
		// Only a convex domain of inequalities has its least values at corners.
		if strips == nil || len(d) != 1 || len(d[0].Divs) > 0 || len(d[0].Eq) > 0 {
			return presburger.Set{}, false
		}
		for _, r := range d[0].Ge {
			row := tightest(r, strips, np)
			for i := range row {
				if i > np && isSum[i-1-np] {
					row[i+1] = row[i+1].Sub(row[i]) // the number is the sum less the next one
				}
			}
			// A condition without tile numbers holds or fails for all tiles alike.
			if row != nil && slices.ContainsFunc(row[1+np:], func(x presburger.Int) bool { return x.Sign() != 0 }) {
				full.Ge = append(full.Ge, row)
			}
		}
	}
	if len(full.Ge) == 0 {
		return presburger.Set{}, false
	}
	out := unwind.Must(presburger.SetOf(full).IntersectParams(x.sys.Context))
	empty := unwind.Must(out.IsEmpty())
	return presburger.SetOf(full), !empty
}

// A strip is the values of an affine function from size t up to size (t + 1), less 1, where t is the number of a tile, or that of one time.
type strip struct {
	row  []presburger.Int // of the constant, the parameters and the coordinates of a statement
	size presburger.Int
}

// stripsOf are what the members say of a statement; nil if they say other things.
func stripsOf(members []schedule.Member, st *poly.Stmt, params []string) (out []strip) {
	for _, m := range members {
		for _, part := range m.Function.AlignParams(params...).Maps() {
			if in, _ := part.Tuples(); in.Name() != st.Name {
				continue
			}
			f, err := part.AsPwMultiAff()
			if err != nil {
				return nil
			}
			a, ok := f.AsMultiAff()
			if !ok || a.Len() != 1 || !slices.Equal(a.At(0).Params(), params) {
				return nil
			}
			row, den, divs := a.At(0).Floors()
			n := len(row) - len(divs)
			one := presburger.NewInt(1)
			if den.Cmp(one) != 0 {
				return nil
			}
			// Two forms are strips: an affine function, with size 1, and the floor of one by a constant,
			// with that size.
			switch zero := func(x presburger.Int) bool { return x.Sign() == 0 }; {
			case len(divs) == 0:
				out = append(out, strip{row, one})
			case len(divs) == 1 && row[n].Cmp(one) == 0 && !slices.ContainsFunc(row[:n], func(x presburger.Int) bool { return !zero(x) }):
				out = append(out, strip{divs[0].Num[:n], divs[0].Den})
			default:
				return nil
			}
		}
	}
	if len(out) != len(members) {
		return nil
	}
	return out
}

// tightest is the least value that a condition has between strips, as a row of the constant, np parameters and the numbers
// of the strips; nil if they do not bound it. Coordinates are rational: the value may be less than it is at any integers.
func tightest(r []presburger.Int, strips []strip, np int) []presburger.Int {
	weights := combination(r, strips, np)
	if weights == nil {
		return nil
	}
	row := make([]*big.Rat, 1+np+len(strips))
	for i := range row {
		row[i] = new(big.Rat)
		if i <= np {
			row[i].SetInt(r[i].Big())
		}
	}
	// Strip t of f reaches from size * t to size * t + size - 1. The product w * f is least at the
	// lower end for a positive w, and at the upper end for a negative one.
	for k, w := range weights {
		for i := range 1 + np {
			row[i].Sub(row[i], new(big.Rat).Mul(w, rational(strips[k].row[i])))
		}
		row[1+np+k].Mul(w, rational(strips[k].size))
		if w.Sign() < 0 {
			row[0].Add(row[0], new(big.Rat).Mul(w, rational(strips[k].size.Sub(presburger.NewInt(1)))))
		}
	}
	// The common denominator is positive, so the scaled row has the same sign.
	den := big.NewInt(1)
	for _, x := range row {
		den.Mul(den, new(big.Int).Div(x.Denom(), new(big.Int).GCD(nil, nil, den, x.Denom())))
	}
	out := make([]presburger.Int, len(row))
	for i, x := range row {
		out[i] = presburger.BigInt(new(big.Int).Div(new(big.Int).Mul(x.Num(), den), x.Denom()))
	}
	return out
}

// combination is what to multiply the functions of strips by so that their sum has the coordinates of a row; nil if there is
// no such sum. Gauss and Jordan find it.
func combination(r []presburger.Int, strips []strip, np int) []*big.Rat {
	n := len(r) - 1 - np
	rows := make([][]*big.Rat, n)
	for d := range rows {
		for _, s := range strips {
			rows[d] = append(rows[d], rational(s.row[1+np+d]))
		}
		rows[d] = append(rows[d], rational(r[1+np+d]))
	}
	out := make([]*big.Rat, len(strips))
	pivots := map[int]int{} // column to row
	done := 0
	for k := range strips {
		out[k] = new(big.Rat)
		p := slices.IndexFunc(rows[done:], func(x []*big.Rat) bool { return x[k].Sign() != 0 })
		if p < 0 {
			continue
		}
		rows[done], rows[done+p] = rows[done+p], rows[done]
		eliminate(rows, done, k)
		pivots[k] = done
		done++
	}
	// A row without a pivot needs a zero on its right-hand side, else there is no solution.
	for _, x := range rows[done:] {
		if x[len(strips)].Sign() != 0 {
			return nil
		}
	}
	// Unknowns without a pivot stay 0: each solution gives a valid bound.
	for k, p := range pivots {
		out[k] = rows[p][len(strips)]
	}
	return out
}

// eliminate makes column k of a matrix 1 in row p and 0 in the others.
func eliminate(rows [][]*big.Rat, p, k int) {
	by := new(big.Rat).Inv(rows[p][k])
	for i := range rows[p] {
		rows[p][i] = new(big.Rat).Mul(rows[p][i], by)
	}
	for j, x := range rows {
		if j == p || x[k].Sign() == 0 {
			continue
		}
		by := x[k]
		for i := range x {
			x[i] = new(big.Rat).Sub(x[i], new(big.Rat).Mul(by, rows[p][i]))
		}
	}
}

func rational(x presburger.Int) *big.Rat { return new(big.Rat).SetInt(x.Big()) }
