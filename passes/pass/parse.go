package pass

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass/mliropt"
)

// Parse reads a pipeline. The error is a *diag.Diagnostic with a caret in the
// text and the nearest name of a misspelt pass or option.
func Parse(text string, list List) (*Pipeline, error) { return parse(text, list, false) }

// ParseWithoutFiles is Parse of a pipeline that may name no file: options that do are refused before one is opened. Its errors are
// those of Parse.
func ParseWithoutFiles(text string, list List) (*Pipeline, error) { return parse(text, list, true) }

func parse(text string, list List, noFiles bool) (*Pipeline, error) {
	p := &parser{src: diag.NewSource("pipeline", text), text: text, list: list, noFiles: noFiles}
	steps := p.steps(0, "")
	if p.err == nil && p.pos < len(text) {
		p.fail(p.pos, p.pos+1, "%q does not belong here, want \",\" or the end of the pipeline", text[p.pos:p.pos+1])
	}
	if p.err != nil {
		return nil, p.err
	}
	steps = unroot(steps)
	return &Pipeline{steps}, checkLast(steps, true)
}

type parser struct {
	src  *diag.Source
	text string
	pos  int
	list List
	err  *diag.Diagnostic

	noFiles bool // options that name files are refused
}

func (p *parser) fail(from, to int, format string, args ...any) *diag.Diagnostic {
	if p.err == nil {
		p.err = diag.Errorf(p.src.Span(from, max(to, from+1)), format, args...)
	}
	return p.err
}

// space skips blanks and newlines: long pipelines are written over several lines.
func (p *parser) space() {
	for p.pos < len(p.text) && strings.ContainsRune(" \t\r\n", rune(p.text[p.pos])) {
		p.pos++
	}
}

func (p *parser) at(c byte) bool {
	p.space()
	return p.pos < len(p.text) && p.text[p.pos] == c
}

func (p *parser) accept(c byte) bool {
	if p.at(c) {
		p.pos++
		return true
	}
	return false
}

// steps reads a list of steps up to a closing parenthesis or the end; inside
// names the innermost anchor around it.
func (p *parser) steps(depth int, inside string) []Step {
	var out []Step
	if depth > diag.MaxNesting {
		p.fail(p.pos, p.pos+1, "pipeline is nested more than %d deep", diag.MaxNesting)
		return nil
	}
	if p.space(); p.pos == len(p.text) || p.at(')') {
		return nil
	}
	for p.err == nil {
		if !p.nothing() {
			s := p.step(depth, inside)
			if p.err != nil {
				break
			}
			out = append(out, s)
		}
		if !p.accept(',') {
			break
		}
	}
	return out
}

// nothing reads a pass of mlir-opt of which nothing is left to do, with its options.
func (p *parser) nothing() bool {
	start := p.pos
	name, _ := p.word()
	if m := mliropt.Find(name); m == nil || m.Is != mliropt.Nothing || p.list.Find(name) != nil || p.at('(') {
		p.pos = start
		return false
	}
	if p.accept('{') {
		open := p.pos - 1
		p.value(true)
		if !p.accept('}') {
			p.fail(open, open+1, "this brace is never closed")
		}
	}
	return true
}

