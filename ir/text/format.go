package text

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/internal/authors"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/operands"
	"github.com/irc-lang/irc/ir/unwind"
)

// form is a Form made ready for use in one context.
type form struct {
	Form
	def      *ir.OpDef
	defaults []namedDefault
	theirs   bool // some function of it is not irc's
	*compiledFormat
}

// compiledFormat is a format ready for use in all contexts.
type compiledFormat struct {
	once    sync.Once
	elems   []element
	written []string     // attributes that the format writes outside of attr-dict
	dict    bool         // it has a place for the others
	wrong   *formatError // why it has no elements
}

// A formatError is a mistake in a format, which the author of the dialect has made.
type formatError struct {
	name, format, msg string
	at                int // the offset in the format
}

func (e *formatError) Error() string { return "format of " + e.name + ": " + e.msg }

type formatKey struct {
	def    *ir.OpDef
	format string
}

var compiledFormats sync.Map // formatKey -> *compiledFormat

type namedDefault struct {
	name  string
	value ir.Attr
}

func (f *form) prints() bool { return f.Print != nil || f.Format != "" }

// forms finds the forms of the ops of a context. One is made ready when it is first
// asked for: most programs use few. It is for one goroutine.
type forms struct {
	ctx    *ir.Context
	tables []Syntax
	ready  map[*ir.OpDef]*form
}

func formsOf(c *ir.Context) *forms {
	f := &forms{ctx: c, ready: map[*ir.OpDef]*form{}}
	for _, d := range c.Dialects() {
		if t := ir.Table[Syntax](d); t != nil {
			f.tables = append(f.tables, t)
		}
	}
	return f
}

// of returns the form of an op, or nil if it has none.
func (fs *forms) of(def *ir.OpDef) *form {
	if fs == nil { // of a printer of types and attributes
		return nil
	}
	def = def.Written()
	if f, ok := fs.ready[def]; ok {
		return f
	}
	var out *form
	for _, t := range fs.tables {
		if f, ok := t[def]; ok {
			out = fs.make(def, f)
		}
	}
	fs.ready[def] = out
	return out
}

func (fs *forms) make(def *ir.OpDef, f Form) *form {
	cf, ok := compiledFormats.Load(formatKey{def, f.Format})
	if !ok {
		cf, _ = compiledFormats.LoadOrStore(formatKey{def, f.Format}, new(compiledFormat))
	}
	g := &form{Form: f, def: def, compiledFormat: cf.(*compiledFormat)}
	g.theirs = f.theirs()
	for _, name := range def.Attrs {
		if a, ok := f.Attrs[name]; ok && a.missing != nil {
			g.defaults = append(g.defaults, namedDefault{name, a.missing(fs.ctx)})
		}
	}
	return g
}

// theirs reports that some function of a form is not irc's.
func (f Form) theirs() bool {
	if authors.Theirs(f.Parse) || authors.Theirs(f.Print) {
		return true
	}
	for _, x := range f.Custom {
		if authors.Theirs(x.Parse) || authors.Theirs(x.Print) {
			return true
		}
	}
	for _, x := range f.Attrs {
		if authors.Theirs(x.Parse) || authors.Theirs(x.Print) {
			return true
		}
	}
	return false
}

// names lists the ops that have a form, in order.
func (fs *forms) names() (out []string) {
	for _, t := range fs.tables {
		for def := range t {
			out = append(out, def.Name)
		}
	}
	sort.Strings(out)
	return out
}

// The kinds of elements of a format.
type elemKind uint8

const (
	eLiteral elemKind = iota
	eOperand
	eAttr
	eRegion
	eType // of an operand group, result, or all operands or results
	eOperands
	eFunctional
	eAttrDict
	eRegions
	eCustom
	eGroup
)

// element is one element of a compiled format.
type element struct {
	kind    elemKind
	at      int    // where it stands in the format
	text    string // literal, name, or keyword of the attribute dictionary
	group   int    // of an operand: its index in OpDef.Args
	kindOf  byte   // of an operand or result group: 1, '?' or '.'
	results bool   // of a type: of results, not operands
	all     bool   // of a type: of all of them
	nth     int    // of a type: which result
	anchor  bool
	args    []string
	body    []element
	orElse  []element
}

