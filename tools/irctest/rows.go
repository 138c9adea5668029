package irctest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// rows is what a dialect tells passes of an op, in tables ir.Interface.
type rows struct {
	loop     *ir.LoopLike
	accesses *ir.AccessLike
}

// rowsOf asks what an op is as a loop and as an access, once a run.
func (t *trace) rowsOf(o *interp.Op) rows {
	r, asked := t.rows[o]
	if !asked {
		if l, ok := ir.As[ir.LoopLike](o.G.NodeOf(o.V)); ok {
			r.loop = &l
		}
		if a, ok := ir.As[ir.AccessLike](o.G.NodeOf(o.V)); ok {
			r.accesses = &a
		}
		t.rows[o] = r
	}
	return r
}

// Bounds of what is kept of a run of an op, and of the boxes that are compared.
const (
	mostKept  = 256
	mostCells = 1 << 12
)

// regionRuns are the runs of a region while its op runs once: how many, and of the first ones the values of the parameters
// and what they yielded.
type regionRuns struct {
	n            int
	args, yields [][]ir.Val
}

// regionOf finds the runs of a region of the innermost op; nil of any other region, as the body of a function.
func (t *trace) regionOf(code *interp.Code) (*frame, int) {
	if len(t.stack) == 0 {
		return nil, 0
	}
	fr := t.stack[len(t.stack)-1]
	i := slices.Index(fr.op.Regions, code)
	if i < 0 || !t.mine(fr.op.Def) {
		return nil, 0
	}
	if fr.regions == nil {
		fr.regions = make([]regionRuns, len(fr.op.Regions))
	}
	return fr, i
}

// Enter is told that a region runs.
func (t *trace) Enter(code *interp.Code, args []ir.Val) {
	fr, i := t.regionOf(code)
	if fr == nil {
		return
	}
	r := &fr.regions[i]
	if r.n++; r.n <= mostKept {
		r.args = append(r.args, slices.Clone(args))
	}
	if kind := fr.op.G.KindOf(code.Region); r.n == 2 && (kind == ir.Once || kind == ir.Branch) {
		what := map[ir.RegionKind]string{ir.Once: "exactly once (ir.Once, which is what no Body says)", ir.Branch: "at most once (ir.Branch)"}[kind]
		t.say(fr.op, "its region %d runs again, and is declared to run %s: what it writes would be taken to be written once; declare Body: ir.Loop, or Bodies", i, what)
	}
}

// Leave is told what a region yields.
func (t *trace) Leave(code *interp.Code, yields []ir.Val) {
	if fr, i := t.regionOf(code); fr != nil && fr.regions[i].n <= mostKept {
		fr.regions[i].yields = append(fr.regions[i].yields, slices.Clone(yields))
	}
}

// afterRegions looks at how often the regions of an op ran that has ended well, and whether it is the loop that it says it is.
func (t *trace) afterRegions(fr *frame) {
	o := fr.op
	for i, code := range o.Regions {
		if o.G.KindOf(code.Region) == ir.Once && fr.runsOf(i).n == 0 {
			t.say(o, "its region %d did not run, and is declared to run exactly once (ir.Once): declare Body: ir.Branch, or Bodies", i)
		}
	}
	if l := t.rowsOf(o).loop; l != nil && t.found == nil {
		if why := fr.loopDiffers(l); why != "" {
			t.say(o, "its ir.LoopLike is wrong: %s; passes go by the row, so mend it, or the interpreter", why)
		}
	}
}

func (fr *frame) runsOf(i int) regionRuns {
	if i < len(fr.regions) {
		return fr.regions[i]
	}
	return regionRuns{}
}

// operand is the value that an operand has, or a constant; false if that is not known.
func (fr *frame) operand(v ir.Value) (ir.Val, bool) {
	if k := slices.Index(fr.op.G.Args(fr.op.V), v); k >= 0 {
		return fr.args[k], true
	}
	return fr.op.G.Const(v)
}

