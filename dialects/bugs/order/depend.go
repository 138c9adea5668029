package order

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// depend finds the dependences, exactly, and checks that every element that is read
// exists: by regions and integer sets where subscripts are affine (readsByRegion),
// by a walk over the iterations where they come from data (walk). Where one of them
// finds something wrong, every element that the statement reads is visited, in the
// order of its iterations, to say what. An index without a value reaches its whole
// extent.
func Depend(b *bind.Builder) {
	for _, s := range b.Model.Statements {
		loopKeys(b, s)
	}
	deps := map[[3]int]*model.Dependence{}
	for _, s := range b.Model.Statements {
		reads(b, s, deps)
		if b.Failed() {
			return
		}
	}
	for _, d := range b.Model.Deps {
		slices.SortFunc(d.Vectors, slices.Compare)
	}
	slices.SortStableFunc(b.Model.Deps, func(x, y *model.Dependence) int {
		return cmp.Or(x.To.Index-y.To.Index, x.From.Index-y.From.Index, x.Var.ID-y.Var.ID)
	})
}

// loopKeys spells the loops of a statement so that two loops with equal keys run
// over the same values.
func loopKeys(b *bind.Builder, s *model.Statement) {
	f := eval.NewFrame(b.Model, s)
	for k, l := range s.Loops {
		key := ""
		if r, ok := l.Node.Over.(*syntax.Range); ok {
			key = boundKey(b, f, r.From, k) + ":" + boundKey(b, f, r.To, k)
		} else {
			key = "in " + b.Model.Spell(l.Node.Over)
		}
		s.LoopKeys = append(s.LoopKeys, key)
	}
}

func boundKey(b *bind.Builder, f *eval.Frame, e syntax.Expr, level int) string {
	constant := true
	syntax.Walk(e, func(x syntax.Expr) bool {
		if r, ok := x.(*syntax.Ref); ok && b.Model.Bindings[r].Level > 0 {
			constant = false
		}
		return constant
	})
	if constant {
		if n, err := f.Integer(e, ""); err == nil {
			return fmt.Sprint(n)
		}
	}
	return b.Model.Spell(e)
}

// nodeRefs lists the variables that the iterations of a statement read.
func NodeRefs(b *bind.Builder, s *model.Statement) []*syntax.Ref {
	var refs []*syntax.Ref
	seen := map[*syntax.Ref]bool{}
	s.Refs(func(r *syntax.Ref, level int) {
		if r != s.LHS && b.Model.Bindings[r].Var != nil && level == len(s.Loops) && !seen[r] {
			seen[r] = true
			refs = append(refs, r)
		}
	})
	return refs
}

// reads visits what a statement reads.
func reads(b *bind.Builder, s *model.Statement, deps map[[3]int]*model.Dependence) {
	if s.Assign != nil && s.Pending == 0 {
		return // all of it is data now
	}
	refs := NodeRefs(b, s)
	if s.Iterations == 0 || !b.Elementwise && readsByRegion(b, s, refs, deps) {
		return
	}
	f := eval.NewFrame(b.Model, s)
	s.Domain.Each(func(_ int, at []int32) bool {
		f.At = at
		for _, r := range refs {
			if err := read(b, s, f, r, deps); err != nil {
				b.Report(err)
				return false
			}
		}
		return true
	})
}

func read(b *bind.Builder, s *model.Statement, f *eval.Frame, r *syntax.Ref, deps map[[3]int]*model.Dependence) error {
	v := b.Model.Bindings[r].Var
	return f.Each(r, v, true, func(k int) error {
		switch v.ClassAt(k) {
		case model.Undefined:
			nothingThere(b, s, r, v, k)
		case model.Logical:
			link(b, s, f, v, v.AssignedBy(k), deps)
		case model.Parameter:
			link(b, s, f, v, v.DrawnBy(k), deps)
		}
		return nil
	})
}

func nothingThere(b *bind.Builder, s *model.Statement, r *syntax.Ref, v *model.Var, k int) {
	b.Once("element "+v.Name, func() {
		d := b.ErrorAt(r.Span(), "%s has no value: nothing defines it", v.ElemName(k))
		if v.Fixed {
			d.Message = v.ElemName(k) + " is missing in the data, and no statement defines it"
			d.WithNote(v.At, "the data")
		}
		d.WithFix("give %s in the data, or define it", v.ElemName(k))
	})
}

// link enters one dependence between elements.
func link(b *bind.Builder, s *model.Statement, f *eval.Frame, v *model.Var, by model.Origin, deps map[[3]int]*model.Dependence) {
	from := b.Model.Statements[by.Stmt-1]
	src := from.At(int(by.Iter))
	vec := make([]int8, model.SharedLoops(from, s))
	for k := range vec {
		vec[k] = model.Sign(f.At[k] - src[k])
	}
	enter(b, from, s, v, vec, deps)
}

// enter keeps a dependence vector.
func enter(b *bind.Builder, from, s *model.Statement, v *model.Var, vec []int8, deps map[[3]int]*model.Dependence) {
	key := [3]int{from.Index, s.Index, v.ID}
	d := deps[key]
	if d == nil {
		d = &model.Dependence{From: from, To: s, Var: v}
		deps[key] = d
		b.Model.Deps = append(b.Model.Deps, d)
	}
	if !slices.ContainsFunc(d.Vectors, func(v []int8) bool { return slices.Equal(v, vec) }) {
		d.Vectors = append(d.Vectors, vec)
	}
}
