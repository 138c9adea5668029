package syntax

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// tree writes the structure of an expression, without places.
func tree(e Expr) string {
	join := func(es []Expr) string {
		var s []string
		for _, x := range es {
			s = append(s, tree(x))
		}
		return strings.Join(s, " ")
	}
	switch e := e.(type) {
	case nil:
		return "nil"
	case *Num:
		return fmt.Sprint(e.Value)
	case *Ref:
		if e.Indices == nil {
			return e.Name
		}
		return e.Name + "[" + join(e.Indices) + "]"
	case *All:
		return "_"
	case *Call:
		return "(" + e.Name + "! " + join(e.Args) + ")"
	case *Unary:
		return "(" + e.Op.String() + " " + tree(e.X) + ")"
	case *Binary:
		return "(" + e.Op.String() + " " + tree(e.X) + " " + tree(e.Y) + ")"
	case *Range:
		return "(: " + tree(e.From) + " " + tree(e.To) + ")"
	}
	return "?"
}

func stmtTree(body []Stmt) string {
	var b strings.Builder
	for _, s := range body {
		switch s := s.(type) {
		case *For:
			fmt.Fprintf(&b, "for %s %s {%s}\n", s.Var, tree(s.Over), stmtTree(s.Body))
		case *Assign:
			fmt.Fprintf(&b, "%s %s <- %s\n", s.Link, tree(s.LHS), tree(s.RHS))
		case *Sample:
			fmt.Fprintf(&b, "%s ~ %s", tree(s.LHS), tree(&Call{Name: s.Dist, Args: s.Args}))
			if s.Bound != nil {
				fmt.Fprintf(&b, " %c %s %s", s.Bound.Kind, tree(s.Bound.Lower), tree(s.Bound.Upper))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func programTree(p *Program) string {
	var b strings.Builder
	for _, v := range p.Vars {
		fmt.Fprintf(&b, "var %s\n", tree(&Ref{Name: v.Name, Indices: v.Dims}))
	}
	fmt.Fprintf(&b, "data %v {%s}\nmodel %s {%s}", p.HasData, stmtTree(p.Data), p.Name, stmtTree(p.Model))
	return b.String()
}

func mustExpr(t *testing.T, s string, d Dialect) Expr {
	t.Helper()
	e, list := ParseExpr(diag.NewSource("e", s), Options{d})
	if err := list.Err(); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return e
}

func TestPrecedence(t *testing.T) {
	for _, c := range []struct{ in, bugs, jags string }{
		{"-a^2", "(- (^ a 2))", ""},
		{"a^b^c", "(^ a (^ b c))", ""},
		{"a**-b", "(^ a (- b))", ""},
		{"-a*b", "(* (- a) b)", ""},
		{"a--b", "(- a (- b))", ""},
		{"a-b-c", "(- (- a b) c)", ""},
		{"a/b*c", "(* (/ a b) c)", ""},
		{"a+b*c", "(+ a (* b c))", ""},
		{"a*b%*%c", "(* a (%*% b c))", ""},
		{"a<b+1", "(< a (+ b 1))", ""},
		{"a>b&&c>d||e", "(|| (&& (> a b) (> c d)) e)", ""},
		{"!(a>b)", "(! (> a b))", ""},
		{"!a&&b", "(&& (! a) b)", ""},
		{"1:n-1", "(: 1 (- n 1))", "(- (: 1 n) 1)"},
		{"a[i-1]+1:a[i]", "(: (+ a[(- i 1)] 1) a[i])", "(+ a[(- i 1)] (: 1 a[i]))"},
		{"1:2*n", "(: 1 (* 2 n))", "(* (: 1 2) n)"},
		{"A%*%1:3", "(: (%*% A 1) 3)", "(%*% A (: 1 3))"},
		{"-1:n", "(: (- 1) n)", ""},
		{"1:n^2", "(: 1 (^ n 2))", ""},
		{"1:n>2", "(: 1 (> n 2))", "(> (: 1 n) 2)"},
		{"(1:n)-1", "(- (: 1 n) 1)", ""},
		{"1:(n-1)", "(: 1 (- n 1))", ""},
		{"x[,2:3,]", "x[_ (: 2 3) _]", ""},
		{"x[]", "x[_]", ""},
		{"x[j[i,],k]", "x[j[i _] k]", ""},
		{"phi(phi)", "(phi! phi)", ""},
		{"log.x+log (x)", "(+ log.x (log! x))", ""},
		{".5+1.+1.0E-6+1e+3", "(+ (+ (+ 0.5 1) 1e-06) 1000)", ""},
		{"a # x\n + /* y */ b", "(+ a b)", ""},
		{"(a<b)<c", "(< (< a b) c)", ""},
		{"((a))", "a", ""},
	} {
		if c.jags == "" {
			c.jags = c.bugs
		}
		if got := tree(mustExpr(t, c.in, BUGS)); got != c.bugs {
			t.Errorf("BUGS %s: got %s, want %s", c.in, got, c.bugs)
		}
		if got := tree(mustExpr(t, c.in, JAGS)); got != c.jags {
			t.Errorf("JAGS %s: got %s, want %s", c.in, got, c.jags)
		}
		for _, d := range []Dialect{BUGS, JAGS} {
			e := mustExpr(t, c.in, d)
			for _, other := range []Dialect{BUGS, JAGS} {
				back, list := ParseExpr(diag.NewSource("e", PrintExpr(e)), Options{other})
				if len(list) > 0 || tree(back) != tree(e) {
					t.Errorf("%s prints as %s, which reads as %s %v", c.in, PrintExpr(e), tree(back), list)
				}
			}
		}
	}
}

// value computes constant expressions.
func value(t *testing.T, e Expr) float64 {
	t.Helper()
	truth := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	switch e := e.(type) {
	case *Num:
		return e.Value
	case *Unary:
		if e.Op == OpNot {
			return truth(value(t, e.X) == 0)
		}
		return -value(t, e.X)
	case *Binary:
		x, y := value(t, e.X), value(t, e.Y)
		switch e.Op {
		case OpAdd:
			return x + y
		case OpSub:
			return x - y
		case OpMul:
			return x * y
		case OpDiv:
			return x / y
		case OpPow:
			return math.Pow(x, y)
		case OpLt:
			return truth(x < y)
		case OpGe:
			return truth(x >= y)
		case OpEq:
			return truth(x == y)
		case OpNe:
			return truth(x != y)
		case OpAnd:
			return truth(x != 0 && y != 0)
		case OpOr:
			return truth(x != 0 || y != 0)
		}
	}
	t.Fatalf("no value: %s", tree(e))
	return 0
}

func TestValues(t *testing.T) {
	for in, want := range map[string]float64{
		"-2^2": -4, "2^3^2": 512, "2^-1": 0.5, "-2*3": -6, "2--3": 5, "7-2-1": 4, "8/4/2": 1, "1+2*3": 7,
		"(1+2)*3": 9, "2^-2^2": 1.0 / 16, "!0": 1, "!(1<2)": 0, "1<2 && 3<2": 0, "1<2 || 3<2 && 0": 1, "--2": 2,
		"1+1==2": 1, "2*3!=6": 0, ".5+1.": 1.5, "1e3": 1000, "1E-2": 0.01, "3>=3": 1, "(-2)**2": 4,
	} {
		if got := value(t, mustExpr(t, in, BUGS)); got != want {
			t.Errorf("%s = %g, want %g", in, got, want)
		}
	}
}

func TestStatements(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"x<-1y=2;;z~dnorm(0,1)w~dflat()", " x <- 1\n y <- 2\nz ~ (dnorm! 0 1)\nw ~ (dflat! )\n"},
		{"x ~ dnorm(0,1) T(,5)", "x ~ (dnorm! 0 1) T nil 5\n"},
		{"x ~ dnorm(0,1)I(0,)", "x ~ (dnorm! 0 1) I 0 nil\n"},
		{"x ~ dnorm(0,1)\n C (a[1], b)", "x ~ (dnorm! 0 1) C a[1] b\n"},
		{"x ~ dnorm(0,1)T(,)", "x ~ (dnorm! 0 1) T nil nil\n"},
		{"x ~ dnorm(0,1) T <- 3", "x ~ (dnorm! 0 1)\n T <- 3\n"},
		{"x ~ dnorm(0,1) T[1] <- C", "x ~ (dnorm! 0 1)\n T[1] <- C\n"},
		{"logit(p[i]) <- a\nlog(q)=b", "logit p[i] <- a\nlog q <- b\n"},
		{"cloglog(p) <- a probit(q) <- b", "cloglog p <- a\nprobit q <- b\n"},
		{"y <- a\n + b\n z <- c", " y <- (+ a b)\n z <- c\n"},
		{"for(i in 1:N){x[i]<-i}for(j in v){}", "for i (: 1 N) { x[i] <- i\n}\nfor j v {}\n"},
		{"for (i in off[i]:(off[i+1]-1)) { for (k in 2:1) { } }", "for i (: off[i] (- off[(+ i 1)] 1)) {for k (: 2 1) {}\n}\n"},
		{"S[1:3,1:3] <- inverse(A[,])", " S[(: 1 3) (: 1 3)] <- (inverse! A[_ _])\n"},
		{"x[c(1,3)] <- v x[] <- w x[i,] <- u", " x[(c! 1 3)] <- v\n x[_] <- w\n x[i _] <- u\n"},
		{"in <- 1 model <- 2 data <- 3 var <- 4 .a_b.1 <- 5", " in <- 1\n model <- 2\n data <- 3\n var <- 4\n .a_b.1 <- 5\n"},
		{"for <- 1", " for <- 1\n"},
		{"t <- t(A) %*% t", " t <- (%*% (t! A) t)\n"},
	} {
		p, list := Parse(diag.NewSource("m", "model {"+c.in+"}"), Options{})
		if len(list) > 0 {
			t.Errorf("%s: %v", c.in, list)
			continue
		}
		if got := stmtTree(p.Model); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.in, got, c.want)
		}
		checkRoundTrip(t, p)
	}
}

