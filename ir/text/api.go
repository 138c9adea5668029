// Package text reads and prints the IR as MLIR's textual form. With it one
//
//   - reads a program: Parse, whose List has all that is wrong, each with its place;
//   - prints a graph: Print, String;
//   - says how the ops of a dialect are written: a table Syntax, with a Form for each.
//
// Parse builds a graph from text, Print writes a schedule of a graph. The
// generic form needs nothing but the op's name; the pretty form of a registered
// op comes from its Form in the Syntax table of its dialect: a format string in
// the declarative assembly format of MLIR's ODS, or a pair of functions for what
// a format string cannot say.
//
// Methods of Parser return no errors: what is wrong is reported at its place, and a panic that the parser
// itself catches at the next op boundary gives the op up. So a hook reads as the grammar that it implements.
package text

import (
	"maps"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/index"
	"github.com/irc-lang/irc/ir/text/internal/literal"
)

// Syntax is the table of a dialect (in Dialect.Tables) with the custom syntax
// of its ops. An op that is not in it is read and printed in the generic form.
type Syntax map[*ir.OpDef]Form

// A Form is the custom syntax of one op: either Format, or Parse and Print.
//
// Format is MLIR's declarative assembly format:
//
//	`literal`                keyword or punctuation; `` prints no space, `\n` nothing
//	$name                    an operand (OpDef.Args), an attribute (OpDef.Attrs) or,
//	                         named in Form.Regions, a region
//	type($name)              type of an operand; type($result), type($results) of the result(s)
//	operands, results        all of them: operands, type(operands), type(results)
//	functional-type(operands, results)
//	attr-dict, attr-dict-with-keyword, prop-dict
//	regions                  all regions, comma separated
//	custom<name>(...)        Form.Custom[name]
//	( ... $x^ ... )?         printed if x is there; ( ... )? : ( ... )? with an else part
//	($x^ `:`)?               the first element decides when parsing
//
// Operands in OpDef.Args named "x..." are variadic and "x?" optional; if several
// are, OpDef.Attrs has "operandSegmentSizes" and it is filled in and checked.
// An op that names its results otherwise lists them in Form.Results.
// Operand types are known from their definitions: what the text says is compared
// with them. A result type that the format leaves out comes from OpDef.Infer.
//
// Examples:
//
//	"$lhs `,` $rhs (`fastmath` $fastmath^)? attr-dict `:` type($result)"
//	"$memref `[` $indices `]` attr-dict `:` type($memref)"
//	"$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"       with Attrs: {"predicate": text.Enum("eq", "ne", ...)}
type Form struct {
	Format  string              // in the notation above; "" leaves the generic form, or Parse and Print
	Results []string            // names of results in Format; default: result (one), results
	Regions []string            // names of regions in Format
	Attrs   map[string]AttrForm // how attributes are written, and their defaults
	Custom  map[string]Custom   // for custom<name>(...)
	Short   map[string]string   // of an operand or a result whose type is one of AsText, its name: `<...>` alone is read for it
	// Terminator is the op that a region of the Format may leave out at its end;
	// it is left out when it has no operands and no attributes.
	Terminator *ir.OpDef

	// Parse reads what follows the op's name into op. It reads types but need not
	// check what Infer checks. Print writes what follows the op's name, with its
	// leading space.
	Parse func(p *Parser, op *Op)
	Print func(p *Printer, v ir.Value)

	// Check looks at an op in the generic form once its regions and attributes are read: what
	// a text must not say although rewriting may make it. Parse does so by itself.
	Check func(p *Parser, op *Op)

	// Blocks says that a region of the op may have several blocks in the text. Ends is the terminator, and the types of its
	// operands, of one that control never leaves.
	Blocks bool
	Ends   func(c *ir.Context, op *Op) (*ir.OpDef, []ir.Type)

	// Name suggests the names of the results in the pretty form ("c0", "alloc");
	// nil or "" leaves a number. Constants are named as MLIR names them anyway.
	Name func(g *ir.Graph, v ir.Value) string
	// DefaultDialect is the dialect whose ops need no prefix right inside the
	// op's regions ("func" in func.func).
	DefaultDialect string
}

// An AttrForm says how an attribute $name is written in a Format. The zero value
// writes it as any attribute.
type AttrForm struct {
	Parse func(p *Parser) ir.Attr     // gives up the op by Parser.Errorf; nil reads any attribute
	Print func(p *Printer, a ir.Attr) // prints what Parse reads; nil prints any attribute
	// missing is the value of the property where the text has none, in the generic
	// form too; it is left out of the pretty form. Nil means no default.
	missing func(c *ir.Context) ir.Attr
	// begins says whether the attribute stands here, when it is the first element
	// of an optional group; nil stands for: an attribute begins here.
	begins func(p *Parser) bool
	// canon gives equal values that are spelt in several ways one spelling.
	canon func(c *ir.Context, a ir.Attr) ir.Attr
	// Unit marks a unit attribute: as the anchor of a group it is set by the group
	// being there and prints nothing itself.
	Unit bool
}

// Custom reads and prints a custom<...>(...) directive of a Format. args are its
// parameters as written: "$x", "type($x)".
type Custom struct {
	Parse func(p *Parser, op *Op, args []string)      // fills in op; Parser.Errorf tells what is wrong
	Print func(p *Printer, v ir.Value, args []string) // prints what Parse reads
	// begins decides for an optional group that begins with the directive; nil
	// stands for: always.
	begins func(p *Parser) bool
	// present decides whether a group whose anchor it is gets printed; nil stands
	// for: if one of its arguments is there.
	present func(p *Printer, v ir.Value) bool
}

