package main

import (
	"errors"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// rows are mistakes in the rows of passes, and in their options.
var rows = []mistake{
	{"passright", func(x *extension) { x.pass(func() pass.Pass { return &quiet{} }, nil) }}, // none
	{"passname", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) { row.Name = "cse" })
	}},
	{"passtwice", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, nil)
		x.pass(func() pass.Pass { return quiet{} }, nil)
	}},
	{"passspace", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) { row.Name = "My Pass" })
	}},
	{"passnonew", func(x *extension) { x.pass(nil, nil) }},
	{"passnew", func(x *extension) { x.pass(func() pass.Pass { return nil }, nil) }},
	{"passboth", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) { row.End = func() pass.End { return nil } })
	}},
	{"passoption", func(x *extension) { x.pass(func() pass.Pass { return &mapped{} }, nil) }},
	{"passvalue", func(x *extension) { x.pass(func() pass.Pass { return counted{} }, nil) }},
	{"passhidden", func(x *extension) { x.pass(func() pass.Pass { return &hidden{} }, nil) }},
	{"passoptions", func(x *extension) { x.pass(func() pass.Pass { return &doubled{} }, nil) }},
	{"passdefault", func(x *extension) { x.pass(func() pass.Pass { return &chosen{} }, nil) }},
	{"passcount", func(x *extension) { x.pass(func() pass.Pass { return &counting{} }, nil) }},
	{"passchoice", func(x *extension) { x.pass(func() pass.Pass { return &numbered{} }, nil) }},
	{"passundocumented", func(x *extension) { x.pass(func() pass.Pass { return &bare{} }, nil) }},
	{"passnoexample", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) { row.Why, row.Example = "", "" })
	}},
	{"passidle", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) { row.Verbatim = false })
	}},
	{"passexample", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) {
			row.Example = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %c : i32\n  return %b : i32\n}\n"
		})
	}},
	{"passpipeline", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) { row.Pipeline = "passpipelin" })
	}},
	{"passrefuses", func(x *extension) { x.pass(func() pass.Pass { return refusing{} }, nil) }},
	{"passstatistics", func(x *extension) {
		x.pass(func() pass.Pass { return &quiet{} }, func(row *pass.Info) {
			row.Statistics = []pass.Statistic{{Name: "n", Doc: "What it did."}, {Name: "n", Doc: "What it left."}}
		})
	}},
}

// pass adds a pass with the name of the mistake, of which nothing is wrong but for what makes it and what change does.
func (x *extension) pass(make func() pass.Pass, change func(row *pass.Info)) {
	row := &pass.Info{Name: x.Name, Doc: "Does nothing.", Why: "Nowhere.", Verbatim: true, New: make,
		Example: "func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n"}
	if change != nil {
		change(row)
	}
	x.passes = append(x.passes, row)
}

// quiet is a pass without options.
type quiet struct{}

func (quiet) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) { return g, nil }

// refusing is one that takes no program.
type refusing struct{}

func (refusing) Run(*pass.Context, *ir.Graph) (*ir.Graph, error) {
	return nil, errors.New("has no use for this")
}

// Passes with options, each with a mistake in them.
type (
	mapped struct {
		quiet
		M map[string]int `opt:"m" doc:"a map"`
	}
	counted struct {
		quiet
		N int `opt:"n" doc:"a number, which nobody can set: New gives no pointer"`
	}
	hidden struct {
		quiet
		n int `opt:"n" doc:"a number in a field that is not exported"`
	}
	doubled struct {
		quiet
		N int `opt:"n" doc:"a number"`
		M int `opt:"n" doc:"another one of the same name"`
	}
	chosen struct {
		quiet
		How string `opt:"how" one:"fast slow" doc:"which is neither at first"`
	}
	numbered struct {
		quiet
		N int `opt:"n" one:"1 2" doc:"a number among words"`
	}
	bare struct {
		quiet
		N int `opt:"n"`
	}
)

// counting counts what its row does not list.
type counting struct{}

func (*counting) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	ctx.Count("seen", 1)
	return g, nil
}
