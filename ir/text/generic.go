package text

import (
	"hash/maphash"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/literal"
	"github.com/irc-lang/irc/ir/text/internal/operands"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/text/internal/values"
)

// Large files say the same over and over: the name of an op, its properties, its
// type. What such a text was read as is kept by the text itself, and only a text
// that was not read before goes through the tokens.

// generics reads ops in the generic form.
type generics struct {
	host    *Parser
	ctx     *ir.Context
	in      *scan.Reader
	lit     *literal.Reader
	names   *values.Names
	reg     *registry
	ops     *opReader
	regions *regions

	infos  infos
	args   []ir.Value // operands of the line that is being read
	tokens bool       // no line is read as a whole: what the tests compare with
	taken  int        // lines that were
}

// opInfo is what is known of an op by its name as written, quotes included.
type opInfo struct {
	text  string
	hash  uint64
	def   *ir.OpDef
	sigs  [4]sigText
	next  int     // of sigs, to be replaced
	none  ir.Attr // what an op without attributes has anyway, once asked
	bare  bool    // that it was asked
	lines lineTexts
}

// dictText is what `<{...}>` of an op stands for.
type dictText struct {
	info  *opInfo
	text  string
	props []ir.NamedAttr // as written
	attr  ir.Attr        // with what the op has anyway
}

// sigText is what `(t, ...) -> t` stands for.
type sigText struct {
	text    string
	in, out []ir.Type
	multi   ir.Type
}

// infos are the ops met so far; both tables forget an entry for another one with
// the same place.
type infos struct {
	ops   [256]*opInfo
	all   map[string]*opInfo
	dicts []*dictText
	lines []*lineText // of ops with many
	made  int         // entries of both, since they were as large as they are
}

// Sizes of these tables.
const (
	fewTexts  = 1 << 8
	manyTexts = 1 << 14
)

// grow makes the tables larger for the next entry, if it pays: what they hold is read once more.
func (t *infos) grow() {
	n := len(t.dicts)
	if t.made++; n == 0 || 2*t.made > n && n < manyTexts {
		n = max(fewTexts, 4*n)
		t.dicts, t.lines, t.made = make([]*dictText, n), make([]*lineText, n), 0
	}
}

// tooDeep is the depth from which nothing is taken from what was read before, so
// that nesting is counted exactly.
const tooDeep = diag.MaxNesting - 100

// remembers reports that a text may be taken for what it was read as before.
func (p *generics) remembers() bool { return p.in.Depth < tooDeep && p.in.Index == nil }

// opInfo returns what is known of the op whose quoted name is the current token.
func (p *generics) opInfo() *opInfo {
	if info, end := p.infoAt(p.in.Tok.Start); info != nil && end == p.in.Tok.End {
		return info
	}
	text := p.in.Text()
	hash, _ := nameKey(p.in.Src, p.in.Tok.Start)
	place := &p.infos.ops[hash%uint64(len(p.infos.ops))]
	if info := p.infos.all[text]; info != nil {
		*place = info
		return info
	}
	name, ok := lex.Unescape(text)
	if !ok || name == "" {
		p.in.Errorf(p.in.Tok.Start, "expected the name of an op")
	}
	info := &opInfo{text: text, hash: hash, def: p.reg.lookup(name, p.in.Here())}
	if p.infos.all == nil {
		p.infos.all = map[string]*opInfo{}
	}
	p.infos.all[text] = info
	*place = info
	return info
}

// generic reads an op in the generic form, from its quoted name on.
func (p *generics) generic(op *Op) {
	op.info = p.opInfo()
	op.Def = op.info.def
	p.in.Next()
	p.operandList(op)
	op.tail = p.in.Prev
	if p.in.Tok.Kind == '[' {
		p.in.List("[", "]", func() { p.regions.Successor(op) })
	}
	if p.in.Tok.Kind == '<' {
		p.properties(op)
	}
	if p.in.Tok.Kind == '(' {
		uses := append([]values.Use(nil), p.names.Uses...)
		p.in.List("(", ")", func() {
			if len(op.Regions)+len(op.graphs) == maxRegions {
				p.in.Errorf(p.in.Tok.Start, "'%s' op has more than %d regions", op.Def.Name, maxRegions)
			}
			p.regions.region(op, nil, nil, true)
		})
		p.names.Uses = append(p.names.Uses[:0], uses...)
	}
	p.ops.AttrDict(op)
	if f := p.reg.forms.of(op.Def); f != nil && f.Check != nil {
		f.Check(p.host, op)
	}
	p.genericType(op)
}

// operandList reads `(%a, %b, ...)`. What is no plain use of a name that is
// visible is left to Operand.
func (p *generics) operandList(op *Op) {
	if p.in.Tok.Kind != '(' {
		p.in.Expect("(")
	}
	s, end := p.in.Src, p.in.Tok.End
	for i := end; i < len(s) && s[i] == '%'; {
		j := i + 1
		if j < len(s) && lex.IsDigit(s[j]) {
			for j < len(s) && lex.IsDigit(s[j]) {
				j++
			}
		} else {
			for j < len(s) && lex.IsSuffix(s[j]) {
				j++
			}
		}
		d := p.names.Scope.Find(s[i:j])
		if d == nil || d.N != 1 || j >= len(s) || s[j] != ',' && s[j] != ')' {
			break
		}
		op.Args = append(op.Args, d.One)
		p.names.Plain(d, i, j)
		if s[j] == ')' {
			p.in.Reset(j + 1)
			return
		}
		end = j + 1
		if i = end; i < len(s) && s[i] == ' ' {
			i++
		}
	}
	p.in.Reset(end)
	if len(op.Args) == 0 && p.in.Optional(")") {
		return
	}
	p.in.Items(")", func() { op.Args = append(op.Args, p.names.Operand()) })
}