// signed is an integer as a signed number.
func signed(c *ir.Context, t ir.Type, v ir.Val) int64 {
	w := 64
	if c.IsInt(t) {
		w = int(c.Info(t).Width)
	}
	return int64(v.Bits) << (64 - w) >> (64 - w)
}

// number is the number that a bound is; false if it is not known.
func (fr *frame) number(b ir.Bound) (int64, bool) {
	if b.Value == 0 {
		return b.Const, true
	}
	v, ok := fr.operand(b.Value)
	if !ok || v.Ref != nil {
		return 0, false
	}
	return signed(fr.op.G.Ctx, fr.op.G.Type(b.Value), v), true
}

// loopDiffers says how a run of a loop differs from what its row says; "" if it does not, or that is not known.
func (fr *frame) loopDiffers(l *ir.LoopLike) string {
	g := fr.op.G
	i := slices.IndexFunc(fr.op.Regions, func(c *interp.Code) bool { return c.Region == l.Body })
	if i < 0 {
		return "its Body is no region of the op"
	}
	params := g.Params(l.Body)
	for _, v := range append(slices.Clone(l.Indices), l.Carried...) {
		if !slices.Contains(params, v) {
			return "its Indices and Carried are to be parameters of its Body"
		}
	}
	n := len(l.Indices)
	if n > 0 && (len(l.Lower) != n || len(l.Upper) != n || len(l.Step) != n) {
		return fmt.Sprintf("it has %d Indices, and %d, %d and %d for Lower, Upper and Step", n, len(l.Lower), len(l.Upper), len(l.Step))
	}
	if len(l.Carried) > 0 && len(l.Carried) != len(l.Inits) {
		return fmt.Sprintf("it has %d Carried, and %d Inits", len(l.Carried), len(l.Inits))
	}
	at := func(vs []ir.Value) (out []int) {
		for _, v := range vs {
			out = append(out, slices.Index(params, v))
		}
		return out
	}
	runs := fr.runsOf(i)
	if why := fr.pointsDiffer(l, runs, at(l.Indices)); why != "" {
		return why
	}
	return fr.carriedDiffer(l, runs, at(l.Carried))
}

// pointsDiffer compares the indices of iterations, parameters at, with the box of the row: in order, unless they are parallel.
func (fr *frame) pointsDiffer(l *ir.LoopLike, runs regionRuns, at []int) string {
	want, known := fr.points(l)
	if !known {
		return ""
	}
	if runs.n != len(want) {
		return fmt.Sprintf("its body ran %d times, and the row's Lower, Upper, Step and Inclusive make %d", runs.n, len(want))
	}
	var got [][]int64
	for _, args := range runs.args {
		point := make([]int64, len(at))
		for d, k := range at {
			point[d] = signed(fr.op.G.Ctx, fr.op.G.Type(l.Indices[d]), args[k])
		}
		got = append(got, point)
	}
	if len(got) < len(want) && l.Parallel {
		return ""
	}
	if l.Parallel {
		slices.SortFunc(want, slices.Compare)
		slices.SortFunc(got, slices.Compare)
	}
	for k := range got {
		if !slices.Equal(got[k], want[k]) {
			return fmt.Sprintf("iteration %d has the indices %v, and the row's Lower, Upper, Step and Reverse make %v", k, got[k], want[k])
		}
	}
	return ""
}

// points are the points of the box of a row, in the order of a loop that is not parallel; false if they are not known, or many.
func (fr *frame) points(l *ir.LoopLike) ([][]int64, bool) {
	if len(l.Indices) == 0 {
		return nil, false
	}
	points := [][]int64{nil}
	for d := range l.Indices {
		lower, ok1 := fr.number(l.Lower[d])
		upper, ok2 := fr.number(l.Upper[d])
		step, ok3 := fr.number(l.Step[d])
		if !ok1 || !ok2 || !ok3 || step <= 0 {
			return nil, false
		}
		var longer [][]int64
		for _, p := range points {
			for i := lower; i < upper || l.Inclusive && i == upper; i += step {
				if longer = append(longer, append(slices.Clone(p), i)); len(longer) > mostCells {
					return nil, false
				}
				if i > i+step {
					break // it wraps around
				}
			}
		}
		points = longer
	}
	if l.Reverse {
		slices.Reverse(points)
	}
	return points, true
}