// checkLast refuses what takes the program over at any place but the end of it all.
func checkLast(steps []Step, outermost bool) error {
	for i, s := range steps {
		if s.End != nil && !(outermost && i == len(steps)-1) {
			return diag.Errorf(s.span, "%q takes the program over, so nothing runs after it", s.Info.Name).WithFix("put it at the end of the whole pipeline")
		}
		if err := checkLast(s.steps, false); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) word() (string, int) {
	p.space()
	start := p.pos
	for p.pos < len(p.text) && !strings.ContainsRune("{}(),= \t\r\n", rune(p.text[p.pos])) {
		p.pos++
	}
	return p.text[start:p.pos], start
}

func (p *parser) step(depth int, inside string) Step {
	name, at := p.word()
	if name == "" {
		p.fail(at, at+1, "want the name of a pass here").WithFix("`irc passes` lists them")
		return Step{}
	}
	if p.at('(') {
		return p.nested(name, at, depth, inside)
	}
	info, mlir := p.list.Find(name), mliropt.Find(name)
	if info == nil {
		p.unknown(name, at)
		return Step{}
	}
	if info.Scope == Modules && inside == anchorFunc {
		p.fail(at, at+len(name), "pass %q looks at calls between functions, so it cannot stand inside func(...)", name).
			WithFix("put it before or after the func(...)")
		return Step{}
	}
	s := Step{Info: info, mlir: mlir}
	switch {
	case info.End != nil:
		s.End = info.End()
	case info.New != nil:
		s.Pass = info.New()
	}
	if err := wellMade(s); err != nil {
		p.fail(at, at+len(name), "pass %q is defined wrongly: %v", name, err)
		return Step{}
	}
	if mlir.IsAlias() && mlir.Here != info.Name { // with options of its own
		if of, err := Parse(mlir.Here, p.list); err == nil {
			s.Pass = of.Steps[0].Pass
		}
	}
	if p.accept('{') {
		p.options(s)
	}
	s.span = p.src.Span(at, p.pos)
	if c, ok := s.settings().(Checker); ok && p.err == nil {
		if err := c.Check(); err != nil {
			p.fail(at, p.pos, "pass %q: %v", name, err).WithFix("%s", usage(info))
		}
	}
	return s
}

// wellMade refuses a step that the row of its pass makes wrongly: a mistake of the author of the row.
func wellMade(s Step) error {
	if s.End == nil && s.Pass == nil {
		return errors.New("its row has no New, or one that gives nil")
	}
	_, err := optionsOf(s.settings())
	return err
}

func (p *parser) unknown(name string, at int) {
	d := p.fail(at, at+len(name), "unknown pass %q", name)
	if advice := mliropt.Advice(name); advice != "" {
		d.WithFix("%s", advice)
		return
	}
	if near := diag.Nearest(name, p.list.Names()); near != "" {
		d.WithFix("did you mean %q?", near)
		return
	}
	if _, ok := anchors[name]; ok || name == "repeat" {
		d.WithFix("write %s(...) around the passes that it is for", name)
		return
	}
	d.WithFix("`irc passes` lists them")
}

func (p *parser) nested(name string, at, depth int, inside string) Step {
	s := Step{repeat: name == "repeat", anchor: anchorOf(name)}
	switch {
	case s.anchor == anchorAny:
	case s.anchor != "":
		inside = s.anchor
	case !s.repeat:
		names := []string{"repeat"}
		for a := range anchors {
			names = append(names, a)
		}
		slices.Sort(names)
		d := p.fail(at, at+len(name), "%q takes no passes in parentheses", name)
		if near := diag.Nearest(name, names); near != "" {
			d.WithFix("did you mean %q?", near)
		} else if p.list.Find(name) != nil {
			d.WithFix("options of a pass stand in braces: %s", usage(p.list.Find(name)))
		} else {
			d.WithFix("those that do are %s", strings.Join(names, ", "))
		}
		return s
	}
	open := p.pos
	p.accept('(')
	s.steps = p.steps(depth+1, inside)
	if p.err == nil && !p.accept(')') {
		p.fail(open, open+1, "this parenthesis is never closed")
	}
	return s
}

// options reads `name=value name=value}`.
func (p *parser) options(s Step) {
	open := p.pos - 1
	opts := optionsFor(s.settings())
	for p.err == nil {
		p.accept(',')
		if p.accept('}') {
			return
		}
		name, at := p.word()
		if name == "" {
			if p.pos == len(p.text) {
				p.fail(open, open+1, "this brace is never closed")
			} else {
				p.fail(at, at+1, "want the name of an option of %q here", s.Info.Name).WithFix("%s", usage(s.Info))
			}
			return
		}
		p.option(s, opts, name, at)
	}
}

func (p *parser) option(s Step, opts []Option, name string, at int) {
	name, fixed, ok := s.mlir.Option(name)
	switch {
	case ok && name == "": // it says nothing here
		if p.assigned() {
			p.value(true)
		}
		return
	case fixed != "":
		if p.assigned() && p.value(false) != "true" {
			return
		}
		p.set(s, &opts[slices.IndexFunc(opts, func(o Option) bool { return o.Name == name })], []written{{fixed, at, p.pos}})
		return
	}
	i := slices.IndexFunc(opts, func(o Option) bool { return o.Name == name })
	if open, ok := s.Pass.(open); ok && i < 0 {
		value := "true"
		if p.assigned() {
			value = p.value(false)
		}
		open.SetOption(name, value)
		return
	}
	if i < 0 {
		d := p.fail(at, at+len(name), "pass %q has no option %q", s.Info.Name, name)
		names := lists.Map(opts, func(o Option) string { return o.Name })
		if near := diag.Nearest(name, names); near != "" {
			d.WithFix("did you mean %q?", near)
		} else {
			d.WithFix("%s", usage(s.Info))
		}
		return
	}
	o := &opts[i]
	if o.File && p.noFiles {
		p.fail(at, at+len(name), "option %q of %q names a file, which is refused here", name, s.Info.Name)
		return
	}
	values := []written{{"true", at, p.pos}} // a bool may stand alone
	switch start := p.pos; {
	case !p.assigned():
		if p.pos = start; o.kind != reflect.Bool {
			p.fail(at, at+len(name), "option %q of %q has no value", name, s.Info.Name).WithFix("write %s=%s", name, o.Default)
		}
	case o.List:
		values = p.elements()
	default:
		from := p.pos
		values = []written{{p.value(false), from, p.pos}}
	}
	if p.err == nil {
		p.set(s, o, values)
	}
}

// set gives an option its value.
func (p *parser) set(s Step, o *Option, values []written) {
	texts := lists.Map(values, func(v written) string { return v.text })
	err := o.set(reflect.ValueOf(s.settings()).Elem().FieldByIndex(o.field), texts...)
	var wrong *optionError
	if errors.As(err, &wrong) {
		v := values[wrong.at]
		d := p.fail(v.from, v.to, "option %q of %q %v", o.Name, s.Info.Name, err)
		if wrong.fix != "" {
			d.WithFix("%s", wrong.fix)
		}
	}
}

// written is a value, and where it stands.
type written struct {
	text     string
	from, to int
}

// elements reads those of a list, in braces or up to a blank or the end of the options. Quotes
// keep commas in an element; around a list without braces they are left out.
func (p *parser) elements() (out []written) {
	open := p.pos
	if p.pos == len(p.text) || p.text[p.pos] != '{' {
		if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
			for s := range strings.SplitSeq(p.quoted(), ",") {
				out = append(out, written{s, open, p.pos})
			}
			return nonEmpty(out)
		}
		for {
			out = append(out, p.element())
			if p.pos+1 >= len(p.text) || p.text[p.pos] != ',' || strings.ContainsRune(" \t\r\n}", rune(p.text[p.pos+1])) {
				return nonEmpty(out)
			}
			p.pos++
		}
	}
	p.pos++
	for p.err == nil && !p.accept('}') {
		if p.pos == len(p.text) {
			p.fail(open, open+1, "this brace is never closed")
			return nil
		}
		out = append(out, p.element())
		if !p.accept(',') && !p.at('}') && p.pos < len(p.text) {
			p.fail(p.pos, p.pos+1, "want \",\" or \"}\" after an element of a list")
		}
	}
	return out
}

