package literal

import (
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/index"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// Aliases are the names that the file gives types and attributes: `#name` and `!name`. A name may be used before its
// definition, which is then looked for and read; nothing of an alias is kept but what it stands for.
type Aliases struct {
	in      *scan.Reader
	ctx     *ir.Context
	known   map[string]alias // what was read, in its turn or ahead of it
	lines   *aliasLines      // that define them, for uses before that
	read    map[string]int   // definitions that were read, and where
	pending map[string]bool  // those being resolved, against cycles
	sizes   sizes            // of what they stand for

	types *Types       // behind !name =
	attrs *Attrs       // behind #name =
	defs  *Definitions // texts of both
}

// maxExpanded bounds the text that an alias stands for: aliases of aliases can
// double with each line.
const maxExpanded = 1 << 22

// extent is how long the text of an attribute or type is, about, and how deep it
// nests.
type extent struct{ size, depth int }

// sizes remembers extents.
type sizes struct {
	attrs map[ir.Attr]extent
	types map[ir.Type]extent
}

// with adds what stands inside.
func (e extent) with(in extent) extent {
	return extent{min(e.size+in.size, maxExpanded+1), max(e.depth, in.depth+1)}
}

// checkAlias refuses an alias that stands for too much text, or nests too deep.
func (p *Aliases) checkAlias(a alias, at int) {
	if p.sizes.attrs == nil {
		p.sizes = sizes{map[ir.Attr]extent{}, map[ir.Type]extent{}}
	}
	switch e := p.attrExtent(a.attr).with(p.typeExtent(a.typ)); {
	case e.size > maxExpanded:
		p.in.Errorf(at, "this alias stands for more than %d characters", maxExpanded)
	case e.depth > diag.MaxNesting:
		p.in.Errorf(at, "this alias is nested more than %d levels deep", diag.MaxNesting)
	}
}

// attrExtent is the extent of an attribute, which is remembered: attributes share what they hold.
func (p *Aliases) attrExtent(a ir.Attr) extent {
	if a == 0 {
		return extent{}
	}
	if e, ok := p.sizes.attrs[a]; ok {
		return e
	}
	info := p.ctx.AttrInfo(a)
	e := extent{1 + len(info.Str), 0}.with(p.typeExtent(info.Type))
	for _, x := range info.List {
		if info.Kind != ir.AttrOther { // of which the text alone is written
			e = e.with(p.attrExtent(x))
		}
	}
	for _, x := range info.Dict {
		e = e.with(p.attrExtent(x.Value))
		e.size += len(x.Name)
	}
	p.sizes.attrs[a] = e
	return e
}

// typeExtent is that of a type.
func (p *Aliases) typeExtent(t ir.Type) extent {
	if e, ok := p.sizes.types[t]; ok || t == 0 {
		return e
	}
	info := p.ctx.Info(t)
	e := extent{4 + len(info.Text), 0}.with(p.typeExtent(info.Elem)).with(p.attrExtent(info.Layout)).with(p.attrExtent(info.Space))
	for _, x := range info.Types {
		e = e.with(p.typeExtent(x))
	}
	p.sizes.types[t] = e
	return e
}

// aliasLines are the lines of a source that define aliases, found once.
type aliasLines struct {
	once sync.Once
	at   map[string]int
}

// find returns where a line begins that defines the alias, or -1.
func (l *aliasLines) find(src, name string) int {
	l.once.Do(func() {
		l.at = map[string]int{}
		for i := 0; i < len(src); {
			if c := src[i]; c == '#' || c == '!' {
				t := lex.SigilAt(src, i, lex.Hash)
				if j := lex.SkipSpace(src, t.End); j < len(src) && src[j] == '=' {
					l.at[src[i:t.End]] = i
				}
			}
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
		}
	})
	if i, ok := l.at[name]; ok {
		return i
	}
	return -1
}

// alias is a #name or !name of the file.
type alias struct {
	typ  ir.Type // of !name
	attr ir.Attr // of #name
}

// Define reads `#name = attribute` or `!name = type`.
func (p *Aliases) Define() {
	name := p.in.Text()
	p.in.Index.Add(index.Entry{Kind: index.Definition, Start: p.in.Tok.Start, End: p.in.Tok.End})
	if strings.IndexByte(name, '.') >= 0 {
		p.in.Errorf(p.in.Tok.Start, "an alias name has no dots: %s", scan.Short(name))
	}
	at := p.in.Tok.Start
	p.in.Next()
	p.in.Expect("=")
	a := p.aliasValue(name)
	if first, ok := p.read[name]; ok {
		p.in.Fail(diag.Errorf(p.in.File.Span(at, at+len(name)), "redefinition of alias %s", scan.Short(name)).
			WithNote(p.in.File.Span(first, first+len(name)), "previously defined here"))
	}
	p.read[name] = at
	p.known[name] = a
}

// aliasValue reads what stands behind the `=`: a type for a name with `!`, else an attribute.
func (p *Aliases) aliasValue(name string) (a alias) {
	at := p.in.Tok.Start
	if name[0] == '!' {
		a.typ = p.types.Type()
	} else {
		a.attr = p.attrs.Attr()
	}
	p.checkAlias(a, at)
	return a
}

// alias reads the use of an alias.
func (p *Aliases) alias() alias {
	name := p.in.Text()
	if p.in.Index != nil {
		p.in.Index.Add(index.Entry{Kind: index.Use, Start: p.in.Tok.Start, End: p.in.Tok.End, Name: p.findAlias(name)})
	}
	a := p.aliasOf(name)
	p.in.Next()
	return a
}

// aliasOf looks an alias up. Locations are defined at the end of what mlir-opt
// prints, so an unknown one is searched for.
func (p *Aliases) aliasOf(name string) alias {
	if a, ok := p.known[name]; ok {
		return a
	}
	if p.pending[name] {
		p.in.Errorf(p.in.Tok.Start, "alias %s is defined by itself", scan.Short(name))
	}
	off := p.findAlias(name)
	if off < 0 {
		p.in.Fail(diag.Errorf(p.in.Here(), "undefined alias '%s'", scan.Short(name)).
			WithFix("define it before its use: %s = ...", scan.Short(name)))
	}
	p.pending[name] = true
	p.in.Enter()
	tok, prev, mark := p.in.Tok, p.in.Prev, p.in.Index.Mark()
	p.in.Reset(off)
	p.in.Next()
	p.in.Expect("=")
	a := p.aliasValue(name)
	p.in.Tok, p.in.Prev = tok, prev
	p.in.Index.Back(mark) // its line has its turn
	p.in.Leave()
	delete(p.pending, name)
	p.known[name] = a
	return a
}

// findAlias returns where a line begins that defines the alias, or -1.
func (p *Aliases) findAlias(name string) int { return p.lines.find(p.in.Src, name) }

// expand replaces aliases in opaque text, because the definition of an alias is
// not kept. A location within a location is written bare, but loc(...) within the
// <...> of an attribute.
func (p *Aliases) expand(s string, off int) string {
	var out strings.Builder
	done, angles := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = lex.StringAt(s, i, i, lex.String).End - 1
		case '<':
			angles++
		case '>':
			if i > 0 && s[i-1] != '-' {
				angles--
			}
		case '#', '!':
			t := lex.SigilAt(s, i, lex.Hash)
			name := s[t.Start:t.End]
			if i > 0 && t.Kind == lex.Hash && strings.IndexByte(name, '.') < 0 && (t.End >= len(s) || s[t.End] != '<') && p.isAlias(name) {
				out.WriteString(s[done:i])
				out.WriteString(p.aliasText(name, angles > 0))
				if out.Len() > maxExpanded {
					p.in.Errorf(off, "with its aliases expanded this has more than %d characters", maxExpanded)
				}
				done = t.End
			}
			i = max(i, t.End-1)
		}
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

// isAlias reports that the file defines a name, here or later.
func (p *Aliases) isAlias(name string) bool {
	if _, ok := p.known[name]; ok {
		return true
	}
	return p.findAlias(name) >= 0
}

// aliasText is what stands for an alias in a text. A location within a location is bare, in an attribute it stands in loc(...).
func (p *Aliases) aliasText(name string, attr bool) string {
	a := p.aliasOf(name)
	pr := p.defs.writer()
	if name[0] == '!' {
		pr.Type(a.typ)
	} else if info := p.ctx.AttrInfo(a.attr); info.Kind == ir.AttrLoc && !attr {
		return info.Str
	} else {
		pr.Attr(a.attr)
	}
	return string(pr.Buf)
}
