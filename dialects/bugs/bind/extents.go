package bind

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// The extents of an array are fixed by `var`, the data block or the data: an index on the
// left does not enlarge it, for what it would add were parameters that nobody asked for.
// (An element that the data leave missing, NA or null, is one that they ask for.)

// beyondExtent is the error for a left side that goes on where its array ends: last is
// the greatest index of dimension d.
func (b *Builder) beyondExtent(s *model.Statement, d, last int) *diag.Diagnostic {
	v := s.Var
	what := fmt.Sprintf("index %d of %s", last, v.Name)
	if len(v.Dims) > 1 {
		what = fmt.Sprintf("index %d in dimension %d of %s", last, d+1, v.Name)
	}
	e := diag.Errorf(s.LHS.Span(), "%s is out of range: ", what)
	switch decl := b.declaration(v.Name); {
	case b.Data.Get(v.Name) != nil:
		e.Message += fmt.Sprintf("the data give %d, and the model defines %d", v.Dims[d], last)
		e.WithFix("end the loop at %d, or write null (NA in R) in the data for what is missing", v.Dims[d]).WithNote(v.At, "%s is given here", v.Name)
	case decl != nil:
		e.Message += fmt.Sprintf("`var` declares %d", v.Dims[d])
		e.WithFix("declare more elements, or end the loop earlier").WithNote(decl.Span(), "it is declared here")
	default:
		e.Message += fmt.Sprintf("the data block makes %d", v.Dims[d])
		e.WithFix("end the loop at %d, or make more elements there", v.Dims[d])
	}
	return e
}

// declaration is what `var` says of a name, or nil.
func (b *Builder) declaration(name string) *syntax.VarDecl {
	for _, d := range b.Model.Program.Vars {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// An extentUse is how far the program goes into one dimension of an array of the data.
type extentUse struct {
	last  int         // the greatest index
	at    *syntax.Ref // it is there
	loop  bool        // a loop goes through the dimension
	open  bool        // some index is not known here
	whole *syntax.Ref // takes all elements, whatever loops do; nil for none
}

// Surplus warns of data that go on where the loops over them end: such as N = 3 and
// x[1:4], whose mean(x[]) has one element more than the loop. Constant indices alone
// are no loop: of a table a program may use one column.
func (b *Builder) Surplus() {
	uses := map[*model.Var][]extentUse{}
	for _, s := range b.Model.Statements {
		if s.Iterations == 0 {
			continue
		}
		f := eval.NewFrame(b.Model, s)
		s.Refs(func(r *syntax.Ref, level int) {
			v := b.Model.Bindings[r].Var
			if v == nil || len(v.Dims) == 0 || b.Data.Get(v.Name) == nil {
				return
			}
			if uses[v] == nil {
				uses[v] = make([]extentUse, len(v.Dims))
			}
			for d := range v.Dims {
				// Of loops within loops the domain leaves out those that are empty.
				if uses[v][d].see(f, s, r, v, d); r != s.LHS && level < len(s.Loops) && !s.Domain.IsBox() {
					uses[v][d].open = true
				}
			}
		})
	}
	for _, v := range b.Model.Vars {
		for d, u := range uses[v] {
			if u.loop && !u.open && u.last < v.Dims[d] {
				b.warnSurplus(v, d, u)
				break
			}
		}
	}
}

// see enters a reference.
func (u *extentUse) see(f *eval.Frame, s *model.Statement, r *syntax.Ref, v *model.Var, d int) {
	x := model.IndexAt(r.Indices, d)
	if _, all := x.(*syntax.All); x == nil || all {
		u.whole = r
		return
	}
	lo, hi, ok := f.AffineSpan(x, v, d)
	if !ok {
		u.open = true
		return
	}
	_, most, ok := model.Extremes(&s.Domain, lo, hi)
	u.open = u.open || !ok
	u.loop = u.loop || !hi.Constant()
	if ok && most > u.last {
		u.last, u.at = most, r
	}
}

func (b *Builder) warnSurplus(v *model.Var, d int, u extentUse) {
	what := model.Plural(v.Dims[d], "element")
	if len(v.Dims) > 1 {
		what = fmt.Sprintf("%d elements in dimension %d", v.Dims[d], d+1)
	}
	w := b.Warn(v.At, "%s has %s in the data, and the loops end at %d", v.Name, what, u.last).
		WithFix("let the loops go to %d, or remove the rest from the data", v.Dims[d]).WithNote(u.at.Span(), "the loops end here at %d", u.last)
	if u.whole != nil {
		w.WithNote(u.whole.Span(), "this takes all %d", v.Dims[d])
	}
}
