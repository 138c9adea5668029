package loop

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Kind says what a generator makes of what it is given.
type Kind int64

// The kinds of generators; see the package comment.
const (
	CollectKind Kind = iota
	ReduceKind
	ScanKind
	BucketKind
	EmitKind
)

var kindWords = []string{"collect", "reduce", "scan", "bucket", "emit"}

func (k Kind) String() string { return kindWords[k] }

// Combine says how a reduce or scan combines two tuples.
type Combine int64

// The ways to combine. By a region of the loop, with an identity that is an operand of it; or
// numbers by name: min and max take integers as signed, and of floats that which is no NaN.
const (
	ByRegion Combine = iota
	ByAdd
	ByMul
	ByMin
	ByMax
	ByAnd
	ByOr
	ByXor
)

var combineWords = []string{"region", "add", "mul", "min", "max", "and", "or", "xor"}

func (c Combine) String() string { return combineWords[c] }

// A Generator makes one or more results of the tuples that it is given.
type Generator struct {
	Kind    Kind
	By      Combine     // of reduce and scan
	Reassoc bool        // of reduce and scan: tuples may be combined in another order
	Types   []ir.Type   // of a tuple; of bucket those of the keys
	Inner   []Generator // of bucket: what is made of each group
}

const generatorName = "loop.generator"

// generator is a Generator as an attribute.
type generator struct {
	Kind, By, Reassoc int64
	Types, Inner      ir.Attr
}

var generatorAttr = ir.DefineAttr(&ir.AttrDef[generator]{Name: generatorName, Doc: "What a loop makes of what its body emits.",
	Format: "`<` $kind (`by` $by^)? (`in` $order^)? (`of` $types^)? (`each` $inner^)? `>`",
	Params: []ir.Param[generator]{
		ir.WordParam("kind", kindWords, func(g *generator) *int64 { return &g.Kind }),
		ir.WordParam("by", combineWords, func(g *generator) *int64 { return &g.By }).OrNone(),
		ir.WordParam("order", []string{"order", "any"}, func(g *generator) *int64 { return &g.Reassoc }).OrNone(),
		ir.TypesParam("types", func(g *generator) *ir.Attr { return &g.Types }).OrNone(),
		ir.AttrParam("inner", func(g *generator) *ir.Attr { return &g.Inner }).OrNone(),
	},
	Verify: func(c *ir.Context, g generator) error { return checkGenerator(c, g) }})

// Attr is the attribute of a generator.
func (g Generator) Attr(c *ir.Context) ir.Attr { return generatorAttr.Attr(c, g.parts(c)) }

func (g Generator) parts(c *ir.Context) generator {
	out := generator{Kind: int64(g.Kind), By: int64(g.By), Types: c.TypesAttr(g.Types...)}
	if g.Reassoc {
		out.Reassoc = 1
	}
	if len(g.Inner) > 0 {
		out.Inner = listAttr(c, g.Inner)
	}
	return out
}

// listAttr is the property "generators" of a loop.
func listAttr(c *ir.Context, list []Generator) ir.Attr {
	out := lists.Map(list, func(g Generator) ir.Attr { return g.Attr(c) })
	return c.ArrayAttr(out...)
}

// generatorsIn reads a list of generators; ok is false if it is none.
func generatorsIn(c *ir.Context, a ir.Attr) (out []Generator, ok bool) {
	if a == 0 || c.KindOf(a) != ir.AttrArray {
		return nil, false
	}
	for _, x := range c.AttrInfo(a).List {
		p, ok := generatorAttr.Of(c, x)
		if !ok {
			return nil, false
		}
		g := Generator{Kind: Kind(p.Kind), By: Combine(p.By), Reassoc: p.Reassoc == 1, Types: c.TypesOf(p.Types)}
		if p.Inner != 0 {
			if g.Inner, ok = generatorsIn(c, p.Inner); !ok {
				return nil, false
			}
		}
		out = append(out, g)
	}
	return out, true
}

// Generators lists the generators of a loop.
func Generators(n ir.Node) []Generator {
	out, _ := generatorsIn(n.Graph().Ctx, n.Attr("generators"))
	return out
}

func checkGenerator(c *ir.Context, p generator) error {
	g := Generator{Kind: Kind(p.Kind), By: Combine(p.By), Types: c.TypesOf(p.Types)}
	for _, t := range g.Types {
		if err := checkElem(c, t); err != nil {
			return fmt.Errorf("%s %w", g.Kind, err)
		}
	}
	switch {
	case len(g.Types) == 0 && g.Kind == BucketKind:
		return fmt.Errorf("bucket has no key, whose type comes first: bucket(i64, [...])")
	case len(g.Types) == 0:
		return fmt.Errorf("%s has no type", g.Kind)
	case g.Kind == BucketKind:
		if err := checkInner(c, p.Inner); err != nil {
			return err
		}
		if err := checkKeys(c, g.Types); err != nil {
			return fmt.Errorf("bucket %w", err)
		}
		return nil
	case p.Inner != 0:
		return fmt.Errorf("%s has no inner generators", g.Kind)
	case g.Kind != ReduceKind && g.Kind != ScanKind:
		return nil
	case g.By == ByRegion:
		return nil
	}
	for _, t := range g.Types {
		if err := g.By.takes(c, t); err != nil {
			return err
		}
	}
	return nil
}

