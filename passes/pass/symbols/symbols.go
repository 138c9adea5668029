// Package symbols has what passes ask of names: who defines one, who refers to it, which is free, and whether all that is named
// is there. It is of this repository alone; pass.SymbolOf is for all.
package symbols

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Of returns the name that an op defines, or "".
func Of(n ir.Node) string {
	if !n.Def().Has(ir.Symbol) {
		return ""
	}
	return stringOf(n.Graph().Ctx, n.Attr("sym_name"))
}

// stringOf is the string of an attribute, "" where there is none.
func stringOf(c *ir.Context, a ir.Attr) string {
	if a == 0 {
		return ""
	}
	return c.AttrInfo(a).Str
}

// Callee returns the name of the function that an op calls with all its operands, or "". Its dialect says that it does, whatever
// its attributes are called: an op that is no ir.CallLike may name a function and hand it what it likes.
func Callee(n ir.Node) string {
	call, ok := ir.As[ir.CallLike](n)
	if !ok || len(call.Operands) != n.NumArgs() {
		return ""
	}
	return call.Callee
}

// IsPrivate reports a symbol that nothing outside its module can name.
func IsPrivate(n ir.Node) bool {
	return stringOf(n.Graph().Ctx, n.Attr("sym_visibility")) == "private"
}

// IsNested reports a symbol that only what is in the module around its own can name, and what is in that.
func IsNested(n ir.Node) bool {
	return stringOf(n.Graph().Ctx, n.Attr("sym_visibility")) == "nested"
}

// Names are names of symbols.
type Names map[string]bool

// Defined are those of all symbols of a graph and of those in it.
func Defined(g *ir.Graph) Names {
	out := Names{}
	for n := range g.All() {
		if name := Of(n); name != "" {
			out[name] = true
		}
	}
	return out
}

