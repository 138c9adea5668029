package contraction

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// A sum that a statement of zeros begins need not read them: if that statement comes right before the contraction and is of
// the same elements, tiles that are summed up in one go are stored as they are. Where the sums have no terms, and
// for tiles that are summed up part by part, the zeros are written.

// isZeros reports a statement that makes elements 0. (The sign of a zero that is a sum is not determined.)
func isZeros(st *poly.Stmt) bool {
	if st.Operator != poly.Set || st.Node == (poly.Stmt{}).Node || len(st.Reads)+len(st.Gathers) > 0 {
		return false
	}
	y := st.Node.Region(0).Yields()
	if len(y) != 1 || y[0].Def() != arith.Constant {
		return false
	}
	v, ok := y[0].Graph().Const(y[0].Old())
	return ok && v.Ref == nil && v.Bits == 0
}

// zerosOf is the one of some statements of zeros that makes the elements of a sum 0, where that has any terms.
func (c *Contraction) zerosOf(sys *poly.System, list []*poly.Stmt) (*poly.Stmt, error) {
	if c.before || c.isExtreme() {
		return nil, nil
	}
	for _, st := range list {
		if st.Target != c.st.Target {
			continue
		}
		if same, err := c.sameElements(sys, st, st.Write); err != nil || same {
			return st, err
		}
	}
	return nil, nil
}

// sameElements reports a statement that accesses the elements of a contraction, and no others, wherever there are terms to sum up.
func (c *Contraction) sameElements(sys *poly.System, st *poly.Stmt, access presburger.Map) (bool, error) {
	summed, err := elementsOf(sys, c.st, c.st.Write)
	if err != nil {
		return false, err
	}
	terms := c.domain // any point, where there are terms
	for d := range 3 {
		if terms, err = forget(terms, d); err != nil {
			return false, err
		}
	}
	own, err := elementsOf(sys, st, access)
	if err != nil {
		return false, err
	}
	return own.FlatProduct(terms).IsEqual(summed.FlatProduct(terms))
}

// elementsOf are those that the instances of a statement access in one way.
func elementsOf(sys *poly.System, st *poly.Stmt, access presburger.Map) (presburger.Set, error) {
	d, err := st.Domain.IntersectParams(sys.Context)
	if err != nil {
		return d, err
	}
	w, err := access.IntersectDomain(d)
	return w.Range(), err
}