// compiled returns the elements of the format. A mistake in a format is one of
// the dialect's author, who is told the op's name.
func (f *form) compiled() []element {
	elems, wrong := f.compile()
	if wrong != nil {
		f.misdefined("its format is %q: %s", f.Format, wrong.msg)
	}
	return elems
}

// misdefined ends the use of a form that its author has to write otherwise.
func (f *form) misdefined(format string, args ...any) {
	panic(&ir.OpError{Op: f.def.Name, Msg: "is defined wrongly: " + fmt.Sprintf(format, args...), Author: true})
}

// compile reads the format once, or says what is wrong with it.
func (f *form) compile() ([]element, *formatError) {
	f.once.Do(func() {
		c := &formatReader{s: f.Format, f: f}
		f.wrong, _ = unwind.Catch[*formatError](func() {
			f.elems = c.list("")
			if c.i < len(c.s) {
				c.fail("unexpected %q", c.s[c.i:])
			}
			f.dict = slices.ContainsFunc(elementsIn(f.elems), func(e element) bool { return e.kind == eAttrDict || e.kind == eCustom })
		})
	})
	return f.elems, f.wrong
}

type formatReader struct {
	s string
	i int
	f *form
}

func (r *formatReader) fail(format string, args ...any) {
	panic(&formatError{name: r.f.def.Name, format: r.s, msg: fmt.Sprintf(format, args...), at: min(r.i, len(r.s))})
}

func (r *formatReader) space() {
	for r.i < len(r.s) && lex.IsSpace(r.s[r.i]) {
		r.i++
	}
}

func (r *formatReader) has(s string) bool {
	r.space()
	if !strings.HasPrefix(r.s[r.i:], s) {
		return false
	}
	r.i += len(s)
	return true
}

func (r *formatReader) expect(s string) {
	switch {
	case r.has(s):
	case r.i >= len(r.s):
		r.fail("%q is missing at the end", s)
	default:
		r.fail("expected %q at %q", s, r.s[r.i:])
	}
}

// list reads elements up to the end of the format or of a group.
func (r *formatReader) list(end string) (out []element) {
	for {
		r.space()
		if r.i >= len(r.s) || end != "" && strings.HasPrefix(r.s[r.i:], end) {
			return out
		}
		at := r.i
		e := r.elem()
		e.at = at
		e.anchor = end != "" && r.has("^")
		out = append(out, e)
	}
}

func (r *formatReader) word() string {
	r.space()
	i := r.i
	for r.i < len(r.s) && (lex.IsSuffix(r.s[r.i])) {
		r.i++
	}
	switch {
	case i == r.i && i < len(r.s) && strings.IndexByte(",:;=<>[]{}", r.s[i]) >= 0:
		r.fail("punctuation stands in backquotes: write `%s`", r.s[i:i+1])
	case i == r.i:
		r.fail("expected a word at %q", r.s[i:])
	}
	return r.s[i:r.i]
}

func (r *formatReader) elem() element {
	switch {
	case r.has("`"):
		n := strings.IndexByte(r.s[r.i:], '`')
		if n < 0 {
			r.fail("a literal does not end")
		}
		e := element{kind: eLiteral, text: r.s[r.i : r.i+n]}
		r.i += n + 1
		return e
	case r.has("("):
		return r.groupElem()
	case r.has("$"):
		return r.variable(r.word())
	}
	switch w := r.word(); w {
	case "attr-dict":
		return element{kind: eAttrDict}
	case "attr-dict-with-keyword":
		return element{kind: eAttrDict, text: "attributes"}
	case "prop-dict":
		return element{kind: eLiteral, text: "\\n"}
	case "operands":
		return element{kind: eOperands}
	case "regions":
		return element{kind: eRegions}
	case "functional-type":
		if at := r.i; !r.has("(") || !r.has("operands") || !r.has(",") || !r.has("results") || !r.has(")") {
			r.i = at
			r.fail("functional-type is of all operands and results: write functional-type(operands, results)")
		}
		return element{kind: eFunctional}
	case "type":
		return r.typeElem()
	case "custom":
		return r.customElem()
	case "qualified":
		r.expect("(")
		e := r.elem()
		r.expect(")")
		return e
	default:
		r.i -= len(w)
		r.fail("unknown directive %q%s", w, meant(w, directives))
	}
	return element{}
}

