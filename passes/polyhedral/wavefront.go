package polyhedral

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
)

// wavefront gives the first two members of a permutable band, none of which is coincident, an order by their sum, for
// each of which the second one is, as poly-codegen proves: what depends on something has no smaller value of either, so that
// if the sums are equal both values are (Lamport, "The parallel execution of DO loops", 1974). The others are inside.
func wavefront(n *schedule.Node) *schedule.Node {
	b := n.Band()
	if len(b.Members) < 2 || !b.Permutable || slices.ContainsFunc(b.Members, func(m schedule.Member) bool { return m.Coincident }) {
		return n
	}
	add := unwind.Must(presburger.ParseMap("{ [x, y] -> [x + y] }"))
	both := unwind.Must(b.Members[0].Function.FlatRangeProduct(b.Members[1].Function))
	both = unwind.Must(add.Compose(both))
	inner := b
	inner.Members = b.Members[1:]
	return schedule.NewBand(schedule.BandData{Members: []schedule.Member{{Function: both}}, Permutable: true}, schedule.NewBand(inner, n.Child(0)))
}

// isWavefront reports that the rounds of a loop over tiles are independent where it is inside of one over the sums of their
// numbers, as wavefront makes them. The numbers are floors of two functions: if of two instances that conflict none has the
// greater value of one function and the lesser of the other, the same is true of their tiles, and where the sums are
// equal both numbers are. The general proof, with floors in sums, takes long for large tiles.
func isWavefront(sum, second schedule.Member, conflicts presburger.Map) (_ bool, err error) {
	defer unwind.To(&err)
	a, _, ok := firstOf(sum, second)
	if !ok {
		return false, nil
	}
	b, _, ok := underFloors(second.Function)
	if !ok {
		return false, nil
	}
	for _, order := range [][2]string{{"<", ">"}, {">", "<"}} {
		pairs := conflicts
		for i, f := range []presburger.Map{a, b} {
			apart := unwind.Must(presburger.ParseMap("{ [x] -> [y] : x " + order[i] + " y }"))
			apart = unwind.Must(apart.Compose(f))
			apart = unwind.Must(f.Inverse().Compose(apart))
			pairs = unwind.Must(pairs.Intersect(apart))
		}
		if !unwind.Must(pairs.IsEmpty()) {
			return false, nil
		}
	}
	return true, nil
}

// firstOf is the function under the floors of the first tile number of a wavefront, which is the sum less the second, and the
// size of tiles; it is not ok where that is no floor.
func firstOf(sum, second schedule.Member) (f presburger.Map, size presburger.Int, ok bool) {
	difference := unwind.Must(presburger.ParseMap("{ [x, y] -> [x - y] }"))
	first := unwind.Must(sum.Function.FlatRangeProduct(second.Function))
	first = unwind.Must(difference.Compose(first))
	f, size, ok = underFloors(first)
	return f, size, ok
}

// tileNumbers are members with the first tile number of a wavefront in the place of the sum; isSum says where.
func tileNumbers(members []schedule.Member) (out []schedule.Member, isSum []bool, err error) {
	defer unwind.To(&err)
	out, isSum = slices.Clone(members), make([]bool, len(members))
	for i := range len(members) - 1 {
		if _, _, ok := underFloors(members[i].Function); ok {
			continue
		}
		f, size, ok := firstOf(members[i], members[i+1])
		if !ok {
			continue
		}
		by := unwind.Must(presburger.ParseMap(fmt.Sprintf("{ [x] -> [t] : %s t <= x < %[1]s t + %[1]s }", size)))
		out[i].Function = unwind.Must(by.Compose(f))
		isSum[i] = true
	}
	return out, isSum, nil
}

// underFloors are the functions of which those of a map are floors, all divided by one number, the size.
func underFloors(m presburger.Map) (out presburger.Map, size presburger.Int, ok bool) {
	for _, part := range m.Maps() {
		in, to := part.Tuples()
		f, err := part.AsPwMultiAff()
		if err != nil {
			return out, size, false
		}
		a, ok := f.AsMultiAff()
		if !ok || a.Len() != 1 {
			return out, size, false
		}
		row, den, divs := a.At(0).Floors()
		one := presburger.NewInt(1)
		if len(divs) != 1 || den.Cmp(one) != 0 || row[len(row)-1].Cmp(one) != 0 || slices.ContainsFunc(row[:len(row)-1], func(x presburger.Int) bool { return x.Sign() != 0 }) {
			return out, size, false
		}
		if size.Sign() != 0 && size.Cmp(divs[0].Den) != 0 {
			return out, size, false
		}
		size = divs[0].Den
		eq := append(slices.Clone(divs[0].Num[:len(row)-1]), one.Neg())
		out = out.Union(presburger.MapOf(presburger.Basic{Params: a.At(0).Params(), In: in, Out: to, Eq: [][]presburger.Int{eq}}))
	}
	return out, size, size.Sign() != 0
}
