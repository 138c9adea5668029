// Command mistakes is an irc with one mistake of an author in it: the environment says which, MISTAKE=NAME, and
// without that it lists them.
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/product"
)

// A mistake is a row: what an author got wrong, in a dialect or a pass of that name. How it is run and what is
// said of it stands in the .txt file of the list that it is in.
type mistake struct {
	name string
	make func(x *extension)
}

// all are the mistakes of each file.
var all = slices.Concat(formats, ops, tables, rows, hooks, asked, values, effects, rewrites, runs)

// An extension is what an author adds to irc.
type extension struct {
	*ir.Dialect
	passes pass.List
	more   []*ir.Dialect
}

func main() {
	product.ServeIfChild()
	name := os.Getenv("MISTAKE")
	i := slices.IndexFunc(all, func(m mistake) bool { return m.name == name })
	if i < 0 {
		for _, m := range all {
			fmt.Println(m.name)
		}
		return
	}
	x := &extension{Dialect: &ir.Dialect{Name: name, Doc: "A dialect with a mistake."}}
	all[i].make(x)
	irc := product.All()
	irc.Dialects = append(append(irc.Dialects, x.Dialect), x.more...)
	irc.Passes = append(irc.Passes, x.passes...)
	os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// op adds an op that is right, but for what change makes of it: NAME.op takes two operands of one type and gives
// the first.
func (x *extension) op(change func(d *ir.OpDef)) *ir.OpDef {
	return x.opIn("$x `,` $y attr-dict `:` type($x)", change)
}

// opIn is op with another format.
func (x *extension) opIn(format string, change func(d *ir.OpDef)) *ir.OpDef {
	return x.opWith(text.Form{Format: format}, change)
}

// opWith is op with another syntax.
func (x *extension) opWith(form text.Form, change func(d *ir.OpDef)) *ir.OpDef {
	d := &ir.OpDef{Name: x.Name + ".op", Doc: "Gives the first.", Args: []string{"x", "y"}, Infer: inferTwo, Eval: first}
	if change != nil {
		change(d)
	}
	ir.Define(d)
	x.Ops = append(x.Ops, d)
	x.Tables = append(x.Tables, text.Syntax{d: form}, lower.Table{{Level: "scf", Rules: ir.Rules{d: toFirst}}})
	return d
}

// lowers adds a rule for an op to those of the dialect, if it has some.
func (x *extension) lowers(op *ir.OpDef) {
	for _, table := range x.Tables {
		if t, ok := table.(lower.Table); ok {
			t[0].Rules[op] = toFirst
		}
	}
}

// inferTwo takes two operands of one type.
func inferTwo(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 2 || c.ArgType(0) != c.ArgType(1) {
		return 0, c.Errorf("takes two operands of one type")
	}
	return c.ArgType(0), nil
}

// toFirst lowers the op to what it gives.
func toFirst(m *ir.Mirror, n ir.Node) ir.Value { return m.Of(n.Arg(0)) }

func first(_ *ir.Call, a []ir.Val) (ir.Val, error) { return a[0], nil }