// element reads one element of a list.
func (p *parser) element() written {
	start := p.pos
	if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
		text := p.quoted()
		return written{text, start, p.pos}
	}
	for p.pos < len(p.text) && !strings.ContainsRune("{}, \t\r\n", rune(p.text[p.pos])) {
		p.pos++
	}
	text := p.text[start:p.pos]
	if name, _, ok := strings.Cut(text, "="); ok && p.err == nil {
		p.fail(start, start+len(name), "this is the next option, not an element of a list").WithFix("put the list in braces, or a blank in place of the comma")
	}
	return written{text, start, p.pos}
}

// nonEmpty is an empty list if nothing is written.
func nonEmpty(list []written) []written {
	if len(list) == 1 && list[0].text == "" {
		return nil
	}
	return list
}

// assigned reads "=". A value stands right after it, or is empty, unless there are
// blanks on both sides.
func (p *parser) assigned() bool {
	start := p.pos
	if !p.accept('=') {
		return false
	}
	if p.pos > start+1 {
		p.space()
	}
	return true
}

// value reads what stands here, up to a blank, a comma or the closing
// brace; quotes and brackets keep these, and braces around all of it are left out. A
// list may have commas.
func (p *parser) value(list bool) string {
	start := p.pos
	if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
		return p.quoted()
	}
	var open []int
	for ; p.pos < len(p.text); p.pos++ {
		c := p.text[p.pos]
		switch {
		case c == '{' || c == '(':
			open = append(open, p.pos)
			continue
		case len(open) == 0 && (strings.ContainsRune("} \t\r\n", rune(c)) || c == ',' && !list):
			return unbraced(p.text[start:p.pos])
		case (c == '}' || c == ')') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		p.fail(open[0], open[0]+1, "this %s is never closed", map[byte]string{'{': "brace", '(': "parenthesis"}[p.text[open[0]]])
	}
	return unbraced(p.text[start:p.pos])
}

// quoted reads a value in quotes of either kind.
func (p *parser) quoted() string {
	start := p.pos
	end := strings.IndexByte(p.text[start+1:], p.text[start])
	if end < 0 {
		p.fail(start, start+1, "this quote is never closed")
		return ""
	}
	p.pos += end + 2
	return p.text[start+1 : p.pos-1]
}

// unbraced leaves out braces around a value: a list, as mlir-opt reads it too.
func unbraced(s string) string {
	if len(s) > 1 && s[0] == '{' && s[len(s)-1] == '}' && !strings.Contains(s[1:len(s)-1], "}") {
		return s[1 : len(s)-1]
	}
	return s
}
