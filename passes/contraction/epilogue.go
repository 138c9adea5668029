package contraction

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/dialects/vector/made"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// An epilogue is a statement that comes right after a contraction and replaces each element of its result by what it makes of
// it and of elements of other arrays: a bias, a residual, a rectifier. It is done to a tile as soon as the sums of that are
// complete, in registers or while the tile is in the first cache, and not in one more walk over the result. Or it writes what it makes of
// each element to another array, whose elements may have another type: sums rounded to halves, or to bytes.
//
// That is legal because all that it does to an element comes after all sums for that, and because no sum reads what it writes:
// the contraction reads neither its target nor that array, and the epilogue writes nothing else, and reads of what it or the contraction writes
// only the element itself.
type epilogue struct {
	st    *poly.Stmt
	reads []epilogueRead
	to    *presburger.Map // from instances of the contraction to elements of another array; nil if it writes to the sums themselves
	heavy bool            // so much is done that it is not written out for each vector of a tile
	dead  bool            // nothing else reads the sums
}

// An epilogueRead is what an instance of the epilogue reads for an element that an instance of the contraction adds to.
type epilogueRead struct {
	sum   bool           // the element itself
	from  presburger.Map // from instances of the contraction
	along bool           // elements lie side by side where j grows; else there is one for all j
}

// lightOps are so few that they are done to each vector of a tile in registers.
const lightOps = 8

// epilogueOf finds the epilogue of a contraction among statements that are executed whole, each by itself; that it comes right after it
// shows where code is made.
func (c *Contraction) epilogueOf(sys *poly.System, inside systems.Inside, list []*poly.Stmt) (*epilogue, error) {
	if c.before || !c.box || !c.isProduct() {
		return nil, nil
	}
	for _, st := range list {
		if st.Operator != poly.Set || st.Keyed || len(st.Gathers) > 0 || st.Node == (poly.Stmt{}).Node || !inside[systems.Written(st)] || !c.maySet(st.Target) {
			continue
		}
		e := &epilogue{st: st}
		ok, err := e.read(sys, c, inside)
		if ok || err != nil {
			return e, err
		}
	}
	return nil, nil
}

// read finds what an instance reads, and refuses what is no function of the element and of others that vectors can be loaded of.
func (e *epilogue) read(sys *poly.System, c *Contraction, inside systems.Inside) (bool, error) {
	sums, ok := e.sums(c)
	if !ok {
		return false, nil
	}
	instances, ok, err := e.instances(sys, c, sums)
	if !ok || err != nil {
		return false, err
	}
	if e.st.Target != c.st.Target {
		to, ok, err := c.besideSums(e.st.Target, e.st.Write, instances)
		if err != nil || !ok || !to.along {
			return false, err
		}
		e.to = &to.from
	}
	for i, r := range e.st.Reads {
		if r.Array == c.st.Target {
			if same, err := sameOn(r.Map, sums, e.st.Domain); err != nil || !same {
				return false, err
			}
			e.reads = append(e.reads, epilogueRead{sum: true})
			continue
		}
		if !inside[systems.ReadBy(e.st, i)] || r.Array == e.st.Target {
			return false, nil
		}
		read, ok, err := c.besideSums(r.Array, r.Map, instances)
		if err != nil || !ok {
			return false, err
		}
		e.reads = append(e.reads, read)
	}
	e.dead = e.to != nil && isScratch(sys, c.st.Target, c.st, e.st)
	return e.isVectorized(), nil
}

// maySet reports an array that an epilogue may write to: the sums, or one that the contraction does not read.
func (c *Contraction) maySet(a *poly.ArrayDecl) bool {
	return a == c.st.Target || !slices.ContainsFunc(c.st.Reads, func(r poly.Access) bool { return r.Array == a })
}

// sums is which element of the contraction's an instance makes something of.
func (e *epilogue) sums(c *Contraction) (presburger.Map, bool) {
	if e.st.Target == c.st.Target {
		return e.st.Write, true
	}
	at := slices.IndexFunc(e.st.Reads, func(r poly.Access) bool { return r.Array == c.st.Target })
	if at < 0 {
		return presburger.Map{}, false
	}
	return e.st.Reads[at].Map, true
}

