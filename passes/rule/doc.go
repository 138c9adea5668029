// Package rule reads rewrite rules on integers as text.
//
// A rule says that one expression of ops may stand for another, under a condition on its constants:
//
//	arith.muli(x, C) => arith.shli(x, log2(C)) where isPowerOf2(C)
//	arith.addi{nsw}(x, y) => arith.addi(y, x)
//	arith.trunci(arith.extui(x) : i(2 * w)) : iw => x
//
// The grammar, in which // begins a comment:
//
//	rule     = op "=>" expr ["where" cond]
//	op       = dialect.name ["{" word, ... "}"] "(" expr, ... ")" [":" type]
//	expr     = op | operand | constant
//	operand  = name in small letters [":" type]
//	constant = C... | number | true | false | poison | width | -c | ~c | c + c | f(c, ...)
//	cond     = constant cmp constant | f(c) | cond "&&" cond | cond "||" cond | "!" cond | "(" cond ")"
//	cmp      = == != < <= > >= and, unsigned, u< u<= u> u>=
//	type     = iN | iw | i(w + N) | i(w - N) | i(N * w)
//
// An operand is any value of its type, poison too. The operands of an op have one type, which is that of its result, but
// for comparisons, choices and casts. The width of the rule is w, and iw is what no type is said of. Words are flags (nsw,
// nuw) and predicates (slt).
//
// A constant that is computed of others stands on the right only: on the left, a matcher would have to solve for it. It is
// computed modulo 2^width; where it is undefined, as log2(0) is, the rule does not apply. Conditions are on constants alone,
// so that to apply a rule is to match and to evaluate, and asks no analysis.
//
// The notation follows that of Alive (Lopes and others, PLDI 2015), with the names of MLIR's ops in place of LLVM's. Types
// are written where they do not follow, and may depend on the width, so that a rule of mixed widths is one rule.
//
// Parse gives rules, Rule.Build makes functions of them for one width, and Rule.Match evaluates a condition, on constants
// that are known or not.
package rule
