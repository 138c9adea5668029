package lowering

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// A constant of several numbers is data of the program: a memref.global of its module, as MLIR's bufferization has it, which
// an op reads in place. Nothing may write to that memory, or give it back: where it would be handed to
// somebody (results, loops, calls), that is a copy.

// symbols are the names of globals by the constants that they hold.
type symbols map[ir.Attr]string

// A wish is a constant that a function has, and where.
type wish struct {
	value ir.Attr
	at    ir.Loc
}

// globals gives each module the globals that constants of its functions need.
func globals(g *ir.Graph) (*ir.Graph, any) {
	wanted, names := map[*ir.Graph][]wish{}, map[string]bool{}
	collect(g, wanted, names)
	out := symbols{}
	owners := ir.Rules{}
	made := map[*ir.Graph]map[ir.Attr]bool{} // by module
	rule := func(m *ir.Mirror, n ir.Node) ir.Value {
		for _, child := range n.Children() {
			for _, w := range wanted[child] {
				if !made[n.Graph()][w.value] {
					made[n.Graph()][w.value] = true
					buildGlobal(m.B, out[w.value], w)
				}
			}
		}
		return m.Copy(n)
	}
	for owner := range g.All() {
		for _, child := range owner.Children() {
			for _, w := range wanted[child] {
				if out[w.value] == "" {
					out[w.value] = nameOf(g.Ctx, w.value, names)
				}
				made[owner.Graph()] = map[ir.Attr]bool{}
				owners[owner.Def()] = rule
			}
		}
	}
	if len(out) == 0 {
		return g, out
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), owners, nil), out
}

// collect finds the constants of each graph, in order, and the names of all symbols.
func collect(g *ir.Graph, wanted map[*ir.Graph][]wish, names map[string]bool) {
	if _, ok := wanted[g]; ok {
		return // another op has this graph, too
	}
	wanted[g] = nil
	for v := range ir.ScheduleOf(g).All() {
		n := g.NodeOf(v)
		if n.Def().Has(ir.Symbol) && n.Attr("sym_name") != 0 {
			names[g.Ctx.AttrInfo(n.Attr("sym_name")).Str] = true
		}
		if n.Def() == arith.Constant && tensor.Takes(g.Ctx, n.Type()) && !isSplat(n) {
			value, err := g.Ctx.Elements(n.Attr("value"))
			if err == nil && !slices.ContainsFunc(wanted[g], func(w wish) bool { return w.value == value }) {
				wanted[g] = append(wanted[g], wish{value, append(g.LocsOf(v), 0)[0]})
			}
		}
		for _, child := range g.Children(v) {
			collect(child, wanted, names)
		}
	}
}

// nameOf is an unused name for a constant: __constant_4x4xf32, as MLIR has it.
func nameOf(c *ir.Context, value ir.Attr, names map[string]bool) string {
	t := c.TypeOf(value)
	base := "__constant_"
	for _, n := range tensor.Shape(c, t) {
		base += fmt.Sprintf("%dx", n)
	}
	elem := c.Info(tensor.Elem(c, t))
	switch {
	case elem.Kind == ir.KindInteger:
		base += fmt.Sprintf("i%d", elem.Width)
	case elem.Kind == ir.KindIndex:
		base += "index"
	default:
		base += strings.ToLower(elem.Text)
	}
	name := base
	for i := 0; names[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	names[name] = true
	return name
}

// constantAlign is where the memory of a constant begins: with a line of the caches.
const constantAlign = 64

func buildGlobal(b *ir.Builder, name string, w wish) {
	c := b.Ctx()
	b.Must(ir.Call{Def: memref.Global, Loc: w.at, Attr: c.Props([]ir.NamedAttr{
		{Name: "alignment", Value: c.IntAttr(constantAlign, ir.I64)},
		{Name: "constant", Value: c.UnitAttr()},
		{Name: "initial_value", Value: w.value},
		{Name: "sym_name", Value: c.StringAttr(name)},
		{Name: "sym_visibility", Value: c.StringAttr("private")},
		{Name: "type", Value: c.TypeAttr(tensor.MemoryOf(c, c.TypeOf(w.value)))},
	}, nil)})
}

// lowerConstant makes the memory of a global of a constant that is no single number.
func (d down) lowerConstant(n ir.Node) ir.Value {
	if d.isVirtual(n) {
		return 0
	}
	if isSplat(n) {
		return d.filled(n)
	}
	c := d.B.Ctx()
	value, err := c.Elements(n.Attr("value"))
	if no := (*ir.NoElements)(nil); errors.As(err, &no) {
		lower.Refuse(n.Errorf("%s; %s", no.Reason, no.Fix))
	}
	t := tensor.MemoryOf(c, n.Type())
	names, _ := d.e.Symbols.(symbols)
	name := names[value]
	if name == "" {
		return d.stored(n, value)
	}
	mem := d.B.Must(ir.Call{Def: memref.GetGlobal, Attr: c.With(0, "name", c.SymbolAttr(name)), Type: t, Loc: d.B.Loc})
	if !handsOn(n) {
		return d.given(mem)
	}
	own := d.alloc(n.Type(), nil)
	d.B.Op(memref.Copy, mem, own)
	return d.given(own)
}

// stored stores the elements of a constant one by one, in a function that is lowered without its module.
func (d down) stored(n ir.Node, value ir.Attr) ir.Value {
	c := d.B.Ctx()
	elem, shape := d.info(n).Elem, tensor.Shape(c, n.Type())
	own := d.alloc(n.Type(), nil)
	index := make([]ir.Value, len(shape))
	for at := range ir.Elements(shape) {
		rest := at
		for i := len(shape) - 1; i >= 0; i-- {
			index[i] = d.B.Index(rest % shape[i])
			rest /= shape[i]
		}
		d.B.Op(memref.Store, append([]ir.Value{d.B.Const(elem, ir.Val{Bits: c.Elem(value, at)}), own}, index...)...)
	}
	return d.given(own)
}

// handsOn reports a tensor that somebody may write to, keep or give back: it is more than read.
func handsOn(n ir.Node) bool {
	return slices.ContainsFunc(n.Users(), func(u ir.Node) bool {
		if asks(u) {
			return false
		}
		if _, ok := ir.As[tensor.Fresh](u); ok {
			return false
		}
		_, calls := ir.As[ir.CallLike](u)
		c := u.Graph().Ctx
		gives := slices.ContainsFunc(c.Results(u.Type()), func(t ir.Type) bool { return c.IsTensor(t) || c.Info(t).Kind == ir.KindMemRef })
		switch {
		case u.Def().Has(ir.Terminator) || u.Def() == tensor.Unpack:
			return true
		case !gives:
			return false
		case calls || u.NumRegions() > 0:
			return true
		}
		return handsOn(u) // a view
	})
}