var directives = []string{"attr-dict", "attr-dict-with-keyword", "prop-dict", "operands", "regions", "functional-type", "type", "custom", "qualified"}

// meant is what a misspelt word may stand for, to be written behind it.
func meant(word string, known []string) string {
	if near := diag.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

func (r *formatReader) groupElem() element {
	at := r.i - 1 // the bracket
	e := element{kind: eGroup, body: r.list(")")}
	r.expect(")")
	if r.has(":") {
		r.expect("(")
		e.orElse = r.list(")")
		r.expect(")")
	}
	r.expect("?")
	anchors := 0
	for _, x := range e.body {
		if x.anchor {
			anchors++
		}
	}
	if anchors != 1 || len(e.body) == 0 {
		r.i = at
		r.fail("an optional group has one anchor: write ^ behind the element that says whether the group is there")
	}
	return e
}

func (r *formatReader) variable(name string) element {
	def := r.f.def
	for i, a := range def.Args {
		if base, k := operands.Kind(a); base == name {
			return element{kind: eOperand, text: name, group: i, kindOf: k}
		}
	}
	for _, a := range r.f.Regions {
		if base, k := operands.Kind(a); base == name {
			return element{kind: eRegion, text: name, kindOf: k}
		}
	}
	if _, listed := r.f.Attrs[name]; !listed && !inherent(def, name) {
		r.i -= len(name) + 1
		r.fail("$%s is no operand, attribute or region", name)
	}
	r.f.written = append(r.f.written, name)
	return element{kind: eAttr, text: name}
}

func (r *formatReader) typeElem() element {
	r.expect("(")
	e := element{kind: eType}
	switch {
	case r.has("$"):
		e.text = r.word()
		r.typeOf(&e)
	case r.has("operands"):
		e.all = true
	case r.has("results"):
		e.all, e.results = true, true
	default:
		r.fail("type(...) of what?")
	}
	r.expect(")")
	return e
}

func (r *formatReader) typeOf(e *element) {
	if x := r.lookupArg(e.text); x >= 0 {
		_, e.kindOf = operands.Kind(r.f.def.Args[x])
		e.group = x
		return
	}
	e.results = true
	for i, n := range r.f.Results {
		if base, k := operands.Kind(n); base == e.text {
			e.nth, e.kindOf = i, k
			return
		}
	}
	switch {
	case len(r.f.Results) > 0:
		r.fail("nothing is named $%s", e.text)
	case e.text == "results":
		e.all = true
	default: // the only result, whatever the format calls it
		e.kindOf = 1
	}
}

func (r *formatReader) lookupArg(name string) int {
	for i, a := range r.f.def.Args {
		if base, _ := operands.Kind(a); base == name {
			return i
		}
	}
	return -1
}

// customElem reads custom<name>(args): the arguments are kept as text.
func (r *formatReader) customElem() element {
	r.expect("<")
	e := element{kind: eCustom, text: r.word()}
	r.expect(">")
	r.expect("(")
	if _, ok := r.f.Custom[e.text]; !ok {
		r.fail("custom<%s> has no functions that read and print it: give Form.Custom a row of that name", e.text)
	}
	for !r.has(")") {
		depth, i := 0, r.i
		for r.i < len(r.s) && (depth > 0 || r.s[r.i] != ',' && r.s[r.i] != ')') {
			switch r.s[r.i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			r.i++
		}
		arg := strings.TrimSpace(r.s[i:r.i])
		e.args = append(e.args, arg)
		if name, ok := strings.CutPrefix(arg, "$"); ok && r.lookupArg(name) < 0 {
			r.f.written = append(r.f.written, name)
		}
		if !r.has(",") && r.i >= len(r.s) {
			r.fail("custom<%s>( does not end", e.text)
		}
	}
	return e
}
