package models

import (
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/ir"
	irtext "github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/bridgestan"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// Library is the program with the functions that samplers ask for.
func (m *bound) Library(both bool) (*ir.Graph, error) {
	g, list, err := density.LibraryGraph(m.ctx, m.space, both)
	m.warnings = append(m.warnings, list...)
	return g, err
}

// Extend gives those of BridgeStan.
func (m *bound) Extend(lowered *ir.Graph, module string) (more, header string, err error) {
	l, err := density.LibraryOf(m.space, lowered)
	if err == nil {
		more, err = bridgestan.Text(l, m.data, m.free(), module)
	}
	return more, bridgestan.Header, err
}

// free are the names of the data on whose values the program does not depend: it is the same where their shape alone is known.
func (m *bound) free() map[string]bool {
	out := map[string]bool{}
	want, ok := m.shown(m.space)
	if !ok {
		return out
	}
	same := func(names ...string) bool {
		x := m.again(shapesOf(m.data, append(names, slices.Collect(maps.Keys(out))...)))
		if x.list.Err() != nil {
			return false
		}
		u, d := space.New(x.m)
		if d != nil {
			return false
		}
		got, ok := m.shown(u)
		return ok && got == want
	}
	var names []string
	for _, name := range m.data.Names {
		if v := m.m.Lookup(name); v != nil && len(v.Dims) > 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 || same(names...) {
		for _, name := range names {
			out[name] = true
		}
		return out
	}
	for _, name := range names {
		if same(name) {
			out[name] = true
		}
	}
	return out
}

// shapesOf is the data with the shapes alone of some.
func shapesOf(data *input.Data, names []string) *input.Data {
	out := input.NewData()
	for _, name := range data.Names {
		a := data.Get(name)
		if slices.Contains(names, name) {
			a = &input.Array{Dims: a.Dims, Missing: a.Missing, IsInt: a.IsInt, Shape: true}
		}
		out.Set(name, data.Span(name), a)
	}
	return out
}

// shown is the program of a model as text, with the tables that it reads.
func (m *bound) shown(u *space.Unconstrained) (string, bool) {
	computed, generated := density.Computed(u)
	g, d := emit.SpaceGraph(u, m.ctx, false, computed, generated)
	if d != nil {
		g, d = emit.SpaceGraph(u, m.ctx, false, computed, nil)
	}
	if d != nil {
		return "", false
	}
	var out strings.Builder
	if err := irtext.Print(&out, g, irtext.PrintOptions{}); err != nil {
		return "", false
	}
	for n := range g.All() {
		if n.Def() == ops.Data {
			if v, table := u.Table(g.Ctx.AttrInfo(n.Attr("name")).Str); v != nil {
				for _, x := range table {
					out.WriteString(" ")
					out.WriteString(jsontext.Decimal(x))
				}
			}
		}
	}
	return out.String(), true
}
