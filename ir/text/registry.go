package text

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// registry finds ops and their forms by the names that a source gives them, and says which is meant where a name is wrong.
type registry struct {
	ctx      *ir.Context
	in       *scan.Reader
	forms    *forms
	dialects map[string]bool // that are known
	lenient  bool            // ops of others are kept as they are
}

// branchOf is what an op does that branches, or nil.
func (p *registry) branchOf(def *ir.OpDef) func(p *Parser, op *Op) Branch {
	for _, d := range p.ctx.Dialects() {
		if f := ir.Table[Branches](d)[def]; f != nil {
			return f
		}
	}
	return nil
}

// lookup finds the definition of an op by its full name.
func (p *registry) lookup(name string, span diag.Span) *ir.OpDef {
	if d := p.ctx.Lookup(name); d != nil && !strings.HasPrefix(name, "ir.") {
		return d
	}
	dialect, _, dotted := strings.Cut(name, ".")
	if dotted && p.dialects[dialect] {
		d := diag.Errorf(span, "unknown op '%s' of dialect '%s'", scan.Short(name), dialect)
		if near := p.nearestOp(name, dialect); near != "" {
			d.WithFix("did you mean '%s'?", near)
		}
		p.in.Fail(d)
	}
	if !p.lenient {
		d := diag.Errorf(span, "op '%s' is not registered", scan.Short(name))
		if near := p.nearestOp(name, ""); near != "" {
			p.in.Fail(d.WithFix("did you mean '%s'? Otherwise use -allow-unregistered-dialect", near))
		}
		p.in.Fail(d.WithFix("use -allow-unregistered-dialect to keep ops of unknown dialects as they are"))
	}
	d, err := p.ctx.Unregistered(name)
	if err != nil {
		p.in.Fail(diag.Errorf(span, "%v", err))
	}
	return d
}

// nearestOp returns the registered op, of one dialect or any, that a name may mean.
func (p *registry) nearestOp(name, dialect string) string {
	if len(name) > 100 {
		return ""
	}
	var names []string
	for _, d := range p.ctx.Dialects() {
		if dialect != "" && d.Name != dialect || d == ir.Core {
			continue
		}
		for _, op := range d.Ops {
			names = append(names, op.Name)
		}
	}
	return diag.Nearest(name, names)
}

// written finds the op whose name is the current token, without its dialect perhaps, and its form.
func (p *registry) written(op *Op, inside string) *form {
	name, span := p.in.Text(), p.in.Here()
	full := name
	if strings.IndexByte(name, '.') < 0 {
		full = inside + "." + name
		if inside == "" || p.ctx.Lookup(full) == nil {
			full = "builtin." + name
		}
		if p.ctx.Lookup(full) == nil {
			p.unknownPretty(name, span)
		}
	}
	if d, _, _ := strings.Cut(full, "."); !p.dialects[d] && p.ctx.Lookup(full) == nil {
		p.unknownPretty(name, span)
	}
	op.Def = p.lookup(full, span)
	f := p.forms.of(op.Def)
	if f == nil {
		p.in.Fail(diag.Errorf(span, "op '%s' has no syntax of its own", full).WithFix("write it in the generic form: \"%s\"(...) : (...) -> (...)", full))
	}
	return f
}

// unknownPretty reports a bare name that names no op.
func (p *registry) unknownPretty(name string, span diag.Span) {
	d := diag.Errorf(span, "custom op '%s' is unknown", scan.Short(name))
	if len(name) <= 100 {
		names := p.forms.names()
		if near := diag.Nearest(name, names); near != "" {
			p.in.Fail(d.WithFix("did you mean '%s'?", near))
		}
		for _, full := range names {
			if strings.HasSuffix(full, "."+name) {
				p.in.Fail(d.WithFix("did you mean '%s'?", full))
			}
		}
	}
	if strings.IndexByte(name, '.') >= 0 {
		d.WithFix("an op of an unknown dialect is read in the generic form: \"%s\"(...) : (...) -> (...)", scan.Short(name))
	}
	p.in.Fail(d)
}