func TestBlocks(t *testing.T) {
	src := diag.NewSource("m", "\ufeff# c\nvar x[N, 2], y; var z;\ndata { w <- log(v) } ;\nmodel rats { x[1,1] <- 1 }\n")
	p, list := Parse(src, Options{JAGS})
	if len(list) > 0 {
		t.Fatal(list)
	}
	want := "var x[N 2]\nvar y\nvar z\ndata true { w <- (log! v)\n}\nmodel rats { x[1 1] <- 1\n}"
	if got := programTree(p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkRoundTrip(t, p)
}

// checkRoundTrip prints a program and reads it in either dialect.
func checkRoundTrip(t *testing.T, p *Program) {
	t.Helper()
	text := Print(p)
	for _, d := range []Dialect{BUGS, JAGS} {
		q, list := Parse(diag.NewSource("printed", text), Options{d})
		if len(list) > 0 {
			t.Fatalf("printed text:\n%s\n%v", text, list)
		}
		if programTree(p) != programTree(q) {
			t.Fatalf("printed text:\n%s\ngot\n%s\nwant\n%s", text, programTree(q), programTree(p))
		}
		if again := Print(q); again != text {
			t.Fatalf("printing twice differs:\n%s\n%s", text, again)
		}
	}
}

func TestRangeWarning(t *testing.T) {
	for _, c := range []struct {
		in, fix string
		d       Dialect
	}{
		{"x[1:n-1]", "write 1:(n - 1)", BUGS},
		{"x[1:n-1]", "write (1:n) - 1", JAGS},
		{"x[a+1:b]", "write (a + 1):b", BUGS},
		{"x[a+1:b]", "write a + (1:b)", JAGS},
		{"x[-1:b^2]", "", BUGS},
		{"x[(a+1):(b-1)]", "", BUGS},
		{"sum((1:n)*2)", "", JAGS},
	} {
		_, list := ParseExpr(diag.NewSource("e", c.in), Options{c.d})
		fix := ""
		if len(list) > 0 {
			fix = list[0].Fix
		}
		if len(list) > 1 || fix != c.fix {
			t.Errorf("%s in %s: %v, want %q", c.in, c.d, list, c.fix)
		}
	}
}

func TestSpans(t *testing.T) {
	text := "model { y[i, 1] <- (a + b)*log(c) x ~ dnorm(0, 1) T(0, ) for (k in 1:3) { z <- -q } }"
	src := diag.NewSource("m", text)
	p, list := Parse(src, Options{})
	if len(list) > 0 {
		t.Fatal(list)
	}
	at := func(n Node) string { s := n.Span(); return text[s.Start:s.End] }
	a, s, f := p.Model[0].(*Assign), p.Model[1].(*Sample), p.Model[2].(*For)
	mul := a.RHS.(*Binary)
	for got, want := range map[string]string{
		at(a): "y[i, 1] <- (a + b)*log(c)", at(a.LHS): "y[i, 1]", at(mul): "(a + b)*log(c)", at(mul.X): "(a + b)",
		at(mul.Y): "log(c)", at(s): "x ~ dnorm(0, 1) T(0, )", at(s.Bound): "T(0, )", at(f): "for (k in 1:3) { z <- -q }",
		at(f.Over): "1:3", at(f.Body[0].(*Assign).RHS): "-q", at(p): text,
	} {
		if got != want {
			t.Errorf("span %q, want %q", got, want)
		}
	}
}

// examples are the programs beside the documentation.
func examples(t testing.TB) []string {
	files, err := filepath.Glob("../../../examples/bugs/*.bug")
	if err != nil || len(files) == 0 {
		t.Fatal("no example programs", err)
	}
	return files
}

func TestExamples(t *testing.T) {
	files := examples(t)
	if len(files) < 22 {
		t.Errorf("%d example programs, want 22", len(files))
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []Dialect{BUGS, JAGS} {
			p, list := Parse(diag.NewSource(f, string(text)), Options{d})
			if len(list) > 0 {
				t.Errorf("%s: %v", d, list)
				continue
			}
			checkRoundTrip(t, p)
		}
	}
}
