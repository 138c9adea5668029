package interp

import (
	"fmt"
	"sort"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// A Function is something that can be called.
type Function struct {
	Name    string    // its symbol
	Graph   *ir.Graph // nil for a declaration
	Results []ir.Type // the types
	Params  []ir.Type // the types

	scope     *scope
	outer     *ir.Graph // where its op stands
	op        ir.Value
	body      *Code
	slots     int
	consts    []ir.Val // the first slots of a frame
	keepsRefs bool
	public    bool
}

// A symbol is an op of a module that has a name.
type symbol struct {
	g  *ir.Graph
	v  ir.Value
	fn *Function // if it is one
}

// scope is a module: the symbols that its ops see, besides those around it.
type scope struct {
	outer   *scope
	prefix  string // "a::" inside of module @a
	symbols map[string]*symbol
	inner   map[string]*scope
}

// findSymbols lists the symbols of a file or module graph. A graph whose only op
// is a module is a file; a name of that module may be written or left out.
func findSymbols(g *ir.Graph) (*scope, error) {
	s := newScope(nil, "")
	ops := lists.Filter(g.Members(ir.Root), g.IsOp)
	if len(ops) == 1 {
		if m := moduleOf(g, ops[0]); m != nil {
			if name := symbolOf(g, ops[0]); name != "" {
				s.inner[name] = s
			}
			return s, s.add(m)
		}
	}
	return s, s.add(g)
}

func newScope(outer *scope, prefix string) *scope {
	return &scope{outer: outer, prefix: prefix, symbols: map[string]*symbol{}, inner: map[string]*scope{}}
}

func (s *scope) add(g *ir.Graph) error {
	for _, v := range g.Members(ir.Root) {
		if !g.IsOp(v) {
			continue
		}
		name := symbolOf(g, v)
		if m := moduleOf(g, v); m != nil {
			in := newScope(s, s.prefix+name+"::")
			if name != "" {
				s.inner[name] = in
			}
			if err := in.add(m); err != nil {
				return err
			}
			continue
		}
		if name == "" {
			continue
		}
		if s.symbols[name] != nil {
			return fmt.Errorf("symbol @%s is defined twice", s.prefix+name)
		}
		sym := &symbol{g: g, v: v}
		if children := g.Children(v); len(children) == 1 {
			sym.fn = newFunction(g, v, s.prefix+name, children[0], s)
		}
		s.symbols[name] = sym
	}
	return nil
}

// moduleOf returns the graph of an op that defines symbols and does not run, or
// nil. A function ends in a terminator or has no block at all.
func moduleOf(g *ir.Graph, v ir.Value) *ir.Graph {
	c := g.Children(v)
	if len(c) != 1 || !c[0].HasBlock(ir.Root) || c[0].Term(ir.Root) != 0 || len(c[0].Params(ir.Root)) > 0 {
		return nil
	}
	return c[0]
}

func newFunction(g *ir.Graph, v ir.Value, name string, body *ir.Graph, s *scope) *Function {
	f := &Function{Name: name, scope: s, outer: g, op: v, public: true}
	if a := g.Attr(v, "sym_visibility"); a != 0 {
		f.public = g.Ctx.AttrInfo(a).Str == "public"
	}
	if t := g.Attr(v, "function_type"); t != 0 {
		info := g.Ctx.Info(g.Ctx.AttrInfo(t).Type)
		if info.Kind == ir.KindFunction {
			f.Params, f.Results = info.Types[:info.NumIn], info.Types[info.NumIn:]
		}
	}
	if !body.HasBlock(ir.Root) {
		return f
	}
	f.Graph = body
	f.Params = typesOf(body, body.Params(ir.Root))
	f.Results = typesOf(body, body.Yields(ir.Root))
	return f
}

func typesOf(g *ir.Graph, vs []ir.Value) []ir.Type {
	return lists.Map(vs, g.Type)
}

func symbolOf(g *ir.Graph, v ir.Value) string {
	a := g.Attr(v, "sym_name")
	if a == 0 || g.Ctx.AttrInfo(a).Kind != ir.AttrString {
		return ""
	}
	return g.Ctx.AttrInfo(a).Str
}

// find looks a name up in a scope and those around it.
func (s *scope) find(name string) *symbol {
	for ; s != nil; s = s.outer {
		in, rest := s, name
		for in != nil {
			head, tail, nested := strings.Cut(rest, "::")
			if !nested {
				break
			}
			in, rest = in.inner[head], tail
		}
		if in != nil && in.symbols[rest] != nil {
			return in.symbols[rest]
		}
	}
	return nil
}

func (m *Machine) here() *scope {
	if m.fn != nil {
		return m.fn.scope
	}
	return m.scopes
}

// Symbol finds the op that defines a symbol, as seen by the running function.
func (m *Machine) Symbol(name string) (g *ir.Graph, v ir.Value, ok bool) {
	s := m.here().find(strings.TrimPrefix(name, "@"))
	if s == nil {
		return nil, 0, false
	}
	return s.g, s.v, true
}

// Resolve finds a function by name, as seen by the running function.
func (m *Machine) Resolve(name string) (*Function, error) {
	name = strings.TrimPrefix(name, "@")
	s := m.here().find(name)
	if s != nil && s.fn != nil {
		return s.fn, nil
	}
	u := &Unsupported{Reason: fmt.Sprintf("there is no function @%s", name), Fix: "the module defines no function"}
	if s != nil {
		u.Reason = fmt.Sprintf("symbol @%s is no function", name)
	}
	if names := m.functions(); len(names) > 0 {
		u.Fix = "there is @" + names[0]
		if near := diag.Nearest(name, names); near != "" {
			u.Fix = "did you mean @" + near + "?"
		}
	}
	return nil, &Failure{Err: u}
}

// functions lists the names of the functions, sorted.
func (m *Machine) functions() []string {
	var out []string
	var walk func(s *scope)
	walk = func(s *scope) {
		for _, sym := range s.symbols {
			if sym.fn != nil {
				out = append(out, sym.fn.Name)
			}
		}
		for _, in := range s.inner {
			if in != s {
				walk(in)
			}
		}
	}
	walk(m.scopes)
	sort.Strings(out)
	return out
}