// Fresh is a name that is not among them, and is now.
func (x Names) Fresh(base string) string {
	name := base
	for i := 1; x[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	x[name] = true
	return name
}

// NamesIn adds the symbols that an attribute names, without those inside of them.
func NamesIn(c *ir.Context, a ir.Attr, into map[string]bool) {
	EachReference(c, a, func(path []string, _ bool) { into[path[0]] = true })
}

// EachReference calls f for each reference to a symbol in an attribute: its path through the modules. A name in
// text that we do not understand is one of any symbol of that name.
func EachReference(c *ir.Context, a ir.Attr, f func(path []string, understood bool)) {
	if a == 0 {
		return
	}
	info := c.AttrInfo(a)
	switch info.Kind {
	case ir.AttrSymbol:
		path := []string{info.Str}
		for _, x := range info.List {
			path = append(path, c.AttrInfo(x).Str)
		}
		f(path, true)
		return
	case ir.AttrOpaque, ir.AttrOther:
		for _, part := range strings.Split(info.Str, "@")[1:] {
			end := strings.IndexFunc(part, func(r rune) bool {
				return !(r == '_' || r == '$' || r == '.' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z')
			})
			if end < 0 {
				end = len(part)
			}
			f([]string{part[:end]}, false)
		}
	}
	for _, x := range info.List {
		EachReference(c, x, f)
	}
	for _, e := range info.Dict {
		EachReference(c, e.Value, f)
	}
	for _, e := range info.Attrs {
		EachReference(c, e.Value, f)
	}
}

// Signature returns the parameter and result types of a function-like op.
func Signature(n ir.Node) (in, out []ir.Type, ok bool) {
	a := n.Attr("function_type")
	if a == 0 {
		return nil, nil, false
	}
	c := n.Graph().Ctx
	info := c.AttrInfo(a)
	if info.Kind != ir.AttrType {
		return nil, nil, false
	}
	f := c.Info(info.Type)
	if f.Kind != ir.KindFunction {
		return nil, nil, false
	}
	return f.Types[:f.NumIn], f.Types[f.NumIn:], true
}

// A table holds the symbols of a graph and of those around it.
type table struct {
	outer *table // of the graph around; nil outside of all
	names map[string]ir.Node
}

// find looks a name up from the inside out.
func (t *table) find(name string) (ir.Node, bool) {
	for ; t != nil; t = t.outer {
		if n, ok := t.names[name]; ok {
			return n, true
		}
	}
	return ir.Node{}, false
}

// UnknownScope returns the innermost region around r, or r itself, that belongs to
// an op that is not registered: symbols in it are that op's own. Else it is Root.
func UnknownScope(s *ir.Schedule, r ir.Region) ir.Region {
	g := s.Graph()
	for r != ir.Root && g.Def(g.Owner(r)).Registered() {
		r = s.Place(g.Owner(r))
	}
	return r
}

// tables are the symbols of a graph, by UnknownScope.
type tables struct {
	s    *ir.Schedule
	root *table               // of the graph itself
	in   map[ir.Region]*table // of regions of ops that are not registered
}

// of returns the table in which a node finds symbols.
func (t *tables) of(v ir.Value) *table { return t.at(UnknownScope(t.s, t.s.Place(v))) }

// at returns the table of a region, and makes it where it is new.
func (t *tables) at(r ir.Region) *table {
	if r == ir.Root {
		return t.root
	}
	if t.in[r] == nil {
		t.in[r] = &table{outer: t.of(t.s.Graph().Owner(r)), names: map[string]ir.Node{}}
	}
	return t.in[r]
}

// Check checks what ir.Verify cannot see from one graph: a symbol is
// defined once in its scope; what is called or referred to exists and has the
// types of its use; a function returns what its type says. The error is an
// *ir.OpError.
func Check(g *ir.Graph) error {
	return checkScope(g, nil, symbolUses(g.Ctx))
}

// A symbolUse checks what an op says of the symbols that it names.
type symbolUse = func(n ir.Node, find func(name string) (ir.Node, bool)) error

// symbolUses are those of all dialects.
func symbolUses(c *ir.Context) map[*ir.OpDef][]symbolUse {
	uses := map[*ir.OpDef][]symbolUse{}
	for _, d := range c.Dialects() {
		for def, check := range ir.Table[ir.SymbolUses](d) {
			uses[def] = append(uses[def], check)
		}
	}
	return uses
}

// Alone returns what tells graphs that neither define nor use a symbol and have no
// graph inside: CheckSymbols finds nothing wrong in them, whatever is around them.
func Alone(c *ir.Context) func(g *ir.Graph) bool {
	names := namers(c, symbolUses(c))
	return func(g *ir.Graph) bool { return alone(g, names) }
}

// namers are the ops that name symbols: there are few.
func namers(c *ir.Context, uses map[*ir.OpDef][]symbolUse) []*ir.OpDef {
	return append(slices.Collect(maps.Keys(uses)), ir.Implementers[ir.CallLike](c)...)
}

// alone is given the ops that name symbols.
func alone(g *ir.Graph, names []*ir.OpDef) bool {
	if !g.IsLeaf() {
		return false
	}
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		if !g.IsOp(v) {
			continue
		}
		if d := g.Def(v); d.Has(ir.Symbol) || slices.Contains(names, d) {
			return false
		}
	}
	return true
}

// checkScope checks a graph and those inside of it; outer has the symbols around it.
func checkScope(g *ir.Graph, outer *table, uses map[*ir.OpDef][]symbolUse) (err error) {
	names := namers(g.Ctx, uses)
	s := ir.ScheduleOf(g)
	ts := &tables{s, &table{outer: outer, names: map[string]ir.Node{}}, map[ir.Region]*table{}}
	// each goes on until the first error
	each := func(f func(ir.Node, *table) error) {
		for v := range s.All() {
			if err == nil {
				err = f(g.NodeOf(v), ts.of(v))
			}
		}
	}
	// all names first: a use may stand before its definition
	each(func(n ir.Node, t *table) error {
		name := Of(n)
		if name == "" {
			return nil
		}
		if _, ok := t.names[name]; ok {
			return n.Errorf("redefinition of symbol named '%s'", name)
		}
		t.names[name] = n
		return nil
	})
	each(func(n ir.Node, t *table) error {
		if !n.Def().Registered() {
			return nil
		}
		if err := checkCall(n, t); err != nil {
			return err
		}
		for _, check := range uses[n.Def()] {
			var err error
			if n.Ask("its ir.SymbolUses", func() { err = check(n, t.find) }); err != nil {
				return err
			}
		}
		for _, c := range g.Children(n.Old()) {
			if err := checkReturn(n, c); err != nil {
				return err
			}
			if alone(c, names) {
				continue
			}
			if err := checkScope(c, t, uses); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// checkCall compares the operands and results of a call with the function that it names.
func checkCall(n ir.Node, t *table) error {
	callee := Callee(n)
	if callee == "" {
		return nil
	}
	f, ok := t.find(callee)
	if !ok {
		return n.Errorf("'%s' does not reference a valid function", callee)
	}
	in, out, ok := Signature(f)
	if !ok {
		return n.Errorf("'%s' is a %s, not a function", callee, f.Def().Name)
	}
	c := n.Graph().Ctx
	results := c.Results(n.Type())
	if len(in) != n.NumArgs() {
		return n.Errorf("incorrect number of operands for callee @%s: %d given, %d wanted", callee, n.NumArgs(), len(in))
	}
	if len(out) != len(results) {
		return n.Errorf("incorrect number of results for callee @%s: %d wanted here, it returns %d", callee, len(results), len(out))
	}
	if c.HasSizes() { // the names of the callee are its own
		if !c.Match(in, typesOf(n.Args()), out, results) {
			return n.Errorf("type mismatch: its operands and results are not what @%s takes and returns, whatever the sizes are that it names", callee)
		}
		return nil
	}
	for i, t := range in {
		if n.Arg(i).Type() != t {
			return n.Errorf("operand type mismatch: operand %d is not what @%s takes", i, callee)
		}
	}
	for i, t := range out {
		if results[i] != t {
			return n.Errorf("result type mismatch: result %d is not what @%s returns", i, callee)
		}
	}
	return nil
}

// typesOf are the types of nodes.
func typesOf(ns []ir.Node) []ir.Type {
	return lists.Map(ns, func(n ir.Node) ir.Type { return n.Type() })
}

// checkReturn compares the terminator of a function's body with its type.
func checkReturn(f ir.Node, body *ir.Graph) error {
	_, out, ok := Signature(f)
	if !ok || !body.HasBlock(ir.Root) {
		return nil
	}
	term := body.Term(ir.Root)
	if term == 0 {
		return nil // the op's own Infer says whether it must have one
	}
	n := body.NodeOf(term)
	if !n.Def().Has(ir.ReturnLike) {
		return nil
	}
	if n.NumArgs() != len(out) {
		return n.Errorf("has %d operands, but enclosing function (@%s) returns %d", n.NumArgs(), Of(f), len(out))
	}
	for i, t := range out {
		if n.Arg(i).Type() != t {
			return n.Errorf("type of return operand %d doesn't match function result type in function @%s", i, Of(f))
		}
	}
	return nil
}
