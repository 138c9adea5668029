package text

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// What hooks of dialects call. Each is a method of the part that does it.

// Ctx returns the context of what is read.
func (p *Parser) Ctx() *ir.Context { return p.ctx }

// B returns the builder of the region that is open.
func (p *Parser) B() *ir.Builder { return p.names.B }

// At returns the offset of the next token.
func (p *Parser) At() int { return p.in.Tok.Start }

// Back makes the token at an offset that At gave the next one again.
func (p *Parser) Back(at int) { p.in.Back(at) }

// Errorf reports an error at an offset and gives up the op that is being read.
// At the current token the error covers the whole of it, before it all that was
// read from there.
func (p *Parser) Errorf(at int, format string, args ...any) { p.in.Errorf(at, format, args...) }

// Peek reports that the next token is the punctuation or keyword s.
func (p *Parser) Peek(s string) bool { return p.in.Peek(s) }

// Optional reads the punctuation or keyword s if it is there.
func (p *Parser) Optional(s string) bool { return p.in.Optional(s) }

// Expect reads the punctuation or keyword s.
func (p *Parser) Expect(s string) { p.in.Expect(s) }

// Keyword reads any bare word.
func (p *Parser) Keyword() string { return p.in.Keyword() }

// OptionalKeywordOf reads the one of words that is there, or returns "".
func (p *Parser) OptionalKeywordOf(words ...string) string { return p.in.OptionalKeywordOf(words...) }

// Integer reads an integer, with a sign if there is one.
func (p *Parser) Integer() int64 { return p.in.Integer() }

// OptionalInteger reads an integer if one is there.
func (p *Parser) OptionalInteger() (int64, bool) { return p.in.OptionalInteger() }

// String reads a quoted string and returns what it stands for.
func (p *Parser) String() string { return p.in.String() }

// Symbol reads `@name` and returns the name.
func (p *Parser) Symbol() string { return p.in.Symbol() }

// OptionalSymbol reads `@name` if it is there.
func (p *Parser) OptionalSymbol() (string, bool) { return p.in.OptionalSymbol() }

// List reads what item reads, separated by commas, between brackets.
func (p *Parser) List(open, end string, item func()) { p.in.List(open, end, item) }

// OptionalList is List if open is there, and reports whether it was.
func (p *Parser) OptionalList(open, end string, item func()) bool {
	return p.in.OptionalList(open, end, item)
}

// Type reads a type.
func (p *Parser) Type() ir.Type { return p.lit.Types.Type() }

// Types reads types separated by commas, at least one.
func (p *Parser) Types() (out []ir.Type) { return p.lit.Types.Types() }

// ColonType reads `: t`.
func (p *Parser) ColonType() ir.Type { return p.lit.Types.ColonType() }

// ColonTypes reads `: t, ...`.
func (p *Parser) ColonTypes() []ir.Type { return p.lit.Types.ColonTypes() }

// ArrowTypes reads `-> t` or `-> (t, ...)`, or nothing.
func (p *Parser) ArrowTypes() (out []ir.Type) { return p.lit.Types.ArrowTypes() }

// FunctionType reads `(t, ...) -> t` or `(t, ...) -> (t, ...)`.
func (p *Parser) FunctionType() (in, out []ir.Type) { return p.lit.Types.FunctionType() }

// Attr reads an attribute.
func (p *Parser) Attr() ir.Attr { return p.lit.Attrs.Attr() }

// AttrOf reads an attribute; a number without a type has type t.
func (p *Parser) AttrOf(t ir.Type) ir.Attr { return p.lit.Attrs.AttrOf(t) }

// AffineMap reads an attribute that is a map.
func (p *Parser) AffineMap() (ir.Attr, *expr.Map) { return p.lit.Attrs.AffineMap() }

// AffineSet reads an attribute that is a set.
func (p *Parser) AffineSet() (ir.Attr, *expr.Set) { return p.lit.Attrs.AffineSet() }

