package text

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/operands"
)

// formatPrinter prints an op by its format. Spaces follow the rules of MLIR's
// generated printers: whether one comes before an element depends on what the
// format says before it, printed or not.
type formatPrinter struct {
	*Printer
	f     *form
	v     ir.Value
	space bool // before the next element
	punct bool // the last element was punctuation
	quiet bool // only follow the rules for spaces

	params map[string]ir.Attr // of a type or attribute, which has no op
}

func (f *form) print(p *Printer, v ir.Value) {
	s := &formatPrinter{Printer: p, f: f, v: v, space: true}
	s.list(f.compiled())
	if !f.dict {
		if lost := p.entries(v, s.elided()); len(lost) > 0 {
			f.misdefined("its format has no attr-dict, and would lose the attribute %q", lost[0].Name)
		}
	}
}

func (s *formatPrinter) list(elems []element) {
	for i := range elems {
		s.elem(&elems[i])
	}
}

func (s *formatPrinter) elem(e *element) {
	switch {
	case e.kind == eLiteral:
		s.literal(e.text)
		return
	case e.kind == eGroup:
		s.group(e)
		return
	case e.kind == eAttrDict:
		if !s.quiet {
			s.attrDict(e)
		}
		s.punct = false
		return
	}
	if !s.quiet && (s.space || !s.punct) {
		s.lit.Byte(' ')
	}
	s.punct, s.space = false, true
	if !s.quiet {
		s.value(e)
	}
}

func (s *formatPrinter) literal(text string) {
	switch text {
	case "":
		s.space, s.punct = false, true
		return
	case " ":
		if !s.quiet {
			s.lit.Byte(' ')
		}
		s.space, s.punct = false, false
		return
	case "\\n":
		return
	}
	if !s.quiet {
		if s.space && s.spaceBefore(text) {
			s.lit.Byte(' ')
		}
		s.lit.Str(text)
	}
	s.space = len(text) != 1 || strings.IndexByte("<({[", text[0]) < 0
	s.punct = !lex.IsLetter(text[0])
}

func (s *formatPrinter) spaceBefore(text string) bool {
	switch {
	case len(text) != 1 && text != "->":
		return true
	case s.punct:
		return strings.IndexByte(">)}],", text[0]) < 0
	}
	return strings.IndexByte("<>(){}[],", text[0]) < 0
}

func (s *formatPrinter) attrDict(e *element) {
	elide := s.elided()
	if e.text != "" {
		s.AttrDictWithKeyword(s.v, elide...)
	} else {
		s.AttrDict(s.v, elide...)
	}
}

// elided are the attributes that attr-dict leaves out: the format writes them elsewhere.
func (s *formatPrinter) elided() []string {
	return append([]string{operands.Segments, resultSegments}, s.f.written...)
}

func (s *formatPrinter) value(e *element) {
	if e.kind == eAttr { // of a type too, which has no graph
		s.attr(e)
		return
	}
	g := s.Printer.frames.f.g
	switch e.kind {
	case eOperand:
		s.Values(groupAt(g, s.v, s.f.def, e.group))
	case eRegion:
		if i := s.regionIndex(e.text); i >= 0 {
			s.region(s.v, i, RegionStyle{Args: true, Implicit: s.f.Terminator})
		}
	case eRegions:
		for i := range s.regionCount() {
			if i > 0 {
				s.lit.Str(", ")
			}
			s.region(s.v, i, RegionStyle{Args: true, Implicit: s.f.Terminator})
		}
	case eType:
		s.lit.Types(s.typesOf(e))
	case eOperands:
		s.Values(g.Args(s.v))
	case eFunctional:
		s.lit.FunctionType(s.argTypes(g.Args(s.v)), s.ctx.Results(g.Type(s.v)))
	case eCustom:
		s.f.Custom[e.text].Print(s.Printer, s.v, e.args)
	}
}

func (s *formatPrinter) attr(e *element) {
	a := s.named(e.text)
	if a == 0 {
		if d := s.f.Attrs[e.text].missing; d != nil {
			a = d(s.ctx)
		} else {
			return
		}
	}
	if pr := s.f.Attrs[e.text].Print; pr != nil {
		pr(s.Printer, a)
		return
	}
	s.lit.Attr(a)
}

