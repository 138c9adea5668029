package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/ir"
)

// tables are those of buckets in which something is looked for, by loop and result.
type tables map[[2]ir.Value]hash.Table

type tablesKey struct{}

func (d down) tables() tables {
	return d.Once(tablesKey{}, func() any { return tables{} }).(tables)
}

// lookedAt reports that something is looked for in a loop's buckets, result i.
func lookedAt(n ir.Node, i int) bool {
	return slices.ContainsFunc(n.Users(), func(u ir.Node) bool {
		if u.Def() != loop.Find {
			return false
		}
		v, j, _ := n.Graph().Projection(u.Arg(0).Old())
		return v == n.Old() && j == i
	})
}

// keepTable keeps a copy of the table of a loop's buckets, result i, in which something is
// looked for.
func (d down) keepTable(n ir.Node, i int, t hash.Table) {
	d.tables()[[2]ir.Value{n.Old(), ir.Value(i)}] = d.arrays.copiedTable(t)
}

// copiedTable is a table with memory that is given back after its last use.
func (m arrays) copiedTable(t hash.Table) hash.Table {
	state := t.State()
	for i, v := range state {
		if m.isMemory(v) {
			state[i] = m.duplicate(v)
		}
	}
	return t.With(state)
}

func (m arrays) isMemory(v ir.Value) bool {
	return m.B.Ctx().Info(m.B.Graph().Type(v)).Kind == ir.KindMemRef
}

// lowerFind looks a key up in the table that made the groups, or, where that is not to be
// seen, in one that is made of their keys.
func (d down) lowerFind(n ir.Node) ir.Value {
	keys, _ := loop.KeysOf(d.B.Ctx(), n.Arg(0).Type())
	vals := d.arrays.keyValues(keys, d.All(n.Args()[1:]))
	v, i, _ := n.Graph().Projection(n.Arg(0).Old())
	if t, ok := d.tables()[[2]ir.Value{v, ir.Value(i)}]; ok {
		return t.Find(d.B, t.Keys.Of(d.B, vals))
	}
	t := d.arrays.tableOf(keys, d.Of(n.Arg(0)))
	at := t.Find(d.B, t.Keys.Of(d.B, vals))
	t.Free(d.B)
	return at
}

// tableOf makes the table of groups from their keys.
func (m arrays) tableOf(keys []ir.Type, groups ir.Value) hash.Table {
	k := m.kit()
	cols := m.viewOfRows(groups)
	t := hash.New(m.B, hash.Options{Kinds: kinds(m.B.Ctx(), keys), Numbered: true})
	state := k.For(k.Index(0), cols[0].n, t.State(), func(i ir.Value, state []ir.Value) []ir.Value {
		var vals []ir.Value
		for _, c := range cols {
			vals = append(vals, m.keyValues([]ir.Type{c.elem}, []ir.Value{m.element(c, i)})...)
		}
		t := t.With(state).Reserve(m.B)
		_, _, next := t.Insert(m.B, t.Keys.Of(m.B, vals))
		return next.State()
	})
	return t.With(state)
}
