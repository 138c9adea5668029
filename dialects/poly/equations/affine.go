package equations

import (
	"errors"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// isConstant reports an expression of whole numbers alone.
func (e *expr) isConstant() bool {
	switch e.kind {
	case numberExpr:
		return !e.float
	case unaryExpr:
		return e.op == "-" && e.args[0].isConstant()
	case binaryExpr:
		return strings.Contains("+-*", e.op) && e.args[0].isConstant() && e.args[1].isConstant()
	}
	return false
}

// isAffine reports a quasi-affine function of names: of coordinates and parameters.
func (e *expr) isAffine(known func(name string) bool) bool {
	switch e.kind {
	case numberExpr:
		return !e.float
	case nameExpr:
		return known(e.op)
	case unaryExpr:
		return e.op == "-" && e.args[0].isAffine(known)
	case callExpr: // floor(a / 2), ceil(a / 2)
		if (e.op == "floor" || e.op == "ceil") && len(e.args) == 1 && e.args[0].kind == binaryExpr && e.args[0].op == "/" {
			q := e.args[0]
			return q.args[0].isAffine(known) && q.args[1].isConstant()
		}
		return false
	case binaryExpr:
		x, y := e.args[0], e.args[1]
		switch e.op {
		case "+", "-":
			return x.isAffine(known) && y.isAffine(known)
		case "*":
			return x.isAffine(known) && y.isConstant() || x.isConstant() && y.isAffine(known)
		case "mod":
			return x.isAffine(known) && y.isConstant()
		}
	}
	return false
}

// isCondition reports comparisons of quasi-affine functions, joined by and, or and not.
func (e *expr) isCondition(known func(name string) bool) bool {
	switch {
	case e.kind == unaryExpr && e.op == "not":
		return e.args[0].isCondition(known)
	case e.kind == binaryExpr && (e.op == "and" || e.op == "or"):
		return e.args[0].isCondition(known) && e.args[1].isCondition(known)
	case e.kind == binaryExpr && strings.Contains("== != <= >=", e.op):
		return e.args[0].isAffine(known) && e.args[1].isAffine(known)
	}
	return false
}

// header begins the text of a set: `[N, K] -> `.
func (p *program) header() string {
	if len(p.params) == 0 {
		return ""
	}
	names := lists.Map(p.params, func(t token) string { return t.text })
	return "[" + strings.Join(names, ", ") + "] -> "
}

// set reads a set that stands in the source behind some text of ours; a mistake is shown
// where it is.
func (b *builder) set(before string, at span, after string) (presburger.Set, bool) {
	text := b.prog.text(at)
	s, err := presburger.ParseSet(before + text + after)
	return s, b.ok(err, len(before), at)
}

// ok reports what is wrong with the text of a set, at its place in the source.
func (b *builder) ok(err error, before int, at span) bool {
	if err == nil {
		return true
	}
	where, msg := at, err.Error()
	var syntax *presburger.SyntaxError
	if errors.As(err, &syntax) {
		msg = syntax.Msg
		if n := syntax.Offset - before; n >= 0 && at.start+n < at.end {
			where = span{at.start + n, at.start + n + 1}
		}
	}
	// What is there to be declared is declared otherwise here.
	if name, ok := strings.CutPrefix(msg, "unknown variable "); ok {
		name, _, _ = strings.Cut(name, ";")
		b.report(where, "%s is no parameter of the program, and no coordinate", name)
		return false
	}
	b.report(where, "%s", msg)
	return false
}

// report notes what is wrong at a place.
func (b *builder) report(at span, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(b.prog.src.Span(at.start, max(at.end, at.start+1)), format, args...)
	*b.list = append(*b.list, d)
	return d
}