func (s *formatPrinter) regionCount() int {
	g := s.Printer.frames.f.g
	return max(len(g.Regions(s.v)), len(g.Children(s.v)))
}

func (s *formatPrinter) regionIndex(name string) int {
	for i, r := range s.f.Regions {
		if base, _ := operands.Kind(r); base == name && i < s.regionCount() {
			return i
		}
	}
	return -1
}

func (s *formatPrinter) argTypes(vs []ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		out[i] = s.Printer.frames.f.g.Type(v)
	}
	return out
}

func (s *formatPrinter) typesOf(e *element) []ir.Type {
	g := s.Printer.frames.f.g
	if !e.results {
		if e.all {
			return s.argTypes(g.Args(s.v))
		}
		return s.argTypes(groupAt(g, s.v, s.f.def, e.group))
	}
	all := s.ctx.Results(g.Type(s.v))
	if e.all || len(s.f.Form.Results) < 2 {
		return all
	}
	sizes := s.ctx.Ints(g.Attr(s.v, resultSegments))
	if len(sizes) != len(s.f.Form.Results) {
		sizes = make([]int64, len(s.f.Form.Results))
		for i, r := range s.f.Form.Results {
			sizes[i] = 1
			if _, k := operands.Kind(r); k != 1 {
				sizes[i] = int64(max(len(all)-len(sizes)+1, 0))
			}
		}
	}
	from := int64(0)
	for _, n := range sizes[:e.nth] {
		from += n
	}
	to := from + sizes[e.nth]
	if from < 0 || to < from || to > int64(len(all)) {
		return nil
	}
	return all[from:to]
}

// group prints an optional group if its anchor is there.
func (s *formatPrinter) group(e *element) {
	there := false
	for i := range e.body {
		if x := &e.body[i]; x.anchor {
			there = s.present(x)
		}
	}
	quiet := s.quiet
	space, punct := s.space, s.punct
	s.quiet = quiet || there
	s.list(e.orElse)
	elseSpace, elsePunct := s.space, s.punct
	s.space, s.punct = space, punct
	s.quiet = quiet
	if !there && len(e.orElse) > 0 && !quiet {
		s.space, s.punct = elseSpace, elsePunct
		return
	}
	s.quiet = quiet || !there
	for i := range e.body {
		if x := &e.body[i]; !(x.anchor && x.kind == eAttr && s.f.Attrs[x.text].Unit) {
			s.elem(x)
		}
	}
	s.quiet = quiet
}

func (s *formatPrinter) present(e *element) bool {
	switch e.kind {
	case eOperand:
		return len(groupAt(s.Printer.frames.f.g, s.v, s.f.def, e.group)) > 0
	case eAttr:
		return s.attrPresent(e.text)
	case eRegion:
		i := s.regionIndex(e.text)
		return i >= 0 && s.HasBody(s.v, i)
	case eRegions:
		return s.regionCount() > 0
	case eType:
		return len(s.typesOf(e)) > 0
	case eOperands:
		return len(s.Printer.frames.f.g.Args(s.v)) > 0
	case eCustom:
		return s.customPresent(e)
	}
	return true
}

// named is the attribute of a name, or 0.
func (s *formatPrinter) named(name string) ir.Attr {
	if s.params != nil {
		return s.params[name]
	}
	return s.Prop(s.v, name)
}

func (s *formatPrinter) attrPresent(name string) bool {
	a := s.named(name)
	if s.params != nil {
		return a != 0
	}
	return a != 0 && !s.isDefault(s.v, ir.NamedAttr{Name: name, Value: a})
}

func (s *formatPrinter) customPresent(e *element) bool {
	if f := s.f.Custom[e.text].present; f != nil {
		return f(s.Printer, s.v)
	}
	for _, arg := range e.args {
		name, ok := strings.CutPrefix(arg, "$")
		if ok && (len(s.Group(s.v, name)) > 0 || s.attrPresent(name)) {
			return true
		}
	}
	return false
}
