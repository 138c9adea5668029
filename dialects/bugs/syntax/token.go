package syntax

// A kind is the class of a token.
type kind uint8

const (
	tEOF kind = iota
	tName
	tNum
	tString // only to say that there are none
	tAssign // <-
	tEqual  // =
	tTilde
	tLParen
	tRParen
	tLBrack
	tRBrack
	tLBrace
	tRBrace
	tComma
	tSemi
	tColon
	tColonEq
	tPlus
	tMinus
	tStar
	tSlash
	tMatMul
	tModulo // %%
	tPow
	tNot
	tOr
	tAnd
	tEq
	tNe
	tLt
	tLe
	tGt
	tGe
)

// punct lists the tokens of fixed spelling; a longer one stands before its prefix.
var punct = []struct {
	text string
	kind kind
}{
	{"%*%", tMatMul}, {"%%", tModulo},
	{"<-", tAssign}, {"<=", tLe}, {"<", tLt}, {">=", tGe}, {">", tGt},
	{"==", tEq}, {"=", tEqual}, {"!=", tNe}, {"!", tNot},
	{":=", tColonEq}, {":", tColon}, {"||", tOr}, {"&&", tAnd},
	{"**", tPow}, {"*", tStar}, {"^", tPow}, {"/", tSlash}, {"+", tPlus}, {"-", tMinus},
	{"~", tTilde}, {"(", tLParen}, {")", tRParen}, {"[", tLBrack}, {"]", tRBrack},
	{"{", tLBrace}, {"}", tRBrace}, {",", tComma}, {";", tSemi},
}

// binaryOp gives the operator of a token between two operands.
var binaryOp = map[kind]Op{
	tOr: OpOr, tAnd: OpAnd, tEq: OpEq, tNe: OpNe, tLt: OpLt, tLe: OpLe, tGt: OpGt, tGe: OpGe,
	tPlus: OpAdd, tMinus: OpSub, tStar: OpMul, tSlash: OpDiv, tMatMul: OpMatMul,
}

// A token is a piece of the text, [start, end).
type token struct {
	kind       kind
	first      bool // the first of its line
	start, end int
}
