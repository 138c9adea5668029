package bugs

import (
	"fmt"
	"sort"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// builder makes a Model of a program and its data.
type builder struct {
	m      *Model
	data   *syntax.Data
	jags   bool
	strict bool
	diags  diag.List
	said   map[string]bool // names reported already
	made   map[string]bool // names that are taken, where new ones were made
	unused []string        // data that the model does not name
	inData bool            // the data block is being computed
	total  int             // iterations of all statements

	elementwise bool // no shortcuts: what tests compare with
	walked      int  // iterations that the search for dependences looked at
	solved      int  // its questions to the integer sets
}

// errorAt reports an error; the caller may add a fix and notes.
func (b *builder) errorAt(at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(at, format, args...)
	b.diags = append(b.diags, d)
	return d
}

func (b *builder) warn(at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.Warningf(at, format, args...)
	b.diags = append(b.diags, d)
	return d
}

func (b *builder) failed() bool { return b.diags.Err() != nil }

// collect lists the statements with their loops.
func (b *builder) collect(stmts []syntax.Stmt, loops []*Loop, inData bool) {
	for _, s := range stmts {
		if more := b.byElement(s, loops); more != nil {
			for _, x := range more {
				b.collect([]syntax.Stmt{x.stmt}, x.loops, inData)
			}
			continue
		}
		st := &Statement{Index: len(b.m.Statements), Loops: loops, InData: inData}
		switch s := s.(type) {
		case *syntax.For:
			if _, ok := s.Over.(*syntax.Range); !ok {
				node, extra := b.byPosition(s, loops)
				if node == nil {
					continue
				}
				if s = node; extra != nil {
					b.collect([]syntax.Stmt{extra}, nil, inData)
				}
			}
			inner := append(append([]*Loop(nil), loops...), &Loop{Node: s, Var: s.Var})
			b.collect(s.Body, inner, inData)
			continue
		case *syntax.Assign:
			st.Assign, st.LHS = s, s.LHS
		case *syntax.Sample:
			st.Sample, st.LHS = s, s.LHS
			st.Dist = syntax.LookupDistribution(s.Dist)
		}
		b.m.Statements = append(b.m.Statements, st)
	}
}

// declare makes the variables: of the data, of `var`, of left sides.
func (b *builder) declare() {
	used := b.indexCounts()
	b.ranks(used)
	for _, s := range b.m.Statements {
		if b.m.byName[s.LHS.Name] == nil {
			b.newVar(s.LHS.Name, s.LHS.NameAt, used)
		}
		s.v = b.m.byName[s.LHS.Name]
	}
	for _, name := range b.data.Names {
		if _, ok := used[name]; !ok {
			b.unused = append(b.unused, name)
			continue
		}
		if b.m.byName[name] == nil {
			b.newVar(name, b.data.Span(name), used)
		}
	}
}

func keys[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// indexCounts tells for each name that is not a loop variable how many indices
// the program gives it: the largest number met.
func (b *builder) indexCounts() map[string]int {
	used := map[string]int{}
	for _, s := range b.m.Statements {
		s.refs(func(r *syntax.Ref, level int) {
			for _, l := range s.Loops[:level] {
				if l.Var == r.Name {
					return
				}
			}
			used[r.Name] = max(used[r.Name], len(r.Indices))
		})
	}
	for _, v := range b.m.prog.Vars {
		used[v.Name] = max(used[v.Name], len(v.Dims))
		for _, d := range v.Dims {
			syntax.Walk(d, func(e syntax.Expr) bool {
				if r, ok := e.(*syntax.Ref); ok {
					used[r.Name] = max(used[r.Name], len(r.Indices))
				}
				return true
			})
		}
	}
	return used
}

// refs calls f for every name in the statement and in the bounds of its loops,
// with the number of loops whose variable is visible there.
func (s *Statement) refs(f func(r *syntax.Ref, level int)) {
	walk := func(e syntax.Expr, level int) {
		syntax.Walk(e, func(e syntax.Expr) bool {
			if r, ok := e.(*syntax.Ref); ok {
				f(r, level)
			}
			return true
		})
	}
	for k, l := range s.Loops {
		walk(l.Node.Over, k)
	}
	f(s.LHS, 0)
	for _, x := range s.LHS.Indices {
		walk(x, len(s.Loops))
	}
	for _, e := range s.rights() {
		walk(e, len(s.Loops))
	}
}

// rights lists the expressions on the right side, bounds included.
func (s *Statement) rights() []syntax.Expr {
	if s.Assign != nil {
		return []syntax.Expr{s.Assign.RHS}
	}
	out := append([]syntax.Expr(nil), s.Sample.Args...)
	if bd := s.Sample.Bound; bd != nil {
		if bd.Lower != nil {
			out = append(out, bd.Lower)
		}
		if bd.Upper != nil {
			out = append(out, bd.Upper)
		}
	}
	return out
}

// newVar makes a variable. A single number in the data may be used as a scalar
// or as an array of one element: R cannot tell them apart.
func (b *builder) newVar(name string, at diag.Span, used map[string]int) {
	v := &Var{Name: name, ID: len(b.m.Vars), At: at}
	b.m.Vars = append(b.m.Vars, v)
	b.m.byName[name] = v
	a := b.data.Get(name)
	if a == nil {
		if n := used[name]; n > 0 {
			v.Dims = make([]int, n)
		}
		v.resize()
		return
	}
	b.notNumbers(name, a)
	v.At, v.fixed = b.data.Span(name), true
	v.Dims = append([]int(nil), a.Dims...)
	if n := used[name]; len(a.Values) == 1 && (n != len(a.Dims)) {
		v.Dims = nil
		for range n {
			v.Dims = append(v.Dims, 1)
		}
	}
	v.resize()
	v.Value, v.shared, v.known, v.abstract = a.Values, true, fullMask(v.size), a.Shape
	if a.Missing != nil {
		v.known = mask{n: v.size}
		for k, gap := range a.Missing {
			if !gap {
				v.known.set(k)
			}
		}
	}
	if v.given = v.known.clone(); v.given.none() {
		v.Value = nil
	}
}

// resize makes the storage for the dimensions that v has.
func (v *Var) resize() {
	n := 1
	for _, d := range v.Dims {
		n *= d
	}
	v.size, v.given, v.known = n, mask{n: n}, mask{n: n}
}

// grow enlarges an array and keeps its elements.
func (v *Var) grow(dims []int) {
	old := *v
	v.Dims = dims
	v.resize()
	if old.Value != nil {
		v.Value, v.shared = make([]float64, v.size), false
	}
	move := func(from []origin) []origin {
		if from == nil {
			return nil
		}
		return make([]origin, v.size)
	}
	v.assigned.dense, v.drawn.dense = move(old.assigned.dense), move(old.drawn.dense)
	if old.size == 0 || old.known.none() && old.assigned.dense == nil && old.drawn.dense == nil {
		return
	}
	k := 0
	box(dims, wholeOf(old.Dims), 0, 0, func(to int) {
		if old.known.has(k) {
			if old.Value != nil {
				v.Value[to] = old.Value[k]
			}
			v.known.set(to)
		}
		if old.given.has(k) {
			v.given.set(to)
		}
		if old.assigned.dense != nil {
			v.assigned.dense[to] = old.assigned.dense[k]
		}
		if old.drawn.dense != nil {
			v.drawn.dense[to] = old.drawn.dense[k]
		}
		k++
	})
}

// warnUnused tells of data that the model does not name.
func (b *builder) warnUnused() {
	for _, name := range b.unused {
		if !b.said["unused "+name] {
			d := b.warn(b.data.Span(name), "the model does not use %s", name).WithFix("remove it from the data")
			if near := diag.Nearest(name, keys(b.m.byName)); near != "" && b.data.Get(near) == nil {
				d.WithFix("did you mean %s?", near)
			}
		}
	}
}

// bindNames gives every name its meaning.
func (b *builder) bindNames() {
	defer b.warnUnused()
	for _, s := range b.m.Statements {
		hidden := map[string]bool{}
		for _, l := range s.Loops {
			if v := b.m.byName[l.Var]; v != nil && !b.said["hide "+l.Var] && !hidden[l.Var] {
				b.said["hide "+l.Var] = true
				b.warn(l.Node.VarAt, "the loop variable %s hides %s inside of the loop", l.Var, v.what()).
					WithFix("give the loop variable a name of its own").WithNote(v.At, "%s is defined here", l.Var)
			}
			hidden[l.Var] = true
		}
		s.refs(func(r *syntax.Ref, level int) { b.bindRef(s, r, level) })
	}
	for _, v := range b.m.prog.Vars {
		for _, d := range v.Dims {
			syntax.Walk(d, func(e syntax.Expr) bool {
				if r, ok := e.(*syntax.Ref); ok {
					b.bindRef(&Statement{}, r, 0)
				}
				return true
			})
		}
	}
}

func (v *Var) what() string {
	if v.fixed {
		return "the data " + v.Name
	}
	return "the node " + v.Name
}

func (b *builder) bindRef(s *Statement, r *syntax.Ref, level int) {
	if _, ok := b.m.bind[r]; ok {
		return
	}
	for k := level - 1; k >= 0; k-- {
		if s.Loops[k].Var == r.Name {
			if len(r.Indices) > 0 {
				b.errorAt(r.Span(), "the loop variable %s has no elements", r.Name).WithFix("write %s alone, or give the array another name", r.Name)
			}
			b.m.bind[r] = binding{level: k + 1}
			return
		}
	}
	v := b.m.byName[r.Name]
	if v == nil {
		b.undefined(s, r)
		return
	}
	b.m.bind[r] = binding{v: v}
	if n := len(r.Indices); n != len(v.Dims) && n > 0 {
		d := b.errorAt(r.Span(), "%s has %s, here %s", r.Name, plural(len(v.Dims), "dimension"), plural(n, "index")).
			WithFix("write %s; an empty index stands for the whole extent", indices(v))
		if v.At.Source != nil {
			d.WithNote(v.At, "%s is defined here", r.Name)
		}
	}
}

func plural(n int, what string) string {
	switch {
	case n == 0:
		return "no " + what
	case n == 1:
		return "1 " + what
	case what == "index":
		return fmt.Sprintf("%d indices", n)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// undefined reports a name that is neither data nor node, once.
func (b *builder) undefined(s *Statement, r *syntax.Ref) {
	if b.said[r.Name] {
		return
	}
	b.said[r.Name] = true
	d := b.errorAt(r.NameAt, "%s is neither data nor defined in the model", r.Name)
	names := keys(b.m.byName)
	for _, l := range s.Loops {
		names = append(names, l.Var)
	}
	if near := diag.Nearest(r.Name, b.unused); near != "" {
		d.WithFix("did you mean %s, which the data give?", near).WithNote(b.data.Span(near), "%s is here", near)
		b.said["unused "+near] = true
	} else if near := diag.Nearest(r.Name, names); near != "" {
		d.WithFix("did you mean %s?", near)
	} else {
		d.WithFix("give it in the data, or add a statement that defines it")
	}
}
