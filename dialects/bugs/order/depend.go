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

// Depend finds the dependences, exactly, and checks that every element that is read
// exists: by regions and integer sets where subscripts are affine (readsByRegion),
// by a walk over the iterations where they come from data (walk). Where one of them
// finds something wrong, every element that the statement reads is visited, in the
// order of its iterations, to say what. An index without a value reaches its whole
// extent.
func Depend(b *bind.Builder) {
	for _, s := range b.Model.Statements {
		loopKeys(b, s)
	}
	f := newFinder(b)
	for _, s := range b.Model.Statements {
		f.reads(s)
		if b.Failed() {
			return
		}
	}
	b.Model.Deps = f.sorted()
}

// A finder collects the dependences of statements.
type finder struct {
	*bind.Builder
	known bool // elements that have values give dependences, too; that elements exist is not checked again
	found map[[3]int]*model.Dependence
	deps  []*model.Dependence
}

func newFinder(b *bind.Builder) *finder {
	return &finder{Builder: b, found: map[[3]int]*model.Dependence{}}
}

func (fd *finder) sorted() []*model.Dependence {
	for _, d := range fd.deps {
		slices.SortFunc(d.Vectors, slices.Compare)
	}
	slices.SortStableFunc(fd.deps, func(x, y *model.Dependence) int {
		return cmp.Or(x.To.Index-y.To.Index, x.From.Index-y.From.Index, x.Var.ID-y.Var.ID)
	})
	return fd.deps
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

// boundKey is the value of a bound in which no loop variable is, if it has one; else the bound as it is spelled.
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

// NodeRefs lists the references to variables that the iterations of a statement read, each once. Those in
// bounds of loops are none: their level is that of fewer loops.
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
func (fd *finder) reads(s *model.Statement) {
	if s.Assign != nil && s.Pending == 0 && !fd.known {
		return // all of it is data now
	}
	refs := fd.refs(s)
	if s.Iterations == 0 || !fd.Elementwise && fd.readsByRegion(s, refs) {
		return
	}
	f := eval.NewFrame(fd.Model, s)
	s.Domain.Each(func(_ int, at []int32) bool {
		f.At = at
		for _, r := range refs {
			if err := fd.read(s, f, r); err != nil {
				fd.Report(err)
				return false
			}
		}
		return true
	})
}

func (fd *finder) read(s *model.Statement, f *eval.Frame, r *syntax.Ref) error {
	v := fd.Model.Bindings[r].Var
	return f.Each(r, v, true, func(k int) error {
		if fd.known {
			for _, by := range definers(fd.Model, v, k) {
				if by.Stmt != 0 {
					fd.link(s, f, v, by)
				}
			}
			return nil
		}
		switch v.ClassAt(k) {
		case model.Undefined:
			nothingThere(fd.Builder, s, r, v, k)
		case model.Logical:
			fd.link(s, f, v, v.AssignedBy(k))
		case model.Parameter:
			fd.link(s, f, v, v.DrawnBy(k))
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
func (fd *finder) link(s *model.Statement, f *eval.Frame, v *model.Var, by model.Origin) {
	from := fd.Model.Statements[by.Stmt-1]
	src := from.At(int(by.Iter))
	vec := make([]int8, model.SharedLoops(from, s))
	for k := range vec {
		vec[k] = model.Sign(f.At[k] - src[k])
	}
	fd.enter(from, s, v, vec)
}

// enter keeps a dependence vector.
func (fd *finder) enter(from, s *model.Statement, v *model.Var, vec []int8) {
	key := [3]int{from.Index, s.Index, v.ID}
	d := fd.found[key]
	if d == nil {
		d = &model.Dependence{From: from, To: s, Var: v}
		fd.found[key] = d
		fd.deps = append(fd.deps, d)
	}
	if !slices.ContainsFunc(d.Vectors, func(v []int8) bool { return slices.Equal(v, vec) }) {
		d.Vectors = append(d.Vectors, vec)
	}
}
