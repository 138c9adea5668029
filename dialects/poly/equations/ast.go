package equations

import "github.com/irc-lang/irc/ir/diag"

// program is a program as it is written.
type program struct {
	src     *diag.Source
	name    token
	params  []token
	context span // what is known of the parameters; empty if nothing
	arrays  []*arrayDecl
	defs    []*def
	externs []*extern
	sts     []*equation
}

type span struct{ start, end int }

// arrayDecl is `input w[N, K] : f64`.
type arrayDecl struct {
	role  string
	name  token
	sizes []*expr
	elem  token
}

// def is `def f(x: f64) = e`.
type def struct {
	name   token
	params []param
	body   *expr
	busy   bool // it is being put in the place of a call
}

type param struct{ name, typ token }

// extern is `extern f(f64, i64) -> f64`.
type extern struct {
	name token
	in   []token
	out  token
}

// equation is `S: A[i, j] += e : { [i, j] : ... }`.
type equation struct {
	label  string
	at     span // all of it
	target *expr
	op     token
	body   *expr
	domain span // between the braces; empty without a domain
	has    bool // there are braces
}

// exprKind tells expressions apart.
type exprKind uint8

const (
	numberExpr exprKind = iota
	nameExpr
	accessExpr // A[i, j]
	callExpr   // f(x, y)
	unaryExpr  // - not
	binaryExpr
	reduceExpr // sum{j : ...} e
)

// expr is an expression. at is where it is shown.
type expr struct {
	kind   exprKind
	at     span
	op     string // of a number its text; a name; an operator
	float  bool   // a number with a point or an exponent
	args   []*expr
	domain span // of a reduction: between the braces
}
