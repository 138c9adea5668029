package syntax

import (
	"strconv"
	"strings"
)

// Print writes a program in normal form: one statement a line, `<-`, `^`, and
// only the parentheses that are needed for both dialects to read it alike.
// Comments are not kept.
func Print(p *Program) string {
	w := &printer{}
	if len(p.Vars) > 0 {
		w.WriteString("var ")
		for i, v := range p.Vars {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteString(v.Name)
			if len(v.Dims) > 0 {
				w.list("[", v.Dims, "]")
			}
		}
		w.WriteString(";\n")
	}
	if p.HasData {
		w.WriteString("data {\n")
		w.stmts(p.Data, 1)
		w.WriteString("}\n")
	}
	w.WriteString("model ")
	if p.Name != "" {
		w.WriteString(p.Name + " ")
	}
	w.WriteString("{\n")
	w.stmts(p.Model, 1)
	w.WriteString("}\n")
	return w.String()
}

// exprString is the normal form of an expression.
func exprString(e Expr) string {
	w := &printer{}
	w.expr(e, 0)
	return w.String()
}

// PrintExpr writes an expression in normal form.
func PrintExpr(e Expr) string { return exprString(e) }

type printer struct{ strings.Builder }

func (w *printer) stmts(body []Stmt, depth int) {
	// The indent stops growing: the output stays linear in the size of the tree.
	indent := strings.Repeat("  ", min(depth, 20))
	for _, s := range body {
		w.WriteString(indent)
		switch s := s.(type) {
		case *For:
			w.WriteString("for (" + s.Var + " in ")
			w.expr(s.Over, 0)
			w.WriteString(") {\n")
			w.stmts(s.Body, depth+1)
			w.WriteString(indent + "}")
		case *Assign:
			if s.Link != "" {
				w.WriteString(s.Link + "(")
			}
			w.expr(s.LHS, 0)
			if s.Link != "" {
				w.WriteString(")")
			}
			w.WriteString(" <- ")
			w.expr(s.RHS, 0)
		case *Sample:
			w.sample(s)
		}
		w.WriteString("\n")
	}
}

func (w *printer) sample(s *Sample) {
	w.expr(s.LHS, 0)
	w.WriteString(" ~ " + s.Dist)
	w.list("(", s.Args, ")")
	if b := s.Bound; b != nil {
		w.WriteString(" " + string(b.Kind) + "(")
		if b.Lower != nil {
			w.expr(b.Lower, 0)
		}
		w.WriteString(", ")
		if b.Upper != nil {
			w.expr(b.Upper, 0)
		}
		w.WriteString(")")
	}
}

func (w *printer) list(open string, es []Expr, end string) {
	w.WriteString(open)
	for i, e := range es {
		if i > 0 {
			w.WriteString(", ")
		}
		w.expr(e, 0)
	}
	w.WriteString(end)
}

// expr writes e, in parentheses if it binds more loosely than least. A Range is
// taken as loosest when it is an operand and wants its own operands as tight as
// JAGS does, so both readings agree.
func (w *printer) expr(e Expr, least int) {
	prec := precPrimary
	switch e := e.(type) {
	case *Range:
		prec = precRangeBUGS
	case *Unary:
		prec = precUnary
	case *Binary:
		prec = e.Op.prec()
	}
	if prec < least {
		w.WriteString("(")
		defer w.WriteString(")")
	}
	switch e := e.(type) {
	case *Num:
		w.WriteString(strconv.FormatFloat(e.Value, 'g', -1, 64))
	case *Ref:
		w.WriteString(e.Name)
		if len(e.Indices) > 0 {
			w.list("[", e.Indices, "]")
		}
	case *Call:
		w.WriteString(e.Name)
		w.list("(", e.Args, ")")
	case *Unary:
		w.WriteString(e.Op.String())
		w.expr(e.X, precUnary)
	case *Binary:
		w.binary(e, prec)
	case *Range:
		w.expr(e.From, precUnary)
		w.WriteString(":")
		w.expr(e.To, precUnary)
	}
}

func (w *printer) binary(e *Binary, prec int) {
	left, right := prec, prec+1
	switch {
	case e.Op == OpPow:
		left, right = precPrimary, precUnary
	case prec == precCompare:
		left = prec + 1
	}
	w.expr(e.X, left)
	if e.Op == OpPow {
		w.WriteString("^")
	} else {
		w.WriteString(" " + e.Op.String() + " ")
	}
	w.expr(e.Y, right)
}