// besideSums is how an array is accessed with the sums of a row and of columns; ok says that vectors can be.
func (c *Contraction) besideSums(a *poly.ArrayDecl, access, instances presburger.Map) (r epilogueRead, ok bool, err error) {
	if r.from, err = access.Compose(instances); err != nil || !hasVectors(a) {
		return r, false, err
	}
	r.from = systems.Simpler(r.from, c.st.Domain)
	rows, ok := systems.Linear(r.from)
	if !ok || used(rows)&(1<<c.k) != 0 {
		return r, false, nil
	}
	r.along = used(rows)&(1<<c.j) != 0
	last := len(rows) - 1
	return r, !r.along || systems.IsDense(a) && rows[last][c.j] == 1 && used(rows[:last])&(1<<c.j) == 0, nil
}

// hasVectors reports elements that lie in memory as in vectors: of whole bytes, a power of two.
func hasVectors(a *poly.ArrayDecl) bool {
	switch a.Elem {
	case ir.I8, ir.I16, ir.I32, ir.I64, ir.F16, ir.BF16, ir.F32, ir.F64:
		return true
	}
	return false
}

// isScratch reports memory that is given back when the system is done, and of which the statements around one alone that two have nothing but zeros:
// what is not read by these two need not be stored.
func isScratch(sys *poly.System, a *poly.ArrayDecl, by ...*poly.Stmt) bool {
	for _, st := range sys.Statements {
		if !slices.Contains(by, st) && (st.Target == a && !isZeros(st) || slices.ContainsFunc(st.Reads, func(r poly.Access) bool { return r.Array == a })) || len(st.Gathers) > 0 {
			return false
		}
	}
	if a.Node.Def() != poly.Bind {
		return a.Node.Def() == poly.Local
	}
	n := a.Node.Arg(0)
	var own func(n ir.Node) bool
	own = func(n ir.Node) bool {
		return !slices.ContainsFunc(n.Users(), func(u ir.Node) bool {
			return u != a.Node && u.Def() != memref.Dealloc && !(u.Def() == memref.ReinterpretCast && own(u))
		})
	}
	for n.Def() == memref.ReinterpretCast {
		n = n.Arg(0)
	}
	return n.Def() == memref.Alloc && own(n)
}

// instances relates those of the contraction to those of the epilogue that have the same element; ok says that there is one for
// each element, and no other one, wherever there are terms to sum up.
func (e *epilogue) instances(sys *poly.System, c *Contraction, sums presburger.Map) (m presburger.Map, ok bool, err error) {
	d, err := e.st.Domain.IntersectParams(sys.Context)
	if err != nil {
		return m, false, err
	}
	for _, access := range []presburger.Map{sums, e.st.Write} {
		own, err := access.IntersectDomain(d)
		if err != nil {
			return m, false, err
		}
		if once, err := own.IsInjective(); err != nil || !once {
			return m, false, err
		}
	}
	if same, err := c.sameElements(sys, e.st, sums); err != nil || !same {
		return m, false, err
	}
	m, err = sums.IntersectDomain(e.st.Domain)
	if err == nil {
		m, err = m.Inverse().Compose(c.st.Write)
	}
	return m, err == nil, err
}

// sameOn reports that two accesses are of the same elements for all instances of a domain.
func sameOn(x, y presburger.Map, domain presburger.Set) (bool, error) {
	x, err := x.IntersectDomain(domain)
	if err == nil {
		y, err = y.IntersectDomain(domain)
	}
	if err != nil {
		return false, err
	}
	return x.IsEqual(y)
}

