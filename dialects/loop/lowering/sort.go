package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/order"
	"github.com/irc-lang/irc/ir"
)

// lowerSort sorts rows by keys of numbers and strings: folds have split others.
func (d down) lowerSort(n ir.Node) ir.Value {
	k, c := d.kit(), d.B.Ctx()
	desc := loop.Descending(c, n.Attrs(), len(n.Args()))
	keys := make([]order.Key, len(desc))
	var size ir.Value
	for i, a := range n.Args() {
		x := d.view(d.Of(a))
		if i == 0 {
			size = x.n
		} else {
			d.assert(k.Is(arith.EQ, size, x.n), "keys of different numbers of rows")
		}
		keys[i] = order.Key{Kind: kinds(c, []ir.Type{x.elem})[0], Desc: desc[i], At: func(row ir.Value) []ir.Value {
			return d.keyValues([]ir.Type{x.elem}, []ir.Value{d.element(x, row)})
		}}
	}
	rows := order.Sort(d.B, size, keys...)
	return d.pack(loop.Array(c, ir.Index), d.kept(rows, size))
}
