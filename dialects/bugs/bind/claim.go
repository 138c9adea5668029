package bind

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir"
)

// claim enters who defines each element; a second definition is an error. Regions
// that nothing else defines are entered whole.
func (b *Builder) claim(s *model.Statement) {
	v, dims := s.Var, s.Defines.Dims
	total := 1
	for d := range dims {
		if total = ir.Times(total, max(dims[d], 1)); total > function.MaxElements {
			b.ErrorAt(s.LHS.Span(), "%s would have more than %d elements", v.Name, function.MaxElements)
			return
		}
	}
	if s.Iterations == 0 {
		return
	}
	for d := range dims {
		if dims[d] > v.Dims[d] {
			v.Grow(dims)
			break
		}
	}
	o := &v.Drawn
	if s.Assign != nil {
		o = &v.Assigned
	}
	if r := s.Defines.Region; r != nil && o.Dense == nil && len(o.Parts) < model.MaxParts && o.Free(r) && !b.givenHere(s, r) {
		o.Parts = append(o.Parts, model.Part{Region: r, By: s})
		return
	}
	o.Spread(v)
	s.EachElement(func(i, k int) bool {
		by := &o.Dense[k]
		if by.Stmt != 0 {
			b.twice(s, b.Model.Statements[by.Stmt-1], v, k)
			return true
		}
		*by = model.Origin{Stmt: int32(s.Index + 1), Iter: int32(i)}
		if s.Assign != nil && v.FromFile.Has(k) && !s.InData {
			b.Once(v.Name+" is data", func() {
				b.ErrorAt(s.LHS.Span(), "%s is given in the data and assigned here", v.ElemName(k)).
					WithFix("remove it from the data, or this statement").WithNote(v.At, "the data")
			})
		}
		return true
	})
}

// givenHere reports that an assignment outside of a data block defines what the
// data give.
func (b *Builder) givenHere(s *model.Statement, r model.Region) bool {
	if s.Assign == nil || s.InData || s.Var.FromFile.None() {
		return false
	}
	n := 0
	r.Runs(s.Var.Dims, func(from, to int) { n += s.Var.FromFile.Between(from, to) })
	return n > 0
}