// carriedDiffer compares what is carried, parameters at, with what it begins with, and from one iteration to the next
// where it is plain what yields it: the body is the only region, and yields as many values.
func (fr *frame) carriedDiffer(l *ir.LoopLike, runs regionRuns, at []int) string {
	if l.Parallel || len(at) == 0 {
		return ""
	}
	for j, args := range runs.args {
		for k, p := range at {
			switch {
			case j == 0:
				if init, ok := fr.operand(l.Inits[k]); ok && !same(init, args[p]) {
					return fmt.Sprintf("the first iteration begins with another value in Carried[%d] than Inits[%d]", k, k)
				}
			case len(fr.op.Regions) == 1 && j <= len(runs.yields) && len(runs.yields[j-1]) == len(at):
				if !same(runs.yields[j-1][k], args[p]) {
					return fmt.Sprintf("Carried[%d] of iteration %d is not what iteration %d yields", k, j, j-1)
				}
			}
		}
	}
	return ""
}

// same reports one and the same value; of values that cannot be compared it holds.
func same(v, w ir.Val) bool {
	switch r := v.Ref.(type) {
	case nil:
		return w.Ref == nil && v.Bits == w.Bits
	case *interp.MemRef:
		s, ok := w.Ref.(*interp.MemRef)
		return ok && r.Buf.Memory == s.Buf.Memory && r.Offset == s.Offset
	case ir.Vector:
		s, ok := w.Ref.(ir.Vector)
		return ok && slices.EqualFunc(r, s, same)
	}
	return v.IsPoison() == w.IsPoison()
}

// A touch is one access of an op to memory.
type touch struct {
	buf   *interp.Buffer
	i     int
	write bool
}

// cells are elements of memory that a row says are accessed, as bytes; nil stands for any.
type cells struct {
	ir.Access
	of    *interp.MemRef
	known bool
	spans [][2]int
}

// afterAccesses compares what an op has done to the memory of its operands with its row.
func (t *trace) afterAccesses(fr *frame) {
	row := t.rowsOf(fr.op).accesses
	if row == nil || t.found != nil {
		return
	}
	var declared []cells
	for k, a := range row.Accesses {
		if !slices.Contains(fr.op.G.Args(fr.op.V), a.Memory) {
			t.say(fr.op, "its ir.AccessLike is wrong: the Memory of access %d is no operand of the op", k)
			return
		}
		if v, _ := fr.operand(a.Memory); v.Ref != nil {
			if r, ok := v.Ref.(*interp.MemRef); ok {
				declared = append(declared, fr.cellsOf(a, r))
			}
		}
	}
	for _, x := range fr.touches {
		if why := fr.undeclared(x, declared); why != "" {
			t.say(fr.op, "its ir.AccessLike is wrong: %s; passes go by the row, so mend it, or the interpreter", why)
			return
		}
	}
	for _, d := range declared {
		if why := fr.unstored(d); why != "" {
			t.say(fr.op, "its ir.AccessLike is wrong: %s; a pass hands the value on to later loads", why)
			return
		}
	}
}

