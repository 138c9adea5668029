package bugs

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// element is one element of a variable.
type element struct {
	v *Var
	k int
}

func (e element) name() string { return e.v.ElemName(e.k) }

// definer is the statement that gives an element its value.
func (m *Model) definer(e element) *Statement {
	by := e.v.assignedBy(e.k)
	if e.v.ClassAt(e.k) == Parameter {
		by = e.v.drawnBy(e.k)
	}
	return m.Statements[by.stmt-1]
}

// parents lists the unknown elements that an element depends on.
func (b *builder) parents(e element) []element {
	s := b.m.definer(e)
	by := e.v.assignedBy(e.k)
	if s.Sample != nil {
		by = e.v.drawnBy(e.k)
	}
	f := b.frame(s)
	f.at = s.at(int(by.iter))
	var out []element
	s.refs(func(r *syntax.Ref, level int) {
		v := b.m.bind[r].v
		if r == s.LHS || v == nil || level != len(s.Loops) {
			return
		}
		_ = f.each(r, v, true, func(k int) error { // depend met its errors
			if c := v.ClassAt(k); c == Logical || c == Parameter {
				out = append(out, element{v, k})
			}
			return nil
		})
	})
	return out
}

// elementCycle looks for an element that depends on itself; it returns the path,
// preferring one through logical nodes alone, or nil. The stack is explicit: a
// chain may be as long as an array.
func (b *builder) elementCycle() []element {
	if p := b.findCycle(func(e element) bool { return e.v.ClassAt(e.k) == Logical }); p != nil {
		return p
	}
	return b.findCycle(func(element) bool { return true })
}

func (b *builder) findCycle(follow func(element) bool) []element {
	type step struct {
		e    element
		todo []element
	}
	state := map[element]int8{} // 1 on the stack, 2 done
	var stack []step
	push := func(e element) {
		state[e] = 1
		stack = append(stack, step{e, b.parents(e)})
	}
	for _, v := range b.m.Vars {
		for k := range v.Len() {
			e, c := element{v, k}, v.ClassAt(k)
			if c != Logical && c != Parameter || !follow(e) || state[e] != 0 {
				continue
			}
			push(e)
			for len(stack) > 0 {
				top := &stack[len(stack)-1]
				if len(top.todo) == 0 {
					state[top.e] = 2
					stack = stack[:len(stack)-1]
					continue
				}
				next := top.todo[0]
				top.todo = top.todo[1:]
				if !follow(next) || state[next] == 2 {
					continue
				}
				if state[next] == 1 {
					i := slices.IndexFunc(stack, func(s step) bool { return s.e == next })
					var path []element
					for _, s := range stack[i:] {
						path = append(path, s.e)
					}
					return path
				}
				push(next)
			}
		}
	}
	return nil
}

func (b *builder) allLogical(path []element) bool {
	return !slices.ContainsFunc(path, func(e element) bool { return e.v.ClassAt(e.k) != Logical })
}

// maxPath bounds the notes about a cycle.
const maxPath = 12

// addElements shows a cycle as a path with its lines.
func (b *builder) addElements(d *diag.Diagnostic, path []element) {
	for i, e := range path {
		if i == maxPath {
			d.WithNote(diag.Span{}, "and %d more elements", len(path)-i)
			return
		}
		next := path[(i+1)%len(path)]
		d.WithNote(b.m.definer(e).Span(), "%s depends on %s", e.name(), next.name())
	}
}