// Affine reads an affine expression in which dimensions are written `%x` and symbols
// `symbol(%x)`. Values that it adds to are numbered after those that are there.
func (p *Parser) Affine(values *AffineOperands) *expr.Expr {
	return p.lit.Attrs.AffineOf(values, func() ir.Value {
		v := p.names.Operand()
		p.names.CheckType(v, ir.Index)
		return v
	})
}

// Operand reads the use of a value.
func (p *Parser) Operand() ir.Value { return p.names.Operand() }

// OptionalOperand reads the use of a value if one is there.
func (p *Parser) OptionalOperand() (ir.Value, bool) { return p.names.OptionalOperand() }

// Operands reads uses of values separated by commas, perhaps none.
func (p *Parser) Operands() (out []ir.Value) { return p.names.Operands() }

// Subscripted reads memory and its subscripts, `%m[%i, %j]`: all as operands, the subscripts of type index.
func (p *Parser) Subscripted() []ir.Value { return p.names.Subscripted() }

// CheckType reports that a value is not of the type that the text says.
func (p *Parser) CheckType(v ir.Value, t ir.Type) { p.names.CheckType(v, t) }

// CheckTypes is CheckType for lists, whose lengths must agree too.
func (p *Parser) CheckTypes(vs []ir.Value, ts []ir.Type) { p.names.CheckTypes(vs, ts) }

// FailUse reports what is wrong with an operand, at its last use, and gives the op up.
func (p *Parser) FailUse(v ir.Value, what string) { p.names.FailUse(v, what) }

// Literal is the value of a constant that the text writes as one: what folds to one may be said where a constant may not.
func (p *Parser) Literal(v ir.Value) (x ir.Val, ok bool) { return p.names.Literal(v) }

// AttrDict reads `{name = value, ...}` if it is there. Names in OpDef.Attrs are
// properties.
func (p *Parser) AttrDict(op *Op) { p.ops.AttrDict(op) }

// AliasedDict is AttrDict where an alias of a dictionary may stand in its place.
func (p *Parser) AliasedDict(op *Op) { p.ops.AliasedDict(op) }

// AttrDictWithKeyword reads `attributes {...}` if it is there.
func (p *Parser) AttrDictWithKeyword(op *Op) { p.ops.AttrDictWithKeyword(op) }

// Successor reads `^name`; the index counts those of the op.
func (p *Parser) Successor(op *Op) int { return p.regions.Successor(op) }

// ArgumentName reads the name of a region's argument.
func (p *Parser) ArgumentName() Param { return p.regions.ArgumentName() }

// Argument reads `%name : type`.
func (p *Parser) Argument() Param { return p.regions.Argument() }

// Signature reads `(%a: t {attrs}, ...) -> (t {attrs}, ...)`. In a declaration
// the names may be missing.
func (p *Parser) Signature() (s Signature) { return p.regions.Signature() }

// PeekLabel reports that a region begins here whose block has a label.
func (p *Parser) PeekLabel() bool { return p.in.PeekLabel() }

// SkipRegion moves past the region that begins at the current token without
// reading it, and reports whether it ends. With At and Back a form reads regions
// in the order of the op where the text has them in another: what is made of ops,
// constants above all, may depend on what was read before.
func (p *Parser) SkipRegion() bool { return p.in.SkipRegion() }

// Region reads `{ ... }` as the next region of op, which always has a block.
// Params are the arguments that the op's own syntax gives it; implicit is the
// terminator that the text may leave out, or nil.
func (p *Parser) Region(op *Op, params []Param, implicit *ir.OpDef) {
	p.regions.Region(op, params, implicit)
}

// RegionOf is Region for `{ op }`: where the text leaves the terminator out, it hands on what the
// last op gives.
func (p *Parser) RegionOf(op *Op, terminator *ir.OpDef) { p.regions.RegionOf(op, terminator) }

// NoRegion adds a region without a block: the body of a declaration.
func (p *Parser) NoRegion(op *Op) { p.regions.NoRegion(op) }
