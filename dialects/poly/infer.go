package poly

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	irtext "github.com/irc-lang/irc/ir/text"
)

func stringOf(c *ir.Context, a ir.Attr) string {
	if a == 0 || c.AttrInfo(a).Kind != ir.AttrString {
		return ""
	}
	return c.AttrInfo(a).Str
}

// names are the names of a system's parameters.
func names(c *ir.Context, attr ir.Attr) (out []string) {
	if a := c.Get(attr, "names"); a != 0 {
		for _, x := range c.AttrInfo(a).List {
			out = append(out, stringOf(c, x))
		}
	}
	return out
}

func inferSystem(c *ir.Call) (ir.Type, error) {
	ns := names(c.Ctx(), c.Attr)
	if len(ns) != len(c.Args) {
		return 0, c.Errorf("has %d parameters and names for %d", len(c.Args), len(ns))
	}
	for i, n := range ns {
		if n == "" || slices.Contains(ns[:i], n) {
			return 0, c.Errorf("has no name, or one that another has, for parameter %d", i)
		}
		if c.ArgType(i) != ir.Index {
			return 0, c.Errorf("has a parameter %s that is no index", n)
		}
	}
	if a := c.Get("context"); a != 0 {
		s, ok := setAttr.Of(c.Ctx(), a)
		if !ok || !s.Set.Tuple().IsNone() {
			return 0, c.Errorf("has a context that is no set of parameters")
		}
		if err := knowsParams(c, "context", s.Set.Params(), ns); err != nil {
			return 0, err
		}
	}
	if a := c.Get("schedule"); a != 0 {
		if _, ok := treeAttr.Of(c.Ctx(), a); !ok {
			return 0, c.Errorf("has a schedule that is no #poly.tree")
		}
	}
	if a := c.Get("equations"); a != 0 && a != c.Ctx().UnitAttr() {
		return 0, c.Errorf("has equations that are no unit attribute")
	}
	if len(c.Regions) != 1 {
		return 0, c.Errorf("has one region")
	}
	return ir.Void, nil
}

func knowsParams(c *ir.Call, what string, used, known []string) error {
	for _, p := range used {
		if !slices.Contains(known, p) {
			return c.Errorf("has a %s with the parameter %s, which the system has not", what, p)
		}
	}
	return nil
}

func inferBind(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if len(c.Args) != 1 || ctx.Info(c.ArgType(0)).Kind != ir.KindMemRef {
		return 0, c.Errorf("takes a memref")
	}
	info := ctx.Info(c.ArgType(0))
	if !slices.Contains(roleWords, stringOf(ctx, c.Get("role"))) {
		return 0, c.Errorf("has a role: input, output or inout")
	}
	t, err := arrayType.Make(ctx, array{int64(len(info.Shape)), info.Elem})
	if err != nil {
		return 0, c.Errorf("makes an array that %v", err)
	}
	return t, checkArray(c, t)
}

func inferLocal(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 0 {
		return 0, c.Errorf("takes no operands")
	}
	if _, ok := arrayType.Of(c.Ctx(), c.Type); !ok {
		return 0, c.Errorf("gives a !poly.array")
	}
	if c.Get("extent") == 0 {
		return 0, c.Errorf("has an extent")
	}
	return c.Type, checkArray(c, c.Type)
}

// checkArray checks the name, the extent and the storage of an array.
func checkArray(c *ir.Call, t ir.Type) error {
	ctx := c.Ctx()
	name := stringOf(ctx, c.Get("name"))
	if name == "" {
		return c.Errorf("has no name")
	}
	a, _ := arrayType.Of(ctx, t)
	if x := c.Get("extent"); x != 0 {
		s, ok := setAttr.Of(ctx, x)
		if !ok || s.Set.Tuple().Name() != name || s.Set.Tuple().Len() != int(a.Rank) {
			return c.Errorf("has an extent that is no set of tuples %s of %d integers", name, a.Rank)
		}
	}
	if x := c.Get("storage"); x != 0 {
		m, ok := mapAttr.Of(ctx, x)
		in, _ := m.Map.Tuples()
		if !ok || in.Name() != name || in.Len() != int(a.Rank) {
			return c.Errorf("has a storage that is no map of tuples %s of %d integers", name, a.Rank)
		}
	}
	return nil
}

// nameOf is the name of the array that a value is.
func nameOf(g *ir.Graph, v ir.Value) string {
	if d := g.Def(v); d == Bind || d == Local {
		return stringOf(g.Ctx, g.Ctx.Get(g.AttrsOf(v), "name"))
	}
	return ""
}

