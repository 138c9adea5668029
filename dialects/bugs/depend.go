package bugs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// dep says that statement to reads what statement from defines. The vectors are
// the signs of the distances, sink minus source, over the loops that the two may
// share; each occurs once.
type dep struct {
	from, to *Statement
	via      *Var
	vectors  [][]int8
	seen     map[string]bool
}

// depend finds the dependences, exactly, and checks that every element that is read
// exists: by regions and integer sets where subscripts are affine (readsByRegion),
// by a walk over the iterations where they come from data (walk). Where one of them
// finds something wrong, every element that the statement reads is visited, in the
// order of its iterations, to say what. An index without a value reaches its whole
// extent.
func (b *builder) depend() {
	for _, s := range b.m.Statements {
		b.loopKeys(s)
	}
	deps := map[[3]int]*dep{}
	for _, s := range b.m.Statements {
		b.reads(s, deps)
		if b.failed() {
			return
		}
	}
	for _, d := range b.m.deps {
		slices.SortFunc(d.vectors, slices.Compare)
	}
	slices.SortStableFunc(b.m.deps, func(x, y *dep) int {
		return cmp.Or(x.to.Index-y.to.Index, x.from.Index-y.from.Index, x.via.ID-y.via.ID)
	})
}

// loopKeys spells the loops of a statement so that two loops with equal keys run
// over the same values.
func (b *builder) loopKeys(s *Statement) {
	f := newFrame(b.m, s)
	for k, l := range s.Loops {
		key := ""
		if r, ok := l.Node.Over.(*syntax.Range); ok {
			key = b.boundKey(f, r.From, k) + ":" + b.boundKey(f, r.To, k)
		} else {
			key = "in " + b.m.spell(l.Node.Over)
		}
		s.keys = append(s.keys, key)
	}
}

func (b *builder) boundKey(f *frame, e syntax.Expr, level int) string {
	constant := true
	syntax.Walk(e, func(x syntax.Expr) bool {
		if r, ok := x.(*syntax.Ref); ok && b.m.bind[r].level > 0 {
			constant = false
		}
		return constant
	})
	if constant {
		if n, err := f.integer(e, ""); err == nil {
			return fmt.Sprint(n)
		}
	}
	return b.m.spell(e)
}

// spell writes an expression with loop variables as their depth.
func (m *Model) spell(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Num:
		return fmt.Sprint(e.Value)
	case *syntax.Ref:
		bd := m.bind[e]
		if bd.level > 0 {
			return fmt.Sprintf("$%d", bd.level)
		}
		return e.Name + m.spellAll("[", e.Indices, "]")
	case *syntax.Unary:
		return "(" + e.Op.String() + m.spell(e.X) + ")"
	case *syntax.Binary:
		return "(" + m.spell(e.X) + e.Op.String() + m.spell(e.Y) + ")"
	case *syntax.Range:
		return "(" + m.spell(e.From) + ":" + m.spell(e.To) + ")"
	case *syntax.Call:
		return e.Name + m.spellAll("(", e.Args, ")")
	}
	return "*"
}

func (m *Model) spellAll(open string, es []syntax.Expr, end string) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = m.spell(e)
	}
	return open + strings.Join(parts, ",") + end
}

// sharedLoops is how many outer loops of two statements may be one.
func sharedLoops(s, t *Statement) int {
	n := 0
	for n < len(s.keys) && n < len(t.keys) && s.keys[n] == t.keys[n] {
		n++
	}
	return n
}

// nodeRefs lists the variables that the iterations of a statement read.
func (b *builder) nodeRefs(s *Statement) []*syntax.Ref {
	var refs []*syntax.Ref
	seen := map[*syntax.Ref]bool{}
	s.refs(func(r *syntax.Ref, level int) {
		if r != s.LHS && b.m.bind[r].v != nil && level == len(s.Loops) && !seen[r] {
			seen[r] = true
			refs = append(refs, r)
		}
	})
	return refs
}

// reads visits what a statement reads.
func (b *builder) reads(s *Statement, deps map[[3]int]*dep) {
	if s.Assign != nil && s.left == 0 {
		return // all of it is data now
	}
	refs := b.nodeRefs(s)
	if s.n == 0 || !b.elementwise && b.readsByRegion(s, refs, deps) {
		return
	}
	f := newFrame(b.m, s)
	s.dom.each(func(_ int, at []int32) bool {
		f.at = at
		for _, r := range refs {
			if err := b.read(s, f, r, deps); err != nil {
				b.report(err)
				return false
			}
		}
		return true
	})
}

func (b *builder) read(s *Statement, f *frame, r *syntax.Ref, deps map[[3]int]*dep) error {
	v := b.m.bind[r].v
	return f.each(r, v, true, func(k int) error {
		switch v.ClassAt(k) {
		case Undefined:
			b.nothingThere(s, r, v, k)
		case Logical:
			b.link(s, f, v, v.assignedBy(k), deps)
		case Parameter:
			b.link(s, f, v, v.drawnBy(k), deps)
		}
		return nil
	})
}

func (b *builder) nothingThere(s *Statement, r *syntax.Ref, v *Var, k int) {
	b.once("element "+v.Name, func() {
		d := b.errorAt(r.Span(), "%s has no value: nothing defines it", v.ElemName(k))
		if v.fixed {
			d.Message = v.ElemName(k) + " is missing in the data, and no statement defines it"
			d.WithNote(v.At, "the data")
		}
		d.WithFix("give %s in the data, or define it", v.ElemName(k))
	})
}

// link enters one dependence between elements.
func (b *builder) link(s *Statement, f *frame, v *Var, by origin, deps map[[3]int]*dep) {
	from := b.m.Statements[by.stmt-1]
	src := from.at(int(by.iter))
	vec := make([]int8, sharedLoops(from, s))
	for k := range vec {
		vec[k] = sign(f.at[k] - src[k])
	}
	b.enter(from, s, v, vec, deps)
}

// enter keeps a dependence vector.
func (b *builder) enter(from, s *Statement, v *Var, vec []int8, deps map[[3]int]*dep) {
	key := [3]int{from.Index, s.Index, v.ID}
	d := deps[key]
	if d == nil {
		d = &dep{from: from, to: s, via: v, seen: map[string]bool{}}
		deps[key] = d
		b.m.deps = append(b.m.deps, d)
	}
	if !d.seen[string(asBytes(vec))] {
		d.seen[string(asBytes(vec))] = true
		d.vectors = append(d.vectors, vec)
	}
}

func asBytes(v []int8) []byte {
	out := make([]byte, len(v), 16)
	for i, x := range v {
		out[i] = byte(x + 1)
	}
	return out
}

func sign(n int32) int8 {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