// isVectorized reports a body of ops that vectors have too, none of which may trap: lanes behind the last column are computed
// with zeros.
func (e *epilogue) isVectorized() bool {
	body := e.st.Node.Region(0)
	params, dims := body.Params(), e.st.Domain.Tuple().Len()
	ops, seen, depends := 0, map[ir.Node]bool{}, made.Of(params)
	var visit func(n ir.Node) bool
	visit = func(n ir.Node) bool {
		if seen[n] || !depends(n) {
			return true
		}
		seen[n] = true
		if at := slices.Index(params, n); at >= 0 {
			return at >= dims
		}
		ops++
		e.heavy = e.heavy || opcost.Of(n.Def()) == opcost.Function || n.Def() == math.Round
		g := n.Graph()
		if !n.Def().Has(ir.Elementwise) || n.NumRegions() > 0 || !g.IsPure(n.Old()) || g.IsPartial(n.Old()) {
			return false
		}
		return !slices.ContainsFunc(n.Args(), func(a ir.Node) bool { return !visit(a) })
	}
	yields := body.Yields()
	ok := len(yields) == 1 && visit(yields[0]) && depends(yields[0])
	e.heavy = e.heavy || ops > lightOps
	return ok
}

// finished is what the epilogue makes of the sums of a row and of columns from one on.
func (k *kernel) finished(sums, row, column, mask ir.Value) ir.Value {
	body := k.epilogue.st.Node.Region(0)
	params := body.Params()
	have := map[ir.Node]ir.Value{}
	for i, r := range k.epilogue.reads {
		p := params[k.epilogue.st.Domain.Tuple().Len()+i]
		if have[p] = sums; !r.sum && p.NumUses() > 0 {
			have[p] = k.beside(k.epilogue.st.Reads[i].Array, r, row, column, mask)
		}
	}
	return vector.Lift(k.Mirror, body, have, k.lanes)
}

// beside loads what is read with the sums of a row and of columns from one on.
func (k *kernel) beside(a *poly.ArrayDecl, r epilogueRead, row, column, mask ir.Value) ir.Value {
	index := k.element(a, r.from, k.st.Domain, k.coords(row, column, k.Index(0)))
	if r.along {
		return k.simd.loadMasked(k.Memory(a), index, mask)
	}
	return k.simd.broadcast(k.OpAttr(memref.Load, k.simd.inside, append([]ir.Value{k.Memory(a)}, index...)...))
}

// storeFinished stores what the epilogue makes of sums.
func (k *kernel) storeFinished(sums, row, column, mask ir.Value) {
	v := k.finished(sums, row, column, mask)
	if k.epilogue.to == nil {
		k.simd.storeMasked(v, k.Memory(k.st.Target), k.target(row, column), mask)
		return
	}
	a := k.epilogue.st.Target
	index := k.element(a, *k.epilogue.to, k.st.Domain, k.coords(row, column, k.Index(0)))
	k.simd.storeMasked(v, k.Memory(a), index, mask)
}

// storeSums stores complete sums where something reads them: not if all that is made of them is made now, of sums that began with zeros.
func (k *kernel) storeSums(sums, row, column, mask ir.Value, complete bool) {
	if !complete || k.epilogue.to != nil && !(k.epilogue.dead && k.zeros != nil) {
		k.simd.storeMasked(sums, k.Memory(k.st.Target), k.target(row, column), mask)
	}
	if complete {
		k.storeFinished(sums, row, column, mask)
	}
}

// inRegisters reports an epilogue that is done to sums before they are stored: they are complete, and little is done.
func (k *kernel) inRegisters(depth, all span) bool {
	return k.epilogue != nil && !k.epilogue.heavy && k.isWhole(depth, all)
}

// isWhole reports that some values of k are known to be all.
func (k *kernel) isWhole(depth, all span) bool { return depth == all }

// finishTile does the epilogue to some rows and columns that are stored, if the sums in them are complete with the values of k that they
// have now; masks say which columns there are.
func (k *kernel) finishTile(rows span, columns, masks []ir.Value, depth, all span) {
	if k.epilogue == nil {
		return
	}
	k.IfOnly(k.Is(arith.SGE, depth.end, all.end), func() {
		k.each(rows, 1, func(row ir.Value) {
			memory := k.Memory(k.st.Target)
			for v, column := range columns {
				k.storeFinished(k.simd.loadMasked(memory, k.target(row, column), masks[v]), row, column, masks[v])
			}
		})
	})
}