// cellsOf finds the elements that an access of a row may be to.
func (fr *frame) cellsOf(a ir.Access, r *interp.MemRef) cells {
	out := cells{Access: a, of: r}
	add := func(pos int) {
		at, n := r.Buf.Span(pos)
		out.spans = append(out.spans, [2]int{at, at + n})
	}
	var index []ir.Val
	first := a.First
	if a.Indices != nil {
		first = a.Indices
	}
	for _, v := range first {
		x, ok := fr.operand(v)
		if !ok || x.Ref != nil {
			return out
		}
		index = append(index, x)
	}
	switch {
	case a.Indices == nil && a.Extents == nil:
		if r.Len() <= mostCells {
			out.known = true
			r.Each(add)
		}
	case a.Extents == nil || ir.Elements(a.Extents) <= mostCells:
		out.known = true
		extents := a.Extents
		if extents == nil {
			extents = slices.Repeat([]int64{1}, len(index))
		}
		eachOf(index, extents, 0, func(at []ir.Val) {
			if pos, err := r.At(at); err == nil {
				add(pos)
			}
		})
	}
	return out
}

// eachOf calls f with the points of a box.
func eachOf(first []ir.Val, extents []int64, d int, f func([]ir.Val)) {
	if d == len(first) {
		f(first)
		return
	}
	for k := range extents[d] {
		at := slices.Clone(first)
		at[d].Bits += uint64(k)
		eachOf(at, extents, d+1, f)
	}
}

// undeclared says that no access of a row covers one to memory of an operand; "" if one does, or the memory is no operand's.
func (fr *frame) undeclared(x touch, declared []cells) string {
	of := slices.IndexFunc(fr.args, func(v ir.Val) bool { r, ok := v.Ref.(*interp.MemRef); return ok && r.Buf.Memory == x.buf.Memory })
	if of < 0 {
		return ""
	}
	at, n := x.buf.Span(x.i)
	var there []string
	for _, d := range declared {
		if d.of.Buf.Memory != x.buf.Memory {
			continue
		}
		if (x.write && d.Writes || !x.write && d.Reads) &&
			(!d.known || slices.ContainsFunc(d.spans, func(s [2]int) bool { return s[0] <= at && at+n <= s[1] })) {
			return ""
		}
		there = append(there, d.String())
	}
	said := "has no access to that memory"
	if len(there) > 0 {
		said = "says that it " + strings.Join(there, ", ")
	}
	return fmt.Sprintf("it %s element %d of the memory of operand %d, and the row %s", map[bool]string{false: "reads", true: "writes"}[x.write], x.i, of, said)
}

// String says what is accessed.
func (d cells) String() string {
	verb := map[[2]bool]string{{true, false}: "reads", {false, true}: "writes", {true, true}: "reads and writes", {}: "does nothing to"}[[2]bool{d.Reads, d.Writes}]
	switch {
	case d.Indices == nil && d.Extents == nil:
		return verb + " all of it at most"
	case len(d.spans) == 1 && d.of.Buf.Len() > 0:
		_, size := d.of.Buf.Span(0)
		first, _ := d.of.Buf.Span(0)
		return fmt.Sprintf("%s element %d", verb, (d.spans[0][0]-first)/max(size, 1))
	}
	return verb + " a part of it"
}

// unstored says that an element does not have the value that a row says is Stored there; "" if it has, or nobody says so.
func (fr *frame) unstored(d cells) string {
	if d.Stored == 0 || d.Indices == nil || !d.Writes || !d.known || len(d.spans) != 1 || d.of.Buf.Freed {
		return ""
	}
	want, known := fr.operand(d.Stored)
	var index []ir.Val
	for _, v := range d.Indices {
		x, _ := fr.operand(v)
		index = append(index, x)
	}
	pos, err := d.of.At(index)
	if !known || err != nil {
		return ""
	}
	c, elem := fr.op.G.Ctx, d.of.Buf.Elem
	if got := d.of.Buf.Load(pos); !same(got, want) && fmt.Sprint(show(c, got, elem)) != fmt.Sprint(show(c, want, elem)) {
		return fmt.Sprintf("element %d is %v, and not Stored, which is %v", pos, show(c, got, elem), show(c, want, elem))
	}
	return ""
}
