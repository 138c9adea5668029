package bugs

import (
	"sort"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Options of Build and Analyze.
type Options struct {
	Name    string         // of the model where the program has none
	Dialect syntax.Dialect // zero means BUGS
	Strict  bool           // refuse what the paper on sequential code refuses
}

// Build binds a program to its data and makes its graph: a module with one
// bugs.model. The list holds warnings too; the graph is there if its Err is nil.
func Build(ctx *ir.Context, prog *syntax.Program, data *syntax.Data, opts Options) (*ir.Graph, *Model, diag.List) {
	m, list := Analyze(prog, data, opts)
	if list.Err() != nil {
		return nil, m, list
	}
	g, err := m.Graph(ctx)
	if err != nil {
		list = append(list, err)
		return nil, m, list
	}
	return g, m, list
}

// Analyze is Build without the graph.
func Analyze(prog *syntax.Program, data *syntax.Data, opts Options) (*Model, diag.List) {
	b := newBuilder(prog, data, opts)
	return b.m, b.analyze()
}

func newBuilder(prog *syntax.Program, data *syntax.Data, opts Options) *builder {
	if data == nil {
		data = syntax.NewData()
	}
	m := &Model{Name: prog.Name, byName: map[string]*Var{}, bind: map[*syntax.Ref]binding{}, prog: prog, jags: opts.Dialect == syntax.JAGS}
	if m.Name == "" {
		m.Name = opts.Name
	}
	if m.Name == "" {
		m.Name = "model"
	}
	return &builder{m: m, data: data, jags: m.jags, strict: opts.Strict, said: map[string]bool{}}
}

// analyze takes all steps; it stops after one that finds errors.
func (b *builder) analyze() diag.List {
	prog := b.m.prog
	for _, step := range []func(){
		func() { b.collect(prog.Data, nil, true); b.collect(prog.Model, nil, false) },
		b.checkLHS, b.declare, b.bindNames, b.declaredDims, b.run, b.classify,
		func() { b.depend() }, func() { b.checkStrict() }, b.shapes, func() { b.sequence() }, b.surplus,
	} {
		if step(); b.failed() {
			break
		}
	}
	sort.SliceStable(b.diags, func(i, j int) bool { return b.diags[i].Severity < b.diags[j].Severity })
	b.m.Warnings = b.diags
	return b.diags
}

// checkLHS refuses names that cannot be defined where they stand.
func (b *builder) checkLHS() {
	for _, s := range b.m.Statements {
		for _, l := range s.Loops {
			if l.Var == s.LHS.Name {
				b.errorAt(s.LHS.NameAt, "%s is the variable of a loop around this statement", l.Var).WithFix("give the node another name").
					WithNote(l.Node.VarAt, "the loop is here")
				break
			}
		}
	}
}

// declaredDims applies `var x[N, 2]`.
func (b *builder) declaredDims() {
	f := newFrame(b.m, nil)
	for _, d := range b.m.prog.Vars {
		v := b.m.byName[d.Name]
		if v == nil {
			b.warn(d.Span(), "the model does not use %s", d.Name)
			continue
		}
		dims := make([]int, len(d.Dims))
		total := 1
		for i, e := range d.Dims {
			n, err := f.integer(e, "a dimension of "+d.Name)
			if err == errUnknown {
				b.errorAt(e.Span(), "a dimension of %s must be known from the data", d.Name).WithFix("write a number, or give the name in the data")
				return
			}
			if err == nil && (n < 0 || n > maxElements || total*max(n, 1) > maxElements) {
				err = diag.Errorf(e.Span(), "a dimension of %s cannot be %d", d.Name, n).WithFix("write a positive number below %d", maxElements)
			}
			if err != nil {
				b.report(err)
				return
			}
			dims[i] = n
			total *= max(n, 1)
		}
		if len(dims) != len(v.Dims) {
			b.errorAt(d.Span(), "%s is declared with %s and used with %d", d.Name, plural(len(dims), "dimension"), len(v.Dims)).WithFix("declare it as it is used")
			return
		}
		for i, n := range dims {
			if v.fixed && v.Dims[i] != n {
				b.errorAt(d.Span(), "dimension %d of %s is declared as %d, and the data have %d", i+1, d.Name, n, v.Dims[i]).WithFix("remove the declaration, or correct one of the two").
					WithNote(v.At, "the data")
				return
			}
		}
		if !v.fixed && len(dims) > 0 {
			v.grow(dims)
			v.fixed = true
		}
	}
}

// run expands the data block, whose results are data, and then the model.
func (b *builder) run() {
	var data, model []*Statement
	for _, s := range b.m.Statements {
		if s.InData {
			data = append(data, s)
		} else {
			model = append(model, s)
		}
	}
	if len(data) > 0 {
		b.inData = true
		b.expand(data)
		b.inData = false
		for _, s := range data {
			if b.failed() {
				return
			}
			if s.left != 0 {
				b.errorAt(s.Span(), "%s cannot be computed from the data", s.v.Name).
					WithFix("move the statement into the model, or give in the data what it needs")
				return
			}
			s.v.fixed = true
		}
	}
	b.expand(model)
}

func (b *builder) bothSides(v *Var, k int) {
	b.once("both "+v.Name, func() {
		s, t := b.m.Statements[v.assignedBy(k).stmt-1], b.m.Statements[v.drawnBy(k).stmt-1]
		d := b.errorAt(s.Span(), "%s is both assigned and drawn, and the assignment depends on a parameter", v.ElemName(k))
		if b.jags {
			d.Message = v.ElemName(k) + " is both assigned and drawn, which JAGS does not allow"
			d.WithFix("compute it in a data block")
		} else {
			d.WithFix("compute it from data alone, or remove one of the two")
		}
		d.WithNote(t.Span(), "it is drawn here")
	})
}