// Op is an op that is being read. A hook fills it in; the parser makes it.
type Op struct {
	Def     *ir.OpDef   // of the op that is read
	At      int         // where its name stands
	named   int         // results named left of the "=", 0 without
	Args    []ir.Value  // all operands, unless SetArgs is used
	Regions []ir.Region // those read so far, in order
	graphs  []*ir.Graph // of an isolated op
	Types   []ir.Type   // result types, if HasTypes
	// hasTypes says that the text gives the result types; otherwise Infer does.
	hasTypes bool

	props, attrs []ir.NamedAttr
	groups       [][]ir.Value // by index of OpDef.Args, once SetArgs is used
	ctx          *ir.Context
	info         *opInfo   // what was read of ops of this name before, in the generic form
	known        *dictText // its properties, if their text was read before
	dict         string    // the text of its properties, if it may be read again
	sig          *sigText  // its type, if it was read before
	succs        []reference
	tail         int  // where its operands end
	torn         bool // the last op of a region of it was given up
}

// A Param is an argument of a region: its name with the "%", its type and place.
type Param struct {
	Name string  // with the "%"; "" in a declaration
	Type ir.Type // 0 until it is read, where the type stands elsewhere
	at   int
	Attr ir.Attr // dictionary of attributes, of a function's argument; or 0
	loc  ir.Loc
}

// A Signature is what a function-like op has between its name and its body.
type Signature struct {
	Params   []Param   // without names in a declaration
	Results  []ir.Type // the types
	ResAttrs []ir.Attr // 0 where there is none
	Variadic bool      // it ends in "..."
}

// Options of Parse.
type Options struct {
	Verbatim          bool // build exactly what is written
	AllowUnregistered bool // accept ops of dialects that nobody registered
	// Each, if not nil, gets the graph of each isolated op when it has been read,
	// inner ones first, and returns what takes its place. Functions are read on all
	// processors, so several goroutines may call it.
	Each func(g *ir.Graph) *ir.Graph
	// Index, if not nil, is told what stands where, for editors (package index), of ops that are wrong too. Without it nothing is kept.
	Index *index.Index
}

// AsText is a table of a dialect that defines types or attributes: the names of those that it keeps as text.
type AsText = literal.AsText

// AffineOperands are the values that expressions of an op are written in, see Parser.Affine.
type AffineOperands = literal.AffineOperands

// PrintOptions of Print.
type PrintOptions struct {
	Generic   bool // MLIR's generic form
	DebugInfo bool // locations, where known
	schedule  ir.ScheduleOptions
	// Elide prints dense_resource<__elided__> for the elements of a dense or sparse
	// attribute that are not one value for all and more than MaxElements. It is for
	// people: what it says is lost.
	Elide       bool
	MaxElements int64
	// Source turns offsets into file:line:col for DebugInfo; may be nil.
	Source *diag.Source
}

// What hooks can call (see parser_hooks.go and printer_hooks.go):
//
//	Parser: Ctx B At                        context, builder, offset of the next token
//	  Expect(s) Optional(s) Peek(s)         punctuation or keyword s
//	  Keyword OptionalKeywordOf(ws...)      any keyword; the first of ws that is there, or ""
//	  Integer OptionalInteger String Symbol OptionalSymbol
//	  List(open, close, func())             comma separated; OptionalList is true if open was there
//	  Type Types ColonType ColonTypes ArrowTypes FunctionType    (comma lists; ArrowTypes may be absent)
//	  Attr AttrOf(t)                        any attribute; a number whose type is known
//	  Operand OptionalOperand Operands      values; CheckType(v, t), CheckTypes(vs, ts) report mismatches
//	  Argument ArgumentName                 %x : type; %x
//	  Region(op, params, implicit)          { ... } appended to op; params bound; implicit terminator or nil
//	  RegionOf(op, terminator)              { op }: the terminator may be left out, and hands on what the op gives
//	  AttrDict(op) AttrDictWithKeyword(op)  optional {...}: inherent names become properties
//	  Signature                             (%a: t {..}, ...) -> (t, ...); its ArgAttrs(c), ResultAttrs(c)
//	  PeekLabel                             { ^name begins here
//	  NoRegion(op)                          a region without a block
//	  Errorf(at, format, ...)               report and give the op up; Fail(d) with a diagnostic of one's own
//	Op: SetProp SetAttr Prop(name) SetArgs(name, vs...) SetTypes(ts...)
//
//	Printer: Ctx Graph Str(ss...) Int(n) Quoted(s) Symbol(s)
//	  Value Values Type Types ArrowTypes FunctionType Attr AttrNoType
//	  Prop(v, name) Group(v, name)          attribute and operands by name
//	  AttrDict(v, elide...) AttrDictWithKeyword(v, elide...)
//	  Region(v, i, RegionStyle{...})        { ... } with its leading space; works for isolated ops
//	  Params(v, i) ParamName(v, i, j)       parameters of region i
//	  Signature(v, results, argAttrs, resAttrs)

// With is a table with the rows of another one.
func (s Syntax) With(more Syntax) Syntax {
	out := maps.Clone(s)
	maps.Copy(out, more)
	return out
}