// properties reads `<{...}>`.
func (p *generics) properties(op *Op) {
	start := p.in.Tok.Start
	text := p.dictAt(start)
	if text != "" && p.remembers() && len(p.infos.dicts) > 0 {
		if k := p.infos.dicts[p.textPlace(op.info, text)]; k != nil && k.info == op.info && k.text == text {
			op.known = k
			op.props = append(op.props, op.known.props...)
			p.in.Reset(start + len(text))
			return
		}
	}
	p.in.Next()
	var seen map[string]bool
	p.lit.Attrs.Dict(func(e ir.NamedAttr, at int) {
		p.lit.Attrs.Once(&seen, e.Name, at, op.props)
		p.checkSegments(op, e, at)
		op.props = append(op.props, e)
	})
	p.in.Expect(">")
	if text != "" && p.in.Prev == start+len(text) {
		op.dict = text
	}
}

// checkSegments refuses segments of operands or results that are no array<i32: ...>.
func (p *generics) checkSegments(op *Op, e ir.NamedAttr, at int) {
	if (e.Name == operands.Segments || e.Name == resultSegments) && inherent(op.Def, e.Name) &&
		(p.ctx.KindOf(e.Value) != ir.AttrDenseArray || p.ctx.TypeOf(e.Value) != ir.I32) {
		p.in.Errorf(at, "'%s' is an array<i32: ...>", e.Name)
	}
}

// dictAt returns the text `<{...}>` at an offset if it is a plain one, with no
// brackets or strings in which it might seem to end; else "".
func (p *generics) dictAt(start int) string {
	s := p.in.Src[start:]
	n := strings.IndexByte(s, '}')
	if n < 2 || n > 200 || n+1 >= len(s) || s[1] != '{' || s[n+1] != '>' {
		return ""
	}
	for i := 2; i < n; i++ {
		if c := s[i]; c == '"' || c == '{' || c == '\n' || c == '/' {
			return ""
		}
	}
	return s[:n+2]
}

// textPlace is where the text of an op stands in the tables.
func (p *generics) textPlace(info *opInfo, text string) uint64 {
	return (maphash.String(textSeed, text) ^ info.hash) % uint64(len(p.infos.dicts))
}

// genericType reads `: (t, ...) -> t`.
func (p *generics) genericType(op *Op) {
	if p.in.Tok.Kind != ':' {
		p.in.Expect(":")
	}
	rest := p.in.Src[p.in.Tok.End:]
	for i := range op.info.sigs {
		sig := &op.info.sigs[i]
		if n := len(sig.text); n > 0 && len(rest) > n && rest[n] <= ' ' && rest[:n] == sig.text && p.fits(op, sig) {
			op.sig, op.Types, op.hasTypes = sig, sig.out, true
			p.in.Reset(p.in.Tok.End + n)
			return
		}
	}
	from := p.in.Tok.End
	p.in.Next()
	at := p.in.Tok.Start
	in, out := p.lit.Types.FunctionType()
	if len(in) != len(op.Args) {
		p.in.Fail(diag.Errorf(p.in.File.Span(at, p.in.Prev), "'%s' op has %d operands, but its type has %d", op.Def.Name, len(op.Args), len(in)))
	}
	p.names.CheckTypes(op.Args, in)
	op.SetTypes(out...)
	if text := p.in.Src[from:p.in.Prev]; len(text) < 1000 && strings.IndexByte(text, '/') < 0 {
		op.info.sigs[op.info.next] = sigText{text, in, out, p.ctx.Multi(out...)}
		op.info.next = (op.info.next + 1) % len(op.info.sigs)
	}
}

// fits reports that the operands are of the types that a signature says.
func (p *generics) fits(op *Op, sig *sigText) bool {
	if len(op.Args) != len(sig.in) || !p.remembers() {
		return false
	}
	g := p.names.B.Graph()
	for i, a := range op.Args {
		if g.Type(a) != sig.in[i] {
			return false
		}
	}
	return true
}

// attrsOf returns all that an op carries, with what it has anyway.
func (p *generics) attrsOf(op *Op) ir.Attr {
	if op.info == nil || len(op.attrs) > 0 || op.groups != nil {
		p.ops.defaults(op)
		return p.ctx.Props(op.props, op.attrs)
	}
	switch {
	case op.known != nil:
		return op.known.attr
	case len(op.props) == 0:
		if !op.info.bare {
			p.ops.defaults(op)
			op.info.none, op.info.bare = p.ctx.Props(op.props, nil), true
		}
		return op.info.none
	case op.dict == "":
		p.ops.defaults(op)
		return p.ctx.Props(op.props, nil)
	}
	known := &dictText{info: op.info, text: op.dict, props: append([]ir.NamedAttr(nil), op.props...)}
	p.ops.defaults(op)
	known.attr = p.ctx.Props(op.props, nil)
	p.infos.grow()
	p.infos.dicts[p.textPlace(op.info, op.dict)] = known
	return known.attr
}

// resultType returns the type that the text says an op has.
func (p *generics) resultType(op *Op) ir.Type {
	if op.sig != nil {
		return op.sig.multi
	}
	return p.ctx.Multi(op.Types...)
}

var textSeed = maphash.MakeSeed()