// checkInner checks the generators of a bucket's groups, each of which is right by itself. (By
// the name: the definition would refer to itself.)
func checkInner(c *ir.Context, list ir.Attr) error {
	if list == 0 {
		return nil
	}
	for _, x := range c.AttrInfo(list).List {
		info := c.AttrInfo(x)
		if info.Kind != ir.AttrDefined || info.Str != generatorName {
			return fmt.Errorf("bucket has an inner list that is no generators")
		}
		if Kind(c.AttrInfo(info.List[0]).Int) == EmitKind {
			return fmt.Errorf("emit stands in no bucket: it hands tuples to the loop around it")
		}
	}
	return nil
}

// takes says what a named way to combine has against a type.
func (b Combine) takes(c *ir.Context, t ir.Type) error {
	switch {
	case c.IsInt(t):
		return nil
	case !c.IsFloat(t):
		return fmt.Errorf("%s combines numbers; of other values a region says how", b)
	case b >= ByAnd:
		return fmt.Errorf("%s combines integers, not floats", b)
	}
	return nil
}

// Tuple lists the types of the values of a tuple: those of a bucket are its keys and then the
// tuples of its inner generators.
func (g Generator) Tuple() []ir.Type {
	return slices.Concat(g.Types, lists.Join(g.Inner, Generator.Tuple))
}

// Results lists the types of what a generator makes.
func (g Generator) Results(c *ir.Context) (out []ir.Type) {
	switch g.Kind {
	case EmitKind:
		return []ir.Type{EmitOf(c, g.Types...)}
	case ReduceKind:
		return g.Types
	case BucketKind:
		out = append(out, Buckets(c, g.Types...))
		for _, x := range g.Inner {
			for _, t := range x.Results(c) {
				out = append(out, Array(c, t))
			}
		}
		return out
	}
	for _, t := range g.Types {
		out = append(out, Array(c, t))
	}
	return out
}

// IsRegional reports a generator that combines by a region.
func (g Generator) IsRegional() bool {
	return (g.Kind == ReduceKind || g.Kind == ScanKind) && g.By == ByRegion
}

// Regional lists the generators, inner ones where they stand, that combine by a region:
// regions 1, 2, ... of the loop and its operands after the size belong to them in this order.
func Regional(list []Generator) (out []Generator) {
	for _, g := range list {
		if g.IsRegional() {
			out = append(out, g)
		}
		out = append(out, Regional(g.Inner)...)
	}
	return out
}

// Counter is the generator that counts, if it is given 1 in the place of each tuple.
func Counter() Generator {
	return Generator{Kind: ReduceKind, By: ByAdd, Reassoc: true, Types: []ir.Type{ir.Index}}
}

// MakesSame reports that another generator makes the same of what it is given; of regions that
// combine it is not known.
func (g Generator) MakesSame(c *ir.Context, x Generator) bool {
	return g.Attr(c) == x.Attr(c) && len(Regional([]Generator{g})) == 0
}

// CombineNamed combines two tuples by the name of what combines them.
func (g Generator) CombineNamed(b *ir.Builder, x, y []ir.Value) []ir.Value {
	out := make([]ir.Value, len(x))
	for i, t := range g.Types {
		out[i] = g.By.op(b, t, g.Reassoc, x[i], y[i])
	}
	return out
}

// op combines two numbers by an op of arith.
func (b Combine) op(to *ir.Builder, t ir.Type, reassoc bool, x, y ir.Value) ir.Value {
	float := to.Ctx().IsFloat(t)
	fast := arith.FastMath(0)
	if reassoc {
		fast = arith.Reassoc
	}
	switch {
	case b == ByAdd && float:
		return arith.Float(to, arith.Addf, fast, x, y)
	case b == ByMul && float:
		return arith.Float(to, arith.Mulf, fast, x, y)
	case b == ByMin && float:
		return arith.Float(to, arith.Minnumf, fast, x, y)
	case b == ByMax && float:
		return arith.Float(to, arith.Maxnumf, fast, x, y)
	case b == ByAdd:
		return arith.AddI(to, x, y)
	case b == ByMul:
		return arith.MulI(to, x, y)
	}
	return to.Op(map[Combine]*ir.OpDef{ByMin: arith.Minsi, ByMax: arith.Maxsi, ByAnd: arith.Andi, ByOr: arith.Ori, ByXor: arith.Xori}[b], x, y)
}
