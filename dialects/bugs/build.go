package bugs

import (
	"sort"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
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
func Build(ctx *ir.Context, prog *syntax.Program, data *input.Data, opts Options) (*ir.Graph, *model.Model, diag.List) {
	m, list := Analyze(prog, data, opts)
	if list.Err() != nil {
		return nil, m, list
	}
	g, err := emit.Graph(m, ctx)
	if err != nil {
		list = append(list, err)
		return nil, m, list
	}
	return g, m, list
}

// Analyze is Build without the graph.
func Analyze(prog *syntax.Program, data *input.Data, opts Options) (*model.Model, diag.List) {
	b := NewBuilder(prog, data, opts)
	return b.Model, Steps(b)
}

// NewBuilder is an analysis before its first step.
func NewBuilder(prog *syntax.Program, data *input.Data, opts Options) *bind.Builder {
	if data == nil {
		data = input.NewData()
	}
	m := &model.Model{Name: prog.Name, ByName: map[string]*model.Var{}, Bindings: map[*syntax.Ref]model.Binding{}, Program: prog, JAGS: opts.Dialect == syntax.JAGS}
	if m.Name == "" {
		m.Name = opts.Name
	}
	if m.Name == "" {
		m.Name = "model"
	}
	return &bind.Builder{Model: m, Data: data, JAGS: m.JAGS, Strict: opts.Strict, Said: map[string]bool{}}
}

// Steps takes the steps of an analysis; it stops after one that finds errors.
func Steps(b *bind.Builder) diag.List {
	prog := b.Model.Program
	for _, step := range []func(){
		func() { b.Collect(prog.Data, nil, true); b.Collect(prog.Model, nil, false) },
		b.CheckLHS, b.Declare, b.BindNames, b.DeclaredDims, b.Run, b.Classify,
		func() { order.Depend(b) }, func() { order.CheckStrict(b) }, b.Shapes, func() { order.Decide(b) }, func() { order.CheckObserved(b) }, b.Surplus, func() { warnCuts(b) },
	} {
		if step(); b.Failed() {
			break
		}
	}
	sort.SliceStable(b.Diags, func(i, j int) bool { return b.Diags[i].Severity < b.Diags[j].Severity })
	b.Model.Warnings = b.Diags
	return b.Diags
}
