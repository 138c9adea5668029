package reduce

import "github.com/irc-lang/irc/ir"

// site is an op of a program.
type site struct {
	g *ir.Graph
	v ir.Value
}

// sites lists the ops of a verbatim graph and its children, outer before inner,
// in the order of the text.
func sites(g *ir.Graph) []site {
	var out []site
	for n := range g.All() {
		out = append(out, site{n.Graph(), n.Old()})
	}
	return out
}

func (s site) def() *ir.OpDef { return s.g.Def(s.v) }

func (s site) args() []ir.Value { return s.g.Args(s.v) }

// droppable reports an op that its region can do without: no terminator, be it
// registered or not.
func (s site) droppable() bool {
	return !s.def().Has(ir.Terminator) && s.g.Term(s.g.Home(s.v)) != s.v
}

// types lists the types of the results.
func (s site) types() []ir.Type { return s.g.Ctx.Results(s.g.Type(s.v)) }

// named lists all that an op carries, properties first.
func (s site) named() (props, attrs []ir.NamedAttr) {
	if a := s.g.AttrsOf(s.v); a != 0 {
		info := s.g.Ctx.AttrInfo(a)
		return info.Dict, info.Attrs
	}
	return nil, nil
}

// symbol is the name that an op defines, or "".
func (s site) symbol() string {
	if a := s.g.Attr(s.v, "sym_name"); a != 0 && s.g.Ctx.AttrInfo(a).Kind == ir.AttrString {
		return s.g.Ctx.AttrInfo(a).Str
	}
	return ""
}

// callee is the name of the function that an op calls, or "".
func (s site) callee() string {
	call, _ := ir.As[ir.CallLike](s.g.NodeOf(s.v))
	return call.Callee
}

// program is what rules know of a program.
type program struct {
	sites []site
	users map[string][]site // that name a symbol
	idle  map[site]bool     // whose results nothing uses, nor what it is used by
	inner map[region][]site // the ops of a region that are not in another one
}

type region struct {
	g *ir.Graph
	r ir.Region
}

func newProgram(g *ir.Graph) *program {
	p := &program{sites: sites(g), users: map[string][]site{}, idle: map[site]bool{}, inner: map[region][]site{}}
	used := map[site]bool{}
	for i := len(p.sites) - 1; i >= 0; i-- { // users stand behind
		s := p.sites[i]
		props, attrs := s.named()
		for _, list := range [][]ir.NamedAttr{props, attrs} {
			for _, e := range list {
				p.mention(s, e.Value)
			}
		}
		if p.idle[s] = len(s.types()) > 0 && !used[s]; p.idle[s] {
			continue
		}
		for _, a := range s.args() {
			n, _, _ := s.g.Projection(a)
			used[site{s.g, n}] = true
		}
	}
	for _, s := range p.sites {
		at := region{s.g, s.g.Home(s.v)}
		p.inner[at] = append(p.inner[at], s)
	}
	return p
}

// mention notes the symbols that an attribute names.
func (p *program) mention(s site, a ir.Attr) {
	info := s.g.Ctx.AttrInfo(a)
	if info.Kind == ir.AttrSymbol {
		p.users[info.Str] = append(p.users[info.Str], s)
	}
	for _, x := range info.List {
		p.mention(s, x)
	}
	for _, e := range info.Dict {
		p.mention(s, e.Value)
	}
}
