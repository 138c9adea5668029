// Package rule reads rewrite rules on integers as text.
//
// A rule says that one expression of ops may stand for another, under a condition on its constants:
//
//	arith.muli(x, C) => arith.shli(x, log2(C)) where isPowerOf2(C)
//	arith.addi{nsw}(x, y) => arith.addi(y, x)
//	arith.cmpi{slt}(x, 0) => arith.trunci(arith.shrui(x, width - 1)) : i1
//
// The grammar, in which // begins a comment:
//
//	rule  = op "=>" expr ["where" cond]
//	op    = dialect.name ["{" word, ... "}"] "(" expr, ... ")" [":" type]
//	expr  = op | operand | constant                    a constant that is computed stands on the right only
//	operand  = name in small letters [":" type]        any value of its type, poison too
//	constant = C... | number | true | false | poison | width | -c | ~c | c + c | f(c, ...) | ...
//	cond  = constant cmp constant | f(c) | cond "&&" cond | cond "||" cond | "!" cond | "(" cond ")"
//	cmp   = == != < <= > >= and, unsigned, u< u<= u> u>=
//	type  = iN | iw | i(w + N) | i(w - N) | i(N * w)   w is the width of the rule; iw is what no type is said of
//
// Operands of an op have one type, which is that of its result, but for comparisons, choices and casts. Words are flags (nsw,
// nuw) and predicates (slt). A constant expression is evaluated modulo 2^width; where it is undefined, as log2(0) is, the rule
// does not apply.
//
// Parse gives rules, Rule.Build makes functions of them for one width, and Rule.Holds evaluates a condition.
package rule
