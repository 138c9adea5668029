package bind

import (
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Builder makes a Model of a program and its data.
type Builder struct {
	Model  *model.Model
	Data   *input.Data
	JAGS   bool
	Strict bool
	Diags  diag.List
	Said   map[string]bool // names reported already
	made   map[string]bool // names that are taken, where new ones were made
	unused []string        // data that the model does not name
	inData bool            // the data block is being computed
	total  int             // iterations of all statements

	Elementwise bool // no shortcuts: what tests compare with
	Walked      int  // iterations that the search for dependences looked at
	Solved      int  // its questions to the integer sets
}

// ErrorAt reports an error; the caller may add a fix and notes.
func (b *Builder) ErrorAt(at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(at, format, args...)
	b.Diags = append(b.Diags, d)
	return d
}

func (b *Builder) Warn(at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.Warningf(at, format, args...)
	b.Diags = append(b.Diags, d)
	return d
}

func (b *Builder) Failed() bool { return b.Diags.Err() != nil }

// Collect lists the statements with their loops.
func (b *Builder) Collect(stmts []syntax.Stmt, loops []*model.Loop, inData bool) {
	for _, s := range stmts {
		if more := b.byElement(s, loops); more != nil {
			for _, x := range more {
				b.Collect([]syntax.Stmt{x.stmt}, x.loops, inData)
			}
			continue
		}
		st := &model.Statement{Index: len(b.Model.Statements), Loops: loops, InData: inData}
		switch s := s.(type) {
		case *syntax.For:
			if _, ok := s.Over.(*syntax.Range); !ok {
				node, extra := b.byPosition(s, loops)
				if node == nil {
					continue
				}
				if s = node; extra != nil {
					b.Collect([]syntax.Stmt{extra}, nil, inData)
				}
			}
			inner := append(append([]*model.Loop(nil), loops...), &model.Loop{Node: s, Var: s.Var})
			b.Collect(s.Body, inner, inData)
			continue
		case *syntax.Assign:
			st.Assign, st.LHS = s, s.LHS
		case *syntax.Sample:
			st.Sample, st.LHS = s, s.LHS
			st.Dist = syntax.LookupDistribution(s.Dist)
		}
		b.Model.Statements = append(b.Model.Statements, st)
	}
}

// Declare makes the variables: of the data, of `var`, of left sides.
func (b *Builder) Declare() {
	used := b.indexCounts()
	b.Diags = append(b.Diags, b.Data.OpenFrames(func(name string) bool { _, ok := used[name]; return ok })...)
	if b.Failed() {
		return
	}
	b.ranks(used)
	for _, s := range b.Model.Statements {
		if b.Model.ByName[s.LHS.Name] == nil {
			b.newVar(s.LHS.Name, s.LHS.NameAt, used)
		}
		s.Var = b.Model.ByName[s.LHS.Name]
	}
	for _, name := range b.Data.Names {
		if _, ok := used[name]; !ok {
			b.unused = append(b.unused, name)
			continue
		}
		if b.Model.ByName[name] == nil {
			b.newVar(name, b.Data.Span(name), used)
		}
	}
}

// indexCounts tells for each name that is not a loop variable how many indices
// the program gives it: the largest number met.
func (b *Builder) indexCounts() map[string]int {
	used := map[string]int{}
	for _, s := range b.Model.Statements {
		s.Refs(func(r *syntax.Ref, level int) {
			for _, l := range s.Loops[:level] {
				if l.Var == r.Name {
					return
				}
			}
			used[r.Name] = max(used[r.Name], len(r.Indices))
		})
	}
	for _, v := range b.Model.Program.Vars {
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

// newVar makes a variable. A single number in the data may be used as a scalar
// or as an array of one element: R cannot tell them apart.
func (b *Builder) newVar(name string, at diag.Span, used map[string]int) {
	v := &model.Var{Name: name, ID: len(b.Model.Vars), At: at}
	b.Model.Vars = append(b.Model.Vars, v)
	b.Model.ByName[name] = v
	a := b.Data.Get(name)
	if a == nil {
		if n := used[name]; n > 0 {
			v.Dims = make([]int, n)
		}
		v.Resize()
		return
	}
	b.notNumbers(name, a)
	v.At, v.Fixed = b.Data.Span(name), true
	v.Dims = append([]int(nil), a.Dims...)
	if n := used[name]; len(a.Values) == 1 && (n != len(a.Dims)) {
		v.Dims = nil
		for range n {
			v.Dims = append(v.Dims, 1)
		}
	}
	v.Resize()
	v.Value, v.Shared, v.Known, v.ShapeOnly = a.Values, true, model.FullMask(v.Size), a.Shape
	if a.Missing != nil {
		v.Known = model.Mask{Len: v.Size}
		for k, gap := range a.Missing {
			if !gap {
				v.Known.Set(k)
			}
		}
	}
	if v.FromFile = v.Known.Clone(); v.FromFile.None() {
		v.Value = nil
	}
}

// warnUnused tells of data that the model does not name.
func (b *Builder) warnUnused() {
	for _, name := range b.unused {
		if !b.Said["unused "+name] {
			d := b.Warn(b.Data.Span(name), "the model does not use %s", name).WithFix("remove it from the data")
			if near := diag.Nearest(name, model.SortedKeys(b.Model.ByName)); near != "" && b.Data.Get(near) == nil {
				d.WithFix("did you mean %s?", near)
			}
		}
	}
}

// BindNames gives every name its meaning.
func (b *Builder) BindNames() {
	defer b.warnUnused()
	for _, s := range b.Model.Statements {
		hidden := map[string]bool{}
		for _, l := range s.Loops {
			if v := b.Model.ByName[l.Var]; v != nil && !b.Said["hide "+l.Var] && !hidden[l.Var] {
				b.Said["hide "+l.Var] = true
				b.Warn(l.Node.VarAt, "the loop variable %s hides %s inside of the loop", l.Var, v.What()).
					WithFix("give the loop variable a name of its own").WithNote(v.At, "%s is defined here", l.Var)
			}
			hidden[l.Var] = true
		}
		s.Refs(func(r *syntax.Ref, level int) { b.bindRef(s, r, level) })
	}
	for _, v := range b.Model.Program.Vars {
		for _, d := range v.Dims {
			syntax.Walk(d, func(e syntax.Expr) bool {
				if r, ok := e.(*syntax.Ref); ok {
					b.bindRef(&model.Statement{}, r, 0)
				}
				return true
			})
		}
	}
}

func (b *Builder) bindRef(s *model.Statement, r *syntax.Ref, level int) {
	if _, ok := b.Model.Bindings[r]; ok {
		return
	}
	for k := level - 1; k >= 0; k-- {
		if s.Loops[k].Var == r.Name {
			if len(r.Indices) > 0 {
				b.ErrorAt(r.Span(), "the loop variable %s has no elements", r.Name).WithFix("write %s alone, or give the array another name", r.Name)
			}
			b.Model.Bindings[r] = model.Binding{Level: k + 1}
			return
		}
	}
	v := b.Model.ByName[r.Name]
	if v == nil {
		b.undefined(s, r)
		return
	}
	b.Model.Bindings[r] = model.Binding{Var: v}
	if n := len(r.Indices); n != len(v.Dims) && n > 0 {
		d := b.ErrorAt(r.Span(), "%s has %s, here %s", r.Name, model.Plural(len(v.Dims), "dimension"), model.Plural(n, "index")).
			WithFix("write %s; an empty index stands for the whole extent", model.SpellIndices(v))
		if v.At.Source != nil {
			d.WithNote(v.At, "%s is defined here", r.Name)
		}
	}
}

// undefined reports a name that is neither data nor node, once.
func (b *Builder) undefined(s *model.Statement, r *syntax.Ref) {
	if b.Said[r.Name] {
		return
	}
	b.Said[r.Name] = true
	d := b.ErrorAt(r.NameAt, "%s is neither data nor defined in the model", r.Name)
	names := model.SortedKeys(b.Model.ByName)
	for _, l := range s.Loops {
		names = append(names, l.Var)
	}
	if near := diag.Nearest(r.Name, b.unused); near != "" {
		d.WithFix("did you mean %s, which the data give?", near).WithNote(b.Data.Span(near), "%s is here", near)
		b.Said["unused "+near] = true
	} else if near := diag.Nearest(r.Name, names); near != "" {
		d.WithFix("did you mean %s?", near)
	} else {
		d.WithFix("give it in the data, or add a statement that defines it")
	}
}

// CheckLHS refuses names that cannot be defined where they stand.
func (b *Builder) CheckLHS() {
	for _, s := range b.Model.Statements {
		for _, l := range s.Loops {
			if l.Var == s.LHS.Name {
				b.ErrorAt(s.LHS.NameAt, "%s is the variable of a loop around this statement", l.Var).WithFix("give the node another name").
					WithNote(l.Node.VarAt, "the loop is here")
				break
			}
		}
	}
}

// DeclaredDims applies `var x[N, 2]`.
func (b *Builder) DeclaredDims() {
	f := eval.NewFrame(b.Model, nil)
	for _, d := range b.Model.Program.Vars {
		v := b.Model.ByName[d.Name]
		if v == nil {
			b.Warn(d.Span(), "the model does not use %s", d.Name)
			continue
		}
		dims := make([]int, len(d.Dims))
		total := 1
		for i, e := range d.Dims {
			n, err := f.Integer(e, "a dimension of "+d.Name)
			if err == eval.ErrUnknown {
				b.ErrorAt(e.Span(), "a dimension of %s must be known from the data", d.Name).WithFix("write a number, or give the name in the data")
				return
			}
			if err == nil && (n < 0 || n > function.MaxElements || total*max(n, 1) > function.MaxElements) {
				err = diag.Errorf(e.Span(), "a dimension of %s cannot be %d", d.Name, n).WithFix("write a positive number below %d", function.MaxElements)
			}
			if err != nil {
				b.Report(err)
				return
			}
			dims[i] = n
			total = ir.Times(total, max(n, 1))
		}
		if len(dims) != len(v.Dims) {
			b.ErrorAt(d.Span(), "%s is declared with %s and used with %d", d.Name, model.Plural(len(dims), "dimension"), len(v.Dims)).WithFix("declare it as it is used")
			return
		}
		for i, n := range dims {
			if v.Fixed && v.Dims[i] != n {
				b.ErrorAt(d.Span(), "dimension %d of %s is declared as %d, and the data have %d", i+1, d.Name, n, v.Dims[i]).WithFix("remove the declaration, or correct one of the two").
					WithNote(v.At, "the data")
				return
			}
		}
		if !v.Fixed && len(dims) > 0 {
			v.Grow(dims)
			v.Fixed = true
		}
	}
}

func (b *Builder) bothSides(v *model.Var, k int) {
	b.Once("both "+v.Name, func() {
		s, t := b.Model.Statements[v.AssignedBy(k).Stmt-1], b.Model.Statements[v.DrawnBy(k).Stmt-1]
		d := b.ErrorAt(s.Span(), "%s is both assigned and drawn, and the assignment depends on a parameter", v.ElemName(k))
		if b.JAGS {
			d.Message = v.ElemName(k) + " is both assigned and drawn, which JAGS does not allow"
			d.WithFix("compute it in a data block")
		} else {
			d.WithFix("compute it from data alone, or remove one of the two")
		}
		d.WithNote(t.Span(), "it is drawn here")
	})
}