func inferStatement(c *ir.Call) (ir.Type, error) {
	ctx, g := c.Ctx(), c.Graph()
	name := stringOf(ctx, c.Get("name"))
	if name == "" {
		return 0, c.Errorf("has no name")
	}
	if len(c.Args) == 0 || len(c.Regions) != 1 {
		return 0, c.Errorf("has a target and one region")
	}
	domain, ok := setAttr.Of(ctx, c.Get("domain"))
	if !ok || len(domain.Set.Sets()) > 1 || domain.Set.Tuple().Name() != name {
		return 0, c.Errorf("has a domain that is no set of tuples %s", name)
	}
	if !slices.Contains(operatorWords, stringOf(ctx, c.Get("operator"))) {
		return 0, c.Errorf("has an operator: set, add, mul, max, min, and, or")
	}
	dims := domain.Set.Tuple().Len()
	if err := checkAccess(c, name, dims, "write", c.Get("write"), c.Args[0]); err != nil {
		return 0, err
	}
	var reads []ir.Attr
	if a := c.Get("reads"); a != 0 {
		reads = ctx.AttrInfo(a).List
	}
	if len(reads) != len(c.Args)-1 {
		return 0, c.Errorf("reads %d arrays by %d relations", len(c.Args)-1, len(reads))
	}
	want := slices.Repeat([]ir.Type{ir.Index}, dims)
	for i, r := range reads {
		if err := checkAccess(c, name, dims, "read", r, c.Args[i+1]); err != nil {
			return 0, err
		}
		want = append(want, elemOf(g, c.Args[i+1]))
	}
	if err := checkAfter(c, name, dims); err != nil {
		return 0, err
	}
	return ir.Void, checkBody(c, want)
}

// checkAfter checks that a relation between instances leads from those of the statement.
func checkAfter(c *ir.Call, name string, dims int) error {
	a := c.Get("after")
	if a == 0 {
		return nil
	}
	m, ok := mapAttr.Of(c.Ctx(), a)
	if !ok {
		return c.Errorf("comes after what is no relation between instances")
	}
	for _, part := range m.Map.Maps() {
		if in, out := part.Tuples(); in.Name() != name || in.Len() != dims || out.Name() == "" {
			return c.Errorf("has instances to come after that %s of %d integers is not related to", name, dims)
		}
	}
	return nil
}

func elemOf(g *ir.Graph, v ir.Value) ir.Type {
	a, _ := arrayType.Of(g.Ctx, g.Type(v))
	return a.Elem
}

// checkAccess checks that a relation leads from the domain of a statement to an array.
func checkAccess(c *ir.Call, name string, dims int, what string, a ir.Attr, to ir.Value) error {
	m, ok := mapAttr.Of(c.Ctx(), a)
	t, isArray := arrayType.Of(c.Ctx(), c.Graph().Type(to))
	if !ok || !isArray {
		return c.Errorf("has a %s that is no relation to a !poly.array", what)
	}
	into := nameOf(c.Graph(), to)
	if into == "" {
		return c.Errorf("names arrays by poly.bind and poly.local alone")
	}
	if parts := m.Map.Maps(); len(parts) != 1 && !(len(parts) == 0 && what == "read") {
		return c.Errorf("has a %s that relates tuples of more than one kind", what)
	} else if len(parts) == 0 {
		return nil
	}
	in, out := m.Map.Tuples()
	if in.Name() != name || in.Len() != dims || out.Name() != into || out.Len() != int(t.Rank) {
		return c.Errorf("has a %s that does not relate %s of %d integers to %s of %d", what, name, dims, into, t.Rank)
	}
	return nil
}

// checkBody: the body of a reduction yields a value, or a value and the indices of an element.
func checkBody(c *ir.Call, want []ir.Type) error {
	g, body := c.Graph(), c.Regions[0]
	got := lists.Map(g.Params(body), g.Type)
	if !slices.Equal(got, want) {
		return c.Errorf("has a body for other coordinates and values than those of its domain and its reads")
	}
	ys := g.Yields(body)
	if t := g.Term(body); t == 0 || g.Def(t) != Yield || len(ys) == 0 {
		return c.Errorf("has a body that ends with poly.yield of a value")
	}
	target, _ := arrayType.Of(g.Ctx, g.Type(c.Args[0]))
	if g.Type(ys[0]) != target.Elem {
		return c.Errorf("yields %s for an array of %s", irtext.TypeString(c.Ctx(), g.Type(ys[0])), irtext.TypeString(c.Ctx(), target.Elem))
	}
	keys := ys[1:]
	if len(keys) == 0 {
		return nil
	}
	if op := stringOf(c.Ctx(), c.Get("operator")); Operator(op) == Set {
		return c.Errorf("sets an element at indices that are computed, which only a reduction may do")
	}
	if len(keys) != int(target.Rank) {
		return c.Errorf("yields %d indices for an array of %d dimensions", len(keys), target.Rank)
	}
	for _, k := range keys {
		if g.Type(k) != ir.Index {
			return c.Errorf("yields an index of type %s, which is to be index", irtext.TypeString(c.Ctx(), g.Type(k)))
		}
	}
	return nil
}

func inferAt(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes an array")
	}
	a, ok := arrayType.Of(c.Ctx(), c.ArgType(0))
	if !ok || len(c.Args) != int(a.Rank)+1 {
		return 0, c.Errorf("takes a !poly.array and as many indices as it has dimensions")
	}
	for i := range c.Args[1:] {
		if c.ArgType(i+1) != ir.Index {
			return 0, c.Errorf("takes indices of type index")
		}
	}
	return a.Elem, nil
}
